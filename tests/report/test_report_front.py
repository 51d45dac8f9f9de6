"""The first page of a report: one order in HTML and PDF, whole on its page, and no answer of its own."""

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pypdfium2
import pytest

from calibcore import DiagnosisSpec, Predictions
from calibcore.answers.nouns import head_of
from calibcore.assessment.assess import assess
from calibcore.assessment.headline import headline
from calibcore.questions.recalibrate import recalibrate
from calibcore.report import Report, front_page, report_of, to_html, to_json, to_pdf
from calibcore.report.layout import Layout
from calibcore.transforms.lenses import CanonicalLens, ClassLens, TopKLens
from calibcore.wording import in_noun
from calibcore.words.glossary import every_term
from calibcore.words.verdicts import SMALL, as_a_whole, chip, lenses_sentence, not_said
from tests.quick import survey
from tests.report.reported import DATE, SPEC, Page, blank_share, drawn, pages_of, squeezed

LONG = tuple(f"{name} {'of the upper respiratory tract ' * 4}" for name in ("Carcinoma", "Adenoma", "None"))
TITLES = {"long names": "W" * 200}
"""Of 200 letters, which is the most that a title may have."""


def given_0() -> Predictions:
    p = drawn(200, 3, seed=3)
    probs = np.where(p.probs < 0.1, 0.0, p.probs)
    return Predictions.from_arrays(probs / probs.sum(axis=1, keepdims=True), p.labels)


def of_patients() -> Predictions:
    p = drawn(120, 3, seed=4)
    return Predictions.from_arrays(p.probs, p.labels, metadata={"patient": np.arange(120) // 3})


def wrong_order() -> Predictions:
    p = drawn(400, 4, seed=5)
    return Predictions.from_arrays(p.probs[:, [1, 0, 3, 2]], p.labels)


CASES = {
    "miscalibrated": (lambda: drawn(400, 3, off=0.7), SPEC, "miscalibrated"),
    "small": (lambda: drawn(400, 2, off=0.6), replace(SPEC, tolerance=0.45), "miscalibrated"),
    "refuted": (given_0, SPEC, "miscalibrated"),
    "consistent": (lambda: drawn(2_000, 2, seed=6), SPEC, "consistent"),
    "cannot tell": (lambda: drawn(150, 10), SPEC, "cannot-tell"),
    "twelve": (lambda: drawn(12, 3), SPEC, "cannot-tell"),
    "units": (of_patients, replace(SPEC, unit="patient"), "cannot-tell"),
    "wrong order": (wrong_order, SPEC, "miscalibrated"),
    "long names": (lambda: drawn(90, 3, names=LONG), SPEC, "cannot-tell"),
    "many classes": (lambda: drawn(200, 200, seed=7), replace(SPEC, resamples=99), "cannot-tell"),
}
"""What is reported, its settings, and the verdict that it is there for."""
FEW = ("wrong order", "long names", "many classes")
"""What is looked at through four lenses, as more of them would say no more on the first page."""
LAID_OUT = ("miscalibrated", "cannot tell", "twelve", "wrong order")
"""Whose pages behind the first are looked at too, on paper of both sizes; see also test_report_pdf."""


@cache
def made(name: str) -> tuple[Predictions, Report]:
    given, spec, _ = CASES[name]
    p = given()
    few = (TopKLens(1), CanonicalLens(), *map(ClassLens, p.class_names[:2])) if name in FEW else None
    found = assess(p, survey(p, spec, few))
    title = TITLES.get(name, "Calibration of net")
    return p, report_of(p, found, spec, title=title, date=DATE, noun="patient", model="net")


def in_order(report: Report) -> list[str]:
    """What the first page says, from the top: the right column of a sheet follows the left one."""
    front, plate = report.front, report.plates[0]
    figure = [plate.title, plate.says] if front.has_figure else [front_page.NO_FIGURE]
    return [
        report.title,
        report.subtitle,
        front_page.ASKED,
        front.asked,
        front_page.ANSWERED,
        report.badge.text[2:],
        report.answer,
        report.more,
        report.front.valid_if,
        *report.cautions,
        *figure,
        front.counted_heading,
        *front.counted,
        front.counted_note,
        front_page.TO_DO,
        *front.to_do,
        front_page.NOT_TO_CONCLUDE,
        *front.not_to_conclude,
        front_page.FOUR_WORDS,
    ]


@pytest.mark.some(1)
@pytest.mark.parametrize("name", CASES)
def test_the_first_page_holds_all_of_it_in_its_order_on_every_form(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page without the dark look of its figures, which no word stands in: see test_report_page."""
    monkeypatch.setattr("calibcore.report.page.THEMES", ("light",))
    if name not in LAID_OUT:  # of the pages behind
        monkeypatch.setattr("calibcore.report.paper.best", lambda *_: Layout(0, 1.0))
    _, report = made(name)
    assert report.badge.colour == CASES[name][2]
    page = squeezed(Page(to_html(report)).text).partition(squeezed(front_page.FOR_STATISTICIANS))[0]
    pdf = to_pdf(report, ("a4", "letter")[list(CASES).index(name) % 2])
    sheets = [squeezed(text) for text in pages_of(pdf)]
    assert sheets[1].startswith(squeezed(front_page.FOR_STATISTICIANS))
    assert max(map(blank_share, list(pypdfium2.PdfDocument(pdf))[: None if name in LAID_OUT else 1])) < 0.25
    for text in (page, sheets[0]):
        assert "'caliblens" not in text  # whoever gets a report has no command line
        place = -1
        for words in filter(None, in_order(report)):
            place = text.find(squeezed(words), place + 1)
            assert place >= 0, words
        for word, line in report.front.words:
            assert squeezed(line) in text
            assert squeezed(word) in text


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_it_says_nothing_that_the_pages_behind_contradict(name: str) -> None:
    _, report = made(name)
    front, verdicts = report.front, report.assessment.verdicts
    whole = as_a_whole(verdicts)
    assert f"{len(verdicts)} check{'s' * (len(verdicts) > 1)}: " in front.asked
    assert lenses_sentence(verdicts) in report.more
    assert front.not_to_conclude[-1] == report.not_said == not_said("patient")
    found = headline(report.assessment.survey.diagnoses, verdicts).found
    first = report.plates[0].title.partition(":")[0]
    assert not front.has_figure or first == ("Strongest evidence" if found else "Main check")
    did = " ".join(front.to_do)
    assert ("believe no number" in did) == (report.assessment.mismatch is not None)
    assert ("as they are" in did) == (whole.answer == "consistent")
    assert ("Collect more" in did) == (whole.answer == "cannot-tell")
    assert (front_page.NOT_PLANNED in did) == (
        whole.answer == "cannot-tell" and report.assessment.mismatch is None
    )
    assert ("0 came about" in did) == (name == "refuted")
    assert ("tolerance" in did) == (name == "small") == (chip(whole) == SMALL)
    assert ("unit" in front.asked) == (name == "units")
    for words in (front.asked, *front.to_do, *front.not_to_conclude, front.counted_note):
        assert words.endswith(".")
    assert "diagnoses" in " ".join(front.not_to_conclude) or whole.answer != "miscalibrated"


@pytest.mark.some(3)
@pytest.mark.parametrize("name", CASES)
def test_counts_are_those_of_bins_in_the_figure_and_never_of_few(name: str) -> None:
    _, report = made(name)
    rows = [{k: str(v) for k, v in row.items()} for row in report.plates[0].rows]
    for sentence in report.front.counted:
        found = re.search(r"[Oo]f ([\d,]+) .+? in ([\d,]+)[:.]", sentence)
        cases, hits = (int(n.replace(",", "")) for n in found.groups())
        assert cases >= 20
        if "on average" not in sentence and "Observed" in rows[0] and "%" in rows[0]["Observed"][-2:]:
            assert any(
                row[head_of("Cases", report.noun)].replace(",", "") == str(cases)
                and abs(float(row["Observed"].strip("<> \u00a0%")) - 100 * hits / cases) < 0.11
                for row in rows
            ), sentence
    if name == "twelve":
        assert report.front.counted == ()
        assert report.front.counted_note == (
            "No 20 patients were given about the same, so none are counted here."
        )


def test_the_words_are_the_glossarys() -> None:
    _, report = made("twelve")
    assert [word for word, _ in report.front.words] == ["calibrated", "point", "chance", "check"]
    for word, line in report.front.words:
        assert in_noun(every_term()[word], "patient") == line
    assert "set of patients to the next" in dict(report.front.words)["chance"]


def test_what_has_to_hold_is_on_the_first_page() -> None:
    assert made("twelve")[1].front.valid_if == (
        "Valid only if the model was not trained, tuned or recalibrated on these patients, and no patient is "
        "counted twice."
    )
    assert made("units")[1].front.valid_if.endswith(
        "on these patients. Of each unit (patient) one row was drawn and tested, so none is counted twice. "
        "A row drawn so stands for rows as they come only if how many rows a unit has does not depend on "
        "what happened."
    )


def test_the_document_stays_as_it_was() -> None:
    _, report = made("twelve")
    assert report.front.to_do[0] not in to_json(report)


def test_what_to_do_follows_what_is_known_of_recalibration() -> None:
    p, report = made("miscalibrated")
    found = recalibrate(p, spec=replace(DiagnosisSpec(), resamples=99))
    assert {one.answer for one in found.methods} >= {"worthwhile"}
    verdict = as_a_whole(report.assessment.verdicts)
    cases = {
        "Have the model recalibrated": found,
        "Ask whether recalibration": None,
        "Look for another remedy": replace(
            found, methods=tuple(replace(one, answer="not-worthwhile") for one in found.methods)
        ),
        "Collect more patients: whether": replace(
            found, methods=tuple(replace(one, answer="cannot-tell") for one in found.methods)
        ),
    }
    for words, given in cases.items():
        assert front_page.steps(verdict, False, given, "patient")[1].startswith(words)
    with_it = report_of(p, report.assessment, SPEC, title="t", date=DATE, answers=[found])
    assert with_it.front.to_do[1].startswith("Have the model recalibrated")


def test_checks_are_named_up_to_three() -> None:
    p = drawn(150, 3)
    verdicts = made("cannot tell")[1].assessment.verdicts
    assert front_page.asked_sentences(p, verdicts, None).endswith(
        "in 12 checks: confidence in the answer, all classes together and 10 single classes."
    )
    assert front_page.asked_sentences(p, verdicts[:1], None).endswith("1 check: confidence in the answer.")
    assert front_page.asked_sentences(p, verdicts[2:3], None).endswith("1 check: the class '0'.")
    many = (*verdicts[:2], *verdicts[:2])
    assert front_page.asked_sentences(p, many, None).endswith(
        "4 checks: confidence in the answer, confidence in the answer and 2 more."
    )
