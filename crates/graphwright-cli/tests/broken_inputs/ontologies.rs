use crate::bench::{Bench, assert_shown};

#[test]
fn ontologies_that_cannot_be_used() {
    let bench = Bench::with_graph();
    for (name, text) in [
        (
            "type.yaml",
            "nodes:\n  Service: {}\nrelationships:\n  USES: {from: [Service], to: [Servise, Team]}\n",
        ),
        ("key.yaml", "nodes:\n  Service:\n    synonims: [microservice]\n"),
        ("syntax.yaml", "nodes:\n  Service: {a\n  b: [\n"),
        ("value.yaml", "nodes:\n  Service:\n    properties:\n      tier: {type: number}\n"),
        ("reserved.yaml", "nodes:\n  Document: {}\n  __Mine__: {}\n"),
        ("empty.yaml", ""),
        ("broken.json", "{\"nodes\": {\"Service\": {\"synonims\": []}}}"),
        ("doubtful.yaml", "nodes:\n  service_type: {}\nrelationships:\n  uses: {}\n"),
    ] {
        bench.write(name, text);
    }
    bench.write("binary.yaml", b"\xff\xfe\x00");
    let names = ["type", "key", "syntax", "value", "reserved", "empty", "doubtful", "binary", "missing"]
        .map(|name| format!("{name}.yaml"));
    let mut commands: Vec<Vec<&str>> = names.iter().map(|name| vec!["ontology", "check", name]).collect();
    commands.push(vec!["ontology", "check", "broken.json"]);
    commands.push(vec!["--json", "ontology", "check", "type.yaml"]);
    commands.push(vec!["--json", "ontology", "check", "key.yaml"]);
    commands.extend(names[..6].iter().map(|name| vec!["ingest", "note.md", "--ontology", name]));
    let commands: Vec<&[&str]> = commands.iter().map(Vec::as_slice).collect();
    assert_shown!(bench.leaves_the_graph_alone(&commands));
}
