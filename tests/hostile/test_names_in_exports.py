"""Hostile words of a user in figures, on paper, in tables, in JSON and on a terminal."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from calibcore import DiagnosisSpec
from calibcore.__main__ import main
from calibcore.answers.classes import evidence_table
from calibcore.answers.diagram import bins_table
from calibcore.answers.predictions import happened_table
from calibcore.assessment.assess import Assessment, assess
from calibcore.data.outside_text import visible
from calibcore.diagnose import bin_pvalues_for, diagnose, reliability_for
from calibcore.diagram.binning import MedianVarianceBinning, UniformBinning
from calibcore.diagram.frequency_intervals import frequency_intervals
from calibcore.painters.screen.multiples import multiples_figure
from calibcore.painters.screen.reliability import reliability_figure
from calibcore.painters.screen.simplex import simplex_figure
from calibcore.painters.screen.tetrahedron import tetrahedron_figure
from calibcore.sensitivity.each_class import classes_by_evidence
from calibcore.terminal import diagnosis_text, survey_text
from calibcore.transforms.lenses import ClassLens
from calibcore.words.tables import csv_of
from tests.hostile.names import FORMULAS, SETS, predictions
from tests.quick import survey

QUICK = DiagnosisSpec(resamples=99, tests=("exact",), estimates=(), binning=MedianVarianceBinning(8))
TAGS = re.compile(r"<(?!/?(b|br|i|span|extra)\b)[a-z/!]", re.IGNORECASE)
"""Tags in a figure that are none of ours."""
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def strings(value: Any) -> list[str]:
    """Every text in a nested document."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for inner in value.values() for text in strings(inner)]
    return [text for inner in value for text in strings(inner)] if isinstance(value, list | tuple) else []


@pytest.mark.some(2)
@pytest.mark.parametrize("which", SETS)
def test_figures_and_their_tables(which: str) -> None:
    p = predictions(SETS[which])
    four = predictions((*SETS[which], "<b>four</b>"))
    lens = ClassLens(p.class_names[0])
    found, one = reliability_for(p, QUICK), reliability_for(p, DiagnosisSpec(lens=lens))
    tests = bin_pvalues_for(p, QUICK, found.n_bins)
    classes = classes_by_evidence(assess(p, survey(p, QUICK)))
    figures = [
        reliability_figure(one, p.class_names[1], "light"),
        simplex_figure(found, p.class_names[1], "light", QUICK.binning, 1, tests, 0.05),
        tetrahedron_figure(reliability_for(four, QUICK), p.class_names[1], "dark", 1),
        multiples_figure(classes, 0, 2, p.class_names[1], "light"),
    ]
    for figure in figures:
        for text in strings(json.loads(figure.to_json())):
            assert not TAGS.search(text), text[:300]
            assert not CONTROLS.search(text), repr(text[:300])
            assert len(text) < 3_000
    for rows in (
        bins_table(one, frequency_intervals(one, lens)).rows,
        evidence_table(classes).rows,
        happened_table(p).rows,
    ):
        for row in csv.reader(io.StringIO(csv_of(rows(exact=True)), newline="")):
            for cell in row:
                assert re.fullmatch(r"[+-]?[\d.]+(e[+-]?\d+)?|", cell) or cell[:1] not in "=+-@\t\r", cell


@pytest.mark.some(2)
@pytest.mark.parametrize("which", SETS)
@pytest.mark.slow
def test_paper(which: str) -> None:
    from calibcore.painters import paper

    p = predictions(SETS[which])
    four = predictions((*SETS[which], "$\\frac{1}{0}$"))
    drawn = [
        paper.simplex_print(reliability_for(p, QUICK), p.class_names[1][:40], QUICK.binning, 1, width=89),
        paper.tetrahedron_print(reliability_for(four, QUICK), p.class_names[1][:40], 1, width=89),
        paper.multiples_print(classes_by_evidence(assess(p, survey(p, QUICK))), width=183),
    ]
    for figure in drawn:
        assert figure.get_size_inches().max() < 20
        svg = paper.saved(figure, "svg").decode()
        assert "<script" not in svg
        assert 'href="http' not in svg
        assert len(svg) < 3_000_000


@pytest.mark.parametrize("which", SETS)
def test_terminal_and_json(which: str) -> None:
    p = predictions(SETS[which])
    spec = DiagnosisSpec(
        lens=ClassLens(p.class_names[0]),
        resamples=99,
        tests=("exact",),
        estimates=("ici",),
        binning=UniformBinning(5),
    )
    found = assess(p, survey(p, QUICK, [spec.lens]))
    diagnosis = diagnose(p, spec)
    for text in (diagnosis_text(diagnosis), survey_text(found)):
        assert not CONTROLS.search(text), repr(CONTROLS.findall(text))
    assert json.loads(diagnosis.to_json())["data"]["class_names"] == list(p.class_names)
    assert Assessment.from_json(found.to_json()).survey.diagnoses[0].class_names == p.class_names


@pytest.mark.some(1)
@pytest.mark.parametrize("json_too", [[], ["--json"]])
def test_no_escape_sequence_reaches_a_terminal(
    json_too: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ["\x1b[2Ja", "\u202eb", "=c\x9b31m"]
    p = predictions(tuple(names))
    file = tmp_path / "x.json"
    file.write_text(
        json.dumps({"probs": p.probs.tolist(), "labels": p.labels.tolist(), "class_names": names})
    )
    assert main(["diagnose", str(file), "--resamples", "19", *json_too]) == 0
    assert main(["survey", str(file), "--resamples", "19", *json_too]) == 0
    assert main(["diagnose", str(file), "--lens", "class:\x1b[2Jno"]) == 2
    assert main(["diagnose", str(tmp_path / "\x1b[2Jno")]) == 2
    said = capsys.readouterr()
    assert not CONTROLS.search(said.out + said.err), repr(CONTROLS.findall(said.out + said.err))
    for line in said.out.splitlines() if json_too else ():
        assert json.loads(line)


def test_what_is_visible_stays() -> None:
    for text in ("Käse 100 %", "猫", "קטלב", "👩\u200d⚕️", "می\u200cخواهم", *FORMULAS[:4]):
        assert visible(text) == text
