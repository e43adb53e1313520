//! Flat files in which a row refers to other things by key, and repeats what depends on it.

use super::{extract, stated};

const CUP: &str = "
nodes:
  Cup: {key: cup_id, properties: {cup_id: {type: string}, year: {type: integer}, held_at_home: {type: boolean}}}
  Team: {properties: {team_code: {type: string}, region_name: {type: string}}}
  Player: {}
  Award: {}
relationships:
  FINISHED_IN: {from: [Team], to: [Cup]}
  RECEIVED: {from: [Player], to: [Award]}
  PLAYS_FOR: {from: [Player], to: [Team]}
";

#[track_caller]
fn states(source: &str, text: &str, expected: &[&str]) {
    let found = stated(CUP, source, text);
    for line in expected {
        assert!(found.iter().any(|found| found == line), "{line}: {found:#?}");
    }
}

#[test]
fn the_column_of_the_key_s_name_names_the_row() {
    let text =
        "key_id,cup_id,cup_name,year,held_at_home\n1,C-30,Cup of 1930,1930,1\n2,C-34,Cup of 1934,1934,0\n";
    states(
        "cups.csv",
        text,
        &["Cup of 1930.cup_id = C-30", "Cup of 1934.year = 1934", "Cup of 1934.held_at_home = false"],
    );
}

#[test]
fn rows_of_keys_relate_what_they_refer_to() {
    let text = "cup_id,cup_name,place,team_id,team_name,team_code\nC-30,Cup of 1930,1,T-1,Chile,CHI\n\
                C-30,Cup of 1930,2,T-2,Peru,PER\nC-34,Cup of 1934,1,T-1,Chile,CHI\n";
    states(
        "standings.csv",
        text,
        &[
            "Chile FINISHED_IN Cup of 1930",
            "Chile FINISHED_IN Cup of 1934",
            "Peru FINISHED_IN Cup of 1930",
            "Peru.team_code = PER",
        ],
    );
}

#[test]
fn a_name_in_two_columns_is_one() {
    let text = "cup_id,cup_name,award_id,award_name,player_id,family_name,given_name,team_id,team_name\n\
                C-30,Cup of 1930,A-1,Golden Ball,P-1,Soto,Ana,T-1,Chile\n\
                C-30,Cup of 1930,A-2,Golden Boot,P-2,Paz,not applicable,T-2,Peru\n\
                C-34,Cup of 1934,A-1,Golden Ball,P-3,Soto,Ana,T-2,Peru\n";
    let expected =
        ["Ana Soto (P-1) RECEIVED Golden Ball", "Ana Soto (P-3) PLAYS_FOR Peru", "Paz RECEIVED Golden Boot"];
    states("winners.csv", text, &expected);
}

#[test]
fn of_two_columns_the_one_called_as_a_property_is_it() {
    let text = "team_id,team_name,region_id,region_name\nT-1,Chile,R-1,South\nT-2,Peru,R-1,South\n";
    states("teams.csv", text, &["Chile.region_name = South"]);
}

#[test]
fn rows_without_a_name_are_told_apart_by_the_fewest_columns() {
    let text = "{\"matches\": [{\"round\": \"Final\", \"home\": \"Chile\", \"date\": \"1930-07-30\"}, \
                {\"round\": \"Group\", \"home\": \"Chile\", \"date\": \"1930-07-13\"}, \
                {\"round\": \"Group\", \"home\": \"Peru\", \"date\": \"1930-07-14\"}]}";
    let ontology = "nodes: {Match: {properties: {date: {type: date}}}}\nrelationships: {}\n";
    let found = extract(ontology, "cup.json", text);
    let names: Vec<&str> = found.entities.iter().map(|entity| entity.name.as_str()).collect();
    assert_eq!(names, ["Final, Chile", "Group, Chile", "Group, Peru"]);
}

const PROPERTY: &str = "
nodes:
  Delivery: {properties: {quantity: {type: integer}, unit: {type: string}, sent: {type: date}}}
  Item: {key: stock, properties: {stock: {type: string}, item_name: {type: string, synonyms: [name]}}}
  Class: {key: class_code, properties: {class_code: {type: string}, class_name: {type: string, synonyms: [name]}}}
  County: {key: fips, properties: {fips: {type: string}}}
relationships:
  SENT_TO: {from: [Delivery], to: [County], synonyms: [county]}
  OF_ITEM: {from: [Delivery], to: [Item], synonyms: [item]}
  IN_CLASS: {from: [Item], to: [Class]}
";

/// One table that repeats what it speaks of: each row a delivery, with its item, the item's class and the county.
#[test]
fn rows_are_of_the_type_whose_properties_they_have_and_refer_to_things_by_their_keys() {
    let text = "county,fips,stock,item_name,quantity,unit,sent,class_code,class_name\n\
                BURT,31,S-1,RIFLE,1,EA,2012-06-22,10,Guns\n\
                BURT,31,S-1,RIFLE,1,EA,2012-06-22,10,Guns\n\
                CASS,32,S-2,BOOT,2,PR,2012-06-23,84,Footwear\n\
                CASS,32,S-3,,5,EA,2012-06-24,84,Footwear\n";
    let found = stated(PROPERTY, "ne_1033.csv", text);
    for line in [
        "BURT, RIFLE SENT_TO BURT",
        "BURT.fips = 31",
        "RIFLE IN_CLASS Guns",
        "RIFLE.stock = S-1",
        "S-3 IN_CLASS Footwear",
        "Footwear.class_code = 84",
    ] {
        assert!(found.iter().any(|found| found == line), "{line}: {found:#?}");
    }
    let deliveries = found.iter().filter(|line| line.contains(" SENT_TO "));
    assert_eq!(deliveries.count(), 4, "{found:#?}");
}

/// A column that is called as the name of a type names such things.
#[test]
fn a_column_that_is_called_as_the_name_of_a_type_is_a_relationship_to_it() {
    let ontology = "
nodes:
  Strike: {properties: {cost: {type: integer}, phase: {type: string}, day: {type: date}}}
  Operator: {properties: {name: {type: string, synonyms: [Aircraft Airline]}}}
relationships:
  OPERATED_BY: {from: [Strike], to: [Operator]}
";
    let text =
        "Aircraft Airline,cost,phase,day\nUPS AIRLINES,7,Climb,2001-01-02\nUPS AIRLINES,0,Climb,2001-01-03\n";
    let found = stated(ontology, "reports-2001.csv", text);
    let operated = found.iter().filter(|line| line.ends_with(" OPERATED_BY UPS AIRLINES"));
    assert_eq!(operated.count(), 2, "{found:#?}");
}
