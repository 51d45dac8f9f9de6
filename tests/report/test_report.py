"""What a report says, and its JSON: the numbers are the survey's, and nothing of single cases is in it."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from calibcore import DiagnosisSpec, Predictions
from calibcore.assessment.assess import Assessment, assess
from calibcore.assessment.headline import by_evidence, headline
from calibcore.assessment.rerun import repeatable
from calibcore.errors import InputError
from calibcore.io import read
from calibcore.report import Report, report_of, to_document, to_html, to_json, to_pdf
from calibcore.report.privacy import without_cases
from calibcore.transforms.lenses import CanonicalLens, ClassLens, GroupsLens, TopKLens
from calibcore.wording import percent
from calibcore.words.diagram import heading, reason
from calibcore.words.leading import whole_parts
from calibcore.words.phrases import number_p, points
from calibcore.words.sizes import gap_cell
from calibcore.words.verdicts import answer_sentence
from tests.quick import survey
from tests.report.reported import DATE, HOSTILE, SPEC, drawn, judged_of, report


@pytest.mark.some(1)
@pytest.mark.parametrize("off", [0.0, 0.7])
def test_the_answer_is_the_surveys(off: float) -> None:
    found = report(150, 3, off=off)
    _, of = judged_of(150, 3, off=off)
    assert (found.answer, found.more) == whole_parts(of.survey.diagnoses, of.verdicts, "patient")
    assert found.badge.colour == ("miscalibrated" if off else "cannot-tell")
    assert found.plates[0].title.startswith("Strongest evidence: " if off else "Main check: confidence")
    assert found.subtitle == "net · 150 patients · 3 classes"
    assert report(150, 3, off=off, title="net").subtitle == "150 patients · 3 classes"  # said above it
    assert found.date_words == "21 November 2026"
    assert "patients" in found.not_said


def test_the_tables_hold_the_numbers_of_the_result() -> None:
    found, (p, of) = report(150, 3), judged_of(150, 3)
    tables = {table.name: table.rows for table in found.tables}
    pairs = sorted(zip(of.verdicts, of.survey.diagnoses, strict=True), key=lambda pair: by_evidence(pair[0]))
    for (verdict, d), row, numbers in zip(pairs, tables["verdicts"], tables["measures"], strict=True):
        assert row["Adjusted p"] == number_p(verdict.adjusted)
        assert row["Typical gap"] == gap_cell(verdict.typical_gap)
        assert f"{numbers['ECE (points)']} points" == points(d.calibration_error["ece"])
    for k, row in enumerate(tables["classes"]):
        hits = int((p.labels == k).sum())
        assert row["Happened"] == f"{hits} ({percent(hits / p.n)})"
        assert row["Predicted on average"] == percent(p.probs[:, k].mean())
    assert tables["scores"][0]["Value ± standard error"].startswith(
        percent(float((p.probs.argmax(axis=1) == p.labels).mean()))
    )


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("m", "names"),
    [
        (
            2,
            [
                "reliability-all classes together",
                "reliability-confidence in the answer",
                "null-distribution",
            ],
        ),
        (3, ["reliability-confidence in the answer", "simplex", "null-distribution", "classes"]),
        (4, ["reliability-confidence in the answer", "simplex", "null-distribution", "classes"]),
        (5, ["reliability-confidence in the answer", "null-distribution", "classes"]),
    ],
)
@pytest.mark.slow
def test_the_figures_by_number_of_classes(m: int, names: list[str]) -> None:
    plates = report(90, m).plates
    assert [plate.name for plate in plates] == names
    for plate in plates:
        assert plate.says.endswith(".")
        assert plate.reading
        assert plate.rows
        assert "Click" not in plate.reading
    of = headline((assessed := judged_of(90, m)[1]).survey.diagnoses, assessed.verdicts)
    assert plates[0].title == heading(of)
    assert plates[0].says.startswith(reason(of, "patient"))
    if m == 2:
        assert plates[0].title == "Main check: '1'"
        assert plates[1].title == "Reliability: confidence in the answer"


def test_the_json_is_the_surveys_with_the_keys_of_a_diagnosis() -> None:
    p, of = judged_of(150, 3)
    document = json.loads(to_json(report(150, 3)))
    assert Assessment.from_document(document).to_json() == without_cases(of).to_json()
    whole = json.loads(to_json(report(150, 3, with_rows=True)))
    assert Assessment.from_document(whole).to_json() == of.to_json()
    first = of.survey.diagnoses[0].to_document()
    for key in ("schema", "version", "spec"):
        assert type(document[key]) is type(first[key])
    assert document["data"] == first["data"] | {"class_counts": np.bincount(p.labels).tolist()}
    assert repeatable(json.dumps(document)).spec == SPEC
    assert document["report"]["date"] == DATE
    assert document["report"]["answer"] == report(150, 3).answer


@pytest.mark.some(1)
@pytest.mark.parametrize(("n", "m"), [(150, 3), (40, 2), (60, 4), (12, 5), (6, 2)])
def test_no_case_is_in_it_unless_asked_for(n: int, m: int) -> None:
    """Nor one that is alone in its bin, or the only one called so."""
    p, _ = judged_of(n, m)
    held = [repr(value) for value in p.probs.ravel().tolist()]
    plain = report(n, m)
    html = to_html(plain)
    for text in (to_json(plain), html[: html.index("Plotly.")] + html[-5_000:]):
        assert not [value for value in held if value in text]
    whole = report(n, m, with_rows=True)
    for text in (to_json(whole), to_html(whole)):
        assert all(value in text for value in held)
    assert whole.predictions is not None
    assert read(whole.predictions.encode(), name="p.csv").predictions.fingerprint == p.fingerprint
    if n == 40:  # the file within is the text above, however many cases and classes
        assert len(to_pdf(whole)) > len(to_pdf(plain))


@pytest.mark.slow
def test_hostile_names_stay_names() -> None:
    found = report(
        120, len(HOSTILE), HOSTILE, title="<b>#t " * 3_000, model="\u202e" + "m" * 5_000, noun="<i>"
    )
    words = [found.title, found.subtitle, found.answer, found.more, *(text for _, text in found.methods)]
    words += [cell for table in found.tables for row in table.rows for cell in row.values()]
    words += [text for plate in found.plates for text in (plate.says, plate.reading)]
    assert max(map(len, words)) < 1_500
    assert not any(re.search(r"[\x00-\x1f\u202a-\u202e]", text) for text in words)
    assert to_document(found)["data"]["class_names"] == list(HOSTILE)


@pytest.mark.parametrize("date", ["", "21.11.2026", "2026-13-01", "20261121", "2026-11-21T10:00", "x" * 99])
def test_a_date_in_another_form_is_refused(date: str) -> None:
    with pytest.raises(InputError, match="expected one as 2026-11-21"):
        report(150, 3, date=date)


def test_other_predictions_are_refused() -> None:
    _, of = judged_of(150, 3)
    with pytest.raises(InputError, match="other predictions"):
        report_of(drawn(150, 3, seed=2), of, SPEC, title="t", date=DATE)


def test_refused_lenses_and_cautions_are_said() -> None:
    p = drawn(60, 3, names=("a", "b", "c"))
    lenses = (TopKLens(1), CanonicalLens(), ClassLens("none"), GroupsLens({"x": ("a", "b"), "y": ("c", "d")}))
    of = assess(p, survey(p, SPEC, lenses))
    found = report_of(p, of, SPEC, title="t", date=DATE, caution="These patients repeat.")
    assert len(found.refused) == 2
    assert all("not tested" in line for line in found.refused)
    assert found.cautions[0] == "These patients repeat."
    for text in (to_html(found), to_json(found)):
        assert "These patients repeat." in text


@pytest.mark.slow
def test_two_cases_and_one_lens_give_a_report() -> None:
    p = Predictions.from_arrays([[0.4, 0.6], [0.7, 0.3]], [0, 1])
    of = assess(p, survey(p, SPEC, (CanonicalLens(),)))
    found = report_of(p, of, SPEC, title="t", date=DATE)
    assert [plate.name for plate in found.plates][-1] == "null-distribution"
    assert found.answer.startswith(answer_sentence(of.verdicts[0])[:20])
    assert to_pdf(found).startswith(b"%PDF")
    with pytest.raises(InputError):
        survey(Predictions.from_arrays([[0.4, 0.6]], [0]), SPEC)


def test_the_settings_are_those_that_were_used() -> None:
    found: Report = report(150, 3)
    used = DiagnosisSpec.from_json(found.settings)
    assert used == replace(SPEC, tests=("exact-omnibus",), estimates=(), resamples=of_redraws())


def of_redraws() -> int:
    return judged_of(150, 3)[1].survey.diagnoses[0].spec.resamples
