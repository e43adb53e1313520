"""Writes tiny_encoder.json: vectors of a BERT encoder whose weights come from a formula, and scores of pairs by it as a
cross-encoder, by NumPy in double precision.

    python tiny_encoder.py > tiny_encoder.json
"""

import json
import math

import numpy as np

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "red", "green", "light", "##house", "."]
SIZE, HEADS, INNER, LAYERS = 8, 2, 12, 2
TEXTS = {"red": [4], "green lighthouse.": [5, 6, 7, 8], "light purple light": [6, 1, 6]}
PAIRS = [("red", "green lighthouse."), ("light purple light", "red"), ("red", "red")]
counter = -1


def weights(*shape):
    """The numbers are rounded to 32 bits, as they are stored."""
    global counter
    counter += 1
    places = np.arange(1, int(np.prod(shape)) + 1, dtype=np.float64)
    return (np.sin(places * 0.731 + counter * 1.37) * 0.5).astype(np.float32).astype(np.float64).reshape(shape)


words, positions, kinds = weights(len(WORDS), SIZE), weights(16, SIZE), weights(2, SIZE)
first_norm = weights(SIZE), weights(SIZE)
layers = []
for _ in range(LAYERS):
    layer = [(weights(SIZE, SIZE), weights(SIZE)) for _ in range(4)]
    layer.append((weights(SIZE), weights(SIZE)))
    layer.append((weights(INNER, SIZE), weights(INNER)))
    layer.append((weights(SIZE, INNER), weights(SIZE)))
    layer.append((weights(SIZE), weights(SIZE)))
    layers.append(layer)


dense, label = (weights(SIZE, SIZE), weights(SIZE)), (weights(1, SIZE), weights(1))


def linear(x, part):
    return x @ part[0].T + part[1]


def norm(x, part):
    return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-12) * part[0] + part[1]


def gelu(x):
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def encode(ids, second=(), first_position=0):
    ids, types = [2, *ids, 3], [0] * (len(ids) + 2)
    if second:
        ids, types = [*ids, *second, 3], types + [1] * (len(second) + 1)
    x = norm(words[ids] + positions[first_position : first_position + len(ids)] + kinds[types], first_norm)
    width = SIZE // HEADS
    for query, key, value, attended, attended_norm, inner, outer, outer_norm in layers:
        q, k, v = linear(x, query), linear(x, key), linear(x, value)
        context = np.zeros_like(x)
        for head in range(HEADS):
            part = slice(head * width, (head + 1) * width)
            scores = np.exp(q[:, part] @ k[:, part].T / math.sqrt(width))
            context[:, part] = scores / scores.sum(1, keepdims=True) @ v[:, part]
        x = norm(linear(context, attended) + x, attended_norm)
        x = norm(linear(gelu(linear(x, inner)), outer) + x, outer_norm)
    return x


def rows(pool):
    for text, ids in TEXTS.items():
        vector = pool(encode(ids))
        yield {"text": text, "vector": [round(float(c), 7) for c in vector / np.linalg.norm(vector)]}


def score(query, text, first_position):
    first = encode(TEXTS[query], TEXTS[text], first_position)[:1]
    return round(float(1 / (1 + np.exp(-linear(np.tanh(linear(first, dense)), label)[0, 0]))), 7)


def pairs():
    for query, text in PAIRS:
        yield {"query": query, "text": text, "bert": score(query, text, 0), "roberta": score(query, text, 1)}


print(
    json.dumps(
        {"mean": list(rows(lambda x: x.mean(0))), "cls": list(rows(lambda x: x[0])), "pairs": list(pairs())}
    )
)
