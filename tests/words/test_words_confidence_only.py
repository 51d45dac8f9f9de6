"""What people read of predictions of which only the confidence is known: nothing that speaks of classes."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibcore import (
    DiagnosisSpec,
    Predictions,
    RegionLens,
    TopKLens,
    decide,
    diagnose,
    monitor,
    recalibrate,
    track_training,
)
from calibcore.answers.measures import scores_table
from calibcore.assessment.assess import assess
from calibcore.data.confidence import PREDICTED, TRUTH
from calibcore.data.examples import load_example
from calibcore.io import read
from calibcore.questions.monitor.words import headline
from calibcore.questions.recalibrate import words as recalibrating
from calibcore.questions.recalibrate.gain import with_probabilities
from calibcore.report import report_of, to_html
from calibcore.terminal import answer_text
from calibcore.transforms.lenses import CONFIDENCE
from calibcore.words.diagram import member_rows, members
from calibcore.words.leading import of_the_bin
from calibcore.words.reporting import prediction_rows
from calibcore.words.results import impossible_outcomes
from calibcore.words.tables import csv_of
from calibcore.words.verdicts import refuted_sentence
from tests.cli.commands import run
from tests.confidence import amiss
from tests.quick import compare, survey, survey_groups
from tests.report.reported import Page

SPEC = DiagnosisSpec(resamples=19, alpha=0.5, tolerance=0.2, tests=("exact-omnibus",))
N = 150
KNOWN = load_example("letters")[:N]
"""Answer and truth are known."""
OTHER = Predictions.from_confidence(
    KNOWN.probs[:, 0] ** 1.2, predicted=np.roll(KNOWN.metadata[TRUTH], 1), truth=KNOWN.metadata[TRUTH]
)
UNKNOWN = Predictions.from_confidence(
    KNOWN.probs[:, 0], KNOWN.labels == 0, {"site": np.array(["A", "B"])[np.arange(N) % 2]}
)
"""Only whether each answer was right is known."""
CONFIDENT = DiagnosisSpec(lens=TopKLens(1))
REGION = DiagnosisSpec(resamples=19, lens=RegionLens(TopKLens(1), CONFIDENCE, 0.6, 1))

ASKED: dict[str, Callable[[], Any]] = {
    "diagnosis": lambda: diagnose(KNOWN, DiagnosisSpec(resamples=19)),
    "region": lambda: diagnose(KNOWN, REGION),
    "survey": lambda: survey(UNKNOWN, SPEC),
    "groups by truth": lambda: survey_groups(KNOWN, [TRUTH, PREDICTED], SPEC, worst=True),
    "groups by site": lambda: survey_groups(UNKNOWN, ["site"], SPEC),
    "recalibration": lambda: recalibrate(KNOWN, ["temperature", "isotonic"], SPEC),
    "decisions": lambda: decide(UNKNOWN, SPEC),
    "monitoring": lambda: monitor(KNOWN, SPEC),
    "training": lambda: track_training({1: KNOWN, 2: OTHER}, SPEC),
    "comparison": lambda: compare([KNOWN, OTHER], SPEC),
}
found = cache(lambda name: ASKED[name]())


@pytest.mark.parametrize("name", ASKED)
def test_no_answer_speaks_of_classes(name: str) -> None:
    shown = Page(found(name)._repr_html_()).text
    assert "onfidence" in shown
    assert not amiss(shown)
    assert not amiss(repr(found(name)))


def test_predictions_in_a_notebook_and_their_rows_do_not_either() -> None:
    for p in (KNOWN, UNKNOWN):
        assert not amiss(Page(p._repr_html_()).text)
        rows = list(member_rows(p, CONFIDENT, members(p, CONFIDENT, [0, 1])))
        heads = ["Row", "Confidence", "The answer was", *p.metadata]
        assert all(list(row) == heads for row in rows)


def test_a_region_of_the_confidence_is_told_in_words() -> None:
    shown = Page(found("region")._repr_html_()).text.replace("\N{NO-BREAK SPACE}", " ")
    assert "where the confidence was 60 % to 100 %" in shown
    assert found("region").lens_n == int((KNOWN.probs[:, 0] >= 0.6).sum())
    with pytest.raises(ValueError, match=r"no case has a confidence from 0\.01 to 0\.02"):
        diagnose(KNOWN, DiagnosisSpec(lens=RegionLens(TopKLens(1), CONFIDENCE, 0.01, 0.02)))
    assert not REGION.lens.fits(load_example("wine"))


def test_groups_by_what_was_true_say_what_they_are_worth() -> None:
    told = [answer_text(found(name)) for name in ("groups by truth", "groups by site")]
    assert ["chosen by what happened" in text for text in told] == [True, False]


def test_a_map_keeps_the_answers_and_what_is_known() -> None:
    """Also where it says less than a half: then the answer is still the model's."""
    halved = with_probabilities(
        KNOWN, KNOWN.probs[:, [0]] * [0.4, 0] + [0, 1] - KNOWN.probs[:, [0]] * [0, 0.4]
    )
    assert halved.kind == "confidence"
    recalibration = found("recalibration")
    assert {method.accuracy for method in recalibration.methods} == {recalibration.accuracy}
    assert "Right in" in recalibrating.gap_sentence(recalibration, recalibration.methods[0])
    assert "only the confidence is known" in recalibrating.class_mix_sentence(recalibration)


def test_the_rows_of_a_report_are_read_as_what_they_are(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text(csv_of(prediction_rows(UNKNOWN)))
    assert read(file).predictions.fingerprint == UNKNOWN.fingerprint


def test_a_report_does_not_speak_of_classes() -> None:
    answers = [found(name) for name in ("groups by truth", "recalibration", "decisions")]
    checked = survey(KNOWN, SPEC)
    made = report_of(
        KNOWN, assess(KNOWN, checked), SPEC, title="Letters", date="2026-11-27", model="net",
        answers=[answers[0], answers[1]],
    )  # fmt: skip
    text = Page(to_html(made)).text
    assert "When the model is 90" in text
    assert not amiss(text)


FLAGS = ("--resamples", "19", "--tests", "exact-omnibus", "--estimates", "none")
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("diagnose", *FLAGS),
    ("survey", "--resamples", "19", "--alpha", "0.5"),
    ("groups", "--by", TRUTH, "--resamples", "19"),
    ("recalibrate", "--method", "temperature", "--resamples", "19"),
    ("decide", "--resamples", "19"),
    ("monitor", "--time", "order"),
    ("label-noise", "--resamples", "19"),
    ("diagnose", "--lens", "region:confidence:0.6:1:confidence", *FLAGS),
)
REFUSED = (
    ("diagnose", "--lens", "class:right"),
    ("decide", "--lens", "class:wrong"),
    ("diagnose", "--lens", "top-k:2"),
    ("diagnose", "--lens", "pooled"),
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "letters.csv"
    known = zip(KNOWN.metadata[TRUTH], KNOWN.metadata[PREDICTED], KNOWN.probs[:, 0].tolist(), strict=True)
    rows = [",".join(map(str, row)) for row in known]
    path.write_text("\n".join([f"{TRUTH},{PREDICTED},confidence", *rows]) + "\n")
    return path


@pytest.mark.some(3)
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_speaks_of_classes(
    words: tuple[str, ...], file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, words[0], file, *words[1:])
    assert (code, err) == (0, "")
    assert out
    assert not amiss(out)


@pytest.mark.parametrize("words", REFUSED, ids=" ".join)
def test_a_command_that_needs_all_probabilities_says_so(
    words: tuple[str, ...], file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, words[0], file, *words[1:])
    assert (code, out) == (2, "")
    assert "only the confidence in the answer is known" in err
    assert "Look through the lens 'confidence'" in err


CERTAIN = Predictions.from_confidence(
    np.r_[np.ones(14), np.full(86, 0.73)], np.r_[np.zeros(14), np.arange(86) % 4 > 0].astype(bool)
)
"""Of 14 wrong answers the model was certain."""


def test_what_was_certain_and_wrong_is_said_of_answers() -> None:
    off = "14 answers given 100\N{NO-BREAK SPACE}% were wrong (or given 0\N{NO-BREAK SPACE}% and right)"
    assessment = assess(CERTAIN, survey(CERTAIN, SPEC))
    verdict = assessment.verdicts[0]
    assert verdict.refuted is not None
    assert refuted_sentence(verdict.refuted, verdict.lens).startswith(off)
    assert impossible_outcomes(diagnose(CERTAIN, SPEC)).startswith(f"{off}. That alone refutes")
    assert headline(monitor(CERTAIN, SPEC)).startswith("The answer to case 1 was given 100")
    page = to_html(report_of(CERTAIN, assessment, SPEC, title="model", date="2026-01-01"))
    assert "14 answers given" in page
    assert "something happened that was given" not in page
    assert "outcomes happened" not in page


def test_the_brier_score_is_the_one_that_its_name_says() -> None:
    diagnosis = diagnose(KNOWN, DiagnosisSpec(resamples=19))
    sure, right = KNOWN.probs[:, 0], KNOWN.labels == 0
    assert diagnosis.scores["brier"] == pytest.approx(np.mean(2 * (sure - right) ** 2), abs=1e-12)
    names = [row["Score"] for row in scores_table(diagnosis).rows()]
    assert "Brier score of the confidence: mean of 2 (confidence − right)², right is 1 or 0" in names
    assert not any("classes" in name for name in names)


def test_a_bin_of_answers_says_how_many_were_right() -> None:
    diagram = diagnose(KNOWN, SPEC).reliability
    assert of_the_bin(diagram, (0, 0), right=True).startswith("There it was right in ")
