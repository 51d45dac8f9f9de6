"""A check has one name wherever it is named."""

import numpy as np
import pytest

from calibcore import (
    DiagnosisSpec,
    Predictions,
    decide,
    explain_by_wrong_labels,
    judge,
    monitor,
    recalibrate,
    survey,
    survey_groups,
)
from calibcore.answers.measures import checks_measured
from calibcore.answers.survey import checks_table
from calibcore.assessment.headline import headline
from calibcore.report.front_page import asked_sentences
from calibcore.terminal import answer_text
from calibcore.transforms.lenses import CanonicalLens, ClassLens, TopKLens
from calibcore.words.diagram import heading
from calibcore.words.looking import name_among, name_in, name_of, name_shown_in


@pytest.mark.parametrize("names", [("home", "yes"), ("yes", "home")])
def test_all_of_two_classes_are_called_by_the_event_everywhere(names: tuple[str, str]) -> None:
    rng = np.random.default_rng(3)
    q = rng.beta(1.5, 4, 120)
    event = names.index("yes")
    probs = np.column_stack([q, 1 - q] if event == 0 else [1 - q, q])
    p = Predictions.from_arrays(probs, np.where(rng.random(120) < q, event, 1 - event), names)
    found = survey(p)
    judged = judge(p, found)
    name = "the class 'yes'"
    assert name_among(CanonicalLens(), names) == name
    assert [name_of(of) for of in (*found.diagnoses, *judged)] == ["confidence in the answer", name] * 2
    for rows in (checks_table(found.diagnoses, judged).rows(), checks_measured(found.diagnoses).rows()):
        assert [row["Check"] for row in rows] == ["Confidence in the answer", "The class 'yes'"]
    assert f"in 2 checks: confidence in the answer and {name}." in asked_sentences(p, judged, None)
    assert heading(headline(found.diagnoses, judged)) == "Main check: 'yes'"


def test_of_more_classes_each_lens_has_its_own_phrase() -> None:
    names = ("cat", "dog", "fox")
    for lens in (CanonicalLens(), TopKLens(1), ClassLens("dog")):
        assert name_among(lens, names) == lens.phrase()
    assert name_among(ClassLens("home"), ("home", "yes")) == "the class 'home'"


@pytest.mark.parametrize("names", [("home", "yes"), ("yes", "home")])
def test_answers_to_other_questions_name_it_alike(names: tuple[str, str]) -> None:
    rng = np.random.default_rng(4)
    probs, labels = rng.dirichlet((1, 1), 80), rng.integers(2, size=80)
    columns = {"site": np.array(["A", "B"] * 40), "seen": np.arange(80)}
    p = Predictions.from_arrays(probs, labels, names, columns)
    spec = DiagnosisSpec(lens=CanonicalLens(), resamples=99)
    grouped, watched = survey_groups(p, ["site"], spec), monitor(p, spec, time="seen")
    assert [name_shown_in(grouped), name_shown_in(watched)] == ["the class 'yes'"] * 2
    assert "the class 'yes'" in answer_text(grouped).splitlines()[0]
    assert "the class 'yes'" in answer_text(watched).splitlines()[0]
    assert name_in(recalibrate(p, spec=spec)) == name_in(decide(p, spec=spec)) == "the class 'yes'"
    noisy = explain_by_wrong_labels(p, spec)
    assert answer_text(noisy).splitlines()[0] == "80 cases, 2 classes; the class 'yes'"
    assert "80 cases · 2 classes · the class &#x27;yes&#x27;" in noisy._repr_html_()
