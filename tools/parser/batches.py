"""Sentences as arrays. Batches have few shapes, because each shape is compiled."""

import numpy as np

from features import BUCKETS, ROOT, SLOTS

LENGTHS = (6, 10, 14, 18, 22, 26, 32, 40, 52, 70, 100, 200)


def shape_for(length, tokens):
    """The padded length (root and words) and the number of sentences of a batch."""
    padded = next((bound for bound in LENGTHS if length <= bound), length)
    return padded, max(2, tokens // padded)


def group(lengths, order, tokens):
    """Lists of sentence numbers, full batches as they fill up, the rest at the end."""
    waiting, full = {}, []
    for number in order:
        padded, size = shape_for(lengths[number] + 1, tokens)
        line = waiting.setdefault(padded, [])
        line.append(number)
        if len(line) == size:
            full.append((padded, size, line))
            waiting[padded] = []
    for padded, line in sorted(waiting.items()):
        if line:
            full.append((padded, shape_for(padded, tokens)[1], line))
    return full


def arrays(group, sentences, vocabulary, lists, learnt=lambda row: row):
    """The batch of one group. `learnt(row)` gives the row of what is learnt of a word: 0 takes it for unknown."""
    padded, size, numbers = group
    batch = {
        "word": np.zeros((padded, size), np.int32),
        "learnt": np.zeros((padded, size), np.int32),
        "part": np.full((padded, size, SLOTS), BUCKETS, np.int32),
        "mask": np.zeros((padded, size), np.float32),
    }
    for name in ("head", "label", "tag", "fine"):
        batch[name] = np.zeros((padded, size), np.int32)
    batch["word"][0], batch["learnt"][0], batch["mask"][0] = ROOT, ROOT, 1
    for column, number in enumerate(numbers):
        for row, word in enumerate(sentences[number], start=1):
            known, parts = vocabulary.look_up(word.form, word.known)
            batch["word"][row, column] = known
            batch["learnt"][row, column] = learnt(known)
            batch["part"][row, column] = parts
            batch["mask"][row, column] = 1
            batch["head"][row, column] = word.head
            for name in ("label", "tag", "fine"):
                batch[name][row, column] = lists[name].get(getattr(word, name), 0)
    return batch
