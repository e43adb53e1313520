use std::time::Duration;

use super::{
    blocks::{Paged, to_markdown},
    lines::{Cell, Letter, Line, Lines},
};

/// Creates lines of 10-point letters, each 5 points wide, with 12 points from one line to the next.
/// `|` separates cells.
fn page(number: u32, lines: &[(f64, &str)]) -> Vec<Line> {
    let mut y = 800.0;
    let mut made = Vec::new();
    for (size, text) in lines {
        y -= 1.2 * size;
        let mut x = 50.0;
        let cells = text.split('|').map(|text| {
            let end = x + text.chars().count() as f64 * size / 2.0;
            let cell = Cell { start: x, end, text: text.trim().to_owned() };
            x = end + 2.0 * size;
            cell
        });
        if !text.is_empty() {
            let in_margin = !(100.0..700.0).contains(&y);
            made.push(Line { page: number, y, size: *size, in_margin, cells: cells.collect() });
        }
    }
    made
}

fn shown(lines: &[(f64, &str)]) -> String {
    to_markdown(page(1, lines)).text
}

#[test]
fn lines_of_a_paragraph_are_one() {
    let text = shown(&[
        (10.0, "The harbour office keeps the register of vessels and the dues that they pay for"),
        (10.0, "each tide. It opens at noon."),
        (10.0, "Dues are paid in coin, and the register is kept by the harbour master who lives nea-"),
        (10.0, "rby, as the well-known rules of the harbour say, on the quay of the upper basin."),
    ]);
    assert_eq!(
        text,
        "The harbour office keeps the register of vessels and the dues that they pay for each tide. It opens at noon.\n\n\
         Dues are paid in coin, and the register is kept by the harbour master who lives nearby, as the well-known rules \
         of the harbour say, on the quay of the upper basin.\n"
    );
}

#[test]
fn a_hyphen_stays_where_the_document_writes_it_elsewhere() {
    let text = shown(&[
        (10.0, "The ferry-house stands on the quay."),
        (10.0, ""),
        (10.0, "All of the passengers who come by the morning boat wait for it in the old ferry-"),
        (10.0, "house."),
    ]);
    assert!(text.ends_with("wait for it in the old ferry-house.\n"), "{text}");
}

#[test]
fn larger_letters_are_headings_and_marks_begin_items() {
    let text = shown(&[
        (20.0, "Harbour rules"),
        (14.0, "Moorings"),
        (10.0, "• Tie up at the quay, on both ends and with ropes of your own that hold in a gale of"),
        (10.0, "the usual force."),
        (10.0, "• Leave the crane free."),
    ]);
    assert_eq!(
        text,
        "# Harbour rules\n\n## Moorings\n\n- Tie up at the quay, on both ends and with ropes of your own that hold in a gale of the \
         usual force.\n- Leave the crane free.\n"
    );
}

#[test]
fn cells_stand_under_the_nearest_column() {
    let text = shown(&[
        (10.0, "Vessel      |Length|Owner        "),
        (10.0, "Grebe       |12    |Marsh         "),
        (10.0, "Whimbrel    |9     |Ada Lunt      "),
    ]);
    assert_eq!(
        text,
        "| Vessel | Length | Owner |\n| --- | --- | --- |\n| Grebe | 12 | Marsh |\n| Whimbrel | 9 | Ada Lunt |\n"
    );
}

#[test]
fn running_titles_and_page_numbers_are_left_out() {
    let pages = (1..=4).flat_map(|number| {
        let (foot, body) =
            (format!("page {number} of 4"), format!("The text of page {number}, and only of that one."));
        let lines = [
            (10.0, "Harbour rules"),
            (10.0, "Issue 7"),
            (300.0, ""),
            (10.0, &body),
            (250.0, ""),
            (10.0, &foot),
        ];
        page(number, &lines)
    });
    let text = to_markdown(pages.collect()).text;
    assert!(!["Harbour rules", "Issue", "of 4"].iter().any(|title| text.contains(title)), "{text}");
    assert_eq!(text.matches("The text of page").count(), 4);
}

#[test]
fn numbers_that_recur_in_the_middle_of_pages_stay() {
    let pages = (1..=4).flat_map(|number| {
        let mut lines = page(number, &[(10.0, &format!("{number}0 boats")), (10.0, "Landed")]);
        for line in &mut lines {
            line.in_margin = false;
        }
        lines
    });
    assert_eq!(to_markdown(pages.collect()).text, "10 boats\n\n20 boats\n\n30 boats\n\n40 boats\n");
}

#[test]
fn pages_begin_where_their_first_line_stands_in_the_text() {
    let mut lines =
        page(1, &[(20.0, "Harbour rules"), (10.0, "A word that is parted goes on over the head-")]);
    lines.extend(page(
        2,
        &[(10.0, "land, and here it ends."), (10.0, ""), (10.0, "Boat|Owner"), (10.0, "Tern|Ada")],
    ));
    lines.extend(page(4, &[(10.0, "Kite|Bo")]));
    let Paged { text, starts } = to_markdown(lines);
    let begins: Vec<&str> = starts.iter().map(|at| text[*at..].split_whitespace().next().unwrap()).collect();
    assert_eq!(begins, ["#", "land,", "|", "|"], "{text}");
    assert_eq!(&text[starts[1]..starts[1] + 12], "land, and he");
    assert!(
        text.contains("over the headland, and") && text[starts[3]..].starts_with("| Kite | Bo |"),
        "{text}"
    );
}

/// Sets letters side by side, each 5 points wide, with this much between them and 4 more for a space.
fn set(text: &str, apart: f64) -> String {
    let mut lines = Lines::new(1, 800.0);
    let mut x = 50.0;
    for letter in text.chars() {
        if letter == ' ' {
            x += 4.0;
            continue;
        }
        let text = letter.to_string();
        lines.add(Letter { at: (x, 400.0), width: 5.0, size: 10.0, direction: (1.0, 0.0), text });
        x += 5.0 + apart;
    }
    lines.finish().iter().map(Line::text).collect::<Vec<_>>().join("\n")
}

#[test]
fn letters_that_are_spaced_out_make_the_same_words() {
    for apart in [-0.3, 0.0, 1.0, 3.0] {
        assert_eq!(set("Rules of the harbour", apart), "Rules of the harbour", "{apart} points apart");
    }
    assert_eq!(set("well\u{ad}known head\u{ad}", 0.0), "well-known head\u{ad}");
}

/// Creates a file of one page with base fonts, without a table of where its objects stand.
fn pdf(content: &str) -> Vec<u8> {
    let length = content.len();
    format!(
        "%PDF-1.4\n1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj\n\
         2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj\n\
         3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources <</Font <</F 5 0 R>>>>>> endobj\n\
         4 0 obj <</Length {length}>> stream\n{content}\nendstream endobj\n\
         5 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding <</Type /Encoding \
         /Differences [1 /fi 2 /mystery]>>>> endobj\ntrailer <</Root 1 0 R>>\n"
    )
    .into_bytes()
}

fn read(content: &str) -> (String, Option<String>) {
    let pages = super::to_markdown(&pdf(content), Duration::from_mins(1)).unwrap();
    (pages.text, pages.remark)
}

#[test]
fn ligatures_are_taken_apart_and_every_way_to_show_text_is_read() {
    let content = "BT /F 10 Tf 12 TL 50 700 Td (Of\\001ce hours are) Tj (long and the of\\001ce is) ' 1 0 (open.) \" ET";
    assert_eq!(read(content), ("Office hours are long and the office is open.\n".to_owned(), None));
}

#[test]
fn what_is_drawn_twice_to_look_bold_is_read_once() {
    let content = "BT /F 10 Tf 50 700 Td (Tide tables) Tj ET BT /F 10 Tf 50.2 700 Td (Tide tables) Tj ET";
    assert_eq!(read(content).0, "Tide tables\n");
}

#[test]
fn letters_that_nothing_tells_are_left_out_and_counted() {
    let remark = "2 of its 11 letters (page 1) were left out, as it does not say which they are";
    let content = "BT /F 10 Tf 50 700 Td (\\002\\002 Open noon.) Tj ET";
    assert_eq!(read(content), ("Open noon.\n".to_owned(), Some(remark.to_owned())));
}
