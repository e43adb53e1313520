"""The texts on which the table is fitted: varied English, none of it a passage of a retrieval benchmark.

Every source is a folder of the data directory (see docs/data.md); the order and the random choices are fixed by the seed.
"""

import csv
import glob
import html
import io
import json
import random
import re
import zipfile

SEED = 20261120


def collect(data):
    """All texts, without duplicates, in a fixed order."""
    rng = random.Random(SEED)
    texts = {}  # text -> whether random spans of it are taken too

    def add(text, spans=True):
        text = re.sub(r"\s+", " ", text).strip()
        if 3 <= len(text) <= 2000 and re.search(r"[A-Za-z]{2}", text):
            texts.setdefault(text, spans)

    for text in handbook(data):
        add(text)
    for text, is_sentence in encyclopedia(data):
        add(text, spans=is_sentence)
    for text in forum(data):
        add(text)
    for text in questions(data, rng):
        add(text, spans=False)
    for text in scenarios(data):
        add(text, spans=False)
    for text in names(data, rng):
        add(text, spans=False)
    return list(texts) + random_spans(texts, rng)


def sentences(text):
    text = re.sub(r"\s+", " ", text)
    return [s for s in re.split(r"(?<=[.!?])\s+(?=[A-Z0-9\"'(])", text) if s]


def handbook(data):
    """Azure Well-Architected Framework (CC BY 4.0): sentences and paragraphs."""
    for path in sorted(glob.glob(f"{data}/azure_well_architected/**/*.md", recursive=True)):
        with open(path, encoding="utf8") as file:
            text = without_markup(file.read())
        for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-#|]|\d+\.))", text):
            paragraph = re.sub(r"^[\s#\-|0-9.]+", "", paragraph.replace("|", " ")).strip()
            if len(paragraph) < 8 or re.fullmatch(r"[\s:\-]*", paragraph):
                continue
            parts = sentences(paragraph)
            yield from parts
            if len(parts) > 1:
                yield paragraph


def without_markup(text):
    def titles(front_matter):
        return "\n".join(re.findall(r"(?m)^(?:title|description):\s*(.+)$", front_matter.group(0))) + "\n"

    text = re.sub(r"(?s)\A---\n.*?\n---\n", titles, text)
    text = re.sub(r"(?s)<!--.*?-->", " ", text)
    text = re.sub(r"(?s)```.*?```", " ", text)
    text = re.sub(r"!\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r":::.*", " ", text)
    text = re.sub(r"<[^>]+>", " ", text)
    return re.sub(r"[*_`>]|\[!\w+\]", "", text)


def encyclopedia(data):
    """Text2KGBench, Wikidata-TekGen (CC BY-SA 4.0): sentences, and each fact as words."""
    for split in ("train", "validation", "test"):
        for path in sorted(glob.glob(f"{data}/text2kgbench/wikidata_tekgen/{split}/*.jsonl")):
            with open(path, encoding="utf8") as file:
                for line in file:
                    row = json.loads(line)
                    yield repaired(row["sent"]), True
                    if "rel_label" in row:
                        yield f"{row['sub_label']} {row['rel_label']} {row['obj_label']}", False


def repaired(text):
    """UTF-8 that was read as Latin-1 somewhere on its way."""
    try:
        return text.encode("latin1").decode("utf8")
    except UnicodeError:
        return text


def forum(data):
    """Stack Overflow (CC BY-SA 4.0), from Neo4j's example graph: titles, and sentences that are mostly words."""
    csv.field_size_limit(10**9)
    archive = zipfile.ZipFile(f"{data}/graphs/stackoverflow/stackoverflow-data-importer.zip")
    for kind in ("Question", "Answer", "Comment"):
        table = io.StringIO(archive.read(f"stackoverflow.nodes.{kind}.csv").decode("utf8"))
        for row in csv.DictReader(table):
            if row.get("title"):
                yield html.unescape(row["title"])
            body = next((row[key] for key in ("body_markdown", "body", "text") if row.get(key)), "")
            body = re.sub(r"(?m)^(?: {4}|\t).*$", " ", html.unescape(body))
            body = re.sub(r"(?s)```.*?```", " ", body)
            body = re.sub(r"(?s)<pre.*?</pre>", " ", body)
            body = html.unescape(re.sub(r"(?s)<[^>]+>", " ", body))
            for paragraph in re.split(r"\n\s*\n", body):
                for sentence in sentences(paragraph):
                    if len(re.findall(r"[A-Za-z]", sentence)) > 0.6 * len(sentence):
                        yield sentence


def questions(data, rng):
    """Questions to graphs: MetaQA (CC BY), ZOGRASCOPE, Neo4j's text2cypher sets, CypherBench."""
    for hops in (1, 2, 3):
        with open(f"{data}/metaqa/{hops}-hop/dev.txt", encoding="utf8") as file:
            lines = [line.split("\t")[0].replace("[", "").replace("]", "") for line in file]
        yield from rng.sample(lines, min(1200, len(lines)))
    with open(f"{data}/zograscope/train.csv", encoding="utf8") as file:
        yield from (row["nl"] for row in csv.DictReader(file))
    with open(f"{data}/cypher_replay/neo4j_labs/text2cypher_gpt4turbo.csv", encoding="utf8") as file:
        yield from (row["question"] for row in csv.DictReader(file))
    with open(f"{data}/recommendations_questions/questions.csv", encoding="utf8") as file:
        yield from (line.split(";")[0] for line in file)
    with open(f"{data}/cypher_replay/cypherbench/valid_prompts.jsonl", encoding="utf8") as file:
        for line in file:
            found = re.findall(r"(?i)question:?\s*\n?(.+?)(?:\n|<\|im_end)", json.loads(line)["prompt"])
            yield from found[-1:]


def scenarios(data):
    """Names of openCypher's test scenarios (Apache-2.0)."""
    pattern = r"(?:Scenario|Feature|Scenario Outline): (?:\[\d+\])?\s*(.+)"
    for path in sorted(glob.glob(f"{data}/opencypher_tck/**/*.feature", recursive=True)):
        with open(path, encoding="utf8") as file:
            yield from re.findall(pattern, file.read())


def names(data, rng):
    """Names of films and people of MetaQA's graph (CC BY)."""
    with open(f"{data}/metaqa/kb.txt", encoding="utf8") as file:
        everything = sorted({name for line in file for name in line.strip().split("|")[::2]})
    return rng.sample(everything, 5000)


def random_spans(texts, rng):
    """One or two spans of 3 to 14 words of each longer text: the same words in other company."""
    spans = {}
    for text, wanted in texts.items():
        words = text.split()
        if not wanted or len(words) < 7:
            continue
        for _ in range(2 if len(words) >= 12 else 1):
            length = rng.randint(3, min(14, len(words) - 2))
            start = rng.randrange(len(words) - length + 1)
            span = " ".join(words[start : start + length])
            if span not in texts:
                spans.setdefault(span)
    return list(spans)
