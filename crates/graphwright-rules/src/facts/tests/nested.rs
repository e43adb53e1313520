//! JSON as registers are written: names in several languages, addresses, lists of contacts, and lists of keys with what is said of each.

use super::{extract, stated};

const COURTS: &str = "
nodes:
  Town: {properties: {id: {type: string}, name: {type: string}}}
  Court:
    properties:
      name: {type: string}
      street: {type: string, synonyms: [address]}
      city: {type: string}
      contacts: {type: list of string}
      website: {type: string}
relationships:
  LOCATED_IN: {from: [Court], to: [Town], synonyms: [town]}
  COVERS: {from: [Court], to: [Town], synonyms: [district]}
  PART_OF: {from: [Court], to: [Court], synonyms: [court]}
";

/// Two towns and three courts, of which one is part of another.
fn courts() -> String {
    let towns = r#"[{"id": "t1", "name": {"nl": "Gent", "fr": "Gand"}}, {"id": "t2", "name": {"nl": "Brugge", "fr": "Bruges"}},
        {"id": "t3", "name": {"nl": "Bergen", "fr": "Mons"}}]"#;
    let court = |id: &str, name: &str, further: &str| {
        format!(
            r#"{{"id": "{id}", "name": {name}, "address": {{"street": "Opgeeistenlaan 401", "city": "Gent", "town": "t1"}}{further}}}"#
        )
    };
    let long = "court-of-first-instance-of-the-province-of-oost-vlaanderen";
    let contacts = r#", "contacts": [{"type": "phone", "value": "+32 9 234"}, {"type": "email", "value": "gent@just.be"}],
        "website": {"nl": "https://x.be/nl", "fr": "https://x.be/fr"},
        "district": [{"town": "t1", "partial": true}, {"town": "t2", "partial": false}]"#;
    let part = format!(r#", "court": "{long}", "contacts": [{{"type": "phone", "value": "+32 9 235"}}]"#);
    let courts = [
        court(long, r#"{"nl": "Rechtbank Gent", "fr": "Tribunal de Gand"}"#, contacts),
        court("division-brugge", r#"{"nl": "Afdeling Brugge"}"#, &part),
        court("division-mons", r#"{"fr": "Division de Mons"}"#, &part),
    ];
    format!(r#"{{"towns": {towns}, "courts": [{}]}}"#, courts.join(", "))
}

#[test]
fn records_without_a_name_are_called_by_their_key() {
    let text =
        r#"{"towns": [{"id": "t1", "name": "Gent"}, {"id": "t2", "name": null}, {"id": "t3", "name": ""}]}"#;
    let found = stated(COURTS, "register.json", text);
    assert!(
        found.iter().any(|line| line == "t2.id = t2") && found.iter().any(|line| line == "t3.id = t3"),
        "{found:#?}"
    );
}

#[test]
fn registers_are_read_by_their_keys() {
    let found = stated(COURTS, "register.json", &courts());
    for line in [
        "Rechtbank Gent.street = Opgeeistenlaan 401",
        "Rechtbank Gent.city = Gent",
        r#"Rechtbank Gent.contacts = ["+32 9 234","gent@just.be"]"#,
        "Rechtbank Gent.website = https://x.be/nl",
        "Rechtbank Gent LOCATED_IN Gent",
        "Rechtbank Gent COVERS Gent",
        "Rechtbank Gent COVERS Brugge",
        "Afdeling Brugge PART_OF Rechtbank Gent",
        "Division de Mons PART_OF Rechtbank Gent",
    ] {
        assert!(found.iter().any(|found| found == line), "{line}: {found:#?}");
    }
    let found = extract(COURTS, "register.json", &courts());
    assert_eq!(found.entities.len(), 6, "each row is one thing, and nothing else is: {:#?}", found.entities);
    let aliases = |name: &str| {
        let entity =
            found.entities.iter().find(|entity| entity.name == name).unwrap_or_else(|| panic!("{name}"));
        entity.aliases.clone()
    };
    assert!(aliases("Bergen").contains(&"Mons".to_owned()) && aliases("Division de Mons").is_empty());
}
