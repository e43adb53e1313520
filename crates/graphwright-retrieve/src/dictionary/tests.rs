use super::*;

fn dictionary() -> NameDictionary<u32> {
    let mut dictionary = NameDictionary::new();
    for (number, name) in NAMES.iter().enumerate() {
        dictionary.insert(name, number as u32);
    }
    dictionary
}

const NAMES: &[&str] = &[
    "auth-lib-v2",
    "auth-lib-v3",
    "Payment Service",
    "OnCall",
    "Single Sign-On (SSO)",
    "Bank of England",
    "Crouching Tiger, Hidden Dragon",
    "IT",
    "Go",
    "Café Zoé",
    "Batch Processing",
    "auth-lib",
];

fn show(candidates: &[Candidate<u32>]) -> Vec<String> {
    let line = |candidate: &Candidate<u32>| {
        format!(
            "{} {:.2} {}",
            NAMES[candidate.target as usize],
            candidate.score,
            candidate.agreement.as_str()
        )
    };
    candidates.iter().map(line).collect()
}

#[test]
fn every_certain_agreement_is_found() {
    let dictionary = dictionary();
    let first = |text: &str| show(&dictionary.find(text)).into_iter().next().unwrap_or_default();
    insta::assert_snapshot!(
        ["Auth Lib v2", "AUTH_LIB_V2", "payment services", "on-call", "SSO", "single sign on", "BoE", "cafe zoe",
            "batch processes", "auth-lib-v4"].map(|text| format!("{text}: {}", first(text))).join("\n"),
        @r"
    Auth Lib v2: auth-lib-v2 0.98 name
    AUTH_LIB_V2: auth-lib-v2 0.98 name
    payment services: Payment Service 0.93 plural
    on-call: OnCall 0.96 spacing
    SSO: Single Sign-On (SSO) 0.99 alias
    single sign on: Single Sign-On (SSO) 0.97 alias
    BoE: Bank of England 0.85 acronym
    cafe zoe: Café Zoé 0.96 spacing
    batch processes: Batch Processing 0.80 inflection
    auth-lib-v4: 
    ");
}

#[test]
fn punctuation_between_words_separates_unless_the_name_has_it() {
    let dictionary = dictionary();
    assert!(dictionary.find("auth, lib v2").is_empty());
    assert!(dictionary.find("payment. Service").is_empty());
    assert_eq!(dictionary.find("crouching tiger, hidden dragon").len(), 1);
    assert_eq!(dictionary.find("crouching tiger hidden dragon").len(), 1);
}

#[test]
fn short_names_in_other_case_are_less_sure() {
    let dictionary = dictionary();
    assert_eq!(show(&dictionary.find("IT")), ["IT 1.00 name"]);
    assert_eq!(show(&dictionary.find("go")), ["Go 0.60 name"]);
    assert_eq!(show(&dictionary.find("auth lib v2")), ["auth-lib-v2 1.00 name"]);
}

#[test]
fn suggestions_come_with_score_and_reason_and_digits_agree() {
    let dictionary = dictionary();
    assert_eq!(show(&dictionary.suggest("paymet servise", 3)), ["Payment Service 0.82 similar spelling"]);
    let versions = show(&dictionary.suggest("auth-libb-v2", 9));
    assert!(versions[0].starts_with("auth-lib-v2 "), "{versions:?}");
    assert!(!versions.iter().any(|line| line.contains("v3")), "{versions:?}");
    let parts = show(&dictionary.suggest("england", 3));
    assert_eq!(parts, ["Bank of England 0.67 part of the name"]);
    assert_eq!(show(&dictionary.suggest("qqqq", 3)), Vec::<String>::new());
}

#[test]
fn empty_and_strange_texts_are_harmless() {
    let mut dictionary = dictionary();
    dictionary.insert("—", 0);
    for text in ["", "   ", "&&&", "’s", "\u{301}", "()", "🦀🦀"] {
        assert!(dictionary.find(text).is_empty() || text == "&&&", "{text}");
        dictionary.suggest(text, 5);
    }
}
