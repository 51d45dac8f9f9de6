"""A file read in slices gives the numbers of the same file in memory.

With the same seed the redraws are the same draws, and so are the p-values: their level is that of the
tests in memory, which is tested there.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibcore import SKCE, DiagnosisSpec, ExactTest, diagnose
from calibcore.io import read
from calibcore.io.row_groups import RowGroups
from calibcore.kernels import ExponentialKernel, GaussianKernel
from calibcore.numerics.streams import stream
from calibcore.settings import lens_from_words
from calibcore.settings.words import binning_from_words
from calibcore.streaming import diagnose_slices, supported
from tests.streaming.streamed import model, same_diagnosis, write

LINEAR = ("exact", "distribution-free", "asymptotic")
WEIGHTS = ((2.0, 1.0, 0.0), (1.0, 2.0, 0.0), (0.0, 0.0, 1.0))
SPEC = DiagnosisSpec(tests=LINEAR, estimates=("skce-block",), resamples=19, block_size=3)


@pytest.fixture(autouse=True)
def small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supported, "SLICE_BYTES", 12_000)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "m", "group", "lens", "bins"),
    [
        (701, 2, 7, "canonical", "uniform:10"),
        (702, 2, 1000, "confidence", "uniform:4"),
        (703, 3, 1, "canonical", "simplex:5"),
        (1201, 3, 100, "class:2", "uniform:10"),
        (1203, 3, 333, "groups:A=0,2;B=1", "uniform:3"),
        (800, 10, 64, "confidence", "uniform:15"),
        (801, 10, 800, "top-k:2", "uniform:4"),
        (802, 10, 41, "groups:low=0,1,2;high=3,4,5;rest=6,7,8,9", "simplex:4"),
        (803, 10, 99, "canonical", "uniform:2"),
    ],
)
def test_every_lens_and_size(tmp_path: Path, n, m, group, lens, bins) -> None:
    probs, labels = model(n, m)
    path = write(tmp_path / "p.parquet", probs, labels, group)
    spec = replace(SPEC, lens=lens_from_words(lens), binning=binning_from_words(bins))
    data = RowGroups(path)
    assert supported.step_for(m, 3) * 2 < n  # three slices at least
    found, expected = diagnose_slices(data, spec), diagnose(read(path).predictions, spec)
    same_diagnosis(found, expected)
    for name, estimator in (("exact-linear", "linear"), ("exact-block", "block")):
        kernel = ExponentialKernel(found.bandwidth.value)
        test = ExactTest(SKCE(kernel, estimator, 3), SPEC.resamples)
        other = test(spec.lens(read(path).predictions), stream(0, "skce-block"))
        mine = found.test(name).result
        assert mine.pvalue == other.pvalue
        np.testing.assert_allclose(mine.null_distribution, other.null_distribution, rtol=0, atol=1e-12)
        assert (mine.method, mine.promise, mine.details) == (other.method, other.promise, other.details)


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        {"distance": "squared-euclidean", "bars": "resampled", "seed": 7},
        {"block_size": 2, "bin_adjustment": "holm"},
        {"block_size": 7, "interval": (0.01, 0.9)},
        {"kernel": GaussianKernel("mean", class_matrix=(1.0, 2.0, 3.0))},
        {"kernel": ExponentialKernel("median-with-diagonal", "total-variation", WEIGHTS)},
        {"kernel": ExponentialKernel(0.25), "tests": (), "estimates": ()},
        {"lens": lens_from_words("confidence"), "bars": "resampled", "resamples": 9},
    ],
)  # fmt: skip
@pytest.mark.slow
def test_settings(tmp_path: Path, changes) -> None:
    path = write(tmp_path / "p.parquet", *model(1000, 3), 77)
    spec = replace(SPEC, binning=binning_from_words("uniform:4"), **changes)
    same_diagnosis(diagnose_slices(RowGroups(path), spec), diagnose(read(path).predictions, spec))


@pytest.mark.some(1)
@pytest.mark.parametrize("lens", ["canonical", "confidence"])
@pytest.mark.parametrize("most_bytes", [1, 3_000])
def test_more_passes_change_nothing(tmp_path: Path, lens: str, most_bytes: int) -> None:
    """One redraw a pass, or a few."""
    path = write(tmp_path / "p.parquet", *model(700, 3))
    spec = replace(
        SPEC, lens=lens_from_words(lens), binning=binning_from_words("uniform:2"), alpha=0.9, resamples=19
    )
    one, many = (
        diagnose_slices(RowGroups(path), spec),
        diagnose_slices(RowGroups(path), spec, None, most_bytes),
    )
    assert one.to_json() == many.to_json()


@pytest.mark.slow
def test_a_bandwidth_from_sampled_pairs(tmp_path: Path, monkeypatch) -> None:
    """Above 10,000 rows the rule looks at a million pairs."""
    path = write(tmp_path / "p.parquet", *model(10_100, 3), 5000)
    monkeypatch.setattr(supported, "SLICE_BYTES", 400_000)
    spec = replace(SPEC, tests=("distribution-free",), estimates=(), resamples=9)
    spec = replace(spec, binning=binning_from_words("uniform:3"))
    found = diagnose_slices(RowGroups(path), spec)
    expected = diagnose(read(path).predictions, spec)
    assert found.bandwidth == expected.bandwidth
    assert found.bandwidth.pairs == "sampled"
    same_diagnosis(found, expected)


@pytest.mark.slow
def test_ordered_labels_withhold_what_uses_the_order(tmp_path: Path) -> None:
    probs, labels = model(900, 3)
    order = np.argsort(labels, kind="stable")
    path = write(tmp_path / "p.parquet", probs[order], labels[order])
    spec = replace(SPEC, binning=binning_from_words("uniform:4"))
    found = diagnose_slices(RowGroups(path), spec)
    same_diagnosis(found, diagnose(read(path).predictions, spec))
    withheld = {test.name for test in found.tests if test.result is None}
    assert {"exact-linear", "exact-block", "asymptotic-linear", "distribution-free-block"} <= withheld
    assert "visible order" in found.estimates[0].note
    assert any("in no random order" in note for note in found.notes)


@pytest.mark.slow
def test_pairs_alike_across_the_borders_of_slices(tmp_path: Path) -> None:
    """Labels that come in twos are ordered, whether slices begin on a pair or not."""
    rng = np.random.default_rng(0)
    probs = rng.dirichlet(np.ones(3), 1200)
    labels = np.repeat(rng.integers(3, size=600), 2)
    path = write(tmp_path / "p.parquet", probs, labels, 11)
    assert read(path).predictions.labels_ordered
    found = diagnose_slices(RowGroups(path), replace(SPEC, binning=binning_from_words("uniform:4")))
    assert "visible order" in found.test("asymptotic-linear").note


def test_ties_certain_predictions_and_impossible_outcomes(tmp_path: Path) -> None:
    probs, labels = model(900, 3, decimals=1)
    probs[:, 2] = np.round(1 - probs[:, 0] - probs[:, 1], 1).clip(0)
    probs[labels == 2] = (0.5, 0.5, 0.0)
    probs[0] = (1 / 3, 2 / 3, 0.0)  # not rounded: of rounded ones memory keeps outcomes at 0, slices do not
    path = write(tmp_path / "p.parquet", probs, labels, 50)
    spec = replace(SPEC, lens=lens_from_words("confidence"))
    found = diagnose_slices(RowGroups(path), spec)
    assert found.ties > 100
    assert found.impossible_outcomes > 100
    same_diagnosis(found, diagnose(read(path).predictions, spec))


def test_outcomes_at_a_rounded_0_are_said(tmp_path: Path) -> None:
    probs = np.tile([[0.99, 0.01], [0.5, 0.5], [1.0, 0.0]], (300, 1))
    labels = np.zeros(900, int)
    labels[2] = 1
    (said,) = (
        note
        for note in diagnose_slices(RowGroups(write(tmp_path / "p.parquet", probs, labels, 50)), SPEC).notes
        if "rounded to 0" in note
    )
    assert said.startswith("1 outcome at a probability that was rounded to 0 counts in every test")
    labels[2] = 0
    found = diagnose_slices(RowGroups(write(tmp_path / "q.parquet", probs, labels, 50)), SPEC)
    assert not any("rounded to 0" in note for note in found.notes)


def test_all_predictions_the_same(tmp_path: Path) -> None:
    labels = np.random.default_rng(0).integers(3, size=900)
    path = write(tmp_path / "p.parquet", np.full((900, 3), 1 / 3), labels)
    found = diagnose_slices(RowGroups(path), SPEC)
    assert found.bandwidth.pairs == "same"
    same_diagnosis(found, diagnose(read(path).predictions, SPEC))


def test_a_file_smaller_than_a_block(tmp_path: Path) -> None:
    path = write(tmp_path / "p.parquet", *model(5, 3))
    spec = replace(SPEC, block_size=6, binning=binning_from_words("uniform:2"))
    found = diagnose_slices(RowGroups(path), spec)
    assert set(found.skce) == {"linear"}
    assert "needs more cases" in found.test("exact-block").note
    assert found.estimates[0].value is None
    same_diagnosis(replace(found, estimates=()), diagnose(read(path).predictions, spec))
