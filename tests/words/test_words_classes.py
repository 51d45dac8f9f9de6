"""Sentences about every class by itself, compared with the verdicts of the survey."""

from dataclasses import replace

import numpy as np

from calibcore.answers.classes import evidence_table
from calibcore.answers.survey import checks_table
from calibcore.assessment.assess import assess
from calibcore.assessment.survey import survey
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import UniformBinning
from calibcore.diagram.gap_sizes import Interval
from calibcore.diagram.reliability import reliability
from calibcore.sensitivity.each_class import ClassesByEvidence, ClassEvidence, classes_by_evidence
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import ClassLens
from calibcore.words.classes import class_titles, classes_alt, classes_note, classes_sentence
from calibcore.words.tables import csv_of
from tests.words.test_words_verdicts import verdict

DIAGRAM = reliability(
    Predictions.from_arrays([[0.2, 0.8], [0.7, 0.3]], [0, 0], ("cat", "not cat")), UniformBinning(2)
)


def evidence(name: str = "cat", answer: str = "miscalibrated", **changes: object) -> ClassEvidence:
    return ClassEvidence(name, DIAGRAM, verdict(answer, ClassLens(name), **changes))


def looked_at(*classes: ClassEvidence, left_out: tuple[str, ...] = ()) -> ClassesByEvidence:
    return ClassesByEvidence(classes, left_out, len(classes) + 2, len(classes) + 2)


def test_the_class_with_the_strongest_evidence_and_how_many_differ() -> None:
    cat, dog, fox = evidence(), evidence("dog"), evidence("fox", "consistent")
    assert classes_sentence(looked_at(cat, dog, fox)) == (
        "The evidence is strongest for 'cat': typical gap 4.2 points (3.0 to 5.1), adjusted p = 0.013. "
        "2 of 3 classes are off by more than chance allows."
    )
    assert "1 of 2 classes is off by" in classes_sentence(looked_at(cat, fox))
    assert "All 2 classes are off by" in classes_sentence(looked_at(cat, dog))
    assert classes_sentence(looked_at(fox, evidence("owl", "cannot-tell"))) == (
        "None of 2 classes is off by more than chance allows. "
        "The evidence is strongest for 'fox': typical gap 4.2 points (3.0 to 5.1), adjusted p = 0.34."
    )
    least = evidence(adjusted=0.005, at_floor=True)
    assert "adjusted p = 0.005, the smallest possible." in classes_sentence(looked_at(least))


def test_the_note_says_whose_p_it_is_and_names_classes_that_are_left_out() -> None:
    note = classes_note(looked_at(evidence(), evidence("dog")), "image")
    assert note.endswith("p is that of the survey, adjusted for its 4 checks: exact for independent images.")
    tested = replace(looked_at(evidence(), evidence("dog")), hypotheses=5)
    assert "adjusted for its 4 checks and the outcomes given 0: exact" in classes_note(tested, "image")
    note = classes_note(looked_at(evidence(), left_out=tuple("abcdefg")))
    assert "The survey has 1 of " in note
    assert note.endswith("'e' and 2 more.")


def test_titles_and_alternative_text() -> None:
    small = evidence("dog", "consistent", typical_gap=Interval(0.0004, 0.0, 0.02), adjusted=1.0)
    found = looked_at(evidence(at_floor=True), small)
    assert class_titles(found) == [
        (
            "✕ Miscalibrated",
            "typical gap 4.20 points",
            "95\N{NO-BREAK SPACE}% interval 3.00 to 5.10",
            "adjusted p 0.013 (smallest)",
        ),
        (
            "✓ Consistent with calibration",
            "typical gap 0.04 points",
            "95\N{NO-BREAK SPACE}% interval 0.00 to 2.00",
            "adjusted p 1",
        ),
    ]
    unclear = evidence("dog", "cannot-tell", typical_gap=Interval(0.0, 0.0, 0.069))
    assert class_titles(looked_at(unclear))[0][1:3] == (
        "typical gap 0.0 points",
        "95\N{NO-BREAK SPACE}% interval 0.0 to 6.9",
    )
    assert classes_alt(found, 0, 1) == (
        "cat: ✕ Miscalibrated, typical gap 4.20 points, 95\N{NO-BREAK SPACE}% interval 3.00 to 5.10, "
        "adjusted p 0.013 (smallest)"
    )
    assert classes_alt(found, 1, 2) == (
        "dog: ✓ Consistent with calibration, typical gap 0.04 points, "
        "95\N{NO-BREAK SPACE}% interval 0.00 to 2.00, adjusted p 1"
    )


def test_rows_of_classes_are_those_of_the_survey() -> None:
    rng = np.random.default_rng(1)
    p = Predictions.from_arrays(
        rng.dirichlet(np.ones(3), 60), rng.integers(3, size=60), ("cat", "=dog", "fox")
    )
    of = assess(p, survey(p, DiagnosisSpec(resamples=99, alpha=0.5)))
    found = classes_by_evidence(of)
    rows, exact = evidence_table(found).rows(), evidence_table(found).rows(exact=True)
    lenses = {row["Check"]: row for row in checks_table(of.survey.diagnoses, of.verdicts).rows()}
    for row, full, c in zip(rows, exact, found.classes, strict=True):
        assert row["Class"] == full["class"] == c.name
        of_lens = lenses[f"The class '{c.name}'"]
        for name in ("Typical gap", "On balance", "Adjusted p"):
            assert row[name] == of_lens[name]
        assert str(row["Verdict"]) in str(of_lens["Verdict"])
        assert (full["p"], full["adjusted p"]) == (c.verdict.pvalue, c.verdict.adjusted)
        assert row["Bins outside"] == f"{c.diagram.outside.sum()} of {c.diagram.n_bins}"
    assert "'=dog" in csv_of(exact)
