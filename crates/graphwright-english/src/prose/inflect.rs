//! Derives nouns from verbs and verbs from nouns, beside English inflection.

use crate::inflection::{self, doubled};
pub use crate::inflection::{Form, bases, forms, is_irregular_past, is_plural};

/// Returns the singular of a noun, or the word itself if it looks singular.
pub fn singular(word: &str) -> String {
    inflection::singular(word).into_owned()
}

/// Tells whether a word looks like a past participle, and not like the base of its verb.
pub fn is_participle(word: &str) -> bool {
    inflection::is_participle(word) && inflection::irregular_base(word) != Some(word)
}

/// Lists words that may name who does what a verb says, or the act: `own` → `owner`, `ownership`.
pub fn agents(base: &str) -> Vec<String> {
    let stem = base.strip_suffix('e').unwrap_or(base);
    let stem_y = base.strip_suffix('y').map(|stem| format!("{stem}ier"));
    let mut found = vec![format!("{stem}er"), format!("{stem}or")];
    if let Some(stem) = doubled(base) {
        found.push(format!("{stem}er"));
    }
    found.extend(stem_y);
    let is_agent = matches!(
        base,
        "sponsor" | "lead" | "head" | "chair" | "host" | "coach" | "guard" | "guide" | "author" | "captain"
    );
    if is_agent {
        found.push(base.to_owned());
    }
    found
}

/// Lists the verbs that an agent noun may come from: `director` → `direct`, `composer` → `compose`.
pub fn verbs_of_agent(noun: &str) -> Vec<String> {
    let Some(stem) =
        noun.strip_suffix("er").or_else(|| noun.strip_suffix("or")).filter(|stem| stem.len() > 2)
    else {
        return Vec::new();
    };
    if let Some(stem) = stem.strip_suffix('i') {
        return vec![format!("{stem}y")];
    }
    let bytes = stem.as_bytes();
    if bytes[bytes.len() - 1] == bytes[bytes.len() - 2] && !stem.ends_with("ss") && !stem.ends_with("ll") {
        return vec![stem[..stem.len() - 1].to_owned()];
    }
    vec![stem.to_owned(), format!("{stem}e")]
}

/// Lists the nouns that may name the act itself: `depend` → `dependency`, `acquire` →
/// `acquisition`.
pub fn nominalisations(base: &str) -> Vec<String> {
    let stem = base.strip_suffix('e').unwrap_or(base);
    let mut found: Vec<String> =
        ["ment", "ship", "ance", "ence", "ency", "al", "ation", "ion", "ition", "age"]
            .iter()
            .map(|ending| format!("{stem}{ending}"))
            .collect();
    found.push(base.to_owned());
    found.push(format!("{base}y"));
    found.push(format!("{base}ment"));
    found.push(format!("{base}ship"));
    found.push(format!("{base}rship"));
    found.push(format!("{stem}ership"));
    if let Some(stem) = base.strip_suffix('y') {
        found.push(format!("{stem}iance"));
    }
    match base {
        "use" => found.push("usage".to_owned()),
        "acquire" => found.push("acquisition".to_owned()),
        "buy" => found.push("purchase".to_owned()),
        "maintain" => found.push("maintenance".to_owned()),
        "choose" => found.push("choice".to_owned()),
        "sell" => found.push("sale".to_owned()),
        "give" => found.push("gift".to_owned()),
        "lend" => found.push("loan".to_owned()),
        "treat" => found.push("treatment".to_owned()),
        _ => {}
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_and_their_nouns() {
        assert!(verbs_of_agent("director").contains(&"direct".to_owned()));
        assert!(verbs_of_agent("composer").contains(&"compose".to_owned()));
        assert!(nominalisations("depend").contains(&"dependency".to_owned()));
    }
}
