"""Base forms: rules that change the end of a word, by tag and ending, and the forms that no rule gives.

Both are learnt from a treebank and written as lines of a text file:

    TAG  letters   the word's own letters stay; other tags look at the word in small letters
    TAG  -ENDING  CUT  ADDED     cut so many letters off a word with this ending and add these; the longest ending counts
    TAG  FORM  LEMMA     a form by itself
"""

from collections import Counter, defaultdict

from features import QUOTES

LONGEST_ENDING, LEAST_GAIN = 5, 2
FIXED = ("goeswith",)


def straight(form):
    return "".join(QUOTES.get(letter, letter) for letter in form)


def script(form, lemma):
    shared = 0
    while shared < min(len(form), len(lemma)) and form[shared] == lemma[shared]:
        shared += 1
    return len(form) - shared, lemma[shared:]


def applied(rules, form):
    for length in range(min(LONGEST_ENDING, len(form)), -1, -1):
        change = rules.get(form[len(form) - length :])
        if change and change[0] <= len(form):
            return form[: len(form) - change[0]] + change[1]
    return form


def learn(sentences):
    """Lines of the file."""
    seen = defaultdict(lambda: defaultdict(Counter))
    for sentence in sentences:
        for word in sentence.words:
            if word.lemma != "_" and word.label not in FIXED:
                seen[word.tag][straight(word.form)][word.lemma] += 1
    lines = []
    for tag in sorted(seen):
        kept = sum(count for form, lemmas in seen[tag].items() for lemma, count in lemmas.items() if lemma == form)
        small = sum(count for form, lemmas in seen[tag].items() for lemma, count in lemmas.items() if lemma == form.lower())
        own_letters = kept > 3 * small
        if own_letters:
            lines.append(f"{tag}\tletters")
        forms = defaultdict(Counter)
        for form, lemmas in seen[tag].items():
            forms[form if own_letters else form.lower()].update(lemmas)
        best = {form: min(lemmas, key=lambda lemma: (-lemmas[lemma], lemma)) for form, lemmas in forms.items()}
        rules = rules_of(best)
        lines += [f"{tag}\t-{ending}\t{cut}\t{added}" for ending, (cut, added) in sorted(rules.items())]
        lines += [f"{tag}\t{form}\t{lemma}" for form, lemma in sorted(best.items()) if applied(rules, form) != lemma]
    return lines


def rules_of(best):
    """Endings with changes, from short to long; a longer one stands where it is right for more forms than what it inherits."""
    votes = defaultdict(Counter)
    for form, lemma in best.items():
        change = script(form, lemma)
        for length in range(min(LONGEST_ENDING, len(form)) + 1):
            votes[form[len(form) - length :]][change] += 1
    rules = {}
    for ending in sorted(votes, key=lambda ending: (len(ending), ending)):
        inherited = next((rules[ending[at:]] for at in range(1, len(ending) + 1) if ending[at:] in rules), (0, ""))
        change = min(votes[ending], key=lambda change: (-votes[ending][change], change))
        if change != inherited and votes[ending][change] - votes[ending][inherited] >= LEAST_GAIN:
            rules[ending] = change
    return rules


class Lemmas:
    def __init__(self, lines):
        self.own_letters, self.rules, self.forms = set(), defaultdict(dict), {}
        for line in lines:
            tag, form, *rest = line.split("\t")
            if form == "letters" and not rest:
                self.own_letters.add(tag)
            elif len(rest) == 2:
                self.rules[tag][form[1:]] = (int(rest[0]), rest[1])
            else:
                self.forms[tag, form] = rest[0]

    def of(self, form, tag):
        form = straight(form)
        if tag not in self.own_letters:
            form = form.lower()
        return self.forms.get((tag, form)) or applied(self.rules[tag], form)
