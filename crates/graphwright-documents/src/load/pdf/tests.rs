use super::{
    blocks::to_markdown,
    lines::{Cell, Line},
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
            made.push(Line { page: number, y, size: *size, cells: cells.collect() });
        }
    }
    made
}

fn shown(lines: &[(f64, &str)]) -> String {
    to_markdown(page(1, lines))
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
        page(number, &[(10.0, "Harbour rules"), (10.0, ""), (10.0, &body), (10.0, ""), (10.0, &foot)])
    });
    let text = to_markdown(pages.collect());
    assert!(!text.contains("Harbour rules") && !text.contains("of 4"), "{text}");
    assert_eq!(text.matches("The text of page").count(), 4);
}
