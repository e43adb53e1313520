//! Which verbs become relationship types.

use super::*;

const NAMES: &str = "We like Kestrel and Falcon and Merlin, and saw Kestrel with Falcon and Merlin.";

#[test]
fn voices_of_a_verb_are_one_relationship() {
    let ontology = markdown(&format!(
        "{NAMES} Here Kestrel runs on Falcon. Now Merlin is hosted on Falcon. Today Kestrel is hosted on Merlin. They host. \
         We can host it. The Falcon is used by Kestrel. So Merlin uses Falcon.\n"
    ));
    let cues = |kind: &str| {
        (ontology.relationships[kind].cues.clone(), ontology.relationships[kind].inverse_cues.clone())
    };
    assert_eq!(cues("HOSTED_ON"), (vec!["is hosted on".to_owned()], vec![]));
    assert_eq!(cues("USES"), (vec!["uses".to_owned()], vec!["is used by".to_owned()]));
    assert!(!ontology.relationships.contains_key("RUNS_ON"), "one pair is no evidence");
    assert_eq!(ontology.relationships["USES"].description, "As in: Kestrel uses Falcon.");
    assert_eq!(ontology.check(), vec![]);
}

#[test]
fn verbs_that_relate_nothing_are_left_out() {
    let ontology = markdown(&format!(
        "{NAMES} So Kestrel allows Falcon to sail. Then Falcon allows Merlin to sail. Then Merlin includes Kestrel. There \
         Falcon includes Merlin. They may allow it. The cost of Kestrel exceeds Falcon. The cost of Merlin exceeds Falcon. \
         It will exceed that.\n"
    ));
    assert!(ontology.relationships.is_empty(), "{:?}", ontology.relationships);
}

#[test]
fn a_name_before_a_noun_is_not_the_object() {
    let ontology = markdown(&format!(
        "{NAMES} So Kestrel uses Falcon nets. Then Merlin uses Falcon nets. Then Falcon uses Kestrel nets.\n"
    ));
    assert!(ontology.relationships.is_empty(), "{:?}", ontology.relationships);
}

#[test]
fn verbs_that_tell_the_reader_what_to_do_are_left_out() {
    let told =
        "Use a rope. Use two hands. Use oil. Use care. Use a lamp. Use gloves. Use salt. Use wax. Use time.";
    let stated = format!("{NAMES} So Kestrel uses Falcon. Then Merlin uses Falcon.");
    assert!(markdown(&stated).relationships.contains_key("USES"));
    assert!(markdown(&format!("{stated} {told}\n")).relationships.is_empty());
}

#[test]
fn descriptions_give_examples_and_the_right_article() {
    let ontology = markdown(
        "We like Brede and Calder. We saw Brede with Calder. Brede is an engine. Calder is an engine. Here Brede drives Calder. \
         There is one engine.\n",
    );
    assert_eq!(ontology.nodes["Engine"].description, "An engine, such as Brede and Calder.");
}

/// Tables that refer to each other, alone by an id or by the year and the team together.
#[test]
fn references_to_other_lists_are_relationships() {
    let mut teams = "year,teamID,name,wins\n".to_owned();
    let mut managers = "playerID,year,teamID,rank\n".to_owned();
    let mut series = "year,round,teamIDwinner,teamIDloser\n".to_owned();
    for year in [2000, 2001, 2002] {
        for (code, name, player) in
            [("RED", "Reds", "ann1"), ("BLU", "Blues", "bo2"), ("GRE", "Greens", "cy3")]
        {
            teams.push_str(&format!("{year},{code},{name},{}\n", year - 1900));
            managers.push_str(&format!("{player},{year},{code},1\n"));
        }
        series.push_str(&format!("{year},Final,RED,BLU\n{year},Semi,BLU,GRE\n"));
    }
    let people = "playerID,nameFirst,nameLast\nann1,Ann,Lee\nbo2,Bo,Chan\ncy3,Cy,Diaz\n";
    let files = [
        ("teams.csv", teams.as_str()),
        ("managers.csv", &managers),
        ("series.csv", &series),
        ("people.csv", people),
    ];
    let documents = files.map(|(name, text)| super::document(name, TextFormat::Csv, text));
    let ontology = infer(&documents);
    let ends = |kind: &str| {
        let found = ontology
            .relationships
            .get(kind)
            .unwrap_or_else(|| panic!("{kind}: {:?}", ontology.relationships));
        (found.from.join(" "), found.to.join(" "))
    };
    let named = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    assert_eq!(ends("HAS_PLAYER"), named("Manager", "Player"));
    assert_eq!(ends("HAS_TEAM"), named("Manager", "Team"));
    assert_eq!(ends("HAS_WINNER"), named("Series", "Team"));
    assert_eq!(ends("HAS_LOSER"), named("Series", "Team"));
}
