mod names;
mod pages;
mod relationships;

use std::path::Path;

use graphwright_core::{Document, Properties, document::TextFormat};
use graphwright_documents::ParsedDocument;

use super::*;

fn document(source: &str, format: TextFormat, text: &str) -> ParsedDocument {
    ParsedDocument::from(Document {
        id: source.to_owned(),
        source: source.to_owned(),
        title: source.to_owned(),
        text: text.to_owned(),
        format,
        hash: String::new(),
        metadata: Properties::new(),
    })
}

fn markdown(text: &str) -> Ontology {
    infer([&document("a.md", TextFormat::Markdown, text)])
}

#[test]
fn names_types_and_verbs_are_read_off_the_text() {
    let text = "# Harbour\n\nThe Tidal Gauge reports to the Harbour Office every hour. In winter the Tidal Gauge sends \
                figures to the Signal Tower. A message of the Signal Tower reaches the Harbour Office. The Signal \
                Tower serves the Harbour Office.\n\nThe Signal Tower is a lookout. The Tidal Gauge serves the Signal \
                Tower. The gauges have to serve. The vessel traffic service (VTS) is a lookout too. Ask the VTS. \
                Ask the VTS again.\n";
    let ontology = markdown(text);
    assert_eq!(ontology.check(), vec![]);
    assert_eq!(
        ontology.nodes["Lookout"].aliases.keys().collect::<Vec<_>>(),
        ["Signal Tower", "vessel traffic service"]
    );
    assert_eq!(ontology.nodes["Lookout"].aliases["vessel traffic service"], ["VTS"]);
    assert!(ontology.nodes["Term"].aliases.contains_key("Tidal Gauge"), "{:?}", ontology.nodes);
    assert_eq!(ontology.relationships["SERVES"].cues, ["serves"]);
}

#[test]
fn plural_nouns_between_names_are_no_verbs() {
    let ontology = markdown(
        "We sail to Port Ada. We saw Port Ada and Port Bo. We left Port Bo. To ship goods, ask for the ship. A ship of \
         Port Ada ships to Port Bo. The list says Port Ada ships to Port Bo, and Port Bo ships to Port Ada.\n",
    );
    assert!(ontology.relationships.is_empty(), "{:?}", ontology.relationships);
}

#[test]
fn words_that_only_open_sentences_are_no_names() {
    let ontology = markdown("Careful work pays. Careful people know. Careful!\n\nHere is careful work.\n");
    assert!(ontology.nodes.is_empty(), "{:?}", ontology.nodes);
}

#[test]
fn tables_become_types_properties_and_relationships() {
    let csv = "service,team,tier,since,note\nauth,Blue Team,1,2024-01-05,It logs people in.\n\
               pay,Red Team,2,2023-02-01,It takes their money.\nmail,Blue Team,3,2022-03-01,It writes to them.\n";
    let ontology = infer([&document("owners.csv", TextFormat::Csv, csv)]);
    let service = &ontology.nodes["Service"];
    assert_eq!(service.properties["tier"].kind.to_string(), "integer");
    assert_eq!(service.properties["since"].kind.to_string(), "date");
    assert_eq!(service.aliases.keys().collect::<Vec<_>>(), ["auth", "mail", "pay"]);
    assert_eq!(ontology.nodes["Team"].aliases.keys().collect::<Vec<_>>(), ["Blue Team", "Red Team"]);
    let has_team = &ontology.relationships["HAS_TEAM"];
    assert_eq!(
        (has_team.from.as_slice(), has_team.to.as_slice()),
        (["Service".to_owned()].as_slice(), ["Team".to_owned()].as_slice())
    );
}

#[test]
fn json_records_and_sections_become_types() {
    let json = r#"[{"name": "Ada Byron", "born": 1815}, {"name": "Alan Turing", "born": 1912}]"#;
    let ontology = infer([&document("people/persons.json", TextFormat::Json, json)]);
    assert_eq!(ontology.nodes["Person"].properties["born"].kind.to_string(), "integer");

    let text = "# Fleet\n\n## Ships\n\n### Albatross\n\nWe saw Albatross leave; then Albatross came.\n\n### Cormorant\n\n\
                We saw Cormorant leave; then Cormorant came.\n";
    assert_eq!(markdown(text).nodes["Ship"].aliases.keys().collect::<Vec<_>>(), ["Albatross", "Cormorant"]);
}

#[test]
fn the_proposal_reads_back_as_a_file() {
    let csv = "name,owner\nAlpha One,Bo Li\nBeta Two,Cy Ng\n";
    let ontology = infer([&document("rockets.csv", TextFormat::Csv, csv)]);
    let back = Ontology::parse(&ontology.to_yaml().expect("writes"), Path::new("o.yaml")).expect("reads");
    assert_eq!(back, ontology);
    assert_eq!(ontology.check(), vec![]);
}

#[test]
fn nothing_gives_an_empty_ontology() {
    assert_eq!(infer([]), Ontology { name: "inferred".to_owned(), ..Ontology::default() });
}

#[test]
fn types_are_nouns_that_the_texts_count() {
    let text = "# Pumps\n\nAsk for the Brede Pump and the Calder Pump. Two of the pumps are old. We saw the Brede \
                Pump and the Calder Pump, with Northern Quill and Southern Quill. Northern Quill met Southern \
                Quill.\n\n| Work out a plan | Note |\n| --- | --- |\n| Brede Pump | old |\n| Calder Pump | new |\n";
    let ontology = markdown(text);
    assert_eq!(ontology.nodes["Pump"].aliases.keys().collect::<Vec<_>>(), ["Brede Pump", "Calder Pump"]);
    assert!(ontology.nodes["Term"].aliases.contains_key("Northern Quill"), "{:?}", ontology.nodes);
    assert_eq!(ontology.nodes.keys().collect::<Vec<_>>(), ["Pump", "Term"]);
}

#[test]
fn records_show_types_properties_and_relationships_by_their_structure() {
    let record = |name: &str, code: &str, number: &str, borders: &str, languages: &str| {
        format!(
            r#"{{"name": {{"common": "{name}", "official": "State of {name}"}}, "cca3": "{code}", "ccn3": "{number}",
                "unMember": true, "borders": [{borders}], "languages": {languages}, "region": "South",
                "currency": {{"name": "{name} Pound", "symbol": "x"}}}}"#
        )
    };
    let records = [
        record("Arbia", "ARB", "004", r#""BOR", "COR""#, r#"{"nld": "Dutch", "pap": "Papiamento"}"#),
        record("Boria", "BOR", "005", r#""ARB""#, r#"{"spa": "Spanish"}"#),
        record("Coria", "COR", "006", r#""ARB""#, r#"{"fra": "French", "ara": "Arabic"}"#),
        record("Doria", "DOR", "007", "", r#"{"kur": "Sorani", "ara": "Arabic"}"#),
    ];
    let text = format!("[{}]", records.join(","));
    let ontology = infer([&document("data/countries.json", TextFormat::Json, &text)]);
    assert_eq!(ontology.check(), vec![]);
    let types: Vec<&String> = ontology.nodes.keys().collect();
    assert_eq!(types, ["Country", "Currency", "Language", "Region"]);
    let country = &ontology.nodes["Country"];
    assert_eq!(country.aliases.keys().collect::<Vec<_>>(), ["Arbia", "Boria", "Coria", "Doria"]);
    let properties: Vec<String> =
        country.properties.iter().map(|(name, property)| format!("{name}: {}", property.kind)).collect();
    assert_eq!(
        properties,
        ["name: string", "name_official: string", "cca3: string", "ccn3: string", "un_member: boolean"]
    );
    let relationships: Vec<String> = ontology
        .relationships
        .iter()
        .map(|(kind, ends)| format!("{} {kind} {}", ends.from.concat(), ends.to.concat()))
        .collect();
    assert_eq!(
        relationships,
        [
            "Country BORDERS Country",
            "Country HAS_CURRENCY Currency",
            "Country HAS_LANGUAGE Language",
            "Country HAS_REGION Region",
        ]
    );
}
