//! Lists that refer to each other as the tables of a database do: by keys of several columns, in roles, through join tables,
//! and by the keys of maps.

use super::{extract, names_of, stated};

const LEAGUE: &str = "
nodes:
  Team: {properties: {year: {type: integer}, name: {type: string}, wins: {type: integer}}}
  Series: {properties: {year: {type: integer}, round: {type: string}}}
  Manager: {key: manager_id, properties: {manager_id: {type: string}, born: {type: integer}}}
relationships:
  MANAGED: {from: [Manager], to: [Team]}
  WON_BY: {from: [Series], to: [Team], synonyms: [winner]}
  LOST_BY: {from: [Series], to: [Team], synonyms: [loser]}
";

/// Three teams in three seasons each, with who managed them and who won.
fn league() -> String {
    let seasons = || [2000, 2001, 2002].into_iter();
    let teams = [("RED", "Reds"), ("BLU", "Blues"), ("GRE", "Greens")];
    let team = |year: i32| {
        teams.map(|(code, name)| {
            let wins = i32::from(code.as_bytes()[0]) + year - 2000;
            format!(r#"{{"year": {year}, "teamID": "{code}", "name": "{name}", "wins": {wins}}}"#)
        })
    };
    let managed = |year: i32| {
        [("ann1", "RED"), ("bo2", "BLU")].map(|(manager, team)| {
            format!(r#"{{"manager_id": "{manager}", "year": {year}, "teamID": "{team}"}}"#)
        })
    };
    let series = |year: i32| {
        ["Final", "Semi"].map(|round| {
            format!(
                r#"{{"year": {year}, "round": "{round}", "teamIDwinner": "RED", "teamIDloser": "BLU", "games": 7}}"#
            )
        })
    };
    let list = |rows: Vec<String>| rows.join(", ");
    format!(
        r#"{{"teams": [{}], "people": [{}], "managers": [{}], "series": [{}]}}"#,
        list(seasons().flat_map(team).collect()),
        r#"{"manager_id": "ann1", "nameFirst": "Ann", "nameLast": "Lee", "born": 1950},
           {"manager_id": "bo2", "nameFirst": "Bo", "nameLast": "Chan", "born": 1960}"#,
        list(seasons().flat_map(managed).collect()),
        list(seasons().flat_map(series).collect()),
    )
}

#[track_caller]
fn holds(found: &[String], expected: &[&str]) {
    for line in expected {
        assert!(found.iter().any(|found| found == line), "{line}: {found:#?}");
    }
}

/// A team in a season is one thing; its name alone would be all of them.
#[test]
fn rows_of_one_name_that_differ_are_told_apart_and_referred_to_by_several_columns() {
    let found = extract(LEAGUE, "league.json", &league());
    let teams = names_of(&found, "Team");
    assert_eq!(teams.len(), 9, "{teams:?}");
    let reds = found.entities.iter().find(|entity| entity.name == "Reds (2001)").unwrap();
    assert!(reds.aliases.contains(&"Reds".to_owned()), "{:?}", reds.aliases);
    let found = stated(LEAGUE, "league.json", &league());
    holds(
        &found,
        &[
            "Reds (2001).wins = 83",
            "2001, Final WON_BY Reds (2001)",
            "2001, Final LOST_BY Blues (2001)",
            "2002, Semi LOST_BY Blues (2002)",
        ],
    );
    assert_eq!(found.iter().filter(|line| line.contains(" MANAGED ")).count(), 6, "{found:#?}");
    assert!(!found.iter().any(|line| line.contains("RED") || line.contains("BLU")), "{found:#?}");
}

#[test]
fn rows_of_one_name_that_do_not_differ_are_of_one_thing() {
    let ontology = "nodes: {Person: {properties: {town: {type: string}}}, Club: {}}\n\
                    relationships: {IN: {from: [Person], to: [Club], synonyms: [club]}}\n";
    let text = "name,town,club\nAnn,Rome,Chess\nAnn,Rome,Rowing\nBo,Oslo,Chess\n";
    let found = stated(ontology, "people.csv", text);
    holds(&found, &["Ann IN Chess", "Ann IN Rowing", "Ann.town = Rome"]);
}

const CINEMA: &str = "
nodes:
  Person: {properties: {person_id: {type: string}, born: {type: integer}}}
  Film: {properties: {film_id: {type: string}, year: {type: integer}}}
relationships:
  ACTED_IN: {from: [Person], to: [Film], properties: {role: {type: string}, fee: {type: integer}}}
  DIRECTED: {from: [Person], to: [Film]}
";

/// A join table, with properties of the relationship.
#[test]
fn a_list_that_is_called_as_a_relationship_is_of_such() {
    let text = r#"{
        "people": [{"person_id": "p1", "name": "Ann Lee", "born": 1960}, {"person_id": "p2", "name": "Bo Chan", "born": 1970}],
        "films": [{"film_id": "f1", "name": "The Long Road", "year": 1999}, {"film_id": "f2", "name": "Blue Night", "year": 2004}],
        "acted_in": [{"person_id": "p1", "film_id": "f1", "role": "Driver", "fee": 100}, {"person_id": "p1", "film_id": "f2", "role": "Nurse", "fee": 200},
                     {"person_id": "p2", "film_id": "f1", "role": "Cop", "fee": 150}],
        "directed": [{"film_id": "f1", "person_id": "p2"}, {"film_id": "f2", "person_id": "p2"}]}"#;
    let found = stated(CINEMA, "cinema.json", text);
    holds(
        &found,
        &[
            "Ann Lee ACTED_IN Blue Night",
            "Ann Lee ACTED_IN The Long Road",
            "Bo Chan ACTED_IN The Long Road",
            "Bo Chan DIRECTED Blue Night",
            "Bo Chan DIRECTED The Long Road",
        ],
    );
    let found = extract(CINEMA, "cinema.json", text);
    let nurse = found
        .facts
        .iter()
        .find(|fact| fact.properties.get("role").is_some_and(|role| role.as_str() == Some("Nurse")));
    assert_eq!(nurse.and_then(|fact| fact.properties["fee"].as_integer()), Some(200));
    assert_eq!(found.entities.len(), 4, "{:#?}", found.entities);
}

/// The keys of a map name what it holds; the same key under another record is another thing.
#[test]
fn what_maps_hold_is_named_by_record_and_key() {
    let ontology = "
nodes:
  Browser: {properties: {engine: {type: string}}}
  Release: {properties: {version: {type: string, required: true}, released: {type: date}}}
relationships:
  HAS_RELEASE: {from: [Browser], to: [Release], synonyms: [releases]}
";
    let releases = |days: [&str; 3]| {
        let all = ["1.0", "2.0", "2.1"].into_iter().zip(days);
        all.map(|(version, day)| format!(r#""{version}": {{"released": "{day}"}}"#))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let browser = |id: &str, name: &str, days| {
        format!(r#""{id}": {{"name": "{name}", "engine": "E", "releases": {{{}}}}}"#, releases(days))
    };
    let text = format!(
        "{{\"browsers\": {{{}, {}, {}}}}}",
        browser("fox", "Fox", ["2001-01-01", "2002-01-01", "2003-01-01"]),
        browser("owl", "Owl", ["2004-01-01", "2005-01-01", "2006-01-01"]),
        browser("elk", "Elk", ["2007-01-01", "2008-01-01", "2009-01-01"]),
    );
    let found = stated(ontology, "browsers.json", &text);
    holds(
        &found,
        &[
            "Owl HAS_RELEASE Owl 2.0",
            "Owl 2.0.version = 2.0",
            "Fox 2.0.released = 2002-01-01",
            "Owl 2.0.released = 2005-01-01",
        ],
    );
    assert_eq!(found.iter().filter(|line| line.contains(" HAS_RELEASE ")).count(), 9, "{found:#?}");
}

/// Most records have most keys, but each has few of those that any has.
#[test]
fn a_file_that_is_a_map_of_records_is_a_list_of_them() {
    let ontology = "nodes: {Language: {properties: {color: {type: string}, group: {type: string}}}}\nrelationships: {}\n";
    let extra = ["group: Old", "wrap: true", "alias: x", "scope: y", "mode: z", "mime: m", "ace: a"];
    let mut text = String::new();
    for (at, extra) in extra.iter().enumerate() {
        text.push_str(&format!("L{at}:\n  color: \"#{at}\"\n  type: data\n  {extra}\n"));
    }
    holds(&stated(ontology, "languages.yaml", &text), &["L0.color = #0", "L0.group = Old", "L6.color = #6"]);
}

/// What a file called as a relationship relates is known when the other files were read; until then its rows are no things.
#[test]
fn a_file_called_as_a_relationship_is_of_no_things() {
    let ontology = "
nodes:
  Player: {properties: {player_id: {type: string}}}
  Team: {properties: {g: {type: integer}, w: {type: integer}, l: {type: integer}}}
relationships:
  MANAGERS: {from: [Player], to: [Team], properties: {w: {type: integer}}}
";
    let managers = r#"[{"playerID": "ann1", "teamID": "RED", "g": 10, "w": 6, "l": 4},
                       {"playerID": "ann1", "teamID": "BLU", "g": 10, "w": 5, "l": 5},
                       {"playerID": "bo2", "teamID": "BLU", "g": 10, "w": 5, "l": 5}]"#;
    let found = extract(ontology, "Managers.json", managers);
    assert!(found.entities.is_empty(), "{:?}", found.entities);
    assert_eq!(found.dropped.values().sum::<u64>(), 3, "{:?}", found.dropped);
}

/// Codes that are keys of things refer to them, also where most are keys of things that no file has.
#[test]
fn few_known_keys_are_keys() {
    let ontology = "
nodes:
  Member: {key: code, properties: {code: {type: string}, name: {type: string}}}
  Office: {key: id, properties: {id: {type: string}, city: {type: string}}}
relationships:
  HAS_OFFICE: {from: [Member], to: [Office], synonyms: [bioguide]}
";
    let members = r#""members": [{"code": "B1", "name": "Ann Lee"}, {"code": "C2", "name": "Bo Chan"}]"#;
    let offices = r#""offices": [{"id": "o1", "bioguide": "B1", "city": "Rome"}, {"id": "o2", "bioguide": "D3", "city": "Oslo"},
        {"id": "o3", "bioguide": "E4", "city": "Lima"}, {"id": "o4", "bioguide": "F5", "city": "Bonn"}]"#;
    holds(
        &stated(ontology, "congress.json", &format!("{{{members}, {offices}}}")),
        &["Ann Lee HAS_OFFICE o1"],
    );
}

/// The `details` of a file's name say nothing, unless a relationship is called so.
#[test]
fn a_file_may_be_called_as_a_relationship_with_a_word_for_lists() {
    let ontology = "
nodes:
  Order: {key: order_id, properties: {order_id: {type: integer}}}
  Product: {key: product_id, properties: {product_id: {type: integer}}}
relationships:
  ORDER_DETAILS: {from: [Order], to: [Product], properties: {quantity: {type: integer}}}
";
    let details = "order_id,product_id,quantity\n7,1,12\n7,2,3\n";
    let found = extract(ontology, "order-details.csv", details);
    assert!(found.entities.is_empty(), "{:?}", found.entities);
}

/// A row that refers to more than two things gives each relationship between two of them; the columns beside a key tell of that thing.
#[test]
fn rows_that_refer_to_several_things_are_several_relationships() {
    let ontology = "
nodes:
  Tournament: {key: tournament_id, properties: {tournament_id: {type: string}, tournament_name: {type: string, synonyms: [name]}}}
  Award: {key: award_id, synonyms: [prize], properties: {award_id: {type: string}, award_name: {type: string, synonyms: [name]}}}
  Player: {key: player_id, properties: {player_id: {type: string}, family_name: {type: string}, given_name: {type: string}}}
  Team: {key: team_id, properties: {team_id: {type: string}, team_name: {type: string, synonyms: [name]}, team_code: {type: string}}}
relationships:
  RECEIVED: {from: [Player], to: [Award], properties: {shared: {type: boolean}}}
  AWARDED_AT: {from: [Player], to: [Tournament]}
  PLAYED_FOR: {from: [Player], to: [Team]}
  HOSTED: {from: [Team], to: [Tournament], properties: {performance: {type: string}}}
  PLACED_AT: {from: [Team], to: [Tournament], properties: {position: {type: integer}}}
";
    let row = |tournament: i32, award: i32, shared: i32, player: (&str, &str, &str), team: (&str, &str)| {
        let (id, family, given) = player;
        format!(
            r#"{{"key_id": "{tournament}{award}{id}", "tournament_id": "W{tournament}", "tournament_name": "{tournament} Cup",
                "award_id": "A{award}", "award_name": "Golden {award}", "shared": {shared}, "player_id": "{id}",
                "family_name": "{family}", "given_name": "{given}", "team_id": "{}", "team_name": "{}"}}"#,
            team.0, team.1
        )
    };
    let (ann, bo) = (("p1", "Lee", "Ann"), ("p2", "Chan", "Bo"));
    let (reds, blues) = (("t1", "Reds"), ("t2", "Blues"));
    let rows = [
        row(1990, 1, 0, ann, reds),
        row(1990, 2, 1, bo, blues),
        row(1994, 1, 1, ann, reds),
        row(1994, 2, 0, ann, reds),
        row(1994, 1, 1, bo, blues),
    ];
    let found = stated(ontology, "award_winners.json", &format!("[{}]", rows.join(", ")));
    holds(
        &found,
        &[
            "Ann Lee RECEIVED Golden 1",
            "Ann Lee AWARDED_AT 1990 Cup",
            "Bo Chan PLAYED_FOR Blues",
            "Ann Lee.player_id = p1",
        ],
    );
    assert!(!found.iter().any(|line| line.contains("HOSTED") || line.contains("PLACED_AT")), "{found:#?}");
    // Of two relationships between the same things it is the one that has the column.
    let standing = |position: i32, team: (&str, &str)| {
        let (id, name) = team;
        format!(
            r#"{{"tournament_id": "W{}", "tournament_name": "{0} Cup", "position": {position}, "team_id": "{id}", "team_name": "{name}"}}"#,
            1990 + position % 2 * 4
        )
    };
    let rows = [standing(1, reds), standing(3, blues), standing(2, blues), standing(4, reds)].join(", ");
    let found = stated(ontology, "results.json", &format!("[{rows}]"));
    assert_eq!(found.iter().filter(|line| line.contains(" PLACED_AT ")).count(), 4, "{found:#?}");
    assert!(!found.iter().any(|line| line.contains("HOSTED")), "{found:#?}");
}

const SHOP: &str = "
nodes:
  Artist: {key: Name, properties: {Name: {type: string, required: true}}}
  Album: {key: Title, properties: {Title: {type: string, required: true}}}
  Track: {key: TrackId, properties: {TrackId: {type: integer}, Name: {type: string}}}
relationships:
  RECORDED_BY: {from: [Album], to: [Artist], synonyms: [artist, albums]}
  ON_ALBUM: {from: [Track], to: [Album], synonyms: [album, tracks]}
";

/// Keys that are called alike in both lists, and that the ontology does not tell of: the `AlbumId` of an album is its own.
#[test]
fn numbers_refer_to_the_rows_that_have_them() {
    let shop = r#"{
        "Artist": [{"ArtistId": 1, "Name": "Salt"}, {"ArtistId": 2, "Name": "Pitch"}],
        "Album": [{"AlbumId": 1, "Title": "Tar", "ArtistId": 2}, {"AlbumId": 2, "Title": "Sea", "ArtistId": 1}],
        "Track": [{"TrackId": 1, "Name": "Dawn", "AlbumId": 2}, {"TrackId": 2, "Name": "Dusk", "AlbumId": 1},
                  {"TrackId": 3, "Name": "Noon", "AlbumId": 2}]}"#;
    let found = stated(SHOP, "shop.json", shop);
    let expected = [
        "Tar RECORDED_BY Pitch",
        "Sea RECORDED_BY Salt",
        "Dawn ON_ALBUM Sea",
        "Dusk ON_ALBUM Tar",
        "Noon ON_ALBUM Sea",
    ];
    holds(&found, &expected);
    assert_eq!(found.iter().filter(|line| !line.contains(" = ")).count(), expected.len(), "{found:#?}");
}

const SKY: &str = "
nodes:
  Constellation: {key: name, properties: {name: {type: string, required: true}, rank: {type: integer}}}
  Star: {properties: {name: {type: string}, mag: {type: float}}}
relationships:
  IN_CONSTELLATION: {from: [Star], to: [Constellation], synonyms: [con, constellation]}
";

/// An identifier that two share tells of neither; all others are keys.
#[test]
fn what_is_called_an_id_may_have_slips() {
    let parts = (0..20).map(|at| format!(r#"{{"id": "C{at}", "name": "Part {at}", "rank": 1}}"#));
    let twice = ["Head", "Tail"].map(|name| format!(r#"{{"id": "Ser", "name": "{name}", "rank": 2}}"#));
    let constellations: Vec<String> = parts.chain(twice).collect();
    let sky = format!(
        r#"{{"constellations": [{}], "stars": [{{"name": "Vega", "mag": 0.0, "con": "C3"}}, {{"name": "Unuk", "mag": 2.6, "con": "Ser"}}]}}"#,
        constellations.join(", ")
    );
    let found = stated(SKY, "sky.json", &sky);
    holds(&found, &["Vega IN_CONSTELLATION Part 3"]);
    assert!(!found.iter().any(|line| line.contains("Unuk IN_CONSTELLATION Tail")), "{found:#?}");
}

const RACES: &str = "
nodes:
  Driver: {key: driverId, properties: {driverId: {type: integer}, name: {type: string}}}
  Race: {key: raceId, properties: {raceId: {type: integer}, name: {type: string}}}
  Result:
    key: resultId
    properties: {resultId: {type: integer}, raceId: {type: integer}, driverId: {type: integer}, points: {type: integer}}
relationships:
  IN_RACE: {from: [Result], to: [Race]}
  OF_DRIVER: {from: [Result], to: [Driver], synonyms: [driverId]}
";

/// A column may be declared as a property and refer to something all the same.
#[test]
fn declared_keys_of_others_refer_to_them() {
    let races = r#"{
        "drivers": [{"driverId": 1, "name": "Ann Lee"}, {"driverId": 2, "name": "Bo Chan"}],
        "races": [{"raceId": 5, "name": "North"}, {"raceId": 6, "name": "South"}],
        "results": [{"resultId": 1, "raceId": 5, "driverId": 2, "points": 3}, {"resultId": 2, "raceId": 6, "driverId": 1, "points": 9},
                    {"resultId": 3, "raceId": 6, "driverId": 2, "points": 4}]}"#;
    let found = stated(RACES, "races.json", races);
    holds(
        &found,
        &["1 OF_DRIVER Bo Chan", "1 IN_RACE North", "2 OF_DRIVER Ann Lee", "3 IN_RACE South", "1.raceId = 5"],
    );
}

/// A number under a header that names no type is no key of whatever has such an `id`.
#[test]
fn numbers_of_what_nothing_lists_refer_to_nothing() {
    let ontology = "
nodes:
  Item: {properties: {id: {type: integer}, name: {type: string}}}
  Charm: {properties: {id: {type: integer}, name: {type: string}, group_id: {type: integer}, item_id: {type: integer}}}
relationships:
  ENCHANTS: {from: [Charm], to: [Item]}
";
    let lists = |item: &str| {
        format!(
            r#"{{"items": [{{"id": 1, "name": "bow"}}, {{"id": 2, "name": "axe"}}, {{"id": 3, "name": "hoe"}}],
            "charms": [{{"id": 1, "name": "might", "group_id": 2{item}}}, {{"id": 2, "name": "luck", "group_id": 3{item}}}]}}"#
        )
    };
    let related = |lists: &str| -> Vec<String> {
        stated(ontology, "game.json", lists).into_iter().filter(|line| line.contains(" ENCHANTS ")).collect()
    };
    assert_eq!(related(&lists("")), Vec::<String>::new());
    assert_eq!(related(&lists(r#", "item_id": 3"#)), ["luck ENCHANTS hoe", "might ENCHANTS hoe"]);
}

const LINES: &str = "
nodes:
  Station: {key: id, properties: {id: {type: integer}, name: {type: string}}}
  Line: {properties: {name: {type: string}, colour: {type: string}}}
relationships:
  CONNECTED_TO: {from: [Station], to: [Station], synonyms: [connection], properties: {minutes: {type: integer}}}
  ON_LINE: {from: [Station], to: [Line]}
";

/// Numbers tell columns of one kind apart; each of them is on the line, whose number is called as it.
#[test]
fn numbered_columns_refer_to_one_kind() {
    let lines = r#"{
        "stations": [{"id": 1, "name": "Acton"}, {"id": 2, "name": "Bank"}, {"id": 3, "name": "Epping"}],
        "lines": [{"line": 1, "name": "Central", "colour": "red"}, {"line": 2, "name": "District", "colour": "green"}],
        "connections": [{"station1": 1, "station2": 2, "line": 1, "minutes": 4}, {"station1": 3, "station2": 2, "line": 2, "minutes": 1}]}"#;
    let found = stated(LINES, "network.json", lines);
    let expected = [
        "Acton CONNECTED_TO Bank",
        "Epping CONNECTED_TO Bank",
        "Acton ON_LINE Central",
        "Bank ON_LINE Central",
        "Epping ON_LINE District",
        "Bank ON_LINE District",
    ];
    let related: Vec<&String> = found.iter().filter(|line| !line.contains(" = ")).collect();
    assert_eq!(related.len(), expected.len(), "{found:#?}");
    for line in expected {
        assert!(related.iter().any(|found| found.starts_with(line)), "{line}: {found:#?}");
    }
}

/// The last word of a file's name says what it lists; a list of others in a row is not one of the relationships of its file.
#[test]
fn files_are_called_as_the_last_words_of_their_names() {
    let found = extract(LINES, "london.stations.csv", "id,name\n1,Acton\n2,Bank\n");
    assert_eq!(names_of(&found, "Station"), ["Acton", "Bank"]);
    let ontology = "
nodes:
  Animal: {properties: {name: {type: string}}}
  Item: {properties: {name: {type: string}}}
relationships:
  DROPS: {from: [Animal], to: [Item], synonyms: [loot]}
";
    let loot =
        r#"[{"animal": "cow", "drops": ["leather", "beef"]}, {"animal": "horse", "drops": ["leather"]}]"#;
    let found = stated(ontology, "animal_loot.json", loot);
    holds(&found, &["cow DROPS leather", "cow DROPS beef", "horse DROPS leather"]);
}

const LANGUAGES: &str = "
nodes:
  Language: {key: code, properties: {code: {type: string}, name: {type: string}}}
  Script: {key: code, properties: {code: {type: string}, name: {type: string}, letters: {type: integer}}}
relationships:
  WRITTEN_IN: {from: [Language], to: [Script], synonyms: [scripts]}
";

/// Maps from codes to names name what other maps have under these codes; a bare `id` is that of the row, though both types have
/// such a key.
#[test]
fn maps_of_codes_name_what_has_them() {
    let letters = |first: char| (0..20).map(move |at| format!("{first}{}", char::from(b'a' + at)));
    let map = |entries: Vec<String>| format!("{{{}}}", entries.join(", "));
    let names = map(letters('l').map(|code| format!(r#""{code}": "Tongue {code}""#)).collect());
    let scripts = map(letters('s').map(|code| format!(r#""{code}": {{"letters": 22}}"#)).collect());
    let written = map(letters('l').map(|code| format!(r#""{code}": {{"scripts": ["sa", "sb"]}}"#)).collect());
    let script_names = map(letters('s').map(|code| format!(r#""{code}": "Script {code}""#)).collect());
    let text = format!(
        r#"{{"main": {{"en": {{"languages": {names}, "scripts": {script_names}}}}},
            "data": {{"languages": {written}, "scripts": {scripts}}}}}"#
    );
    let found = extract(LANGUAGES, "names.json", &text);
    assert_eq!(names_of(&found, "Language").len(), 20);
    assert_eq!(names_of(&found, "Script").len(), 20);
    let found = stated(LANGUAGES, "names.json", &text);
    holds(
        &found,
        &[
            "Tongue lc WRITTEN_IN Script sb",
            "Tongue lc.code = lc",
            "Script sc.letters = 22",
            "Script sc.code = sc",
        ],
    );
}

/// Numbers as keys of a map are of the things that a file lists; what stands under them refers to others, by their `id`.
#[test]
fn maps_of_numbers_refer_to_the_rows_that_have_them() {
    let ontology = "
nodes:
  Region: {properties: {name: {type: string}}}
  Cluster: {key: id, properties: {id: {type: integer}}}
relationships:
  IN_REGION: {from: [Cluster], to: [Region]}
";
    let text = r#"{"regions": {"1": "West", "2": "East", "7": "South"}, "clusters": {"111": 1, "112": 1, "161": 7}}"#;
    let found = stated(ontology, "servers.json", text);
    let related: Vec<&String> = found.iter().filter(|line| line.contains(" IN_REGION ")).collect();
    assert_eq!(related, ["111 IN_REGION West", "112 IN_REGION West", "161 IN_REGION South"]);
}

/// `Polished Granite` is better to read than `polished_granite`, which others refer to it by.
#[test]
fn names_that_are_spelled_out_are_those_of_the_rows() {
    let ontology = "
nodes:
  Mob: {properties: {name: {type: string}}}
  Item: {properties: {name: {type: string}, stack: {type: integer}}}
relationships:
  DROPS: {from: [Mob], to: [Item]}
";
    let text = r#"{
        "items": [{"id": 1, "displayName": "Raw Salmon", "name": "salmon", "stack": 64},
                  {"id": 2, "displayName": "Stone", "name": "stone", "stack": 64},
                  {"id": 3, "displayName": "Polar Fur", "name": "polar_fur", "stack": 16}],
        "mobs": [{"name": "Polar Bear", "drops": [{"item": "salmon", "chance": 0.5}, {"item": "polar_fur", "chance": 1.0}]}]}"#;
    let found = extract(ontology, "game.json", text);
    assert_eq!(names_of(&found, "Item"), ["Raw Salmon", "Stone", "Polar Fur"]);
    let found = stated(ontology, "game.json", text);
    holds(&found, &["Polar Bear DROPS Raw Salmon", "Polar Bear DROPS Polar Fur", "Raw Salmon.stack = 64"]);
}

/// A date that the ontology declares is the day of a moment.
#[test]
fn moments_have_days() {
    let ontology = "nodes: {Patch: {properties: {name: {type: string}, date: {type: date}}}}";
    let text = r#"[{"name": "7.20", "date": "2018-11-19T18:00:00.000Z"}, {"name": "7.21", "date": "2019-01-29 23:30"}]"#;
    let found = stated(ontology, "patches.json", text);
    holds(&found, &["7.20.date = 2018-11-19", "7.21.date = 2019-01-29"]);
}

/// What others are called is nobody's own key, numbers of rows are no codes, and a `value` beside other columns refers to nothing.
#[test]
fn names_numbers_and_values_are_no_keys() {
    let ontology = "
nodes:
  Word: {key: code, properties: {code: {type: string}, name: {type: string}, uses: {type: integer}}}
  Place: {properties: {name: {type: string}}}
  Reading: {properties: {name: {type: string}, hour: {type: integer}}}
relationships:
  AT: {from: [Reading], to: [Place]}
";
    let text = r#"{
        "words": [{"id": 1, "name": "hot", "opposite": "cold", "uses": 7}, {"id": 2, "name": "cold", "opposite": "hot", "uses": 4}],
        "places": [{"id": 1, "name": "Rome"}, {"id": 2, "name": "Oslo"}],
        "readings": [{"name": "R1", "hour": 5, "value": 1}, {"name": "R2", "hour": 6, "value": 2}]}"#;
    let found = stated(ontology, "lists.json", text);
    holds(&found, &["hot.uses = 7", "cold.uses = 4"]);
    let is_false =
        |line: &&String| line.contains(" AT ") || line.ends_with(".code = 1") || line.ends_with(".code = 2");
    assert_eq!(found.iter().find(is_false), None, "{found:#?}");
}
