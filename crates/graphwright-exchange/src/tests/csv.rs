use super::*;

const PEOPLE: &str = "\
id:ID(Person),name,born:int,tall:boolean,tags:string[],seen:datetime{timezone:Europe/Oslo},home:point,:LABEL
1,Ada,1815,true,a;b,2024-03-01T10:00:00,\"{latitude: 51.5, longitude: -0.1}\",Person;Author
2,\"Grace \"\"Amazing\"\" Hopper\",,false,,,,Person
";
const WORKS: &str = "title:ID(Work)\nNotes\n1\n";
const WROTE: &str =
    ":START_ID(Person),:END_ID(Work),year:long,:TYPE\n1,Notes,1843,WROTE\n1,Notes,1844,WROTE\n2,1,,READ\n";

#[tokio::test]
async fn typed_columns_spaces_labels_and_parallel_relationships() {
    let store = EmbeddedStore::in_memory();
    let files = [("wrote.csv", WROTE), ("people.csv", PEOPLE), ("Work.csv", WORKS)];
    let report = import_texts(&store, &files).await.unwrap();
    assert_eq!((report.nodes, report.relationships), (4, 3));
    let (nodes, relationships) = contents(&store).await;
    insta::assert_snapshot!(nodes.join("\n"), @r#"
    Person {"__id__":"Person:2","id":"2","name":"Grace \"Amazing\" Hopper","tall":false}
    Person:Author {"__id__":"Person:1","born":1815,"home":{"$type":"point","srid":4326,"x":-0.1,"y":51.5},"id":"1","name":"Ada","seen":{"$type":"datetime","value":"2024-03-01T10:00:00+01:00[Europe/Oslo]"},"tags":["a","b"],"tall":true}
    Work {"__id__":"Work:1","title":"1"}
    Work {"__id__":"Work:Notes","title":"Notes"}
    "#);
    insta::assert_snapshot!(relationships.join("\n"), @r#"
    Person:1 -WROTE-> Work:Notes {"__id__":"wrote.csv:2","year":1843}
    Person:1 -WROTE-> Work:Notes {"__id__":"wrote.csv:3","year":1844}
    Person:2 -READ-> Work:1 {"__id__":"wrote.csv:4"}
    "#);
    let again = import_texts(&store, &files).await.unwrap();
    assert_eq!((again.changed.nodes_created, again.changed.relationships_created), (0, 0));
    assert_eq!(contents(&store).await, (nodes, relationships));
}

#[tokio::test]
async fn header_in_a_file_of_its_own_and_labels_by_flag() {
    let store = EmbeddedStore::in_memory();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| write(folder.path(), name, text);
    let nodes = CsvFiles {
        paths: vec![path("header.csv", ":ID|word\n"), path("a.csv", "1|x\n"), path("b.csv", "2|y\n")],
        names: vec!["Thing".to_owned()],
    };
    let relationships =
        CsvFiles { paths: vec![path("r.csv", ":START_ID|:END_ID\n1|2\n")], names: vec!["NEXT".to_owned()] };
    let options = ImportOptions {
        csv: CsvFormat { delimiter: '|', ..CsvFormat::default() },
        ..ImportOptions::default()
    };
    let sources = vec![Source::CsvRelationships(relationships), Source::CsvNodes(nodes)];
    import(&store, sources, &options, &mut |_| {}).await.unwrap();
    let words = single(&store, "MATCH (a:Thing)-[:NEXT]->(b:Thing) RETURN a.word + b.word").await;
    assert_eq!(words, Value::from("xy"));
}

#[tokio::test]
async fn ends_may_be_in_the_store_already() {
    let store = EmbeddedStore::in_memory();
    import_texts(&store, &[("people.csv", PEOPLE), ("Work.csv", WORKS)]).await.unwrap();
    let report = import_texts(&store, &[("wrote.csv", WROTE)]).await.unwrap();
    assert_eq!((report.relationships, report.changed.nodes_created), (3, 0));
}

#[tokio::test]
async fn unlabelled_nodes_and_empty_texts() {
    let store = EmbeddedStore::in_memory();
    let report = import_texts(&store, &[("n.csv", ":ID,name,:LABEL\n1,\"\",\n2,,Thing\n")]).await.unwrap();
    assert_eq!(report.nodes, 2);
    let (nodes, _) = contents(&store).await;
    assert_eq!(nodes, [r#" {"__id__":"csv:1","name":""}"#, r#"Thing {"__id__":"csv:2"}"#]);
}

#[tokio::test]
async fn mistakes_are_named_with_file_line_and_column() {
    let mut shown = Vec::new();
    for files in [
        &[("a.csv", ":ID,age:int\n1,7\n2,seven\n")][..],
        &[("a.csv", ":ID,name\n1,x\n1,y\n")],
        &[("a.csv", ":ID,name\n,x\n")],
        &[("a.csv", ":ID,name\n1,x,y\n")],
        &[("a.csv", ":ID,age:number\n1,7\n")],
        &[("a.csv", "name,name\nx,y\n")],
        &[("a.csv", ":ID(P),name\n1,x\n"), ("r.csv", ":START_ID(P),:END_ID(Q)\n1,1\n")],
        &[("r.csv", ":START_ID,:END_ID\n1,\n")],
    ] {
        shown.push(problem(files).await);
    }
    insta::assert_snapshot!(shown.join("\n\n"));
}

#[tokio::test]
async fn bad_rows_are_left_out_and_counted_on_demand() {
    let store = EmbeddedStore::in_memory();
    let people = ":ID,age:int\n1,7\n2,seven\n1,8\n3,9\n,1\n4\n";
    let files = [("P.csv", people), ("R.csv", ":START_ID,:END_ID\n1,3\n1,2\n3,1\n")];
    let options = ImportOptions { skip_bad: true, ..ImportOptions::default() };
    let report = import_texts_with(&store, &files, &options).await.unwrap();
    assert_eq!((report.nodes, report.relationships), (2, 2));
    let counts: Vec<_> =
        report.skipped.iter().map(|(kind, skipped)| (kind.as_str(), skipped.count)).collect();
    let expected = [
        ("columns", 1),
        ("bad_value", 1),
        ("missing_id", 1),
        ("duplicate_node", 1),
        ("dangling_relationship", 1),
    ];
    assert_eq!(counts, expected);
    assert_eq!(report.skipped[&ProblemKind::DanglingRelationship].examples[0].line, 3);
    assert_eq!(single(&store, "MATCH (n:P {age: 7}) RETURN count(n)").await, Value::from(1));
}

#[tokio::test]
async fn what_is_exported_comes_back() {
    let store = EmbeddedStore::in_memory();
    import_texts(&store, &[("wrote.csv", WROTE), ("people.csv", PEOPLE), ("Work.csv", WORKS)]).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out");
    let report = export_csv(&store, &target, &ExportOptions::default(), &mut |_| {}).await.unwrap();
    assert_eq!((report.nodes, report.relationships), (4, 3));
    assert_eq!(report.losses, Vec::<String>::new());
    assert_eq!(report.files, ["Person.csv", "Person-Author.csv", "Work.csv", "READ.csv", "WROTE.csv"]);
    insta::assert_snapshot!(std::fs::read_to_string(target.join("WROTE.csv")).unwrap());
    let copy = EmbeddedStore::in_memory();
    import_all(&copy, &[target], &ImportOptions::default()).await.unwrap();
    assert_eq!(contents(&copy).await, contents(&store).await);
}

#[tokio::test]
async fn export_says_what_csv_cannot_hold() {
    let store = EmbeddedStore::in_memory();
    let lines = r#"{"graphwright":1,"graph":"g"}
{"node":"1","labels":["A"],"properties":{"x":1,"y":["a;b"]}}
{"node":"2","labels":["A"],"properties":{"x":"one"}}
{"end":{"nodes":2,"relationships":0,"vectors":0}}"#;
    import_texts(&store, &[("g.jsonl", lines)]).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let report = export_csv(&store, folder.path(), &ExportOptions::default(), &mut |_| {}).await.unwrap();
    let expected =
        ["`x`: a long is written as a string (1)", "`y`: a LIST that CSV cannot hold is left out (1)"];
    assert_eq!(report.losses, expected);
}

#[tokio::test]
async fn what_a_spreadsheet_would_run_is_guarded_on_demand() {
    let store = EmbeddedStore::in_memory();
    let rows = "\
:ID,name,note,=kind,balance:double,tags:string[],:LABEL
=1,=1+1,-1.5,x,-1.5,@a;b,Cell
+2,+49 170 1,＝HYPERLINK(A1),y,2.5,,Cell
3,\"\tTAB\",\"\rCR\",-z,,,Cell
";
    import_texts(&store, &[("cells.csv", rows), ("r.csv", ":START_ID,:END_ID,:TYPE\n=1,3,@NEXT\n")])
        .await
        .unwrap();
    let exported = async |guard_formulas| {
        let folder = tempfile::tempdir().unwrap();
        let options = ExportOptions { guard_formulas, ..ExportOptions::default() };
        export_csv(&store, folder.path(), &options, &mut |_| {}).await.unwrap();
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        (read("Cell.csv"), read("_NEXT.csv"))
    };
    let (cells, next) = exported(true).await;
    insta::assert_snapshot!(format!("{cells}{next}").replace('\t', "<tab>").replace('\r', "<cr>"), @r#"
    __id__:ID,:LABEL,'=kind:string,balance:double,name:string,note:string,tags:string[]
    "csv:=1","Cell","x",-1.5,"'=1+1","-1.5","'@a;b"
    "csv:+2","Cell","y",2.5,"'+49 170 1","'＝HYPERLINK(A1)",
    "csv:3","Cell","'-z",,"'<tab>TAB","'<cr>CR",
    :START_ID,:END_ID,:TYPE,__id__:string
    "csv:=1","csv:3","'@NEXT","r.csv:2"
    "#);
    let (plain, _) = exported(false).await;
    assert!(plain.contains("\"=1+1\",\"-1.5\",") && !plain.contains('\''), "{plain}");

    let again = EmbeddedStore::in_memory();
    import_texts(&again, &[("cells.csv", &cells), ("next.csv", &next)]).await.unwrap();
    let name = single(&again, "MATCH (a:Cell)-->(b) RETURN a.name + b.name").await;
    assert_eq!(name, Value::from("'=1+1'\tTAB"), "the apostrophe is read as a part of the text");
}
