//! Verbs and their forms.

use std::ops::BitOr;

use super::{irregular::IRREGULAR, is_vowel, with_s};

/// The forms that a word may be of its verb; several at once if they look alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Form(u8);

impl Form {
    /// `write`.
    pub const BASE: Self = Self(1);
    /// `writes`.
    pub const THIRD: Self = Self(2);
    /// `wrote`.
    pub const PAST: Self = Self(4);
    /// `written`.
    pub const PARTICIPLE: Self = Self(8);
    /// `writing`.
    pub const GERUND: Self = Self(16);

    /// Tells whether it may be one of these forms.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOr for Form {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Doubles the last consonant as before `-ed`, `-ing` and `-er`: `stop` → `stopp`. This happens
/// after one short vowel between single consonants. Returns `None` if nothing doubles.
pub fn doubled(base: &str) -> Option<String> {
    let bytes = base.as_bytes();
    let [.., first, middle, last] = bytes else { return None };
    let doubles = !is_vowel(*first)
        && is_vowel(*middle)
        && !is_vowel(*last)
        && !matches!(last, b'w' | b'x' | b'y' | b'h')
        && bytes.iter().all(u8::is_ascii);
    doubles.then(|| format!("{base}{}", char::from(*last)))
}

/// Lists all forms of a verb with what each may be. Both spellings are listed where a final
/// consonant may double.
pub fn forms(base: &str) -> Vec<(String, Form)> {
    let mut all = vec![(base.to_owned(), Form::BASE), (third_person(base), Form::THIRD)];
    let stem = base.strip_suffix('e').filter(|stem| !stem.ends_with(['e', 'o', 'y'])).unwrap_or(base);
    all.push((format!("{stem}ing"), Form::GERUND));
    if let Some(stem) = base.strip_suffix("ie") {
        all.push((format!("{stem}ying"), Form::GERUND));
    }
    if let Some(stem) = doubled(base) {
        all.push((format!("{stem}ing"), Form::GERUND));
    }
    if let Some(verb) = IRREGULAR.verb(base).filter(|verb| verb.base == base) {
        for participle in &verb.participles {
            all.push(((*participle).to_owned(), Form::PARTICIPLE));
        }
        match all.iter_mut().find(|(form, _)| form == verb.past) {
            Some((_, form)) => *form = *form | Form::PAST,
            None => all.push((verb.past.to_owned(), Form::PAST)),
        }
    } else {
        let both = Form::PAST | Form::PARTICIPLE;
        let bytes = base.as_bytes();
        if base.ends_with('e') {
            all.push((format!("{base}d"), both));
        } else if base.ends_with('y') && bytes.len() > 1 && !is_vowel(bytes[bytes.len() - 2]) {
            all.push((format!("{}ied", &base[..base.len() - 1]), both));
        } else {
            all.push((format!("{base}ed"), both));
            if let Some(stem) = doubled(base) {
                all.push((format!("{stem}ed"), both));
            }
        }
    }
    all
}

fn third_person(base: &str) -> String {
    match base {
        "have" => return "has".to_owned(),
        "be" => return "is".to_owned(),
        "go" | "do" => return format!("{base}es"),
        _ => {}
    }
    with_s(base)
}

/// Lists the bases that a verb form may have, likeliest first. Wrong guesses are not words and do
/// no harm.
pub fn bases(word: &str) -> Vec<String> {
    if let Some(base) = irregular_base(word) {
        return vec![base.to_owned()];
    }
    match word {
        "is" | "are" | "were" | "am" => return vec!["be".to_owned()],
        "has" => return vec!["have".to_owned()],
        _ => {}
    }
    if let Some(stem) = word.strip_suffix("ies").or_else(|| word.strip_suffix("ied")) {
        if stem.len() == 1 {
            return vec![format!("{stem}ie")];
        }
        return vec![format!("{stem}y")];
    }
    for ending in ["ed", "ing"] {
        let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() > 1) else { continue };
        let mut found = Vec::new();
        let bytes = stem.as_bytes();
        let twice = bytes.len() > 2 && bytes[bytes.len() - 1] == bytes[bytes.len() - 2];
        if twice && !stem.ends_with("ss") && !stem.ends_with("ll") {
            found.push(stem[..stem.len() - 1].to_owned());
        }
        found.push(format!("{stem}e"));
        found.push(stem.to_owned());
        if twice {
            found.push(stem[..stem.len() - 1].to_owned());
        }
        return found;
    }
    if word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") && word.len() > 2 {
        let stem = &word[..word.len() - 1];
        let mut found = vec![stem.to_owned()];
        if let Some(short) = stem.strip_suffix('e') {
            if ["ss", "x", "zz", "ch", "sh", "o"].iter().any(|ending| short.ends_with(ending)) {
                found.insert(0, short.to_owned());
            } else if short.ends_with(['s', 'z']) {
                found.push(short.to_owned());
            }
        }
        return found;
    }
    vec![word.to_owned()]
}

/// Returns the base of a verb that does not take `-ed`, from its base, past or past participle.
pub fn irregular_base(word: &str) -> Option<&'static str> {
    IRREGULAR.verb(word).map(|verb| verb.base)
}

/// Tells whether a word may be a past participle (`owned`, `written`, `run`).
pub fn is_participle(word: &str) -> bool {
    takes_ed(word) || IRREGULAR.is_participle(word)
}

/// Tells whether a word may be a past participle, and is not also the base of its verb as `run` is.
pub fn is_own_participle(word: &str) -> bool {
    is_participle(word) && irregular_base(word) != Some(word)
}

/// Tells whether a word may be a past or a past participle, and is not also the base of its verb.
pub fn is_own_past(word: &str) -> bool {
    is_own_participle(word) || is_irregular_past(word)
}

/// Tells whether a word may be the past of a verb (`owned`, `wrote`, `put`).
pub fn is_past(word: &str) -> bool {
    takes_ed(word) || IRREGULAR.is_past(word)
}

/// Tells whether a word is the past, and not also the base, of a verb that does not take `-ed`.
pub fn is_irregular_past(word: &str) -> bool {
    IRREGULAR.is_own_past(word)
}

fn takes_ed(word: &str) -> bool {
    word.len() > 3 && word.ends_with("ed") && !word.ends_with("eed")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(base: &str, word: &str, form: Form) -> bool {
        forms(base).iter().any(|(text, forms)| text == word && forms.has(form))
    }

    #[test]
    fn verbs_inflect() {
        assert!(has("depend", "depends", Form::THIRD));
        assert!(has("use", "using", Form::GERUND));
        assert!(has("write", "written", Form::PARTICIPLE));
        assert!(!has("write", "wrote", Form::PARTICIPLE));
        assert!(has("supply", "supplied", Form::PAST));
        assert!(has("ship", "shipped", Form::PARTICIPLE));
        assert!(has("hold", "held", Form::PAST) && has("hold", "held", Form::PARTICIPLE));
        assert!(has("bear", "born", Form::PARTICIPLE) && has("bear", "borne", Form::PARTICIPLE));
    }

    #[test]
    fn bases_are_found() {
        for (word, base) in [
            ("uses", "use"),
            ("managed", "manage"),
            ("written", "write"),
            ("processes", "process"),
            ("supplies", "supply"),
            ("shipping", "ship"),
            ("employs", "employ"),
            ("treated", "treat"),
            ("focuses", "focus"),
        ] {
            assert!(bases(word).iter().any(|found| found == base), "{word}: {:?}", bases(word));
        }
        assert_eq!(bases("supervises")[0], "supervise");
    }

    #[test]
    fn pasts_and_participles() {
        assert!(is_participle("used") && is_participle("written") && !is_participle("wrote"));
        assert!(is_past("used") && is_past("wrote") && !is_past("written"));
        assert!(!is_participle("need") && !is_past("feed"));
        assert!(is_participle("run") && is_past("put") && !is_irregular_past("put"));
        assert!(
            is_own_past("written")
                && is_own_past("wrote")
                && !is_own_past("put")
                && !is_own_participle("run")
        );
    }
}
