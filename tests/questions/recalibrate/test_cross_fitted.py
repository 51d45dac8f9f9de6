"""Recalibrated probabilities of the very cases: marked wherever they go, and never tested."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibcore import (
    DiagnosisSpec,
    InputError,
    Predictions,
    TopKLens,
    compare,
    decide,
    diagnose,
    explain_by_wrong_labels,
    monitor,
    recalibrate,
    survey,
    survey_groups,
    track_training,
)
from calibcore.assessment.temperature_set import temperature_set
from calibcore.data.cross_fitted import CROSS_FITTED
from calibcore.diagnose import gap_for
from calibcore.hypothesis_tests import ExactOmnibusTest
from calibcore.io import read
from calibcore.io.row_groups import RowGroups
from calibcore.painters.screen.reliability import reliability_figure
from calibcore.questions.recalibrate.ask import recalibrated
from calibcore.questions.recalibrate.class_mix import class_mix_test
from calibcore.questions.recalibrate.words import recalibrated_rows
from calibcore.questions.without_bins import average_without_bins
from calibcore.sensitivity.bandwidths import bandwidth_sensitivity
from calibcore.sensitivity.binnings import binning_sensitivity
from calibcore.words.results import bins_outside
from calibcore.words.tables import csv_of
from tests.cli.commands import run
from tests.questions.recalibrate.test_recalibrate import model

REFUSED = "recalibrated on these same cases"


@pytest.fixture(scope="module")
def p() -> Predictions:
    whole = model(1, n=200, sharper=1.6)
    named = Predictions.from_arrays(whole.probs, whole.labels, ["cat", "dog", "owl"], {"id": np.arange(200)})
    return recalibrated(named, "temperature", 5, 0)


def test_the_mark_goes_wherever_predictions_go(p: Predictions) -> None:
    assert p.cross_fitted == "temperature"
    others = [
        p.with_rows([0, 1, 2]),
        p.sampled(50),
        p.bare(),
        TopKLens(1)(p),
        p.with_columns([1, 0, 2]),
        p.with_cases(np.arange(9)),
    ]
    assert all(other.cross_fitted == "temperature" for other in others)
    bare = Predictions.from_arrays(p.probs, p.labels, p.class_names)
    assert bare.cross_fitted == ""
    assert bare.fingerprint != p.fingerprint
    empty = Predictions.from_arrays(p.probs, p.labels, p.class_names, {CROSS_FITTED: [""] * p.n})
    assert empty.fingerprint == bare.fingerprint


def test_every_case_is_mapped_by_others(p: Predictions) -> None:
    whole = model(1, n=200, sharper=1.6)
    assert not np.allclose(p.probs, whole.probs)
    assert (p.labels == whole.labels).all()
    assert (p.probs.argmax(axis=1) == whole.probs.argmax(axis=1)).all()


def test_nothing_is_tested(p: Predictions) -> None:
    found = diagnose(p, DiagnosisSpec(resamples=99))
    assert all(test.result is None for test in found.tests)
    assert all("a test would find too little" in test.note for test in found.tests)
    assert found.typical_gap is None
    assert found.bin_pvalues is None
    assert found.estimates == ()
    assert found.recalibration == {}
    assert "ece_low" not in found.calibration_error
    assert not found.reliability.has_bars
    assert bins_outside(found.reliability).endswith("Recalibrated cases have no consistency bars.")
    assert type(found).from_json(found.to_json()).to_json() == found.to_json()


@pytest.mark.parametrize(
    "ask",
    [
        survey,
        recalibrate,
        temperature_set,
        lambda p: ExactOmnibusTest(n_resamples=9)(p, np.random.default_rng(0)),
        lambda p: compare({"a": p, "b": p}),
        lambda p: binning_sensitivity(p, DiagnosisSpec(lens=TopKLens(1))),
        lambda p: track_training({1: p, 2: p}),
        class_mix_test,
        lambda p: bandwidth_sensitivity(p, DiagnosisSpec(resamples=9)),
        lambda p: gap_for(p, DiagnosisSpec(resamples=9)),
        lambda p: survey_groups(replace(p, metadata={"site": np.repeat(["a", "b"], p.n // 2)}), ["site"]),
        monitor,
        lambda p: decide(p, DiagnosisSpec(lens=TopKLens(1))),
        explain_by_wrong_labels,
        average_without_bins,
    ],
)
def test_whoever_asks_is_told_why(p: Predictions, ask: object) -> None:
    with pytest.raises(InputError, match=REFUSED):
        ask(p)  # type: ignore[operator]


def test_a_diagram_of_two_classes_has_no_bars(p: Predictions) -> None:
    diagram = diagnose(p, DiagnosisSpec(lens=TopKLens(1), resamples=99)).reliability
    assert not [trace for trace in reliability_figure(diagram).data if "if calibrated" in str(trace.name)]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_file_is_known_by_its_column(p: Predictions, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"mended.{ending}"
    text = csv_of(recalibrated_rows(p))
    if ending == "csv":
        path.write_text(text)
    else:
        import io

        import pandas as pd

        pd.read_csv(io.StringIO(text)).to_parquet(path)
        with pytest.raises(InputError, match=REFUSED):
            RowGroups(path)
    found = read(path)
    assert found.predictions.cross_fitted == "temperature"
    assert found.predictions.fingerprint == p.fingerprint
    assert any(REFUSED in note for note in found.notes)
    assert found.predictions.metadata["id"].tolist() == list(range(200))


@pytest.mark.parametrize(
    "words",
    [
        ("survey",), ("report", "--out", "x.pdf"), ("recalibrate",),
        ("figure", "--figure", "tests", "--out", "x.pdf"), ("figure", "--figure", "null", "--out", "x.pdf"),
    ],
)  # fmt: skip
def test_no_command_tests_them(
    p: Predictions,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mended.csv"
    path.write_text(csv_of(recalibrated_rows(p)))
    code, _, err = run(capsys, words[0], path, *words[1:])
    assert code == 2
    assert "too little" in err
    assert not (tmp_path / "x.pdf").exists()


def test_a_diagnosis_says_why(p: Predictions, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mended.csv"
    path.write_text(csv_of(recalibrated_rows(p)))
    code, out, _ = run(capsys, "diagnose", path)
    assert code == 0
    assert "withheld: the probabilities were recalibrated on these same cases" in out
    assert "p = " not in out
