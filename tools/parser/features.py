"""What the net sees of a word: its row among known words, and buckets of its affixes and shape.

The program does the same (`crates/graphwright-english/src/parse/features.rs`); a test compares both on recorded sentences.
"""

import numpy as np

BUCKETS = 8192
SLOTS = 12
"""Most features of one word: shape, four prefixes, four suffixes, the whole, the mark of a known name, one more for even rows."""
UNKNOWN, ROOT = 0, 1
QUOTES = {"’": "'", "‘": "'", "`": "'", "“": '"', "”": '"'}


def normal(form):
    """Small letters, straight quotes, each ASCII digit as 0. Letter by letter, so that no rule of context applies."""
    letters = []
    for letter in form:
        letter = QUOTES.get(letter, letter)
        letters.append("0" if "0" <= letter <= "9" else letter.lower())
    return "".join(letters)


def shape(form):
    """X, x and 0 for letters and digits, other characters themselves; no run is longer than two."""
    marks = []
    for letter in form:
        mark = "0" if "0" <= letter <= "9" else "X" if letter.isupper() else "x" if letter.islower() else letter
        if len(marks) < 2 or not marks[-1] == marks[-2] == mark:
            marks.append(mark)
    return "".join(marks)


def bucket(kind, text):
    """FNV-1a of 32 bits over the kind's letter and the text, folded."""
    state = 0x811C9DC5
    for byte in (kind + text).encode():
        state = ((state ^ byte) * 0x01000193) & 0xFFFFFFFF
    return (state ^ (state >> 13)) % BUCKETS


def buckets(form, known):
    word = normal(form)
    found = [bucket("w", word), bucket("s", shape(form))]
    for length in range(1, 5):
        if length <= len(word):
            found.append(bucket("p", word[:length]))
            found.append(bucket("e", word[-length:]))
    if known:
        found.append(bucket("n", ""))
    return found


class Words:
    """Known words with their rows; a cache of what has been looked up."""

    def __init__(self, words):
        self.rows = {word: row for row, word in enumerate(words, start=2)}
        self.cache = {}

    def look_up(self, form, known):
        found = self.cache.get((form, known))
        if found is None:
            filled = np.full(SLOTS, BUCKETS, np.int32)
            parts = buckets(form, known)
            filled[: len(parts)] = parts
            found = (self.rows.get(normal(form), UNKNOWN), filled)
            if len(self.cache) < 400_000:
                self.cache[form, known] = found
        return found
