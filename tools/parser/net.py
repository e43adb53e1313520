"""The net: embeddings, two BiLSTM layers, tags from the first, arcs and labels from the second."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from features import BUCKETS

WORD, PART, CELLS, ARC, LABEL = 96, 64, 112, 96, 128
LEAK = 0.1


def folded(values, meaning):
    """The values with one vector for each word: what was learnt of it and its projected meaning. Words that were not in the
    treebank stand after those that were, and share what was learnt of unknown words."""
    rows = np.asarray(meaning) @ np.asarray(values["projection"]).T
    learnt = np.asarray(values["word"])
    rows[: len(learnt)] += learnt
    rows[len(learnt) :] += learnt[0]
    return {name: value for name, value in values.items() if name != "projection"} | {"word": rows}


def start(rng, words, tags, fine, labels, meaning):
    """Parameters before training. Matrices are (outputs, inputs), as they are stored."""

    def uniform(rows, columns, bound):
        return rng.uniform(-bound, bound, (rows, columns)).astype(np.float32)

    def glorot(rows, columns):
        return uniform(rows, columns, (6 / (rows + columns)) ** 0.5)

    wide = 2 * CELLS
    values = {"word": uniform(words + 2, WORD, 0.05), "part": uniform(BUCKETS, PART, 0.05)}
    values["projection"] = uniform(WORD, meaning, 0.05)
    for layer, inputs in ((1, WORD + PART), (2, wide)):
        for direction in ("forward", "backward"):
            name = f"layer{layer}.{direction}"
            values[f"{name}.input"] = np.vstack([glorot(CELLS, inputs) for _ in range(4)])
            values[f"{name}.state"] = np.vstack([np.linalg.qr(rng.normal(size=(CELLS, CELLS)))[0] for _ in range(4)]).astype(np.float32)
            bias = np.zeros(4 * CELLS, np.float32)
            bias[CELLS : 2 * CELLS] = 1
            values[f"{name}.bias"] = bias
    for name, rows, columns in (
        ("arc.dependent", ARC, wide), ("arc.head", ARC, wide), ("arc.pair", ARC, ARC),
        ("label.dependent", LABEL, wide), ("label.head", LABEL, wide), ("label.out", labels, LABEL),
        ("tag.out", tags, wide), ("fine.out", fine, wide),
    ):
        values[name] = glorot(rows, columns)
    for name, size in (
        ("arc.dependent.bias", ARC), ("arc.head.bias", ARC), ("arc.prior", ARC), ("label.bias", LABEL),
        ("label.out.bias", labels), ("tag.out.bias", tags), ("fine.out.bias", fine),
    ):
        values[name] = np.zeros(size, np.float32)
    return values


def gates(raw):
    enter, forget, leave, new = jnp.split(raw, 4, axis=-1)
    return jax.nn.sigmoid(enter), jax.nn.sigmoid(forget), jax.nn.sigmoid(leave), jnp.tanh(new)


@partial(jax.custom_vjp, nondiff_argnums=(4,))
def lstm(projected, mask, state, keep, backward):
    """Outputs (time, batch, cells) from projected inputs; where the mask is 0 the state is zero.

    `keep` (batch, cells) is the dropout of what one step hands to the next.
    """
    return lstm_forward(projected, mask, state, keep, backward)[0]


def lstm_forward(projected, mask, state, keep, backward):
    def step(carry, at):
        output, cell = carry
        raw, live = at
        enter, forget, leave, new = gates(raw + (output * keep) @ state.T)
        before = cell
        cell = (forget * cell + enter * new) * live
        bent = jnp.tanh(cell)
        output = leave * bent * live
        return (output, cell), (output, (enter, forget, leave, new, before, bent))

    zero = jnp.zeros((projected.shape[1], state.shape[1]), projected.dtype)
    _, (outputs, kept) = jax.lax.scan(step, (zero, zero), (projected, mask), reverse=backward)
    return outputs, (outputs, kept, mask, state, keep)


def lstm_backward(backward, saved, wanted):
    """As automatic differentiation would, but the state's matrix gets its gradient in one product."""
    outputs, kept, mask, state, keep = saved

    def step(carry, at):
        d_output, d_cell = carry
        wanted, live, (enter, forget, leave, new, before, bent) = at
        d_output = (d_output + wanted) * live
        d_cell = (d_cell + d_output * leave * (1 - bent * bent)) * live
        d_raw = jnp.concatenate(
            [
                d_cell * new * enter * (1 - enter),
                d_cell * before * forget * (1 - forget),
                d_output * bent * leave * (1 - leave),
                d_cell * enter * (1 - new * new),
            ],
            axis=-1,
        )
        return (d_raw @ state * keep, d_cell * forget), d_raw

    zero = jnp.zeros(wanted.shape[1:], wanted.dtype)
    _, d_raw = jax.lax.scan(step, (zero, zero), (wanted, mask, kept), reverse=not backward)
    if backward:
        previous = jnp.concatenate([outputs[1:], jnp.zeros_like(outputs[:1])])
    else:
        previous = jnp.concatenate([jnp.zeros_like(outputs[:1]), outputs[:-1]])
    rows = d_raw.shape[0] * d_raw.shape[1]
    d_state = d_raw.reshape(rows, -1).T @ (previous * keep).reshape(rows, -1)
    return d_raw, jnp.zeros_like(mask), d_state, jnp.zeros_like(keep)


lstm.defvjp(lstm_forward, lstm_backward)


def linear(values, name, inputs):
    return inputs @ values[name].T


def layer(values, number, inputs, mask, keep):
    """`keep` is the dropout between steps, one half for each direction."""
    sides = []
    for direction, keep in zip(("forward", "backward"), jnp.split(keep, 2, axis=-1)):
        name = f"layer{number}.{direction}"
        projected = linear(values, f"{name}.input", inputs) + values[f"{name}.bias"]
        sides.append(lstm(projected, mask, values[f"{name}.state"], keep, direction == "backward"))
    return jnp.concatenate(sides, axis=-1)


def leaky(inputs):
    return jnp.where(inputs > 0, inputs, LEAK * inputs)


def states(values, meaning, batch, dropout):
    """Outputs of both layers. `dropout` is a list of masks, as `DROPOUT` of the commands names them, or None."""
    # `meaning` is not learnt; its projection is, and both are one table in the end (`folded`).
    words = values["word"][batch["learnt"]] + meaning[batch["word"]] @ values["projection"].T
    table = jnp.concatenate([values["part"], jnp.zeros((1, PART), jnp.float32)])
    parts = table[batch["part"]].sum(-2)
    mask = batch["mask"][..., None]
    inputs = jnp.concatenate([words, parts], axis=-1)
    between = [jnp.ones((mask.shape[1], 2 * CELLS), jnp.float32)] * 2
    if dropout is not None:
        inputs = inputs * dropout[0]
        between = [dropout[6][0], dropout[7][0]]
    first = layer(values, 1, inputs, mask, between[0])
    if dropout is not None:
        first = first * dropout[1]
    second = layer(values, 2, first, mask, between[1])
    if dropout is not None:
        second = second * dropout[2]
    return first, second


def arc_scores(values, second, mask, dropout=None):
    """(batch, dependent, head)."""
    dependents = leaky(linear(values, "arc.dependent", second) + values["arc.dependent.bias"])
    heads = leaky(linear(values, "arc.head", second) + values["arc.head.bias"])
    if dropout is not None:
        dependents, heads = dependents * dropout[3], heads * dropout[4]
    wanted = linear(values, "arc.pair", dependents) + values["arc.prior"]
    scores = jnp.einsum("dbk,hbk->bdh", wanted, heads)
    length = scores.shape[-1]
    barred = jnp.eye(length, dtype=bool)[None] | (mask.T[:, None, :] == 0)
    return jnp.where(barred, -1e9, scores)


def label_scores(values, second, heads, dropout=None):
    """(time, batch, labels) for given heads (time, batch)."""
    ahead = linear(values, "label.head", second)
    ahead = jnp.take_along_axis(ahead, heads[..., None], axis=0)
    hidden = leaky(linear(values, "label.dependent", second) + ahead + values["label.bias"])
    if dropout is not None:
        hidden = hidden * dropout[5]
    return linear(values, "label.out", hidden) + values["label.out.bias"]


def cross_entropy(scores, gold, weight):
    chosen = jnp.take_along_axis(scores, gold[..., None], axis=-1)[..., 0]
    return ((jax.nn.logsumexp(scores, axis=-1) - chosen) * weight).sum()


def loss(values, meaning, batch, dropout):
    first, second = states(values, meaning, batch, dropout)
    weight = batch["mask"].at[0].set(0)
    arcs = arc_scores(values, second, batch["mask"], dropout)
    labels = label_scores(values, second, batch["head"], dropout)
    tags = linear(values, "tag.out", first) + values["tag.out.bias"]
    fine = linear(values, "fine.out", first) + values["fine.out.bias"]
    total = cross_entropy(arcs, batch["head"].T, weight.T)
    total += cross_entropy(labels, batch["label"], weight)
    total += 0.5 * cross_entropy(tags, batch["tag"], weight)
    total += 0.5 * cross_entropy(fine, batch["fine"], weight)
    return total / weight.sum()


@jax.jit
def predict(values, meaning, batch):
    """Arc scores, and scores of labels for the best head of each word; tags."""
    first, second = states(values, meaning, batch, None)
    arcs = arc_scores(values, second, batch["mask"])
    tags = (linear(values, "tag.out", first) + values["tag.out.bias"]).argmax(-1)
    return arcs, second, tags


labels_of = jax.jit(lambda values, second, heads: label_scores(values, second, heads))


@partial(jax.jit, donate_argnums=(0, 1, 2, 3))
def learn(values, mean, square, average, meaning, batch, dropout, rate, step):
    """One step of Adam; `average` follows the parameters slowly."""
    value, slope = jax.value_and_grad(loss)(values, meaning, batch, dropout)
    norm = jnp.sqrt(sum((part * part).sum() for part in jax.tree.leaves(slope)))
    scale = jnp.minimum(1.0, 5.0 / norm)
    first, second, follow = 0.9, 0.95, 0.998
    slope = jax.tree.map(lambda part: part * scale, slope)
    mean = jax.tree.map(lambda old, new: first * old + (1 - first) * new, mean, slope)
    square = jax.tree.map(lambda old, new: second * old + (1 - second) * new * new, square, slope)
    ahead, around = 1 - first**step, 1 - second**step
    values = jax.tree.map(
        lambda value, m, s: value - rate * (m / ahead) / (jnp.sqrt(s / around) + 1e-8), values, mean, square
    )
    average = jax.tree.map(lambda old, new: old + (1 - follow) * (new - old), average, values)
    return values, mean, square, average, value
