//! Documents that are things themselves.

use graphwright_documents::{
    Extraction, Extractor, ParsedDocument, extraction::KnownEntities, headings::RecurringHeadings,
};

use super::{RulesExtractor, extract, stated};

const ONTOLOGY: &str = "
nodes:
  DecisionRecord: {synonyms: [ADR], from: 'decisions/*.md', properties: {status: {type: string}, decided: {type: date, synonyms: [date]}}}
  Page: {key: title, properties: {title: {type: string}, section: {type: string}}}
  Team: {synonyms: [group]}
  Service: {}
relationships:
  OWNED_BY: {from: [Page, DecisionRecord, Service], to: [Team], synonyms: [owner]}
  USES: {from: [Service], to: [Service], cues: [uses]}
";

/// Extracts documents, each with what the surveys of all found.
fn extract_all<const N: usize>(ontology: &str, documents: [ParsedDocument; N]) -> [Extraction; N] {
    let ontology = serde_saphyr::from_str(ontology).unwrap();
    let (rules, runtime) =
        (RulesExtractor::default(), tokio::runtime::Builder::new_current_thread().build().unwrap());
    let survey = |document| runtime.block_on(rules.survey(document, &ontology)).unwrap();
    let known = KnownEntities { entities: documents.iter().flat_map(survey).collect() };
    documents.map(|document| runtime.block_on(rules.extract(&document, &[], &ontology, &known)).unwrap())
}

#[test]
fn fields_at_the_head_tell_of_the_document() {
    let text = "---\ntitle: Purge a page\nsection: Caching\nowner: \"Blue Team\"\nlayout: x\n---\n\n## Steps\n\nDo it.\n";
    assert_eq!(
        stated(ONTOLOGY, "purge.md", text),
        ["Purge a page OWNED_BY Blue Team", "Purge a page.section = Caching"]
    );
    let list =
        "- Date: 2024-03-01\n- Owner: Blue Team\n- Issue:\n\n# Context\n\nText.\n\n# Decision\n\nText.\n";
    assert_eq!(
        stated(ONTOLOGY, "notes/0012-use-queues.md", list),
        [
            "Decision Record 12 use queues OWNED_BY Blue Team",
            "Decision Record 12 use queues.decided = 2024-03-01"
        ]
    );
}

/// Of a key within maps its own name is enough, unless several have it.
#[test]
fn a_key_within_maps_is_called_by_its_own_name() {
    let ontology = "
nodes:
  Advisory: {from: 'advisories/*.md', key: id, properties: {id: {type: string}, fixed: {type: string}, type: {type: string}}}
relationships: {}
";
    let text = "```toml\n[advisory]\nid = \"A-1\"\n\n[[affected.versions]]\nfixed = \"1.2\"\n\n[[links]]\ntype = \"FIX\"\n\n[[notes]]\ntype = \"LONG\"\n```\n\n# Mend it\n";
    assert_eq!(stated(ontology, "advisories/1.md", text), ["A-1.fixed = 1.2"]);
    // What has a name is a thing of its own.
    let text = text.replace("fixed =", "name = \"first\"\nfixed =");
    assert_eq!(stated(ontology, "advisories/1.md", &text), Vec::<String>::new());
}

/// A field that is declared as a property and as a relationship is both.
#[test]
fn a_field_may_be_a_property_and_a_relationship() {
    let ontology = "
nodes:
  Proposal: {from: 'neps/*.md', properties: {author: {type: string}, status: {type: string}}}
  Person: {}
relationships:
  WROTE: {from: [Person], to: [Proposal], synonyms: [author]}
";
    let text = "# Fair play\n\n- Author: Ann Lee <ann@example.org>, Bo Chan\n- Status: Draft\n";
    let found = stated(ontology, "neps/nep-0036-fair-play.md", text);
    for expected in ["Ann Lee WROTE Fair play", "Bo Chan WROTE Fair play", "Fair play.status = Draft"] {
        assert!(found.iter().any(|line| line == expected), "{expected}: {found:#?}");
    }
    assert!(found.iter().any(|line| line.starts_with("Fair play.author = Ann Lee")), "{found:#?}");
    // A record is one also if its title speaks of plans.
    let text = "# Roadmap for version 2\n\n- Author: Bo Chan\n- Status: Draft\n";
    let found = stated(ontology, "neps/nep-0040-roadmap.md", text);
    assert!(found.iter().any(|line| line == "Bo Chan WROTE Roadmap for version 2"), "{found:#?}");
}

#[test]
fn a_path_tells_it_without_fields_and_the_number_is_a_name() {
    let found = extract(
        ONTOLOGY,
        "decisions/adr-0007-one-log.md",
        "# One log\n\nWe keep one log.\n\n## Status\n\nText.\n",
    );
    let page = found.entities.iter().find(|entity| entity.name == "One log").expect("the page");
    assert_eq!((page.kind.as_str(), page.aliases.len()), ("DecisionRecord", 4));
    assert!(
        ["ADR 7", "ADR 0007", "Decision Record 7"]
            .iter()
            .all(|name| page.aliases.iter().any(|alias| alias == name))
    );
}

#[test]
fn the_pattern_nearest_to_the_file_counts() {
    let ontology = "nodes: {A: {from: '*.md'}, B: {from: 'b/*.md'}, C: {from: 'b/c/*.md'}}";
    for (source, kind) in
        [("x.md", "A"), ("a/x.md", "A"), ("b/x.md", "B"), ("b/c/x.md", "C"), ("b/d/x.md", "B")]
    {
        let found = extract(ontology, source, "# Gates\n\nText.\n");
        assert_eq!(found.entities[0].kind, kind, "{source}");
    }
}

#[test]
fn several_records_one_field_or_a_date_make_no_document_a_thing() {
    let register = "Date: 2024-03-01\nOwner: Blue Team\n\nDate: 2024-03-02\nOwner: Red Team\n";
    for (source, text) in [("register.txt", register), ("a.md", "---\nsection: Caching\n---\n\nText.\n")] {
        let found = extract(ONTOLOGY, source, text);
        assert!(found.entities.iter().all(|entity| entity.kind == "Team"), "{:?}", found.entities);
    }
    let found = extract(ONTOLOGY, "decisions/2024-03-01-outage.md", "We had one.\n");
    assert_eq!(found.entities[0].name, "2024 03 01 outage");
    assert_eq!(found.entities[0].aliases, Vec::<String>::new());
}

#[test]
fn lists_parts_and_identifiers_of_a_head_are_read() {
    let ontology = "
nodes:
  Rfc: {properties: {status: {type: string}, started: {type: date, synonyms: [start date]}, tags: {type: list of string}}}
  Person: {}
relationships:
  WROTE: {from: [Person], to: [Rfc], synonyms: [author]}
  REVIEWED: {from: [Person], to: [Rfc], synonyms: [reviewer]}
";
    let stated = |text: &str| super::stated(ontology, "a.md", text);
    let expected = [
        "Ann Lee WROTE RFC 2451: Gates and Doors",
        "Bo Ek REVIEWED RFC 2451: Gates and Doors",
        "Cy Lund REVIEWED RFC 2451: Gates and Doors",
        "RFC 2451: Gates and Doors.started = 2020-01-01",
    ];
    let yaml = "---\ntitle: 'RFC 2451: Gates and Doors'\nauthor: {name: Ann Lee}\nreviewers:\n- Bo Ek\n- Cy Lund\nstart date: 2020-01-01\n---\nText.\n";
    let toml = "+++\ntitle = \"RFC 2451: Gates and Doors\"\nauthor.name = \"Ann Lee\"\nreviewers = [\"Bo Ek\", \"Cy Lund\"]\nstart_date = 2020-01-01\n+++\nText.\n";
    let list = "# RFC 2451: Gates and Doors\n\n- Author: Ann Lee\n- Reviewers: Bo Ek,\n  Cy Lund\n- Start Date: 2020-01-01\n\n## Context\n\nText.\n";
    let fenced = "# RFC 2451: Gates and Doors\n\n```yaml\nauthor: Ann Lee\nreviewers: [Bo Ek, Cy Lund]\nstart_date: 2020-01-01\n```\n\nText.\n";
    for text in [yaml, toml, list, fenced] {
        assert_eq!(stated(text), expected, "{text}");
    }
    let tags = "---\ntitle: Gates\nstatus: open\ntags: [x, 'y, z']\n---\n";
    assert_eq!(stated(tags), ["Gates.status = open", "Gates.tags = [\"x\",\"y, z\"]"]);
    let found = extract(ontology, "a.md", yaml);
    let page = found.entities.iter().find(|entity| entity.kind == "Rfc").expect("the page");
    assert_eq!(page.aliases, ["RFC 2451"]);
}

#[test]
fn a_title_that_ends_as_another_type_names_a_page_whose_fields_are_its_own() {
    let ontology = "
nodes:
  Decision: {synonyms: [ADR], properties: {date: {type: date}, status: {enum: [Accepted, Pending, Superseded]}}}
  Cluster: {}
relationships: {SUPERSEDES: {from: [Decision], to: [Decision]}}
";
    let text = "# 4. Migrate to the new Cluster\n\nDate 28/03/2018\n\n## Status\n\n✅ Pending (so far)\n\n## Decision\n\nMove.\n";
    assert_eq!(
        stated(ontology, "a.md", text),
        ["4. Migrate to the new Cluster.date = 2018-03-28", "4. Migrate to the new Cluster.status = Pending"]
    );
    let found = extract(ontology, "a.md", text);
    assert!(
        found.entities.iter().any(|entity| entity.aliases == ["Migrate to the new Cluster"]),
        "{found:?}"
    );
    let gone = text.replace("✅ Pending (so far)", "Superseded by [the next](b.md)");
    assert!(stated(ontology, "a.md", &gone).iter().any(|line| line.ends_with("status = Superseded")));
}

#[test]
fn headings_that_recur_are_sections_and_their_lists_belong_to_the_page() {
    let ontology = "
nodes: {Service: {from: 'services/*.md'}, Person: {}, Goal: {}}
relationships: {MAINTAINS: {from: [Person], to: [Service], synonyms: [maintainer]}}
";
    let text = "# Falcon\n\n## Long Goal\n\nText.\n\n## Maintainers\n\n- Ann Lee\n- Bo Ek\n";
    let names = |recurring: RecurringHeadings| {
        let mut document = super::document("services/falcon.md", text);
        document.set_recurring_headings(recurring);
        let [found] = extract_all(ontology, [document]);
        found.entities.into_iter().map(|entity| entity.name).collect::<Vec<_>>()
    };
    assert_eq!(names(RecurringHeadings::default()), ["Falcon", "Ann Lee", "Bo Ek", "Long Goal"]);
    assert_eq!(
        names(RecurringHeadings::count(vec![["long goal", "maintainers"]; 3])),
        ["Falcon", "Ann Lee", "Bo Ek"]
    );
    let facts = ["Ann Lee MAINTAINS Falcon", "Bo Ek MAINTAINS Falcon"];
    assert_eq!(stated(ontology, "services/falcon.md", text), facts);
}

#[test]
fn documents_of_one_template_are_of_the_type_that_has_its_sections() {
    let ontology = "
nodes:
  Outage: {properties: {category: {type: string}}}
  Cause: {synonyms: [contributing factor]}
  Step: {}
relationships:
  CAUSED_BY: {from: [Outage], to: [Cause], synonyms: [contributing factors]}
  HAS_STEP: {from: [Outage], to: [Step], synonyms: [action items]}
";
    let text = |title: &str| {
        let long = "The north gate would not open for anybody who came from the harbour in the long night.";
        format!(
            "# {title}\n\n## Summary\n\n{long}\n\n## Contributing Factors\n\n- Rust\n- Frost\n\n## Action Items\n\n{long}\n\n\
             ## Stats\n\n- Category: Gates\n"
        )
    };
    let (first, second, third) = (text("North gate stuck"), text("Ropes torn"), text("Title"));
    let sources = ["OR-1.md", "OR-2.md", "OR-3 - Oars lost.md"];
    let headings = ["summary", "contributing factors", "action items", "title"];
    let documents = sources.iter().zip([&first, &second, &third]).map(|(source, text)| {
        let mut document = super::document(source, text);
        document.set_recurring_headings(RecurringHeadings::count(vec![headings; 3]));
        document
    });
    let [first, second, third] = documents.collect::<Vec<_>>().try_into().unwrap();
    let found = extract_all(ontology, [first, second, third]);
    let stated = found.map(|found| {
        let outage = found.entities.iter().find(|entity| entity.kind == "Outage").unwrap();
        let facts = found.facts.iter().map(|fact| format!("{} {}", fact.kind, found.entities[fact.to].name));
        format!("{}.{} {:?}", outage.name, outage.properties[0].name, facts.collect::<Vec<_>>())
    });
    assert_eq!(
        stated,
        ["North gate stuck", "Ropes torn", "OR-3 - Oars lost"]
            .map(|name| format!("{name}.category [\"CAUSED_BY Rust\", \"CAUSED_BY Frost\"]"))
    );
}

#[test]
fn a_page_beside_a_record_may_have_the_title_of_others() {
    let record =
        super::document("plans/12-gates/plan.yaml", "title: Open the gates\nnumber: 12\nstatus: agreed\n");
    let other = super::document("plans/7-ropes/plan.yaml", "title: Tie the ropes\nnumber: 7\nstatus: over\n");
    let mut page = super::document("plans/12-gates/README.md", "# Overview\n\nThis plan replaces Plan 7.\n");
    page.set_recurring_headings(RecurringHeadings::count(vec![["overview"]; 3]));
    let [_, _, found] = extract_all(PLANS, [record, other, page]);
    let name = |at: usize| found.entities[at].name.as_str();
    let facts: Vec<_> = found.facts.iter().map(|fact| (name(fact.from), name(fact.to))).collect();
    assert_eq!(facts, [("Open the gates", "Tie the ropes")]);
}

#[test]
fn what_follows_an_item_of_a_list_is_no_other_thing() {
    let ontology = "
nodes: {Dish: {from: '*.md'}, Ingredient: {}}
relationships: {CONTAINS: {from: [Dish], to: [Ingredient], synonyms: [ingredients]}}
";
    let found =
        extract(ontology, "stew.md", "# Stew\n\n## Ingredients\n\n- Onions: 400g\n- Bread – 5 slices\n");
    let names: Vec<&str> = found.entities.iter().map(|entity| entity.name.as_str()).collect();
    assert_eq!(names, ["Stew", "Onions", "Bread"]);
    assert_eq!(found.facts.len(), 2);
}

#[test]
fn pages_that_link_to_pages_are_related() {
    let ontology = "
nodes: {Proposal: {synonyms: [RFC], from: 'text/*.md'}, Guide: {from: 'guides/*'}}
relationships: {BUILDS_ON: {from: [Proposal], to: [Proposal]}, CITES: {from: [Proposal, Guide], to: [Proposal], cues: [cites, links to]}}
";
    let one =
        "# Gates\n\nSee [ropes](0002-ropes.md), [a page](https://example.org) and [itself](0001-gates.md).\n";
    let two = "# Ropes\n\nThey came with RFC 1, not RFC 3 or ABC 1.\n";
    let guide = "# Knots\n\nRead [this](../text/0001-gates.html#part) and [that](/site/text/0002-ropes). [Here](other).\n";
    let documents = [("text/0001-gates.md", one), ("text/0002-ropes.md", two), ("guides/knots.md", guide)];
    let found = extract_all(ontology, documents.map(|(source, text)| super::document(source, text)));
    let shown = found.map(|found| {
        let name = |index: usize| found.entities[index].name.clone();
        let facts =
            found.facts.iter().map(|fact| format!("{} {} {}", name(fact.from), fact.kind, name(fact.to)));
        facts.collect::<Vec<_>>().join("; ")
    });
    assert_eq!(shown, ["Gates CITES Ropes", "Ropes CITES Gates", "Knots CITES Gates; Knots CITES Ropes"]);
}

const PLANS: &str = "
nodes:
  Plan: {properties: {status: {type: string}, number: {type: integer}}}
  Person: {}
relationships:
  WROTE: {from: [Person], to: [Plan], synonyms: [author]}
  REPLACES: {from: [Plan], to: [Plan], synonyms: [replaces], cues: [replaces]}
";

/// What all documents state, one line each, by document.
fn states(documents: &[(&str, &str)]) -> Vec<Vec<String>> {
    let [first, second, third] = documents else { panic!("three documents") };
    let read = |(source, text): &(&str, &str)| super::document(source, text);
    let found = extract_all(PLANS, [read(first), read(second), read(third)]);
    let lines = |found: Extraction| {
        let name = |at: usize| found.entities[at].name.as_str();
        let facts =
            found.facts.iter().map(|fact| format!("{} {} {}", name(fact.from), fact.kind, name(fact.to)));
        let valued = |entity: &graphwright_documents::extraction::ExtractedEntity| {
            let own = entity.name.clone();
            let values = entity.properties.iter().map(move |property| format!("{own}.{}", property.name));
            values.collect::<Vec<_>>()
        };
        let mut lines: Vec<String> = facts.chain(found.entities.iter().flat_map(valued)).collect();
        lines.sort();
        lines
    };
    found.map(lines).to_vec()
}

#[test]
fn records_in_files_are_documents_that_paths_name() {
    let gates = "title: Open the gates\nnumber: 12\nstatus: agreed\nauthors:\n  - \"@ada-roe\"\n  - Bo2k\nreplaces:\n  - /plans/7-ropes/\n";
    let ropes = "title = \"Tie the ropes\"\nnumber = 7\nstatus = \"over\"\n";
    let readme = "# Gates\n\nThis plan replaces Plan 7.\n";
    let found = states(&[
        ("plans/12-gates/plan.yaml", gates),
        ("plans/7-ropes/plan.toml", ropes),
        ("plans/12-gates/README.md", readme),
    ]);
    assert_eq!(
        found[0],
        [
            "@ada-roe WROTE Open the gates",
            "Bo2k WROTE Open the gates",
            "Open the gates REPLACES Tie the ropes",
            "Open the gates.number",
            "Open the gates.status",
        ]
    );
    assert_eq!(found[1], ["Tie the ropes.number", "Tie the ropes.status"]);
    // The text beside a record tells of the same thing, and a plan is called by the number of its folder.
    assert_eq!(found[2], ["Open the gates REPLACES Tie the ropes"]);
}

#[test]
fn documents_of_one_title_are_several_things() {
    let page = |status: &str| format!("---\ntitle: Notes\nstatus: {status}\nnumber: 1\n---\n\nText.\n");
    let (first, second) = (page("open"), page("over"));
    let found = states(&[
        ("gates.md", &first),
        ("ropes.md", &second),
        ("oars.md", "---\ntitle: Oars\nstatus: open\nreplaces: ropes.md\n---\n"),
    ]);
    assert_eq!(found[0], ["Notes (gates).number", "Notes (gates).status"]);
    assert_eq!(found[1], ["Notes (ropes).number", "Notes (ropes).status"]);
}

#[test]
fn the_only_record_of_a_file_is_its_page_and_its_paths_lead_to_others() {
    let ontology = "
nodes:
  Gate: {properties: {tier: {type: integer}, after: {type: list of string}}}
  Door: {properties: {port: {type: integer}}}
relationships:
  HAS_DOOR: {from: [Gate], to: [Door], synonyms: [doors]}
  REFERS_TO: {from: [Gate], to: [Gate], cues: [refers to]}
";
    let page = |name: &str, after: &str| {
        ParsedDocument::from(graphwright_core::Document {
            id: name.to_owned(),
            source: format!("gates/{name}.json"),
            title: name.to_owned(),
            text: format!(
                r#"{{"name": "{name}", "tier": 1, "after": "{after}", "doors": [{{"name": "{name}-in", "port": 1}}, {{"name": "{name}-out", "port": 2}}]}}"#
            ),
            format: graphwright_core::document::TextFormat::Json,
            hash: String::new(),
            metadata: graphwright_core::Properties::new(),
        })
    };
    let [_, south] = extract_all(ontology, [page("north", "n/a"), page("south", "gates/north.json")]);
    let name = |at: usize| south.entities[at].name.as_str();
    let mut facts: Vec<String> = south
        .facts
        .iter()
        .map(|fact| format!("{} {} {}", name(fact.from), fact.kind, name(fact.to)))
        .collect();
    facts.sort();
    assert_eq!(facts, ["south HAS_DOOR south-in", "south HAS_DOOR south-out", "south REFERS_TO north"]);
}
