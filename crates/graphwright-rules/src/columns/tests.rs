use std::fmt::Write as _;

use graphwright_documents::{ParsedDocument, blocks::Block};

use super::*;

fn table(csv: &str) -> Table {
    let document = graphwright_core::Document {
        id: "a.csv".into(),
        source: "a.csv".into(),
        title: "a".into(),
        text: csv.into(),
        format: graphwright_core::document::TextFormat::Csv,
        hash: String::new(),
        metadata: graphwright_core::Properties::new(),
    };
    let parsed = ParsedDocument::from(document);
    let found = parsed.blocks().iter().find_map(|block| match block {
        Block::Table(table) => Some(table.clone()),
        _ => None,
    });
    found.unwrap()
}

fn known(is_thing: &dyn Fn(&str) -> bool) -> Known<'_> {
    Known {
        is_thing,
        names_rows: &|_| false,
        identifies_rows: &|_| false,
        groups: Vec::new(),
        refers: &|_, _| false,
    }
}

/// The lists, each with what it stands under.
fn shown(csv: &str, things: &[&str]) -> String {
    let mut text = String::new();
    for list in apart(&table(csv), known(&|words| things.contains(&words))).unwrap_or_default() {
        if let Origin::Nested(key) = &list.origin {
            writeln!(text, "[{key}]").unwrap();
        }
        let line = |cells: &[BlockText]| cells.iter().map(BlockText::trimmed).collect::<Vec<_>>().join(" | ");
        writeln!(text, "{}", line(&list.header)).unwrap();
        list.rows.iter().for_each(|row| writeln!(text, "{}", line(&row.cells)).unwrap());
    }
    text
}

#[test]
fn what_depends_on_a_key_is_a_list_of_its_own() {
    let orders = "order_id,day,customer_id,customer_name,customer_city\n7,Mon,A,Ann,Rome\n8,Mon,B,Bo,Oslo\n9,Tue,A,Ann,Rome\n";
    let expected = "order_id | day | customer | name\n7 | Mon | Ann | 7\n8 | Mon | Bo | 8\n9 | Tue | Ann | 9\n\
                    [customer]\nname | customer_id | customer_city\nAnn | A | Rome\nBo | B | Oslo\n";
    assert_eq!(shown(orders, &["customer"]), expected);
    // What the key does not decide is of the row.
    let moved = orders.replace("9,Tue,A,Ann,Rome", "9,Tue,A,Ann,Oslo");
    assert!(shown(&moved, &["customer"]).starts_with("order_id | day | customer | customer_city | name\n"));
}

#[test]
fn things_of_one_name_are_told_apart_by_their_keys() {
    let text = "event,person_id,person_name\nRun,1,Ann\nJump,2,Ann\nRun,2,Ann\n";
    let expected = "[person]\nname | person_id\nAnn (1) | 1\nAnn (2) | 2\n";
    assert!(shown(text, &["person"]).ends_with(expected), "{}", shown(text, &["person"]));
}

#[test]
fn a_list_with_names_and_without_references_stays() {
    assert!(apart(&table("id,name,size\n1,Ann,3\n2,Bo,4\n"), known(&|_| true)).is_none());
    assert!(
        apart(&table("stadium_id,stadium_name,city\n1,North,Rome\n2,South,Rome\n"), known(&|_| true))
            .is_none()
    );
}

#[test]
fn names_are_found_by_header_and_by_what_they_tell_apart() {
    let name = |csv: &str| name_column(&table(csv));
    assert_eq!(name("key_id,team_id,team_name,town\n1,T1,Reds,Rome\n2,T2,Blues,Rome\n"), Some(2));
    assert_eq!(name("supplierID,companyName,contactTitle\n1,Ann & Co,Owner\n2,Bo & Co,Owner\n"), Some(1));
    assert_eq!(name("id,title,first_name,last_name\n1,Sir,Ann,Bo\n2,Sir,Cy,Do\n"), None);
    assert_eq!(name("country,code\nPeru,PE\nChile,CL\n"), None);
    assert_eq!(name("first_name,last_name,full_name\nAnn,Bo,Ann Bo\nCy,Do,Cy Do\n"), Some(2));
    assert_eq!(name("name,localized_name\nnpc_anti_mage,Anti-Mage\nnpc_axe,Axe\n"), Some(1));
    assert_eq!(name("name,owner_name\nleft-pad,Ann Bo\nright-pad,Cy Do\n"), Some(0));
    assert_eq!(name("first_name,last_name,full_name\nAnn,Bo,Ann Bo\nCy,Do,\n"), None);
}

#[test]
fn places_in_the_file_are_no_keys() {
    assert!(
        counts_rows("key_id") && counts_rows("row number") && !counts_rows("team_id") && !counts_rows("id")
    );
    assert_eq!(keyed("home_team_id").as_deref(), Some("home team"));
    assert_eq!(own_words(&table("key_id,team_id\n1,T1\n2,T2\n"), &[]).as_deref(), Some("team"));
}

#[test]
fn a_column_and_its_name_are_one_thing() {
    let text = "day,class,class_name\nMon,7,Guns\nTue,7,Guns\nWed,9,Boots\n";
    let expected = "day | class\nMon | Guns\nTue | Guns\nWed | Boots\n\
                    [class]\nname | class\nGuns | 7\nBoots | 9\n";
    assert_eq!(shown(text, &["class"]), expected);
}

#[test]
fn rows_that_nothing_tells_apart_are_numbered() {
    let text = "place,day,cost\nRome,Mon,3\nRome,Mon,3\nOslo,Tue,3\n";
    let expected = "place | day | cost | name\nRome | Mon | 3 | Rome, Mon\nRome | Mon | 3 | Rome, Mon (2)\nOslo | Tue | 3 | Oslo, Tue\n";
    assert_eq!(shown(text, &[]), expected);
}

#[test]
fn a_key_may_be_short_for_what_it_is_of() {
    let own = |csv: &str, list: &str| own_words(&table(csv), &[list.to_owned()]);
    assert_eq!(own("brew_id,name\n1,North\n2,South\n", "breweries"), None);
    assert_eq!(own("vessel_id,name\n1,North\n2,South\n", "register").as_deref(), Some("vessel"));
    assert_eq!(own("twitter_id,house_id\n1,7\n2,8\n", "legislators"), None);
    assert_eq!(own("twitter_id,house_id\n1,7\n2,8\n", "houses").as_deref(), Some("house"));
    assert!(abbreviates("dept", "department") && abbreviates("cat", "category"));
    assert!(!abbreviates("team", "tournament") && !abbreviates("team", "team") && !abbreviates("no", "noun"));
}
