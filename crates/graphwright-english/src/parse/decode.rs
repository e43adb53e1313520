//! The tree that scores of arcs ask for: the best head of each word where that is a tree, else the best tree (Chu and Liu, Edmonds).

use ndarray::{Array2, ArrayView1, ArrayView2};

/// Taken off each arc from the root, so that the best tree has one.
const ROOT_COST: f64 = 1e6;

/// Returns the head of each word; word 0 is the root and its own head. `scores` is (dependent, head).
pub(super) fn heads(scores: &ArrayView2<'_, f32>) -> Vec<usize> {
    let greedy = best_heads(scores);
    if is_tree(&greedy) {
        return greedy;
    }
    let scores = Array2::from_shape_fn(scores.dim(), |(dependent, head)| match (dependent, head) {
        (dependent, head) if dependent == head => f64::NEG_INFINITY,
        (_, 0) => f64::from(scores[(dependent, 0)]) - ROOT_COST,
        at => f64::from(scores[at]),
    });
    best_tree(&scores)
}

/// The first of the best heads of each word but the root.
fn best_heads<Score: PartialOrd + Copy>(scores: &ArrayView2<'_, Score>) -> Vec<usize> {
    let best = |(dependent, row): (usize, ArrayView1<'_, Score>)| {
        if dependent == 0 {
            0
        } else {
            first_best(row.iter().copied().enumerate().filter(|(head, _)| *head != dependent))
        }
    };
    scores.rows().into_iter().enumerate().map(best).collect()
}

/// The index with the highest score, the first of equals; 0 of none.
fn first_best<Score: PartialOrd>(scored: impl Iterator<Item = (usize, Score)>) -> usize {
    scored.reduce(|best, next| if next.1 > best.1 { next } else { best }).map_or(0, |(index, _)| index)
}

fn is_tree(heads: &[usize]) -> bool {
    heads.iter().skip(1).filter(|head| **head == 0).count() == 1 && cycle(heads).is_none()
}

/// Finds a cycle of words.
fn cycle(heads: &[usize]) -> Option<Vec<usize>> {
    // The walk on which a word was met first; the root ends all of them.
    let mut met = vec![None; heads.len()];
    for start in 1..heads.len() {
        let mut at = start;
        while at != 0 && met[at].is_none() {
            met[at] = Some(start);
            at = heads[at];
        }
        if at != 0 && met[at] == Some(start) {
            let rest = std::iter::successors(Some(heads[at]), |word| Some(heads[*word]));
            return Some(std::iter::once(at).chain(rest.take_while(|word| *word != at)).collect());
        }
    }
    None
}

/// The best tree: a cycle among the best heads is taken as one word, which makes a smaller problem, and opened again where
/// the smaller tree enters it. The depth of the recursion is at most half the number of words.
fn best_tree(scores: &Array2<f64>) -> Vec<usize> {
    let mut heads = best_heads(&scores.view());
    let Some(cycle) = cycle(&heads) else { return heads };
    let outside: Vec<usize> = (0..heads.len()).filter(|word| !cycle.contains(word)).collect();
    let merged = outside.len();
    // For a word outside: the word of the cycle that is its best head. For a head outside: the word that it enters at.
    let exit = |word: usize| first_best(cycle.iter().map(|inner| (*inner, scores[(word, *inner)])));
    let gain = |inner: usize, head: usize| scores[(inner, head)] - scores[(inner, heads[inner])];
    let entry = |head: usize| first_best(cycle.iter().map(|inner| (*inner, gain(*inner, head))));
    let smaller = Array2::from_shape_fn((merged + 1, merged + 1), |(dependent, head)| {
        match (outside.get(dependent), outside.get(head)) {
            (Some(dependent), Some(head)) => scores[(*dependent, *head)],
            (Some(dependent), None) => scores[(*dependent, exit(*dependent))],
            (None, Some(head)) => gain(entry(*head), *head),
            (None, None) => f64::NEG_INFINITY,
        }
    });
    let solved = best_tree(&smaller);
    let entered_from = outside[solved[merged]];
    let entered = entry(entered_from);
    let opened: Vec<(usize, usize)> = outside
        .iter()
        .zip(&solved)
        .skip(1)
        .map(|(word, head)| (*word, outside.get(*head).copied().unwrap_or_else(|| exit(*word))))
        .chain([(entered, entered_from)])
        .collect();
    for (word, head) in opened {
        heads[word] = head;
    }
    heads
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn the_best_heads_stay_where_they_are_a_tree() {
        let scores = array![[0.0, 0.0, 0.0], [1.0, 9.0, 5.0], [7.0, 2.0, 9.0]];
        assert_eq!(heads(&scores.view()), [0, 2, 0], "a word is not its own head");
    }

    #[test]
    fn cycles_are_broken_where_it_costs_least() {
        let scores =
            array![[0.0, 0.0, 0.0, 0.0], [5.0, 0.0, 9.0, 1.0], [4.0, 9.0, 0.0, 1.0], [1.0, 2.0, 8.0, 0.0]];
        assert_eq!(heads(&scores.view()), [0, 0, 1, 2]);
    }

    #[test]
    fn one_word_hangs_on_the_root() {
        let scores = array![[0.0, 0.0, 0.0], [9.0, 0.0, 1.0], [8.0, 3.0, 0.0]];
        assert_eq!(heads(&scores.view()), [0, 0, 1]);
    }

    #[test]
    fn it_finds_the_best_of_all_trees() {
        let mut state = 7_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 65_536.0
        };
        for _ in 0..300 {
            let scores = Array2::from_shape_simple_fn((5, 5), &mut random);
            let sum = |heads: &[usize]| (1..5).map(|word| scores[(word, heads[word])]).sum::<f32>();
            let all =
                (0..5_usize.pow(4)).map(|code| vec![0, code % 5, code / 5 % 5, code / 25 % 5, code / 125]);
            let trees = all.filter(|heads| (1..5).all(|word| heads[word] != word) && is_tree(heads));
            let best = trees.map(|heads| sum(&heads)).fold(f32::MIN, f32::max);
            let ours = heads(&scores.view());
            assert!(is_tree(&ours) && sum(&ours) >= best - 1e-3, "{scores}: {ours:?}");
        }
    }
}
