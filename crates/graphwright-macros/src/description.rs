//! Doc comments as a model reads them.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// Reads the text of doc comments up to the first heading, each paragraph on one line.
///
/// Headings (`# Errors` and the like) are for programmers.
pub(crate) fn read(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(line);
    let text = lines.collect::<Vec<_>>().join("\n");
    let mut description = String::new();
    for line in text.lines().map(str::trim).take_while(|line| !line.starts_with("# ")) {
        match (line.is_empty(), description.is_empty() || description.ends_with('\n')) {
            (true, false) => description.push('\n'),
            // A list keeps its lines.
            (false, false) if line.starts_with(['-', '*']) => description.push('\n'),
            (false, false) => description.push(' '),
            (_, true) => {}
        }
        description.push_str(line);
    }
    description.trim_end().to_owned()
}

/// Returns whether an attribute is a doc comment.
pub(crate) fn is_doc(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc")
}

fn line(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attribute.meta else { return None };
    match &pair.value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) if is_doc(attribute) => Some(text.value()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use syn::{ItemFn, parse_quote};

    use super::*;

    #[test]
    fn paragraphs_become_lines_and_headings_end_the_text() {
        let function: ItemFn = parse_quote! {
            /// Finds things
            /// by name.
            ///
            /// Says:
            /// - what it is
            /// - where it is
            ///
            /// # Errors
            /// When there is none.
            #[inline]
            fn find() {}
        };
        assert_eq!(read(&function.attrs), "Finds things by name.\nSays:\n- what it is\n- where it is");
    }
}
