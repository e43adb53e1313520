"""Makes the table of the built-in embedder. See README.md.

    python make_table.py make   --data DATA --work WORK --out OUT     fit a table and write it
    python make_table.py make --every 25 …                            the same with one text in 25, to try the scripts
    python make_table.py verify --table OUT                           measure a table on the pairs of the tests
    python make_table.py reference --table OUT > FILE                 vectors that the Rust tests compare with
"""

import argparse
import hashlib
import json
import os
import re
import sys

import numpy as np
from safetensors.numpy import load_file, save_file

HERE = os.path.dirname(os.path.abspath(__file__))
CRATE = os.path.join(HERE, "..", "..", "crates", "graphwright-llm")
TABLE = os.path.join(CRATE, "data", "builtin")
PHRASES = 80_000


def kept(path, make):
    """An array from the work folder, made when it is not there yet."""
    if not os.path.exists(path):
        np.save(path, make())
    return np.load(path, mmap_mode="r")


def make(data, work, out, every):
    import student
    from teacher import Teacher, unit
    from texts import SEED, collect

    os.makedirs(work, exist_ok=True)
    os.makedirs(out, exist_ok=True)
    model = Teacher()
    ids = model.tokenizer.get_vocab()
    pieces = sorted(ids, key=ids.get)
    texts = collect(data)[::every]
    phrases = random_phrases(pieces, np.random.default_rng(SEED))
    print(f"{len(texts)} texts, {len(phrases)} phrases", flush=True)
    piece_vectors = kept(f"{work}/pieces.npy", lambda: model.encode_ids([[i] for i in range(len(pieces))]))
    phrase_vectors = kept(
        f"{work}/phrases.npy", lambda: unit(model.encode_ids(phrases, "phrases")).astype(np.float16)
    )
    text_vectors = kept(f"{work}/texts-{every}.npy", lambda: model.encode(texts, "texts").astype(np.float16))
    rows, tokenizer = student.fit(
        texts, text_vectors, phrases, phrase_vectors, np.asarray(piece_vectors), f"{work}/tokenizer.json"
    )
    numbers, scales = student.quantise(rows)
    save_file({"embeddings": numbers, "weights": scales}, f"{out}/model.safetensors")
    vocabulary = tokenizer.get_vocab()
    with open(f"{out}/vocabulary.txt", "w", encoding="utf8") as file:
        file.writelines(f"{piece}\n" for piece in sorted(vocabulary, key=vocabulary.get))
    for name in ("model.safetensors", "vocabulary.txt"):
        with open(f"{out}/{name}", "rb") as file:
            print(name, hashlib.sha256(file.read()).hexdigest())


def random_phrases(pieces, rng):
    """Words and continuations thrown together, so that every piece is seen in company."""
    words = np.array([i for i, piece in enumerate(pieces) if re.fullmatch(r"[a-z0-9]+", piece)])
    continuations = np.array([i for i, piece in enumerate(pieces) if re.fullmatch(r"##[a-z0-9]+", piece)])
    phrases = []
    for _ in range(PHRASES):
        phrase = []
        for _ in range(int(rng.integers(2, 6))):
            phrase.append(int(rng.choice(words)))
            if rng.random() < 0.25:
                phrase.append(int(rng.choice(continuations)))
        phrases.append(phrase)
    return phrases


def encoder(table):
    """Texts to unit vectors with a finished table, in double precision."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    with open(f"{table}/vocabulary.txt", encoding="utf8") as file:
        vocabulary = {line.rstrip("\n"): row for row, line in enumerate(file)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    arrays = load_file(f"{table}/model.safetensors")
    rows = arrays["embeddings"].astype(np.float64) * arrays["weights"].astype(np.float64)[:, None]
    unknown = vocabulary["[UNK]"]

    def encode(texts):
        vectors = np.zeros((len(texts), rows.shape[1]))
        for vector, text in zip(vectors, texts):
            for piece in tokenizer.encode(text).ids:
                if piece != unknown:
                    vector += rows[piece]
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-300)

    return encode


def pairs(name):
    with open(os.path.join(CRATE, "tests", "data", name), encoding="utf8") as file:
        return json.load(file)


def verify(table):
    encode = encoder(table)
    paraphrases = pairs("paraphrases.json")
    scores = encode([question for question, _ in paraphrases]) @ encode([passage for _, passage in paraphrases]).T
    ranks = np.array([(row > row[i]).sum() + 1 for i, row in enumerate(scores)])
    print(f"paraphrases: first {100 * (ranks == 1).mean():.1f} %, mean reciprocal rank {(1 / ranks).mean():.3f}")
    names = pairs("name_pairs.json")
    same, different = [
        (encode([a for a, _ in names[key]]) * encode([b for _, b in names[key]])).sum(1) for key in ("same", "diff")
    ]
    wins = (same[:, None] > different[None]).mean() + 0.5 * (same[:, None] == different[None]).mean()
    print(f"names of one thing against look-alikes: area under the curve {wins:.3f}")


def reference(table):
    paraphrases, names = pairs("paraphrases.json"), pairs("name_pairs.json")
    texts = [text for pair in paraphrases[:6] for text in pair]
    texts += [names["same"][row][0] for row in (0, 5, 9)]
    texts += ["Auth Library v2", "auth-lib-v2", "", "   ", "日本語 テスト", "Café—naïve ﬁ ½", "x" * 150 + " y"]
    texts += ["ΑΘΗΝΑ İstanbul straße", "soft\u00adhyphen zero\u200bwidth", "tab\tnew\nline\rreturn\x0bvertical"]
    texts += ["e\u0301clair ÉCLAIR", " ".join(question for question, _ in paraphrases)]
    for text, vector in zip(texts, encoder(table)(texts)):
        row = {"text": text, "vector": [round(float(component), 6) for component in vector]}
        print(json.dumps(row, ensure_ascii=False, separators=(",", ":")))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("make", "verify", "reference"))
    parser.add_argument("--data", default=os.environ.get("GRAPHWRIGHT_DATA"), help="folder of the public data sets")
    parser.add_argument("--work", default="work", help="where vectors of the teacher are kept between runs")
    parser.add_argument("--out", default="out", help="where the table is written")
    parser.add_argument("--every", type=int, default=1, help="use one text in so many")
    parser.add_argument("--table", default=TABLE, help="the table to measure")
    settings = parser.parse_args()
    if settings.what == "make":
        if not settings.data:
            sys.exit("set --data or GRAPHWRIGHT_DATA")
        make(settings.data, settings.work, settings.out, settings.every)
    else:
        {"verify": verify, "reference": reference}[settings.what](settings.table)


if __name__ == "__main__":
    main()
