use graphwright_core::Value;
use graphwright_learn::*;
use std::{collections::HashMap, path::Path, time::Instant};
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}
fn load(folder: &Path) -> Graph {
    let mut b = GraphBuilder::default();
    let mut ids = HashMap::new();
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    for f in files.iter().filter(|f| f.to_string_lossy().contains(".nodes.")) {
        let mut r = csv::Reader::from_path(f).unwrap();
        let h: Vec<String> =
            r.headers().unwrap().iter().map(|s| s.split(':').next().unwrap().to_owned()).collect();
        for rec in r.records() {
            let rec = rec.unwrap();
            let props: Vec<(String, Value)> = (1..rec.len() - 1)
                .filter(|i| !rec[*i].is_empty())
                .map(|i| (h[i].clone(), Value::from(&rec[i])))
                .collect();
            ids.insert(rec[0].to_owned(), ids.len() as u32);
            b.node(&rec[rec.len() - 1], props.iter().map(|(k, v)| (k.as_str(), v)));
        }
    }
    for f in files.iter().filter(|f| f.to_string_lossy().contains(".relationships.")) {
        let mut r = csv::Reader::from_path(f).unwrap();
        let h: Vec<String> = r.headers().unwrap().iter().map(str::to_owned).collect();
        let t = h.iter().position(|x| x == ":TYPE").unwrap();
        for rec in r.records() {
            let rec = rec.unwrap();
            b.relationship(ids[&rec[0]], &rec[t], ids[&rec[1]]);
        }
    }
    b.build()
}
fn main() {
    let folder = Path::new("/work/shared/data/zograscope");
    let t = Instant::now();
    let graph = load(&folder.join("pole_csv"));
    eprintln!("graph {:?}", t.elapsed());
    let mut r = csv::Reader::from_path(folder.join("train.csv")).unwrap();
    struct Row {
        q: String,
        m: Option<Meaning>,
        shape: String,
        nodes: usize,
        cy: String,
        bad: String,
    }
    let mut rows = Vec::new();
    for rec in r.deserialize::<HashMap<String, String>>() {
        let rec = rec.unwrap();
        let cy = rec["mr"].clone();
        let mut shape = String::new();
        let mut inq = false;
        for c in cy.chars() {
            if c == '"' {
                inq = !inq;
                shape.push('"');
            } else if !inq {
                shape.push(c);
            }
        }
        let (m, bad) = match meaning_of(&cy, &graph) {
            Ok(m) => (Some(m), String::new()),
            Err(e) => (None, e),
        };
        rows.push(Row { q: rec["nl"].clone(), m, shape, nodes: rec["num_nodes"].parse().unwrap(), cy, bad });
    }
    let bad: Vec<_> = rows.iter().filter(|r| r.m.is_none()).collect();
    eprintln!("{} rows, {} unread", rows.len(), bad.len());
    for b in bad.iter().take(5) {
        eprintln!("  {} {}", b.bad, b.cy);
    }
    let which = std::env::args().nth(1).unwrap_or("iid".into());
    let show = std::env::args().nth(2).is_some();
    for split in which.split(',') {
        let is_test = |r: &Row| match split {
            "iid" => hash(&r.q) % 5 == 0,
            "fit" => hash(&r.q) % 5 == 1,
            "comp" => hash(&r.shape) % 4 == 0,
            _ => r.nodes == 3,
        };
        let train: Vec<Example> = rows
            .iter()
            .filter(|r| split == "fit" && hash(&r.q) % 5 != 0 || split != "fit" && !is_test(r))
            .filter_map(|r| Some(Example { question: r.q.clone(), meanings: vec![r.m.clone()?] }))
            .collect();
        let t = Instant::now();
        let (model, report) = learn(&train, &graph);
        let took = t.elapsed();
        let (mut right, mut same, mut all) = (0, 0, 0);
        let mut lost = 0;
        let (mut unl, mut times) = (0, Vec::new());
        let mut conf = Vec::new();
        for r in rows.iter().filter(|r| is_test(r)) {
            all += 1;
            let t = Instant::now();
            let u = model.understand(&r.q, &graph);
            times.push(t.elapsed().as_secs_f64() * 1000.0);
            let Some(gold) = &r.m else { continue };
            let Some(u) = u else { continue };
            let (g, o) = (graph.run(gold), graph.run(&u.meaning));
            let ok = if g.values.is_empty() && o.values.is_empty() {
                g.nodes == o.nodes
            } else {
                g.values == o.values
            };
            same += usize::from(*gold == u.meaning);
            right += usize::from(ok);
            conf.push((u.confidence, ok));
            if !ok {
                let linked = model.can_link(&r.q, gold, &graph);
                unl += usize::from(!linked);
                let place = model.place_of(&r.q, gold, &graph);
                lost += usize::from(linked && place.is_none());
                // errors only of half of the templates
                if show && hash(&r.shape) % 2 == 0 {
                    println!(
                        "{split} {:.2} {}{}\n   G {}\n   P {}",
                        u.confidence,
                        if place.is_none() && linked {
                            "LOST "
                        } else if linked {
                            ""
                        } else {
                            "UNLINKED "
                        },
                        r.q,
                        r.cy.replace('\n', " "),
                        u.meaning
                            .statement(graph.schema())
                            .map(|s| format!("{} {:?}", s.text(), s.parameters()))
                            .unwrap()
                    );
                }
            }
        }
        times.sort_by(f64::total_cmp);
        conf.sort_by(|a, b| b.0.total_cmp(&a.0));
        let at = |p: f64| {
            let n = (conf.len() as f64 * p) as usize;
            let ok = conf[..n].iter().filter(|c| c.1).count();
            format!("{:.0}%: {:.1} (c>{:.2})", p * 100.0, 100.0 * ok as f64 / n as f64, conf[n - 1].0)
        };
        println!(
            "{split}: train {} (unlinked {}) in {took:?}; test {all}: right {:.1} same {:.1} of wrong unlinked {unl} lost {lost}; ms p50 {:.2} p95 {:.2}; {} {} {}",
            train.len(),
            report.unlinked.len(),
            100.0 * right as f64 / all as f64,
            100.0 * same as f64 / all as f64,
            times[times.len() / 2],
            times[times.len() * 95 / 100],
            at(0.5),
            at(0.8),
            at(0.95)
        );
        if show {}
    }
}
