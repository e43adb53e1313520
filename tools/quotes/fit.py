"""Fits the weights of the clues that a quotation answers a question: see README.md."""

import argparse
import json
import re

import numpy as np
from scipy.optimize import minimize

MOST_WORDS = 60
FLAGS = re.IGNORECASE | re.DOTALL


class Choice:
    """The quotations of one question, of which one, or none, is chosen."""

    def __init__(self, line, quotations, has_answer):
        question = line["question"]
        self.set, self.has_answer = line["set"], has_answer
        self.is_asked = has_answer or not question["answerable"]
        self.clues = np.array([quotation["clues"] for quotation in quotations], float)
        self.right = np.array([has_answer and answers(question, quotation["text"]) for quotation in quotations], bool)


def answers(question, text):
    text = " ".join(text.split()[:MOST_WORDS])
    has = lambda pattern: re.search(pattern, text, FLAGS) is not None
    gold, all_of = question["gold"], question.get("all_of", [])
    if question["kind"] in ("yes", "no"):
        return has(question["passage"])
    if question["kind"] == "count":
        return any(has(rf"(?<![\d.,-])(?:{pattern})(?![\d]|[.,-]\d)") for pattern in gold)
    return bool(gold or all_of) and (not gold or any(map(has, gold))) and all(map(has, all_of))


def read(paths):
    choices = []
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            for line in map(json.loads, lines):
                answerable = line["question"]["answerable"]
                choices.append(Choice(line, line["quotations"], answerable))
                if answerable:
                    choices.append(Choice(line, line["without"], False))
    return choices


def fit(choices, penalty):
    every = np.concatenate([choice.clues for choice in choices if len(choice.clues)])
    scale = every.std(0)
    scale[scale == 0] = 1

    def loss(weights):
        total, gradient = penalty * np.sum(weights[1:] ** 2) / 2, penalty * weights
        gradient[0] = 0
        for choice in choices:
            if not len(choice.clues):
                continue
            clues = choice.clues / scale
            ratings = clues @ weights
            most = max(ratings.max(), 0)
            odds, none = np.exp(ratings - most), np.exp(-most)
            all_odds = odds.sum() + none
            gradient += odds / all_odds @ clues
            if choice.right.any():
                right = odds * choice.right
                total += np.log(all_odds) - np.log(right.sum())
                gradient -= right / right.sum() @ clues
            else:
                total += np.log(all_odds) - np.log(none)
        return total, gradient

    start = np.zeros(every.shape[1])
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500}).x / scale


def count(choices, weights):
    """Of the questions with an answer those whose first quotation, and one of three, is right or beside the point; of the others those without."""
    figures = dict.fromkeys(("answered", "first", "three", "beside", "unanswered", "told"), 0)
    for choice in choices:
        ratings = choice.clues @ weights if len(choice.clues) else np.zeros(0)
        order = np.argsort(-ratings, kind="stable")
        quoted = len(order) > 0 and ratings[order[0]] >= 0
        if choice.has_answer:
            right = bool(quoted and choice.right[order[0]])
            figures["answered"] += 1
            figures["first"] += right
            figures["three"] += bool(quoted and choice.right[order[:3]].any())
            figures["beside"] += bool(quoted and not right)
        elif choice.is_asked:
            figures["unanswered"] += 1
            figures["told"] += not quoted
    return figures


def show(name, figures):
    print(f"{name:12}", *(f"{key} {value:4}" for key, value in figures.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", help="what `cargo xtask quotes` wrote")
    parser.add_argument("--penalty", type=float, default=3.0)
    parser.add_argument("--shift", type=float, default=1.85, help="what is added to the first weight")
    options = parser.parse_args()
    choices = read(options.files)

    def shifted(some):
        weights = fit(some, options.penalty)
        weights[0] += options.shift
        return weights

    total = {}
    for left_out in sorted({choice.set for choice in choices}):
        weights = shifted([choice for choice in choices if choice.set != left_out])
        figures = count([choice for choice in choices if choice.set == left_out], weights)
        show(left_out, figures)
        total = {key: total.get(key, 0) + value for key, value in figures.items()}
    show("all", total)
    print(*(f"{weight:.2f}" for weight in shifted(choices)), sep=", ")


if __name__ == "__main__":
    main()
