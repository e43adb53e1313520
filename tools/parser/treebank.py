"""Sentences of a treebank in CoNLL-U."""

from dataclasses import dataclass

TAGS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split()


@dataclass
class Word:
    form: str
    lemma: str
    tag: str
    fine: str
    """The treebank's own part of speech: learnt beside `tag`, since it makes better layers; the program never sees it."""
    head: int
    """The number of the head, from 1; 0 for the root."""
    label: str
    spaced: bool = True
    """Whether white space follows."""
    known: bool = False
    """Whether the word came in as a known name."""


@dataclass
class Sentence:
    words: list


def read(path):
    """The sentences of a file. Of "don't" its two words are taken, not the whole."""
    sentences, words = [], []
    whole_ends, whole_spaced = 0, True
    with open(path, encoding="utf8") as file:
        for line in file:
            columns = line.rstrip("\n").split("\t")
            number = columns[0]
            if not number and words:
                sentences.append(Sentence(words))
                words, whole_ends = [], 0
            elif "-" in number and number[0].isdigit():
                whole_ends = int(number.split("-")[1])
                whole_spaced = is_spaced(columns)
            elif number.isdigit():
                form, lemma, tag, fine = columns[1:5]
                at = int(number)
                spaced = at == whole_ends and whole_spaced if at <= whole_ends else is_spaced(columns)
                words.append(Word(form, lemma, tag, fine, int(columns[6]), columns[7], spaced))
    return sentences


def is_spaced(columns):
    return "SpaceAfter=No" not in columns[9]
