//! Numbers compared with those of others, months and decades, what is closed to others, and clauses behind clauses.

use graphwright_answer::AskOptions;

use crate::support;

const CLUB: &str = "
    Member Ada | birthday = 1971-05-02
    Member Ben | birthday = 1971-11-20
    Member Cleo | birthday = 1988-05-30
    Member Dov | birthday = 1994-01-09
    Member Ewa | birthday = 2001-01-01
    Hut Arven
    Hut Birk
    Hut Corrie
    Peak Northcairn | height = 900; wooded = true
    Peak Southcairn | height = 1200; wooded = false
    Peak Midcairn | height = 700; wooded = true
    Member Ada -CLIMBED-> Peak Northcairn
    Member Ada -CLIMBED-> Peak Southcairn
    Member Ada -CLIMBED-> Peak Midcairn
    Member Ben -CLIMBED-> Peak Northcairn
    Member Ben -CLIMBED-> Peak Southcairn
    Member Cleo -CLIMBED-> Peak Northcairn
    Member Dov -CLIMBED-> Peak Midcairn
    Member Dov -CLIMBED-> Peak Northcairn
    Member Ada -SLEPT_IN-> Hut Arven
    Member Ben -SLEPT_IN-> Hut Arven
    Member Ben -SLEPT_AT-> Peak Southcairn
    Member Cleo -SLEPT_IN-> Hut Arven
    Member Cleo -SLEPT_AT-> Peak Northcairn
    Member Dov -SLEPT_IN-> Hut Birk
";

#[rstest::rstest]
// The number of another one.
#[case("Which members have climbed more peaks than Cleo?", "Ada; Ben; Dov")]
#[case("Which members climbed as many peaks as Ben?", "Dov")]
#[case("Has Cleo climbed more peaks than Ben?", "no")]
#[case("Has Cleo climbed fewer peaks than Ben?", "yes")]
// All others.
#[case("Who has climbed more peaks than anybody else?", "Ada")]
#[case("Which peak is higher than any other peak?", "Southcairn")]
#[case("Which peak is higher than all the others?", "Southcairn")]
#[case("How many members climbed every peak?", "1")]
// The first so many.
#[case("Which are the two highest peaks?", "Northcairn; Southcairn")]
#[case("Which two members have climbed the most peaks?", "Ada; Ben; Dov")]
// Dates.
#[case("Which members have a birthday in May?", "Ada; Cleo")]
#[case("Which members have a birthday in the nineties?", "Dov")]
#[case("Which members have a birthday in the 80s?", "Cleo")]
#[case("Which members have a birthday in 1988 or later?", "Cleo; Dov; Ewa")]
#[case("Which members have a birthday in the same year as Ada?", "Ben")]
// Closed to others.
#[case("Who climbed nothing but Northcairn?", "Cleo")]
#[case("Who climbed no peak other than Northcairn?", "Cleo")]
#[case("Who climbed Northcairn and nothing else?", "Cleo")]
#[case("Which members climbed nothing?", "Ewa")]
#[case("Which hut did nobody sleep in?", "Corrie")]
#[case("How often has Ada climbed?", "3")]
// Clauses behind clauses.
#[case("Which members that climbed Southcairn have not slept in Arven?", "not in graph")]
#[case("Which members that climbed Northcairn have not slept in Arven?", "Dov")]
#[case("Who slept in Arven but not at Northcairn?", "Ada; Ben")]
#[case("What is the lowest wooded peak?", "Midcairn")]
#[case("Which members have climbed between 2 and 3 peaks?", "Ada; Ben; Dov")]
#[tokio::test]
async fn a_club(#[case] question: &str, #[case] expected: &str) {
    let answer = support::ask(CLUB, question, &AskOptions::default()).await;
    assert!(support::agrees(&answer, expected), "{:?} {}", answer.status, answer.answer);
}

/// Seconds since 1970 in a property for a date.
#[tokio::test]
async fn unix_time_is_a_date() {
    let posts = "
        Post Dawn | creation_date = 1609502400
        Post Dusk | creation_date = 1641038400
    ";
    let answer =
        support::ask(posts, "Which posts have a creation date in 2021?", &AskOptions::default()).await;
    assert!(support::agrees(&answer, "Dawn"), "{:?} {}", answer.status, answer.answer);
}
