"""Files whose numbers are a little off, or come in shapes of their own."""

import numpy as np
import pandas as pd
from scipy.special import softmax

from tests.hostile.corpus import written
from tests.hostile.grammar.drawing import Array, Rng, Truth, chance, pick
from tests.hostile.grammar.kinds import Columns, Kind, as_drawn, beside, binary, cases, ints, several, words
from tests.hostile.grammar.writing import Drawn

NAMES = ("cat", "dog", "owl", "fox", "hen")


def a_hair_outside(rng: Rng) -> Drawn:
    """Probabilities of sums in floating point: 1.0000001 and -1e-9 stand for 1 and 0."""
    m = int(pick(rng, (1, 1, 2, 3, 5)))
    truth = binary(rng) if m == 1 else several(rng, NAMES[:m])
    sure = rng.random(truth.n) < 0.3
    sure[0] = True
    edge = np.eye(truth.m)[truth.labels]
    truth.probs = np.where(sure[:, None], edge, truth.probs)
    hair = 10.0 ** rng.uniform(-15, -6.05, truth.n)
    if chance(rng, 0.3):
        hair[:] = hair[0]
    outside = edge + hair[:, None] * np.where(edge == 1, 1, -1 if m < 3 else -1 / (m - 1))
    written_as = np.where(sure[:, None], outside, truth.probs)
    digits = m == 1 or chance(rng, 0.3)
    own: Columns = (
        [(pick(rng, ("y_prob", "prob", "p", "pred", "risk")), written_as[:, 1])]
        if m == 1
        else [(f"p_{name}", written_as[:, k]) for k, name in enumerate(truth.names)]
    )
    label = (pick(rng, ("y_true", "label", "y")), ints(truth.labels) if digits else words(truth))
    columns = [label, *own] if chance(rng, 0.5) else [*own, label]
    return as_drawn(rng, beside(rng, columns, truth.n), [name for name, _ in own], truth)


def one_and_a_little(rng: Rng) -> Drawn:
    """All rows sum to the same, which is not 1."""
    m = int(pick(rng, (2, 3, 3, 5)))
    truth = several(rng, NAMES[:m])
    c = float(pick(rng, (-1, 1)) * 10 ** rng.uniform(-4, -1.3))
    probs = truth.probs * (1 + c)
    if chance(rng, 0.3):
        probs = np.round(probs, 7)
        truth.probs = probs / probs.sum(axis=1, keepdims=True)
    form = pick(rng, ("{}", "p_{}", "prob_{}"))
    own: Columns = [(form.format(name), probs[:, k]) for k, name in enumerate(truth.names)]
    label = (pick(rng, ("y_true", "label", "y")), words(truth))
    columns = [label, *own] if chance(rng, 0.5) else [*own, label]
    return as_drawn(rng, beside(rng, columns, truth.n), [], truth, f"sums to {1 + c:.5g}")


def _as_decimals(halves: Array) -> Array:
    """In double precision; numbers that three decimals give stand for these."""
    exact = halves.astype(np.float64)
    short = np.round(exact, 3)
    return np.where(short.astype(np.float16) == halves, short, exact)


def half_precision(rng: Rng) -> Drawn:
    """float16: rows sum to 1 within a thousandth. Sums, differences and powers are of double precision.

    A number may stand for itself, or for the three decimals that it is nearest to.
    """
    m, n = int(pick(rng, (2, 3, 5, 10, 100))), cases(rng)
    kind = pick(rng, ("npz", "npz", "npy", "parquet", "one", "one", "logits"))
    m = 2 if kind == "one" else m
    halves = rng.dirichlet(np.full(m, pick(rng, (0.3, 1.0))), n).astype(np.float16)
    labels = np.array([rng.choice(m, p=row / row.sum()) for row in halves.astype(np.float64)])
    labels[:2] = 0, 1
    if kind == "logits":
        noise = rng.normal(size=(n, 1)) - 3
        halves = (np.log(np.maximum(halves.astype(np.float64), 1e-3)) + noise).astype(np.float16)
    both = [halves.astype(np.float64), _as_decimals(halves)]
    if kind == "one":
        both = [np.c_[1 - one[:, 1], one[:, 1]] for one in both]
    elif kind == "logits":
        both = [softmax(one, axis=1) for one in both]
    truth, other = (Truth(one, labels, tuple(str(k) for k in range(m))) for one in both)
    tags, more = (kind, f"{m} classes"), {"others": (other,)}
    if kind == "one" and chance(rng, 0.5):
        return Drawn(written(np.savez, y_prob=halves[:, 1], y_true=labels), "p.npz", truth, tags, **more)
    if kind in ("one", "parquet"):
        columns = {"y_prob": halves[:, 1]} if kind == "one" else {f"p_{k}": halves[:, k] for k in range(m)}
        table = pd.DataFrame({**columns, "label": labels})
        return Drawn(written(table.to_parquet), "p.parquet", truth, tags, **more)
    if kind == "npy":
        two = {"labels": written(np.save, labels), "labels_name": "y.npy", **more}
        return Drawn(written(np.save, halves), "p.npy", truth, tags, **two)
    key = "logits" if kind == "logits" else pick(rng, ("probs", "y_prob", "predictions"))
    return Drawn(written(np.savez, **{key: halves, "labels": labels}), "p.npz", truth, tags, **more)


def of_weka(rng: Rng) -> Drawn:
    """ARFF: attributes, and then the rows."""
    m = int(pick(rng, (1, 2, 3, 5)))
    truth = binary(rng, ("no", "yes")) if m == 1 else several(rng, NAMES[:m])
    shown = truth.probs[:, 1:] if m == 1 else truth.probs
    columns = ["p_yes"] if m == 1 else [f"p_{name}" for name in truth.names]
    word = pick(rng, (str.lower, str.upper))
    kind = pick(rng, ("numeric", "real", "REAL"))
    head = [*(["% made by a tool"] if chance(rng, 0.3) else []), f"{word('@relation')} predictions", ""]
    head += [f"{word('@attribute')} {name} {kind}" for name in columns]
    head += [f"{word('@attribute')} class {{{','.join(truth.names)}}}", "", word("@data")]
    rows = [
        ",".join([*map(repr, map(float, row)), name]) for row, name in zip(shown, words(truth), strict=True)
    ]
    data = "\n".join([*head, *rows, ""]).encode()
    return Drawn(
        data, pick(rng, ("p.arff", "p.arff", "p.csv", "p.txt")), truth, (f"{m} columns",), says="ARFF"
    )


def too_many_axes(rng: Rng) -> Drawn:
    """Arrays of images or of runs: probabilities of more than cases and classes."""
    m, n = int(pick(rng, (2, 3, 5))), cases(rng)
    shape = pick(rng, ((n, 4, 4), (n, 2, 3, 2), (3, n), (1, 2, n), (n, 5)))
    probs = rng.dirichlet(np.ones(m), shape)
    if chance(rng, 0.5):
        probs = np.moveaxis(probs, -1, 1)
    labels = rng.integers(0, m, n)
    key = pick(rng, ("probs", "y_prob", "predictions"))
    file = written(np.savez, **{key: probs, "labels": labels})
    truth = Truth(np.full((n, m), 1 / m), labels, tuple(str(k) for k in range(m)))
    says = r"dimension|axes|axis|shape|\d × \d|\d, \d"
    return Drawn(file, "p.npz", truth, (str(probs.shape),), answerable=False, says=says)


KINDS = {
    "a hair outside 0-1": Kind(a_hair_outside, unasked=0.95, reached=0.95),
    "rows that sum to 1 + c": Kind(one_and_a_little, unasked=0.39, reached=0.95),
    "half precision": Kind(half_precision, unasked=0.6, reached=0.95),
    "ARFF": Kind(of_weka),
    "too many axes": Kind(too_many_axes),
}
