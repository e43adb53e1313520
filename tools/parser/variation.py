"""Other forms of a sentence, so that the net meets what the treebank does not hold.

Names merged to one token, names of software in any spelling, words of common use as names, hyphenated words in one piece, text without capitals, and the
present tense of manuals ("stores", "shares", "hosts": verbs that may be nouns) where the treebank tells what happened.
"""

from collections import Counter
from dataclasses import replace

NAME_LABELS = ("compound", "flat")


def children(words):
    below = [[] for _ in range(len(words) + 1)]
    for number, word in enumerate(words, start=1):
        below[word.head].append(number)
    return below


def name_spans(words):
    """Ranges (first, last, head) of names: a proper noun with what belongs to its name."""
    below, spans = children(words), []
    for number, word in enumerate(words, start=1):
        part = word.label.split(":")[0] in NAME_LABELS and words[word.head - 1].tag == "PROPN"
        if word.tag != "PROPN" or (word.head and part):
            continue
        parts, waiting = {number}, [number]
        while waiting:
            for child in below[waiting.pop()]:
                if words[child - 1].label.split(":")[0] in NAME_LABELS and words[child - 1].tag in ("PROPN", "NOUN", "ADJ", "NUM", "X"):
                    parts.add(child)
                    waiting.append(child)
        if max(parts) - min(parts) + 1 == len(parts) and hangs_alone(words, parts, number, below):
            spans.append((min(parts), max(parts), number))
    return spans


def hyphen_spans(words):
    """Ranges of words joined by hyphens, where nothing hangs on any but their head."""
    below, spans, at = children(words), [], 1
    while at <= len(words) - 2:
        last = at
        while (
            last + 2 <= len(words)
            and words[last].form == "-"
            and not words[last - 1].spaced
            and not words[last].spaced
            and words[last - 1].form[-1].isalnum()
            and words[last + 1].form[0].isalnum()
        ):
            last += 2
        parts = set(range(at, last + 1))
        heads = [number for number in parts if words[number - 1].head not in parts]
        if last > at and len(heads) == 1 and hangs_alone(words, parts, heads[0], below):
            spans.append((at, last, heads[0]))
        at = last + 1
    return spans


def hangs_alone(words, parts, head, below):
    return all(child in parts for part in parts if part != head for child in below[part])


def merge(words, spans, make):
    """The words with each span as one word, which `make` gives from the span's words and its head."""
    number, moved, kept = 0, {0: 0}, []
    starts = {first: (last, head) for first, last, head in spans}
    at = 1
    while at <= len(words):
        last, head = starts.get(at, (at, at))
        number += 1
        for part in range(at, last + 1):
            moved[part] = number
        word = words[head - 1]
        kept.append(make(words[at - 1 : last], word) if at in starts else replace(word))
        at = last + 1
    for word in kept:
        word.head = moved[word.head]
    return kept


def spelled(words):
    return "".join(word.form + (" " if word.spaced else "") for word in words).strip()


def third_person(lemma):
    if lemma.endswith(("s", "x", "z", "ch", "sh", "o")):
        return lemma + "es"
    return lemma[:-1] + "ies" if lemma.endswith("y") and lemma[-2:-1] not in "aeou" else lemma + "s"


def has_object(words, number):
    return any(word.head == number and word.label == "obj" for word in words)


def verbs_that_may_be_nouns(sentences):
    """Base forms of verbs with an object, of which the treebank has a noun of the same form."""
    nouns, verbs = set(), Counter()
    for sentence in sentences:
        for number, word in enumerate(sentence.words, start=1):
            if word.tag == "NOUN":
                nouns.add(word.lemma)
            elif word.tag == "VERB" and word.lemma.isalpha() and has_object(sentence.words, number):
                verbs[word.lemma] += 1
    return sorted(lemma for lemma, count in verbs.items() if count >= 2 and lemma in nouns)


class Variation:
    def __init__(self, sentences, rng):
        self.rng = rng
        self.verbs = verbs_that_may_be_nouns(sentences)
        common, names = set(), set()
        for sentence in sentences:
            for word in sentence.words:
                if word.tag in ("NOUN", "VERB", "ADJ") and word.form.isalpha() and word.form.islower():
                    common.add(word.form)
            for first, last, _ in name_spans(sentence.words):
                names.add(spelled(sentence.words[first - 1 : last]))
        self.common, self.names = sorted(common), sorted(names)

    def pick(self, choices):
        return choices[self.rng.integers(len(choices))]

    def identifier(self):
        rng, words = self.rng, [self.pick(self.common) for _ in range(1 + self.rng.integers(3))]
        kind = rng.integers(7)
        if kind == 0:
            text = "-".join(words)
        elif kind == 1:
            text = "_".join(words)
        elif kind == 2:
            text = "".join(word.capitalize() for word in words)
        elif kind == 3:
            text = " ".join(word.capitalize() for word in words)
        elif kind == 4:
            text = "".join(word[0] for word in words).upper() + self.pick(["", "API", "DB", "SQL", "OS"])
        elif kind == 5:
            text = " ".join(words)
        else:
            text = words[0] + (" " + self.pick(self.names) if rng.random() < 0.3 else "")
        if rng.random() < 0.15:
            text += self.pick(["-v2", " 2", "2", " v3.1", "-01", "/api", ".js", "-prod", " 2019", " III"])
        return text

    def name(self, span, head):
        chance = self.rng.random()
        text = spelled(span) if chance < 0.3 else self.pick(self.names) if chance < 0.5 else self.identifier()
        known = self.rng.random() < (0.8 if chance >= 0.5 else 0.6)
        return replace(head, form=text, tag="PROPN", fine="NNP", spaced=span[-1].spaced, known=known)

    def present(self, words):
        """The words with verbs of one third person in the present tense, some of them replaced where they have an object."""
        single = {word.head for word in words if word.label == "nsubj" and (word.fine in ("NN", "NNP") or word.form.lower() in ("he", "she", "it"))}
        changed = list(words)
        for number in sorted(single - {0}):
            word = words[number - 1]
            if word.tag != "VERB" or word.fine not in ("VBD", "VBZ") or not word.lemma.isalpha() or not word.form.islower():
                continue
            lemma = word.lemma
            if has_object(words, number) and self.rng.random() < 0.5:
                lemma = self.pick(self.verbs)
            elif word.fine == "VBZ":
                continue
            changed[number - 1] = replace(word, form=third_person(lemma), lemma=lemma, fine="VBZ")
        return changed

    def vary(self, sentence):
        rng, words = self.rng, sentence.words
        if rng.random() < 0.15:
            words = self.present(words)
        if rng.random() < 0.3:
            words = merge(words, hyphen_spans(words), self.joined)
        if rng.random() < 0.2:
            spans = [span for span in name_spans(words) if rng.random() < 0.75]
            words = merge(words, spans, self.name)
        if rng.random() < 0.04:
            words = [replace(word, form=word.form if word.known else word.form.lower()) for word in words]
        return words

    def joined(self, span, head):
        return replace(head, form=spelled(span), spaced=span[-1].spaced)
