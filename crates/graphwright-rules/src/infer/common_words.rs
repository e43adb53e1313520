//! Lists words that are common in every text: those that carry no name, and prepositions of verbs.

/// Prepositions that belong to the verb before them.
pub(super) const PARTICLES: [&str; 8] = ["on", "with", "to", "from", "in", "into", "by", "for"];
/// Words that carry no name, whatever their case.
pub(super) fn is_function_word(word: &str) -> bool {
    const WORDS: [&str; 78] = [
        "a", "about", "after", "all", "also", "although", "an", "and", "any", "as", "at", "because",
        "before", "but", "by", "can", "each", "every", "for", "from", "he", "here", "how", "i", "if", "in",
        "into", "is", "it", "its", "may", "many", "more", "most", "must", "new", "no", "not", "note", "now",
        "of", "on", "one", "or", "other", "our", "see", "she", "should", "since", "so", "some", "such",
        "than", "that", "the", "their", "then", "there", "these", "they", "this", "those", "through", "to",
        "use", "we", "what", "when", "where", "which", "while", "who", "why", "will", "with", "you", "your",
    ];
    WORDS.contains(&word.to_lowercase().as_str())
}
