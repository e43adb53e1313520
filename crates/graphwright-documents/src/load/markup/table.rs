//! Tables of markup.

/// Writes rows as a table of Markdown; the first is the header.
pub(super) fn markdown(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let line = |cells: &Vec<String>| {
        let cells =
            (0..columns).map(|column| cells.get(column).map_or("", |cell| cell.trim()).replace('|', "\\|"));
        format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
    };
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    lines.insert(1.min(lines.len()), format!("|{}", " --- |".repeat(columns)));
    lines.join("\n")
}

/// Reads a grid: `+---+---+` between rows, whose cells may go on over several lines.
pub(super) fn grid(lines: &[&str]) -> Vec<Vec<String>> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut opens = true;
    for line in lines {
        if line.trim_start().starts_with('+') {
            opens = true;
            continue;
        }
        let inner = line.trim().trim_start_matches('|').trim_end_matches('|');
        add(&mut rows, inner.split('|').map(str::trim), std::mem::take(&mut opens));
    }
    rows
}

/// Reads a simple table, whose columns stand under the runs of `=` in its border.
pub(super) fn simple(lines: &[&str]) -> Vec<Vec<String>> {
    let Some(border) = lines.first() else { return Vec::new() };
    let starts: Vec<usize> = (0..border.len())
        .filter(|at| is_mark(border, *at) && (*at == 0 || !is_mark(border, *at - 1)))
        .collect();
    let mut rows: Vec<Vec<String>> = Vec::new();
    for line in lines.iter().filter(|line| !is_border(line) && !line.trim().is_empty()) {
        let letters: Vec<char> = line.chars().collect();
        let cells = starts.iter().enumerate().map(|(column, start)| {
            let end = starts.get(column + 1).copied().unwrap_or(letters.len()).min(letters.len());
            letters
                .get(*start..end.max(*start))
                .map(|cell| cell.iter().collect::<String>())
                .unwrap_or_default()
        });
        let cells: Vec<String> = cells.collect();
        // A row whose first cell is empty goes on with the one before.
        let opens = cells.first().is_some_and(|cell| !cell.trim().is_empty()) || rows.is_empty();
        add(&mut rows, cells.iter().map(|cell| cell.trim()), opens);
    }
    rows
}

/// Whether a line is the border of a simple table.
pub(super) fn is_border(line: &str) -> bool {
    let line = line.trim();
    let marks = |mark: char| line.chars().all(|letter| letter == mark || letter == ' ');
    line.len() > 2 && line.contains(' ') && (marks('=') || marks('-'))
}

fn is_mark(border: &str, at: usize) -> bool {
    border.as_bytes()[at] != b' '
}

/// Adds a row, or what goes on in the cells of the last one.
fn add<'c>(rows: &mut Vec<Vec<String>>, cells: impl Iterator<Item = &'c str>, opens: bool) {
    let Some(last) = rows.last_mut().filter(|_| !opens) else {
        rows.push(cells.map(str::to_owned).collect());
        return;
    };
    for (column, cell) in cells.enumerate().filter(|(_, cell)| !cell.is_empty()) {
        if column >= last.len() {
            last.resize(column + 1, String::new());
        }
        let own = &mut last[column];
        if !own.is_empty() {
            own.push(' ');
        }
        own.push_str(cell);
    }
}
