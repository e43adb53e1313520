//! English words that hardly ever name anything.

/// Words that are hardly ever meant as a name when they are written in lower case.
const FUNCTION_WORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "been", "before",
    "by", "can", "could", "did", "do", "does", "for", "from", "had", "has", "have", "he", "her", "his",
    "how", "i", "if", "in", "into", "is", "it", "its", "may", "me", "might", "must", "my", "no", "not", "of",
    "on", "one", "or", "our", "out", "over", "per", "she", "should", "so", "some", "such", "than", "that",
    "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "under", "up", "us",
    "was", "we", "were", "what", "when", "where", "which", "who", "whom", "whose", "why", "will", "with",
    "would", "you", "your",
];

/// Whether a normalised word is an English function word.
pub(crate) fn is_function_word(word: &str) -> bool {
    // The list is in alphabetical order.
    FUNCTION_WORDS.binary_search(&word).is_ok()
}
