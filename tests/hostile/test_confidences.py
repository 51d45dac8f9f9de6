"""Drawn files with a confidence: read as they are meant, asked about with that reading on offer, or refused.

Never read as something else: neither as probabilities of a class, nor on another scale.
"""

from typing import Any

import numpy as np
import pytest

from calibcore.errors import InputError
from calibcore.io import ReadOptions, read
from calibcore.words.readings import with_flags
from tests.hostile.fuzzing import MANY_OR_ALL
from tests.io.readings import table

SURE = ["confidence", "conf", "Confidence", "max_prob", "certainty", "model_confidence", "prob", "score", "p"]
SAID = ["prediction", "pred_label", "y_pred", "predicted", "answer", "model_answer", "yhat", "top1"]
TRUE = ["label", "truth", "y_true", "target", "gold", "class", "actual", "correct_answer"]
CORRECT = ["correct", "is_correct", "hit", "right", "acc", "was_correct", "match"]
YES_NO = [(True, False), (1, 0), ("yes", "no"), ("Right", "Wrong"), ("TRUE", "FALSE"), ("y", "n")]
BESIDE = ["id", "entropy", "seconds", "split"]


def drawn(rng: np.random.Generator) -> tuple[dict[str, Any], np.ndarray, np.ndarray]:
    """Columns, how sure the model was, and whether it was right."""
    n, m = int(rng.integers(25, 90)), int(rng.choice([2, 3, 5, 30]))
    sure = np.round(rng.uniform(1 / m, 1, n), 3)
    right = rng.random(n) < sure
    names = rng.choice([f"c{k}" for k in range(m)], m, replace=False) if rng.random() < 0.6 else np.arange(m)
    so = rng.integers(0, m, n)
    answer = np.where(right, so, (so + 1 + rng.integers(0, m - 1, n)) % m)
    scale = rng.choice(["fraction", "per cent", "signs"])
    cells: Any = sure
    if scale != "fraction":
        sure = np.round(sure, 2)
        cells = np.round(100 * sure).astype(int) if scale == "per cent" else [f"{100 * c:.0f}%" for c in sure]
    columns: dict[str, Any] = {rng.choice(SURE): cells}
    shape = rng.choice(["pair", "correct", "both"])
    if shape != "correct":
        columns |= {rng.choice(SAID): names[answer], rng.choice(TRUE): names[so]}
    if shape != "pair":
        yes, no = YES_NO[rng.integers(len(YES_NO))]
        columns[rng.choice(CORRECT)] = [yes if one else no for one in right]
    values = {
        "id": rng.permutation(n),
        "entropy": rng.random(n).round(3),
        "seconds": rng.gamma(2, 3, n).round(2),
        "split": "test",
    }
    columns |= {name: values[name] for name in rng.choice(BESIDE, rng.integers(0, 3), replace=False)}
    order = rng.permutation(list(columns))
    return {name: columns[name] for name in order}, sure, right


def holds(data: bytes, options: ReadOptions, sure: np.ndarray, right: np.ndarray) -> bool:
    p = read(data, name="x.csv", options=options).predictions
    same = p.kind == "confidence" and np.allclose(p.probs[:, 0], sure, atol=1e-9)
    return bool(same and ((p.labels == 0) == right).all())


@pytest.mark.parametrize("files", MANY_OR_ALL(20, 1_500))
def test_a_drawn_file_is_read_as_meant_or_asked_about(files: int) -> None:
    taken = 0
    for seed in range(files):
        columns, sure, right = drawn(np.random.default_rng([41, seed]))
        data = table(columns)
        try:
            assert holds(data, ReadOptions(), sure, right), (seed, list(columns))
            taken += 1
        except InputError as error:
            said = with_flags(error, ReadOptions())
            assert "softmax" not in said, (seed, said)
            ways = [ReadOptions().mended(one) for one in error.remedies if one.change]
            assert any(_leads_there(data, way, sure, right) for way in ways), (seed, list(columns), said)
    assert taken > 0.6 * files


def _leads_there(data: bytes, options: ReadOptions, sure: np.ndarray, right: np.ndarray) -> bool:
    """Whether the choice leads to what is meant, by one more choice at most."""
    try:
        return holds(data, options, sure, right)
    except InputError as error:
        further = [options.mended(one) for one in error.remedies if one.change]
    for way in further:
        try:
            if holds(data, way, sure, right):
                return True
        except InputError:
            continue
    return False
