//! Partners of brackets.

use crate::lexer::{Token, TokenKind};

/// Returns the index of each bracket's partner. Other tokens and brackets without a partner get
/// their own index.
///
/// A closing bracket closes the nearest open one of its kind; brackets opened since stay open.
pub(super) fn partners(tokens: &[Token]) -> Vec<u32> {
    let mut partners: Vec<u32> = (0..tokens.len() as u32).collect();
    let mut open: Vec<(u32, &str)> = Vec::new();
    // The number of open brackets of each kind spares the search for a closing bracket that closes
    // nothing.
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
            // Brackets opened since then stay without a partner.
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
