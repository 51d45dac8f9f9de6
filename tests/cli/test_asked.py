"""Every command and every setting: what a command is asked for it does, or refuses in one sentence.

A setting of something that a command does not make (the tolerance, of a diagnosis) has no bearing on it.
"""

import json
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from calibcore import Diagnosis, DiagnosisSpec
from calibcore.__main__ import main
from calibcore.assessment.assess import Assessment
from calibcore.assessment.rerun import differences, repeatable
from calibcore.diagram.binning import EqualMassBinning, UniformBinning
from calibcore.kernels import ExponentialKernel, GaussianKernel
from calibcore.painters import paper
from calibcore.transforms.lenses import ClassLens
from calibcore.transforms.nulls import Temperature
from calibcore.words.reporting import prediction_rows
from calibcore.words.tables import csv_of
from tests.report.reported import DATE, drawn

BASE = DiagnosisSpec(resamples=99, alpha=0.5, kernel=GaussianKernel(), bars="resampled")
ANOTHER: dict[str, Any] = {
    "lens": ClassLens("a"),
    "binning": UniformBinning(4),
    "distance": "euclidean",
    "kernel": ExponentialKernel(0.2),
    "tests": ("asymptotic",),
    "resamples": 159,
    "interval": (0.2, 0.8),
    "bars": "exact",
    "shuffle": True,
    "alpha": 0.25,
    "tolerance": 0.3,
    "seed": 5,
    "estimates": ("mmce",),
    "null": Temperature(1.5),
    "stop_at": 2,
    "block_size": 4,
    "locations": 3,
    "precision": "float32",
    "adjustment": "benjamini-hochberg",
    "bin_adjustment": "holm",
    "bootstrap": 9,
    "unit": "patient",
}
"""Each setting at another value."""
OF_VERDICTS = {"tolerance", "adjustment"}
OF_ROWS = {"shuffle", "block_size", "locations"}
OF_TESTS = {"tests", "estimates", "kernel", "precision", "bootstrap", *OF_ROWS}
OF_BINS = {"interval", "bars", "bin_adjustment"}
NO_BEARING: dict[str, set[str]] = {
    "diagnose": {*OF_VERDICTS, "alpha"},
    "survey": {"locations"},
    "report": {"locations"},
    "stream": {*OF_VERDICTS, "precision", "locations", "alpha"},
    "reliability": {*OF_VERDICTS, *OF_TESTS, "distance", "alpha", "stop_at", "bin_adjustment"},
    "simplex": {*OF_VERDICTS, *OF_TESTS, "distance", "stop_at", "bars"},
    "null": {*OF_VERDICTS, *OF_TESTS, *OF_BINS, "binning", "alpha"} - {"kernel"},
    "tests": {*OF_VERDICTS, *OF_BINS, "estimates", "bootstrap"},
    "binnings": {*OF_VERDICTS, *OF_TESTS, *OF_BINS},
    "bandwidths": {*OF_VERDICTS, *OF_TESTS, *OF_BINS, "binning", "distance"} - {"kernel", "precision"},
    "classes": {*OF_TESTS, "bin_adjustment", "distance"} - {"kernel"},
}
"""Command or figure -> the settings of what it does not make; it shows and writes the same with them."""
REFUSED: dict[str, set[str]] = {
    "diagnose": set(),
    "survey": {"lens", "tests", "estimates", "null"},
    "report": {"lens", "tests", "estimates", "null"},
    "stream": {"shuffle", "null", "stop_at", "bootstrap", "estimates", "unit"},
    "reliability": {"null"},
    "simplex": {"null"},
    "null": set(),
    "tests": set(),
    "binnings": {"null", "stop_at"},
    "bandwidths": {"stop_at"},
    "classes": {"lens", "null", "stop_at"},
}
"""Command or figure -> what it does not do, and so refuses."""
COMMANDS = ("diagnose", "survey", "report", "stream")
THREE_CLASSES = ("tests", "simplex", "classes")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("asked")
    for m in (2, 3):
        p = drawn(40, m, names=("a", "b", "c")[:m], off=0.5)
        (path / f"{m}.csv").write_text(csv_of(prediction_rows(p)))
        patients = np.arange(p.n) // 2
        pd.read_csv(path / f"{m}.csv").assign(patient=patients).to_csv(path / f"{m}.csv", index=False)
    pd.read_csv(path / "2.csv").to_parquet(path / "2.parquet")
    return path


def plain(value: Any) -> Any:
    """What a figure is drawn of, without the settings; of a diagnosis its tests alone are drawn."""
    if isinstance(value, Diagnosis):
        return [plain(test) for test in value.tests]
    if isinstance(value, DiagnosisSpec):
        return None
    if is_dataclass(value):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    return {k: plain(v) for k, v in value.items()} if isinstance(value, dict) else value


def without_settings(document: Any) -> Any:
    if isinstance(document, dict):
        held = {"spec", "repeat", "methods"}
        return {key: without_settings(value) for key, value in document.items() if key not in held}
    return [without_settings(v) for v in document] if isinstance(document, list) else document


class Ran:
    """Runs commands on files of a folder; what they answer, without the settings that it holds."""

    def __init__(
        self, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.folder, self.capsys, self.drawn = folder, capsys, []
        for name in paper.__all__:
            if name.endswith("_print"):
                monkeypatch.setattr(paper, name, lambda *a, **k: self.drawn.append(plain([a, k])))
        monkeypatch.setattr(paper, "saved", lambda *_: b"")

    def __call__(self, what: str, spec: DiagnosisSpec | str, *flags: str) -> tuple[int, Any, str]:
        text = spec if isinstance(spec, str) else spec.to_json()
        (self.folder / "settings.json").write_text(text)
        self.drawn.clear()
        file = "2.parquet" if what == "stream" else "3.csv" if what in THREE_CLASSES else "2.csv"
        words = [what] if what in COMMANDS else ["figure"]
        words += [str(self.folder / file), "--spec", str(self.folder / "settings.json"), *flags]
        out = self.folder / ("r.json" if what == "report" else "f.svg")
        if what == "report":
            words += ["--date", DATE]
        words += ["--json"] if what in ("diagnose", "survey", "stream") else ["--out", str(out)]
        words += [] if what in COMMANDS else ["--figure", what]
        code = main(words)
        said, error = self.capsys.readouterr()
        error = "".join(line for line in error.splitlines(True) if "name this column as the unit" not in line)
        if code or what not in COMMANDS:
            return code, said + repr(self.drawn), error
        document = json.loads(out.read_text() if what == "report" else said)
        return code, without_settings(document), error


@pytest.fixture
def ran(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ran:
    return Ran(folder, capsys, monkeypatch)


def test_every_setting_has_another_value_here() -> None:
    names = {f.name for f in fields(DiagnosisSpec)}
    assert not (lacking := names - set(ANOTHER)), f"Give {lacking} another value in ANOTHER of this file."
    assert not (gone := set(ANOTHER) - names), f"There is no setting {gone}: take it out of ANOTHER."
    same = [name for name, value in ANOTHER.items() if getattr(BASE, name) == value]
    assert not same, f"{same} have the value of BASE in ANOTHER, which is to be another one."
    assert set(REFUSED) == set(NO_BEARING)


@pytest.mark.slow
@pytest.mark.parametrize("what", REFUSED)
def test_a_setting_is_honoured_or_refused_and_never_dropped(what: str, ran: Ran) -> None:
    base = ran(what, BASE)
    assert base[0] == 0, base
    for name, value in ANOTHER.items():
        code, answer, error = ran(what, replace(BASE, **{name: value}))
        if name in REFUSED[what]:
            assert (code, answer) == (2, "[]"), f"{what} takes {name}: take it out of REFUSED[{what!r}]."
            assert error.count("\n") == 1, error
        else:
            assert code == 0, f"{what} refuses {name}; if it has to, REFUSED[{what!r}] says so: {error}"
            if name in NO_BEARING[what]:
                assert answer == base[1], f"{what} is another by {name}: take it out of NO_BEARING[{what!r}]."
            else:
                assert answer != base[1], (
                    f"{what} drops {name}: honour it, refuse it and say so in REFUSED[{what!r}], or, "
                    f"if it is of what is not made there, say so in NO_BEARING[{what!r}]."
                )


@pytest.mark.some(4)
@pytest.mark.parametrize(
    ("what", "spec", "flags"),
    [
        ("survey", {"lens": ClassLens("b")}, ["--lens", "class:b"]),
        (
            "report",
            {"tests": ("asymptotic",), "estimates": ("mmce",)},
            ["--tests=exact-omnibus", "--estimates=none"],
        ),
        ("survey", {"null": Temperature(2.0)}, ["--null", "identity"]),
        ("stream", {"shuffle": True, "stop_at": 2}, ["--no-shuffle", "--stop-at", "none"]),
        ("stream", {"bootstrap": 9, "tests": ("consistency",)}, ["--bootstrap", "0", "--tests", "exact"]),
        ("stream", {"tests": ("exact-omnibus",)}, ["--tests", "exact"]),
        ("classes", {"lens": ClassLens("b")}, ["--lens", "canonical"]),
        ("reliability", {"null": Temperature(2.0)}, ["--null", "identity"]),
        ("binnings", {"stop_at": 2}, ["--stop-at", "none"]),
    ],
)
def test_flags_override_what_would_be_refused(
    what: str, spec: dict[str, Any], flags: list[str], ran: Ran
) -> None:
    asked = replace(BASE, **spec)
    code, _, error = ran(what, asked)
    assert (code, error.count("\n")) == (2, 1), error
    assert ran(what, asked, *flags)[0] == 0


def test_flags_override_weights_of_classes(ran: Ran) -> None:
    weighted = replace(BASE, kernel=GaussianKernel(class_matrix=(1.0, 3.0)))
    assert ran("diagnose", weighted)[1] != ran("diagnose", BASE)[1]
    assert ran("diagnose", weighted, "--class-weights", "none")[1] == ran("diagnose", BASE)[1]
    flag = ("--class-weights", "[[1, 0], [0, 3]]")
    assert ran("diagnose", BASE, *flag)[1] == ran("diagnose", weighted)[1]
    for bad in ("[[1, 0]", "[[1, 2], [2, 1]]", '["1", "2"]', "1,x"):
        code, _, error = ran("diagnose", BASE, "--class-weights", bad)
        assert (code, error.count("\n")) == (2, 1)


@pytest.fixture(scope="module")
def report(folder: Path) -> str:
    """A report of three lenses in bins of two kinds, with settings of its own."""
    words = "--lens confidence --lens class:b --lens canonical --binning equal-mass:5 --seed 3 --alpha 0.2"
    words += " --binning-of-many median-variance:20 --adjustment benjamini-hochberg --resamples 301"
    out = folder / "report.json"
    assert main(["report", str(folder / "3.csv"), *words.split(), "--out", str(out), "--date", DATE]) == 0
    return out.read_text()


@pytest.mark.slow
def test_a_survey_takes_lenses_bins_adjustment_and_redraws_of_a_report(
    folder: Path, report: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def surveyed(*flags: str) -> Assessment:
        (folder / "report.json").write_text(report)
        capsys.readouterr()
        code = main(
            ["survey", str(folder / "3.csv"), "--spec", str(folder / "report.json"), "--json", *flags]
        )
        assert code == 0
        return Assessment.from_json(capsys.readouterr().out)

    shared = repeatable(report)
    again = surveyed()
    assert differences(shared, again) == ()
    assert [d.spec for d in again.survey.diagnoses] == list(shared.looks)
    assert {d.spec.adjustment for d in again.survey.diagnoses} == {"benjamini-hochberg"}
    of_own = surveyed("--lens", "class:a", "--seed", "4", "--binning", "uniform:3").survey.diagnoses
    assert [(d.spec.lens, d.spec.seed, d.spec.binning) for d in of_own] == [
        (ClassLens("a"), 4, UniformBinning(3))
    ]
    assert {d.spec.resamples for d in of_own} == {301}
    all_bins = surveyed("--binning", "uniform:3").survey.diagnoses
    assert {d.spec.binning for d in all_bins} == {UniformBinning(3)}
    many = surveyed("--binning-of-many", "uniform:3").survey.diagnoses
    assert {d.spec.binning for d in many} == {UniformBinning(3), EqualMassBinning(5)}
    # What survey --json prints repeats as well.
    (folder / "s.json").write_text(again.to_json())
    capsys.readouterr()
    assert main(["survey", str(folder / "3.csv"), "--spec", str(folder / "s.json"), "--json"]) == 0
    assert capsys.readouterr().out == again.to_json() + "\n"


@pytest.mark.slow
def test_one_look_takes_one_lens_of_a_report_with_its_bins_and_its_p(ran: Ran, report: str) -> None:
    shared = repeatable(report)
    for what in ("tests", "simplex"):
        code, _, error = ran(what, report)
        assert code == 2
        assert (
            "has 3 lenses, and figure looks through one. Name it by --lens: 'top-k:1', 'class:b', 'can"
            in error
        )
    assert ran("classes", report)[0] == 0  # every class, in the bins of two classes
    ran.folder.joinpath("report.json").write_text(report)
    for then, look in zip(shared.results, shared.looks, strict=True):
        ran.capsys.readouterr()
        words = ["diagnose", str(ran.folder / "3.csv"), "--spec", str(ran.folder / "report.json"), "--json"]
        assert main([*words, "--lens", then.lens]) == 0
        found = Diagnosis.from_json(ran.capsys.readouterr().out)
        assert found.spec == replace(look, tests=shared.spec.tests, estimates=shared.spec.estimates)
        assert found.test("exact-omnibus").result.pvalue == then.pvalue
    code, _, error = ran("tests", report, "--lens", "class:a")
    assert code == 2
    assert (
        "has no lens 'class:a', and its bins are equal-mass:5 and median-variance:20, by the number" in error
    )
    assert ran("tests", report, "--lens", "class:a", "--binning", "uniform:5")[0] == 0
    code, _, error = ran("stream", report)
    assert (code, "stream looks through one" in error) == (2, True)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"lenses": 1}', '{"lenses": []}', '{"spec": {"seed": 1e999}}', '{"seed": -1}', "nul"],
)
@pytest.mark.parametrize("what", ["survey", "diagnose"])
def test_what_is_no_document_of_settings_is_one_sentence(ran: Ran, what: str, text: str) -> None:
    code, _, error = ran(what, text)
    assert (code, error.count("\n")) == (2, 1)
    assert "Traceback" not in error


@pytest.mark.slow
def test_bins_that_gave_way_for_one_lens_are_not_taken_for_those_that_were_asked_for(ran: Ran) -> None:
    folder = ran.folder
    lenses = [word for lens in ("canonical", "top-k:2", "confidence") for word in ("--lens", lens)]
    p = drawn(80, 5, names=tuple("abcde"))
    (folder / "5.csv").write_text(csv_of(prediction_rows(p)))
    words = [str(folder / "5.csv"), *lenses, "--binning-of-many", "simplex:3", "--alpha", "0.3"]
    assert main(["survey", *words, "--json"]) == 0
    text = ran.capsys.readouterr().out
    bins = [d.spec.binning.kind for d in Assessment.from_json(text).survey.diagnoses]
    assert bins == ["uniform", "simplex", "uniform"]
    (folder / "s.json").write_text(text)
    assert main(["survey", str(folder / "5.csv"), "--spec", str(folder / "s.json"), "--json"]) == 0
    assert ran.capsys.readouterr().out == text
