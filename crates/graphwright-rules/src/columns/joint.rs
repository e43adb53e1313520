//! Columns that refer together to one thing, by what identifies it together (composite keys).

/// What a header says beside that of the key that its column refers to: `winner` of `teamIDwinner`. `None` if it does not
/// begin or end with it.
pub(crate) fn role<'h>(header: &'h str, key: &str) -> Option<&'h str> {
    let (length, whole) = (key.len(), header.len());
    let is_key = |part: Option<&str>| part.is_some_and(|part| part.eq_ignore_ascii_case(key));
    let apart = |at: usize| {
        let (before, after) = (header[..at].chars().next_back(), header[at..].chars().next());
        match (before, after) {
            (Some(before), Some(after)) => {
                !before.is_alphanumeric()
                    || !after.is_alphanumeric()
                    || before.is_uppercase() != after.is_uppercase()
            }
            _ => true,
        }
    };
    if is_key(header.get(..length)) && apart(length) {
        return Some(&header[length..]);
    }
    let at = whole.checked_sub(length)?;
    (is_key(header.get(at..)) && apart(at)).then(|| &header[..at])
}

/// Each way to take one of each, no two of one column.
pub(crate) fn choices<'h>(of: &[Vec<(usize, &'h str)>]) -> Vec<Vec<(usize, &'h str)>> {
    of.iter().fold(vec![Vec::new()], |chosen, next| {
        let with = |known: &Vec<(usize, &'h str)>| {
            let others = next.iter().filter(|(column, _)| known.iter().all(|(taken, _)| taken != column));
            others.map(|one| [known.as_slice(), &[*one]].concat()).collect::<Vec<_>>()
        };
        chosen.iter().flat_map(with).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_say_a_role_beside_the_key() {
        assert_eq!(role("teamIDwinner", "teamID"), Some("winner"));
        assert_eq!(role("home_team", "team"), Some("home_"));
        assert_eq!(role("teamID", "teamID"), Some(""));
        assert_eq!((role("steam", "team"), role("teams", "team"), role("t", "team")), (None, None, None));
    }

    #[test]
    fn no_column_is_taken_twice() {
        let of = [vec![(0, ""), (1, "")], vec![(1, ""), (2, "")]];
        let columns =
            |chosen: Vec<(usize, &str)>| chosen.into_iter().map(|(column, _)| column).collect::<Vec<_>>();
        let chosen: Vec<Vec<usize>> = choices(&of).into_iter().map(columns).collect();
        assert_eq!(chosen, [[0, 1], [0, 2], [1, 2]]);
    }
}
