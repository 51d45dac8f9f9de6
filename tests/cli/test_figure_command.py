"""``caliblens figure``: what is written, what is said, what is refused."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from calibcore import DiagnosisSpec, average_without_bins, decide, diagnose
from calibcore.data.examples import example_csv
from calibcore.diagnose import bin_pvalues_for, reliability_for
from calibcore.diagram.binning import EqualMassBinning, MedianVarianceBinning, SimplexBinning, default_binning
from calibcore.diagram.zoom import zooms
from calibcore.io import read
from calibcore.painters.paper import (
    decision_print,
    null_print,
    reliability_print,
    saved,
    simplex_print,
    smooth_curve_print,
    smooth_print,
)
from calibcore.questions.decide import words as deciding
from calibcore.transforms.lenses import TopKLens
from calibcore.words import smooth
from calibcore.words.arrows import arrows_sentence, zoom_sentence
from calibcore.words.diagram import diagram_sentence
from calibcore.words.testing import sentence_of_test
from tests.cli import commands


@pytest.fixture(scope="module")
def wine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("figure") / "wine.csv"
    path.write_text(example_csv("wine"))
    return path


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    return commands.run(capsys, "figure", *words)


def test_it_writes_the_printed_figure_and_says_what_it_shows(
    wine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "fig.svg"
    flags = ("--lens", "confidence", "--binning", "equal-mass:8", "--width", 183, "--noun", "wine")
    assert run(capsys, wine, "--out", out, *flags)[0] == 0
    spec = DiagnosisSpec(lens=TopKLens(1), binning=EqualMassBinning(8))
    found = reliability_for(read(wine).predictions, spec)
    assert out.read_bytes() == saved(reliability_print(found, "wine", width=183), "svg")
    code, said, error = run(capsys, wine, "--out", out, *flags, "--figure", "classical", "--curve", "smooth")
    assert (code, error) == (0, "")
    assert said.startswith(diagram_sentence(found, "wine", lens=spec.lens))
    assert "smooth curve" in said


@pytest.mark.slow
def test_three_classes_give_the_triangle(
    wine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "fig.PDF"
    code, said, _ = run(capsys, wine, "--out", out, "--binning", "simplex:4", "--least", 1)
    assert code == 0
    p = read(wine).predictions
    assert out.read_bytes().startswith(b"%PDF")
    spec = DiagnosisSpec(binning=SimplexBinning(4))
    found = reliability_for(p, spec)
    tests = bin_pvalues_for(p, spec, found.n_bins)
    assert said.strip() == arrows_sentence(found, tests, spec.alpha)
    assert out.read_bytes() == saved(simplex_print(found, "case", spec.binning, 1, tests), "pdf")


def test_a_part_of_the_triangle_is_that_of_the_page(
    wine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sure predictions crowd the corners; the parts are those that the page Simplex offers."""
    out, path, rng = tmp_path / "fig.svg", tmp_path / "sure.csv", np.random.default_rng(1)
    probs = rng.dirichlet([0.05, 0.05, 0.05], 400)
    labels = (probs.cumsum(axis=1) < rng.random((400, 1))).sum(axis=1).clip(max=2)
    table = pd.DataFrame(probs, columns=["cat", "dog", "fox"])
    table.assign(label=np.array(["cat", "dog", "fox"])[labels]).to_csv(path, index=False)
    p, spec = read(path).predictions, DiagnosisSpec(binning=MedianVarianceBinning(20), resamples=199)
    found = reliability_for(p, spec)
    least = found.fewest_worth_showing
    bins = found.fullest(least)
    tail = found.mean_prediction[bins]
    part = next(one for one in zooms(tail, found.observed[bins]) if one.corner == 0)
    flags = ("--binning", "median-variance:20", "--resamples", 199)
    code, said, error = run(capsys, path, "--out", out, *flags, "--zoom", "near:cat")
    assert (code, error) == (0, "")
    assert zoom_sentence(part, p.class_names, int(part.holds(tail).sum()), len(tail)) in said
    tests = bin_pvalues_for(p, spec, found.n_bins)
    drawn = simplex_print(found, "case", spec.binning, least, tests, spec.alpha, zoom=part)
    assert out.read_bytes() == saved(drawn, "svg")
    code, _, error = run(capsys, path, "--out", out, *flags, "--zoom", "near:cow")
    assert code == 2
    assert "There is no part 'near:cow' for --zoom; expected 'near:cat' or 'near:dog' or" in error
    assert (
        "there is no part for --zoom" in run(capsys, wine, "--out", out, *flags, "--zoom", "predictions")[2]
    )
    for other in (("--lens", "confidence"), ("--figure", "null")):
        assert "There are no arrows in this figure" in run(
            capsys, path, "--out", out, *other, "--zoom", "near:cat"
        )[2]  # fmt: skip


def test_redraws_are_those_of_the_whole_diagnosis(
    wine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "fig.svg"
    flags = ("--figure", "null", "--test", "exact-ece", "--resamples", 99)
    code, said, _ = run(capsys, wine, "--out", out, *flags)
    p = read(wine).predictions
    spec = DiagnosisSpec(binning=default_binning(p.m, p.n), resamples=99, estimates=())
    whole = diagnose(p, spec)
    test = whole.test("exact-ece")
    assert test is not None
    assert code == 0
    assert said.startswith(sentence_of_test(whole, "exact-ece"))
    assert out.read_bytes() == saved(null_print(test), "svg")


@pytest.mark.slow
def test_without_bins_and_decisions(wine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, p = tmp_path / "fig.svg", read(wine).predictions
    few, three = ("--resamples", 199, "--noun", "wine"), DiagnosisSpec(resamples=199)
    sure = replace(three, lens=TopKLens(1))
    code, said, _ = run(capsys, wine, "--out", out, "--figure", "without-bins", *few)
    assert (code, said.strip()) == (0, smooth.sentence(average_without_bins(p, three)))
    assert out.read_bytes() == saved(smooth_print(average_without_bins(p, three), "wine"), "svg")
    flags = ("--lens", "confidence", *few)
    code, said, _ = run(capsys, wine, "--out", out, "--figure", "without-bins", *flags)
    assert (code, said.strip()) == (0, smooth.sentence(average_without_bins(p, sure), sure.lens))
    assert out.read_bytes() == saved(smooth_curve_print(average_without_bins(p, sure), "wine"), "svg")
    code, said, _ = run(capsys, wine, "--out", out, "--figure", "decisions", *flags)
    assert (code, said.strip()) == (0, deciding.headline(decide(p, sure), "wine"))
    assert out.read_bytes() == saved(decision_print(decide(p, sure), "wine"), "svg")
    digits = tmp_path / "digits.csv"
    digits.write_text(example_csv("digits-forest"))
    code, _, error = run(capsys, digits, "--out", out, "--figure", "without-bins")
    assert code == 2
    assert "There are 10 classes; without bins 2 or 3 can be drawn" in error
    assert "about two outcomes" in run(capsys, digits, "--out", out, "--figure", "decisions")[2]


@pytest.mark.some(2)
@pytest.mark.parametrize("figure", ["tests", "binnings", "bandwidths", "classes"])
def test_the_other_figures(
    figure: str, wine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "fig.png"
    code, said, error = run(capsys, wine, "--out", out, "--figure", figure, "--resamples", 39)
    assert (code, error) == (0, "")
    assert said.endswith(".\n")
    assert out.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--out", "fig.tiff"), "The file 'fig.tiff' ends in .tiff; expected .pdf, .svg, .png."),
        (("--out", "fig"), "The file 'fig' has no ending; expected .pdf, .svg, .png."),
        (("--out", "/nowhere/at/all.pdf"), "cannot be written: no such file or directory."),
        (("--out", "f.pdf", "--figure", "tetrahedron"), "There are 3 classes; a tetrahedron shows 4."),
        (("--out", "f.pdf", "--figure", "classical"), "There are 3 classes; the classical diagram shows 2"),
        (("--out", "f.pdf", "--least", "80"), "No bin holds 80 cases: the fullest has"),
        (("--out", "f.pdf", "--figure", "classes", "--weight-column", "grower 1"), "."),
    ],
)
def test_what_cannot_be_drawn_is_one_sentence(
    flags: tuple[str, ...],
    said: str,
    wine: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, error = run(capsys, wine, *flags)
    assert (code, out) == (2, "")
    assert said in error
    assert error.count("\n") == 1
    assert not list(tmp_path.iterdir())
