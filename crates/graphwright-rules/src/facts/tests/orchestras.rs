//! Orchestras and their halls: roles, premieres, counts, dates.

use super::check;

const ONTOLOGY: &str = "
nodes:
  Orchestra: {synonyms: [ensemble, choir], properties: {founded: {type: date}, musicians: {type: integer, synonyms: [players]}, budget: {type: integer, description: Annual budget in euros.}}}
  Conductor: {synonyms: [director, person, musician], properties: {nationality: {type: string}}}
  Hall: {synonyms: [venue, theatre], properties: {seats: {type: integer, synonyms: [capacity]}, opened: {type: date, synonyms: [inaugurated]}}}
  City: {}
  Work: {synonyms: [symphony, opera, piece], properties: {premiered: {type: date, synonyms: [premiere]}, minutes: {type: integer, synonyms: [duration]}}}
  Composer: {}
  Sponsor: {synonyms: [foundation, bank]}
relationships:
  CONDUCTED_BY: {from: [Orchestra], to: [Conductor], synonyms: [chief conductor, music director]}
  RESIDENT_AT: {from: [Orchestra], to: [Hall], synonyms: [home, residence]}
  HALL_IN: {from: [Hall], to: [City]}
  COMPOSED: {from: [Composer], to: [Work]}
  PREMIERED_BY: {from: [Work], to: [Orchestra]}
  SPONSORED_BY: {from: [Orchestra], to: [Sponsor]}
  DEDICATED_TO: {from: [Work], to: [Conductor]}
";

#[test]
fn facts_are_stated() {
    check(
        ONTOLOGY,
        &[
            (
                "The Nordic Orchestra is conducted by conductor Lena Ost.",
                &["Nordic Orchestra CONDUCTED_BY Lena Ost"],
            ),
            (
                "The chief conductor of the Nordic Orchestra is Lena Ost.",
                &["Nordic Orchestra CONDUCTED_BY Lena Ost"],
            ),
            (
                "Lena Ost is chief conductor of the Nordic Orchestra.",
                &["Nordic Orchestra CONDUCTED_BY Lena Ost"],
            ),
            (
                "The Nordic Orchestra, whose chief conductor is Lena Ost, is resident at Marble Hall.",
                &["Nordic Orchestra CONDUCTED_BY Lena Ost", "Nordic Orchestra RESIDENT_AT Marble Hall"],
            ),
            (
                "Marble Hall, home of the Nordic Orchestra, has 1,900 seats.",
                &["Nordic Orchestra RESIDENT_AT Marble Hall", "Marble Hall.seats = 1900"],
            ),
            (
                "Marble Hall is the home of the Nordic Orchestra.",
                &["Nordic Orchestra RESIDENT_AT Marble Hall"],
            ),
            ("Marble Hall is home to the Nordic Orchestra.", &["Nordic Orchestra RESIDENT_AT Marble Hall"]),
            (
                "The 1,900-seat Marble Hall opened on 3 May 1921.",
                &["Marble Hall.seats = 1900", "Marble Hall.opened = 1921-05-03"],
            ),
            ("Marble Hall seats 1,900.", &["Marble Hall.seats = 1900"]),
            ("Marble Hall is a hall with 1,900 seats.", &["Marble Hall.seats = 1900"]),
            ("Marble Hall was inaugurated on 3 May 1921.", &["Marble Hall.opened = 1921-05-03"]),
            ("On 3 May 1921 Marble Hall was opened.", &["Marble Hall.opened = 1921-05-03"]),
            (
                "The opera Black Water was composed by composer Tomas Weil.",
                &["Tomas Weil COMPOSED Black Water"],
            ),
            ("The composer of the opera Black Water is Tomas Weil.", &["Tomas Weil COMPOSED Black Water"]),
            (
                "The symphony Two Rivers, dedicated to Lena Ost, was premiered by the Nordic Orchestra on 7 June 2011.",
                &[
                    "Two Rivers DEDICATED_TO Lena Ost",
                    "Two Rivers PREMIERED_BY Nordic Orchestra",
                    "Two Rivers.premiered = 2011-06-07",
                ],
            ),
            (
                "The Nordic Orchestra, sponsored by the Hale Foundation, plays at Marble Hall.",
                &["Nordic Orchestra SPONSORED_BY Hale Foundation"],
            ),
            (
                "The Hale Foundation sponsors the Nordic Orchestra and the Valley Choir.",
                &[
                    "Nordic Orchestra SPONSORED_BY Hale Foundation",
                    "Valley Choir SPONSORED_BY Hale Foundation",
                ],
            ),
            (
                "The sponsor of the Nordic Orchestra is the Hale Foundation.",
                &["Nordic Orchestra SPONSORED_BY Hale Foundation"],
            ),
            (
                "The Nordic Orchestra's annual budget is 2.4 million euros.",
                &["Nordic Orchestra.budget = 2400000"],
            ),
            ("The Nordic Orchestra has a budget of €2.4 million.", &["Nordic Orchestra.budget = 2400000"]),
            (
                "The Nordic Orchestra has an annual budget of EUR 2,400,000 and 84 musicians.",
                &["Nordic Orchestra.budget = 2400000"],
            ),
            (
                "The Nordic Orchestra, founded on 1 March 1908, has 84 musicians.",
                &["Nordic Orchestra.founded = 1908-03-01", "Nordic Orchestra.musicians = 84"],
            ),
            (
                "The Nordic Orchestra is resident at Marble Hall, the Valley Choir at Stone Hall.",
                &["Nordic Orchestra RESIDENT_AT Marble Hall"],
            ),
            ("Lena Ost conducts the Nordic Orchestra.", &["Nordic Orchestra CONDUCTED_BY Lena Ost"]),
            (
                "Lena Ost has conducted the Nordic Orchestra since 2011.",
                &["Nordic Orchestra CONDUCTED_BY Lena Ost"],
            ),
            (
                "Conducted by Lena Ost since 2011, the Nordic Orchestra is resident at Marble Hall.",
                &["Nordic Orchestra CONDUCTED_BY Lena Ost", "Nordic Orchestra RESIDENT_AT Marble Hall"],
            ),
        ],
    );
}

#[test]
fn nothing_is_stated() {
    check(
        ONTOLOGY,
        &[
            ("Marble Hall can hold 1,900 people.", &[]),
            ("The Hale Foundation no longer sponsors the Nordic Orchestra.", &[]),
            ("The Hale Foundation has never sponsored the Nordic Orchestra.", &[]),
            ("The Nordic Orchestra plans to appoint Lena Ost as chief conductor.", &[]),
        ],
    );
}
