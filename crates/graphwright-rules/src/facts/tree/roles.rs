//! Who does it, and to whom.

use graphwright_english::parse::Tag;

use super::SentenceTree;
use crate::facts::{collect::Status, inflection, words};

/// Who or what a predicate tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::facts) enum Subject {
    Word(usize),
    /// It is left out: the topic of the item, section or page is meant.
    Topic,
}

/// Relations by which the words of a phrase hang together with what it tells of.
const CLAUSES: [&str; 6] = ["acl", "advcl", "ccomp", "csubj", "parataxis", "conj"];

impl SentenceTree<'_> {
    /// Whether a word is what a clause states: a verb, or anything with a copula.
    pub(in crate::facts) fn is_predicate(&self, word: usize) -> bool {
        self.is_verb(word) || self.tree().child(word, "cop").is_some()
    }

    /// Whether a word is a verb, by its tag or by what hangs on it.
    pub(in crate::facts) fn is_verb(&self, word: usize) -> bool {
        let acts = || {
            let mut own = self.children(word, &["nsubj", "obj", "aux"]);
            own.next().is_some() && self.tree().child(word, "cop").is_none()
        };
        self.tree().tag(word) == Tag::Verb || !self.in_name(word) && acts()
    }

    /// What a predicate tells of.
    pub(in crate::facts) fn subject(&self, predicate: usize) -> Option<Subject> {
        self.subject_within(predicate, self.len())
    }

    fn subject_within(&self, predicate: usize, most: usize) -> Option<Subject> {
        let tree = self.tree();
        let most = most.checked_sub(1)?;
        if let Some(subject) = tree.child(predicate, "nsubj") {
            return Some(Subject::Word(self.antecedent(subject).unwrap_or(subject)));
        }
        let Some(head) = tree.head(predicate) else { return self.left_out(predicate) };
        let taken = (0..predicate).rev().take(8).find(|noun| {
            self.base_relation(*noun) == "conj"
                && self.is_nominal(*noun)
                && self.clause_led_by(*noun) == Some(predicate)
        });
        if let Some(taken) = taken {
            return Some(Subject::Word(taken));
        }
        let above = || self.subject_within(head, most);
        match self.base_relation(predicate) {
            "acl" if self.goes_on_behind_agent(predicate, head) => above(),
            "acl" | "amod" | "appos" => Some(Subject::Word(head)),
            "conj" if self.is_predicate(head) || tree.tag(predicate) != Tag::Verb => above(),
            "conj" if matches!(self.base_relation(head), "acl" | "root") => above(),
            "xcomp" => tree.child(head, "obj").map(Subject::Word).or_else(above),
            "advcl" | "obl" => above(),
            _ => None,
        }
    }

    /// Whether a participle tells of what the one before it told of, not of its agent: `directed by X, written by Y`.
    fn goes_on_behind_agent(&self, participle: usize, agent: usize) -> bool {
        let comma = participle.checked_sub(1).is_some_and(|before| self.lower(before) == ",");
        comma && self.tree().relation(agent) == "obl:agent" && !self.agents(participle).is_empty()
    }

    /// A sentence without a subject tells of the topic, unless its verb is an order.
    fn left_out(&self, root: usize) -> Option<Subject> {
        let tree = self.tree();
        let verb = tree.tag(root) == Tag::Verb;
        let order =
            verb && self.lower(root) == tree.lemma(root) && self.children(root, &["aux"]).next().is_none();
        // `Adding a flag for X`: what is done is no statement.
        let gerund =
            verb && self.lower(root).ends_with("ing") && self.children(root, &["aux"]).next().is_none();
        let expletive = tree.child(root, "expl").is_some();
        let first = (0..root).all(|word| {
            self.tree().is_below(word, root)
                && (!verb || !self.is_nominal(word) || self.base_relation(word) == "obl")
        });
        (!order && !gerund && !expletive && first && !self.in_name(root)).then_some(Subject::Topic)
    }

    /// The relation of a word without its subtype.
    pub(in crate::facts) fn base_relation(&self, word: usize) -> &str {
        let relation = self.tree().relation(word);
        relation.split_once(':').map_or(relation, |(base, _)| base)
    }

    /// What a relative pronoun stands for: the word that its clause hangs on.
    pub(in crate::facts) fn antecedent(&self, word: usize) -> Option<usize> {
        let relative = matches!(self.lower(word), "which" | "that" | "who" | "whom" | "whose" | "where");
        if !relative || self.in_name(word) {
            return None;
        }
        let clause = self.tree().path(word).skip(1).find(|above| self.base_relation(*above) == "acl")?;
        self.tree().head(clause)
    }

    /// Whether a verb is passive: its subject is what it is done to.
    pub(in crate::facts) fn is_passive(&self, verb: usize) -> bool {
        let tree = self.tree();
        let marked = |relation: &str| tree.children(verb).any(|child| tree.relation(child) == relation);
        if marked("aux:pass") || marked("nsubj:pass") {
            return true;
        }
        let own = tree.child(verb, "nsubj").is_some() || self.children(verb, &["aux"]).next().is_some();
        // `run` may be a participle, and is one where an agent follows.
        let participle = inflection::is_own_participle(self.lower(verb))
            || inflection::is_participle(self.lower(verb)) && !self.agents(verb).is_empty();
        if own || !participle {
            return false;
        }
        match self.base_relation(verb) {
            "acl" => tree.relation(verb) != "acl:relcl",
            "advcl" | "amod" => self.children(verb, &["mark"]).next().is_none(),
            "conj" => {
                tree.head(verb).is_some_and(|head| tree.tag(head) != Tag::Verb || self.is_passive(head))
            }
            "root" | "appos" | "parataxis" | "dep" => tree.child(verb, "obj").is_none(),
            _ => false,
        }
    }

    /// Who does what a passive verb tells of. A second agent belongs to a verb left out: `A is taught by X, B by Y`.
    pub(in crate::facts) fn agents(&self, verb: usize) -> Vec<usize> {
        let agents = self.children(verb, &["obl", "nmod"]);
        agents.filter(|agent| self.has_joint(*agent, &["by"])).take(1).collect()
    }

    /// What stands at the other end of words behind a predicate: of `runs` with `on top of`, the thing on top of which it
    /// runs. Without words it is the object.
    pub(in crate::facts) fn complements(&self, predicate: usize, words: &[String]) -> Vec<usize> {
        if words.is_empty() {
            return self.objects(predicate);
        }
        let mut found: Vec<usize> = (0..self.len())
            .filter(|word| self.is_nominal(*word) && self.is_complement(predicate, *word, words))
            .map(|word| self.antecedent(word).unwrap_or(word))
            .collect();
        if let ([preposition], true) = (words, found.is_empty())
            && matches!(preposition.as_str(), "in" | "at" | "on")
        {
            let place = self.tree().children(predicate).find(|child| self.lower(*child) == "where");
            found.extend(place.and_then(|place| self.antecedent(place)));
        }
        found
    }

    /// What is done to: the object, or what a relative clause without one tells of.
    fn objects(&self, verb: usize) -> Vec<usize> {
        let tree = self.tree();
        let phrasal = self.children(verb, &["compound"]).any(|child| tree.relation(child) == "compound:prt");
        if phrasal {
            return Vec::new();
        }
        if let Some(object) = tree.child(verb, "obj") {
            return vec![self.antecedent(object).unwrap_or(object)];
        }
        let subject = tree.child(verb, "nsubj");
        let gap = tree.relation(verb) == "acl:relcl"
            && subject.is_some_and(|subject| self.antecedent(subject).is_none())
            && self.children(verb, &["obl", "xcomp", "ccomp"]).next().is_none();
        if gap { tree.head(verb).into_iter().collect() } else { Vec::new() }
    }

    /// Whether the words on the way from a word up to a predicate are the wanted ones, and no others.
    fn is_complement(&self, predicate: usize, word: usize, wanted: &[String]) -> bool {
        let tree = self.tree();
        if word == predicate || !tree.is_below(word, predicate) {
            return false;
        }
        let mut missing: Vec<&String> = wanted.iter().collect();
        let take = |missing: &mut Vec<&String>, at: usize| {
            let place = missing.iter().position(|wanted| self.is_form_of(at, wanted));
            place.map(|place| missing.remove(place)).is_some()
        };
        let mut nodes = vec![predicate];
        for (step, node) in tree.path(word).take_while(|node| *node != predicate).enumerate() {
            let relation = self.base_relation(node);
            let leads = matches!(relation, "obj" | "iobj" | "obl" | "nmod" | "xcomp" | "advmod");
            let clause = CLAUSES.contains(&relation);
            if !(leads || clause && step > 0 && wanted.iter().any(|wanted| self.is_form_of(node, wanted))) {
                return false;
            }
            if step > 0 {
                nodes.push(node);
                if !take(&mut missing, node) {
                    return false;
                }
            }
            for joint in self.joints(node) {
                let article = matches!(self.lower(joint), "'s" | "’s");
                if !article && !take(&mut missing, joint) {
                    return false;
                }
            }
        }
        // What is left may hang beside the way: `takes part in X` where `in X` hangs on the verb.
        for node in nodes {
            for child in tree.children(node).filter(|child| *child != word) {
                if self.base_relation(child) != "nsubj" {
                    take(&mut missing, child);
                }
            }
        }
        missing.is_empty()
    }

    /// The verb whose subject a noun after `and` is, whatever the tree says: the verb stands behind it without a subject of its
    /// own, and nothing but its own words and remarks between commas stand between.
    fn clause_led_by(&self, noun: usize) -> Option<usize> {
        let tree = self.tree();
        let mut next = noun + 1;
        while next < self.len()
            && (tree.is_below(next, noun) || matches!(tree.tag(next), Tag::Adv | Tag::Aux))
        {
            next += 1;
        }
        if self.lower(next) == "," {
            let close = (next + 1..self.len()).take(6).find(|word| self.lower(*word) == ",");
            next = close.map_or(next, |close| close + 1);
        }
        let joined = |word: usize| self.children(word, &["cc"]).next().is_some();
        let verb =
            self.is_verb(next) && self.base_relation(next) == "conj" && tree.child(next, "nsubj").is_none();
        let active = !inflection::is_own_participle(self.lower(next));
        let above = tree.head(next).is_some_and(|head| head < noun);
        (verb && active && above && (joined(noun) || joined(next))).then_some(next)
    }

    fn is_form_of(&self, word: usize, wanted: &str) -> bool {
        self.lower(word) == wanted || self.tree().lemma(word) == wanted
    }

    /// A word with all that is joined to it by `and`, each with what is said of it alone.
    pub(in crate::facts) fn listed(&self, first: usize) -> Vec<(usize, Status)> {
        let tree = self.tree();
        let mut all = vec![first];
        let mut at = 0;
        while at < all.len() {
            let own: Vec<usize> = self
                .children(all[at], &["conj"])
                .filter(|child| self.is_nominal(*child) && tree.child(*child, "nsubj").is_none())
                .filter(|child| self.clause_led_by(*child).is_none() && !self.is_parted(all[at], *child))
                .filter(|child| !all.contains(child))
                .collect();
            all.extend(own);
            at += 1;
        }
        let alternatives = all
            .iter()
            .any(|word| self.children(*word, &["cc"]).any(|cc| matches!(self.lower(cc), "or" | "nor")));
        let base = if alternatives && all.len() > 1 { Status::NotCurrent } else { Status::Fact };
        all.into_iter().map(|word| (word, base.max(self.status_of_end(word)))).collect()
    }

    /// Whether a verb stands between a word and a name that the tree joins to it, so that they are no list: `directed by Ann and
    /// starring Bo, and Cy`. What is remarked on the first may stand there: `Ann, who knows Bo, and Cy`.
    fn is_parted(&self, first: usize, name: usize) -> bool {
        let tree = self.tree();
        let remark = |verb: usize| {
            tree.path(verb).take_while(|above| *above != first).any(|above| {
                matches!(tree.relation(above), "acl:relcl" | "appos" | "parataxis")
                    || self.in_name(first) && tree.is(above, "acl")
            })
        };
        // A list goes on to the right.
        let turned = self.children(name, &["conj"]).any(|child| child < name);
        // `rhythm guitarist Ann` is easily taken for a verb with its object beside it: a verb has something of its own.
        let verb = |word: usize| {
            self.is_verb(word) && self.children(word, &["obj", "obl", "nsubj", "aux"]).next().is_some()
        };
        self.in_name(name) && (turned || (first + 1..name).any(|word| verb(word) && !remark(word)))
    }

    /// What the words beside a noun say of it: `no X`, `a planned X`, `not X`.
    fn status_of_end(&self, word: usize) -> Status {
        let mut status = Status::Fact;
        for child in self.tree().children(word) {
            let lower = self.lower(child);
            let beside = matches!(self.base_relation(child), "det" | "advmod" | "amod" | "cc" | "compound");
            if beside && (words::is_negation(lower) || lower == "no" || lower == "except") {
                status = status.max(Status::Negated);
            } else if beside
                && (words::is_unreal(lower)
                    || lower == "longer"
                    || words::is_former_adjective(lower) && self.base_relation(child) == "amod")
            {
                status = status.max(Status::NotCurrent);
            }
        }
        let cut = ["except", "without", "unlike", "than", "excluding"];
        let instead = |cc: usize| std::iter::once(cc).chain(self.children(cc, &["fixed"]));
        let conjoined = self.children(word, &["cc"]).flat_map(instead);
        if self.has_joint(word, &cut) || conjoined.into_iter().any(|cc| cut.contains(&self.lower(cc))) {
            status = status.max(Status::Negated);
        }
        status
    }
}
