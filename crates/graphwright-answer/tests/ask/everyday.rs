//! Everyday forms of questions, on graphs without an ontology: comparisons of properties that are named, values that are nouns, verbs
//! that are types, and whose something is.

use crate::support::{check, plainly};

/// Nouns that are values, verbs that are types, and whose something is.
#[tokio::test]
async fn a_shop() {
    let graph = "
        Customer Ernst Handel | party = Republican; birthday = 1940-02-01; zone = 10
        Customer Ana J. Trujillo | party = Democrat; birthday = 1950-02-01; zone = 8
        Customer Rita Moll | party = Republican; birthday = 1960-02-01; zone = 8
        Order 10263 | freight = 146
        Order 10308 | freight = 2
        Product Pavlova
        Product Chai
        Order 10263 -PLACED_BY-> Customer Ernst Handel
        Order 10308 -PLACED_BY-> Customer Ana J. Trujillo
        Order 10263 -CONTAINS-> Product Pavlova
        Order 10308 -CONTAINS-> Product Chai
    ";
    let questions = [
        ("Which Republicans were born before 1945?", "Ernst Handel"),
        ("How many Republicans were born before 1965?", "2"),
        ("Did Ernst Handel ever order Pavlova?", "yes"),
        ("Has Ernst Handel ordered Pavlova?", "yes"),
        ("Who orders Pavlova?", "Ernst Handel"),
        ("Is Ernst Handel older than Ana Trujillo?", "yes"),
        ("Was Rita Moll born before Ana Trujillo?", "no"),
        ("Is Ernst Handel in a higher zone than Rita Moll?", "yes"),
        ("Is the zone of Rita Moll greater than that of Ernst Handel?", "no"),
        ("Which customers are in a higher zone than Rita Moll?", "Ernst Handel"),
        ("Are Ana Trujillo and Rita Moll in the same zone?", "yes"),
        ("Do Ernst Handel and Rita Moll have the same zone?", "no"),
        // What nobody compared is not told in its place.
        ("Do Ernst Handel and Rita Moll have the same party and zone?", "not in graph"),
        ("Which other zone than Rita Moll has Ernst Handel?", "not in graph"),
    ];
    check(graph, &questions).await;
    let answer = plainly(graph, "Whose order has the highest freight?").await;
    assert!(answer.answer.contains("10263: it is placed by Ernst Handel"), "{}", answer.answer);
    assert_eq!(answer.paths.len(), 1);
    let answer = plainly(graph, "Was Rita Moll born before Ana Trujillo?").await;
    let values = "No: Rita Moll: birthday 1960-02-01; Ana J. Trujillo: birthday 1950-02-01.";
    assert!(answer.answer.starts_with(values), "{}", answer.answer);
}

/// A type and a property of one name, and columns that are parts of a time.
#[tokio::test]
async fn a_network() {
    let graph = "
        Station Bank | lines = 2; minute = 9
        Station Angel | lines = 1; minute = 5
        Line Northern
        Line Central
        Station Bank -SERVED_BY-> Line Northern
        Station Bank -SERVED_BY-> Line Central
        Station Angel -SERVED_BY-> Line Northern
    ";
    let questions = [
        ("Which line has the most stations?", "Northern"),
        ("Which lines do Bank and Angel share?", "Northern"),
        ("How many lines does Bank have?", "2"),
        ("How long is Bank?", "not in graph"),
    ];
    check(graph, &questions).await;
}

/// What has `of` in its name has nothing of that kind.
#[tokio::test]
async fn towers() {
    let graph = "
        Tower Tower of London | height = 27
        Tower Tower of Pisa | height = 56
    ";
    let questions = [
        ("Is the Tower of Pisa higher than the Tower of London?", "yes"),
        ("Is the height of the Tower of London greater than that of the Tower of Pisa?", "no"),
    ];
    check(graph, &questions).await;
}

/// The most of what results have is the most in all of them together.
#[tokio::test]
async fn results() {
    let graph = "
        Driver Ada
        Driver Bob
        Result 1 | points = 10
        Result 2 | points = 6
        Result 3 | points = 6
        Result 1 -OF_DRIVER-> Driver Ada
        Result 2 -OF_DRIVER-> Driver Bob
        Result 3 -OF_DRIVER-> Driver Bob
    ";
    let questions = [
        ("Which driver has the most points?", "Bob"),
        ("Which driver has the fewest points?", "Ada"),
        ("Which driver has the highest points?", "Ada"),
    ];
    check(graph, &questions).await;
}

/// What each review has one of is counted, not added up.
#[tokio::test]
async fn reviews() {
    let graph = "
        Taster Ada
        Taster Ben
        Wine Arven
        Wine Birk
        Taster Ada -TASTED-> Wine Arven | score = 90
        Taster Ada -TASTED-> Wine Birk | score = 50
        Taster Ben -TASTED-> Wine Birk | score = 30
    ";
    let questions = [
        ("Which wine has the most scores?", "Birk"),
        ("Which wine has the fewest scores?", "Arven"),
        ("Which wine has the highest score?", "Arven"),
    ];
    check(graph, &questions).await;
}

/// Things of several types under one name: the type before it says which; and values of which a question has the first words.
#[tokio::test]
async fn a_country() {
    let graph = "
        Province Luxemburg Province | name_fr = Province de Luxembourg; aliases = [Province de Luxembourg]
        Province Brabant Province
        Canton Mons | name_fr = Mons
        Canton Luxembourg | name_fr = Luxembourg
        Town Mons | name_fr = Bergen
        Town Arlon | name_fr = Arlon
        Town Aubange
        Town Wavre | name_fr = Wavre
        Town Ronse | code = 37021; aliases = [37021]
        Court Mons Court | street = Rue des Droits 1; town = Mons
        Prison Haren Prison | street = Nieuwe Wandeling 89
        Prison Ittre Prison | street = Nieuwe Laan 4
        Canton Mons -COVERS-> Town Ronse
        Canton Luxembourg -COVERS-> Town Mons
        Town Arlon -IN_PROVINCE-> Province Luxemburg Province
        Town Aubange -IN_PROVINCE-> Province Luxemburg Province
        Town Wavre -IN_PROVINCE-> Province Brabant Province
    ";
    let questions = [
        ("Which towns does the canton of Mons cover?", "Ronse"),
        ("Which canton covers the town of Mons?", "Luxembourg"),
        ("What is the French name of the town of Mons?", "Bergen"),
        ("What is the town of Mons called in French?", "Bergen"),
        ("Is Aubange in the province of Luxembourg?", "yes"),
        ("How many towns are in the province of Luxembourg?", "2"),
        ("Does the province of Luxembourg have more towns than Brabant?", "yes"),
        // Luxembourg may be the canton, of which none has a number.
        ("Does Brabant have more towns than Ronse?", "not in graph"),
        ("Which prison is on the Nieuwe Wandeling?", "Haren Prison"),
        ("Which town has the code 37021?", "Ronse"),
        ("What is the code of Ronse?", "37021"),
        ("I have the code 37021 here. Which canton covers it?", "Mons"),
        ("Which canton covers 37021?", "Mons"),
    ];
    check(graph, &questions).await;
}

/// What a word implies may stand within what others are taken for together.
#[tokio::test]
async fn a_verb_within_a_name() {
    let graph = "
        Person Person
        Service are
        Service are -IS-> Person Person
    ";
    check(graph, &[("Which person is Person?", "Person")]).await;
}

/// Where relationships keep the places that they were read at, these are no properties: the end of a season is its own.
#[tokio::test]
async fn a_season() {
    let graph = "
        Season Abyss | date = 2022-01-17; end_date = 2022-03-27
        Season Rhythm | date = 2020-01-24; end_date = 2020-04-05
        Spirit Ann
        Season Abyss -HAS_SPIRIT-> Spirit Ann | starts = [12]; ends = [34]
    ";
    let questions = [
        ("When did Abyss end?", "2022-03-27"),
        ("When did Abyss start?", "2022-01-17"),
        ("Which season ended in 2020?", "Rhythm"),
        ("How many seasons started in 2022?", "1"),
    ];
    check(graph, &questions).await;
}
