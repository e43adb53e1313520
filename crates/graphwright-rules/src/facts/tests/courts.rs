//! Cases and courts: parties, contentions, outcomes.

use super::{check, stated};

const ONTOLOGY: &str = "
nodes:
  Case: {synonyms: [judgment, ruling, appeal], properties: {decided: {type: date, synonyms: [date of judgment, handed down]}, damages: {type: integer, description: In pounds.}, outcome: {type: string, enum: [allowed, dismissed, settled]}}, aliases: {Harrow v Pike: [], Long v Short: []}}
  Court: {synonyms: [tribunal]}
  Judge: {synonyms: [justice]}
  Party: {synonyms: [claimant, defendant, company, appellant, respondent]}
  Statute: {synonyms: [act]}
  Lawyer: {synonyms: [barrister, solicitor, counsel]}
relationships:
  HEARD_BY: {from: [Case], to: [Judge], synonyms: [judge]}
  BROUGHT_BY: {from: [Case], to: [Party], synonyms: [claimant, appellant]}
  BROUGHT_AGAINST: {from: [Case], to: [Party], synonyms: [defendant, respondent]}
  APPLIES: {from: [Case], to: [Statute], cues: [applies, is decided under]}
  OVERRULES: {from: [Case], to: [Case]}
  CITES: {from: [Case], to: [Case]}
  REPRESENTS: {from: [Lawyer], to: [Party], synonyms: [counsel, lawyer]}
  SITS_IN: {from: [Judge], to: [Court]}
  DECIDED_IN: {from: [Case], to: [Court]}
";

#[test]
fn facts_are_stated() {
    check(
        ONTOLOGY,
        &[
            (
                "The case Harrow v Pike was brought by the company Harrow Mills against the company Pike Dyes.",
                &["Harrow v Pike BROUGHT_BY Harrow Mills", "Harrow v Pike BROUGHT_AGAINST Pike Dyes"],
            ),
            (
                "The case Harrow v Pike was heard by Judge Odile Marsh in the Commercial Court.",
                &["Harrow v Pike HEARD_BY Judge Odile Marsh"],
            ),
            (
                "Judge Odile Marsh, who sits in the Commercial Court, heard the case Harrow v Pike.",
                &["Judge Odile Marsh SITS_IN Commercial Court", "Harrow v Pike HEARD_BY Judge Odile Marsh"],
            ),
            (
                "The case Harrow v Pike overruled the case Long v Short.",
                &["Harrow v Pike OVERRULES Long v Short"],
            ),
            (
                "The case Long v Short was overruled in 2021 by the case Harrow v Pike.",
                &["Harrow v Pike OVERRULES Long v Short"],
            ),
            (
                "The barrister Nell Frome represents the company Pike Dyes.",
                &["Nell Frome REPRESENTS Pike Dyes"],
            ),
            (
                "Counsel for the company Pike Dyes is the barrister Nell Frome.",
                &["Nell Frome REPRESENTS Pike Dyes"],
            ),
            ("The case Harrow v Pike was dismissed.", &["Harrow v Pike.outcome = dismissed"]),
            (
                "The case Harrow v Pike applies the Sale of Dyes Act and the Mills Act.",
                &["Harrow v Pike APPLIES Sale of Dyes Act", "Harrow v Pike APPLIES Mills Act"],
            ),
        ],
    );
}

#[test]
fn nothing_is_stated() {
    check(
        ONTOLOGY,
        &[
            ("The barrister Nell Frome represented the company Pike Dyes.", &[]),
            ("The case Harrow v Pike was not dismissed.", &[]),
            ("Damages of £40,000 were claimed in the case Harrow v Pike.", &[]),
            ("The court asked whether the case Harrow v Pike overruled the case Long v Short.", &[]),
            (
                "The company Pike Dyes argued that the case Long v Short had been overruled by the case Harrow v Pike.",
                &[],
            ),
            ("Had the case Harrow v Pike overruled the case Long v Short, the claim would have failed.", &[]),
            ("The case Harrow v Pike is expected to be heard by Judge Odile Marsh.", &[]),
        ],
    );
}

#[test]
fn a_record_under_the_name_of_a_court_is_about_the_case() {
    let lines = "\
HARLE COMMERCIAL COURT

Case:       Wend Mills v Tarrant & Sons
Judge:      Odile Marsh
Claimant:   Wend Mills
Defendant:  Tarrant & Sons
Handed down: 4 May 2021

Reasons

The claimant is represented by Nell Frome.
";
    let table = "\
# Harle Commercial Court

| | |
| --- | --- |
| Case | Wend Mills v Tarrant & Sons |
| Judge | Odile Marsh |
| Claimant | Wend Mills |
| Defendant | Tarrant & Sons |
| Handed down | 4 May 2021 |

## Reasons

The claimant is represented by Nell Frome.
";
    let wanted = [
        "Nell Frome REPRESENTS Wend Mills",
        "Wend Mills v Tarrant & Sons BROUGHT_AGAINST Tarrant & Sons",
        "Wend Mills v Tarrant & Sons BROUGHT_BY Wend Mills",
        "Wend Mills v Tarrant & Sons DECIDED_IN",
        "Wend Mills v Tarrant & Sons HEARD_BY Odile Marsh",
        "Wend Mills v Tarrant & Sons.decided = 2021-05-04",
    ];
    for (source, text) in [("wend.txt", lines), ("wend.md", table)] {
        let found = stated(ONTOLOGY, source, text);
        assert_eq!(found.len(), wanted.len(), "{found:#?}");
        assert!(found.iter().zip(wanted).all(|(line, wanted)| line.starts_with(wanted)), "{found:#?}");
    }
}

#[test]
fn titles_and_letters_are_no_part_of_a_name() {
    let text = "\
# Judges

| Judge | Court |
| --- | --- |
| Odile Marsh | Commercial Court |
| Ada Brand | Court of Appeal |

The case Harrow v Pike was heard by Lady Justice Marsh. The case Long v Short was heard by Brand LJ.
";
    assert_eq!(
        stated(ONTOLOGY, "judges.md", text),
        [
            "Ada Brand SITS_IN Court of Appeal",
            "Harrow v Pike HEARD_BY Odile Marsh",
            "Long v Short HEARD_BY Ada Brand",
            "Odile Marsh SITS_IN Commercial Court",
        ]
    );
}

#[test]
fn parties_years_and_articles_hold_names_together() {
    check(
        ONTOLOGY,
        &[
            (
                "The case Wend Mills Ltd v Minister for Dyes was decided under the Dye Works Act 1912.",
                &["Wend Mills Ltd v Minister for Dyes APPLIES Dye Works Act 1912"],
            ),
            (
                "The case Harrow v Pike was decided in the Dyes and Mills Tribunal.",
                &["Harrow v Pike DECIDED_IN Dyes and Mills Tribunal"],
            ),
        ],
    );
}

#[test]
fn what_stands_around_a_name_is_no_part_of_it() {
    let text = "\
# Harle Commercial Court

The company Wend Dairies Ltd is a company of Harle. Nell Frome represents the Dairies.

| | |
| --- | --- |
| Case | Wend Dairies Ltd v Pike |
| Judge | on leave, at Harle |
| Claimant | Wend Dairies Ltd |
| Handed down | 4 May 2021 |
";
    assert_eq!(
        stated(ONTOLOGY, "wend.md", text),
        [
            "Nell Frome REPRESENTS Wend Dairies Ltd",
            "Wend Dairies Ltd v Pike BROUGHT_BY Wend Dairies Ltd",
            "Wend Dairies Ltd v Pike DECIDED_IN Harle Commercial Court",
            "Wend Dairies Ltd v Pike.decided = 2021-05-04",
        ]
    );
}
