//! How people say the facts of the public graphs: `{s}` is where a relationship starts, `{o}` where it ends, `{v}` a value.

/// Sentences for one relationship type.
pub(super) struct Relation {
    pub(super) kind: &'static str,
    pub(super) says: &'static [&'static str],
    pub(super) denies: &'static [&'static str],
    /// The same in German, Spanish and French.
    pub(super) abroad: &'static [&'static str],
}

pub(super) const RELATIONS: &[Relation] = &[
    Relation {
        kind: "ACTED_IN",
        says: &[
            "{s} acted in {o}",
            "{s} starred in {o}",
            "{s} is one of the actors in {o}",
            "{s} appeared in {o}",
            "the cast of {o} includes {s}",
        ],
        denies: &["{s} did not act in {o}", "{s} never acted in {o}", "It is not true that {s} acted in {o}"],
        abroad: &["{s} spielte in {o} mit", "{s} actuó en {o}", "{s} a joué dans {o}"],
    },
    Relation {
        kind: "DIRECTED",
        says: &[
            "{s} directed {o}",
            "{o} was directed by {s}",
            "{s} is the director of {o}",
            "The director of {o} is {s}",
        ],
        denies: &["{s} did not direct {o}", "{o} was not directed by {s}", "{s} is not the director of {o}"],
        abroad: &["{s} hat {o} inszeniert", "{s} dirigió {o}", "{s} a réalisé {o}"],
    },
    Relation {
        kind: "PRODUCED",
        says: &["{s} produced {o}", "{o} was produced by {s}", "{s} is the producer of {o}"],
        denies: &["{s} didn't produce {o}", "{o} was not produced by {s}"],
        abroad: &["{s} hat {o} produziert", "{s} produjo {o}", "{s} a produit {o}"],
    },
    Relation {
        kind: "WROTE",
        says: &["{s} wrote {o}", "{o} was written by {s}", "{s} is the writer of {o}"],
        denies: &["{s} did not write {o}", "{o} was never written by {s}"],
        abroad: &["{s} hat {o} geschrieben", "{s} escribió {o}", "{s} a écrit {o}"],
    },
    Relation {
        kind: "REVIEWED",
        says: &["{s} reviewed {o}", "{o} was reviewed by {s}", "{s} is a reviewer of {o}"],
        denies: &["{s} did not review {o}", "{s} never reviewed {o}"],
        abroad: &["{s} hat {o} besprochen"],
    },
    Relation {
        kind: "SUPPLIES",
        says: &[
            "{s} supplies {o}",
            "{o} is supplied by {s}",
            "The supplier of {o} is {s}",
            "{s} is the supplier of {o}",
        ],
        denies: &["{s} does not supply {o}", "{o} isn't supplied by {s}", "{s} no longer supplies {o}"],
        abroad: &["{s} liefert {o}", "{s} suministra {o}", "{s} fournit {o}"],
    },
    Relation {
        kind: "BELONGS_TO",
        says: &["{s} belongs to {o}", "{s} is part of {o}", "{s} falls into the category {o}"],
        denies: &["{s} does not belong to {o}", "{s} doesn't belong to {o}"],
        abroad: &["{s} gehört zu {o}", "{s} pertenece a {o}", "{s} appartient à {o}"],
    },
    Relation {
        kind: "REPORTS_TO",
        says: &["{s} reports to {o}", "{s} directly reports to {o}", "{s} works for {o} and reports to {o}"],
        denies: &["{s} does not report to {o}", "{s} never reports to {o}"],
        abroad: &["{s} berichtet an {o}"],
    },
    Relation {
        kind: "PLAYED_FOR",
        says: &["{s} played for {o}", "{s} has played for {o}", "{s} was a player for {o}"],
        denies: &["{s} did not play for {o}", "{s} has never played for {o}"],
        abroad: &["{s} spielte für {o}", "{s} jugó para {o}", "{s} a joué pour {o}"],
    },
    Relation {
        kind: "PARTICIPATED_IN",
        says: &["{s} participated in {o}", "{s} took part in {o}", "{s} was a participant in {o}"],
        denies: &["{s} did not participate in {o}", "{s} has not participated in {o}"],
        abroad: &["{s} nahm an {o} teil", "{s} participó en {o}", "{s} a participé à {o}"],
    },
    Relation {
        kind: "directed_by",
        says: &[
            "{s} was directed by {o}",
            "{o} directed {s}",
            "{o} is the director of {s}",
            "The director of {s} is {o}",
        ],
        denies: &["{s} was not directed by {o}", "{o} did not direct {s}"],
        abroad: &["{o} hat {s} inszeniert", "{o} dirigió {s}", "{o} a réalisé {s}"],
    },
    Relation {
        kind: "written_by",
        says: &["{s} was written by {o}", "{o} wrote {s}", "{o} is the writer of {s}"],
        denies: &["{s} was not written by {o}", "{o} did not write {s}"],
        abroad: &["{o} hat {s} geschrieben", "{o} escribió {s}"],
    },
    Relation {
        kind: "starred_actors",
        says: &["{o} starred in {s}", "{s} starred {o}", "{o} is an actor in {s}"],
        denies: &["{o} did not star in {s}", "{o} never starred in {s}"],
        abroad: &["{o} spielte in {s} mit"],
    },
    Relation {
        kind: "has_genre",
        says: &["The genre of {s} is {o}", "{s} has the genre {o}"],
        denies: &["The genre of {s} is not {o}", "{s} does not have the genre {o}"],
        abroad: &["{s} hat das Genre {o}"],
    },
];

/// Verbs that no graph here has.
pub(super) const OTHER_VERBS: &[&str] = &[
    "{s} caused {o}",
    "{s} sued {o}",
    "{s} insulted {o}",
    "{s} destroyed {o}",
    "{o} was photographed by {s}",
];

/// Sentences for one property.
pub(super) struct Attribute {
    pub(super) property: &'static str,
    pub(super) says: &'static [&'static str],
}

pub(super) const ATTRIBUTES: &[Attribute] = &[
    Attribute { property: "born", says: &["{s} was born in {v}", "{s}'s year of birth is {v}"] },
    Attribute {
        property: "released",
        says: &["{s} was released in {v}", "The release year of {s} is {v}", "{s} came out in {v}"],
    },
    Attribute { property: "release_year", says: &["{s} was released in {v}", "{s} is a film from {v}"] },
    Attribute {
        property: "unitPrice",
        says: &["{s} costs {v} dollars", "The unit price of {s} is ${v}", "{s} sells for ${v}"],
    },
    Attribute {
        property: "unitsInStock",
        says: &["There are {v} units of {s} in stock", "{s} has {v} units in stock"],
    },
    Attribute { property: "birthDate", says: &["{s} was born on {v}", "The birth date of {s} is {v}"] },
    Attribute { property: "hireDate", says: &["{s} was hired on {v}", "{s} has worked there since {v}"] },
    Attribute { property: "dob", says: &["{s} was born on {v}", "{s}'s date of birth is {v}"] },
];

/// Names that no graph here has.
pub(super) const FIRST_NAMES: &[&str] =
    &["Zoltan", "Perpetua", "Ignatius", "Wilhelmina", "Thaddeus", "Ottoline", "Barnaby", "Xanthe"];
pub(super) const LAST_NAMES: &[&str] =
    &["Quandt", "Featherstone", "Okonjo", "Vandersteen", "Murgatroyd", "Lindqvist", "Abernathy"];

/// Words that models put before a sentence.
pub(super) const OPENINGS: &[&str] = &[
    "",
    "",
    "",
    "",
    "According to the graph, ",
    "Overall, ",
    "In addition, ",
    "Yes, ",
    "Notably, ",
    "Based on the evidence, ",
    "Furthermore, ",
];
