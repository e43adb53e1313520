//! English inflection: the forms of a verb, and nouns in singular and plural.

use std::ops::BitOr;

/// The forms in which a verb may stand; several at once where they look alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Form(u8);

impl Form {
    pub(super) const BASE: Self = Self(1);
    pub(super) const THIRD: Self = Self(2);
    pub(super) const PAST: Self = Self(4);
    pub(super) const PARTICIPLE: Self = Self(8);
    pub(super) const GERUND: Self = Self(16);

    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOr for Form {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Base, past and participle of verbs that do not take `-ed`.
const IRREGULAR: &[(&str, &str, &str)] = &[
    ("be", "was", "been"),
    ("become", "became", "become"),
    ("begin", "began", "begun"),
    ("bind", "bound", "bound"),
    ("bear", "bore", "born"),
    ("break", "broke", "broken"),
    ("bring", "brought", "brought"),
    ("build", "built", "built"),
    ("buy", "bought", "bought"),
    ("catch", "caught", "caught"),
    ("choose", "chose", "chosen"),
    ("come", "came", "come"),
    ("cost", "cost", "cost"),
    ("cut", "cut", "cut"),
    ("deal", "dealt", "dealt"),
    ("do", "did", "done"),
    ("draw", "drew", "drawn"),
    ("drive", "drove", "driven"),
    ("eat", "ate", "eaten"),
    ("feed", "fed", "fed"),
    ("feel", "felt", "felt"),
    ("fight", "fought", "fought"),
    ("find", "found", "found"),
    ("fly", "flew", "flown"),
    ("get", "got", "got"),
    ("give", "gave", "given"),
    ("go", "went", "gone"),
    ("grow", "grew", "grown"),
    ("have", "had", "had"),
    ("hear", "heard", "heard"),
    ("hide", "hid", "hidden"),
    ("hold", "held", "held"),
    ("keep", "kept", "kept"),
    ("know", "knew", "known"),
    ("lay", "laid", "laid"),
    ("lead", "led", "led"),
    ("leave", "left", "left"),
    ("lend", "lent", "lent"),
    ("let", "let", "let"),
    ("lie", "lay", "lain"),
    ("lose", "lost", "lost"),
    ("make", "made", "made"),
    ("mean", "meant", "meant"),
    ("meet", "met", "met"),
    ("oversee", "oversaw", "overseen"),
    ("overlie", "overlay", "overlain"),
    ("pay", "paid", "paid"),
    ("put", "put", "put"),
    ("read", "read", "read"),
    ("rebuild", "rebuilt", "rebuilt"),
    ("ride", "rode", "ridden"),
    ("rise", "rose", "risen"),
    ("run", "ran", "run"),
    ("say", "said", "said"),
    ("see", "saw", "seen"),
    ("seek", "sought", "sought"),
    ("sell", "sold", "sold"),
    ("send", "sent", "sent"),
    ("set", "set", "set"),
    ("shoot", "shot", "shot"),
    ("show", "showed", "shown"),
    ("shut", "shut", "shut"),
    ("sing", "sang", "sung"),
    ("sit", "sat", "sat"),
    ("speak", "spoke", "spoken"),
    ("spend", "spent", "spent"),
    ("spin", "spun", "spun"),
    ("spread", "spread", "spread"),
    ("stand", "stood", "stood"),
    ("strike", "struck", "struck"),
    ("swim", "swam", "swum"),
    ("take", "took", "taken"),
    ("teach", "taught", "taught"),
    ("tell", "told", "told"),
    ("think", "thought", "thought"),
    ("throw", "threw", "thrown"),
    ("undergo", "underwent", "undergone"),
    ("understand", "understood", "understood"),
    ("undertake", "undertook", "undertaken"),
    ("wear", "wore", "worn"),
    ("win", "won", "won"),
    ("withdraw", "withdrew", "withdrawn"),
    ("write", "wrote", "written"),
];

const IRREGULAR_PLURALS: &[(&str, &str)] = &[
    ("person", "people"),
    ("child", "children"),
    ("man", "men"),
    ("woman", "women"),
    ("foot", "feet"),
    ("datum", "data"),
    ("analysis", "analyses"),
    ("diagnosis", "diagnoses"),
    ("prognosis", "prognoses"),
    ("basis", "bases"),
    ("thesis", "theses"),
    ("hypothesis", "hypotheses"),
    ("synthesis", "syntheses"),
    ("criterion", "criteria"),
    ("phenomenon", "phenomena"),
    ("medium", "media"),
    ("index", "indices"),
    ("staff", "staff"),
    ("series", "series"),
    ("species", "species"),
];

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u')
}

/// `stop` → `stopp`: one short vowel between single consonants doubles the last.
fn doubled(base: &str) -> Option<String> {
    let bytes = base.as_bytes();
    let [.., first, middle, last] = bytes else { return None };
    let doubles = !is_vowel(*first)
        && is_vowel(*middle)
        && !is_vowel(*last)
        && !matches!(last, b'w' | b'x' | b'y' | b'h')
        && bytes.iter().all(u8::is_ascii);
    doubles.then(|| format!("{base}{}", char::from(*last)))
}

/// All forms of a verb with what each may be. Both spellings are given where a final consonant may double.
pub(super) fn forms(base: &str) -> Vec<(String, Form)> {
    let mut all = vec![(base.to_owned(), Form::BASE), (third_person(base), Form::THIRD)];
    let stem = base.strip_suffix('e').filter(|stem| !stem.ends_with(['e', 'o', 'y'])).unwrap_or(base);
    all.push((format!("{stem}ing"), Form::GERUND));
    if let Some(stem) = base.strip_suffix("ie") {
        all.push((format!("{stem}ying"), Form::GERUND));
    }
    if let Some(stem) = doubled(base) {
        all.push((format!("{stem}ing"), Form::GERUND));
    }
    let irregular = IRREGULAR.iter().find(|(verb, ..)| *verb == base);
    if let Some((_, past, participle)) = irregular {
        if past == participle {
            all.push(((*past).to_owned(), Form::PAST | Form::PARTICIPLE));
        } else {
            all.push(((*past).to_owned(), Form::PAST));
            all.push(((*participle).to_owned(), Form::PARTICIPLE));
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
        _ => {}
    }
    plural_by_ending(base)
}

fn plural_by_ending(word: &str) -> String {
    let bytes = word.as_bytes();
    if word.ends_with('y') && bytes.len() > 1 && !is_vowel(bytes[bytes.len() - 2]) {
        return format!("{}ies", &word[..word.len() - 1]);
    }
    if ["s", "x", "z", "ch", "sh"].iter().any(|ending| word.ends_with(ending)) || word == "go" || word == "do"
    {
        return format!("{word}es");
    }
    format!("{word}s")
}

/// The bases that a verb form may have, likeliest first; wrong guesses are not words and do no harm.
pub(super) fn bases(word: &str) -> Vec<String> {
    if let Some((base, ..)) = IRREGULAR
        .iter()
        .find(|(base, past, participle)| *base == word || *past == word || *participle == word)
    {
        return vec![(*base).to_owned()];
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
        if let Some(short) = stem.strip_suffix('e')
            && ["s", "x", "z", "ch", "sh", "o"].iter().any(|ending| short.ends_with(ending))
        {
            found.insert(0, short.to_owned());
        }
        return found;
    }
    vec![word.to_owned()]
}

/// Whether a word looks like a past participle.
pub(super) fn is_participle(word: &str) -> bool {
    (word.len() > 4 && word.ends_with("ed"))
        || IRREGULAR.iter().any(|(base, _, participle)| *participle == word && *base != word)
}

/// Whether a word is the simple past of a verb that does not take `-ed`.
pub(super) fn is_irregular_past(word: &str) -> bool {
    IRREGULAR.iter().any(|(base, past, _)| *past == word && *base != word)
}

/// The singular of a noun; the word itself when it looks singular.
pub(super) fn singular(word: &str) -> String {
    if let Some((one, _)) = IRREGULAR_PLURALS.iter().find(|(_, many)| *many == word) {
        return (*one).to_owned();
    }
    if word.len() < 4 || word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") {
        return word.to_owned();
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    }
    for ending in ["sses", "xes", "ches", "shes", "zzes"] {
        if word.ends_with(ending) {
            return word[..word.len() - 2].to_owned();
        }
    }
    word.strip_suffix('s').unwrap_or(word).to_owned()
}

/// Whether a noun looks like a plural.
pub(super) fn is_plural(word: &str) -> bool {
    singular(word) != word
}

/// The words that may name who does what a verb says, or the doing: `own` → `owner`, `ownership`.
pub(super) fn agents(base: &str) -> Vec<String> {
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

/// The verbs that an agent noun may come from: `director` → `direct`, `composer` → `compose`.
pub(super) fn verbs_of_agent(noun: &str) -> Vec<String> {
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

/// The nouns that may name the doing itself: `depend` → `dependency`, `acquire` → `acquisition`.
pub(super) fn nominalisations(base: &str) -> Vec<String> {
    let stem = base.strip_suffix('e').unwrap_or(base);
    let mut found: Vec<String> =
        ["ment", "ship", "ance", "ence", "ency", "al", "ation", "ion", "ition", "age"]
            .iter()
            .map(|ending| format!("{stem}{ending}"))
            .collect();
    found.push(base.to_owned());
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
        ] {
            assert!(bases(word).iter().any(|found| found == base), "{word}: {:?}", bases(word));
        }
    }

    #[test]
    fn nouns_and_agents() {
        assert_eq!(singular("libraries"), "library");
        assert_eq!(singular("people"), "person");
        assert_eq!(singular("diagnoses"), "diagnosis");
        assert_eq!(singular("status"), "status");
        assert!(verbs_of_agent("director").contains(&"direct".to_owned()));
        assert!(verbs_of_agent("composer").contains(&"compose".to_owned()));
        assert!(nominalisations("depend").contains(&"dependency".to_owned()));
    }
}
