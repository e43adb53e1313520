//! Common English ways to say the same of two things, so that an ontology need not list them all.

use super::{
    cues::{Compiler, Role, Shape},
    inflect,
    vocabulary::Vocabulary,
};

/// Phrases that say the same of two things of fitting types, a line each, separated by semicolons; `~` marks the ones
/// that stand the other way round. Sense classes: ownership, leadership, care, employment, membership, dependency,
/// parts, place, making, succession, teaching, funding, giving and lending, supply, effect, taking part, awards,
/// naming, depiction and subject, decisions, connection.
const GROUPS: &str = "\
owns; possesses; is the owner of; is the parent company of; is the parent of; ~is a subsidiary of; ~is a wholly owned subsidiary of; ~is a unit of; has ownership of; ~belongs to; ~is owned by; ~is the property of; ~is in the possession of; ~is in the ownership of; ~is in the collection of
leads; heads; directs; manages; runs; is the chief executive of; is the CEO of; is the managing director of; is the principal of; is in charge of; is the head of; is the leader of; is the lead of; is the director of; is the manager of; is at the head of; is at the helm of; has charge of; ~is led by; ~is under the leadership of; ~is under the direction of; ~is under the command of; ~is in the hands of; ~is under
manages; oversees; supervises; is in charge of; is responsible for
chairs; is the chair of; is the chairman of; is the chairwoman of; is the chairperson of; is the president of; presides over; ~is chaired by; ~is under the chairmanship of
maintains; looks after; takes care of; cares for; is responsible for; is responsible for the maintenance of; is responsible for the upkeep of; is the keeper of; ~is in the care of; ~is in the hands of
operates; runs; is the operator of; ~is run by
employs; is the employer of; ~works for; ~works at; ~is employed by; ~is employed at; ~is an employee of; ~is on the staff of; ~has worked for; ~works with
works for; works at; works in; is employed by; is employed at; is on the staff of; is a member of staff of; is of; is at
is a member of; joined; is a founding member of; belongs to; is on; sits on; serves on; is of; is in; works in; ~consists of; ~comprises; ~counts among its members; ~is made up of; ~includes
is affiliated with; is at; is of; works at; belongs to; is based at; is a member of
uses; utilises; utilizes; makes use of; relies on; depends on; employs
depends on; relies on; requires; needs; is dependent on; is reliant on; is built on; is built on top of; is based on
contains; includes; comprises; consists of; is composed of; is made up of; ~is part of; ~is a part of; ~forms part of; ~is included in; ~belongs to
is part of; belongs to; forms part of; is a part of; is included in; is a branch of; is a division of; is a section of
is located in; is based in; is situated in; is headquartered in; stands in; lies in; sits in; is in; is found in; is housed in; is to be found in; has its headquarters in; has its seat in; has its home in; has its offices in; is of; ~is home to; ~is the home of; ~is the seat of
is located at; is based at; is situated at; is housed at; is housed in; stands at; is at; has its home at; has its seat at; is resident at; is in; ~is home to; ~is the home of; ~houses
is stored in; is kept in; is held in; is housed in; is deposited in; is stored at; is kept at
stores data in; keeps data in; keeps its data in; writes to; ~holds the data of; ~is the database of
is held at; takes place at; is hosted by; takes place in; is staged at; is at; is shown at; is on view at; is on show at; ~hosts; ~is the venue of; ~is the venue for
produces; manufactures; makes; is the maker of; is the manufacturer of; is the producer of; ~is a product of; ~comes from
acquired; bought; purchased; took over
founded; established; set up; co-founded; started; created; is the founder of; is a founder of; ~is the creation of
wrote; authored; co-authored; is the author of; is an author of; is the writer of; ~is by; ~is a work by; ~is a work of; ~is the work of
composed; wrote; is the composer of; ~is by; ~is a work by; ~is a work of; ~is the work of
painted; is the painter of; ~is by; ~is a work by; ~is a work of; ~is the work of; made
made; created; painted; carved; sculpted; wove; engraved; cast; drew; crafted; designed; built; is the maker of; is the creator of; ~is by; ~is a work by; ~is a work of; ~is the work of
designed; drew up; is the designer of; is the architect of; ~is by; ~is a work by; ~is a work of; ~is the work of; ~is a design by; ~is a design of
built; constructed; erected; put up; is the builder of; ~is the work of
developed; builds; built; made; makes; created; is the developer of; ~is by
published; issued; brought out; is the publisher of; ~appeared with
recorded; is the performer of; performed; ~is by
supplies; delivers to; provides; is a supplier to; is the supplier of; is a supplier of; ~buys from; ~gets from; ~is a customer of
supplies; delivers; provides; is the supplier of; is a supplier of
supplied by; delivered by; provided by; sourced from; bought from; comes from
causes; leads to; results in; brings about; gives rise to; is the cause of; is a cause of; triggers; ~is due to; ~results from; ~is the result of
treats; is used to treat; is used for the treatment of; is indicated for; is prescribed for; is given for; is used against; is used for; is a treatment for; ~is treated with
studied at; graduated from; attended; is a graduate of
is a pupil of; was apprenticed to; is an apprentice of; is a student of; studied under; studied with; trained under; trained with; learned from; ~taught; ~is the teacher of
teaches; is the teacher of; gives
is supervised by; is under the supervision of; ~supervises; ~is the supervisor of; ~is the adviser of; ~is the advisor of
replaces; replaced; supersedes; takes the place of; took the place of; succeeded; succeeds; is the successor of; is the successor to; took over from; is a replacement for
follows; followed; succeeds; succeeded; comes after; is the successor of; is the successor to; is a successor of; is a follow-up to; builds on; ~precedes; ~preceded; ~is the predecessor of; ~was followed by
funds; finances; pays for; is the funder of; bears the costs of; supports; ~is supported by; ~is paid for by; ~is supported by a grant from; ~receives funding from; ~is financed by
sponsors; funds; supports; is the sponsor of; is a sponsor of
gave; donated; presented; bequeathed; is the donor of; ~is a gift of; ~is a gift from; ~is the gift of; ~is a donation of; ~is a donation from; ~is a bequest of; ~is a bequest from; ~came from
lent to; loaned to; is on loan to; is lent to; ~borrowed
lent by; loaned by; is on loan from; is borrowed from; ~lent
participates in; takes part in; took part in; is a participant in; works on; is involved in; competes in; competed in; joined
connects to; links to; is connected to; is linked to
reports to; answers to; is accountable to
carries; transports; is loaded with
affects; has an effect on; impacts; hit; hits; disrupted; ~was hit by; ~suffered from
collaborates with; cooperates with; works with; works together with; partners with; has a partnership with; is a partner of
serves; calls at; stops at; halts at
flies to; serves; has flights to; operates flights to; offers flights to
calls at; stops at; halts at
hosts; houses; is home to; is the venue of; is the venue for
exhibited at; shown at; displayed at; on display at; on view at; on show at
exhibited in; shown in; displayed in; on display in; on view in; hangs in; is included in; ~includes; ~features; ~shows
married; is married to; is the wife of; is the husband of; is the spouse of
governs; regulates
permits; allows; admits; authorises
represents; acts for; appears for; is the member for; is the representative of; sits for; speaks for
cites; refers to; makes reference to; quotes; references
ships to; delivers to
written in; implemented in; coded in; programmed in
runs on; is deployed on; is hosted on
develops; builds
won; received; was awarded; is the winner of; is the recipient of; was given; earned; ~was awarded to; ~went to; ~was given to; ~was won by; ~was presented to
born in; is a native of; was born at; hails from; is from; comes from
lives in; resides in; is a resident of; is resident in; has a home in
named after; is called after; takes its name from; owes its name to; is named for; is named in honour of; bears the name of
depicts; shows; portrays; pictures; is a view of; is a picture of; is a portrait of; is a depiction of; ~is depicted in; ~is shown in; ~is the subject of
studies; is in patients with; is in people with; is in adults with; is in children with; is in women with; is in men with; enrols patients with; enrolled patients with
is about; deals with; treats of; studies; examines; investigates; covers; addresses; concerns; is concerned with; is devoted to; is on; ~is the subject of; ~is the topic of
crosses; spans; bridges; is a crossing of
borders; adjoins; is next to; abuts; ~is bordered by
grown in; grows in; cultivated in; planted in; farmed in
grows; cultivates; farms; plants
approved; passed; adopted; agreed to; authorised; gave approval to; gave its approval to; gave consent to
objected to; objects to; opposed; opposes; is against; is an opponent of; is opposed to
plays for; is a player of; is under contract with; turns out for
coaches; trains; is the coach of; is the trainer of
recommends; advises; recommends the use of
carried out; undertook; performed; executed; conducted; completed; finished; is the contractor for; ~is the work of
is on call for; is the on-call contact for; is the contact for; is the contact person for
stocks; sells; carries; offers
is resistant to; resists; withstands; is immune to; is proof against
is susceptible to; suffers from; is prone to; is liable to; is vulnerable to; succumbs to
raised from; bred from; is a cross of; is a cross between; is a seedling of; is a hybrid of; is a descendant of; descends from; is descended from; is an offspring of; ~is a parent of; ~is an ancestor of
bred; raised; is the breeder of; is the raiser of
introduced; launched; brought out; put on the market; is the introducer of
is a sport of; is a mutation of; arose as a mutation of; arose as a sport of; is a variant of
commanded; captained; skippered; is the captain of; is the master of; was captain of; was master of; ~sailed under
visited; landed on; called at; set foot on; went ashore on; paid a visit to
lost at; wrecked on; wrecked at; wrecked off; lost off; lost on; sank off; sank at; foundered off; ran aground on
built at; constructed at; launched at; is a product of
tested at; trialled at; tried at; is on trial at
merged with; joined with
regulates; supervises; is the regulator of
inspected; examined; checked; is the inspector of
wrote down; recorded
discovered; found; is the discoverer of; identified
invented; devised; is the inventor of; ~is an invention of
translated; is the translator of; ~is a translation by
edited; is the editor of; edits
directed; is the director of; ~is by; ~is a film by
is a cast member of; is in the cast of; stars in; starred in; appears in; appeared in; plays in; played in; acts in; acted in; ~stars; ~starred; ~features
set in; takes place in; is set at
flows into; empties into; joins; runs into; is a tributary of
admits; takes; receives";

/// What makes two phrases the same: the base of the verb, the words after it, and whether it is a passive.
type Sense = (String, Vec<String>, bool);

fn sense(words: &[String]) -> Option<Sense> {
    let words: Vec<String> =
        words.iter().filter(|word| !matches!(word.as_str(), "a" | "an" | "the")).cloned().collect();
    let words = match words.split_first()? {
        (first, rest) if super::grammar::is_be(first) && !rest.is_empty() => rest.to_vec(),
        _ => words,
    };
    let (first, rest) = words.split_first()?;
    let base = if inflect::is_participle(first) || first.ends_with('s') || first.ends_with("ing") {
        inflect::bases(first).into_iter().next()?
    } else {
        inflect::bases(first).into_iter().next().unwrap_or_else(|| first.clone())
    };
    match rest.split_last() {
        Some((last, middle)) if last == "by" && inflect::is_participle(first) => {
            Some((base, middle.to_vec(), true))
        }
        _ => Some((base, rest.to_vec(), false)),
    }
}

fn split(phrase: &str) -> (Vec<String>, bool) {
    let (text, inverse) = phrase.strip_prefix('~').map_or((phrase, false), |text| (text, true));
    (text.split(' ').map(str::to_lowercase).collect(), inverse)
}

/// The phrases of a group, with whether each stands the other way round.
fn members(group: &str) -> Vec<(Vec<String>, bool, Sense)> {
    let member = |phrase: &str| {
        let (words, inverse) = split(phrase);
        sense(&words).map(|sense| (words, inverse, sense))
    };
    group.split("; ").filter_map(member).collect()
}

/// Whether the phrases of a group stand the other way round for a relationship with a phrase among them; `None` when
/// it has none.
fn orientation(members: &[(Vec<String>, bool, Sense)], of: &Sense, inverse: bool) -> Option<bool> {
    let (_, turned, member) = members.iter().find(|(_, _, member)| same(member, of))?;
    Some(*turned != (inverse != (of.2 != member.2)))
}

/// The end of a relationship that a noun names, by what its cues say: the `successor` in FOLLOWS is the start.
pub(super) fn role_of(vocabulary: &Vocabulary, relation: usize, noun: &str) -> Option<Role> {
    let wanted = [noun.to_owned(), "of".to_owned()];
    let wanted = sense(&wanted)?;
    for group in GROUPS.lines() {
        let members = members(group);
        let Some((_, other, _)) = members.iter().find(|(_, _, member)| same(member, &wanted)) else {
            continue;
        };
        for cue in vocabulary.cues.iter().filter(|cue| cue.relation == relation && !cue.general) {
            let Some(sense) = sense(&cue.words) else { continue };
            let inverse = if cue.shape == Shape::Verb && sense.2 { !cue.inverse } else { cue.inverse };
            if let Some(flip) = orientation(&members, &sense, inverse) {
                return Some(if *other == flip { Role::From } else { Role::To });
            }
        }
    }
    None
}

/// Adds to each relationship type the phrases of the groups that one of its own cues belongs to, unless another
/// relationship type between the same types claims the phrase.
pub(super) fn extend(vocabulary: &mut Vocabulary) {
    let mut own: Vec<(usize, Sense, bool)> = Vec::new();
    let verbal: Vec<(usize, String)> = vocabulary
        .cues
        .iter()
        .filter(|cue| cue.shape != Shape::Predicate || cue.tail.is_empty())
        .filter_map(|cue| Some((cue.relation, cue.words.last()?.clone())))
        .collect();
    for cue in &vocabulary.cues {
        if let Some((base, tail, passive)) = sense(&cue.words) {
            // The cue's direction is stored for the active reading of a passive.
            let inverse = if cue.shape == Shape::Verb && passive { !cue.inverse } else { cue.inverse };
            own.push((cue.relation, (base, tail, passive), inverse));
        }
    }
    for (words, noun) in vocabulary.nouns.all() {
        let phrase: Vec<String> = words.iter().cloned().chain(["of".to_owned()]).collect();
        if let Some(sense) = sense(&phrase).filter(|_| !noun.key_only) {
            own.push((noun.relation, sense, noun.role == Role::To));
        }
    }
    let mut additions: Vec<(usize, Vec<String>, bool, Sense)> = Vec::new();
    for group in GROUPS.lines() {
        let members = members(group);
        for (relation, of, inverse) in &own {
            let Some(flip) = orientation(&members, of, *inverse) else { continue };
            for (words, other, sense) in &members {
                additions.push((*relation, words.clone(), *other != flip, sense.clone()));
            }
        }
    }
    for (relation, words, inverse, sense) in &additions {
        let claimed = own.iter().any(|(other, of, _)| {
            other != relation && same(of, sense) && meet(vocabulary, *relation, *other)
        }) || additions.iter().any(|(other, _, _, of)| {
            other != relation && same(of, sense) && meet(vocabulary, *relation, *other)
        });
        let weak =
            words.len() == 2 && super::grammar::is_be(&words[0]) && super::grammar::is_preposition(&words[1]);
        let others = verbal.iter().any(|(other, last)| {
            other != relation && words.last() == Some(last) && meet(vocabulary, *relation, *other)
        });
        let known = own.iter().any(|(other, of, _)| other == relation && same(of, sense));
        if !(claimed || known || weak && others) {
            let contested = own.iter().any(|(other, of, _)| other != relation && same(of, sense));
            Compiler { vocabulary, relation: *relation, general: true, contested }
                .add_phrase(words, *inverse);
        }
    }
}

/// Whether two senses are the same verb with the same words after it, in active or passive.
fn same(one: &Sense, other: &Sense) -> bool {
    one.0 == other.0 && one.1 == other.1
}

/// Whether two relationship types may hold between the same types.
fn meet(vocabulary: &Vocabulary, one: usize, other: usize) -> bool {
    let (one, other) = (&vocabulary.relations[one], &vocabulary.relations[other]);
    let share = |left: &[usize], right: &[usize]| left.iter().any(|kind| right.contains(kind));
    (share(&one.from, &other.from) && share(&one.to, &other.to))
        || (share(&one.from, &other.to) && share(&one.to, &other.from))
}
