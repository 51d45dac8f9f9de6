"""Leaves out of a report what would be a single case's."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from calibcore.assessment.assess import Assessment
from calibcore.diagnose import Diagnosis
from calibcore.diagnose.without_cases import diagnosis_without_cases, diagram_without_cases
from calibcore.sensitivity.each_class import ClassesByEvidence
from calibcore.transforms.lenses import Lens


def without_counts_of(assessment: Assessment, back: Collection[Lens]) -> Assessment:
    """The same without what is counted through these lenses: no bins, their errors, frequencies and net gaps.

    Verdict, p, typical gap and what could have been seen stay.
    """
    if not back:
        return assessment
    survey = assessment.survey
    hidden = [diagnosis.spec.lens in back for diagnosis in survey.diagnoses]
    diagnoses = tuple(
        diagnosis_without_counts(diagnosis) if hide else diagnosis
        for diagnosis, hide in zip(survey.diagnoses, hidden, strict=True)
    )
    verdicts = tuple(
        replace(verdict, frequencies=(), refuted=None) if hide else verdict
        for verdict, hide in zip(assessment.verdicts, hidden, strict=True)
    )
    refuted = tuple(0 if hide else n for n, hide in zip(survey.refuted, hidden, strict=False))
    survey = replace(survey, diagnoses=diagnoses, refuted=refuted)
    return replace(assessment, survey=survey, verdicts=verdicts)


def diagnosis_without_counts(diagnosis: Diagnosis) -> Diagnosis:
    """The same without bins, frequencies, and what can be worked out to them."""
    tests = diagnosis.bin_pvalues
    if tests is not None:
        tests = dict(tests) | {"p_value": [], "adjusted_p_value": []}
    return replace(
        diagnosis,
        reliability=diagnosis.reliability.only(np.zeros(0, np.int64)),
        frequencies=(),
        calibration_error={},
        decompositions={},
        recalibration={},
        estimates=(),
        ece_interval=None,
        impossible_outcomes=0,
        bin_pvalues=tests,
        units=None,
    )


def without_cases(assessment: Assessment) -> Assessment:
    """The same without what belongs to one case alone; tests, estimates and verdicts stay what they are."""
    diagnoses = tuple(diagnosis_without_cases(diagnosis) for diagnosis in assessment.survey.diagnoses)
    frequencies = tuple(
        replace(of_class, mean_when_called=None) if of_class.called == 1 else of_class
        for of_class in assessment.frequencies
    )
    survey = replace(assessment.survey, diagnoses=diagnoses)
    return replace(assessment, survey=survey, frequencies=frequencies)


def classes_without_cases(classes: ClassesByEvidence) -> ClassesByEvidence:
    """The classes whose diagrams have bins of more than one case, with only these."""
    bare = [replace(c, diagram=diagram_without_cases(c.diagram)) for c in classes.classes]
    return replace(classes, classes=tuple(c for c in bare if c.diagram.n_bins))
