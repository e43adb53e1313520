use crate::bench::{Bench, assert_shown};

const HEADER: &str = "{\"graphwright\":1,\"graph\":\"g\"}\n";
const END: &str = "{\"end\":{\"nodes\":1,\"relationships\":0,\"vectors\":0}}\n";

#[test]
fn files_that_cannot_be_imported() {
    let bench = Bench::with_graph();
    let node = "{\"node\":\"1\",\"labels\":[\"A\"]}\n";
    for (name, text) in [
        ("cut.jsonl", format!("{HEADER}{node}")),
        ("broken.jsonl", format!("{HEADER}{{\"node\":\"1\"\n{END}")),
        ("other.jsonl", "{\"name\":\"ledger\"}\n".to_owned()),
        (
            "value.jsonl",
            format!(
                "{HEADER}{{\"node\":\"1\",\"properties\":{{\"d\":{{\"$type\":\"date\",\"value\":\"soon\"}}}}}}\n{END}"
            ),
        ),
        ("empty.jsonl", String::new()),
        ("value.csv", ":ID,name,born:int\n1,Ada,soon\n".to_owned()),
        ("columns.csv", ":ID,name\n1,Ada,surplus\n".to_owned()),
        ("ends.csv", ":START_ID,:END_ID,:TYPE\n1,2,KNOWS\n".to_owned()),
        ("empty.csv", String::new()),
        ("broken.zip", "no zip".to_owned()),
        ("broken.cypher", "CREATE (:A);\nCREATE (:B".to_owned()),
        ("files.cypher", "CREATE (:A);\nLOAD CSV FROM 'x' AS row RETURN row;".to_owned()),
        ("graph.txt", "text".to_owned()),
        ("void/readme.txt", "text".to_owned()),
    ] {
        bench.write(name, text);
    }
    bench.write("latin.csv", b":ID,name\n1,Caf\xe9\n");
    let names = [
        "cut.jsonl",
        "broken.jsonl",
        "other.jsonl",
        "value.jsonl",
        "empty.jsonl",
        "value.csv",
        "columns.csv",
        "ends.csv",
        "empty.csv",
        "latin.csv",
        "broken.zip",
        "broken.cypher",
        "files.cypher",
        "graph.txt",
        "void",
        "missing.jsonl",
    ];
    let mut commands: Vec<Vec<&str>> = names.iter().map(|name| vec!["import", name]).collect();
    commands.push(vec!["--json", "import", "broken.jsonl"]);
    commands.push(vec!["import"]);
    commands.push(vec!["import", "value.csv", "--delimiter", "::"]);
    let commands: Vec<&[&str]> = commands.iter().map(Vec::as_slice).collect();
    assert_shown!(bench.leaves_the_graph_alone(&commands));
}

#[test]
fn a_line_of_100_mb_that_is_no_json() {
    let bench = Bench::with_graph();
    let mut text = HEADER.as_bytes().to_vec();
    text.resize(text.len() + 100_000_000, b'x');
    bench.write("line.jsonl", text);
    assert_shown!(bench.leaves_the_graph_alone(&[&["import", "line.jsonl"]]));
}

#[test]
fn what_is_bad_is_left_out_and_counted_on_demand() {
    let bench = Bench::new();
    bench.write("Person.csv", ":ID,name,born:int\n1,Ada,1815\n2,Grace,soon\n1,Again,1900\n");
    bench.write("KNOWS.csv", ":START_ID,:END_ID\n1,1\n1,7\n");
    assert_shown!(bench.run(&["import", "Person.csv", "KNOWS.csv", "--skip-bad"]));
}
