//! Constructions of English, each in a field of its own.

use super::{check, stated};

const LIBRARIES: &str = "
nodes:
  Library: {properties: {volumes: {type: integer}, hectares: {type: float}, lift: {type: boolean, synonyms: [step-free entrance]}, takings: {type: integer, synonyms: [income]}, opened: {type: date, synonyms: [inauguration]}}}
  Book: {synonyms: [novel], properties: {year: {type: integer, description: Year in which it was written.}, pages: {type: integer}}}
  Writer: {synonyms: [author, poet], properties: {born: {type: integer}, died: {type: integer}, birthplace: {type: string}}}
  Press: {synonyms: [publisher], properties: {founded: {type: integer}, seat: {type: string}}}
  Topic: {}
relationships:
  HOLDS: {from: [Library], to: [Book]}
  WRITTEN_BY: {from: [Book], to: [Writer], synonyms: [author]}
  PRINTED_BY: {from: [Book], to: [Press], cues: [\"is printed by\"]}
  TREATS_OF: {from: [Book], to: [Topic], cues: [\"deals with\"]}
  FOUNDED_BY: {from: [Press, Library], to: [Writer]}
";

#[test]
fn what_has_and_lacks_it() {
    check(
        LIBRARIES,
        &[
            (
                "The library Orrin Hall has a lift, the library Peel House has none.",
                &["Orrin Hall.lift = true"],
            ),
            ("The library Peel House has no lift.", &["Peel House.lift = false"]),
            ("The library Peel House would have a lift.", &[]),
        ],
    );
}

#[test]
fn amounts() {
    check(
        LIBRARIES,
        &[
            ("The library Orrin Hall has 2.5 hectares of garden.", &["Orrin Hall.hectares = 2.5"]),
            ("The takings of the library Orrin Hall were 4,100.", &["Orrin Hall.takings = 4100"]),
            (
                "The library Orrin Hall holds 900 volumes, and the library Peel House 1,700.",
                &["Orrin Hall.volumes = 900"],
            ),
        ],
    );
}

#[test]
fn firms_named_after_what_they_make() {
    check(
        LIBRARIES,
        &[
            ("The novel Ash is printed by Alder Books.", &["Ash PRINTED_BY Alder Books"]),
            (
                "Founded by the poet Ilse Krag in 1911, the publisher Alder Books was a small firm in Orsk which printed the novel Ash.",
                &["Alder Books FOUNDED_BY Ilse Krag", "Alder Books.founded = 1911"],
            ),
        ],
    );
}

#[test]
fn a_table_under_the_thing_that_it_tells_of() {
    let text = "# Orrin Library\n\n## Books held\n\n| Book | Year |\n| --- | --- |\n| Ash | 1928 |\n";
    assert_eq!(stated(LIBRARIES, "orrin.md", text), ["Ash.year = 1928", "Orrin Library HOLDS Ash"]);
}

const RULES: &str = "
nodes:
  Pool: {synonyms: [lake]}
  Fish: {properties: {colour: {type: string, enum: [red, grey]}}}
  Club: {properties: {members: {type: integer}}}
  Angler: {synonyms: [fisherman]}
  Illness: {}
  Remedy: {}
relationships:
  ALLOWS: {from: [Pool], to: [Fish]}
  CATCHES: {from: [Angler], to: [Fish]}
  FISHES_IN: {from: [Club], to: [Pool]}
  CHAIRED_BY: {from: [Club], to: [Angler], synonyms: [chair]}
  CURES: {from: [Remedy], to: [Illness], inverse_cues: [\"is treated with\"]}
";

#[test]
fn places_in_the_part_of_the_doer() {
    check(RULES, &[("The fish Rudd is not allowed in the lake Mirror Tarn.", &[])]);
}

#[test]
fn exceptions_and_nobody() {
    check(RULES, &[("Nobody at the club caught the fish Great Pike.", &[])]);
}

#[test]
fn counts_of_a_possessor_and_of_the_topic() {
    check(RULES, &[("# Blue Float Club\n\n1,200 members.", &["Blue Float Club.members = 1200"])]);
}

#[test]
fn surnames_shared_by_two() {
    check(
        RULES,
        &[(
            "Sven and the angler Olaf Holm met. The chair of the club Blue Float is the angler Sven Holm. \
             Sven and Olaf Holm caught the fish Great Pike.",
            &[
                "Blue Float CHAIRED_BY Sven Holm",
                "Olaf Holm CATCHES Great Pike",
                "Sven Holm CATCHES Great Pike",
            ],
        )],
    );
}

#[test]
fn a_year_to_come() {
    check(
        RULES,
        &[
            ("The club Blue Float fishes in the lake Mirror Tarn from 2150.", &[]),
            (
                "The club Blue Float has fished in the lake Mirror Tarn from 1990.",
                &["Blue Float FISHES_IN Mirror Tarn"],
            ),
        ],
    );
    assert!(stated(RULES, "page.md", "# Blue Float Club\n\nChair: Olaf Holm (from 2150)\n").is_empty());
}

#[test]
fn general_words_for_what_the_page_is_about() {
    check(
        LIBRARIES,
        &[
            (
                "# Alder Books, publisher\n\nAlder Books is a publisher in Orsk.\n\nThe poet Ilse Krag founded the firm in 1911.",
                &["Alder Books FOUNDED_BY Ilse Krag", "Alder Books.founded = 1911"],
            ),
            (
                "The poet Ilse Krag, who wrote the novel Ash and whose press, the publisher Alder Books, printed it, lives in Orsk.",
                &["Ash WRITTEN_BY Ilse Krag"],
            ),
        ],
    );
}

#[test]
fn names_after_the_word_for_their_type() {
    check(
        RULES,
        &[
            ("The club Blue Float is old. Its home water, the lake Mirror Tarn, is deep.", &[]),
            ("The club Blue Float is old. Its former lake, Mirror Tarn, is deep.", &[]),
        ],
    );
}

#[test]
fn salutations_and_questions_are_no_names() {
    let text = "# Notes\n\nDear Angler, the club thanks you.\n\n**Who runs the club?** The anglers do.\n";
    let names: Vec<String> =
        super::extract(RULES, "letter.md", text).entities.into_iter().map(|entity| entity.name).collect();
    assert!(names.is_empty(), "{names:?}");
}

#[test]
fn hearsay_and_clauses_behind_an_agent() {
    check(LIBRARIES, &[("One reads that the poet Ilse Krag wrote the novel Ash.", &[])]);
}
