"""Vectors of meaning for words, from the table of the built-in embedder: they tell the net of words that the treebank lacks."""

import itertools
import os

import numpy as np
from safetensors.numpy import load_file

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "..", "..", "crates", "graphwright-llm", "data", "builtin")
CONTINUES = "##"


def read():
    """Word pieces with their rows, each of length 1."""
    tensors = load_file(f"{TABLE}/model.safetensors")
    rows = tensors["embeddings"].astype(np.float32)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)
    with open(f"{TABLE}/vocabulary.txt", encoding="utf8") as file:
        pieces = file.read().split("\n")[:-1]
    return {piece: row for piece, row in zip(pieces, rows)}


def whole_words(pieces, count, known):
    """The first pieces, which are the most frequent, that are words of two letters or more and not known."""
    words = (piece for piece in pieces if len(piece) > 1 and piece.isalpha() and piece not in known)
    return list(itertools.islice(words, count))


def vector(word, pieces):
    """A word's own row, else the mean of the pieces that it falls into; zero where it falls into none."""
    if word in pieces:
        return pieces[word]
    found, at, prefix = [], 0, ""
    while at < len(word):
        end = next((end for end in range(len(word), at, -1) if prefix + word[at:end] in pieces), None)
        if end is None:
            return np.zeros_like(next(iter(pieces.values())))
        found.append(pieces[prefix + word[at:end]])
        at, prefix = end, CONTINUES
    total = np.sum(found, axis=0)
    return total / max(np.linalg.norm(total), 1e-6)
