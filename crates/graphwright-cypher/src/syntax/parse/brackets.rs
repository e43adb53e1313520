//! Which brackets belong together.

use crate::lexer::{Token, TokenKind};

/// For each bracket the index of its partner; for other tokens and brackets without a partner, their own. A closing
/// bracket closes the nearest open one of its kind; what was opened since stays open.
pub(super) fn partners(tokens: &[Token]) -> Vec<u32> {
    let mut partners: Vec<u32> = (0..tokens.len() as u32).collect();
    let mut open: Vec<(u32, &str)> = Vec::new();
    // How many are open of each kind, so that a closing bracket that closes nothing need not be searched for.
    let mut counts = [0_usize; 3];
    for (index, token) in tokens.iter().enumerate() {
        let TokenKind::Symbol(symbol) = token.kind else { continue };
        let (kind, opens, opening) = match symbol {
            "(" => (0, true, "("),
            "[" => (1, true, "["),
            "{" => (2, true, "{"),
            ")" => (0, false, "("),
            "]" => (1, false, "["),
            "}" => (2, false, "{"),
            _ => continue,
        };
        if opens {
            counts[kind] += 1;
            open.push((index as u32, opening));
        } else if counts[kind] > 0 {
            while let Some((partner, found)) = open.pop() {
                match found {
                    "(" => counts[0] -= 1,
                    "[" => counts[1] -= 1,
                    _ => counts[2] -= 1,
                }
                if found == opening {
                    partners[index] = partner;
                    partners[partner as usize] = index as u32;
                    break;
                }
            }
        }
    }
    partners
}
