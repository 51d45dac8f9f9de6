"""Parquet files for the tests of streaming, and documents compared number by number."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from calibcore import Diagnosis

SUMS = 1e-12
"""Relative to what is compared, or to 1: sums in another order."""


def model(n: int, m: int, seed: int = 0, decimals: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Predictions of a model that is a little wrong, and labels."""
    rng = np.random.default_rng([seed, n, m])
    truth = rng.dirichlet(np.full(m, 0.7), n)
    labels = (rng.random((n, 1)) > truth.cumsum(axis=1)).sum(axis=1).clip(max=m - 1)
    said = truth**1.1
    said /= said.sum(axis=1, keepdims=True)
    return said if decimals is None else np.round(said, decimals), labels


def write(path: Path, probs: np.ndarray, labels: Any, group: int = 1000, names: Sequence[str] = ()) -> Path:
    names = names or [f"p_{k}" for k in range(probs.shape[1])]
    columns = {name: probs[:, k] for k, name in enumerate(names)} | {"label": labels}
    pq.write_table(pa.table(columns), path, row_group_size=group)
    return path


def same(found: Any, expected: Any, where: str = "") -> None:
    """Every number within :data:`SUMS`, everything else equal; what is None in ``found`` was left out."""
    if isinstance(expected, Mapping):
        assert set(found) == set(expected), where
        for key in expected:
            same(found[key], expected[key], f"{where}/{key}")
    elif isinstance(expected, list | tuple):
        assert len(found) == len(expected), where
        for i, (one, other) in enumerate(zip(found, expected, strict=True)):
            same(one, other, f"{where}/{i}")
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=SUMS, abs=SUMS), where
    else:
        assert found == expected, where


def same_diagnosis(found: Diagnosis, expected: Diagnosis) -> None:
    """All that both made; of the one from slices nothing may be without a counterpart but two tests."""
    one, other = found.to_document(), expected.to_document()
    tests = {test["name"]: test for test in other.pop("tests")}
    for test in one.pop("tests"):
        if test["name"] not in ("exact-linear", "exact-block"):
            same(test, tests[test["name"]], test["name"])
    estimates = {made["name"]: made for made in other.pop("estimates")}
    for made in one.pop("estimates"):
        same(made, estimates[made["name"]], made["name"])
    for quadratic in ("biased", "unbiased"):
        assert one["skce"].pop(quadratic) is None
        other["skce"].pop(quadratic)
    for part in ("notes", "decompositions", "recalibration", "typical_gap", "frequencies"):
        one.pop(part), other.pop(part)
    same(one, other)
