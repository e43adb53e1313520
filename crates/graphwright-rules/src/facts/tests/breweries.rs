//! Breweries and their boats: places of firms, occupations, measures in front, ships called she, correlated remarks.

use super::{check, stated};

const ONTOLOGY: &str = "
nodes:
  Brewery: {synonyms: [firm], properties: {town: {type: string}, founded: {type: integer}, closed: {type: integer}}, aliases: {Gale & Lowe: [], Maison Roux: []}}
  Person: {properties: {born: {type: integer}, died: {type: integer}, profession: {type: string}}, aliases: {Ada Lowe: [], Auguste Roux: [], Tom Orr: []}}
  Boat: {synonyms: [barge], properties: {rig: {type: string, enum: [ketch, sloop]}, tonnage: {type: integer, synonyms: [tons]}, length_m: {type: float, synonyms: [length]}, hold_m2: {type: float, synonyms: [hold]}}, aliases: {Brown Betty: []}}
relationships:
  FOUNDED_BY: {from: [Brewery], to: [Person], synonyms: [founder]}
  SKIPPERED_BY: {from: [Boat], to: [Person], synonyms: [skipper], cues: [was skippered by]}
  LOST_AT: {from: [Boat], to: [Brewery]}
  PRONE_TO: {from: [Boat], to: [Person], cues: [is susceptible to]}
";

#[test]
fn facts_are_stated() {
    check(
        ONTOLOGY,
        &[
            (
                "Gale & Lowe was founded in Harth in 1841 by Ada Lowe.",
                &["Gale & Lowe FOUNDED_BY Ada Lowe", "Gale & Lowe.founded = 1841"],
            ),
            (
                "Gale & Lowe of Harth, founded in 1841, closed in 1961.",
                &["Gale & Lowe.closed = 1961", "Gale & Lowe.founded = 1841"],
            ),
            (
                "Gale & Lowe and Maison Roux were founded by Ada Lowe, the former in 1841 and the latter in 1872.",
                &["Gale & Lowe FOUNDED_BY Ada Lowe", "Maison Roux FOUNDED_BY Ada Lowe"],
            ),
            (
                "Auguste Roux brews. A native of Kelder, Tom Orr was young. He founded Gale & Lowe.",
                &["Gale & Lowe FOUNDED_BY Tom Orr"],
            ),
            (
                "# Ada Lowe\n\nAda Lowe met Tom Lowe (1850–1911). Gale & Lowe was founded by Miss Lowe.\n\n\
                 # Maison Roux\n\nMaison Roux was founded by Tom Lowe.",
                &["Gale & Lowe FOUNDED_BY Ada Lowe", "Maison Roux FOUNDED_BY Tom Lowe"],
            ),
            (
                "The Brown Betty was lost four years later at Gale & Lowe.",
                &["Brown Betty LOST_AT Gale & Lowe"],
            ),
        ],
    );
}

#[test]
fn nothing_is_stated() {
    check(
        ONTOLOGY,
        &[
            ("I read that Gale & Lowe was founded by Tom Orr.", &[]),
            ("Gale & Lowe was founded in Maison Roux.", &[]),
            ("The Brown Betty lies 300 m from the quay.", &[]),
        ],
    );
}

#[test]
fn a_column_of_things_means_what_goes_from_the_rows_to_them() {
    let ontology = "
nodes: {Person: {}, Voyage: {}}
relationships:
  LED_BY: {from: [Voyage], to: [Person], synonyms: [leader]}
  SAILED_ON: {from: [Person], to: [Voyage], synonyms: [sailor]}
";
    assert_eq!(
        stated(ontology, "crew.csv", "person,voyage\nAda Lowe,Second Voyage\n"),
        ["Ada Lowe SAILED_ON Second Voyage"]
    );
}
