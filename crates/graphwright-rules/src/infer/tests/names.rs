//! Which words become names, concepts, or nothing.

use super::*;

/// The names of a type with their other forms.
fn names(ontology: &Ontology, label: &str) -> Vec<(String, Vec<String>)> {
    let node = ontology.nodes.get(label);
    node.into_iter().flat_map(|node| node.aliases.clone()).collect()
}

#[test]
fn descriptions_of_images_and_directives_are_no_text() {
    let ontology = markdown(
        "![The Tidal Gauge and the Signal Tower](a.png)\n\n![Map of the Tidal Gauge and the Signal Tower](b.png)\n\n\
         :::image source=\"c.png\" alt-text=\"Diagram of the Tidal Gauge that uses the Signal Tower.\":::\n\n\
         :::image source=\"d.png\"\n   alt-text=\"Diagram of the Tidal Gauge that uses the Signal Tower.\":::\n",
    );
    assert!(ontology.nodes.is_empty(), "{:?}", ontology.nodes);
}

#[test]
fn capitals_of_labels_and_orders_make_no_names() {
    let ontology = markdown(
        "- **Redundancy**: keep two pumps. **Redundancy** is good.\n- **Redundancy**: again.\n\n| Area | Note |\n| --- | --- |\n\
         | Redundancy | Choose Pumps | \n| Monitoring | Choose Pumps |\n\nThe redundancy of pumps helps. We like redundancy. \
         Open **Monitoring** or read **Monitoring**. Our monitoring is old, so monitoring fails, and monitoring costs.\n",
    );
    assert!(ontology.nodes.is_empty(), "{:?}", ontology.nodes);
}

#[test]
fn what_is_counted_is_no_name() {
    // In capitals throughout, but one of many.
    let ontology = markdown(
        "Each Berth has a Berth Book. We left a Berth for another Berth. Two VTKs failed, and the VTKs were mended. \
         We saw Kestrel and left Kestrel.\n",
    );
    assert_eq!(names(&ontology, "Term"), [("Kestrel".to_owned(), vec![])]);
}

#[test]
fn abbreviations_and_long_forms_are_one() {
    let ontology = markdown(
        "We run OpenTide Connect (OTC). Ask OTC or OpenTide Connect. The Harbour Gate Protocol (HGP) is old; \
         we left the Harbour Gate Protocol. With HGP it works.\n",
    );
    assert_eq!(
        names(&ontology, "Term"),
        [
            ("Harbour Gate Protocol".to_owned(), vec!["HGP".to_owned()]),
            ("OpenTide Connect".to_owned(), vec!["OTC".to_owned()])
        ]
    );
}

#[test]
fn letters_that_stand_for_several_things_are_nobodys() {
    let ontology = markdown(
        "We use Tidal Flow Control (TFC) and Tidal Flow Control. We use Tower Fire Code (TFC) and Tower Fire Code. Ask TFC.\n",
    );
    assert_eq!(
        names(&ontology, "Term"),
        [("Tidal Flow Control".to_owned(), vec![]), ("Tower Fire Code".to_owned(), vec![])]
    );
}

#[test]
fn common_nouns_with_an_abbreviation_are_concepts_and_no_subjects() {
    let ontology = markdown(
        "A pressure relief valve (PRV) opens. Each pressure relief valve needs oil. We like Kestrel and Falcon, and we saw \
         Kestrel with Falcon. A pressure relief valve supports Kestrel. A pressure relief valve supports Falcon. Now Kestrel \
         supports pressure relief valves. There Falcon supports a pressure relief valve.\n",
    );
    assert_eq!(
        names(&ontology, "Concept"),
        [("pressure relief valve".to_owned(), vec!["PRV".to_owned(), "pressure relief valves".to_owned()])]
    );
    let supports = &ontology.relationships["SUPPORTS"];
    assert_eq!(
        (supports.from.as_slice(), supports.to.as_slice()),
        (["Term".to_owned()].as_slice(), ["Concept".to_owned(), "Term".to_owned()].as_slice())
    );
}

#[test]
fn what_several_names_have_is_a_concept() {
    let ontology = markdown(
        "We like Kestrel and Falcon, and we saw Kestrel with Falcon. Today Kestrel supports sealed ledgers. A tower keeps \
         sealed ledgers. I read a ledger. There Falcon supports sealed ledgers too. Kestrel supports purple weather.\n",
    );
    assert_eq!(
        names(&ontology, "Concept"),
        [("sealed ledgers".to_owned(), vec!["sealed ledger".to_owned()])]
    );
}

#[test]
fn the_makers_name_may_be_left_out() {
    let family = ["Tide Table", "Flood Gate", "Salt Line", "Deep Lock", "Wind Rose"]
        .map(|name| format!("We bought Ostrea {name} from them, and Ostrea {name} works."))
        .join(" ");
    let ontology = markdown(&format!(
        "With Ostrea we sail. Ask Ostrea. {family} We opened Flood Gate. Then Flood Gate shut.\n"
    ));
    let terms = names(&ontology, "Term");
    assert!(terms.contains(&("Ostrea Flood Gate".to_owned(), vec!["Flood Gate".to_owned()])), "{terms:?}");
    assert!(terms.contains(&("Ostrea Tide Table".to_owned(), vec![])), "{terms:?}");
}

#[test]
fn identifiers_in_code_are_names() {
    let text = "Start `tide-runner` first. Then `tide-runner` reads `true` and `true`.\n";
    let other = "Stop `tide-runner`; it writes `true`.\n";
    let documents =
        [document("a.md", TextFormat::Markdown, text), document("b.md", TextFormat::Markdown, other)];
    assert_eq!(names(&infer(&documents), "Term"), [("tide-runner".to_owned(), vec![])]);
}
