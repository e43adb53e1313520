//! Words with a fixed part in a question.

/// Forms of `be`.
pub(crate) fn is_be(word: &str) -> bool {
    matches!(
        word,
        "is" | "are"
            | "was"
            | "were"
            | "be"
            | "been"
            | "being"
            | "am"
            | "isnt"
            | "arent"
            | "wasnt"
            | "werent"
    )
}

/// Forms of `have`.
pub(crate) fn is_have(word: &str) -> bool {
    matches!(word, "has" | "have" | "had" | "having" | "hasnt" | "havent" | "hadnt")
}

/// Forms of `do`.
pub(crate) fn is_do(word: &str) -> bool {
    matches!(word, "do" | "does" | "did" | "dont" | "doesnt" | "didnt" | "done")
}

/// Verbs that help another verb.
pub(crate) fn is_auxiliary(word: &str) -> bool {
    is_be(word)
        || is_have(word)
        || is_do(word)
        || matches!(
            word,
            "can"
                | "could"
                | "will"
                | "would"
                | "shall"
                | "should"
                | "may"
                | "might"
                | "must"
                | "cannot"
                | "cant"
                | "wont"
        )
}

/// Articles and other words before a noun.
pub(crate) fn is_determiner(word: &str) -> bool {
    matches!(
        word,
        "a" | "an"
            | "the"
            | "this"
            | "that"
            | "these"
            | "those"
            | "each"
            | "every"
            | "all"
            | "any"
            | "some"
            | "both"
            | "such"
            | "its"
            | "their"
            | "his"
            | "her"
            | "our"
            | "your"
            | "my"
    )
}

/// Prepositions.
pub(crate) fn is_preposition(word: &str) -> bool {
    matches!(
        word,
        "of" | "in"
            | "on"
            | "at"
            | "by"
            | "for"
            | "from"
            | "to"
            | "with"
            | "within"
            | "into"
            | "onto"
            | "over"
            | "under"
            | "about"
            | "through"
            | "via"
            | "during"
            | "between"
            | "among"
            | "as"
            | "per"
            | "near"
            | "against"
            | "upon"
            | "across"
            | "toward"
            | "towards"
            | "out"
            | "up"
            | "off"
            | "inside"
            | "outside"
            | "behind"
            | "around"
    )
}

/// Words that begin a relative clause or ask.
pub(crate) fn is_relative(word: &str) -> bool {
    matches!(word, "that" | "which" | "who" | "whom" | "whose" | "where" | "when" | "what")
}

/// Words that turn a statement into its opposite.
pub(crate) fn is_negation(word: &str) -> bool {
    matches!(
        word,
        "not"
            | "never"
            | "no"
            | "without"
            | "neither"
            | "nor"
            | "isnt"
            | "arent"
            | "wasnt"
            | "werent"
            | "dont"
            | "doesnt"
            | "didnt"
            | "hasnt"
            | "havent"
            | "hadnt"
            | "cannot"
            | "cant"
            | "lack"
            | "lacks"
            | "lacking"
    )
}

/// Words that carry no meaning to look up in a graph.
pub(crate) fn is_filler(word: &str) -> bool {
    is_auxiliary(word)
        || is_determiner(word)
        || is_preposition(word)
        || is_relative(word)
        || is_negation(word)
        || matches!(
            word,
            "'s" | "i"
                | "me"
                | "us"
                | "we"
                | "you"
                | "he"
                | "she"
                | "it"
                | "they"
                | "them"
                | "there"
                | "here"
                | "and"
                | "or"
                | "but"
                | "also"
                | "too"
                | "then"
                | "than"
                | "please"
                | "tell"
                | "give"
                | "list"
                | "show"
                | "name"
                | "names"
                | "named"
                | "called"
                | "find"
                | "return"
                | "get"
                | "identify"
                | "many"
                | "much"
                | "how"
                | "why"
                | "currently"
                | "current"
                | "now"
                | "today"
                | "still"
                | "already"
                | "exactly"
                | "just"
                | "only"
                | "actually"
                | "really"
                | "ever"
                | "so"
                | "far"
                | "else"
                | "other"
                | "others"
                | "another"
                | "different"
                | "following"
                | "given"
                | "particular"
                | "certain"
                | "specific"
                | "kind"
                | "kinds"
                | "type"
                | "types"
                | "sort"
                | "number"
                | "count"
                | "total"
                | "thing"
                | "things"
                | "one"
                | "ones"
                | "anything"
                | "something"
                | "nothing"
                | "anyone"
                | "someone"
                | "everyone"
                | "everything"
                | "know"
                | "known"
                | "if"
                | "whether"
                | "either"
                | "directly"
                | "indirectly"
                | "transitively"
                | "own"
                | "want"
                | "like"
                | "graph"
                | "data"
                | "records"
                | "according"
                | "documents"
                | "say"
                | "says"
                | "said"
                | "mentioned"
                | "respectively"
                | "together"
                | "exist"
                | "exists"
                | "s"
                | "t"
                | "except"
                | "excluding"
                | "besides"
                | "while"
                | "because"
                | "listed"
                | "primary"
                | "main"
                | "principal"
                | "overall"
                | "exact"
                | "full"
                | "credited"
                | "lasted"
                | "took"
                | "happened"
                | "name's"
                | "whats"
                | "whos"
                | "et"
                | "al"
        )
}

/// Words between the one that asks and the noun that is asked for which say nothing of it: `who is listed as the director`.
pub(crate) fn is_light(word: &str) -> bool {
    matches!(
        word,
        "as" | "listed"
            | "primary"
            | "main"
            | "principal"
            | "overall"
            | "exact"
            | "full"
            | "credited"
            | "named"
            | "called"
            | "known"
            | "given"
            | "currently"
            | "now"
            | "also"
            | "still"
            | "only"
    )
}

/// Words for a connection of no particular kind: any chain of relationships may stand behind them.
pub(crate) fn is_vague(stem: &str) -> bool {
    matches!(
        stem,
        "affect"
            | "fall"
            | "impact"
            | "relat"
            | "involv"
            | "concern"
            | "associ"
            | "connect"
            | "link"
            | "tie"
            | "touch"
            | "pertain"
            | "correspond"
            | "deal"
            | "influenc"
            | "expos"
            | "hit"
            | "charg"
            | "respons"
            | "cover"
            | "address"
            | "visit"
    )
}

/// Words that ask for any number of steps.
pub(crate) fn is_transitive(word: &str) -> bool {
    matches!(word, "indirectly" | "transitively" | "transitive" | "indirect" | "recursively" | "ultimately")
}

/// Units of measure, as written behind a number.
pub(crate) fn is_unit(word: &str) -> bool {
    matches!(
        word,
        "metre"
            | "metres"
            | "meter"
            | "meters"
            | "m"
            | "cm"
            | "mm"
            | "km"
            | "centimetres"
            | "centimeters"
            | "kilometres"
            | "kilometers"
            | "miles"
            | "feet"
            | "ft"
            | "inches"
            | "kg"
            | "kilograms"
            | "kilos"
            | "g"
            | "grams"
            | "mg"
            | "milligrams"
            | "tonnes"
            | "tons"
            | "litres"
            | "liters"
            | "percent"
            | "euros"
            | "euro"
            | "pounds"
            | "dollars"
            | "usd"
            | "eur"
            | "gbp"
            | "seconds"
            | "minutes"
            | "hours"
            | "days"
            | "weeks"
            | "months"
            | "years"
            | "knots"
            | "kw"
            | "mw"
            | "hectares"
            | "acres"
            | "degrees"
    )
}

/// Numbers written as words.
pub(crate) fn number_word(word: &str) -> Option<f64> {
    let words = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    words.iter().position(|candidate| *candidate == word).map(|number| number as f64)
}

/// Words for people and groups that act, to which `who` may point.
pub(crate) fn is_actor_noun(word: &str) -> bool {
    matches!(
        word,
        "person"
            | "people"
            | "human"
            | "team"
            | "group"
            | "company"
            | "organisation"
            | "organization"
            | "employee"
            | "member"
            | "author"
            | "user"
            | "customer"
            | "client"
            | "patient"
            | "doctor"
            | "physician"
            | "nurse"
            | "artist"
            | "curator"
            | "judge"
            | "lawyer"
            | "attorney"
            | "researcher"
            | "investigator"
            | "scientist"
            | "engineer"
            | "manager"
            | "officer"
            | "director"
            | "actor"
            | "writer"
            | "teacher"
            | "student"
            | "driver"
            | "supplier"
            | "vendor"
            | "carrier"
            | "party"
            | "committee"
            | "agency"
            | "institution"
            | "university"
            | "department"
            | "staff"
            | "contact"
            | "owner"
            | "donor"
            | "player"
            | "coach"
            | "politician"
            | "founder"
            | "specialist"
            | "surgeon"
            | "consultant"
            | "clinician"
            | "firm"
    )
}

/// Words for places, to which `where` may point.
pub(crate) fn is_place_noun(word: &str) -> bool {
    matches!(
        word,
        "place"
            | "location"
            | "city"
            | "town"
            | "country"
            | "region"
            | "site"
            | "building"
            | "room"
            | "address"
            | "venue"
            | "gallery"
            | "hall"
            | "ward"
            | "clinic"
            | "hospital"
            | "warehouse"
            | "port"
            | "depot"
            | "office"
            | "court"
            | "museum"
            | "station"
            | "street"
            | "campus"
            | "area"
            | "state"
            | "district"
            | "village"
            | "island"
            | "floor"
            | "department"
            | "zone"
            | "store"
            | "facility"
            | "datacenter"
            | "county"
            | "province"
            | "continent"
    )
}
