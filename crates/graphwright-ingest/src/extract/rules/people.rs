//! What says that a name is one of a person.

use super::{
    definitions, grammar,
    mentions::{Lexicon, Mention},
    proper,
    tokens::Token,
    values,
    vocabulary::{self, Vocabulary},
};

/// Nouns for people beside those that an ontology may use for a type.
const NOUNS: &str = " administrator admiral adviser advisor aide ambassador analyst apprentice archer architect \
    assistant astronaut aunt baker banker barrister bassist blacksmith boxer brewer brother builder butcher carpenter \
    cartoonist cellist chair choreographer clerk coach collector colleague commander composer conductor cook cousin \
    cricketer critic dancer daughter dealer designer diplomat diver donor drummer editor entrepreneur explorer \
    farmer father fellow filmmaker footballer founder friend gardener golfer governor graduate grandson \
    granddaughter guitarist hermit historian husband inspector inventor keeper king lecturer librarian magistrate \
    mason mathematician mayor mentor merchant midwife miller miner minister monk mother musician nephew niece \
    novelist nun parent philanthropist philosopher photographer pianist playwright poet politician potter preacher \
    presenter president priest principal producer programmer publican pupil queen ranger rapper rector rower runner \
    sailor secretary senator servant settler shepherd singer sister skier solicitor soldier son songwriter sprinter \
    steward surveyor swimmer tailor trader trainer translator treasurer trustee tutor uncle veteran violinist \
    volunteer warden weaver widow widower wife ";

/// Whether a noun is one for people.
fn is_person_noun(word: &str) -> bool {
    vocabulary::HUMAN.contains(&word)
        || NOUNS.contains(&format!(" {word} "))
        || word.len() > 6
            && ["ologist", "ician", "woman", "master"].iter().any(|ending| word.ends_with(ending))
        || word.len() > 5 && word.ends_with("ist")
        || word.ends_with("man") && word.len() > 5 && !matches!(word, "german" | "norman" | "ottoman")
}

/// The only type of people that an ontology has.
fn only_type(vocabulary: &Vocabulary) -> Option<usize> {
    let mut people = vocabulary.types.iter().enumerate().filter(|(_, kind)| kind.human).map(|(kind, _)| kind);
    people.next().filter(|_| people.next().is_none())
}

/// The type of a name that is one of a person: by a title, what follows it (`, a banker`, `was a sculptor`), or the
/// years of a life.
pub(super) fn kind_of(
    lexicon: Lexicon<'_>,
    text: &str,
    tokens: &[Token],
    mention: &Mention,
) -> Option<usize> {
    let kind = only_type(lexicon.vocabulary)?;
    let form = proper::is_person_name(lexicon, &mention.name);
    if form == Some(false) {
        return None;
    }
    let first = &tokens[mention.tokens.start];
    let titled = mention.tokens.len() > 1 && is_personal_title(&first.lower);
    (titled || form == Some(true) && is_described(text, tokens, mention.tokens.end)).then_some(kind)
}

/// Titles that only people have; `Captain` may begin the name of a place.
fn is_personal_title(word: &str) -> bool {
    matches!(
        word,
        "dr" | "mr"
            | "mrs"
            | "ms"
            | "miss"
            | "mx"
            | "prof"
            | "professor"
            | "sir"
            | "dame"
            | "cllr"
            | "councillor"
    )
}

/// Whether what follows a name speaks of a person.
fn is_described(text: &str, tokens: &[Token], at: usize) -> bool {
    let Some(mark) = tokens.get(at) else { return false };
    let after = if mark.lower == "(" {
        let Some(length) = tokens[at..].iter().position(|token| token.lower == ")") else { return false };
        let note = &text[tokens[at].start..tokens[at + length].end];
        let life = values::year_range(note.trim_matches(['(', ')'])).is_some_and(|(from, to)| to - from > 20);
        if life || tokens.get(at + 1).is_some_and(|token| matches!(token.lower.as_str(), "born" | "b")) {
            return true;
        }
        at + length + 1
    } else {
        at
    };
    let Some(mark) = tokens.get(after) else { return false };
    let article = tokens.get(after + 1).is_some_and(|token| grammar::is_determiner(&token.lower));
    let opens = match mark.lower.as_str() {
        "is" | "was" => article,
        "," | "(" | "—" | "–" => true,
        _ => false,
    };
    if !opens {
        return false;
    }
    if tokens.get(after + 1).is_some_and(|token| token.lower == "who") {
        return true;
    }
    let start = after + 1 + usize::from(article);
    definitions::head_of_phrase(tokens, start).is_some_and(|head| is_person_noun(&head.lower))
}
