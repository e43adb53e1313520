//! What the graph writes as codes, asked for by names, and the other way round.

use crate::support::{check, plainly};

#[tokio::test]
async fn codes_are_asked_for_by_names() {
    let graph = "
        Supplier Alpha | country = DE; language = de; contact_sex = F
        Supplier Beta | country = US; language = en; contact_sex = M
        Supplier Gamma | country = IT; language = it; contact_sex = F
        Supplier Delta | country = US; language = en; contact_sex = F
        Office Tampa | state = FL; open_on = Mon
        Office Ocala | state = FL; open_on = Tue
        Office Atlanta | state = GA; open_on = Mon
        Office Austin | state = TX; open_on = Fri
        Nation United States
        Nation Germany
        Supplier Beta -BASED_IN-> Nation United States
        Supplier Alpha -BASED_IN-> Nation Germany
    ";
    let questions = [
        ("Which offices are in Florida?", "Tampa; Ocala"),
        ("Is the Austin office in Georgia?", "no"),
        ("Which offices are in Georgia?", "Atlanta"),
        ("Which offices are open on Mondays?", "Tampa; Atlanta"),
        ("Which suppliers are from Italy?", "Gamma"),
        ("Which suppliers are German?", "Alpha"),
        ("How many suppliers have a female contact?", "3"),
        ("Which suppliers speak English?", "Beta; Delta"),
        ("Which suppliers are based in the USA?", "Beta"),
        // No codes of theirs are here.
        ("Which suppliers are from Japan?", "not in graph"),
    ];
    check(graph, &questions).await;
}

/// Departments that look like codes of countries are none.
#[tokio::test]
async fn what_only_looks_like_a_code_is_none() {
    let graph = "
        Employee Ann | department = IT
        Employee Bob | department = HR
        Employee Cid | department = Sales
        Employee Dan | department = Marketing
    ";
    let films = "
        Film Girls | title = Girls
        Film Friday | title = Friday
        Person Ann
        Person Ann -SAW-> Film Girls
    ";
    check(films, &[("Which women saw a film?", "not in graph"), ("Who saw Girls?", "Ann")]).await;
    check(graph, &[("Which employees are in Italy?", "not in graph"), ("Which employees are in IT?", "Ann")])
        .await;
    let answer = plainly(graph, "How many employees are from Croatia?").await;
    assert_ne!(answer.answer, "1");
}
