//! Schools and prizes: objects before a preposition, gaps, insertions, what ended.

use super::check;

const ONTOLOGY: &str = "
nodes:
  School: {synonyms: [college, academy], properties: {pupils: {type: integer, synonyms: [students, enrolment]}, founded: {type: integer, description: Year of foundation.}, denomination: {type: string, enum: [Catholic, Lutheran, none]}, boarding: {type: boolean, synonyms: [boarding school]}}, aliases: {Elmwood School: [], Harrow Lane Academy: [], St Brigid's College: []}}
  Teacher: {synonyms: [headteacher, person, principal], properties: {born: {type: date}}, aliases: {Nora Finch: [], Paul Amadi: [], Ida Berg: []}}
  Subject: {synonyms: [course], aliases: {Latin: [], Physics: [], Music: []}}
  District: {synonyms: [area], aliases: {Northmoor: [], Eastgate: []}}
  Prize: {synonyms: [award], aliases: {Calder Prize: [], Lamp Medal: []}}
relationships:
  HEADED_BY: {from: [School], to: [Teacher], synonyms: [headteacher, principal, head]}
  TEACHES: {from: [Teacher], to: [Subject], synonyms: [subject]}
  TEACHES_AT: {from: [Teacher], to: [School], synonyms: [staff]}
  SITUATED_IN: {from: [School], to: [District]}
  OFFERS: {from: [School], to: [Subject], cues: [offers]}
  AWARDED_TO: {from: [Prize], to: [Teacher], synonyms: [winner, laureate]}
  TWINNED_WITH: {from: [School], to: [School], synonyms: [partner school]}
  NAMED_AFTER: {from: [Prize, School], to: [Teacher]}
";

#[test]
fn facts_are_stated() {
    check(
        ONTOLOGY,
        &[
            ("Elmwood School is headed by Nora Finch.", &["Elmwood School HEADED_BY Nora Finch"]),
            ("The headteacher of Elmwood School is Nora Finch.", &["Elmwood School HEADED_BY Nora Finch"]),
            (
                "Nora Finch, headteacher of Elmwood School, teaches Latin.",
                &["Elmwood School HEADED_BY Nora Finch", "Nora Finch TEACHES Latin"],
            ),
            ("Elmwood School, with 640 pupils, lies in Northmoor.", &["Elmwood School.pupils = 640"]),
            (
                "Elmwood School in Northmoor has 640 pupils and was founded in 1902.",
                &["Elmwood School.founded = 1902", "Elmwood School.pupils = 640"],
            ),
            (
                "Elmwood School (Northmoor, 640 pupils) is headed by Nora Finch.",
                &["Elmwood School HEADED_BY Nora Finch"],
            ),
            (
                "Paul Amadi teaches Physics at Elmwood School.",
                &["Paul Amadi TEACHES Physics", "Paul Amadi TEACHES_AT Elmwood School"],
            ),
            ("Paul Amadi teaches Physics, Ida Berg Music.", &["Paul Amadi TEACHES Physics"]),
            ("Physics is taught by Paul Amadi and Music by Ida Berg.", &["Paul Amadi TEACHES Physics"]),
            ("Physics, which Paul Amadi teaches, is popular.", &["Paul Amadi TEACHES Physics"]),
            ("The Calder Prize was awarded to Ida Berg.", &["Calder Prize AWARDED_TO Ida Berg"]),
            ("Ida Berg won the Calder Prize in 2018.", &["Calder Prize AWARDED_TO Ida Berg"]),
            (
                "Ida Berg, winner of the Calder Prize, teaches at Elmwood School.",
                &["Calder Prize AWARDED_TO Ida Berg", "Ida Berg TEACHES_AT Elmwood School"],
            ),
            (
                "The Calder Prize, named after Nora Finch, was won by Ida Berg.",
                &["Calder Prize NAMED_AFTER Nora Finch", "Calder Prize AWARDED_TO Ida Berg"],
            ),
            (
                "Elmwood School is twinned with Harrow Lane Academy.",
                &["Elmwood School TWINNED_WITH Harrow Lane Academy"],
            ),
            ("Elmwood School is Catholic.", &["Elmwood School.denomination = Catholic"]),
            (
                "Harrow Lane Academy offers Latin, Physics and, since 2020, Music.",
                &[
                    "Harrow Lane Academy OFFERS Latin",
                    "Harrow Lane Academy OFFERS Physics",
                    "Harrow Lane Academy OFFERS Music",
                ],
            ),
            ("Harrow Lane Academy offers Latin but not Music.", &["Harrow Lane Academy OFFERS Latin"]),
            ("Harrow Lane Academy offers Latin, not Music.", &["Harrow Lane Academy OFFERS Latin"]),
            ("Paul Amadi, formerly of Elmwood School, teaches Physics.", &["Paul Amadi TEACHES Physics"]),
            ("Nora Finch was born on 12 May 1970.", &["Nora Finch.born = 1970-05-12"]),
            (
                "Born on 12 May 1970, Nora Finch heads Elmwood School.",
                &["Elmwood School HEADED_BY Nora Finch"],
            ),
            (
                "Nora Finch (born 12 May 1970) heads Elmwood School.",
                &["Nora Finch.born = 1970-05-12", "Elmwood School HEADED_BY Nora Finch"],
            ),
            ("Paul Amadi, who never taught Latin, teaches Physics.", &["Paul Amadi TEACHES Physics"]),
            (
                "St Brigid's College has 210 pupils, 40 of them boarders.",
                &["St Brigid's College.pupils = 210"],
            ),
        ],
    );
}

#[test]
fn nothing_is_stated() {
    check(
        ONTOLOGY,
        &[
            ("Ida Berg was nominated for the Calder Prize but did not win it.", &[]),
            ("Harrow Lane Academy offers neither Latin nor Music.", &[]),
            ("Harrow Lane Academy offers all subjects except Latin.", &[]),
            ("Harrow Lane Academy would like to offer Latin.", &[]),
            ("Harrow Lane Academy hopes to offer Latin from 2026.", &[]),
            ("Harrow Lane Academy stopped offering Latin in 2015.", &[]),
            ("Harrow Lane Academy once offered Latin.", &[]),
            ("Until 2015 Harrow Lane Academy offered Latin.", &[]),
            ("Paul Amadi taught at Elmwood School until 2015.", &[]),
            ("Paul Amadi taught at Elmwood School from 2009 to 2015.", &[]),
            ("Paul Amadi left Elmwood School for Harrow Lane Academy.", &[]),
            ("Paul Amadi is due to start at Elmwood School.", &[]),
            ("Nora Finch denies that Paul Amadi teaches Latin.", &[]),
            ("It is not true that Paul Amadi teaches Latin.", &[]),
            ("St Brigid's College has neither a head nor a building.", &[]),
            ("St Brigid's College plans to have 300 pupils by 2030.", &[]),
            ("St Brigid's College had 300 pupils in 1950.", &[]),
        ],
    );
}
