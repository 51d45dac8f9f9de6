"""Bins that nobody named are those of a survey, of every command and function; bins that are named hold."""

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibcore import Diagnosis, Predictions, compare, diagnose, recalibrate, survey, track_training
from calibcore.assessment.assess import assess
from calibcore.cli.arguments import COMMANDS
from calibcore.diagram.binning import Binning, MedianVarianceBinning, UniformBinning, default_binning
from calibcore.io import read
from calibcore.questions.recalibrate.ask import split_of
from calibcore.settings import DiagnosisSpec
from calibcore.settings.words import binning_to_words
from calibcore.transforms.lenses import CanonicalLens, TopKLens
from calibcore.words.repeating import survey_command
from tests.cli.commands import run

FEW = ("--resamples", "99")
LEAST = ("--alpha", "0.9")
AT_ONCE = {
    "survey": lambda document: document["lenses"][0]["diagnosis"],
    "diagnose": lambda document: document,
    "compare": lambda document: document["models"][0]["diagnosis"],
    "training": lambda document: document["epochs"][0]["diagnosis"],
    "recalibrate": lambda document: document,
}
"""Commands with bins -> the part of their document that says which, through all classes."""
OTHERWISE = {
    "report": "its survey is made as that of survey",
    "figure": "tested by itself, as it prints no document",
    "stream": "a file that is read in slices has no bins that look at all predictions",
    "groups": "its diagrams have two classes",
    "monitor": "it has no bins",
    "decide": "it has no bins",
    "plan": "it has no bins",
    "label-noise": "it has no bins",
}


@pytest.fixture(scope="module")
def predictions() -> Predictions:
    """300 cases of four classes."""
    rng = np.random.default_rng(3)
    probs = rng.dirichlet(np.ones(4), 300)
    labels = (rng.random((300, 1)) > np.cumsum(probs, axis=1)).sum(axis=1).clip(max=3)
    return Predictions.from_arrays(probs, labels)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, predictions: Predictions) -> dict[str, Path]:
    """One file of predictions, and a training run of two epochs."""
    folder = tmp_path_factory.mktemp("bins")
    probs, labels = predictions.probs, predictions.labels
    paths = {"one": folder / "one.npz", "run": folder / "run.npz"}
    np.savez(paths["one"], probs=probs, labels=labels)
    np.savez(
        paths["run"], probs=np.stack([probs, probs**2 / (probs**2).sum(1, keepdims=True)]), labels=labels
    )
    return paths


def of_command(name: str, files: dict[str, Path], capsys: Any, *flags: str) -> Any:
    """The part of what a command prints that has bins."""
    paths = [files["run"]] if name == "training" else [files["one"]]
    if name == "compare":
        copy = files["one"].with_name("other.npz")
        copy.write_bytes(files["one"].read_bytes())
        paths.append(copy)
    lens = ("--lens", "canonical")
    code, said, fault = run(capsys, name, *paths, *lens, *FEW, *LEAST, *flags, "--json")
    assert code == 0, fault
    return AT_ONCE[name](json.loads(said))


def test_every_command_is_known_here() -> None:
    asking = {name for name in COMMANDS if name not in ("app", "schema", "completion", "warm", "token")}
    assert asking == AT_ONCE.keys() | OTHERWISE.keys()


@pytest.mark.parametrize("name", AT_ONCE)
def test_a_command_has_the_bins_of_a_survey_where_none_are_named(
    name: str, files: dict[str, Path], predictions: Predictions, capsys: pytest.CaptureFixture[str]
) -> None:
    usual = default_binning(4, predictions.n)
    assert usual == MedianVarianceBinning(15)
    found = of_command(name, files, capsys)
    assert DiagnosisSpec.from_document(found["spec"]).binning == usual, name
    named = of_command(name, files, capsys, "--binning", "uniform:10")
    assert DiagnosisSpec.from_document(named["spec"]).binning == UniformBinning(10), name


def test_functions_have_the_bins_of_a_survey_where_there_are_no_settings(predictions: Predictions) -> None:
    models = {"a": predictions, "b": predictions}
    (of_survey,) = (d for d in survey(predictions).diagnoses if d.spec.lens == DiagnosisSpec().lens)
    finds: dict[str, Callable[[], Diagnosis]] = {
        "diagnose": lambda: diagnose(predictions),
        "compare": lambda: compare(models).models[0].diagnosis,
        "track_training": lambda: track_training({1: predictions, 2: predictions}).epochs[0].diagnosis,
    }
    for name, find in finds.items():
        diagnosis = find()
        assert diagnosis.spec.binning == of_survey.spec.binning, name
        assert diagnosis.calibration_error["ece"] == of_survey.calibration_error["ece"], name
    recalibration = recalibrate(predictions, ["temperature"])
    assert recalibration.spec.binning == of_survey.spec.binning
    assert split_of(predictions, ["temperature"], recalibration.spec) is not None


@pytest.mark.parametrize("binning", [None, UniformBinning(3)])
def test_a_figure_shows_the_bins_of_a_survey_where_none_are_named(
    binning: Binning | None,
    files: dict[str, Path],
    predictions: Predictions,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from calibcore.cli import figure

    seen: list[Binning] = []
    drawn = figure.reliability_for

    def watched(p: Predictions, spec: DiagnosisSpec, *more: Any) -> Any:
        seen.append(spec.binning)
        return drawn(p, spec, *more)

    monkeypatch.setattr(figure, "reliability_for", watched)
    flags = () if binning is None else ("--binning", "uniform:3")
    code, _, fault = run(capsys, "figure", files["one"], *flags, "--out", tmp_path / "figure.svg")
    assert code == 0, fault
    assert seen == [binning or default_binning(4, read(files["one"]).predictions.n)]


def test_a_survey_is_repeated_with_the_bins_that_were_named() -> None:
    """Those that go without saying for two classes are others for more."""
    rng = np.random.default_rng(3)
    g = rng.dirichlet(np.ones(3), 90)
    p = Predictions.from_arrays(g, [rng.choice(3, p=row) for row in g], ["a", "b", "c"])
    for lenses in ([CanonicalLens()], [CanonicalLens(), TopKLens(1)]):
        for binning in (UniformBinning(10), UniformBinning(7), MedianVarianceBinning(20)):
            spec = DiagnosisSpec(resamples=99, binning=binning if len(lenses) == 1 else UniformBinning(10))
            made = assess(p, survey(p, spec, lenses, binning_of_many=binning))
            words = survey_command(made, p, "p.csv").words
            flags = {a: b for a, b in pairwise(words) if a.startswith("--binning")}
            assert flags.get("--binning-of-many", flags.get("--binning")) == binning_to_words(binning)
