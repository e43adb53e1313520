use super::*;

fn page(source: &str, text: &str) -> ParsedDocument {
    document(source, TextFormat::Markdown, text)
}

#[test]
fn pages_with_like_heads_are_things_that_refer_to_one_another() {
    let pages = [
        page(
            "guides/gates.md",
            "---\ntitle: Gates\nsection: Harbour\nchecked: 2024-01-05\n---\n\nOpen them.\n",
        ),
        page(
            "guides/ropes.md",
            "---\ntitle: Ropes\nsection: Harbour\nchecked: 2024-02-05\n---\n\nTie them.\n",
        ),
        page("guides/oars.md", "---\ntitle: Oars\nsection: Boats\nchecked: 2024-03-05\n---\n\nPull them.\n"),
        page("guides/sails.md", "---\ntitle: Sails\nsection: Boats\nchecked: 2024-03-06\n---\n\nSet them.\n"),
        page("other/note.md", "---\nmood: glad\n---\n\nA note.\n"),
    ];
    let ontology = infer(&pages);
    assert_eq!(ontology.check(), vec![]);
    assert_eq!(ontology.nodes.keys().collect::<Vec<_>>(), ["Guide", "Section"]);
    let guide = &ontology.nodes["Guide"];
    assert_eq!((guide.from.as_slice(), guide.closed), (["guides/*.md".to_owned()].as_slice(), false));
    assert_eq!(guide.properties["checked"].kind.to_string(), "date");
    assert_eq!(ontology.relationships["HAS_SECTION"].to, ["Section"]);
    assert_eq!(ontology.relationships["REFERS_TO"].to, ["Guide"]);
}

#[test]
fn numbered_pages_are_called_as_the_documents_call_them() {
    let head =
        |number: usize| format!("- Start Date: 2020-01-0{number}\n- Issue: x/y#{number}\n\n# Summary\n\n");
    let pages = [
        page("docs/0001-gates.md", &format!("{}As in RFC 2 and RFC 3, see PR 5 and PR 77.\n", head(1))),
        page("docs/0002-ropes.md", &format!("{}After RFC 1, and PR 88.\n", head(2))),
        page("docs/0003-oars.md", &format!("{}After RFC 2.\n", head(3))),
    ];
    let ontology = infer(&pages);
    assert_eq!(ontology.nodes["RFC"].properties["start_date"].kind.to_string(), "date");
    assert_eq!(ontology.nodes["RFC"].from, ["docs/*.md"]);
}

#[test]
fn folders_that_stand_for_single_things_are_no_types() {
    let advice = |package: &str, date: &str, more: &str| {
        format!(
            "```toml\n[advice]\ndate = {date}\npackage = \"{package}\"\n{more}\n[versions]\nmended = [\"1.2\"]\n```\n\n# Mend {package} {date}\n"
        )
    };
    let pages = [
        page("crates/rope/1.md", &advice("rope", "2024-01-05", "aliases = [\"C-1\"]\n")),
        page("crates/rope/2.md", &advice("rope", "2024-01-06", "aliases = [\"C-2\"]\n")),
        page("crates/oar/3.md", &advice("oar", "2024-01-07", "")),
        page("crates/oar/4.md", &advice("oar", "2024-01-08", "")),
        page("crates/sail/5.md", &advice("sail", "2024-01-09", "")),
    ];
    let ontology = infer(&pages);
    assert_eq!(ontology.check(), vec![]);
    let kinds: Vec<_> = ontology.nodes.keys().filter(|kind| *kind != "Term").collect();
    assert_eq!(kinds, ["Advice", "Package"]);
    let advice = &ontology.nodes["Advice"];
    assert_eq!(advice.properties["date"].kind.to_string(), "date");
    assert_eq!(advice.properties["aliases"].kind.to_string(), "list of string");
    assert!(advice.properties.contains_key("mended"));
    assert_eq!(ontology.relationships["HAS_PACKAGE"].to, ["Package"]);
}

#[test]
fn files_of_one_record_each_are_pages_with_what_they_hold() {
    let record = |name: &str, owner: &str, port: u16| {
        let text = format!(
            r#"{{"name": "{name}", "owner": "{owner}", "tier": 1, "doors": [{{"name": "{name}-in", "port": {port}}}, {{"name": "{name}-out", "port": 9}}]}}"#
        );
        document(&format!("gates/{name}.json"), TextFormat::Json, &text)
    };
    let pages = [record("north", "Ada", 1), record("south", "Bo", 2), record("west", "Cy", 3)];
    let ontology = infer(&pages);
    assert_eq!(ontology.nodes.keys().collect::<Vec<_>>(), ["Door", "Gate"]);
    assert_eq!(ontology.nodes["Gate"].from, ["gates/*.json"]);
    assert_eq!(ontology.nodes["Gate"].properties.keys().collect::<Vec<_>>(), ["name", "owner", "tier"]);
    assert_eq!(ontology.relationships["HAS_DOOR"].from, ["Gate"]);
    assert_eq!(ontology.relationships["HAS_DOOR"].to, ["Door"]);
}

#[test]
fn what_one_column_names_is_no_record_of_its_list() {
    let text = r#"[{"name": "north", "owner": "Ada", "doors": [{"name": "north-in", "port": 1}]},
                   {"name": "south", "owner": "Bo", "doors": [{"name": "south-in", "port": 2}]},
                   {"name": "west", "owner": "Cy", "doors": [{"name": "west-in", "port": 3}]}]"#;
    let ontology = infer([&document("gates.json", TextFormat::Json, text)]);
    assert_eq!(ontology.nodes.keys().collect::<Vec<_>>(), ["Door", "Gate"]);
}

#[test]
fn pages_whose_heads_say_what_they_are_of_are_of_one_type_wherever_they_lie() {
    let advice = |date: &str, package: &str| {
        format!(
            "```toml\n[advice]\nid = \"A-{date}\"\ndate = {date}\n\n[[affected]]\npackage = \"{package}\"\nfixed = \"1.2\"\n\n[[links]]\ntype = \"FIX\"\n```\n\n# Mend it {date}\n"
        )
    };
    let pages = [
        page("advice/tools/1.md", &advice("2024-01-05", "rope")),
        page("advice/tools/2.md", &advice("2024-01-06", "rope")),
        page("advice/boats/3.md", &advice("2024-01-07", "oar")),
        page("advice/boats/4.md", &advice("2024-01-08", "oar")),
    ];
    let ontology = infer(&pages);
    let advice = &ontology.nodes["Advice"];
    assert_eq!(advice.from, ["advice/*.md"]);
    assert_eq!(advice.properties["date"].kind.to_string(), "date");
    let keys: Vec<&str> = advice.properties.keys().map(String::as_str).collect();
    assert_eq!(keys, ["name", "affected_fixed", "affected_package", "date", "id", "links_type"]);
}
