use std::path::Path;

use graphwright_core::Value;
use jiff::civil::date;
use rstest::rstest;

use super::*;

fn parse(text: &str) -> crate::Result<Ontology> {
    Ontology::parse(text, Path::new("o.yaml"))
}

fn message(text: &str) -> String {
    parse(text).expect_err("must be refused").to_string()
}

const CATALOGUE: &str = r#"
name: software-catalogue
nodes:
  Service:
    description: A program that runs in production and answers requests.
    synonyms: [microservice, backend service]
    key: name
    properties:
      name:     {type: string, required: true}
      language: {type: string, enum: [Go, Python, TypeScript], synonyms: [programming language, "written in"]}
      tier:     {type: integer}
      launched: {type: date}
    aliases:
      auth-lib-v2: ["v2 auth-lib", "auth lib v2"]
  Library: {}
relationships:
  DEPENDS_ON:
    description: The service needs the library to run.
    from: [Service]
    to: [Library, Service]
    synonyms: [dependency]
    cues: ["depends on", "uses", "relies on"]
    inverse_cues: ["is used by", "is a dependency of"]
    properties:
      since: {type: date}
"#;

#[test]
fn the_documented_form_is_read_and_found_sound() {
    let ontology = parse(CATALOGUE).expect("reads");
    assert_eq!(ontology.nodes["Service"].properties["launched"].kind, DataType::Date);
    assert_eq!(ontology.relationships["DEPENDS_ON"].cues.len(), 3);
    assert_eq!(ontology.check(), vec![]);
}

#[test]
fn what_is_written_reads_back_the_same() {
    let ontology = parse(CATALOGUE).expect("reads");
    assert_eq!(parse(&ontology.to_yaml().expect("writes")).expect("reads"), ontology);
    let json = serde_json::to_string(&ontology).expect("writes");
    let back = Ontology::parse(&json, Path::new("o.json")).expect("reads");
    assert_eq!(back.hash(), ontology.hash());
}

#[test]
fn an_unknown_key_is_refused_with_line_and_nearest_key() {
    let text = "nodes:\n  Service:\n    propertys:\n      tier: {type: integer}\n";
    assert_eq!(message(text), "o.yaml: line 3: unknown key 'propertys'; did you mean 'properties'?");
    let json = "{\n  \"nodes\": {\"A\": {\"synonym\": []}}\n}";
    assert_eq!(message(json), "o.yaml: line 2: unknown key 'synonym'; did you mean 'synonyms'?");
    assert_eq!(message("node: {}"), "o.yaml: line 1: unknown key 'node'; did you mean 'nodes'?");
}

#[test]
fn an_unknown_property_type_is_refused_with_its_line() {
    let text = "nodes:\n  Service:\n    properties:\n      tier: {type: number}\n";
    let message = message(text);
    assert!(message.starts_with("o.yaml: line 4: "), "{message}");
    assert!(message.contains("unknown property type 'number'; use string, integer"), "{message}");
}

#[test]
fn a_list_of_nothing_in_particular_is_one_of_texts() {
    let ontology = parse("nodes:\n  Advisory:\n    properties:\n      tags: {type: list}\n").expect("reads");
    assert_eq!(ontology.nodes["Advisory"].properties["tags"].kind.to_string(), "list of string");
}

#[test]
fn every_finding_of_the_check_is_listed() {
    let text = r"
nodes:
  Service:
    synonyms: [program]
    key: nam
    properties:
      names: {}
      tier: {type: integer, enum: [1, two, high]}
      aliases: {}
    aliases: {a: [x], b: [X]}
  program: {}
  Chunk: {}
relationships:
  NEXT_CHUNK: {from: [Service], to: [Service]}
  RUNS_ON:
    from: [Servise]
    to: [Platform]
    cues: [runs on]
    inverse_cues: [runs on]
    properties:
      confidence: {type: float}
";
    let ontology = parse(text).expect("reads");
    let lines: Vec<String> =
        ontology.check().iter().map(|finding| format!("{:?} {finding}", finding.severity)).collect();
    insta::assert_snapshot!(lines.join("\n"));
    let refused = ontology.require_valid(Path::new("o.yaml")).expect_err("must be refused").to_string();
    assert_eq!(refused.lines().count(), lines.iter().filter(|line| line.starts_with("Error")).count());
}

#[test]
fn the_json_schema_accepts_the_documented_form() {
    let schema = Ontology::json_schema();
    assert_eq!(schema["properties"]["nodes"]["additionalProperties"]["$ref"], "#/$defs/NodeType");
    assert_eq!(schema["additionalProperties"], false);
}

#[rstest]
#[case("1234", 1234)]
#[case("1,234", 1234)]
#[case("1 234 567", 1_234_567)]
#[case("-7", -7)]
#[case("three", 3)]
#[case("2.5 million", 2_500_000)]
#[case("$1,200", 1200)]
fn integers(#[case] text: &str, #[case] expected: i64) {
    assert_eq!(DataType::Integer.parse_value(text), Some(Value::Integer(expected)));
}

#[rstest]
#[case("1,23")]
#[case("12,34,567")]
#[case("1.5")]
#[case("many")]
#[case("")]
#[case("1 2")]
#[case("inf")]
#[case("v2")]
fn no_integers(#[case] text: &str) {
    assert_eq!(DataType::Integer.parse_value(text), None);
}

#[rstest]
#[case("0.5", 0.5)]
#[case("1,234.5", 1234.5)]
#[case("99.9%", 99.9)]
#[case("1e3", 1000.0)]
fn floats(#[case] text: &str, #[case] expected: f64) {
    assert_eq!(DataType::Float.parse_value(text), Some(Value::Float(expected)));
}

#[rstest]
#[case("2024-03-01", (2024, 3, 1))]
#[case("March 1st, 2024", (2024, 3, 1))]
#[case("1 March 2024", (2024, 3, 1))]
#[case("the 1st of March 2024", (2024, 3, 1))]
#[case("Friday, 1 March 2024", (2024, 3, 1))]
#[case("Mar. 1, 2024", (2024, 3, 1))]
#[case("2024 Sept 30", (2024, 9, 30))]
#[case("01-Mar-2024", (2024, 3, 1))]
#[case("2024/3/1", (2024, 3, 1))]
#[case("20240301", (2024, 3, 1))]
#[case("2024-03-01 00:00:00", (2024, 3, 1))]
#[case("2024-03-01T00:00:00.000Z", (2024, 3, 1))]
#[case("25/12/2024", (2024, 12, 25))]
#[case("12/25/2024", (2024, 12, 25))]
#[case("31.01.2024", (2024, 1, 31))]
#[case("05.03.2024", (2024, 3, 5))]
#[case("March 2024", (2024, 3, 1))]
#[case("2024-03", (2024, 3, 1))]
#[case("Q2 2024", (2024, 4, 1))]
#[case("2024-Q4", (2024, 10, 1))]
#[case("2024", (2024, 1, 1))]
fn dates(#[case] text: &str, #[case] (year, month, day): (i16, i8, i8)) {
    assert_eq!(DataType::Date.parse_value(text), Some(Value::Date(date(year, month, day))));
}

#[rstest]
#[case("03/04/2024")]
#[case("31 February 2024")]
#[case("20240231")]
#[case("2024-03-01 14:30:00")]
#[case("99990101")]
#[case("May")]
#[case("maybe 2024")]
#[case("version 2024")]
#[case("12")]
#[case("later")]
fn no_dates(#[case] text: &str) {
    assert_eq!(DataType::Date.parse_value(text), None);
}

#[rstest]
#[case("2024-03-01T14:30:00", "2024-03-01T14:30:00")]
#[case("2024-03-01 14:30", "2024-03-01T14:30:00")]
#[case("1 March 2024 at 2:30 pm", "2024-03-01T14:30:00")]
#[case("March 1, 2024, 12:05 a.m.", "2024-03-01T00:05:00")]
#[case("2024-03-01", "2024-03-01T00:00:00")]
fn local_datetimes(#[case] text: &str, #[case] expected: &str) {
    let expected: jiff::civil::DateTime = expected.parse().expect("a date");
    assert_eq!(DataType::DateTime.parse_value(text), Some(Value::LocalDateTime(expected)));
}

#[rstest]
#[case("2024-03-01T14:30:00Z")]
#[case("2024-03-01 14:30 UTC")]
#[case("2024-03-01 16:30:00+02:00")]
fn zoned_datetimes(#[case] text: &str) {
    let Some(Value::DateTime(zoned)) = DataType::DateTime.parse_value(text) else {
        panic!("{text} must be read")
    };
    assert_eq!(zoned.timestamp(), "2024-03-01T14:30:00Z".parse().expect("an instant"));
}

#[rstest]
#[case("PT1H30M", "PT1H30M")]
#[case("1 hour 30 minutes", "PT1H30M")]
#[case("-PT0.5S", "PT-0.5S")]
#[case("1 year 9000000000000 ms", "P1YT2500000H")]
#[case("1 hour and 30 minutes", "PT1H30M")]
#[case("45 min", "PT45M")]
#[case("2 weeks", "P14D")]
#[case("1 year 2 months", "P1Y2M")]
#[case("1500 ms", "PT1.5S")]
fn durations(#[case] text: &str, #[case] expected: &str) {
    let Some(Value::Duration(duration)) = DataType::Duration.parse_value(text) else {
        panic!("{text} must be read")
    };
    assert_eq!(duration.to_string(), expected);
}

#[test]
fn points_booleans_and_lists() {
    let Some(Value::Point(point)) = DataType::Point.parse_value("48.5° N, 2.25° W") else {
        panic!("a point")
    };
    assert_eq!((point.y, point.x, point.srid), (48.5, -2.25, 4326));
    assert_eq!(DataType::Boolean.parse_value("Yes"), Some(Value::Boolean(true)));
    assert_eq!(DataType::Boolean.parse_value("perhaps"), None);
    let numbers = DataType::List(Box::new(DataType::Integer));
    assert_eq!(numbers.parse_value("1, 2 and 3"), Some(Value::from(vec![1_i64, 2, 3])));
    assert_eq!(numbers.parse_value("1, x"), None);
}

#[test]
fn enums_take_the_spelling_of_the_ontology() {
    let ontology = parse(CATALOGUE).expect("reads");
    let language = &ontology.nodes["Service"].properties["language"];
    assert_eq!(language.parse_value("typescript"), Some(Value::from("TypeScript")));
    assert_eq!(language.accept(&Value::from("PYTHON")), Some(Value::from("Python")));
    assert_eq!(language.accept(&Value::from("Rust")), None);
}

proptest::proptest! {
    #[test]
    fn no_text_makes_parsing_panic(text in "\\PC{0,40}") {
        for kind in ["string", "integer", "float", "boolean", "date", "datetime", "duration", "point", "list of date"] {
            let kind: DataType = kind.parse().expect("a type");
            let _ = kind.parse_value(&text);
        }
    }
}

#[test]
fn what_is_complete_is_read_written_and_named() {
    let text = "nodes:\n  Service:\n    complete: true\n    properties:\n      tier: {type: integer, complete: true}\n      size: {}\nrelationships:\n  USES: {from: [Service], to: [Service], complete: true}\n";
    let ontology = Ontology::parse(text, Path::new("o.yaml")).unwrap();
    assert_eq!(ontology.complete_names(), ["Service", "Service.tier", "USES"]);
    let written = Ontology::parse(&ontology.to_yaml().unwrap(), Path::new("o.yaml")).unwrap();
    assert_eq!(written, ontology);
    assert_eq!(written.complete().complete_names(), ["Service", "Service.tier", "Service.size", "USES"]);
}
