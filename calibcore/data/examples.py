"""Bundled examples: real held-out predictions, and populations from the papers with known truth.

The real ones are made by ``scripts/make_examples.py`` and read from ``assets/examples``.
V19 = Vaicenavicius et al. 2019, W19 = Widmann et al. 2019.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import UNKNOWN, Cases, MultiLabelPredictions
from calibcore.errors import InputError
from calibcore.limits import asset_path
from calibcore.numerics.resampling import draw_labels
from calibcore.numerics.streams import Seed, generator_of
from calibcore.wording import quote

SEED = 20190501
"""Of everything drawn at load time, so that an example is the same for everyone."""

COLUMN = "column_"
"""What the names of columns beside the predictions begin with, in the file of an example."""

Table = tuple[tuple[tuple[float, ...], tuple[float, ...]], ...]
TABLE_1: Table = (
    ((0.1, 0.3, 0.6), (0.2, 0.2, 0.6)),
    ((0.1, 0.6, 0.3), (0.0, 0.7, 0.3)),
    ((0.3, 0.1, 0.6), (0.2, 0.2, 0.6)),
    ((0.3, 0.6, 0.1), (0.4, 0.5, 0.1)),
    ((0.6, 0.1, 0.3), (0.7, 0.0, 0.3)),
    ((0.6, 0.3, 0.1), (0.5, 0.4, 0.1)),
)
TABLE_2: Table = (
    ((0.6, 0.1, 0.3), (0.7, 0.2, 0.1)),
    ((0.4, 0.6, 0.0), (0.3, 0.5, 0.2)),
)


@dataclass(frozen=True)
class Example:
    """What users read about an example; ``noun`` is what one of its cases is called."""

    key: str
    title: str
    description: str
    noun: str


def load_example(key: str) -> Predictions:
    """The example of that key; :class:`InputError` lists the keys there are. Cost O(nm).

    Of several labels a case see :func:`load_cases`.
    """
    cases = load_cases(key)
    if isinstance(cases, MultiLabelPredictions):
        raise InputError(
            f"In the example {key!r} each case has {cases.k} labels; load_cases({key!r}) loads it."
        )
    return cases


def load_cases(key: str) -> Cases:
    """The same, of several labels a case too."""
    if key in _POPULATIONS:
        return _POPULATIONS[key]()
    if key not in (example.key for example in EXAMPLES):
        keys = ", ".join(example.key for example in EXAMPLES)
        raise InputError(f"There is no example {quote(key)}; expected one of {keys}.")
    with np.load(asset_path("examples", f"{key}.npz"), allow_pickle=False) as arrays:
        columns = {name.removeprefix(COLUMN): arrays[name] for name in arrays if name.startswith(COLUMN)}
        if "confidence" in arrays:
            return Predictions.from_confidence(
                arrays["confidence"], metadata=columns, predicted=arrays["predicted"], truth=arrays["truth"]
            )
        names = arrays["class_names"].tolist()
        if arrays["labels"].ndim == 2:
            return MultiLabelPredictions.from_arrays(arrays["probs"], arrays["labels"], names, columns)
        ordered = "ordered" in arrays
        return Predictions.from_arrays(arrays["probs"], arrays["labels"], names, columns, ordered=ordered)


def load_run(key: str) -> dict[int, Predictions]:
    """Number of the epoch -> predictions of a bundled training run; :class:`InputError` for another key."""
    if key not in (run.key for run in RUNS):
        raise InputError(
            f"There is no run {quote(key)}; expected one of {', '.join(run.key for run in RUNS)}."
        )
    with np.load(asset_path("examples", f"{key}.npz"), allow_pickle=False) as arrays:
        names, labels = arrays["class_names"].tolist(), arrays["labels"]
        return {
            int(epoch): Predictions.from_arrays(probs, labels, names)
            for epoch, probs in zip(arrays["epoch"], arrays["probs"], strict=True)
        }


def example_csv(key: str) -> str:
    """The example as people keep such files: a column per class, "case", further columns and "label".

    Probabilities with six decimals, so that rows sum to 1 within m/2 millionths. Where only the confidence is
    known, that, "case" and further columns, among them the answer and the truth. Of several labels a column
    "NAME prob" and one "NAME true" each, empty where nobody knows. Cost O(nm).
    """
    import pandas as pd

    p = load_cases(key)
    if isinstance(p, MultiLabelPredictions):
        return str(pd.DataFrame(_columns_of_labels(p)).to_csv(index=False, lineterminator="\n"))
    if p.confidence_only:
        known = {"case": range(1, p.n + 1), **p.metadata, "confidence": p.probs[:, 0]}
        return str(pd.DataFrame(known).to_csv(index=False, lineterminator="\n"))
    columns: dict[str, Any] = {
        name: [f"{value:.6f}" for value in of_class.tolist()]
        for name, of_class in zip(p.class_names, p.probs.T, strict=True)
    }
    columns |= {"case": range(1, p.n + 1), **p.metadata, "label": np.array(p.class_names)[p.labels]}
    return str(pd.DataFrame(columns).to_csv(index=False, lineterminator="\n"))


def _columns_of_labels(p: MultiLabelPredictions) -> dict[str, Any]:
    columns: dict[str, Any] = {"case": range(1, p.n + 1), **p.metadata}
    for name, probs in zip(p.label_names, p.probs.T, strict=True):
        columns[f"{name} prob"] = [f"{value:.6f}" for value in probs.tolist()]
    for name, outcomes in zip(p.label_names, p.outcomes.T.tolist(), strict=True):
        columns[f"{name} true"] = ["" if value == UNKNOWN else value for value in outcomes]
    return columns


def v19_table1(repeats: int = 1) -> Predictions:
    """V19 Table 1: calibrated by confidence and for every class, and yet not calibrated.

    Every prediction has exactly the table's frequencies, in the smallest number of cases that
    allows it, ``repeats`` times over: n = 60·repeats, m = 3, in a shuffled order that is fixed.
    """
    return _exact_population(TABLE_1, repeats)


def v19_table2(repeats: int = 1) -> Predictions:
    """V19 Table 2: calibrated by confidence and for no class. n = 20·repeats, m = 3, as Table 1."""
    return _exact_population(TABLE_2, repeats)


def _exact_population(table: Table, repeats: int) -> Predictions:
    if repeats < 1:
        raise InputError(f"There are {repeats} repeats; expected 1 or more.")
    predicted, truth = (np.array(column) for column in zip(*table, strict=True))
    # Both tables are in tenths and some row needs all ten cases.
    counts = np.rint(10 * truth).astype(np.int64) * repeats
    rows = np.repeat(np.arange(len(table)), counts.sum(axis=1))
    labels = np.concatenate([np.repeat(np.arange(len(row)), row) for row in counts])
    # Without a shuffle, estimators that pair neighbours would see nothing but equal labels.
    order = np.random.default_rng(SEED).permutation(len(rows))
    return Predictions.from_arrays(predicted[rows[order]], labels[order], _numbered(len(table[0][0])))


def _numbered(m: int) -> tuple[str, ...]:
    """Class names as the papers count, from 1."""
    return tuple(str(k + 1) for k in range(m))


def w19_model(name: str, n: int = 250, m: int = 10, rng: Seed = SEED) -> Predictions:
    """The models of W19 §7: predictions from Dir(0.1, …, 0.1), labels from the model.

    Parameters
    ----------
    name : "M1", Cat(g), calibrated; "M2", ½ Cat(g) + ½ Cat(1, 0, …, 0); "M3", Cat(1/m, …, 1/m)
    n, m : cases and classes, as in the paper unless given
    rng : the same state gives the three models the same predictions
    """
    if name not in ("M1", "M2", "M3"):
        raise InputError(f"There is no model {quote(name)}; expected M1, M2 or M3.")
    rng = generator_of(rng)
    probs = rng.dirichlet(np.full(m, 0.1), size=n)
    truth = {"M1": probs, "M2": 0.5 * probs + 0.5 * np.eye(m)[0], "M3": np.full((n, m), 1 / m)}
    return Predictions.from_arrays(probs, draw_labels(truth[name], rng), _numbered(m))


def gaussian_mixture(n: int, beta0: float, beta1: float, rng: Seed = SEED) -> Predictions:
    """The one-dimensional mixture of V19 §5.1: y = ∓1 equally likely, x drawn from N(y, 1).

    The prediction for class "-1", which comes first, is ``1/(1 + exp(−(β0 + β1 x)))``. Calibrated
    for (β0, β1) = (0, −2) and (0, 0) only.
    """
    rng = generator_of(rng)
    labels = rng.integers(2, size=n)
    logit = beta0 + beta1 * (rng.standard_normal(n) + 2 * labels - 1)
    # 1/(1 + e^−t) without overflow, and without rounding the smaller of the two to 0.
    probs = np.exp(-np.logaddexp(0, np.column_stack([-logit, logit])))
    return Predictions.from_arrays(probs, labels, ("-1", "1"))


# As many repeats as it takes for the exact test to see what is wrong, after correcting for five lenses:
# 600 cases of Table 1 would be too few.
_POPULATIONS: dict[str, Callable[[], Predictions]] = {
    "v19-table-1": lambda: v19_table1(repeats=50),
    "v19-table-2": lambda: v19_table2(repeats=50),
    "w19-m1": lambda: w19_model("M1"),
    "w19-m2": lambda: w19_model("M2"),
    "w19-m3": lambda: w19_model("M3"),
}


def _bundled(part: str) -> tuple[Example, ...]:
    index = json.loads(asset_path("examples", "index.json").read_text(encoding="utf-8"))
    names = [f.name for f in fields(Example)]
    return tuple(Example(**{name: entry[name] for name in names}) for entry in index[part])


EXAMPLES: tuple[Example, ...] = tuple(
    example for part in ("examples", "populations", "simulated") for example in _bundled(part)
)
"""In the order in which they are offered, real ones first."""
RUNS: tuple[Example, ...] = _bundled("runs")
"""Training runs, which :func:`load_run` loads."""
