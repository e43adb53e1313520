//! Files of records: names and values as they stand, codes, things within records.

use graphwright_documents::extraction::DropReason;

use super::{extract, names_of, stated};

const ONTOLOGY: &str = "
nodes:
  Country: {synonyms: [state], properties: {official: {type: string}, area: {type: float}, capital: {type: list of string}, landlocked: {type: boolean}}}
  Language: {properties: {id: {type: string}}}
  Person: {synonyms: [people]}
relationships:
  BORDERS: {from: [Country], to: [Country], cues: [borders]}
  SPEAKS: {from: [Country], to: [Language], synonyms: [language]}
  LED_BY: {from: [Country], to: [Person], synonyms: [leader]}
";

#[test]
fn no_word_in_a_name_makes_a_row_vanish() {
    let text = "name,area,leader\nCan Tho and Or,1,Ada Will\nCape May,2,\nOf Thee,3,\nCaptain Cook was Here Once Or Twice,4,\nNone,5,\n";
    let found = extract(ONTOLOGY, "countries.csv", text);
    let names = names_of(&found, "Country");
    assert_eq!(
        names,
        ["Can Tho and Or", "Cape May", "Of Thee", "Captain Cook was Here Once Or Twice", "None"]
    );
    assert_eq!(found.facts.len(), 1);
}

#[test]
fn values_that_identify_other_rows_mean_these() {
    let text = r#"[{"name": {"common": "Ireland", "official": "Republic"}, "cca3": "IRL", "borders": ["GBR"], "area": 70273},
        {"name": {"common": "United Kingdom", "official": "Kingdom"}, "cca3": "GBR", "borders": ["IRL"], "landlocked": false},
        {"name": {"common": "Peru"}, "cca3": "PER", "borders": [], "capital": ["Lima; the old", "Cusco"]}]"#;
    assert_eq!(
        stated(ONTOLOGY, "countries.json", text),
        [
            "Ireland BORDERS United Kingdom",
            "Ireland.area = 70273.0",
            "Ireland.official = Republic",
            "Peru.capital = [\"Lima; the old\",\"Cusco\"]",
            "United Kingdom BORDERS Ireland",
            "United Kingdom.landlocked = false",
            "United Kingdom.official = Kingdom",
        ]
    );
}

#[test]
fn things_in_records_are_things() {
    let text = r#"[{"name": "Chad", "languages": [{"id": "fra", "name": "French"}, {"id": "ara", "name": "Arabic"}],
        "leader": {"name": "Ada Byron"}, "notes": [{"text": "none"}]}]"#;
    assert_eq!(
        stated(ONTOLOGY, "countries.json", text),
        [
            "Arabic.id = ara",
            "Chad LED_BY Ada Byron",
            "Chad SPEAKS Arabic",
            "Chad SPEAKS French",
            "French.id = fra"
        ]
    );
}

#[test]
fn rows_of_one_name_that_differ_in_what_identifies_them_stay_two() {
    let text = "id,name,area\na1,Georgetown,1\nb2,Georgetown,2\nc3,George Town,3\n";
    assert_eq!(
        stated(ONTOLOGY, "countries.csv", text),
        ["George Town.area = 3.0", "Georgetown (a1).area = 1.0", "Georgetown (b2).area = 2.0"]
    );
}

#[test]
fn what_the_ontology_does_not_name_is_counted() {
    let found = extract(ONTOLOGY, "countries.csv", "name,area,colour,tone\nPeru,many,red,\nChad,2,,\n");
    assert_eq!(found.dropped[&DropReason::UnknownProperty], 1);
    assert_eq!(found.dropped[&DropReason::BadValue], 1);
    let found = extract(ONTOLOGY, "x.csv", "alpha,beta\n1,2\n3,4\n");
    assert_eq!((found.entities.len(), found.dropped[&DropReason::UnknownType]), (0, 2));
}
