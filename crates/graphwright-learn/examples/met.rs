//! Temporary.
use graphwright_core::Value;
use graphwright_learn::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Instant,
};
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}
fn main() {
    let text = std::fs::read_to_string("/work/shared/data/metaqa/kb.txt").unwrap();
    let mut builder = GraphBuilder::default();
    let (mut numbers, mut names): (BTreeMap<(&str, &str), u32>, Vec<String>) = (BTreeMap::new(), Vec::new());
    for line in text.lines() {
        let parts: Vec<&str> = line.split('|').collect();
        let [film, relation, thing] = parts[..] else { continue };
        let label = match relation {
            "directed_by" | "written_by" | "starred_actors" => "Person",
            "release_year" => "Year",
            "has_genre" => "Genre",
            "in_language" => "Language",
            "has_tags" => "Tag",
            "has_imdb_rating" => "Rating",
            _ => "Votes",
        };
        let mut number = |label, name| {
            *numbers.entry((label, name)).or_insert_with(|| {
                let value = Value::from(name);
                builder.node(label, [("name", &value)]);
                names.push(name.to_owned());
                (names.len() - 1) as u32
            })
        };
        let ends = (number("Movie", film), number(label, thing));
        builder.relationship(ends.0, relation, ends.1);
    }
    let graph = builder.build();
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut examples = Vec::new();
    let mut kept = Vec::new();
    let t = Instant::now();
    for hops in 1..=3 {
        let text = std::fs::read_to_string(format!("/work/shared/data/metaqa/{hops}-hop/dev.txt")).unwrap();
        let all: Vec<(String, BTreeSet<String>, String)> = text
            .lines()
            .map(|l| {
                let (q, a) = l.split_once('\t').unwrap();
                (
                    q.to_owned(),
                    a.split('|').map(str::to_owned).collect(),
                    q.split(['[', ']']).nth(1).unwrap().to_owned(),
                )
            })
            .collect();
        let (learned, test): (Vec<_>, Vec<_>) = all.into_iter().partition(|x| hash(&x.2) % 2 == 0);
        let step = (learned.len() / n).max(1);
        let (mut none, mut many, mut tot) = (0, 0, 0);
        for (q, a, topic) in learned.into_iter().step_by(step) {
            let a: Vec<String> = a.into_iter().collect();
            let m = meanings_of_answers(&q, Some(&topic), &a, &graph);
            tot += 1;
            many += m.len();
            if m.is_empty() {
                none += 1;
                if none < 4 {
                    println!("none: {q} {:?}", a.iter().take(4).collect::<Vec<_>>());
                }
            } else {
                examples.push(Example { question: q, meanings: m });
            }
        }
        println!(
            "{hops}: {tot} learned, none {none}, mean candidates {:.1} {:?}",
            many as f64 / tot as f64,
            t.elapsed()
        );
        kept.push(test);
    }
    let (model, report) = learn(&examples, &graph);
    println!("learned {} unlinked {} {:?}", report.used, report.unlinked.len(), t.elapsed());
    for (h, test) in kept.iter().enumerate() {
        let (mut ok, mut all, mut times) = (0, 0, Vec::new());
        let mut shown = 0;
        for (q, a, topic) in test.iter().step_by(5) {
            all += 1;
            let s = Instant::now();
            let u = model.understand(q, &graph);
            times.push(s.elapsed().as_secs_f64() * 1000.0);
            let got: BTreeSet<String> = u
                .as_ref()
                .map(|u| graph.run(&u.meaning).nodes.iter().map(|n| names[*n as usize].clone()).collect())
                .unwrap_or_default();
            if got == *a {
                ok += 1
            } else if hash(topic) % 4 < 2 && shown < 8 && !(got.is_superset(a)) {
                shown += 1;
                println!(
                    "  {q} got {} want {} {:?}",
                    got.len(),
                    a.len(),
                    u.map(|u| u.meaning.statement(graph.schema()).unwrap().text().to_owned())
                );
            }
        }
        times.sort_by(f64::total_cmp);
        println!(
            "{} hops: {:.1} of {all}; p50 {:.2} p95 {:.2}",
            h + 1,
            100.0 * f64::from(ok) / f64::from(all),
            times[times.len() / 2],
            times[times.len() * 95 / 100]
        );
    }
}
