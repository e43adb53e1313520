use super::stated;

const SOFTWARE: &str = "
nodes:
  Service:
    properties:
      language: {type: string, enum: [Go, Python, Rust], synonyms: [programming language, written in]}
      tier: {type: integer}
      launched: {type: date}
  Library: {properties: {version: {type: string}}}
  Team: {synonyms: [squad]}
relationships:
  DEPENDS_ON: {from: [Service], to: [Library, Service], cues: [depends on, uses], synonyms: [dependency]}
  OWNED_BY: {from: [Service], to: [Team], cues: [is owned by], synonyms: [owner]}
";

#[test]
fn page_of_a_thing() {
    let text = "\
# Ledger Service

Ledger is written in Go.

- **Owner:** Team Heron
- **Tier:** 1
- **Launched:** 2020-02-01

## Dependencies

- zephyr-core
- `mistral` (planned)
- [Sirocco](sirocco.md)

## Planned dependencies

- Bora
";
    let known = "# Libraries\n\n- zephyr-core\n- mistral\n- Sirocco\n- Bora\n\n";
    let all = format!("{known}{text}");
    assert_eq!(
        stated(SOFTWARE, "page.md", &all),
        [
            "Ledger Service DEPENDS_ON Sirocco",
            "Ledger Service DEPENDS_ON zephyr-core",
            "Ledger Service OWNED_BY Team Heron",
            "Ledger Service.language = Go",
            "Ledger Service.launched = 2020-02-01",
            "Ledger Service.tier = 1",
        ]
    );
}

#[test]
fn tables() {
    let text = "\
# Service catalogue

| Service | Owner | Language | Tier | Uses |
| --- | --- | --- | --- | --- |
| Ledger | Team Heron | Go | 1 | Mistral library, Checkout |
| Checkout | Team Osprey | n/a | 2 | - |
|  |  |  |  | Ledger |
";
    assert_eq!(
        stated(SOFTWARE, "page.md", text),
        [
            "Checkout DEPENDS_ON Ledger",
            "Checkout OWNED_BY Team Osprey",
            "Checkout.tier = 2",
            "Ledger DEPENDS_ON Checkout",
            "Ledger DEPENDS_ON Mistral library",
            "Ledger OWNED_BY Team Heron",
            "Ledger.language = Go",
            "Ledger.tier = 1",
        ]
    );
}

#[test]
fn csv_records() {
    let text =
        "service,owning team,launch date\nLedger,Team Heron,2020-02-01\nCheckout,\"Team Osprey\",soon\n";
    assert_eq!(
        stated(SOFTWARE, "owners.csv", text),
        ["Checkout OWNED_BY Team Osprey", "Ledger OWNED_BY Team Heron", "Ledger.launched = 2020-02-01",]
    );
}

#[test]
fn json_records() {
    let text = r#"{"services": [{"name": "Ledger", "owner": "Team Heron", "tier": 1}, {"name": "Checkout", "language": "Go"}]}"#;
    assert_eq!(
        stated(SOFTWARE, "catalogue.json", text),
        ["Checkout.language = Go", "Ledger OWNED_BY Team Heron", "Ledger.tier = 1",]
    );
}

#[test]
fn introduced_lists_and_items() {
    let text = "\
# Services

- **Ledger** – a Go service, owned by Team Heron.
- **Checkout**: depends on Ledger.

The Ledger service depends on:

- the library Mistral
- the library Bora
";
    assert_eq!(
        stated(SOFTWARE, "page.md", text),
        [
            "Checkout DEPENDS_ON Ledger",
            "Ledger DEPENDS_ON Bora",
            "Ledger DEPENDS_ON Mistral",
            "Ledger OWNED_BY Team Heron",
            "Ledger.language = Go",
        ]
    );
}

#[test]
fn plain_text_with_abbreviation() {
    let text = "\
ORDER REPORT

The Order Management System (OMS) is a service. OMS is owned by Team Heron.

Ledger
------
Language: Rust
Owner: Team Osprey
";
    assert_eq!(
        stated(SOFTWARE, "report.txt", text),
        [
            "Ledger OWNED_BY Team Osprey",
            "Ledger.language = Rust",
            "Order Management System OWNED_BY Team Heron",
        ]
    );
}
