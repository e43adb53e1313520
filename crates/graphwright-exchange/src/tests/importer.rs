use std::io::Write;

use super::*;

/// Creates an archive with a model of version 1.
fn archive(files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.zip");
    let mut zip = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
    for (name, text) in files {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    (folder, path)
}

const MODEL: &str = r##"{"version": "1.4.0", "dataModel": {
"graphSchemaRepresentation": {"graphSchema": {
  "nodeLabels": [
    {"$id": "nl:0", "token": "Person", "properties": [
      {"$id": "p:0", "token": "id", "type": {"type": "integer"}},
      {"$id": "p:1", "token": "name", "type": {"type": "string"}},
      {"$id": "p:2", "token": "active", "type": {"type": "boolean"}}]}],
  "nodeObjectTypes": [{"$id": "n:0", "labels": [{"$ref": "#nl:0"}]}],
  "relationshipTypes": [{"$id": "rt:0", "token": "KNOWS", "properties": [
      {"$id": "p:3", "token": "since", "type": {"type": "integer"}}]}],
  "relationshipObjectTypes": [
    {"$id": "r:0", "type": {"$ref": "#rt:0"}, "from": {"$ref": "#n:0"}, "to": {"$ref": "#n:0"}}],
  "constraints": [{"$id": "c:0", "name": "id_uniq", "constraintType": "uniqueness", "entityType": "node",
    "nodeLabel": {"$ref": "#nl:0"}, "properties": [{"$ref": "#p:0"}]}],
  "indexes": [{"$id": "i:0", "name": "name_index", "indexType": "default", "entityType": "node",
    "nodeLabel": {"$ref": "#nl:0"}, "properties": [{"$ref": "#p:1"}]}]}},
"graphSchemaExtensionsRepresentation": {"nodeKeyProperties": [
  {"node": {"$ref": "#n:0"}, "keyProperty": {"$ref": "#p:0"}}]},
"graphMappingRepresentation": {
  "dataSourceSchema": {"type": "local/csv", "tableSchemas": [
    {"$id": "t:0", "name": "people.csv"}, {"$id": "t:1", "name": "knows.csv"}]},
  "nodeMappings": [{"node": {"$ref": "#n:0"}, "tableSchema": {"$ref": "#t:0"}, "propertyMappings": [
    {"property": {"$ref": "#p:0"}, "fieldName": "no"}, {"property": {"$ref": "#p:1"}, "fieldName": "name"},
    {"property": {"$ref": "#p:2"}, "fieldName": "active"}]}],
  "relationshipMappings": [{"relationship": {"$ref": "#r:0"}, "tableSchema": {"$ref": "#t:1"},
    "fromMapping": {"fieldName": "a"}, "toMapping": {"fieldName": "b"},
    "propertyMappings": [{"property": {"$ref": "#p:3"}, "fieldName": "since"}]}]},
"configurations": {"idsToIgnore": ["-"]}}}"##;
const PEOPLE: &str = "no,name,active\n1,Ada,Yes\n02,Bob,no\n2,Bob B.,\nx,Nobody,\n-,Ignored,\n";
const KNOWS: &str = "a,b,since\n1,2,1999\n1,2,2001\n2,1,long ago\n1,9,2000\n1,,2000\n";

#[tokio::test]
async fn rows_merge_by_key_and_what_is_left_out_is_told() {
    let files = [
        ("export/neo4j_importer_model.json", MODEL),
        ("export/people.csv", PEOPLE),
        ("export/knows.csv", KNOWS),
    ];
    let (_folder, path) = archive(&files);
    let store = EmbeddedStore::in_memory();
    let report = import_all(&store, &[path], &ImportOptions::default()).await.unwrap();
    let (nodes, relationships) = contents(&store).await;
    insta::assert_snapshot!(nodes.join("\n"), @r#"
    Person {"__id__":"Person:1","active":true,"id":1,"name":"Ada"}
    Person {"__id__":"Person:2","active":false,"id":2,"name":"Bob B."}
    "#);
    insta::assert_snapshot!(relationships.join("\n"), @r#"
    Person:1 -KNOWS-> Person:2 {"__id__":"single","since":2001}
    Person:2 -KNOWS-> Person:1 {"__id__":"single"}
    "#);
    assert_eq!(
        (report.changed.nodes_created, report.changed.relationships_created, report.schema),
        (2, 2, 2)
    );
    let counts: Vec<_> =
        report.skipped.iter().map(|(kind, skipped)| (kind.as_str(), skipped.count)).collect();
    assert_eq!(counts, [("bad_value", 1), ("missing_id", 2), ("dangling_relationship", 2)]);
}

#[tokio::test]
async fn a_model_that_does_not_fit_its_files_changes_nothing() {
    let mut shown = Vec::new();
    for files in [
        &[("people.csv", PEOPLE)][..],
        &[("neo4j_importer_model.json", "{")],
        &[("neo4j_importer_model.json", "{}")],
        &[("neo4j_importer_model.json", MODEL), ("people.csv", PEOPLE)],
        &[("neo4j_importer_model.json", MODEL), ("people.csv", "no,name\n1,Ada\n"), ("knows.csv", KNOWS)],
    ] {
        let (_folder, path) = archive(files);
        let store = EmbeddedStore::in_memory();
        let error = import_all(&store, &[path], &ImportOptions::default()).await.unwrap_err();
        shown.push(error.to_string());
        assert_eq!(contents(&store).await, (vec![], vec![]));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "no.zip", "not a zip");
    shown.push(
        import_all(&EmbeddedStore::in_memory(), &[path], &ImportOptions::default())
            .await
            .unwrap_err()
            .to_string(),
    );
    insta::assert_snapshot!(shown.join("\n"));
}

#[tokio::test]
async fn a_file_that_unpacks_to_far_more_than_its_size_is_refused() {
    let bomb = "no,name,active\n".to_owned() + &"1,,\n".repeat(5_000_000);
    let (_folder, path) = archive(&[("neo4j_importer_model.json", MODEL), ("people.csv", &bomb)]);
    let store = EmbeddedStore::in_memory();
    let sources = vec![Source::DataImporter(path)];
    let refused = import(&store, sources, &ImportOptions::default(), &mut |_| {}).await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        "graph.zip: `people.csv` cannot be read: it unpacks to more than 200 times its size"
    );
}
