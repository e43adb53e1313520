//! Whether a sentence says that something is so: negation, modality, tense, attribution and condition, read once for all.

use graphwright_english::parse::Tag;

use super::{SentenceTree, Subject};
use crate::facts::{
    collect::Status,
    inflection::{self, Form},
    notes, words,
};

impl SentenceTree<'_> {
    /// Whether what a predicate tells of is so. `past_holds`: told in the simple past it still is.
    pub(in crate::facts) fn status(&self, predicate: usize, past_holds: bool) -> Status {
        let mut status = self.own_status(predicate, past_holds).max(self.status_of_whole());
        let mut at = predicate;
        while let Some(head) = self.tree().head(at) {
            let (above, goes_on) = self.status_from_above(at, head, past_holds);
            status = status.max(above);
            if !goes_on {
                break;
            }
            at = head;
        }
        status
    }

    /// A question states nothing.
    fn status_of_whole(&self) -> Status {
        let last = (0..self.len()).rev().take(3).any(|word| self.lower(word) == "?");
        if last { Status::NotCurrent } else { Status::Fact }
    }

    /// What the auxiliaries, adverbs and conditions of a predicate say.
    fn own_status(&self, predicate: usize, past_holds: bool) -> Status {
        let tree = self.tree();
        let mut status = Status::Fact;
        let (mut now, mut past) = (false, self.is_simple_past(predicate));
        let mut perfect = false;
        for child in tree.children(predicate) {
            let lower = self.lower(child);
            match self.base_relation(child) {
                "aux" | "cop" => {
                    let have = words::is_have(lower);
                    perfect |= have && lower != "had";
                    past |= words::is_past_be(lower) || matches!(lower, "had" | "did");
                    if words::is_modal(lower) {
                        status = status.max(Status::NotCurrent);
                    }
                }
                "advmod" | "cc" | "det" if words::is_negation(lower) => {
                    let only = tree.children(child).chain([child + 1]).any(|word| self.lower(word) == "only");
                    status = status.max(if only { Status::Fact } else { Status::Negated });
                }
                "advmod" => {
                    let longer = lower == "longer" && tree.children(child).any(|no| self.lower(no) == "no");
                    now |= matches!(lower, "now" | "currently" | "still" | "today" | "presently");
                    if longer || words::is_former_adverb(lower) && !now || words::is_hedge(lower) {
                        status = status.max(Status::NotCurrent);
                    }
                }
                "advcl" if self.is_open(child) => status = status.max(Status::NotCurrent),
                "obl" => status = status.max(self.status_of_time(child)),
                "nsubj" => status = status.max(self.status_of_subject(child)),
                // `is to be built`
                "mark"
                    if lower == "to"
                        && !matches!(self.base_relation(predicate), "xcomp" | "acl" | "advcl") =>
                {
                    status = status.max(Status::NotCurrent);
                }
                "mark" if words::is_open_mark(lower) => status = status.max(Status::NotCurrent),
                _ => {}
            }
        }
        let over = past && !perfect && !past_holds && !now;
        if over { status.max(Status::NotCurrent) } else { status }
    }

    /// `no service uses X`, `neither does`.
    fn status_of_subject(&self, subject: usize) -> Status {
        let negated = |word: usize| words::is_negation(self.lower(word)) || self.lower(word) == "no";
        let open = |word: usize| matches!(self.lower(word), "any" | "whoever" | "anyone" | "nobody" | "none");
        let determiner = self.children(subject, &["det"]).find(|child| negated(*child) || open(*child));
        match determiner.or((negated(subject) || open(subject)).then_some(subject)) {
            Some(word) if negated(word) => Status::Negated,
            Some(_) => Status::NotCurrent,
            None => Status::Fact,
        }
    }

    /// `until 2020`, `from 2040`: over, or still to come.
    fn status_of_time(&self, word: usize) -> Status {
        let ended = self.has_joint(word, &["until", "till", "before"]);
        let coming = self.has_joint(word, &["from", "in", "by", "after", "on"]) && {
            let mut below = (0..self.len()).filter(|other| self.tree().is_below(*other, word));
            below.any(|other| notes::is_coming(self.lower(other)))
        };
        let instead = self.has_joint(word, &["instead", "without"]);
        if instead {
            Status::Negated
        } else if ended || coming {
            Status::NotCurrent
        } else {
            Status::Fact
        }
    }

    /// Whether a clause is open: a condition, or a purpose.
    fn is_open(&self, clause: usize) -> bool {
        let inverted =
            self.tree().children(clause).any(|child| child < clause && self.lower(child) == "should");
        inverted
            || self
                .children(clause, &["mark", "advmod"])
                .any(|mark| words::is_open_mark(self.lower(mark)) || words::is_conditional(self.lower(mark)))
    }

    /// Whether a verb without auxiliary is in the simple past.
    fn is_simple_past(&self, verb: usize) -> bool {
        let tree = self.tree();
        if tree.tag(verb) != Tag::Verb || self.children(verb, &["aux"]).next().is_some() {
            return false;
        }
        let lower = self.lower(verb);
        let forms = inflection::forms(tree.lemma(verb));
        let past = forms.iter().any(|(surface, form)| surface == lower && form.has(Form::PAST));
        let same_as_base = lower == tree.lemma(verb);
        past && !same_as_base && !self.is_passive(verb)
    }

    /// What a word above a predicate says of it, and whether to go on from there.
    fn status_from_above(&self, at: usize, head: usize, past_holds: bool) -> (Status, bool) {
        let tree = self.tree();
        match self.base_relation(at) {
            "conj" => {
                // `is not used and deployed`: a participle or bare verb takes over the auxiliaries before it.
                let finite = self.children(at, &["nsubj", "aux", "cop"]).next().is_some()
                    || tree.tag(at) == Tag::Verb
                        && self.lower(at).ends_with('s')
                        && self.lower(at) != tree.lemma(at);
                let shared = self.is_predicate(head) && !finite;
                (if shared { self.own_status(head, true) } else { Status::Fact }, true)
            }
            "xcomp" => (self.status_governed(head).max(self.own_status(head, past_holds)), true),
            "ccomp" | "csubj" => {
                let stated =
                    words::is_factive(tree.lemma(head)) && self.subject(head) != Some(Subject::Topic);
                let own = self.own_status(head, true);
                (if stated { own } else { own.max(Status::NotCurrent) }, true)
            }
            "advcl" => {
                let to = self.children(at, &["mark"]).any(|mark| self.lower(mark) == "to");
                let without = self.has_joint(at, &["without", "instead", "than"]);
                let status = if without {
                    Status::Negated
                } else if self.is_open(at) || to {
                    Status::NotCurrent
                } else if at > head && tree.child(at, "nsubj").is_none() {
                    // `should delete it, using X`
                    self.own_status(head, true)
                } else {
                    Status::Fact
                };
                (status, false)
            }
            "acl" => {
                let to = self.children(at, &["mark"]).any(|mark| self.lower(mark) == "to");
                // `the rumour that X owns Y`
                let subject = tree.child(at, "nsubj");
                let content = subject.is_some_and(|subject| self.antecedent(subject).is_none());
                let noun = self.lower(head);
                let open = words::is_plan(noun) || words::is_denial(noun) || words::is_claim(noun);
                let plan = to || content && open;
                (if plan { Status::NotCurrent } else { self.status_of_subject(head) }, false)
            }
            _ => (Status::Fact, false),
        }
    }

    /// What a verb says of what hangs on it: `is used to treat` says that it treats, `plans to treat` that it does not yet.
    fn status_governed(&self, governor: usize) -> Status {
        let lower = self.lower(governor);
        let used = self.tree().lemma(governor) == "use" && self.is_passive(governor);
        if words::is_denial(lower) {
            Status::Negated
        } else if used || words::keeps_fact(lower) {
            Status::Fact
        } else {
            Status::NotCurrent
        }
    }
}
