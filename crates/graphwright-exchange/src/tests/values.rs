//! Values at the edges: each comes back as it is, or is refused with its place.

use graphwright_embedded::OpenOptions;

use super::*;

/// Values as JSON Lines have them.
const KEPT: [&str; 34] = [
    "9223372036854775807",
    "-9223372036854775808",
    "0.1",
    "5e-324",
    "1.7976931348623157e308",
    "1e300",
    "-0.0",
    "1.0",
    r#"{"$type":"float","value":"NaN"}"#,
    r#"{"$type":"float","value":"-Infinity"}"#,
    r#"{"$type":"date","value":"1969-12-31"}"#,
    r#"{"$type":"date","value":"0000-01-01"}"#,
    r#"{"$type":"date","value":"1582-10-10"}"#,
    r#"{"$type":"date","value":"9999-12-31"}"#,
    r#"{"$type":"local_datetime","value":"1969-12-31T23:59:59.999999999"}"#,
    r#"{"$type":"local_datetime","value":"0001-01-01T00:00:00"}"#,
    r#"{"$type":"datetime","value":"1969-12-31T23:59:59.5Z"}"#,
    r#"{"$type":"datetime","value":"0001-01-01T00:00:00Z"}"#,
    r#"{"$type":"datetime","value":"1850-01-01T00:00:00+00:17:30[Europe/Amsterdam]"}"#,
    r#"{"$type":"datetime","value":"2020-10-25T02:30:00+01:00[Europe/Paris]"}"#,
    r#"{"$type":"datetime","value":"1969-12-31T23:59:59-18:00"}"#,
    r#"{"$type":"time","value":"23:59:59.999999999+18:00"}"#,
    r#"{"$type":"local_time","value":"00:00:00"}"#,
    r#"{"$type":"duration","value":"P-1Y"}"#,
    r#"{"$type":"duration","value":"PT-0.5S"}"#,
    r#"{"$type":"duration","value":"PT0.000000001S"}"#,
    r#"{"$type":"duration","value":"PT2562047788015215H30M7S"}"#,
    r#""a\u0000b""#,
    r#""""#,
    "[]",
    r#"[1,"a",null,[1.0]]"#,
    r#"{"a":{"b":1}}"#,
    "true",
    r#"{"$type":"point","srid":4326,"x":-180.0,"y":90.0}"#,
];

const REFUSED: [&str; 17] = [
    "9223372036854775808",
    "-9223372036854775809",
    "123456789012345678901234567890",
    "[1, -99999999999999999999]",
    "1e400",
    "-1e400",
    "1e-400",
    "NaN",
    "Infinity",
    r#"{"$type":"date","value":"-0001-01-01"}"#,
    r#"{"$type":"date","value":"10000-01-01"}"#,
    r#"{"$type":"date","value":"2023-02-29"}"#,
    r#"{"$type":"datetime","value":"9999-12-31T23:59:59Z"}"#,
    r#"{"$type":"local_time","value":"23:59:60"}"#,
    r#"{"$type":"local_datetime","value":"2016-12-31T23:59:60"}"#,
    r#"{"$type":"duration","value":"PT9223372036854775808S"}"#,
    r#"{"$type":"duration","value":"P2147483648M"}"#,
];

fn lines(properties: &str) -> String {
    format!(
        "{{\"graphwright\":1,\"graph\":\"g\"}}\n{{\"node\":\"1\",\"labels\":[\"A\"],\"properties\":{properties}}}\n{{\"end\":{{\"nodes\":1,\"relationships\":0,\"vectors\":0}}}}"
    )
}

async fn exported(store: &EmbeddedStore, path: &Path) -> String {
    export_file(store, path, FileForm::JsonLines, &ExportOptions::default(), &mut |_| {}).await.unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().find(|line| line.starts_with("{\"node\"")).unwrap().to_owned()
}

#[tokio::test]
async fn json_lines_keep_a_value_or_refuse_it_with_its_line() {
    for value in KEPT {
        let folder = tempfile::tempdir().unwrap();
        let open = || EmbeddedStore::open(folder.path().join("store"), OpenOptions::writer());
        let file = lines(&format!("{{\"p\":{value},\"\":{value}}}"));
        import_texts(&open().await.unwrap(), &[("g.jsonl", &file)]).await.unwrap();
        // Opened again, so that it is what the files of the store hold.
        let first = exported(&open().await.unwrap(), &folder.path().join("first.jsonl")).await;
        let copy = EmbeddedStore::in_memory();
        import_all(&copy, &[folder.path().join("first.jsonl")], &ImportOptions::default()).await.unwrap();
        let second = exported(&copy, &folder.path().join("second.jsonl")).await;
        assert!(
            first.contains(&format!("\"p\":{value}").replace("e308", "e+308").replace("e300", "e+300")),
            "{value}: {first}"
        );
        let properties = |line: &str| line.split_once("\"properties\"").unwrap().1.to_owned();
        assert_eq!(properties(&first), properties(&second));
    }
    for value in REFUSED {
        let message = problem(&[("g.jsonl", &lines(&format!("{{\"p\":{value}}}")))]).await;
        assert!(
            message.starts_with("g.jsonl, line 2") || message.contains("not supported"),
            "{value}: {message}"
        );
    }
}

#[tokio::test]
async fn csv_keeps_a_value_or_refuses_it_with_its_row_and_column() {
    for value in KEPT {
        let store = EmbeddedStore::in_memory();
        import_texts(&store, &[("g.jsonl", &lines(&format!("{{\"p\":{value}}}")))]).await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        let report = export_csv(&store, &target, &ExportOptions::default(), &mut |_| {}).await.unwrap();
        if !report.losses.is_empty() {
            assert!(
                value.starts_with(['[', '{']) && report.losses[0].contains("cannot hold"),
                "{value}: {report:?}"
            );
            continue;
        }
        let copy = EmbeddedStore::in_memory();
        import_all(&copy, &[target], &ImportOptions::default()).await.unwrap();
        assert_eq!(contents(&copy).await, contents(&store).await, "{value}");
    }
    for (kind, value) in [
        ("long", "9223372036854775808"),
        ("long", "1.5"),
        ("double", "1e400"),
        ("double", "-1e-400"),
        ("double[]", "1;1e400"),
        ("date", "-0001-01-01"),
        ("date", "10000-01-01"),
        ("localtime", "23:59:60"),
        ("localdatetime", "2016-12-31T23:59:60"),
        ("datetime", "2016-12-31T23:59:60Z"),
        ("datetime", "9999-12-31T23:59:59Z"),
        ("point", "{x: 1e400, y: 1}"),
        ("point", "{x: 1, y: 1, crs: flat}"),
    ] {
        let message = problem(&[("A.csv", &format!("id:ID,:LABEL,p:{kind}\n1,A,\"{value}\""))]).await;
        assert!(message.starts_with(&format!("A.csv, line 2, column `p:{kind}`")), "{message}");
    }
    let message = problem(&[("A.csv", "id:ID,:LABEL,:long\n1,A,1")]).await;
    assert!(message.starts_with("A.csv, line 1, column 3"), "{message}");
}
