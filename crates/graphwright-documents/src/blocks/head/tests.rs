use std::ops::Range;

use graphwright_core::document::TextFormat;

use crate::{blocks::Block, layout::Layout};

/// The fields of a document as `key = value`, each value as the document writes it.
fn fields(text: &str) -> Vec<String> {
    let layout = Layout::read(text, TextFormat::Markdown);
    let shown = layout.blocks().iter().filter_map(|block| {
        let Block::Field { key, value, .. } = block else { return None };
        let written = |range: Range<usize>| &text[value.span(range).range()];
        let listed: Vec<&str> = value.items.iter().cloned().map(written).collect();
        let whole = || written(0..value.text.len()).to_owned();
        let shown = if listed.is_empty() { whole() } else { listed.join(" | ") };
        Some(format!("{key} = {shown}"))
    });
    shown.collect()
}

#[test]
fn yaml_toml_and_json_give_the_same_fields() {
    let expected = [
        "owner = Ada, of Orsk",
        "reviewers = Bo | Cy",
        "version = 1.10",
        "draft = false",
        "team.name = Blue",
    ];
    let yaml = "---\nowner: \"Ada, of Orsk\"\nreviewers:\n  - Bo\n  - Cy\nversion: 1.10 # the next\ndraft: false\nempty:\nteam:\n  name: Blue\n---\n\nText.\n";
    let toml = "+++\nowner = \"Ada, of Orsk\"\nreviewers = [\"Bo\", \"Cy\"]\nversion = 1.10\ndraft = false\n\n[team]\nname = 'Blue'\n+++\n\nText.\n";
    let json = "# Page\n\n```json\n{\"owner\": \"Ada, of Orsk\", \"reviewers\": [\"Bo\", \"Cy\"], \"version\": 1.10, \"draft\": false, \"team\": {\"name\": \"Blue\"}}\n```\n\nText.\n";
    for text in [yaml, toml, json] {
        assert_eq!(fields(text), expected, "{text}");
    }
    assert_eq!(fields("```toml title=x\ndate = 2024-03-01\n```\n"), ["date = 2024-03-01"]);
}

#[test]
fn maps_of_maps_only_say_where_their_content_belongs() {
    let menu = "---\nmenu:\n  docs:\n    parent: runbook\nlayout: ops\n\nlayout: docs\n---\n";
    assert_eq!(fields(menu), ["parent = runbook", "layout = docs"]);
    let groups = "```toml\n[advice]\nid = \"A-1\"\n\n[versions]\nmended = [\"1.2\", \"2\"]\n```\n";
    assert_eq!(fields(groups), ["id = A-1", "mended = 1.2 | 2"]);
    let lists = "```toml\n[advice]\nid = \"A-1\"\n\n[[affected]]\npackage = \"gates\"\n```\n";
    assert_eq!(fields(lists), ["id = A-1", "affected.package = gates"]);
    let two = "---\nmenu:\n  a:\n    parent: x\n  b:\n    parent: y\n---\n";
    assert_eq!(fields(two), ["menu.a.parent = x", "menu.b.parent = y"]);
}

#[test]
fn code_further_down_is_no_head() {
    assert!(fields("Set this:\n\n```yaml\nowner: Ada\n```\n").is_empty());
    assert!(fields("# A\n\n## B\n\n```rust\nlet a = 1;\n```\n").is_empty());
}

#[test]
fn a_template_is_read_line_by_line() {
    assert_eq!(
        fields("---\ntitle: <%= title %>: x\nowner: Ada\n---\n"),
        ["title = <%= title %>: x", "owner = Ada"]
    );
}

#[test]
fn signs_and_repeated_words_have_their_own_places() {
    assert_eq!(
        fields("---\nlow: -4.5\ntype: type\nzip: '0123'\n---\n"),
        ["low = -4.5", "type = type", "zip = 0123"]
    );
}

/// The blocks of a file of data, as lines.
fn shown(text: &str, format: TextFormat) -> Vec<String> {
    let layout = Layout::read(text, format);
    let line = |block: &Block| match block {
        Block::Field { key, value, group } => {
            let group = group.as_deref().map(|group| format!(" of {group}")).unwrap_or_default();
            format!("{key} = {}{group}", value.on_one_line())
        }
        Block::Table(table) => {
            let cells = |row: &[crate::blocks::text::BlockText]| {
                row.iter().map(crate::blocks::text::BlockText::on_one_line).collect::<Vec<_>>().join(" | ")
            };
            let rows = table.rows.iter().map(|row| cells(&row.cells));
            std::iter::once(cells(&table.header)).chain(rows).collect::<Vec<_>>().join(" / ")
        }
        Block::Heading { text, .. } => format!("# {}", text.text),
        other => format!("{other:?}"),
    };
    layout.blocks().iter().map(line).collect()
}

#[test]
fn a_file_of_one_record_is_a_head_and_several_are_a_table() {
    let yaml = "title: Gates\nowner:\n  name: Ada\ncredits:\n  - name: Bo\n  - name: Cy\n";
    assert_eq!(shown(yaml, TextFormat::Yaml), ["title = Gates", "owner.name = Ada", "credits.name = Bo; Cy"]);
    let toml = "[package]\nname = \"gates\"\nedition = 2024\n[build]\njobs = 2\n";
    let expected = ["name = gates of package", "edition = 2024 of package", "jobs = 2 of build"];
    assert_eq!(shown(toml, TextFormat::Toml), expected);
    let list = "services:\n  - name: gate\n    port: 80\n  - name: rope\n    port: 81\n";
    assert_eq!(shown(list, TextFormat::Yaml), ["# services", "name | port / gate | 80 / rope | 81"]);
    let documents = "kind: gate\nport: 80\n---\nkind: rope\nport: 81\n";
    assert_eq!(shown(documents, TextFormat::Yaml), ["kind | port / gate | 80 / rope | 81"]);
    assert_eq!(shown("- 1\n- 2\n", TextFormat::Yaml), Vec::<String>::new());
}
