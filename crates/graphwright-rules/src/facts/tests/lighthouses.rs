//! Names and layouts of a field with places, people and works.

use super::{check, stated};

const LIGHTS: &str = "
nodes:
  Light: {synonyms: [lighthouse], properties: {lit: {type: integer}, range: {type: integer, description: In sea miles., synonyms: [shines for]}}}
  Authority: {synonyms: [board, firm]}
  Ballad: {description: A song., synonyms: [song], properties: {name: {type: string, required: true, synonyms: [title]}}}
  Keeper: {synonyms: [person], properties: {birthplace: {type: string, synonyms: [place of birth]}, born: {type: integer}}}
relationships:
  RUN_BY: {from: [Light], to: [Authority], synonyms: [operator], cues: [is run by]}
  KEPT_BY: {from: [Light], to: [Keeper], synonyms: [keeper, head keeper]}
  NEXT_TO: {from: [Light], to: [Light]}
  SUNG_BY: {from: [Ballad], to: [Keeper], synonyms: [singer]}
";

#[test]
fn a_word_for_the_type_in_capitals_is_part_of_the_name() {
    let text = "# Warden of Sark Light\n\nThe Warden of Sark light is run by the Outer Isles Board.\n";
    assert_eq!(stated(LIGHTS, "page.md", text), ["Warden of Sark Light RUN_BY Outer Isles Board"]);
}

#[test]
fn a_short_form_with_its_last_word_left_out() {
    let text = "The Isles & Coast Board (I&C) is an authority. The lighthouse Skerry is run by I&C.\n";
    assert_eq!(stated(LIGHTS, "page.md", text), ["Skerry RUN_BY Isles & Coast Board"]);
}

#[test]
fn pairs_under_a_heading_that_names_a_relationship() {
    let text = "# Staff\n\nThe lighthouses Skerry and Holm are ours.\n\n## Head keepers\n\n- Skerry: Ann Lee\n- Holm – Bo Ek\n";
    assert_eq!(stated(LIGHTS, "page.md", text), ["Holm KEPT_BY Bo Ek", "Skerry KEPT_BY Ann Lee"]);
}

#[test]
fn an_and_within_the_title_of_a_work() {
    let text = "ballad,singer\nOf Salt and Rope,Ann Lee\nThe Tide and the Bell,Bo Ek and Ida Moe\n";
    assert_eq!(
        stated(LIGHTS, "songs.csv", text),
        [
            "Of Salt and Rope SUNG_BY Ann Lee",
            "The Tide and the Bell SUNG_BY Bo Ek",
            "The Tide and the Bell SUNG_BY Ida Moe"
        ]
    );
}

#[test]
fn headings_that_name_nothing_new() {
    let text = "# Skerry Light\n\n## Credits\n\nOperator: Outer Isles Board\n\n## About the light\n\nOperator: Inner Board\n";
    let got = stated(LIGHTS, "page.md", text);
    assert!(got.iter().all(|line| line.starts_with("Skerry Light ")), "{got:?}");
}

#[test]
fn places_of_birth() {
    check(
        LIGHTS,
        &[
            ("The keeper Ann Lee was born in 1871 in Port Sark.", &["Ann Lee.born = 1871"]),
            ("The keeper Ann Lee was not born in Port Sark.", &[]),
        ],
    );
}

#[test]
fn verbs_that_are_phrases_of_a_property_or_a_place() {
    check(LIGHTS, &[("Skerry Light is not next to Holm Light.", &[])]);
}
