//! What somebody has, by the word for its type and its name: `its best-known wine, X`, `the club's boat Y`.

use crate::facts::{
    clauses::{Link, Reader, Trust},
    collect::Status,
    grammar, modality,
    slots::{Objects, Term},
    units::{Sentence, UnitKind},
};

impl Reader<'_, '_> {
    /// Relates names with their possessors where only one relationship is possible between the two.
    pub(super) fn read_possessed_names(&mut self, sentence: &Sentence<'_>) {
        for unit in 1..sentence.units.len() {
            let Some(name) = sentence.name_at(unit) else { continue };
            let Some((owner, head)) = self.owner_of_name(sentence, unit) else { continue };
            let Some(known) = self.known(&sentence.mentions[name]) else { continue };
            let vocabulary = self.lexicon.vocabulary;
            let status = modality::surroundings(sentence, head, unit, false).max(self.base);
            for kind in 0..vocabulary.types.len() {
                let Some((relation, turned)) = vocabulary.only_relation(kind, known.kind) else { continue };
                let owners = self.resolve(sentence, &owner, &[kind], head);
                if owners.is_empty() || status != Status::Fact {
                    continue;
                }
                let link = Link { relation, turned, trust: Trust::Weak };
                let objects = Objects::one(Term::Name(name), unit);
                self.emit(sentence, link, std::slice::from_ref(&owner), &objects, status, head);
            }
        }
    }

    /// The possessor before the word for the type of the name at a unit, with its unit.
    fn owner_of_name(&self, sentence: &Sentence<'_>, unit: usize) -> Option<(Term, usize)> {
        let mention = &sentence.mentions[sentence.name_at(unit)?];
        let within = sentence.units[unit].tokens.start < mention.tokens.start;
        let mut at = if within {
            unit - 1
        } else {
            let noun = unit.checked_sub(2).filter(|_| sentence.word(unit - 1) == ",")?;
            let token = sentence.units[noun].tokens.end - 1;
            self.lexicon
                .vocabulary
                .type_words
                .find(sentence.tokens, token)
                .filter(|_| sentence.is_word(noun))?;
            noun.checked_sub(1)?
        };
        for _ in 0..2 {
            let word = sentence.word(at);
            let adjective = sentence.is_word(at)
                && !grammar::is_closed(word)
                && !grammar::is_former_adjective(word)
                && !grammar::is_plan(word)
                && word != "'s";
            if !adjective {
                break;
            }
            at = at.checked_sub(1)?;
        }
        match sentence.word(at) {
            "its" | "their" => Some((Term::Stand(at), at)),
            "'s" | "'" => {
                let owner = at.checked_sub(1)?;
                let term = match sentence.units[owner].kind {
                    UnitKind::Name(name) => Term::Name(name),
                    UnitKind::Described(_) => Term::Stand(owner),
                    _ => return None,
                };
                Some((term, at))
            }
            _ => None,
        }
    }
}
