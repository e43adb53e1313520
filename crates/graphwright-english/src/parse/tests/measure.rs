//! How good and how fast the parser is, on the test file of the treebank that it was trained on.
//!
//! Scores are those of the CoNLL 2018 shared task: words of the same letters are the same word, and a head or label counts where
//! both words are; subtypes of relations are left out.

use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
    path::PathBuf,
    time::Instant,
};

use super::super::{Parser, Token, Tree, split};

/// A word with its place among the letters of the file, spaces left out.
#[derive(Clone, Debug)]
struct Word {
    letters: Range<usize>,
    head: Option<Range<usize>>,
    relation: String,
    tag: String,
    lemma: String,
}

struct Treebank {
    sentences: Vec<Vec<Token>>,
    words: Vec<Word>,
    text: String,
    /// Where paragraphs begin in the text.
    paragraphs: Vec<usize>,
}

fn test_file() -> String {
    let folder = PathBuf::from(std::env::var("GRAPHWRIGHT_DATA").unwrap()).join("ud_english_ewt");
    std::fs::read_to_string(folder.join("test.conllu")).unwrap()
}

fn read(file: &str) -> Treebank {
    let mut bank =
        Treebank { sentences: Vec::new(), words: Vec::new(), text: String::new(), paragraphs: Vec::new() };
    let mut letters = 0;
    for sentence in file.split_terminator("\n\n") {
        if sentence.lines().any(|line| line.starts_with("# newdoc") || line.starts_with("# newpar")) {
            bank.text.push_str("\n\n");
            bank.paragraphs.push(bank.text.len());
        }
        let rows: Vec<Vec<&str>> = sentence
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split('\t').collect())
            .collect();
        let words: Vec<&Vec<&str>> = rows.iter().filter(|row| row[0].parse::<usize>().is_ok()).collect();
        let places = places(words.iter().map(|row| row[1]), &mut letters);
        for (row, place) in words.iter().zip(&places) {
            let head = row[6].parse::<usize>().unwrap();
            bank.words.push(Word {
                letters: place.clone(),
                head: head.checked_sub(1).map(|head| places[head].clone()),
                relation: row[7].to_owned(),
                tag: row[3].to_owned(),
                lemma: row[2].to_owned(),
            });
        }
        bank.sentences.push(words.iter().map(|row| Token::new(row[1], 0..0)).collect());
        for line in sentence.lines().filter_map(|line| line.strip_prefix("# text = ")) {
            bank.text.push_str(line);
        }
        if !rows.last().unwrap()[9].contains("SpaceAfter=No") {
            bank.text.push(' ');
        }
    }
    bank
}

/// The places of words that follow each other, among letters that are not spaces.
fn places<'text>(words: impl Iterator<Item = &'text str>, letters: &mut usize) -> Vec<Range<usize>> {
    words
        .map(|word| {
            let start = *letters;
            *letters += word.chars().filter(|letter| !letter.is_whitespace()).count();
            start..*letters
        })
        .collect()
}

fn parsed(sentences: &[Vec<Token>], trees: &[Tree]) -> Vec<Word> {
    let mut letters = 0;
    let mut words = Vec::new();
    for (sentence, tree) in sentences.iter().zip(trees) {
        let places = places(sentence.iter().map(|token| token.text.as_str()), &mut letters);
        words.extend((0..tree.len()).map(|word| Word {
            letters: places[word].clone(),
            head: tree.head(word).map(|head| places[head].clone()),
            relation: tree.relation(word).to_owned(),
            tag: tree.tag(word).name().to_owned(),
            lemma: tree.lemma(word).to_owned(),
        }));
    }
    words
}

/// F1 per cent of words, tags, base forms, heads, heads with labels less subtypes, heads with labels.
fn scores(gold: &[Word], ours: &[Word]) -> [f64; 6] {
    let by_place: HashMap<_, _> = ours.iter().map(|word| (word.letters.clone(), word)).collect();
    let mut right = [0_usize; 6];
    for word in gold {
        let Some(our) = by_place.get(&word.letters) else { continue };
        let base = |relation: &str| relation.split(':').next().map(str::to_owned);
        let head = our.head == word.head;
        let hits = [
            true,
            our.tag == word.tag,
            word.lemma == "_" || our.lemma == word.lemma,
            head,
            head && base(&our.relation) == base(&word.relation),
            head && our.relation == word.relation,
        ];
        right.iter_mut().zip(hits).for_each(|(count, hit)| *count += usize::from(hit));
    }
    right.map(|count| 200.0 * count as f64 / (gold.len() + ours.len()) as f64)
}

fn show(what: &str, scores: [f64; 6]) {
    let [words, tags, lemmas, heads, labels, subtypes] = scores;
    println!(
        "{what}: words {words:.2}, tags {tags:.2}, lemmas {lemmas:.2}, UAS {heads:.2}, LAS {labels:.2}, with subtypes {subtypes:.2}"
    );
}

#[test]
#[ignore = "needs public data"]
fn trees_of_the_treebank_are_found() {
    let bank = read(&test_file());
    let parser = Parser::builtin().unwrap();
    let scores_of =
        |sentences: &[Vec<Token>]| scores(&bank.words, &parsed(sentences, &parser.parse(sentences)));
    let on_tokens = scores_of(&bank.sentences);
    show("tokens of the treebank", on_tokens);
    let raw = split::treebank_sentences(&bank.text, &bank.paragraphs);
    let on_text = scores_of(&raw);
    show("raw text", on_text);
    println!("sentences: F1 {:.2}", sentence_score(&bank.sentences, &raw));
    assert!(on_tokens[4] >= 85.5, "LAS {:.2} on the treebank's tokens", on_tokens[4]);
    assert!(on_text[4] >= 82.0, "LAS {:.2} on raw text", on_text[4]);
}

fn sentence_score(gold: &[Vec<Token>], ours: &[Vec<Token>]) -> f64 {
    let ends = |sentences: &[Vec<Token>]| -> BTreeSet<(usize, usize)> {
        let mut letters = 0;
        let places = |tokens: &Vec<Token>| {
            let places = places(tokens.iter().map(|token| token.text.as_str()), &mut letters);
            (places[0].start, places[places.len() - 1].end)
        };
        sentences.iter().map(places).collect()
    };
    let (gold, ours) = (ends(gold), ends(ours));
    200.0 * gold.intersection(&ours).count() as f64 / (gold.len() + ours.len()) as f64
}

#[test]
#[ignore = "needs public data"]
fn sentences_a_second() {
    let bank = read(&test_file());
    let start = Instant::now();
    let parser = Parser::builtin().unwrap();
    println!("read in {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    parser.parse(&bank.sentences[..100]);
    for _ in 0..5 {
        let start = Instant::now();
        let trees = parser.parse(&bank.sentences);
        let seconds = start.elapsed().as_secs_f64();
        println!("{:.0} sentences a second", trees.len() as f64 / seconds);
    }
    let start = Instant::now();
    for sentence in &bank.sentences {
        parser.parse(std::slice::from_ref(sentence));
    }
    println!("{:.0} one by one", bank.sentences.len() as f64 / start.elapsed().as_secs_f64());
}
