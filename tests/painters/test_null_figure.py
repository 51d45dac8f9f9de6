"""The figure of a test shows its redraws, the observed value, and as its hatched share the p-value."""

from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.testing import assert_allclose

from calibcore import Diagnosis, DiagnosisSpec, diagnose
from calibcore.data.examples import load_example
from calibcore.diagnose import NamedTest
from calibcore.errors import InputError
from calibcore.hypothesis_tests import TestResult, monte_carlo_pvalue
from calibcore.hypothesis_tests.histogram import MOST_BARS
from calibcore.numerics.types import Float
from calibcore.painters.screen.null_distribution import null_figure
from calibcore.transforms.lenses import ClassLens
from calibcore.words.phrases import pvalue

WITH_REDRAWS = ("exact-ece", "exact-skce", "consistency-ece", "asymptotic-unbiased")


@pytest.fixture(scope="module")
def wine() -> Diagnosis:
    spec = DiagnosisSpec(lens=ClassLens("grower 1"), resamples=199, estimates=())
    return diagnose(load_example("wine"), spec)


def _of(null: Float, observed: float, estimator: str = "skce-unbiased") -> NamedTest:
    p = monte_carlo_pvalue(observed, null)
    return NamedTest("made", estimator, TestResult(observed, p, "made", "exact", null, len(null)))


def _parts(figure: go.Figure) -> tuple[go.Bar, go.Bar, go.Scatter]:
    body, tail, line = figure.data
    return body, tail, line


def test_golden(wine: Diagnosis, golden: Callable[[str, Any], None]) -> None:
    test = wine.test("exact-skce")
    assert test is not None
    golden("null-distribution-wine", null_figure(test))


@pytest.mark.parametrize("name", WITH_REDRAWS)
def test_the_hatched_share_is_the_p_value(wine: Diagnosis, name: str) -> None:
    test = wine.test(name)
    assert test is not None
    assert test.result is not None
    body, tail, line = _parts(null_figure(test))
    beyond, all_ = int(np.sum(tail.y)), int(np.sum(tail.y) + np.sum(body.y))
    assert all_ == 199
    assert test.result.pvalue == (1 + beyond) / (1 + all_)
    scale = 100 if name.endswith("ece") else 1
    assert_allclose(line.x, [scale * test.result.statistic] * 2)
    assert pvalue(test.result) in " ".join(a.text for a in null_figure(test).layout.annotations)


@pytest.mark.parametrize(
    ("null", "observed"),
    [
        (np.linspace(-1, 1, 999), 0.3),
        (np.linspace(-1, 1, 999), 5.0),
        (np.linspace(1e-4, 2e-4, 999), 0.25),
        (np.linspace(-1, 1, 999), -5.0),
        (np.repeat([0.1, 0.2, 0.3], 33), 0.2),  # ties count
        (np.zeros(99), 0.0),
        (np.full(99, 0.25), 0.5),
        (np.array([0.5]), 0.1),
    ],
)  # fmt: skip
def test_every_redraw_is_on_its_side_of_the_line(null: Float, observed: float) -> None:
    test = _of(null, observed)
    body, tail, _ = _parts(null_figure(test))
    assert np.sum(body.y) + np.sum(tail.y) == len(null)
    assert test.result is not None
    assert_allclose(test.result.pvalue, (1 + np.sum(tail.y)) / (1 + len(null)))
    assert len(body.y) + len(tail.y) <= MOST_BARS + 2


def test_an_average_gap_is_in_points_unless_its_distance_is_squared() -> None:
    test = _of(np.linspace(0, 0.1, 99), 0.05, "ece")
    assert max(null_figure(test).data[2].x) == 5
    assert "points" in null_figure(test).layout.xaxis.title.text
    assert max(null_figure(test, "squared-euclidean").data[2].x) == 0.05


def test_what_has_no_redraws_is_refused(wine: Diagnosis) -> None:
    bound = wine.test("distribution-free-biased")
    assert bound is not None
    for test in (bound, NamedTest("withheld", "skce-linear", None, "withheld")):
        with pytest.raises(InputError, match="no redraws"):
            null_figure(test)


def test_words_are_legible_on_both_themes() -> None:
    test = _of(np.linspace(0, 1, 99), 0.5)
    light, dark = (
        {a.font.color for a in null_figure(test, theme=theme).layout.annotations if a.font.color}
        for theme in ("light", "dark")
    )
    assert not light & dark
