//! The files of words in `data/`.

/// Returns the lines of a file, each with the name of the section (`[name]`) in which it stands. `#` begins a comment.
pub(crate) fn lines(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut section = "";
    let lines = file.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.filter_map(move |line| match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
        Some(name) => {
            section = name;
            None
        }
        None => Some((section, line)),
    })
}
