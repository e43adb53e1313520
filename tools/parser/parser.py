"""Makes the parser's data. See README.md.

    python parser.py train     --data DATA --work WORK            train the net; keeps the parameters in WORK
    python parser.py export    --data DATA --work WORK --out OUT  round to 8 bits and write the files of the crate
    python parser.py evaluate  --data DATA --out OUT              measure the files on dev and test, gold tokens
    python parser.py reference --data DATA --out OUT > FILE       trees that the Rust tests compare with
"""

import argparse
import hashlib
import json
import os
import time
from collections import Counter
from dataclasses import replace

# One thread: the order of additions decides the last bits. JAX reads this when it is imported.
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

import numpy as np

import batches
import lemmas
import meanings
import net
import treebank
import trees
from features import BUCKETS, Words, normal
from variation import Variation, merge, name_spans, spelled

HERE = os.path.dirname(os.path.abspath(__file__))
DATA_OF_CRATE = os.path.join(HERE, "..", "..", "crates", "graphwright-english", "data", "parser")
FILES = ("net.safetensors", "words.txt", "labels.txt", "lemmas.txt")

# `TOKENS`: rows of a batch. `RATE` rises over the first `WARM` steps and falls to the end.
SEED, EPOCHS, TOKENS, RATE, WARM = 17, 34, 640, 2.5e-3, 300
# Words from the table of meanings beside those of the treebank.
OTHERS = 12_000
# A known word is taken for unknown with chance WORD / (WORD + how often it stands) + ALWAYS; each affix is left out with PART.
WORD_DROPOUT, ALWAYS, PART_DROPOUT = 0.3, 0.04, 0.08
# Of inputs, outputs of both layers, hidden units of arcs (dependents, heads) and labels, and of what one step hands to the next.
DROPOUT = (0.2, 0.33, 0.33, 0.33, 0.33, 0.33, 0.25, 0.25)


def lists_of(sentences):
    """Words, labels and fine tags that stand twice or more, most frequent first; and how often each word stands."""
    words, labels, fine = Counter(), Counter(), Counter()
    for sentence in sentences:
        for word in sentence.words:
            words[normal(word.form)] += 1
            labels[word.label] += 1
            fine[word.fine] += 1

    def ordered(counter, least):
        return [item for item, count in sorted(counter.items(), key=lambda pair: (-pair[1], pair[0])) if count >= least]

    return ordered(words, 2), ordered(labels, 2), ordered(fine, 2), words


def meanings_of(words):
    """Words that the treebank lacks, and rows of meaning for the words that are known and for those."""
    pieces = meanings.read()
    others = meanings.whole_words(pieces, OTHERS, set(words))
    rows = np.stack([meanings.vector(word, pieces) for word in words + others])
    return others, np.vstack([np.zeros((2, rows.shape[1]), np.float32), rows])


def numbered(items):
    return {item: number for number, item in enumerate(items)}


def dropout_masks(rng, batch, size):
    """Masks in the order of `DROPOUT`: one for a sentence, the same at each of its words."""

    def mask(share, columns):
        return ((rng.random((1, size, columns), np.float32) >= share) / np.float32(1 - share)).astype(np.float32)

    sizes = (net.WORD + net.PART, 2 * net.CELLS, 2 * net.CELLS, net.ARC, net.ARC, net.LABEL, 2 * net.CELLS, 2 * net.CELLS)
    return [mask(share, columns) for share, columns in zip(DROPOUT, sizes)]


def parse(values, sentences, vocabulary, labels, tokens=4096):
    """(heads, label numbers, tag numbers) of each sentence."""
    import jax.numpy as jnp

    root = labels["root"]
    no_meaning = np.zeros((len(values["word"]), 1), np.float32)
    values = values | {"projection": np.zeros((net.WORD, 1), np.float32)}
    found = [None] * len(sentences)
    lengths = [len(words) for words in sentences]
    lists = {"label": labels, "tag": {}, "fine": {}}
    for group in batches.group(lengths, range(len(sentences)), tokens):
        batch = batches.arrays(group, sentences, vocabulary, lists)
        arcs, second, tags = net.predict(values, no_meaning, batch)
        arcs, tags = np.asarray(arcs), np.asarray(tags)
        heads = np.zeros_like(batch["head"])
        for column, number in enumerate(group[2]):
            size = lengths[number] + 1
            heads[:size, column] = trees.best_tree(arcs[column, :size, :size])
        scores = np.array(net.labels_of(values, second, jnp.asarray(heads)))
        under_root = heads == 0
        scores[..., root][~under_root] = -np.inf
        chosen = np.where(under_root, root, scores.argmax(-1))
        for column, number in enumerate(group[2]):
            size = lengths[number] + 1
            found[number] = (heads[1:size, column], chosen[1:size, column], tags[1:size, column])
    return found


def score(found, sentences, labels):
    """Shares of right heads, heads with labels, tags, per cent."""
    names = list(labels)
    words = heads_right = labels_right = tags_right = 0
    for (heads, chosen, tags), sentence in zip(found, sentences):
        for word, head, label, tag in zip(sentence, heads, chosen, tags):
            words += 1
            heads_right += head == word.head
            labels_right += head == word.head and names[label] == word.label
            tags_right += treebank.TAGS[tag] == word.tag
    return tuple(round(100 * right / words, 2) for right in (heads_right, labels_right, tags_right))


def treebank_for(data, final):
    """What is learnt from: the training part, at the end with the part that choices were made on."""
    sentences = treebank.read(f"{data}/train.conllu")
    return sentences + treebank.read(f"{data}/dev.conllu") if final else sentences


def train(data, work, epochs, final):
    import jax

    os.makedirs(work, exist_ok=True)
    with open(f"{work}/learnt.json", "w", encoding="utf8") as file:
        json.dump({"final": final}, file)
    sentences = treebank_for(data, final)
    held_out = [sentence.words for sentence in treebank.read(f"{data}/dev.conllu")]
    words, label_list, fine_list, counts = lists_of(sentences)
    others, meaning = meanings_of(words)
    vocabulary = Words(words + others)
    frequency = np.array([10**9, 10**9] + [counts[word] for word in words] + [0] * len(others), np.float32)
    labels = numbered(label_list)
    lists = {"label": labels, "tag": numbered(treebank.TAGS), "fine": numbered(fine_list)}
    rng = np.random.default_rng(SEED)
    variation = Variation(sentences, rng)
    values = net.start(rng, len(words), len(treebank.TAGS), len(fine_list), len(label_list), meaning.shape[1])
    meaning = jax.numpy.asarray(meaning)
    values = jax.tree.map(jax.numpy.asarray, values)
    print(f"{len(words)} words, {len(label_list)} labels, {sum(v.size for v in values.values())} parameters", flush=True)
    mean, square = (jax.tree.map(jax.numpy.zeros_like, values) for _ in range(2))
    average = jax.tree.map(lambda part: part + 0, values)
    lengths = [len(sentence.words) for sentence in sentences]
    steps = epochs * len(batches.group(lengths, range(len(sentences)), TOKENS))
    step, began = 0, time.process_time()
    for epoch in range(1, epochs + 1):
        varied = [variation.vary(sentence) for sentence in sentences]
        groups = batches.group([len(one) for one in varied], rng.permutation(len(varied)), TOKENS)
        total = 0.0
        for number in rng.permutation(len(groups)):

            def learnt(row):
                return 0 if rng.random() < WORD_DROPOUT / (WORD_DROPOUT + frequency[row]) + ALWAYS else row

            batch = batches.arrays(groups[number], varied, vocabulary, lists, learnt)
            batch["part"][rng.random(batch["part"].shape, np.float32) < PART_DROPOUT] = BUCKETS
            step += 1
            rate = RATE * min(step / WARM, max(0.01, 1 - step / steps))
            values, mean, square, average, value = net.learn(
                values, mean, square, average, meaning, batch, dropout_masks(rng, batch, groups[number][1]), rate, float(step)
            )
            if step % 20 == 0:
                total = 0.98 * total + 0.02 * float(value) if total else float(value)
        line = f"epoch {epoch} loss {total:.3f} {time.process_time() - began:.0f} s"
        if epoch % 2 == 0 or epoch >= epochs - 2 or epoch == 1:
            line += " dev UAS LAS UPOS %s %s %s" % score(parse(net.folded(average, meaning), held_out, vocabulary, labels), held_out, labels)
            save(work, net.folded(average, meaning))
        print(line, flush=True)


def save(work, values):
    from safetensors.numpy import save_file

    save_file({name: np.asarray(value) for name, value in values.items()}, f"{work}/parameters.safetensors")


def rounded(value):
    """8-bit rows and the scale of each."""
    scale = np.maximum(np.abs(value).max(1), 1e-12).astype(np.float32) / np.float32(127)
    return np.rint(value / scale[:, None]).astype(np.int8), scale


def export(data, work, out):
    from safetensors.numpy import load_file, save_file

    with open(f"{work}/learnt.json", encoding="utf8") as file:
        sentences = treebank_for(data, json.load(file)["final"])
    words, labels, _, _ = lists_of(sentences)
    words += meanings_of(words)[0]
    tensors = {}
    for name, value in load_file(f"{work}/parameters.safetensors").items():
        if name.startswith("fine."):
            continue
        if value.ndim == 1:
            tensors[name] = value
        else:
            tensors[name], tensors[f"{name}.scale"] = rounded(value)
    os.makedirs(out, exist_ok=True)
    save_file(tensors, f"{out}/net.safetensors")
    for name, lines in (("words", words), ("labels", labels), ("lemmas", lemmas.learn(sentences))):
        with open(f"{out}/{name}.txt", "w", encoding="utf8") as file:
            file.writelines(f"{line}\n" for line in lines)
    for name in FILES:
        with open(f"{out}/{name}", "rb") as file:
            bytes_ = file.read()
        print(f"{name} {len(bytes_)} {hashlib.sha256(bytes_).hexdigest()}")


def lines_of(path):
    with open(path, encoding="utf8") as file:
        return file.read().split("\n")[:-1]


def exported(out):
    """Parameters, known words, labels and lemmas of the files."""
    from safetensors.numpy import load_file

    tensors = load_file(f"{out}/net.safetensors")
    values = {}
    for name, value in tensors.items():
        if value.dtype == np.int8:
            values[name] = value.astype(np.float32) * tensors[f"{name}.scale"][:, None]
        elif not name.endswith(".scale"):
            values[name] = value
    values["fine.out"] = np.zeros((1, 2 * net.CELLS), np.float32)
    values["fine.out.bias"] = np.zeros(1, np.float32)
    labels = numbered(lines_of(f"{out}/labels.txt"))
    return values, Words(lines_of(f"{out}/words.txt")), labels, lemmas.Lemmas(lines_of(f"{out}/lemmas.txt"))


def evaluate(data, out):
    values, vocabulary, labels, base_forms = exported(out)
    for part in ("dev", "test"):
        sentences = [sentence.words for sentence in treebank.read(f"{data}/{part}.conllu")]
        found = parse(values, sentences, vocabulary, labels)
        right = [
            base_forms.of(word.form, treebank.TAGS[tag]) == word.lemma
            for sentence, (_, _, tags) in zip(sentences, found)
            for word, tag in zip(sentence, tags)
            if word.lemma != "_"
        ]
        print(part, "UAS %s LAS %s UPOS %s" % score(found, sentences, labels), f"lemmas {100 * np.mean(right):.2f}")
        merged = [merge(words, name_spans(words), known_name) for words in sentences]
        found = parse(values, merged, vocabulary, labels)
        print(part, "with each name as one known token: UAS %s LAS %s UPOS %s" % score(found, merged, labels))


def known_name(span, head):
    return replace(head, form=spelled(span), spaced=span[-1].spaced, known=True)


def reference(data, out):
    values, vocabulary, labels, base_forms = exported(out)
    names = list(labels)
    sentences = [sentence.words for sentence in treebank.read(f"{data}/dev.conllu")][::40]
    rng = np.random.default_rng(SEED)
    variation = Variation(treebank.read(f"{data}/dev.conllu"), rng)
    sentences += [merge(words, name_spans(words), variation.name) for words in sentences if name_spans(words)]
    for words, (heads, chosen, tags) in zip(sentences, parse(values, sentences, vocabulary, labels)):
        tags = [treebank.TAGS[tag] for tag in tags]
        record = {
            "words": [word.form for word in words],
            "names": [number for number, word in enumerate(words) if word.known],
            "heads": heads.tolist(),
            "labels": [names[label] for label in chosen],
            "tags": tags,
            "lemmas": [base_forms.of(word.form, tag) for word, tag in zip(words, tags)],
        }
        print(json.dumps(record, ensure_ascii=False, separators=(",", ":")))


def main():
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("command", choices=["train", "export", "evaluate", "reference"])
    reader.add_argument("--data", default=os.path.join(os.environ.get("GRAPHWRIGHT_DATA", "."), "ud_english_ewt"))
    reader.add_argument("--work", default="work")
    reader.add_argument("--out", default=DATA_OF_CRATE)
    reader.add_argument("--epochs", type=int, default=EPOCHS)
    reader.add_argument("--final", action="store_true", help="learn from the development part too")
    given = reader.parse_args()
    if given.command == "train":
        train(given.data, given.work, given.epochs, given.final)
    elif given.command == "export":
        export(given.data, given.work, given.out)
    elif given.command == "evaluate":
        evaluate(given.data, given.out)
    else:
        reference(given.data, given.out)


if __name__ == "__main__":
    main()
