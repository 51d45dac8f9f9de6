"""What tells work from other work that somebody else, or the same person, had done."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from calibcore import DiagnosisSpec, Predictions, TopKLens, recalibrate
from pages.work import studies

SPEC = DiagnosisSpec(lens=TopKLens(1), resamples=99)
OF_COLUMNS: dict[str, Callable[[Predictions], studies.Study[Any]]] = {
    "decisions": lambda p: studies.decisions(p, SPEC, (0.5,), groups="site"),
    "grouped": lambda p: studies.grouped(p, ["site"], SPEC, None),
    "worst": lambda p: studies.worst(p, ["site"], SPEC, None),
    "monitored": lambda p: studies.monitored(p, SPEC, "site", None, None),
    "split_by": lambda p: studies.split_by(p, recalibrate(p, ["temperature"], SPEC), "temperature", "site"),
}
"""Studies that are told the name of a column of the cases."""


def test_each_study_that_names_a_column_is_looked_at() -> None:
    names = {"by", "time", "groups"}
    functions = {
        name: function
        for name, function in inspect.getmembers(studies, inspect.isfunction)
        if function.__module__ == studies.__name__
    }
    naming = {name for name, of in functions.items() if names & {*inspect.signature(of).parameters}}
    assert naming - {"finished_groups"} == set(OF_COLUMNS)  # which begins nothing


@pytest.mark.parametrize("name", OF_COLUMNS)
def test_another_column_of_the_same_name_is_other_work(name: str) -> None:
    """The fingerprint is of probabilities and labels alone: two files may differ in their groups only."""
    rng = np.random.default_rng(0)
    probs, labels = rng.dirichlet(np.ones(3), 80), rng.integers(3, size=80)
    one, same, other = (
        Predictions.from_arrays(probs, labels, metadata={"site": column})
        for column in (np.arange(80) % 2, np.arange(80) % 2, np.arange(80) % 4)
    )
    assert one.fingerprint == other.fingerprint
    keys = [OF_COLUMNS[name](cases).key for cases in (one, same, other)]
    assert keys[0] == keys[1] != keys[2]
