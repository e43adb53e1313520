//! Sentences as encyclopedias write them: films and who made them, towns and where they are.

use graphwright_documents::extraction::KnownEntity;

use super::{check, extract, extract_knowing};

const ONTOLOGY: &str = "
name: encyclopedia
nodes:
  Person: {synonyms: [singer, director, actress]}
  Film: {synonyms: [movie]}
  Place: {synonyms: [town, city, county]}
relationships:
  DIRECTED: {from: [Person], to: [Film], cues: [directed]}
  WROTE: {from: [Person], to: [Film], cues: [wrote]}
  STARS: {from: [Film], to: [Person], cues: [stars]}
  PARENT_OF: {from: [Person], to: [Person], inverse_cues: [son of]}
  LOCATED_IN: {from: [Place], to: [Place], cues: [lies in, is located in]}
";

#[test]
fn an_adjective_of_origin_before_a_noun_names_nothing() {
    check(
        ONTOLOGY,
        &[
            (
                "Harbour Light is a 1957 West German film directed by Ada Cole.",
                &["Ada Cole DIRECTED Harbour Light"],
            ),
            (
                "Harbour Light is a 2016 Hindi-language drama film directed by Ada Cole.",
                &["Ada Cole DIRECTED Harbour Light"],
            ),
        ],
    );
}

#[test]
fn a_verb_between_names_ends_a_list() {
    check(
        ONTOLOGY,
        &[
            (
                "Harbour Light is a film directed by Ada Cole and starring Bo Dean, Cy Earl, and Di Frost.",
                &[
                    "Ada Cole DIRECTED Harbour Light",
                    "Harbour Light STARS Bo Dean",
                    "Harbour Light STARS Cy Earl",
                    "Harbour Light STARS Di Frost",
                ],
            ),
            (
                "Harbour Light is a film directed by Ada Cole, written by Bo Dean.",
                &["Ada Cole DIRECTED Harbour Light", "Bo Dean WROTE Harbour Light"],
            ),
        ],
    );
}

#[test]
fn an_apposition_tells_of_the_nearest_name() {
    check(
        ONTOLOGY,
        &[(
            "Lucy Ford had letters from John Seward, Quincey Morris, and Arthur Holmwood (the son of Ralph Holmwood).",
            &["Ralph Holmwood PARENT_OF Arthur Holmwood"],
        )],
    );
}

#[test]
fn words_for_a_type_tell_names_apart_where_they_differ() {
    let text =
        "Dodge City is a city.\n\nDodge County is a county.\n\nHarth is a town. Harth lies in Dodge County.";
    let found = extract(ONTOLOGY, "page.md", text);
    let names: Vec<&str> = found.entities.iter().map(|entity| entity.name.as_str()).collect();
    assert!(names.contains(&"Dodge City") && names.contains(&"Dodge County"), "{names:?}");
    let ends: Vec<&str> = found.facts.iter().map(|fact| found.entities[fact.to].name.as_str()).collect();
    assert_eq!(ends, ["Dodge County"]);
}

#[test]
fn a_part_of_a_name_means_the_whole_only_where_the_page_speaks_of_that() {
    let known =
        |name: &str| KnownEntity { kind: "Place".into(), name: name.into(), ..KnownEntity::default() };
    let lies_in = |text: &str| {
        let found = extract_knowing(ONTOLOGY, "page.md", text, vec![known("Ohio Valley"), known("Harth")]);
        let ends = found.facts.iter().map(|fact| found.entities[fact.to].name.clone());
        ends.collect::<Vec<_>>()
    };
    assert_eq!(lies_in("Harth lies in Ohio."), Vec::<String>::new());
    assert_eq!(lies_in("The Ohio Valley is a place. Harth lies in Ohio."), ["Ohio Valley"]);
}
