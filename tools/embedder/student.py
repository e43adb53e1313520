"""The student: one vector for each word piece, so that the sum of a text's rows points where the teacher points."""

import json
import re

import numpy as np
import scipy.sparse as sparse

import teacher
from texts import SEED

DIMENSIONS, EPOCHS, RATE, BATCH, HOLD_NEAR_START = 256, 10, 4e-3, 4096, 1e-3
PHRASE_WEIGHT, PIECE_WEIGHT, HELD_OUT = 0.5, 0.3, 4000
SPECIAL = ("[PAD]", "[CLS]", "[SEP]", "[MASK]", "[UNK]")


def vocabulary():
    """The teacher's word pieces without unused ones and those of scripts other than Latin; with the teacher's ids."""
    ids = teacher.tokenizer().get_vocab()
    kept = [piece for piece in sorted(ids, key=ids.get) if not is_dead(piece)]
    return kept, np.array([ids[piece] for piece in kept])


def is_dead(piece):
    if re.fullmatch(r"\[unused\d+\]", piece):
        return True
    continues = piece.startswith("##")

    def foreign(letter):
        code = ord(letter)
        greek_or_symbol = 0x370 <= code <= 0x3FF or 0x2000 <= code <= 0x2BFF
        return code > 0x24F and (continues or not greek_or_symbol)

    return any(foreign(letter) for letter in (piece[2:] if continues else piece))


def write_tokenizer(pieces, path):
    with open(f"{teacher.folder()}/tokenizer.json", encoding="utf8") as file:
        settings = json.load(file)
    settings |= {"truncation": None, "padding": None, "post_processor": None}
    settings["model"]["vocab"] = {piece: row for row, piece in enumerate(pieces)}
    for token in settings["added_tokens"]:
        token["id"] = pieces.index(token["content"])
    with open(path, "w", encoding="utf8") as file:
        json.dump(settings, file, ensure_ascii=False)
    return teacher.tokenizer(path)


def counts(tokenizer, texts, size, longest=254):
    """How often each piece stands in each text; unknown words are left out."""
    unknown = tokenizer.token_to_id("[UNK]")
    pointers, indices = [0], []
    for encoding in tokenizer.encode_batch(list(texts), add_special_tokens=False):
        indices += [piece for piece in encoding.ids[:longest] if piece != unknown]
        pointers.append(len(indices))
    ones = np.ones(len(indices), np.float32)
    matrix = sparse.csr_matrix((ones, np.array(indices, np.int32), np.array(pointers)), shape=(len(texts), size))
    matrix.sum_duplicates()
    return matrix


def unit(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def principal_axes(vectors):
    """Uncentred: the directions of the teacher's space that carry most."""
    _, axes = np.linalg.eigh((vectors.T @ vectors) / len(vectors))
    return axes[:, ::-1][:, :DIMENSIONS].astype(np.float32)


def start_rows(raw, axes, ids, pieces):
    """Each piece alone through the teacher, centred, and weighted down by frequency (Zipf's law, as SIF weights do)."""
    inverse_rank = 1 / np.arange(2, len(raw) + 2)
    frequency = inverse_rank / inverse_rank.sum()
    weight = (1e-4 / (1e-4 + frequency)).astype(np.float32)
    rows = ((raw - raw.mean(0)) @ axes)[ids] * weight[ids][:, None]
    rows = (rows / np.linalg.norm(rows, axis=1).mean()).astype(np.float32)
    rows[[pieces.index(piece) for piece in SPECIAL]] *= 0.01
    return rows


def fit(texts, text_vectors, phrases, phrase_vectors, piece_vectors, path):
    """Rows (float32) of the table, and the tokenizer that goes with them."""
    pieces, ids = vocabulary()
    tokenizer, size = write_tokenizer(pieces, path), len(pieces)
    text_vectors = unit(text_vectors.astype(np.float32))
    axes = principal_axes(text_vectors)
    start = start_rows(piece_vectors, axes, ids, pieces)
    words = {row: piece for piece, row in teacher.tokenizer().get_vocab().items()}
    spelled = [" ".join(words[i] for i in phrase).replace(" ##", "") for phrase in phrases]

    everything = [counts(tokenizer, texts, size), counts(tokenizer, spelled, size), sparse.identity(size, np.float32, "csr")]
    inputs = sparse.vstack(everything).tocsr()
    targets = [text_vectors @ axes, unit(phrase_vectors.astype(np.float32)) @ axes, (unit(piece_vectors) @ axes)[ids]]
    targets = np.vstack([unit(t) for t in targets]).astype(np.float32)
    weights = [np.ones(len(texts)), np.full(len(phrases), PHRASE_WEIGHT), np.full(size, PIECE_WEIGHT)]
    weights = np.concatenate(weights).astype(np.float32)

    known = np.diff(inputs.indptr) > 0
    inputs, targets, weights = inputs[known], targets[known], weights[known]
    order = np.random.default_rng(SEED + 1).permutation(len(texts))[:HELD_OUT]
    held_out = np.zeros(inputs.shape[0], bool)
    held_out[order[order < known[: len(texts)].sum()]] = True
    test = (inputs[held_out], targets[held_out])
    rows = descend(inputs[~held_out], targets[~held_out], weights[~held_out], start, test)
    return rows, tokenizer


def descend(inputs, targets, weights, start, test):
    """Minimises the weighted mean of 1 - cosine(inputs @ rows, targets), held near the start, with Adam."""
    rng, rows = np.random.default_rng(SEED), start.copy()
    first, second = np.zeros_like(rows), np.zeros_like(rows)
    scale = float((start**2).sum(1).mean())
    batches = inputs.shape[0] // BATCH
    steps, step = EPOCHS * batches, 0
    for epoch in range(EPOCHS):
        order = rng.permutation(inputs.shape[0])
        for batch in range(batches):
            chosen = np.sort(order[batch * BATCH : (batch + 1) * BATCH])
            some, target, weight = inputs[chosen], targets[chosen], weights[chosen][:, None]
            sums = some @ rows
            length = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
            directions = sums / length
            pull = -target * weight / BATCH
            gradient = (pull - directions * (pull * directions).sum(1, keepdims=True)) / length
            gradient = np.asarray(some.T @ gradient, np.float32)
            gradient += (2 * HOLD_NEAR_START / (len(rows) * scale)) * (rows - start)
            step += 1
            rate = RATE * min(1, step / 20) * (0.5 * (1 + np.cos(np.pi * step / steps)) + 0.02)
            adam(rows, gradient, first, second, step, rate)
        print(f"epoch {epoch}: held-out cosine {float((unit(test[0] @ rows) * test[1]).sum(1).mean()):.4f}", flush=True)
    return rows


def adam(rows, gradient, first, second, step, rate, beta1=0.9, beta2=0.99):
    first *= beta1
    first += (1 - beta1) * gradient
    gradient *= gradient
    second *= beta2
    second += (1 - beta2) * gradient
    change = np.sqrt(second / (1 - beta2**step))
    change += 1e-8
    np.divide(first, change, out=change)
    change *= rate / (1 - beta1**step)
    rows -= change


def quantise(rows):
    """Whole numbers from -127 to 127 and a scale for each row."""
    scales = np.maximum(np.abs(rows).max(1, keepdims=True), 1e-9) / 127
    return np.rint(rows / scales).astype(np.int8), scales[:, 0].astype(np.float32)
