//! Closed classes of English words, and the few open-class words whose meaning decides whether a
//! sentence states a fact.

use super::inflect;
use crate::word_class;

word_class! {
    /// Matches articles and other words before a noun.
    pub is_determiner:
    "a" "an" "the" "either" "this" "that" "these" "those" "its" "their" "our" "his" "her" "my" "your" "some" "any" "each" "every"
    "another" "all" "both" "several" "many" "most" "such" "no" "said" "which" "whose" "certain" "various" "multiple"
}

word_class! {
    /// Matches determiners that point back at something named before.
    pub is_definite:
    "the" "this" "that" "these" "those" "said" "our"
}

word_class! {
    /// Matches possessive determiners.
    pub is_possessive:
    "its" "their" "his" "her" "our" "whose"
}

word_class! {
    /// Matches prepositions.
    pub is_preposition:
    "of" "in" "on" "at" "by" "for" "with" "from" "to" "into" "onto" "over" "under" "between" "among" "through" "during"
    "within" "across" "against" "via" "per" "as" "about" "after" "before" "since" "until" "till" "towards" "toward"
    "upon" "near" "around" "without" "despite" "besides" "throughout" "alongside" "inside" "outside" "beyond" "behind"
    "above" "below" "than" "except" "including" "like" "off" "up" "out" "along" "amid" "versus" "unlike"
}

word_class! {
    /// Matches words that join equals.
    pub is_coordinator:
    "and" "or" "but" "nor" "yet" "plus" "&"
}

word_class! {
    /// Matches words that begin a subordinate clause.
    pub is_subordinator:
    "if" "when" "while" "whereas" "although" "though" "because" "since" "unless" "until" "whether" "so" "once" "after"
    "before" "as" "where" "whenever" "wherever" "lest"
}

word_class! {
    /// Matches relative pronouns.
    pub is_relative:
    "which" "that" "who" "whom" "whose"
}

word_class! {
    /// Matches pronouns.
    pub is_pronoun:
    "it" "they" "he" "she" "we" "i" "you" "them" "him" "this" "these" "itself" "themselves" "us" "one" "everyone"
    "someone" "nobody" "everybody" "others" "those" "there" "here" "none"
}

word_class! {
    /// Matches forms of `be`.
    pub is_be:
    "is" "are" "was" "were" "be" "been" "being" "am" "isn't" "aren't" "wasn't" "weren't" "'s" "'re"
}

word_class! {
    /// Matches past forms of `be`.
    pub is_past_be:
    "was" "were" "wasn't" "weren't"
}

word_class! {
    /// Matches forms of `have`.
    pub is_have:
    "has" "have" "had" "having" "hasn't" "haven't" "hadn't"
}

word_class! {
    /// Matches forms of `do`.
    pub is_do:
    "do" "does" "did" "don't" "doesn't" "didn't"
}

word_class! {
    /// Matches auxiliaries after which something is not, or not yet, a fact.
    pub is_modal:
    "will" "would" "shall" "should" "may" "might" "can" "could" "must" "won't" "wouldn't" "shouldn't" "can't" "cannot"
    "couldn't" "mustn't" "shan't" "needn't" "'ll" "'d" "ought"
}

word_class! {
    /// Matches words that turn a statement into its opposite.
    pub is_negation:
    "not" "never" "no" "neither" "nor" "without" "cannot" "hardly" "n't" "nobody" "none" "nowhere"
}

word_class! {
    /// Matches titles before a person's name.
    pub is_honorific:
    "dr" "mr" "mrs" "ms" "miss" "prof" "professor" "sir" "dame" "judge" "justice" "rev" "capt" "captain" "col" "lt" "gen"
    "sgt" "hon" "lord" "lady" "mx" "fr" "cllr" "cllrs" "councillor" "councillors" "sister" "brother" "father" "senator"
    "drs" "profs" "professors" "messrs" "mayor" "alderman" "major" "sergeant" "lieutenant" "colonel" "bishop" "reverend"
}

word_class! {
    /// Matches letters after a person's name.
    pub is_post_nominal:
    "qc" "kc" "sc" "lj" "jj" "mp" "msp" "mep" "md" "phd" "dphil" "msc" "mba" "obe" "mbe" "cbe" "kbe" "frs" "esq" "jr" "sr"
}

word_class! {
    /// Matches abbreviations that end in a full stop.
    pub is_abbreviation:
    "dr" "mr" "mrs" "ms" "prof" "inc" "ltd" "corp" "co" "st" "no" "vs" "e.g" "i.e" "eg" "ie" "etc" "fig" "sec" "approx"
    "jan" "feb" "mar" "apr" "jun" "jul" "aug" "sep" "sept" "oct" "nov" "dec" "u.s" "u.k" "jr" "sr" "dept" "est" "vol"
    "gen" "lt" "col" "hon" "rev" "capt" "sgt" "al" "cf" "ca" "art" "para" "nos" "tel" "mt" "ave" "bros" "ph.d" "v"
    "incl" "syn" "cv" "spp" "illus" "resp" "a.k.a" "b.v" "s.a" "p" "pp" "ch" "ed" "eds" "min" "max" "avg"
}

word_class! {
    /// Matches abbreviations that often end a sentence too.
    pub may_end_sentence:
    "inc" "ltd" "corp" "co" "etc" "u.s" "u.k" "jr" "sr" "no" "al" "ph.d" "b.v" "s.a" "ed" "max" "min"
}

word_class! {
    /// Matches adverbs, by list.
    pub is_adverb:
    "also" "now" "currently" "presently" "today" "still" "already" "often" "always" "usually" "mainly" "mostly" "both"
    "each" "all" "then" "just" "only" "even" "again" "instead" "together" "jointly" "too" "once" "heavily" "directly"
    "itself" "themselves" "however" "therefore" "thus" "hence" "meanwhile" "moreover" "furthermore" "additionally"
    "likewise" "respectively" "solely" "exclusively" "in-house" "internally" "further" "well" "daily" "weekly"
    "very" "quite" "rather" "so" "more" "less" "most" "least" "there" "here" "everywhere" "nowadays" "subsequently"
    "later" "thereafter" "soon" "first" "ever" "long" "formally" "officially" "best" "better" "partly"
}

word_class! {
    /// Matches adverbs by which a statement tells only of the past.
    pub is_former_adverb:
    "formerly" "previously" "originally" "initially" "historically" "erstwhile" "once" "earlier"
}

word_class! {
    /// Matches adjectives by which a noun tells only of the past.
    pub is_former_adjective:
    "former" "previous" "erstwhile" "ex" "late" "old" "prior" "past" "then" "defunct" "one-time"
}

word_class! {
    /// Matches adverbs and adjectives by which a statement is a guess.
    pub is_hedge:
    "allegedly" "reportedly" "supposedly" "apparently" "perhaps" "maybe" "possibly" "probably" "presumably" "potentially"
    "hypothetically" "theoretically" "likely" "rumoured" "rumored" "alleged" "tentatively" "hopefully" "conceivably"
    "ideally" "mistakenly" "incorrectly" "wrongly" "falsely" "erroneously" "unlikely" "almost" "nearly" "unconfirmed"
}

word_class! {
    /// Matches words by which a statement is a plan, an offer or a wish.
    pub is_plan:
    "planned" "plans" "plan" "planning" "proposed" "proposes" "propose" "proposal" "intends" "intend" "intended" "intention"
    "expects" "expect" "expected" "expecting" "aims" "aim" "hopes" "hope" "hoped" "wants" "want" "wanted" "wishes" "wish"
    "considers" "consider" "considered" "considering" "scheduled" "slated" "envisaged" "envisioned" "anticipated"
    "recommends" "recommend" "recommended" "suggests" "suggest" "suggested" "upcoming" "forthcoming" "prospective"
    "tentative" "contemplated" "evaluating" "evaluated" "evaluates" "evaluate" "exploring" "explored" "explores"
    "discussing" "discussed" "debated" "piloting" "prototype" "prototyped" "requested" "requests" "asked" "asks"
    "promised" "promises" "threatened" "mooted" "draft" "drafted" "earmarked" "budgeted" "hypothetical" "roadmap"
    "eventual" "offered" "applied" "lobbied" "sought" "seeks" "favours" "favored" "favoured" "preparing" "prepares"
    "hoping" "intending" "aiming" "targeted" "future" "tbd" "candidate" "request" "application" "bid" "petition"
    "attempt" "attempts" "attempted" "claims" "claimed" "legend" "believed" "believes" "suspects" "suspected" "assumed"
    "assumes" "guesses" "wondered" "wonders" "imagined" "dreams" "dreamed" "reputed" "supposed" "supposes" "awaits"
    "awaiting" "invited" "urged" "urges" "campaigned" "tried" "tries" "thinks"
}

word_class! {
    /// Matches nouns for what is only said, asked or meant: `the claim that …`, `a request to …`.
    pub is_claim:
    "claim" "claims" "story" "stories" "legend" "rumour" "rumor" "idea" "proposal" "proposals" "plan" "plans" "request"
    "requests" "application" "bid" "motion" "petition" "suggestion" "allegation" "hope" "hopes" "wish" "offer" "theory"
    "belief" "report" "reports" "assumption" "intention" "attempt" "attempts" "possibility" "talk" "promise" "tradition"
    "question" "speculation" "suspicion" "prospect" "call" "calls" "ambition" "aim" "decision"
}

word_class! {
    /// Matches words by which a statement is denied or its matter has ended.
    pub is_denial:
    "denied" "denies" "deny" "denying" "rejected" "rejects" "reject" "rejecting" "refused" "refuses" "refuse" "refusing" "declined" "declines" "decline"
    "stopped" "stops" "stop" "stopping" "ceased" "ceases" "cease" "discontinued" "discontinues" "abandoned" "abandons"
    "avoids" "avoid" "avoided" "avoiding" "prevented" "prevents" "prevent" "forbids" "forbidden" "prohibits" "prohibited"
    "failed" "fails" "fail" "failing" "quit" "terminated" "cancelled" "canceled" "withdrew" "withdrawn" "revoked" "dropped" "removed"
    "lacks" "lack" "lacking" "false" "untrue" "incorrect" "wrong" "myth" "rumour" "rumor" "rumours" "rumors"
    "misconception" "unable" "disputed" "disputes" "dispute" "refuted" "unfounded" "mistaken" "barred" "banned"
    "excluded" "excludes" "exclude" "debunked" "overturned" "rescinded" "unsuccessful" "unsuccessfully" "doubt" "doubts"
}

word_class! {
    /// Matches words that begin a condition.
    pub is_conditional:
    "if" "unless" "whether" "suppose" "supposing" "assuming" "lest" "hypothetically"
}

word_class! {
    /// Matches verbs before `to` or a gerund that leave it a fact.
    pub keeps_fact:
    "continue" "continues" "continued" "continuing" "start" "starts" "started" "begin" "begins" "began" "begun" "keep" "keeps" "kept" "come" "came"
    "comes" "go" "goes" "went" "chose" "remain" "remains" "known" "shown" "found" "proven" "approved" "licensed" "authorised"
    "authorized" "appointed" "helps" "help" "helped" "serves" "served" "indicated" "certified" "accredited" "resumed"
    "moved" "switched" "migrated" "managed" "elected" "hired" "engaged" "commissioned" "contracted" "works" "worked"
}

word_class! {
    /// Matches nouns that only say what a name just before them is the name of.
    pub is_class_noun:
    "system" "systems" "platform" "database" "software" "tool" "framework" "library" "service" "team" "group" "company" "department" "unit" "project"
    "programme" "program" "hospital" "clinic" "university" "institute" "museum" "gallery" "agency" "office" "site" "plant"
    "factory" "facility" "warehouse" "port" "station" "city" "region" "district" "province" "state" "county" "town"
    "village" "river" "committee" "board" "ministry" "authority" "court" "firm" "bank" "brand" "product" "protocol"
    "language" "engine" "server" "cluster" "module" "package" "application" "app" "component" "api" "device" "vessel"
    "ship" "model" "method" "algorithm" "dataset" "corpus" "instrument" "telescope" "laboratory" "lab" "centre" "center"
    "division" "branch" "campus" "school" "college" "faculty" "consortium" "foundation" "trust" "council" "family"
    "line" "series" "collection" "infrastructure" "stack" "cloud" "store" "queue" "broker" "cache" "gateway" "portal"
}

word_class! {
    /// Matches words that are capitalised at the start of sentences and in headings without being
    /// names.
    pub is_generic_noun:
    "people" "staff" "users" "user" "customers" "customer" "clients" "client" "teams" "everyone" "management" "employees"
    "engineers" "developers" "patients" "patient" "doctors" "nurses" "students" "researchers" "visitors" "members" "others"
    "data" "information" "overview" "introduction" "summary" "background" "conclusion" "history" "details" "notes" "note"
    "key" "facts" "status" "contact" "contacts" "appendix" "annex" "references" "table" "figure" "section" "chapter" "page" "document"
    "report" "purpose" "scope" "access" "security" "support" "maintenance" "operations" "monitoring" "testing" "deployment" "results"
    "today" "yesterday" "tomorrow" "monday" "tuesday" "wednesday" "thursday" "friday" "saturday" "sunday" "january"
    "february" "march" "april" "may" "june" "july" "august" "september" "october" "november" "december" "example"
    "question" "answer" "part" "name" "date" "type" "owner" "description" "value" "total" "none" "yes" "unknown"
    "important" "warning" "tip" "caution" "see" "work" "things" "something" "nothing" "anything"
    "credits" "acknowledgements" "sources" "bibliography" "contents" "remarks" "comments" "abstract" "discussion" "methods"
    "agenda" "attendance" "apologies" "correspondence" "chronology" "timeline" "biography" "legacy" "synopsis" "glossary"
    "traffic" "demand" "costs" "production" "treatment" "therapy" "goods" "shipments" "orders" "applications" "changes"
}

word_class! {
    /// Matches nouns for what somebody once did or came to be, so that `was the author of` still
    /// holds.
    pub is_lasting_noun:
    "author" "writer" "painter" "composer" "designer" "architect" "builder" "maker" "creator" "inventor" "discoverer"
    "founder" "co-founder" "winner" "recipient" "donor" "translator" "sculptor" "pupil" "student" "apprentice" "graduate"
    "son" "daughter" "native" "successor" "predecessor" "gift" "donation" "bequest" "work" "product" "result" "cause"
    "creation" "invention" "translation" "design" "publisher" "finding" "by"
}

word_class! {
    /// Matches numbers written as words.
    pub is_number_word:
    "one" "two" "three" "four" "five" "six" "seven" "eight" "nine" "ten" "eleven" "twelve" "dozen" "hundred" "thousand"
    "million" "billion" "thirteen" "fourteen" "fifteen" "sixteen" "seventeen" "eighteen" "nineteen" "twenty" "thirty"
    "forty" "fifty" "sixty" "seventy" "eighty" "ninety"
}

word_class! {
    /// Matches months, and their abbreviations.
    pub is_month:
    "january" "february" "march" "april" "may" "june" "july" "august" "september" "october" "november" "december" "jan"
    "feb" "mar" "apr" "jun" "jul" "aug" "sep" "sept" "oct" "nov" "dec"
}

word_class! {
    /// Matches values of a cell or field that say there is none.
    pub is_no_value:
    "none" "n/a" "na" "-" "–" "—" "tbd" "tba" "unknown" "?" "" "nil" "null" "not applicable" "to be determined"
    "to be decided" "not known" "not assigned" "unassigned" "vacant" "pending" "no" "n.a." "not recorded" "not stated"
}

/// Tells whether a word may join nouns to names without being one: anything of the closed classes.
pub fn is_closed(word: &str) -> bool {
    is_determiner(word)
        || is_preposition(word)
        || is_coordinator(word)
        || is_subordinator(word)
        || is_relative(word)
        || is_pronoun(word)
        || is_auxiliary(word)
        || is_negation(word)
        || is_adverb(word)
        || is_former_adverb(word)
        || is_hedge(word)
}

/// Tells whether a word is a form of `be`, `have` or `do`, or a modal.
pub fn is_auxiliary(word: &str) -> bool {
    is_be(word) || is_have(word) || is_do(word) || is_modal(word)
}

/// Tells whether a word is an adverb, by list or by ending.
pub fn is_adverbial(word: &str) -> bool {
    is_adverb(word) || is_former_adverb(word) || is_hedge(word) || (word.len() > 4 && word.ends_with("ly"))
}

/// Tells whether a word is of the closed classes, or an adverb by its ending.
pub fn is_closed_or_adverbial(word: &str) -> bool {
    is_closed(word) || is_adverbial(word)
}

word_class! {
    /// Matches verbs that tell of a state, so that their simple past says that it is over.
    pub is_state:
    "administer" "base" "be" "belong" "call" "carry" "chair" "comprise" "connect" "consist" "consume" "contain"
    "control" "cover" "depend" "direct" "distribute" "employ" "feature" "follow" "govern" "guard" "have" "head"
    "hold" "host" "house" "include" "keep" "know" "lead" "lie" "like" "link" "live" "locate" "love" "maintain"
    "manage" "need" "occupy" "operate" "oversee" "own" "possess" "prefer" "provide" "rely" "report" "represent"
    "require" "reside" "run" "sell" "serve" "sit" "situate" "sponsor" "staff" "stand" "stock" "store" "supervise"
    "supply" "support" "teach" "use" "utilise" "utilize" "work"
}

word_class! {
    /// Matches verbs that are common enough to be the verb, not a noun, when one of their forms
    /// stands after a name.
    pub is_common_verb:
    "accept" "acknowledge" "acquire" "act" "add" "address" "adopt" "affect" "agree" "aim" "allow" "announce"
    "adjust" "allocate" "analyse" "analyze" "appear" "apply" "appoint" "approve" "argue" "arrive" "ask" "assess" "assign"
    "assist" "assume" "attend" "automate" "avoid" "award"
    "base" "become" "begin" "belong" "bring" "build" "buy" "call" "carry" "cause" "chair" "choose" "cite" "claim" "close"
    "collect" "combine" "come" "compare" "complete" "configure" "compose" "comprise" "conduct" "confirm" "connect" "consider" "consist" "contain"
    "continue" "contribute" "cost" "cover" "create" "cross" "date" "decide" "define" "deliver" "deny" "depart"
    "depend" "deploy" "describe" "design" "develop" "die" "direct" "discover" "distribute" "emerge" "employ"
    "enable" "end" "enforce" "engage" "ensure" "establish" "evaluate" "examine" "exclude" "exhibit" "expect" "explain" "explore" "expose" "extend"
    "fail" "feature" "feed" "file" "find" "follow" "form" "found" "fund" "generate" "get" "give" "go" "grow" "guide"
    "handle" "have" "head" "help" "hire" "hold" "host" "house" "identify" "implement" "import" "improve" "include" "increase" "indicate"
    "influence" "inform" "inherit" "inspect" "integrate" "intend" "introduce" "invest" "invite" "involve" "issue"
    "join" "keep" "know" "launch" "lead" "leave" "lie" "live" "locate" "lose" "maintain" "make" "manage"
    "manufacture" "marry" "measure" "meet" "merge" "migrate" "minimise" "minimize" "monitor" "move" "need" "negotiate" "note" "occupy"
    "offer" "open" "operate" "optimise" "optimize" "order" "originate" "oversee" "own" "paint" "participate" "pay" "perform" "plan" "play"
    "plead" "premiere" "prescribe" "present" "prevent" "prioritise" "prioritize" "process" "produce" "promise" "propose" "protect" "provide"
    "publish" "purchase" "reach" "read" "receive" "recommend" "record" "reduce" "refer" "regulate" "reject"
    "release" "rely" "remain" "remove" "replace" "report" "represent" "require" "resign" "respond" "restore"
    "retire" "return" "reveal" "review" "rule" "run" "say" "see" "select" "sell" "send" "serve" "set" "settle"
    "ship" "show" "sign" "sit" "specialise" "specialize" "sponsor" "stand" "start" "stop" "store" "study" "submit"
    "succeed" "suffer" "supervise" "supply" "support" "take" "teach" "tell" "test" "track" "train" "transfer"
    "translate" "transport" "treat" "turn" "undergo" "update" "use" "utilise" "validate" "verify" "vote" "want"
    "weigh" "win" "withdraw" "work" "write"
}

/// Tells whether a word is a simple past or a participle.
pub fn is_past(word: &str) -> bool {
    inflect::is_participle(word) || inflect::is_irregular_past(word)
}

/// Tells whether a word, as it stands after a noun, is likely a verb.
pub fn is_likely_verb(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_lowercase())
        && inflect::bases(word).iter().any(|base| is_common_verb(base))
}
