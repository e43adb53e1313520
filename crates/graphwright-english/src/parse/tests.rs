mod measure;

use super::*;

/// The tree of words, where a name is written in angle brackets with underscores for spaces: `<New_York>`.
fn parse(text: &str) -> (Vec<String>, Tree) {
    let tokens: Vec<Token> = text
        .split_whitespace()
        .map(|word| {
            let name = word.strip_prefix('<').and_then(|word| word.strip_suffix('>'));
            let text = name.map_or_else(|| word.to_owned(), |name| name.replace('_', " "));
            Token { text, range: 0..0, name: name.is_some() }
        })
        .collect();
    let words = tokens.iter().map(|token| token.text.clone()).collect();
    let tree = Parser::builtin().unwrap().parse(&[tokens]).remove(0);
    (words, tree)
}

/// Lines "dependent relation head" for the relations asked for, subtypes included.
fn arcs(text: &str, wanted: &[&str]) -> Vec<String> {
    let (words, tree) = parse(text);
    let line = |word: usize| {
        let head = tree.head(word).map_or("-", |head| &words[head]);
        format!("{} {} {head}", words[word], tree.relation(word))
    };
    let asked = |word: &usize| wanted.iter().any(|relation| tree.is(*word, relation));
    (0..tree.len()).filter(asked).map(line).collect()
}

#[test]
fn passive_with_an_agent() {
    let found = arcs("The service is owned by the payments team .", &["nsubj", "aux", "obl", "root"]);
    assert_eq!(
        found,
        ["service nsubj:pass owned", "is aux:pass owned", "owned root -", "team obl:agent owned"]
    );
}

#[test]
fn coordination() {
    let found = arcs("Alice and Bob wrote the book .", &["nsubj", "conj", "cc", "obj"]);
    assert_eq!(found, ["Alice nsubj wrote", "and cc Bob", "Bob conj Alice", "book obj wrote"]);
}

#[test]
fn negation() {
    let (words, tree) = parse("The team does n't use the old library .");
    let verb = words.iter().position(|word| word == "use").unwrap();
    assert_eq!(tree.root(), Some(verb));
    assert!(tree.children(verb).any(|child| tree.lemma(child) == "not"), "{tree:?}");
    assert_eq!(tree.child(verb, "obj").map(|word| tree.lemma(word)), Some("library"));
}

#[test]
fn relative_clause() {
    let found = arcs("The man who wrote the book moved to Rome .", &["nsubj", "acl", "obl", "root"]);
    let wanted =
        ["man nsubj moved", "who nsubj wrote", "wrote acl:relcl man", "moved root -", "Rome obl moved"];
    assert_eq!(found, wanted);
}

#[test]
fn merged_names_are_proper_nouns() {
    let (words, tree) = parse("<fraud_scorer> calls <New_York_Bank> because <checkout> needs it .");
    for name in ["fraud scorer", "New York Bank", "checkout"] {
        let word = words.iter().position(|word| word == name).unwrap();
        assert_eq!((tree.tag(word), tree.lemma(word)), (Tag::Propn, name), "{tree:?}");
    }
    let verb = tree.root().unwrap();
    assert_eq!(
        (tree.lemma(verb), tree.child(verb, "nsubj"), tree.child(verb, "obj")),
        ("call", Some(0), Some(2))
    );
}

#[test]
fn walks() {
    let (_, tree) = parse("The owner of the house sold it .");
    let verb = tree.root().unwrap();
    let subject = tree.child(verb, "nsubj").unwrap();
    assert_eq!((tree.span(subject), tree.span(verb)), (0..5, 0..8));
    assert!(tree.is_below(3, subject) && tree.is_below(3, 3) && !tree.is_below(subject, 3));
    assert_eq!(tree.path(0).collect::<Vec<_>>(), [0, subject, verb]);
    assert!(tree.is(verb, "root") && !tree.is(verb, "ro"));
}

#[test]
fn words_that_are_not_there_have_nothing() {
    let (_, tree) = parse("Go .");
    assert_eq!((tree.head(9), tree.relation(9), tree.lemma(9), tree.tag(9)), (None, "", "", Tag::X));
    assert_eq!((tree.children(9).count(), tree.path(9).count()), (0, 0));
}

#[test]
fn the_smallest_and_strangest_inputs_have_trees() {
    let parser = Parser::builtin().unwrap();
    assert!(parser.parse(&[]).is_empty());
    let (_, tree) = parse("");
    assert!(tree.is_empty() && tree.root().is_none());
    for text in ["Yes", ". . .", "🙂", "🙂 🙂 ! —", "\u{301} \u{200d}", "日本語 テキスト", "' ’ “"]
    {
        let (words, tree) = parse(text);
        assert_sound(&tree, words.len());
    }
    let empty_among_others = parser.parse(&[vec![], vec![Token::new("Go", 0..2)], vec![]]);
    assert_eq!(empty_among_others.iter().map(Tree::len).collect::<Vec<_>>(), [0, 1, 0]);
    let without_text = parser.parse(&[vec![Token::new("", 0..0)]]);
    assert_sound(&without_text[0], 1);
}

#[test]
fn long_sentences_are_parsed_in_pieces() {
    let words = ["the", "dog", "saw", "a", "cat", "and"];
    let tokens: Vec<Token> = words.iter().cycle().take(10_000).map(|word| Token::new(*word, 0..0)).collect();
    let tree = Parser::builtin().unwrap().parse(&[tokens]).remove(0);
    assert_sound(&tree, 10_000);
    let root = tree.root().unwrap();
    let pieces = tree.children(root).filter(|child| *child >= Parser::LONGEST);
    assert_eq!(pieces.filter(|child| tree.relation(*child) == "parataxis").count(), 49);
}

fn assert_sound(tree: &Tree, words: usize) {
    assert_eq!(tree.len(), words);
    let roots = (0..words).filter(|word| tree.head(*word).is_none());
    assert_eq!(roots.count(), 1, "{tree:?}");
    let root = tree.root().unwrap();
    for word in 0..words {
        assert_eq!(tree.path(word).last(), Some(root));
        assert_eq!(tree.relation(word) == "root", word == root);
        assert!(!tree.relation(word).is_empty());
    }
}

#[test]
fn trees_equal_those_that_python_makes() {
    let mut tokens = Vec::new();
    let mut wanted = Vec::new();
    for line in include_str!("../../tests/data/parser_reference.jsonl").lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let strings = |name: &str| -> Vec<String> {
            record[name].as_array().unwrap().iter().map(|value| value.as_str().unwrap().to_owned()).collect()
        };
        let numbers = |name: &str| -> Vec<usize> {
            record[name].as_array().unwrap().iter().map(|value| value.as_u64().unwrap() as usize).collect()
        };
        let names = numbers("names");
        let words = strings("words").into_iter().enumerate();
        tokens.push(
            words.map(|(word, text)| Token { text, range: 0..0, name: names.contains(&word) }).collect(),
        );
        wanted.push((numbers("heads"), strings("labels"), strings("tags"), strings("lemmas")));
    }
    assert!(wanted.len() >= 50);
    for (tree, (heads, labels, tags, lemmas)) in Parser::builtin().unwrap().parse(&tokens).iter().zip(&wanted)
    {
        for word in 0..heads.len() {
            let ours = (tree.head(word), tree.relation(word), tree.tag(word).name(), tree.lemma(word));
            let theirs = (heads[word].checked_sub(1), &*labels[word], &*tags[word], &*lemmas[word]);
            assert_eq!(ours, theirs, "word {word} of\n{tree:?}");
        }
    }
}

#[test]
fn sentences_have_the_same_tree_alone_and_among_others() {
    let text = "The dog barks. It was seen by the man who lives here! Alice, Bob and Carol use auth-lib.";
    let sentences = split::sentences(text, &[], &[]);
    let parser = Parser::builtin().unwrap();
    let together = parser.parse(&sentences);
    for (sentence, tree) in sentences.iter().zip(together) {
        assert_eq!(parser.parse(std::slice::from_ref(sentence)), [tree]);
    }
}

#[test]
fn damaged_files_are_errors() {
    let whole = ParserData {
        net: include_bytes!("../../data/parser/net.safetensors"),
        words: include_str!("../../data/parser/words.txt"),
        labels: include_str!("../../data/parser/labels.txt"),
        lemmas: include_str!("../../data/parser/lemmas.txt"),
    };
    assert!(Parser::read(whole).is_ok());
    let short = &whole.net[..whole.net.len() - 1];
    for damaged in [
        ParserData { net: short, ..whole },
        ParserData { net: &[], ..whole },
        ParserData { words: "one\ntwo\n", ..whole },
        ParserData { labels: "root\nparataxis\n", ..whole },
        ParserData { labels: "nsubj\n", ..whole },
        ParserData { lemmas: "VERB\n", ..whole },
    ] {
        assert!(matches!(Parser::read(damaged), Err(EnglishError::DamagedParser { .. })));
    }
}
