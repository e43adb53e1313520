//! Cases and courts: parties, contentions, outcomes.

use super::check;

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
                "The case Harrow v Pike, decided on 4 May 2021, cites the case Long v Short.",
                &["Harrow v Pike.decided = 2021-05-04", "Harrow v Pike CITES Long v Short"],
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
            (
                "The barrister Nell Frome, counsel for the company Pike Dyes, spoke first.",
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
