"""A survey of several labels: a check a label, each exact by itself, adjusted by Holm."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from calibcore import (
    ClassLens,
    DiagnosisSpec,
    InputError,
    LabelLens,
    MultiLabelPredictions,
    RegionLens,
    TopKLens,
    diagnose,
    limits,
    survey,
)
from calibcore.assessment.assess import Assessment, assess
from calibcore.assessment.effort import Effort
from calibcore.hypothesis_tests.adjust import holm
from calibcore.numerics.progress import Cancelled
from calibcore.terminal import survey_text

NAMES = ("effusion", "edema", "mass", "hernia")


def strongly_dependent(rng, n, k, shift=()):
    """Labels whose chances and outcomes share most of what moves them; ``shift`` of the log-odds by label."""
    z = 1.3 * rng.normal(size=(n, 1)) + 0.4 * rng.normal(size=(n, k)) - 0.8
    true = z.copy()
    for j, by in dict(shift).items():
        true[:, j] += by
    u = norm.cdf(0.95 * rng.normal(size=(n, 1)) + np.sqrt(1 - 0.95**2) * rng.normal(size=(n, k)))
    return 1 / (1 + np.exp(-z)), (u < 1 / (1 + np.exp(-true))).astype(float)


@pytest.fixture(scope="module")
def chests():
    rng = np.random.default_rng(3)
    probs, true = strongly_dependent(rng, 600, 4, {1: -1.0, 2: 0.9}.items())
    true[rng.random(true.shape) < 0.05] = np.nan
    return MultiLabelPredictions.from_arrays(probs, true, NAMES)


@pytest.fixture(scope="module")
def assessed(chests):
    return assess(chests, survey(chests))


def test_each_label_has_the_p_that_it_has_alone_and_holm_adjusts(chests, assessed):
    own = [
        survey(chests.label(name), assessed.survey.diagnoses[0].spec, lenses=[ClassLens(name)]).pvalues[0]
        for name in NAMES
    ]
    assert assessed.survey.pvalues == tuple(own)
    assert assessed.survey.adjusted == tuple(holm(own).tolist())
    assert [d.spec.lens for d in assessed.survey.diagnoses] == [LabelLens(name) for name in NAMES]


def test_the_planted_errors_are_found_and_said_with_their_direction(assessed):
    assert [v.found for v in assessed.verdicts] == [False, True, True, False]
    text = survey_text(assessed)
    assert "600 cases, 4 labels, 4 checks" in text
    assert "2 of 4 labels are miscalibrated: 'edema' too high, 'mass' too low." in text or (
        "2 of 4 labels are miscalibrated: 'mass' too low, 'edema' too high." in text
    )
    assert "Whether labels occur together as often as predicted is not tested." in text
    assert "have no outcome of 'hernia' and are left out there." in text


def test_the_document_says_labels_and_is_read_again(chests, assessed):
    document = assessed.to_document()
    assert document["data"] == {"n": 600, "classes": list(NAMES), "kind": "labels"}
    assert [look["lens"] for look in document["lenses"]] == [
        {"kind": "label", "label_name": name} for name in NAMES
    ]
    assert {look["verdict"]["lens"]["kind"] for look in document["lenses"]} == {"label"}
    assert {look["diagnosis"]["data"]["fingerprint"] for look in document["lenses"]} == {chests.fingerprint}
    assert Assessment.from_document(document).to_document() == document


def test_one_label_by_itself_everywhere_and_in_a_region(chests):
    spec = DiagnosisSpec(lens=LabelLens("mass"), resamples=99, tests=(), estimates=())
    found = diagnose(chests, spec)
    assert (found.n, found.m, found.kind) == (600, 4, "labels")
    assert found.lens_n == chests.label("mass").n < 600
    region = diagnose(
        chests, DiagnosisSpec(lens=RegionLens(LabelLens("mass"), "mass", 0.2, 1.0), tests=(), estimates=())
    )
    assert region.lens_n == np.count_nonzero(chests.label("mass").probs[:, 1] >= 0.2)


@pytest.mark.parametrize("lens", [DiagnosisSpec().lens, TopKLens(1), ClassLens("mass")])
def test_no_lens_on_classes_looks_at_several_labels(chests, lens):
    with pytest.raises(InputError, match="look at one of them, by the lens 'label:effusion' say"):
        diagnose(chests, DiagnosisSpec(lens=lens))


def test_a_label_lens_looks_at_no_classes(chests):
    one = chests.label("edema")
    with pytest.raises(InputError, match="these are predictions of the label 'edema'"):
        LabelLens("mass")(one)


def test_a_label_of_which_too_little_is_known_is_refused_and_the_others_are_not(chests):
    true = np.where(chests.outcomes < 0, np.nan, chests.outcomes)
    true[:, 3] = np.nan
    p = MultiLabelPredictions.from_arrays(chests.probs, true, NAMES)
    found = survey(p, effort=Effort(below=2))
    assert [lens for lens, _ in found.refused] == ["label:hernia"]
    assert len(found.diagnoses) == 3


def test_outcomes_of_probability_0_count_for_their_own_label():
    rng = np.random.default_rng(1)
    probs, true = strongly_dependent(rng, 300, 3)
    probs[0, 0], true[0, 0] = 0.0, 1.0
    found = survey(MultiLabelPredictions.from_arrays(probs, true))
    assert found.refuted == (1, 0, 0)
    assert found.pvalues[0] == 0.0
    assert found.counted is None


def test_of_rounded_labels_each_count_is_part_of_its_own_p():
    rng = np.random.default_rng(1)
    probs, true = strongly_dependent(rng, 300, 3)
    probs = probs.round(2)
    probs[:6, 0], true[:6, 0] = 0.0, 1.0
    p = MultiLabelPredictions.from_arrays(probs, true)
    found = survey(p)
    assert found.refuted == (0, 0, 0)
    assert found.counted[0].outcomes == 6
    assert found.pvalues[0] == pytest.approx(10 * found.counted[0].pvalue)
    first = found.verdicts[0]
    assert first.answer == "miscalibrated"
    assert first.refuted.outcomes == 6


@pytest.mark.slow
def test_no_more_than_the_level_of_files_has_a_finding_however_labels_depend():
    rng, found = np.random.default_rng(39), 0
    for _ in range(200):
        p = MultiLabelPredictions.from_arrays(*strongly_dependent(rng, 200, 14))
        found += min(survey(p).adjusted) <= 0.05
    assert found <= 18  # P(Binomial(200, 0.05) > 18) = 0.006


@pytest.mark.slow
def test_two_of_fourteen_planted_errors_are_found():
    rng, right, wrong = np.random.default_rng(40), 0, 0
    for _ in range(40):
        p = MultiLabelPredictions.from_arrays(*strongly_dependent(rng, 1_000, 14, {3: -0.8, 9: 0.8}.items()))
        rejected = {i for i, adjusted in enumerate(survey(p).adjusted) if adjusted <= 0.05}
        right += len(rejected & {3, 9})
        wrong += bool(rejected - {3, 9})
    assert right >= 76
    assert wrong <= 6


def test_labels_beside_each_other_have_the_same_numbers_and_can_be_stopped(chests, monkeypatch):
    two = MultiLabelPredictions.from_arrays(
        chests.probs[:, :3], np.where(chests.outcomes[:, :3] < 0, np.nan, chests.outcomes[:, :3]), NAMES[:3]
    )
    documents, told = [], []
    for threads in (1, 2):
        monkeypatch.setattr(limits, "LIMITS", replace(limits.LIMITS, threads=threads))
        told.clear()
        found = survey(two, progress=lambda fraction, words: told.append((fraction, words)))
        assert [fraction for fraction, _ in told] == sorted(fraction for fraction, _ in told)
        assert told[-1] == (1.0, "done")
        documents.append(assess(two, found).to_document())
    assert documents[0] == documents[1]

    def stop(fraction: float, _words: str) -> None:
        if fraction > 0.1:
            raise Cancelled

    with pytest.raises(Cancelled):
        survey(two, progress=stop)
