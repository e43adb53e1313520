//! Lets files grow only so far, as a full disk does. A write must fail with an error, or be there.

use anyhow::Result;

use super::{Round, Victim, end, kills::numbers};

pub(super) fn run(victim: &Victim, round: &mut Round) -> Result<String> {
    let (mut written, mut refused) = (0, 0);
    while round.next() {
        let folder = tempfile::tempdir()?;
        victim.succeed(
            folder.path(),
            &["cypher", "--write", "--yes", "--new-names", "CREATE (:Row {number: 0})"],
        )?;
        // In blocks of 512 bytes.
        let blocks = round.rng.u32(1..64);
        let limits = format!("trap '' XFSZ; ulimit -f {blocks}");
        let mut rows = std::collections::BTreeSet::from([0]);
        for number in 1..12 {
            let text: String = (0..3_000).map(|_| round.rng.alphanumeric()).collect();
            let write = format!("CREATE (:Row {{number: {number}, text: '{text}'}})");
            let arguments = ["cypher", "--write", "--yes", "--new-names", &write];
            let ending = end(victim.limited(&limits, folder.path(), &arguments).spawn()?)?;
            if let Some(fault) = ending.fault() {
                round.fault(format!("{blocks} blocks: {fault}"));
            }
            if ending.status.success() {
                written += 1;
                rows.insert(number);
            } else {
                refused += 1;
            }
        }
        match numbers(victim, folder.path())? {
            Ok(found) if found == rows => {}
            Ok(found) => round.fault(format!("{blocks} blocks: acknowledged {rows:?}, found {found:?}")),
            Err(said) => round.fault(format!("{blocks} blocks: cannot be read afterwards: {said}")),
        }
    }
    Ok(format!("{written} writes acknowledged, {refused} refused with a reason"))
}
