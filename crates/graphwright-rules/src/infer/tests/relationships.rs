//! Which verbs become relationship types.

use super::*;

const NAMES: &str = "We like Kestrel and Falcon and Merlin, and saw Kestrel with Falcon and Merlin.";

#[test]
fn voices_of_a_verb_are_one_relationship() {
    let ontology = markdown(&format!(
        "{NAMES} Here Kestrel runs on Falcon. Now Merlin is hosted on Falcon. Today Kestrel is hosted on Merlin. They host. \
         We can host it. The Falcon is used by Kestrel. So Merlin uses Falcon.\n"
    ));
    let cues = |kind: &str| {
        (ontology.relationships[kind].cues.clone(), ontology.relationships[kind].inverse_cues.clone())
    };
    assert_eq!(cues("HOSTED_ON"), (vec!["is hosted on".to_owned()], vec![]));
    assert_eq!(cues("USES"), (vec!["uses".to_owned()], vec!["is used by".to_owned()]));
    assert!(!ontology.relationships.contains_key("RUNS_ON"), "one pair is no evidence");
    assert_eq!(ontology.relationships["USES"].description, "As in: Kestrel uses Falcon.");
    assert_eq!(ontology.check(), vec![]);
}

#[test]
fn verbs_that_relate_nothing_are_left_out() {
    let ontology = markdown(&format!(
        "{NAMES} So Kestrel allows Falcon to sail. Then Falcon allows Merlin to sail. Then Merlin includes Kestrel. There \
         Falcon includes Merlin. They may allow it. The cost of Kestrel exceeds Falcon. The cost of Merlin exceeds Falcon. \
         It will exceed that.\n"
    ));
    assert!(ontology.relationships.is_empty(), "{:?}", ontology.relationships);
}

#[test]
fn a_name_before_a_noun_is_not_the_object() {
    let ontology = markdown(&format!(
        "{NAMES} So Kestrel uses Falcon nets. Then Merlin uses Falcon nets. Then Falcon uses Kestrel nets.\n"
    ));
    assert!(ontology.relationships.is_empty(), "{:?}", ontology.relationships);
}

#[test]
fn verbs_that_tell_the_reader_what_to_do_are_left_out() {
    let told =
        "Use a rope. Use two hands. Use oil. Use care. Use a lamp. Use gloves. Use salt. Use wax. Use time.";
    let stated = format!("{NAMES} So Kestrel uses Falcon. Then Merlin uses Falcon.");
    assert!(markdown(&stated).relationships.contains_key("USES"));
    assert!(markdown(&format!("{stated} {told}\n")).relationships.is_empty());
}

#[test]
fn descriptions_give_examples_and_the_right_article() {
    let ontology = markdown(
        "We like Brede and Calder. We saw Brede with Calder. Brede is an engine. Calder is an engine. Here Brede drives Calder. \
         There is one engine.\n",
    );
    assert_eq!(ontology.nodes["Engine"].description, "An engine, such as Brede and Calder.");
}

/// Tables that refer to each other, alone by an id or by the year and the team together.
#[test]
fn references_to_other_lists_are_relationships() {
    let mut teams = "year,teamID,name,wins\n".to_owned();
    let mut managers = "playerID,year,teamID,rank\n".to_owned();
    let mut series = "year,round,teamIDwinner,teamIDloser\n".to_owned();
    for year in [2000, 2001, 2002] {
        for (code, name, player) in
            [("RED", "Reds", "ann1"), ("BLU", "Blues", "bo2"), ("GRE", "Greens", "cy3")]
        {
            teams.push_str(&format!("{year},{code},{name},{}\n", year - 1900));
            managers.push_str(&format!("{player},{year},{code},1\n"));
        }
        series.push_str(&format!("{year},Final,RED,BLU\n{year},Semi,BLU,GRE\n"));
    }
    let people = "playerID,nameFirst,nameLast\nann1,Ann,Lee\nbo2,Bo,Chan\ncy3,Cy,Diaz\n";
    let files = [
        ("teams.csv", teams.as_str()),
        ("managers.csv", &managers),
        ("series.csv", &series),
        ("people.csv", people),
    ];
    let ontology = inferred(&files);
    assert_eq!(ends(&ontology, "HAS_MANAGER"), ["Team", "Player"]);
    assert_eq!(ends(&ontology, "SERIES"), ["Team", "Team"]);
    assert_eq!(ontology.relationships["HAS_MANAGER"].properties.keys().collect::<Vec<_>>(), ["year", "rank"]);
    assert!(!ontology.nodes.contains_key("Manager") && !ontology.nodes.contains_key("Series"));
}

/// A list with keys of its own, or with the same two things twice, is of things.
#[test]
fn lists_that_only_relate_are_relationships_by_their_ids() {
    let artists = "id,name\n1,Mara Lind\n2,Ito Hana\n3,Nils Ek\n4,Sol Vega\n";
    let albums =
        "id,title,artist_id\n1,Salt,2\n2,Glass,4\n3,Marrow,2\n4,Open Sea,1\n5,Tin Roof,1\n6,Harvest,3\n";
    let users = "id,name\n1,Ann Lee\n2,Bo Chan\n3,Cy Diaz\n";
    let ratings = "user_id,album_id,stars\n1,1,5\n2,1,4\n1,6,2\n3,5,5\n2,5,1\n";
    let follows = "follower_id,followee_id\n1,2\n2,1\n3,1\n1,3\n2,3\n";
    let plays = "user_id,album_id,day\n1,1,3\n1,1,4\n2,1,4\n2,5,9\n";
    let sales = "id,user_id,album_id\n1,1,1\n2,1,4\n3,2,1\n4,2,5\n";
    let ontology = inferred(&[
        ("artists.csv", artists),
        ("albums.csv", albums),
        ("users.csv", users),
        ("ratings.csv", ratings),
        ("follows.csv", follows),
        ("plays.csv", plays),
        ("sales.csv", sales),
    ]);
    assert_eq!(ends(&ontology, "HAS_ARTIST"), ["Album", "Artist"]);
    assert_eq!(ends(&ontology, "RATINGS"), ["User", "Album"]);
    assert_eq!(ends(&ontology, "FOLLOWS"), ["User", "User"]);
    assert_eq!(ontology.relationships["HAS_USER"].from, ["Play", "Sale"]);
    assert_eq!(ontology.relationships["HAS_ALBUM"].from, ["Play", "Sale"]);
    assert!(!ontology.relationships.contains_key("PLAYS") && !ontology.relationships.contains_key("SALES"));
}

/// The id of somebody is of people, that of a parent and what is done to another is of the same list.
#[test]
fn ids_in_roles_are_those_of_what_the_role_says() {
    let staff = "StaffId,FirstName,LastName,ReportsTo\n1,Ann,Lee,\n2,Bo,Chan,1\n3,Cy,Diaz,1\n4,Di,Eng,2\n5,Ed,Fox,2\n";
    let shops = "ShopId,Name\n1,North\n2,South\n3,East\n";
    let clients = "ClientId,Name,SupportRepId\n1,Acme,3\n2,Brix,4\n3,Cole,3\n4,Dorn,4\n5,Elm,5\n6,Fir,5\n";
    let groups = "id,name,parent_id,kind_id\n1,All,,1\n2,Food,1,2\n3,Tools,1,1\n4,Fruit,2,2\n5,Saws,3,1\n";
    let ontology = inferred(&[
        ("Staff.csv", staff),
        ("Shop.csv", shops),
        ("Client.csv", clients),
        ("groups.csv", groups),
    ]);
    assert_eq!(ends(&ontology, "REPORTS_TO"), ["Staff", "Staff"]);
    assert_eq!(ends(&ontology, "HAS_SUPPORT_REP"), ["Client", "Staff"]);
    assert_eq!(ends(&ontology, "HAS_PARENT"), ["Group", "Group"]);
}

/// A key may be short for what it is of, and its header may say what is done; lists of numbers are of what they list. What several
/// columns name alike is of one type.
#[test]
fn keys_under_other_names_are_found_by_what_the_headers_say() {
    let shippers = "ShipperID,CompanyName\n1,Speedy\n2,United\n3,Federal\n";
    let departments = "dept_id,name\n11,Sales\n12,Stores\n13,Press\n";
    let customers = "CustomerID,CompanyName,Country\nA,Alfreds,Germany\nB,Bolido,Spain\nC,Comidas,Spain\nD,Drachen,Germany\nE,Ernst,Austria\nF,Folko,Austria\n";
    let orders = "OrderID,CustomerID,dept_id,ShipVia,ShipCountry\n7,A,11,1,Germany\n8,B,12,2,Spain\n9,B,12,1,Spain\n10,C,11,2,Germany\n11,A,13,2,Austria\n12,E,13,2,Austria\n";
    let ontology = inferred(&[
        ("shippers.csv", shippers),
        ("departments-list.csv", departments),
        ("customers.csv", customers),
        ("orders.csv", orders),
    ]);
    assert_eq!(ends(&ontology, "SHIP_VIA"), ["Order", "Shipper"]);
    assert_eq!(ends(&ontology, "HAS_DEPARTMENT"), ["Order", "Department"]);
    assert_eq!(ends(&ontology, "HAS_SHIP_COUNTRY"), ["Order", "Country"]);
    assert_eq!(ends(&ontology, "HAS_COUNTRY"), ["Customer", "Country"]);

    let people = r#"[{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bo"}, {"id": 5, "name": "Cy"}, {"id": 9, "name": "Di"}]"#;
    let films = r#"[{"id": 1, "title": "Salt", "characters": [1, 5]}, {"id": 2, "title": "Glass", "characters": [1, 2, 9]}]"#;
    let documents = [("people.json", people), ("films.json", films)];
    let documents = documents.map(|(name, text)| document(name, TextFormat::Json, text));
    assert_eq!(ends(&infer(&documents), "HAS_CHARACTER"), ["Film", "Person"]);
}

/// A column is of the things that it is called as, also where each has one of its own, and where others have the same keys; what stands
/// in several languages, and other names, are of no things.
#[test]
fn columns_are_of_what_they_are_called_as() {
    let cantons = r#"[{"id": "gent-1", "name": {"nl": "Gent", "fr": "Gand"}, "seat": {"nl": "Gent", "fr": "Gand"}},
        {"id": "gent-2", "name": {"nl": "Gent", "fr": "Gand"}, "seat": {"nl": "Gent", "fr": "Gand"}},
        {"id": "mons-1", "name": {"nl": "Bergen", "fr": "Mons"}, "seat": {"nl": "Bergen", "fr": "Mons"}}]"#;
    let court = |id: &str, further: &str| format!(r#"{{"id": "{id}", "name": "Court {id}", {further}}}"#);
    let whole = "court-of-first-instance-of-the-whole-of-flanders";
    let courts = [
        court("peace-1", r#""canton": "gent-1""#),
        court("peace-2", r#""canton": "gent-2""#),
        court("peace-3", r#""canton": "mons-1""#),
        court(whole, r#""cantons": ["gent-1", "gent-2", "mons-1"]"#),
        court("other", r#""cantons": ["gent-1", "gent-2", "mons-1"]"#),
        court("part-1", &format!(r#""court": "{whole}""#)),
        court("part-2", &format!(r#""court": "{whole}""#)),
        court("part-3", r#""court": "other""#),
    ];
    let courts = format!("[{}]", courts.join(", "));
    let documents = [("cantons.json", cantons), ("courts.json", courts.as_str())];
    let ontology = infer(&documents.map(|(name, text)| document(name, TextFormat::Json, text)));
    assert_eq!(ends(&ontology, "HAS_CANTON"), ["Court", "Canton"]);
    assert_eq!(ends(&ontology, "HAS_COURT"), ["Court", "Court"]);
    assert_eq!(ontology.nodes.keys().collect::<Vec<_>>(), ["Canton", "Court"]);
}

/// Of files that are called alike but for their last word, that word says what they list; numbered columns are of what they are
/// called as, and no other numbers.
#[test]
fn numbered_columns_and_names_of_files_that_begin_alike() {
    let stations = "id,name,zone\n1,Acton,3\n2,Bank,1\n3,Epping,6\n4,Ealing,3\n";
    let lines = "line,name\n1,Central\n2,District\n3,Circle\n";
    let connections =
        "station1,station2,line,q1,q2\n1,2,1,1,2\n3,2,2,2,3\n3,1,1,1,2\n4,3,2,1,1\n4,2,1,2,3\n1,4,2,3,1\n";
    let ontology = inferred(&[
        ("london.stations.csv", stations),
        ("london.lines.csv", lines),
        ("london.connections.csv", connections),
    ]);
    assert_eq!(ends(&ontology, "HAS_STATION"), ["Connection", "Station"]);
    assert_eq!(ends(&ontology, "HAS_LINE"), ["Connection", "Line"]);
    assert_eq!(ontology.relationships.len(), 2, "{:?}", ontology.relationships);
}

fn inferred(files: &[(&str, &str)]) -> Ontology {
    let documents: Vec<ParsedDocument> =
        files.iter().map(|(name, text)| document(name, TextFormat::Csv, text)).collect();
    infer(&documents)
}

/// The types at both ends of a relationship.
fn ends(ontology: &Ontology, kind: &str) -> [String; 2] {
    let found = ontology.relationships.get(kind);
    let found = found.unwrap_or_else(|| panic!("{kind}: {:?}", ontology.relationships));
    [found.from.join(" "), found.to.join(" ")]
}
