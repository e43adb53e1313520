use super::*;

/// The tables of a text, as lines.
fn show(blocks: &[Block]) -> String {
    let cell = |cell: &BlockText| match cell.items.len() {
        0 => cell.text.clone(),
        _ => cell.items.iter().map(|range| &cell.text[range.clone()]).collect::<Vec<_>>().join(" + "),
    };
    let row = |cells: &[BlockText]| cells.iter().map(cell).collect::<Vec<_>>().join(" | ");
    let mut shown = String::new();
    for block in blocks {
        match block {
            Block::Heading { text, .. } => shown.push_str(&format!("# {}\n", text.text)),
            Block::Table(table) => {
                let origin = if let Origin::Nested(key) = &table.origin { key } else { "" };
                shown.push_str(&format!("[{origin}] {}\n", row(&table.header)));
                table.rows.iter().for_each(|own| shown.push_str(&format!("  {}\n", row(&own.cells))));
            }
            _ => {}
        }
    }
    shown
}

#[test]
fn maps_are_parts_things_or_dictionaries() {
    let record = |name: &str, official: &str, languages: &str, currency: &str| {
        format!(
            r#"{{"name": {{"common": "{name}", "official": "{official}"}}, "borders": ["A", "B"], "area": 5.0,
                "languages": {languages}, "currency": {{"name": "{currency}", "symbol": "x"}}, "gone": null}}"#
        )
    };
    let records = [
        record("Aruba", "State of Aruba", r#"{"nld": "Dutch", "pap": "Papiamento"}"#, "florin"),
        record("Peru", "Republic of Peru", r#"{"spa": "Spanish"}"#, "sol"),
        record("Chad", "Republic of Chad", r#"{"fra": "French", "ara": "Arabic"}"#, "franc"),
        record("Iraq", "Republic of Iraq", r#"{"kur": "Sorani", "ara": "Arabic"}"#, "dinar"),
    ];
    insta::assert_snapshot!(show(&json(&format!("[{}]", records.join(",")))), @r#"
    [] name common | name official | borders | area | languages | currency
      Aruba | State of Aruba | A + B | 5.0 | Dutch + Papiamento | florin
      Peru | Republic of Peru | A + B | 5.0 | Spanish | sol
      Chad | Republic of Chad | A + B | 5.0 | French + Arabic | franc
      Iraq | Republic of Iraq | A + B | 5.0 | Sorani + Arabic | dinar
    [languages] name | id
      Dutch | nld
      Papiamento | pap
      Spanish | spa
      French | fra
      Arabic | ara
      Sorani | kur
      Arabic | ara
    [currency] name | symbol
      florin | x
      sol | x
      franc | x
      dinar | x
    "#);
}

#[test]
fn a_map_of_like_maps_is_a_list_by_its_keys() {
    let text =
        r#"{"title": "Prices", "goods": {"a1": {"price": 1}, "b2": {"price": 2}, "c3": {"price": 3}}}"#;
    insta::assert_snapshot!(show(&json(text)), @r#"
    [] title
      Prices
    # goods
    [] id | price
      a1 | 1
      b2 | 2
      c3 | 3
    "#);
}

#[test]
fn values_stand_where_they_are_written() {
    let text = r#"[{"id": 1, "name": "Joë \"J\"", "tags": ["x, y", "1"]}]"#;
    let blocks = json(text);
    let [Block::Table(table)] = blocks.as_slice() else { panic!("one table") };
    let shown: Vec<Vec<&str>> = table.rows[0]
        .cells
        .iter()
        .map(|cell| cell.items.iter().map(|range| &text[cell.span(range.clone()).range()]).collect())
        .collect();
    assert_eq!(shown, [vec!["1"], vec![r#""Joë \"J\"""#], vec!["x, y", "1"]]);
}

#[test]
fn lines_that_are_no_record_are_passed_over() {
    insta::assert_snapshot!(show(&json_lines("{\"a\": 1}\n\n[2]\nnull\n{\"a\": 3, \"b\": [{\"name\": \"n\"}]}\n")), @r#"
    [] a | b
      1 | 
      3 | n
    [b] name
      n
    "#);
}

#[test]
fn a_map_without_a_name_is_called_by_its_only_text() {
    let text = r#"[{"entity": "cow", "drops": [{"item": "rope", "share": 0.5}, {"item": "sail", "share": 1}]},
                   {"entity": "hen", "drops": [{"item": "oar", "share": 0.1}]}]"#;
    insta::assert_snapshot!(show(&json(text)), @r#"
    [] entity | drops
      cow | rope + sail
      hen | oar
    [drops] item | share
      rope | 0.5
      sail | 1
      oar | 0.1
    "#);
}

#[test]
fn a_map_says_by_false_that_there_is_no_such_thing() {
    let record = |name: &str, safari: &str| {
        format!(
            r#"{{"name": "{name}", "support": {{"chrome": {{"since": "85", "flags": false}}, "edge": {{"since": "86"}},
                "safari": {{"since": {safari}}}}}}}"#
        )
    };
    let records = [record("avif", "\"16\""), record("heif", "false")].join(",");
    insta::assert_snapshot!(show(&json(&format!("[{records}]"))), @r#"
    [] name | support
      avif | chrome + edge + safari
      heif | chrome + edge
    [support] id | since | flags
      chrome | 85 | false
      edge | 86 | 
      safari | 16 | 
      chrome | 85 | false
      edge | 86 | 
      safari | false | 
    "#);
}

#[test]
fn cells_with_doubled_quotation_marks_have_their_place() {
    let text = "id,name,year\n7,\"Texto \"\"Verdade\"\"\",1997\n";
    let [Block::Table(table)] = &csv(text)[..] else { panic!("no table") };
    let name = &table.rows[0].cells[1];
    assert_eq!(name.text, "Texto \"Verdade\"");
    assert_eq!(&text[name.span(0..name.text.len()).range()], "Texto \"\"Verdade\"\"");
    assert_eq!(&text[table.rows[0].cells[2].span(0..4).range()], "1997");
}

/// `id` and the coordinates of points are columns beside the properties.
#[test]
fn features_of_geojson_are_records() {
    let feature = |id: &str, name: &str, geometry: &str| {
        format!(
            r#"{{"type": "Feature", "id": "{id}", "properties": {{"name": "{name}"}}, "geometry": {geometry}}}"#
        )
    };
    let point = r#"{"type": "Point", "coordinates": [8.5, 47.4]}"#;
    let line = r#"{"type": "LineString", "coordinates": [[8.5, 47.4], [8.6, 47.5]]}"#;
    let features = [feature("a", "Mill", point), feature("b", "Road", line)];
    let collection = format!(r#"{{"type": "FeatureCollection", "features": [{}]}}"#, features.join(","));
    let lines = show(&json_lines(&features.join("\n")));
    insta::assert_snapshot!(show(&json(&collection)), @r"
    [] id | name | longitude | latitude
      a | Mill | 8.5 | 47.4
      b | Road |  | 
    ");
    assert_eq!(lines, show(&json(&collection)));
}

#[test]
fn fields_that_stand_under_one_key_are_those_of_the_record() {
    let fixture = r#"[
        {"model": "app.planet", "pk": 1, "fields": {"name": "Hoth", "moons": 3}},
        {"model": "app.film", "pk": 1, "fields": {"title": "Snow", "planets": [1, 2]}},
        {"model": "app.planet", "pk": 2, "fields": {"name": "Endor", "moons": 9}}]"#;
    insta::assert_snapshot!(show(&json(fixture)), @r"
    # planet
    [] name | moons | id
      Hoth | 3 | 1
      Endor | 9 | 2
    # film
    [] title | planets | id
      Snow | 1 + 2 | 1
    ");
    let resources = r#"{"data": [
        {"type": "articles", "id": "7", "attributes": {"title": "Snow"},
         "relationships": {"author": {"data": {"type": "people", "id": "9"}}, "tags": {"data": [{"type": "tags", "id": "2"}]}}},
        {"type": "articles", "id": "8", "attributes": {"title": "Rain"}, "relationships": {"author": {"data": null}}}]}"#;
    insta::assert_snapshot!(show(&json(resources)), @r"
    # articles
    [] title | id | author | tags
      Snow | 7 | 9 | 2
      Rain | 8 |  | 
    ");
    assert_eq!(show(&json(r#"[{"pk": 3, "fields": {"name": "Hoth"}}]"#)), "[] name | id\n  Hoth | 3\n");
    let weapons = r#"[{"name": "Axe", "type": "iron", "attributes": {"harm": 2}}, {"name": "Bow", "type": "wood", "attributes": {"harm": 3}}]"#;
    assert_eq!(show(&json(weapons)).lines().next(), Some("[] name | type | attributes harm"));
    // One map beside others is a part of the record.
    assert_eq!(
        show(&json(r#"[{"id": 1, "size": {"a": 2}}, {"id": 2, "size": {"a": 3}}]"#)).lines().count(),
        3
    );
}

#[test]
fn maps_may_say_one_thing_of_each_of_their_keys() {
    assert_eq!(show(&json(r#"{"1": "West", "2": "East"}"#)), "[] name | id\n  West | 1\n  East | 2\n");
    assert_eq!(show(&json(r#"{"111": 1, "112": 1}"#)), "[] value | id\n  1 | 111\n  1 | 112\n");
    let many = |value: &dyn Fn(usize) -> String| {
        let entries: Vec<String> = (0..16).map(|at| format!(r#""k{at}": {}"#, value(at))).collect();
        show(&json(&format!(r#"{{"calendars": {{{}}}}}"#, entries.join(", "))))
    };
    let first_lines = |shown: String| shown.lines().take(3).map(str::to_owned).collect::<Vec<_>>().join("/");
    assert_eq!(first_lines(many(&|at| format!(r#""Name {at}""#))), "# calendars/[] name | id/  Name 0 | k0");
    assert_eq!(
        first_lines(many(&|_| r#"["gregorian", "islamic"]"#.to_owned())),
        "# calendars/[] value | id/  gregorian + islamic | k0"
    );
    // The fields of a record are few, or of several kinds, and texts are no names.
    assert_eq!(show(&json(r#"{"host": "a", "user": "b"}"#)).lines().count(), 2);
    let is_record = |shown: String| shown.lines().count() == 3;
    assert!(is_record(many(&|at| if at == 0 { "7".to_owned() } else { format!(r#""Name {at}""#) })));
    assert!(is_record(many(&|at| format!(r#""{}{at}""#, "word ".repeat(30)))));
}

#[test]
fn a_name_in_several_languages_is_one_name() {
    let text =
        r#"[{"id": "gent", "name": {"nl": "Gent", "fr": "Gand"}}, {"id": "mons", "name": {"fr": "Mons"}}]"#;
    insta::assert_snapshot!(show(&json(text)), @r#"
    [] id | name | aliases | name nl | name fr
      gent | Gent | Gand | Gent | Gand
      mons | Mons |  |  | Mons
    "#);
    insta::assert_snapshot!(show(&csv("id,title_fr,title_en\n1,Lièvre,Hare\n2,Loup,\n")), @r#"
    [] id | title | aliases | title_fr | title_en
      1 | Hare | Lièvre | Lièvre | Hare
      2 | Loup |  | Loup |
    "#);
    insta::assert_snapshot!(show(&csv("id,name,name_fr,name_de,site_fr,site_de\n1,Basel,Bâle,Basel,,x.de\n")), @r#"
    [] id | name | aliases | name_fr | name_de | site | site_fr | site_de
      1 | Basel | Bâle | Bâle | Basel | x.de |  | x.de
    "#);
    insta::assert_snapshot!(show(&csv("name_fr,site_fr,name_de,site_de,name\nBâle,x.fr,Basel,x.de,Basle\n")), @r#"
    [] aliases | name_fr | site | site_fr | name_de | site_de | name
      Bâle + Basel | Bâle | x.fr | x.fr | Basel | x.de | Basle
    "#);
    assert!(
        show(&csv("place,speakers_fr,speakers_de\nBasel,2.1,90\n"))
            .starts_with("[] place | speakers_fr | speakers_de\n")
    );
    insta::assert_snapshot!(show(&csv("id,place,name_fr,name_de,size\n1\n")), @r#"
    [] id | place | name | aliases | name_fr | name_de | size
      1 |  |  |
    "#);
    // The number of a title is in no language.
    insta::assert_snapshot!(show(&csv("title,title_no\nHare,1\n")), @r#"
    [] title | title_no
      Hare | 1
    "#);
}

#[test]
fn values_that_say_what_they_are_are_columns() {
    let text = r#"[{"name": "Ada", "contacts": [{"type": "phone", "value": "1"}, {"type": "email", "value": "a@b"}]},
                   {"name": "Bob", "contacts": [{"type": "phone", "value": "2"}, {"type": "phone", "value": "3"}]}]"#;
    insta::assert_snapshot!(show(&json(text)), @r#"
    [] name | contacts phone | contacts email
      Ada | 1 | a@b
      Bob | 2 + 3 |
    "#);
    let text = r#"[{"name": "Ada", "contacts": [{"type": "phone", "value": "1", "of": "home"}]},
                   {"name": "Bob", "contacts": [{"type": "phone", "value": "2", "of": "work"}]}]"#;
    insta::assert_snapshot!(show(&json(text)), @r#"
    [] name | contacts phone
      Ada | 1
      Bob | 2
    [contacts] type | value | of
      phone | 1 | home
      phone | 2 | work
    "#);
}

#[test]
fn a_list_under_a_word_for_lists_is_called_as_the_file() {
    insta::assert_snapshot!(show(&json(r#"{"count": 2, "items": [{"name": "hare"}, {"name": "wolf"}]}"#)), @r#"
    [] count
      2
    [] name
      hare
      wolf
    "#);
    insta::assert_snapshot!(show(&json(r#"{"items": [{"name": "hare"}], "places": [{"name": "den"}]}"#)), @r#"
    # items
    [] name
      hare
    # places
    [] name
      den
    "#);
}

#[test]
fn maps_of_one_key_are_what_stands_under_it() {
    let text = r#"[{"name": "Cave", "ways": [{"area": "a1"}, {"area": "a2"}]}, {"name": "Hall", "ways": [{"area": "a1"}]}]"#;
    insta::assert_snapshot!(show(&json(text)), @r#"
    [] name | ways
      Cave | a1 + a2
      Hall | a1
    "#);
}
