"""Trees from arc scores: the best head of each word, and the best tree where that is none."""

import numpy as np

ROOT_COST = 1e6


def is_tree(heads):
    """`heads[0]` is the root's own entry and not looked at."""
    return sum(1 for head in heads[1:] if head == 0) == 1 and not find_cycle(heads)


def best_tree(scores):
    """Heads of the best tree with one root, by Chu-Liu and Edmonds. `scores[dependent, head]`."""
    heads = scores.argmax(1)
    heads[0] = 0
    if is_tree(heads):
        return heads
    scores = scores.astype(np.float64)
    scores[1:, 0] -= ROOT_COST
    np.fill_diagonal(scores, -np.inf)
    return arborescence(scores)


def arborescence(scores):
    heads = scores.argmax(1)
    heads[0] = 0
    cycle = find_cycle(heads)
    if not cycle:
        return heads
    inside = np.zeros(len(heads), bool)
    inside[cycle] = True
    outside = np.flatnonzero(~inside)
    kept = scores[cycle, heads[cycle]]
    merged = len(outside)
    smaller = np.full((merged + 1, merged + 1), -np.inf)
    smaller[:merged, :merged] = scores[np.ix_(outside, outside)]
    from_cycle = scores[np.ix_(outside, cycle)]
    smaller[:merged, merged] = from_cycle.max(1)
    into_cycle = scores[np.ix_(cycle, outside)] - kept[:, None]
    smaller[merged, :merged] = into_cycle.max(0)
    solved = arborescence(smaller)
    result = heads.copy()
    for at, node in enumerate(outside):
        if node == 0:
            continue
        head = solved[at]
        result[node] = cycle[from_cycle[at].argmax()] if head == merged else outside[head]
    entry = solved[merged]
    result[cycle[into_cycle[:, entry].argmax()]] = outside[entry]
    return result


def find_cycle(heads):
    state = [0] * len(heads)
    state[0] = 2
    for start in range(1, len(heads)):
        path, at = [], start
        while state[at] == 0:
            state[at] = 1
            path.append(at)
            at = heads[at]
        if state[at] == 1:
            return path[path.index(at):]
        for node in path:
            state[node] = 2
    return []
