"""Units whose number of rows depends on what happens: one row of each is another question than all rows."""

import math

import numpy as np
import pytest
from scipy.special import ndtr

from calibcore import DiagnosisSpec, ExactOmnibusTest, ExponentialKernel, Predictions, diagnose
from calibcore.data.units import one_row_a_unit, rows_looked_at
from calibcore.hypothesis_tests.units import across_units
from calibcore.words.results import doubts
from calibcore.words.testing import DISAGREE, ROWS_AS_THEY_COME, rows_disagree, units_sentence

Rng = np.random.Generator


def until_an_event(units: int, rng: Rng, low: float = 0.05, high: float = 0.35) -> Predictions:
    """Visits until the event, 10 at most; its probability is what the model says in every row."""
    p = rng.uniform(low, high, (units, 10))
    happened = rng.random((units, 10)) < p
    last = np.where(happened.any(axis=1), happened.argmax(axis=1), 9)
    there = np.arange(10) <= last[:, None]
    unit = np.repeat(np.arange(units), there.sum(axis=1))
    return _of(p[there], happened[there], unit)


def with_five_rows(units: int, rng: Rng) -> Predictions:
    """Calibrated, whatever happens; latents of a unit are correlated by .3."""
    g = rng.uniform(size=(units, 5))
    latent = math.sqrt(0.3) * rng.normal(size=(units, 1)) + math.sqrt(0.7) * rng.normal(size=(units, 5))
    return _of(g.ravel(), (ndtr(latent) < g).ravel(), np.repeat(np.arange(units), 5))


def _of(p: np.ndarray, happened: np.ndarray, unit: np.ndarray) -> Predictions:
    labels = np.where(happened, 0, 1)
    return Predictions.from_arrays(np.column_stack([p, 1 - p]), labels, ["event", "none"], {"patient": unit})


def test_the_drawn_row_has_the_event_more_often_than_rows_do() -> None:
    p = until_an_event(20_000, np.random.default_rng(0), 0.2, 0.2 + 1e-9)
    drawn = rows_looked_at(p, "patient", 0)
    rows = sum(0.8 ** (k - 1) * 0.2 / k for k in range(1, 11))  # stops at visit k, and its last row is drawn
    assert (p.labels == 0).mean() == pytest.approx(0.2, abs=0.01)
    assert (p.labels[drawn] == 0).mean() == pytest.approx(rows, abs=0.015)
    assert rows == pytest.approx(-0.2 * math.log(0.2) / 0.8, abs=0.01)


def test_an_answer_says_that_the_two_disagree_and_why() -> None:
    spec = DiagnosisSpec(unit="patient", resamples=599, tests=("exact-omnibus",), estimates=())
    until = diagnose(until_an_event(150, np.random.default_rng(1)), spec)
    assert DISAGREE in doubts(until)
    assert units_sentence(until).endswith("by seed 0.")
    calm = diagnose(with_five_rows(150, np.random.default_rng(1)), spec)
    assert DISAGREE not in doubts(calm)
    assert units_sentence(calm).endswith(f"by seed 0. {ROWS_AS_THEY_COME}")


@pytest.mark.parametrize(
    ("one_row", "all_rows", "disagree"),
    [
        (0.005, 0.21, True),
        (0.006, 0.9, False),
        (0.001, 0.2, False),
        (0.001, None, False),
        (0.9, 0.001, False),
    ],
)
def test_when_they_are_said_to_disagree(one_row: float, all_rows: float | None, disagree: bool) -> None:
    assert rows_disagree(one_row, all_rows, 0.05) is disagree


@pytest.mark.slow
@pytest.mark.parametrize(
    ("world", "units", "low", "high", "least", "most"),
    [
        ("until", 150, 0.05, 0.35, 0.58, 0.84),
        ("until", 300, 0.02, 0.1, 0.74, 0.95),
        ("five", 150, 0, 0, 0, 0.02),
    ],
)
def test_how_often_they_are_said_to_disagree(
    world: str, units: int, low: float, high: float, least: float, most: float
) -> None:
    """Of 200 files: .71, .85 and .005; one row of each rejects 1.00, .99 and .04."""
    files, said, rejected = 100, 0, 0
    for run in range(files):
        rng = np.random.default_rng([run, units])
        p = until_an_event(units, rng, low, high) if world == "until" else with_five_rows(units, rng)
        one = one_row_a_unit(p, "patient", run)
        one_row = ExactOmnibusTest(n_resamples=999)(one, np.random.default_rng(run)).pvalue
        unit = p.metadata["patient"].astype(np.int64)
        all_rows = across_units(p, unit, ExponentialKernel(), 999, np.random.default_rng(run)).pvalue
        said += rows_disagree(one_row, all_rows, 0.05)
        rejected += one_row <= 0.05
    assert least <= said / files <= most
    assert (rejected / files > 0.95) == (world == "until")
