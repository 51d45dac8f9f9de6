"""Plausible files of predictions, drawn with what they mean: the probability of each class, and what was."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tests.hostile.grammar import vocabulary as words

Rng = np.random.Generator
Array = NDArray[Any]


@dataclass
class Truth:
    """What a file means: (n, m) probabilities, (n,) labels from 0, and what the classes are called."""

    probs: Array
    labels: Array
    names: tuple[str, ...]

    @property
    def n(self) -> int:
        return len(self.labels)

    @property
    def m(self) -> int:
        return len(self.names)


@dataclass
class Plan:
    """How the truth is put into columns.

    Attributes
    ----------
    form : many, percent, logits, log, one (the positive class alone), other (the negative class alone)
    coding : names, zero, one, truth values (bool), signs, onehot, none (there is no label)
    decimals : of what is written; None: as many as there are
    order : the classes in the order of the columns
    """

    form: str
    coding: str
    decimals: int | None
    order: tuple[int, ...]
    pair: bool
    tags: list[str] = field(default_factory=list)


def pick(rng: Rng, choices: Sequence[Any]) -> Any:
    """One of them."""
    return choices[int(rng.integers(len(choices)))]


def chance(rng: Rng, share: float) -> bool:
    """True in this share of cases."""
    return bool(rng.random() < share)


def truth_of(rng: Rng, names: tuple[str, ...], n: int, decimals: int | None) -> Truth:
    """Probabilities of some sharpness, rounded as the file will have them, and outcomes that follow them."""
    m = len(names)
    weights = rng.dirichlet(np.full(m, pick(rng, (0.4, 0.8, 1.5))), size=n)
    if decimals is not None:
        unit = 10**decimals
        weights = np.array([rng.multinomial(unit, row) for row in weights]) / unit
    labels = np.array([rng.choice(m, p=row / row.sum()) for row in weights])
    return Truth(weights, labels, names)


def classes_of(rng: Rng) -> tuple[tuple[str, ...], bool]:
    """Names of classes, and whether they are a pair of which one is looked for."""
    kind = rng.random()
    if kind < 0.45:
        return pick(rng, words.PAIRS), True
    if kind < 0.52:
        return pick(rng, words.EVEN_PAIRS), False
    if kind < 0.8:
        return pick(rng, words.MANY), False
    m = int(pick(rng, (2, 3, 3, 4, 5, 10)))
    first = int(pick(rng, (0, 0, 1)))
    style = pick(rng, ("{}", "{}", "{}", "{:02d}"))
    return tuple(style.format(k + first) for k in range(m)), m == 2


def plan_of(rng: Rng, names: tuple[str, ...], pair: bool) -> Plan:
    """A form and a coding of labels in which people write such classes."""
    m = len(names)
    forms = ["many"] * 12 + ["percent"] * 2 + ["logits", "log"]
    if pair:
        forms += ["one"] * 12 + ["other"] * 2
    form = pick(rng, forms)
    digits = all(name.lstrip("-").isdecimal() for name in names)
    codings = ["names"] * 8 if not digits else ["names"] * 10
    if form not in ("one", "other") and not digits:
        codings += ["onehot"]
    if not any(char.isdecimal() for name in names for char in name):
        codings += ["zero"] * 3 + ["one"]  # numbers in names would say another thing
    if pair and names not in (("1", "2"), ("-1", "1")):
        codings += ["bool"] + (["signs"] if form != "other" and not digits else [])
    order = tuple(range(m))
    tags: list[str] = []
    coding = pick(rng, codings)
    if coding == "zero" and chance(rng, 0.15):
        coding = "floats"
    if coding == "names" and not digits and chance(rng, 0.06):
        coding = "capitals"
    if form == "other" and coding == "one":
        coding = "zero"
    known = pair or digits
    if chance(rng, 0.3) and (
        coding in ("names", "onehot", "capitals") or (known and coding in ("zero", "bool", "signs", "floats"))
    ):
        order = tuple(int(k) for k in rng.permutation(m))
        tags.append("columns in another order")
    if chance(rng, 0.03):
        coding = "none"
    decimals = pick(rng, (2, 3, 4, 4, 6, None, None))
    if m > 5 and decimals == 2:
        decimals = 3
    if form == "logits":
        decimals = None
    return Plan(form, coding, decimals, order, pair, tags)


def coded(rng: Rng, plan: Plan, truth: Truth, guess: Array | None = None) -> list[Any]:
    """(n,) labels (or hard predictions) as the file has them."""
    labels = truth.labels if guess is None else guess
    match plan.coding:
        case "zero" | "onehot" | "none":
            return [int(y) for y in labels]
        case "one":
            return [int(y) + 1 for y in labels]
        case "bool":
            return [bool(y) for y in labels]
        case "signs":
            return [2 * int(y) - 1 for y in labels]
        case "floats":
            return [float(y) for y in labels]
        case "capitals":
            return [truth.names[y].upper() for y in labels]
    names = truth.names
    if all(name.lstrip("-").isdecimal() for name in names) and not any(name.startswith("0") and len(name) > 1
                                                                          for name in names):  # fmt: skip
        return [int(names[y]) for y in labels]
    return [names[y] for y in labels]


def prediction_columns(rng: Rng, plan: Plan, truth: Truth) -> dict[str, Array]:
    """The columns of predictions, by name."""
    p, m = truth.probs, truth.m
    digits = all(name.lstrip("-").isdecimal() for name in truth.names)
    if plan.form in ("one", "other"):
        k = 1 if plan.form == "one" else 0
        named = plan.form == "other" or chance(rng, 0.45)
        if plan.coding == "one" and not digits:
            named = False
        form = pick(rng, words.ONE_FORMS) if named else pick(rng, words.ONE_GENERIC)
        name = form.format(c=truth.names[k])
        plan.tags.append(f"one column, {'named after its class' if named else 'of a general name'}")
        if chance(rng, 0.12):
            percent = pick(rng, ("{} (%)", "{}_percent", "{} [%]", "{}_pct")).format(name)
            plan.tags.append("percent")
            return {percent: np.round(100 * p[:, k], 10)}
        return {name: p[:, k]}
    if plan.form == "percent":
        form = pick(rng, words.PERCENT_FORMS if chance(rng, 0.6) else words.CLASS_FORMS)
        values = np.round(100 * p, 10)
    elif plan.form == "logits":
        form, values = (
            pick(rng, words.LOGIT_FORMS),
            np.log(np.maximum(p, 1e-9)) + rng.normal(size=(truth.n, 1)),
        )
    elif plan.form == "log":
        form = pick(rng, words.LOG_FORMS)
        truth.probs = np.maximum(p, 1e-12)
        truth.probs = truth.probs / truth.probs.sum(axis=1, keepdims=True)
        values = np.log(truth.probs)
    else:
        form, values = pick(rng, words.DIGIT_FORMS if digits else words.CLASS_FORMS), p
    if plan.coding == "one" and digits:
        form = "{c}"
    plan.tags += [plan.form, f"{m} classes", f"named {form}"]
    return {form.format(c=truth.names[k]): values[:, k] for k in plan.order}


def _second_opinion(rng: Rng, truth: Truth) -> Array:
    """Labels as someone else gives them: mostly, not always, what happened."""
    return np.where(rng.random(truth.n) < 0.8, truth.labels, rng.integers(0, truth.m, truth.n))


def extras(rng: Rng, plan: Plan, truth: Truth) -> dict[str, list[Any]]:
    """Columns that are neither predictions nor labels."""
    p, n = truth.probs, truth.n
    guess = np.argmax(p, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = -np.nansum(np.where(p > 0, p * np.log(p), 0), axis=1)
    ordered = np.sort(p, axis=1)
    offers: list[tuple[float, str, Callable[[], list[Any]]]] = [
        (0.25, pick(rng, words.IDS), lambda: [int(x) for x in rng.permutation(10 * n)[:n]]),
        (0.1, "image", lambda: [f"img_{i:04d}.png" for i in rng.permutation(n)]),
        (
            0.1,
            pick(rng, ("fold", "cv_fold", "Falte", "resample")),
            lambda: [int(x) for x in rng.integers(1, 6, n)],
        ),
        (
            0.08,
            pick(rng, ("split", "set", "partition")),
            lambda: [pick(rng, ("train", "test")) for _ in range(n)],
        ),
        (
            0.1,
            pick(rng, ("entropy", "Entropie", "uncertainty")),
            lambda: [float(x) for x in np.round(entropy / np.log(p.shape[1]), 4)],
        ),
        (0.07, "margin", lambda: [float(x) for x in np.round(ordered[:, -1] - ordered[:, -2], 4)]),
        (0.12, pick(rng, words.CONFIDENCES), lambda: [float(x) for x in np.round(ordered[:, -1], 4)]),
        (0.25, pick(rng, words.GUESSES), lambda: coded(rng, plan, truth, guess)),
        (
            0.1,
            pick(rng, ("note", "comment", "Bemerkung", "备注")),
            lambda: [pick(rng, words.NOTES) for _ in range(n)],
        ),
        (
            0.08,
            pick(rng, ("date", "Datum", "timestamp")),
            lambda: [f"2026-0{1 + i % 9}-1{i % 10}" for i in range(n)],
        ),
        (0.08, pick(rng, ("count", "n_visits", "Anzahl")), lambda: [int(x) for x in rng.poisson(3, n)]),
        (0.1, pick(rng, ("age", "Alter", "âge", "years")), lambda: [int(x) for x in rng.integers(18, 91, n)]),
        (0.06, pick(rng, ("sex", "male", "site")), lambda: [int(x) for x in rng.integers(0, 2, n)]),
        (0.05, "weight", lambda: [float(x) for x in np.round(rng.uniform(0.2, 3, n), 2)]),
        (0.04, "loss", lambda: [float(x) for x in np.round(rng.exponential(size=n), 4)]),
        (0.04, "correct", lambda: [int(x) for x in guess == truth.labels]),
        (0.03, "missing", lambda: [0] * n),
        (
            0.03,
            pick(rng, ("std", "p_lower", "ci_low", "variance")),
            lambda: [float(x) for x in np.round(rng.random(n) / 9, 4)],
        ),
        (
            0.03,
            pick(rng, ("second_class", "top2", "runner_up")),
            lambda: coded(rng, plan, truth, np.argsort(p, axis=1)[:, -2]),
        ),
        (0.03, pick(rng, ("is_train", "reviewed", "flag")), lambda: [bool(x) for x in rng.integers(0, 2, n)]),
        (0.03, pick(rng, ("threshold", "temperature")), lambda: [0.5] * n),
        (
            0.03,
            pick(rng, ("doctor", "nurse", "rater_2")),
            lambda: coded(rng, plan, truth, _second_opinion(rng, truth)),
        ),
    ]
    return {name: make() for share, name, make in offers if chance(rng, share)}


def table_of(rng: Rng, plan: Plan, truth: Truth) -> tuple[pd.DataFrame, list[str], list[str]]:
    """The whole table, the names of its columns of predictions, and of labels."""
    predictions = prediction_columns(rng, plan, truth)
    others = extras(rng, plan, truth)
    labels: dict[str, list[Any]] = {}
    if plan.coding == "onehot":
        form = pick(rng, ("y_{}", "true_{}", "{}", "onehot_{}", "oh_{}", "is_{}", "gt_{}"))
        if any(form.format(name) in predictions for name in truth.names):
            form = "true_{}"
        at = rng.permutation(truth.m) if chance(rng, 0.3) else range(truth.m)
        labels = {form.format(truth.names[k]): [int(y == k) for y in truth.labels] for k in at}
    elif plan.coding != "none":
        unusual = chance(rng, 0.04)
        name = pick(rng, words.DIAGNOSES if unusual else words.LABELS)
        plan.tags.append("a label of any name" if unusual else f"label {name}")
        labels = {name: coded(rng, plan, truth)}
    parts = [others, predictions, labels]
    order = pick(rng, ((0, 1, 2), (0, 1, 2), (1, 2, 0), (2, 1, 0), (0, 2, 1), (1, 0, 2)))
    columns: dict[str, Any] = {}
    for k in order:
        columns |= {name: values for name, values in parts[k].items() if name not in columns}
    plan.tags += [f"{plan.coding} labels", *sorted(others)]
    return pd.DataFrame(columns), list(predictions), list(labels)
