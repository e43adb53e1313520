//! Shrinking of a query on which the stores differ, and of its graph.

use graphwright_core::Result;

use crate::{
    case::Case,
    generate::Query,
    pair::{Pair, Verdict},
};

/// The most smaller queries that are tried. Graphs may use as many tries again.
const TRIES: usize = 600;

/// Returns the smallest case found that is still wrong, and the difference.
pub(crate) async fn shrink(pair: &mut Pair, query: Query, how: String) -> Result<(Case, String)> {
    let whole = pair.graph().clone();
    let mut case = Case { query: query.tree.to_string(), parameters: query.parameters, graph: whole.clone() };
    let mut how = how;
    let mut tree = query.tree;
    let mut tries = 0;
    let mut place = 0;
    loop {
        let smaller = tree.smaller();
        let Some(candidate) = smaller.get(place).filter(|_| tries < TRIES) else {
            break;
        };
        tries += 1;
        let tried = Case { query: candidate.to_string(), ..case.clone() };
        match still_wrong(pair, &tried, &how).await? {
            Some(now) => {
                (how, case, tree) = (now, tried, candidate.clone());
                // What came just before may be removable now.
                place = place.saturating_sub(1);
            }
            None => place += 1,
        }
    }
    case.parameters.retain(|name, _| case.query.contains(&format!("${name}")));
    place = 0;
    while let Some(graph) = case.graph.smaller().into_iter().nth(place).filter(|_| tries < 2 * TRIES) {
        tries += 1;
        let tried = Case { graph, ..case.clone() };
        match still_wrong(pair, &tried, &how).await? {
            Some(now) => (how, case) = (now, tried),
            None => place += 1,
        }
    }
    pair.change(whole).await?;
    Ok((case, how))
}

/// Runs a case and returns its difference, if it is still wrong in the same way: in its rows, or by
/// an error with the same beginning.
async fn still_wrong(pair: &mut Pair, case: &Case, how: &str) -> Result<Option<String>> {
    Ok(match pair.judge_case(case).await? {
        Verdict::Wrong(now) if errors(&now) == errors(how) => Some(now),
        _ => None,
    })
}

/// Returns the beginnings of the errors in a difference.
fn errors(how: &str) -> Vec<String> {
    how.split("fails (").skip(1).map(|error| error.chars().take(40).collect()).collect()
}
