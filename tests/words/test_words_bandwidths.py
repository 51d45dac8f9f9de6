"""Sentences about other bandwidths say what their numbers are."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from calibcore import DiagnosisSpec
from calibcore.data.examples import load_example
from calibcore.kernels import ExponentialKernel
from calibcore.sensitivity.bandwidths import BandwidthSensitivity, bandwidth_sensitivity
from calibcore.transforms.lenses import TopKLens
from calibcore.transforms.nulls import Temperature
from calibcore.words.sensitivity import (
    bandwidth_notes,
    bandwidth_sentence,
    chance_of,
    rows_of_bandwidths,
    rule_words,
)

SPEC = DiagnosisSpec(lens=TopKLens(1), resamples=199)


@pytest.fixture(scope="module")
def found() -> BandwidthSensitivity:
    return bandwidth_sensitivity(load_example("digits-logistic"), SPEC)


def made(p: list[float], **more: Any) -> BandwidthSensitivity:
    ones = np.ones(len(p))
    v = 0.1 * np.arange(1, len(p) + 1)
    values: dict[str, Any] = {
        "spec": SPEC, "bandwidths": v, "statistic": 0.5 * ones, "null_mean": 0 * ones, "null_sd": ones,
        "low": -ones, "high": 2 * ones, "pvalue": np.array(p), "n_resamples": 199,
        "rules": {"median": float(v[1]), "mean": float(v[0])}, "trace_left": 0 * ones,
    }  # fmt: skip
    return BandwidthSensitivity(**(values | more))


def test_whether_the_answer_depends_on_the_bandwidth() -> None:
    promise = "exact for independent cases, of this lens alone, not adjusted."
    assert bandwidth_sentence(made([0.2, 0.06, 0.5])) == (
        "At the level 0.05 the exact kernel test says the same at every bandwidth from 0.1 to 0.3: its p "
        f"lies between 0.06 and 0.5. In use: the median distance, 0.2, with p = 0.06; {promise}"
    )
    assert bandwidth_sentence(made([0.2, 0.005, 0.05])) == (
        "The exact kernel test depends on the bandwidth: at 2 of 3 bandwidths from 0.1 to 0.3 its "
        "p is 0.05 or less; it lies between 0.005 (smallest) and 0.2. In use: the median distance, 0.2, with "
        f"p = 0.005, the smallest possible; {promise}"
    )
    assert "0.3: its p is 0.005 (smallest). In use" in bandwidth_sentence(made([0.005] * 3))
    assert "at 1 of 3 bandwidths" in bandwidth_sentence(made([0.2, 0.06, 0.05]))
    strict = made([0.2, 0.005, 0.05], spec=replace(SPEC, alpha=0.001))
    assert "At the level 0.001 the exact kernel test says the same" in bandwidth_sentence(strict)


@pytest.mark.parametrize(
    ("rule", "words", "mark"),
    [
        ("mean", "In use: the mean distance, 0.1, with p = 0.2; exact", "mean"),
        ("median-with-diagonal", "In use: the median with each case's zero, 0.3,", "median with zeros"),
        (0.3, "In use: the number that was set, 0.3, with p > 0.99; exact", "set"),
    ],
)
def test_the_rule_in_use_is_named(rule: str | float, words: str, mark: str) -> None:
    name = rule if isinstance(rule, str) else "number"
    rules = {"median": 0.2, "mean": 0.1} | ({} if rule == "mean" else {name: 0.1 * 3})
    spec = replace(SPEC, kernel=ExponentialKernel(rule))
    assert words in bandwidth_sentence(made([0.2, 0.1, 0.995], spec=spec, rules=rules))
    assert rule_words(name) == mark


def test_how_it_was_made() -> None:
    assert bandwidth_notes(made([0.2, 0.1])) == [
        "199 redraws, the same at every bandwidth; the smallest possible p is 0.005."
    ]
    few = made(
        [0.2, 0.1],
        spec=replace(SPEC, resamples=2_599, null=Temperature(2.0)),
        trace_left=np.array([0.25, 0.01]),
    )
    first, second, third = bandwidth_notes(few)
    assert first.startswith("199 redraws, the same at every bandwidth (not 2,599, as there are many cases);")
    assert second == "Redraws: outcomes drawn from the lens's predictions at temperature 2."
    assert "up to 25.0\N{NO-BREAK SPACE}% of its trace" in third
    assert chance_of(few) == "if the hypothesis holds"
    assert chance_of(made([0.2, 0.1])) == "if calibrated"


def test_rows_are_the_numbers(found: BandwidthSensitivity) -> None:
    rows, exact = rows_of_bandwidths(found), rows_of_bandwidths(found, exact=True)
    assert len(rows) == len(exact) == len(found.bandwidths)
    k = found.at("median")
    assert rows[k]["Bandwidth"] == f"{found.rules['median']:.2g} (median)"
    assert rows[k]["Above chance (standard deviations)"] == f"{found.above[k]:.1f}"
    assert exact[k]["rule"] == "median"
    assert exact[k]["p_value"] == found.pvalue[k]
    assert exact[k]["skce_unbiased"] == found.statistic[k]
    assert exact[k]["null_95_percent"] == found.high[k]
    assert [row["bandwidth"] for row in exact] == found.bandwidths.tolist()
    assert all(type(row["null_sd"]) is float for row in exact)


def test_what_is_not_defined_is_a_dash() -> None:
    rows = rows_of_bandwidths(made([1.0, 0.1], null_sd=np.array([0.0, 1.0]), bandwidths=np.array([1e-5, 0.2]),
                                   rules={"median": 0.2}))  # fmt: skip
    assert rows[0] == {
        "Bandwidth": "1.00 × 10⁻⁵",
        "Above chance (standard deviations)": "–",
        "If calibrated": "–",
        "p-value": "p = 1",
    }
    assert rows[1]["If calibrated"] == "−1.0 to 2.0"
