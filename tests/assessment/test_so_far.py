"""What is told of a survey while it is under way."""

from dataclasses import replace

import numpy as np
import pytest

from calibcore import judge, survey
from calibcore.answers.blocks import Headline, Sentences
from calibcore.answers.survey import OTHERS_COME, checks_table, says_early
from calibcore.assessment.assess import Assessment, SoFar, assess
from calibcore.assessment.survey import Survey
from calibcore.assessment.verdict import OPEN, Verdict, decided
from calibcore.data.predictions import Predictions
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens, ClassLens, TopKLens
from calibcore.words.verdict_rows import UNKNOWN


def cases(n: int = 200, sharper: float = 1.0, seed: int = 3) -> Predictions:
    rng = np.random.default_rng(seed)
    g = rng.dirichlet(np.ones(3), n)
    labels = (rng.random((n, 1)) >= g.cumsum(axis=1)[:, :-1]).sum(axis=1)
    told = g**sharper
    return Predictions.from_arrays(told / told.sum(axis=1, keepdims=True), labels, ["a", "b", "c"])


LENSES = (TopKLens(1), ClassLens("a"), CanonicalLens())
SPEC = DiagnosisSpec(resamples=599)


def parts_of(p: Predictions, lenses=LENSES) -> tuple[list[object], Assessment]:
    parts: list[object] = []
    found = survey(p, SPEC, lenses, on_result=parts.append)
    parts.append(found)
    return parts, assess(p, found, on_result=parts.append)


@pytest.mark.some(1)
@pytest.mark.parametrize("sharper", [1.0, 1.6])
def test_parts_grow_into_the_whole_and_never_say_anything_else(sharper: float) -> None:
    p = cases(sharper=sharper)
    parts, whole = parts_of(p)
    tolerance = SPEC.tolerance
    for i in range(len(parts) + 1):
        found = SoFar.of(parts[:i], tolerance)
        assert [d.spec.lens for d in found.diagnoses] == [d.spec.lens for d in whole.survey.diagnoses][:i]
        for verdict, final in zip(found.verdicts, whole.verdicts, strict=False):
            assert (verdict.lens, verdict.adjusted, verdict.typical_gap) == (
                final.lens, final.adjusted, final.typical_gap,
            )  # fmt: skip
            assert verdict.answer in (OPEN, final.answer)
            assert verdict.refuted == final.refuted
    assert found.verdicts == whole.verdicts
    assert not found.coming
    assert found.whole == whole.verdicts


@pytest.mark.slow
def test_the_answer_stands_as_soon_as_what_it_needs_is_there() -> None:
    """A model that is off needs the tests alone; of others the whole is worked out first."""
    parts, _ = parts_of(cases(sharper=1.6))
    assert not SoFar.of(parts[:3], 0.05).whole
    early = SoFar.of(parts[:4], 0.05)
    assert {v.answer for v in early.whole} == {"miscalibrated"}
    assert early.coming == {0, 1, 2}
    calm, whole = parts_of(cases())
    assert not SoFar.of(calm[:4], 0.05).whole
    first = SoFar.of(calm[:5], 0.05)
    assert first.coming == {0, 1}
    assert first.whole == (whole.verdicts[2],)
    without, _ = parts_of(cases(), LENSES[:2])
    assert not SoFar.of(without[:4], 0.05).whole  # the other may say more
    assert len(SoFar.of(without, 0.05).whole) == 2


@pytest.mark.parametrize("adjustment", ["holm", "benjamini-hochberg"])
def test_a_problem_is_said_with_the_first_check_that_the_others_cannot_take_back(adjustment: str) -> None:
    """On data of many kinds: whoever is named is miscalibrated in the end; and nobody once all are tested."""
    named = 0
    for seed in range(40):
        parts: list[object] = []
        p = cases(150, 1.0 + 0.25 * (seed % 3), seed)
        result = survey(p, replace(SPEC, adjustment=adjustment), LENSES, on_result=parts.append)
        final = {verdict.lens: verdict.answer for verdict in decided(result)}
        for i in range(4):
            rejecting = SoFar.of(parts[:i], 0.05, 3).first_rejecting
            assert SoFar.of(parts[:i], 0.05).first_rejecting is None  # their number is not known
            if rejecting is not None:
                assert final[rejecting.spec.lens] == "miscalibrated"
                named += 1
        assert SoFar.of([*parts, result], 0.05, 3).first_rejecting is None
    assert named > 10
    said = says_early(SoFar.of(parts_of(cases(sharper=1.6))[0][:1], 0.05, 3))
    assert said == (
        Headline("Miscalibrated. The check 'Confidence in the answer' shows it."),
        Sentences((OTHERS_COME,)),
    )
    assert says_early(SoFar.of(parts_of(cases())[0][:3], 0.05, 3)) == ()


def test_rows_say_what_is_known() -> None:
    parts, whole = parts_of(cases(sharper=1.6))
    alone = checks_table(SoFar.of(parts[:2], 0.05).diagnoses).rows()
    assert [row["Adjusted p"] for row in alone] == ["0.0017 (not adjusted yet)"] * 2
    tested = SoFar.of(parts[:4], 0.05)
    rows = checks_table(tested.diagnoses, tested.verdicts, tested.coming).rows()
    final = checks_table(whole.survey.diagnoses, whole.verdicts).rows()
    for row, last in zip(rows, final, strict=True):
        assert row["Smallest detectable"] == UNKNOWN
        assert {**row, "Smallest detectable": last["Smallest detectable"]} == last


def test_what_is_decided_depends_on_no_simulation() -> None:
    p = cases()
    found = survey(p, SPEC, LENSES)
    rejected = replace(found, adjusted=(0.01, 0.9, 0.9))
    early, late = decided(rejected), judge(p, rejected)
    assert [v.answer for v in early] == ["miscalibrated", OPEN, "miscalibrated"]
    for a, b in zip(early, late, strict=True):
        assert isinstance(a, Verdict)
        if a.answer != OPEN:
            assert (
                replace(
                    a,
                    detectable=b.detectable,
                    smallest_detectable=b.smallest_detectable,
                )
                == b
            )
    assert isinstance(found, Survey)
