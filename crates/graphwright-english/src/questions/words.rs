//! Words with a fixed role in a question.

use crate::word_class;

word_class! {
    /// Matches forms of `be`.
    pub is_be:
    "is" "are" "was" "were" "be" "been" "being" "am" "isnt" "arent" "wasnt" "werent"
}

word_class! {
    /// Matches forms of `have`.
    pub is_have:
    "has" "have" "had" "having" "hasnt" "havent" "hadnt"
}

word_class! {
    /// Matches forms of `do`.
    pub is_do:
    "do" "does" "did" "dont" "doesnt" "didnt" "done"
}

/// Tells whether a verb helps another verb.
pub fn is_auxiliary(word: &str) -> bool {
    is_be(word) || is_have(word) || is_do(word) || is_modal(word)
}

word_class! {
    /// Matches auxiliaries besides `be`, `have` and `do`.
    is_modal:
    "can" "could" "will" "would" "shall" "should" "may" "might" "must" "cannot" "cant" "wont"
}

word_class! {
    /// Matches articles and other words before a noun.
    pub is_determiner:
    "a" "an" "the" "this" "that" "these" "those" "each" "every" "all" "any" "some" "both" "such" "its" "their" "his"
    "her" "our" "your" "my"
}

word_class! {
    /// Matches prepositions.
    pub is_preposition:
    "of" "in" "on" "at" "by" "for" "from" "to" "with" "within" "into" "onto" "over" "under" "about" "through" "via"
    "during" "between" "among" "as" "per" "near" "against" "upon" "across" "toward" "towards" "out" "up" "off"
    "inside" "outside" "behind" "around" "after"
}

word_class! {
    /// Matches words that begin a relative clause or ask.
    pub is_relative:
    "that" "which" "who" "whom" "whose" "where" "when" "what"
}

word_class! {
    /// Matches words that turn a statement into its opposite.
    pub is_negation:
    "not" "never" "no" "without" "neither" "nor" "isnt" "arent" "wasnt" "werent" "dont" "doesnt" "didnt" "hasnt"
    "havent" "hadnt" "cannot" "cant" "lack" "lacks" "lacking"
}

/// Tells whether a word carries no meaning to look up in a graph.
pub fn is_filler(word: &str) -> bool {
    is_auxiliary(word)
        || is_determiner(word)
        || is_preposition(word)
        || is_relative(word)
        || is_negation(word)
        || is_light(word)
        || is_empty(word)
}

word_class! {
    /// Matches other words that carry no meaning to look up.
    is_empty:
    "'s" "i" "me" "us" "we" "you" "he" "she" "it" "they" "them" "there" "here" "and" "or" "but" "too" "then" "than"
    "please" "tell" "give" "list" "show" "name" "names" "find" "return" "get" "identify" "many" "much" "how" "why"
    "current" "today" "already" "exactly" "just" "actually" "really" "ever" "so" "far" "else" "other" "others"
    "another" "different" "following" "particular" "certain" "specific" "kind" "kinds" "type" "types" "sort" "number"
    "count" "total" "thing" "things" "one" "ones" "anything" "something" "nothing" "anyone" "someone" "everyone"
    "everything" "know" "if" "whether" "either" "directly" "indirectly" "transitively" "own" "want" "like" "graph"
    "data" "records" "according" "documents" "say" "says" "said" "mentioned" "respectively" "together" "exist"
    "exists" "s" "t" "except" "excluding" "besides" "while" "because" "lasted" "took" "happened" "name's" "whats"
    "whos" "et" "al"
}

word_class! {
    /// Matches words between the question word and the noun that say nothing of the noun: `who is
    /// listed as the director`.
    pub is_light:
    "as" "listed" "primary" "main" "principal" "overall" "exact" "full" "credited" "named" "called" "known" "given"
    "currently" "now" "also" "still" "only"
}

word_class! {
    /// Matches words for a connection of no particular kind. Any chain of relationships may stand
    /// behind them.
    pub is_vague:
    "affect" "fall" "impact" "relat" "involv" "concern" "associ" "connect" "link" "tie" "touch" "pertain" "correspond"
    "deal" "influenc" "expos" "hit" "charg" "respons" "cover" "address" "visit"
}

word_class! {
    /// Matches words that ask for any number of steps.
    pub is_transitive:
    "indirectly" "transitively" "transitive" "indirect" "recursively" "ultimately"
}

word_class! {
    /// Matches words for a thing of any type.
    pub is_general:
    "thing" "things" "something" "anything" "everything" "item" "items" "object" "objects" "element" "elements" "entity"
    "entities" "component" "components" "ones" "those"
}

word_class! {
    /// Matches units of measure, as written behind a number.
    pub is_unit:
    "metre" "metres" "meter" "meters" "m" "cm" "mm" "km" "centimetres" "centimeters" "kilometres" "kilometers" "miles"
    "feet" "ft" "inches" "kg" "kilograms" "kilos" "g" "grams" "mg" "milligrams" "tonnes" "tons" "litres" "liters"
    "percent" "euros" "euro" "pounds" "dollars" "usd" "eur" "gbp" "seconds" "minutes" "hours" "days" "weeks" "months"
    "years" "knots" "kw" "mw" "hectares" "acres" "degrees"
}

/// Reads a number that is written as a word.
pub fn number_word(word: &str) -> Option<f64> {
    let words = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    words.iter().position(|candidate| *candidate == word).map(|number| number as f64)
}

word_class! {
    /// Matches words for people and groups that act, to which `who` may point.
    pub is_actor_noun:
    "person" "people" "human" "team" "group" "company" "organisation" "organization" "employee" "member" "author"
    "user" "customer" "client" "patient" "doctor" "physician" "nurse" "artist" "curator" "judge" "lawyer" "attorney"
    "researcher" "investigator" "scientist" "engineer" "manager" "officer" "director" "actor" "writer" "teacher"
    "student" "driver" "supplier" "vendor" "carrier" "party" "committee" "agency" "institution" "university"
    "department" "staff" "contact" "owner" "donor" "player" "coach" "politician" "founder" "specialist" "surgeon"
    "consultant" "clinician" "firm"
}

word_class! {
    /// Matches words for places, to which `where` may point.
    pub is_place_noun:
    "place" "location" "city" "town" "country" "region" "site" "building" "room" "address" "venue" "gallery" "hall"
    "ward" "clinic" "hospital" "warehouse" "port" "depot" "office" "court" "museum" "station" "street" "campus" "area"
    "state" "district" "village" "island" "floor" "department" "zone" "store" "facility" "datacenter" "county"
    "province" "continent"
}
