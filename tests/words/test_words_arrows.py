"""What is said of arrows that stand out, of outlines and lines, and of two figures side by side."""

from dataclasses import replace

import numpy as np
import pytest

from calibcore import DiagnosisSpec, diagnose
from calibcore.answers.diagram import arrows_table
from calibcore.data.examples import load_example
from calibcore.data.predictions import Predictions
from calibcore.diagnose import bin_pvalues_for, gap_for
from calibcore.diagram.bars import shifts_by_chance
from calibcore.diagram.binning import SimplexBinning, UniformBinning
from calibcore.diagram.density import Isoline
from calibcore.diagram.reliability import Reliability, clearest, reliability
from calibcore.errors import InputError
from calibcore.hypothesis_tests import BinPvalues, TestResult
from calibcore.transforms.lenses import CanonicalLens, Lens, TopKLens
from calibcore.words.arrows import (
    TOGETHER,
    arrow_p,
    arrows_judged,
    arrows_sentence,
    cloud_sentence,
    confused_words,
    how_many,
    middle_cut,
    net_gap_sentence,
    outline_sentence,
    stands_out,
    strongest,
    strongest_sentence,
    too_many_arrows,
)
from calibcore.words.diagram import clearest_bin
from calibcore.words.phrases import points
from calibcore.words.testing import gap_beside_chance, what_compares

P = Predictions.from_arrays(
    [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.7, 0.2, 0.1], [0.1, 0.7, 0.2], [0.75, 0.05, 0.2]],
    [0, 1, 1, 2, 0],
    ("cat", "dog", "fox"),
)


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.fixture(scope="module")
def found() -> Reliability:
    return reliability(P, SimplexBinning(2), n_resamples=9)


TESTS = BinPvalues(np.array([0.021, 0.3]), np.array([0.04, 0.3]), "step-down", 99)


def weighted() -> Reliability:
    p = Predictions.from_arrays(P.probs, P.labels, P.class_names, weights=[1, 2, 1, 2, 1])
    return reliability(p, SimplexBinning(2))


def test_what_stands_out_is_significant_after_adjusting_or_outside_or_not_known(found: Reliability) -> None:
    some = replace(found, outside=np.array([False, True]))
    assert stands_out(some, TESTS, 0.05).tolist() == [True, False]
    assert stands_out(some, TESTS, 0.03).tolist() == [False, False]
    assert stands_out(some, TESTS, 0.04).tolist() == [True, False]
    assert stands_out(some, None, 0.05).tolist() == [False, True]
    assert stands_out(weighted(), None, 0.05).all()


def test_how_many_stand_out(found: Reliability) -> None:
    assert arrows_sentence(found, TESTS).endswith(" 1 of 2 arrows stands out, adjusted for their number.")
    none = arrows_sentence(found, TESTS, 0.01)
    assert none.startswith("None of 2 arrows can be told from chance, adjusted for their number. Even the ")
    assert how_many(found, TESTS, 0.01) not in none.removeprefix(how_many(found, TESTS, 0.01))
    inside = replace(found, outside=np.array([False, False]))
    assert arrows_sentence(inside).startswith("None of 2 arrows is longer than chance allows. Even the ")
    outside = replace(found, outside=np.array([True, True]))
    assert arrows_sentence(outside).endswith(" 2 of 2 arrows are longer than chance allows.")


def test_the_strongest_arrow_has_the_strongest_evidence(found: Reliability) -> None:
    assert strongest(found, TESTS) == 0
    assert strongest(found, replace(TESTS, adjusted=np.array([0.3, 0.04]))) == 1
    tied = replace(TESTS, adjusted=np.array([0.3, 0.3]), pvalue=np.array([0.2, 0.1]))
    assert strongest(found, tied) == 1
    # Inside their bars the longest in units of what chance allows it, not the longest.
    inside = np.array([False, False])
    far = replace(found, outside=inside, deviation=np.array([0.4, 0.1]), high=np.array([0.4, 0.05]))
    assert strongest(far) == 1
    assert strongest(replace(far, high=np.array([0.0, 0.05]))) == 0  # chance allows it nothing
    heavy = replace(weighted(), deviation=np.array([0.4, 0.1]), counts=np.array([1, 9]))
    assert strongest(heavy) == 1


def surely_off(m: int) -> Predictions:
    """Of m classes: at a corner 2 of 125 cases had an outcome that was given next to nothing; elsewhere what
    was given 90 % happened in 240 of 400."""
    corner, full = np.full(m, 0.00001), np.full(m, 0.1 / (m - 1))
    corner[0], full[1] = 1 - 0.00001 * (m - 1), 0.9
    labels = [0] * 123 + [2] * 2 + [1] * 240 + [2] * 160
    return Predictions.from_arrays(
        [corner] * 125 + [full] * 400, labels, [f"class {j}" for j in range(1, m + 1)]
    )


@pytest.mark.parametrize(
    ("m", "lens"), [(3, CanonicalLens()), (4, CanonicalLens()), (6, TopKLens(2)), (6, TopKLens(3))]
)
def test_of_arrows_that_share_the_smallest_p_the_strongest_is_the_clearest_bin(m: int, lens: Lens) -> None:
    spec = DiagnosisSpec(lens=lens)
    diagram = diagnose(surely_off(m), spec).reliability
    tests = bin_pvalues_for(surely_off(m), spec, diagram.n_bins)
    assert tests is not None
    place = clearest(diagram)
    assert place is not None
    corner = int(np.argmin(diagram.counts))
    assert tests.at_floor[[place.bin, corner]].all()
    beyond = diagram.deviation / diagram.high
    assert beyond[corner] > beyond[place.bin]
    assert place.bin != corner
    for known in (tests, None):
        assert strongest(diagram, known) == place.bin
    size = points(float(diagram.deviation[place.bin]))
    assert f"({size} away, adjusted p" in strongest_sentence(diagram, tests)
    assert f" is {size} away (400 cases)" in clearest_bin(diagram)


def test_the_strongest_arrow_is_told_by_the_class_that_moves_most(found: Reliability) -> None:
    one = replace(
        found,
        counts=np.array([3, 2]),
        deviation=np.array([0.7 - 1 / 3, 0.0]),
        mean_prediction=np.array([[0.7, 0.2, 0.1], [0.1, 0.75, 0.15]]),
        observed=np.array([[1 / 3, 0.5, 1 / 6], [0.1, 0.75, 0.15]]),
    )
    first = (
        "Strongest arrow: in its 3 wines 'cat' was given 70.0 % on average and happened 33.3 % of the time "
        "(36.7 points away"
    )
    assert plain(strongest_sentence(one, TESTS, 0.05, "wine")) == f"{first}, adjusted p = 0.04)."
    chance = first.replace("Strongest arrow", "Even the strongest could be chance")
    assert plain(strongest_sentence(one, TESTS, 0.01, "wine")) == f"{chance}, adjusted p = 0.04)."
    of_some = plain(arrows_sentence(one, TESTS, 0.01, "wine", "0 of 3 stand out.", rejected=True))
    assert of_some.startswith("0 of 3 stand out. Even the strongest that is drawn could be chance: in its 3")
    assert of_some.endswith(TOGETHER)
    assert TOGETHER not in arrows_sentence(one, TESTS, 0.05, "wine", rejected=True)
    moved = one.mean_prediction + np.array([[-0.00004, 0.00004, 0.0], [0, 0, 0]])
    near = plain(strongest_sentence(replace(one, observed=moved, deviation=np.array([0.00004, 0])), TESTS))
    assert "was given 70.000 % on average and happened 69.996 % of the time (0.004 points away, " in near
    right = replace(one, observed=one.mean_prediction)
    assert strongest_sentence(right, TESTS).startswith("Every arrow is a dot: ")


def test_why_an_arrow_is_strong(found: Reliability) -> None:
    assert plain(arrows_judged(found, TESTS, 0.05)) == (
        "Strong arrows have an exact p of 0.05 or less, adjusted for 2 arrows. "
        "Were the model calibrated, any would be strong at most 5 % of the time."
    )
    one = reliability(P, SimplexBinning(1), n_resamples=9)
    assert arrows_judged(one, TESTS, 0.1) == "The arrow is strong if its exact p is 0.1 or less."
    some = replace(found, expected_outside=0.31)
    assert arrows_judged(some, None, 0.05) == (
        "Strong arrows are longer than chance allows for their own bin, not adjusted for their number. "
        "Were the model calibrated, we would expect about 0.3 of them."
    )
    assert arrows_judged(weighted(), None, 0.05) == ""
    assert too_many_arrows(found).startswith("So many bins (2) cannot be told from chance one by one.")


def test_long_names_of_confused_classes_are_cut_in_the_middle_each() -> None:
    names = ("airplane (fixed wing, civil)", "bird (any of the order Aves)", "ship or other vessel")
    for some in (names[:2], names):
        words = confused_words(some, 28)
        assert len(words) <= 30
        parts = words.removeprefix("Confused: ").split(", ")
        assert [part[0] for part in parts] == [name[0] for name in some]
        assert [part[-1] for part in parts] == [name[-1] for name in some]
    assert confused_words(("cat", "dog"), 28) == "Confused: cat, dog"
    assert confused_words(("cat", "dog")) == "Most confused: 'cat' and 'dog'"
    assert middle_cut("airplane", 8) == "airplane"
    assert middle_cut("airplanes", 8) == "airpl…es"


def test_an_arrows_p() -> None:
    assert arrow_p(TESTS, 0) == "arrow's adjusted p = 0.04"
    assert arrow_p(None, 0) == ""
    sure = replace(TESTS, adjusted=np.array([0.00001, 0.995]))
    said = [arrow_p(sure, b) for b in (0, 1)]
    assert said == ["arrow's adjusted p < 0.0001", "arrow's adjusted p > 0.99"]
    least = replace(TESTS, pvalue=np.array([0.01, 0.3]))
    assert arrow_p(least, 0) == "arrow's adjusted p = 0.04, the smallest possible"
    assert arrow_p(least, 1) == "arrow's adjusted p = 0.3"


def test_the_outline_says_how_far_and_on_which_side_the_arrow_ends(found: Reliability) -> None:
    some = replace(found, high=np.array([0.123, 0.0]), outside=np.array([True, False]))
    n = f"{some.counts[0]:,}"
    assert plain(outline_sentence(some, 0, "day")) == (
        f"Were the model calibrated, this arrow of {n} days would end within 12.3 points of its beginning, "
        "the grey outline, at least 95 % of the time. It ends outside."
    )
    inside = replace(some, outside=np.array([False, False]), counts=np.array([1, 4]))
    assert "this arrow of 1 day would" in outline_sentence(inside, 0, "day")
    assert outline_sentence(inside, 0).endswith("It ends inside.")
    assert outline_sentence(some, 1).startswith("The model is sure here")
    assert "weighted" in outline_sentence(weighted(), 0)


def test_the_cloud_says_the_share_that_it_holds() -> None:
    cloud = Isoline(0.5, 0.508, ()), Isoline(0.9, 0.9, ())
    assert plain(cloud_sentence(cloud, "day")) == (
        "The darker blue holds 51 % of the predictions for all days, where they are densest; both shades "
        "together 90 %."
    )


def test_the_table_of_arrows_has_their_p_values_in_its_own_order(found: Reliability) -> None:
    rows = arrows_table(found, TESTS, 0.05).rows()
    fullest = int(found.counts.argmax())
    assert rows[0]["Cases"] == found.counts[fullest]
    assert rows[0]["Arrow's adjusted p"] == ("0.04", "0.3")[fullest]
    assert [row["Stands out"] for row in rows] == (["yes", ""] if fullest == 0 else ["", "yes"])
    exact = arrows_table(found, TESTS, 0.05).rows(exact=True)
    assert exact[0]["adjusted p"] == TESTS.adjusted[fullest]
    assert exact[0]["p"] == TESTS.pvalue[fullest]
    assert "Adjusted p" not in arrows_table(found, None, 0.05).rows()[0]


def test_a_gap_stands_beside_its_own_chance_and_p() -> None:
    gap = TestResult(0.0363, 0.034, "", "exact", np.linspace(0, 0.1, 1001), 1001)
    assert gap_beside_chance(gap, "total-variation") == (
        "Average gap (ECE) 3.6 points. A calibrated model shows from 0.5 to 9.5 points here, 9 times in 10. "
        "The exact test of this ECE gives p = 0.034. "
        "It is exact for independent cases, of this lens alone, not adjusted."
    )
    least = replace(gap, pvalue=0.001, n_resamples=999)
    assert "p = 0.001, the smallest possible (none of 999" in gap_beside_chance(least, "total-variation")


def test_what_may_be_compared() -> None:
    assert what_compares(False, 1204, "image").startswith("Two models on the same 1,204 images, on the same")
    assert what_compares(False, 1).startswith("Two models on the same case,")
    assert what_compares(True, 9).startswith("Two views of one model")
    for same in (True, False):
        assert "Do not compare the two average gaps" in what_compares(same, 9)


SPEC = DiagnosisSpec(
    lens=TopKLens(1), binning=UniformBinning(5), tests=("exact",), estimates=(), resamples=99, seed=4
)


def test_a_gap_alone_is_that_of_a_whole_diagnosis() -> None:
    p = load_example("wine")
    whole, alone = diagnose(p, SPEC), gap_for(p, SPEC)
    test = whole.test("exact-ece")
    assert test is not None
    assert test.result is not None
    assert (alone.statistic, alone.pvalue) == (test.result.statistic, test.result.pvalue)
    assert alone.null_distribution is not None
    assert whole.calibration_error["ece_mean"] == pytest.approx(alone.null_distribution.mean())
    with pytest.raises(InputError):
        gap_for(Predictions.from_arrays(P.probs, P.labels, weights=[1, 2, 1, 2, 1]), SPEC)


def test_p_values_of_bins_alone_are_those_of_a_diagnosis_with_as_many_redraws() -> None:
    p, spec = load_example("wine"), replace(SPEC, resamples=2000)
    whole = diagnose(p, spec)
    told: list[float] = []
    alone = bin_pvalues_for(p, spec, whole.reliability.n_bins, lambda fraction, _: told.append(fraction))
    assert alone is not None
    assert whole.bin_pvalues is not None
    assert alone.adjusted.tolist() == whole.bin_pvalues["adjusted_p_value"]
    assert not told  # the laws of bins of two classes need no redraws
    more = bin_pvalues_for(p, replace(SPEC, lens=CanonicalLens(), binning=UniformBinning(2)), 5)
    assert more is not None
    assert more.n_resamples == 999  # 10 · 5/0.05 − 1
    heavy = Predictions.from_arrays(P.probs, P.labels, weights=[1, 2, 1, 2, 1])
    assert bin_pvalues_for(heavy, replace(SPEC, lens=CanonicalLens()), 2) is None


def test_a_shift_stands_beside_what_chance_alone_explains(found: Reliability) -> None:
    shift, chance = 100 * found.shifts, 100 * shifts_by_chance(P.probs)
    said = net_gap_sentence(found)
    assert f"more often than predicted (chance alone: up to {chance[shift.argmax()]:.1f})" in said
    assert f" less (up to {chance[shift.argmin()]:.1f})." in said
    assert "chance alone" not in net_gap_sentence(weighted())
    assert "chance alone" not in net_gap_sentence(replace(found, shifts_by_chance=None))


def moved(found: Reliability, *shift: float, limits: tuple[float, ...]) -> Reliability:
    """One bin of all cases, off by ``shift``."""
    said = np.array([[0.5, 0.3, 0.2]])
    one = replace(found.only(np.array([0])), counts=np.array([found.n_cases]), mean_prediction=said)
    return replace(one, observed=said + shift, shifts_by_chance=np.array(limits))


def test_a_small_shift_beyond_chance_is_not_rounded_away(found: Reliability) -> None:
    names = found.class_names
    rare = moved(found, -0.00043, 0.00043, 0.0, limits=(0.00027, 0.00027, 0.0))
    assert net_gap_sentence(rare) == (
        f"Net gap over all arrows: '{names[1]}' happens 0.04 points more often than predicted "
        f"(chance alone: up to 0.03), '{names[0]}' 0.04 points less (up to 0.03)."
    )
    within = moved(found, -0.00043, 0.00043, 0.0, limits=(0.001, 0.001, 0.001))
    assert net_gap_sentence(within) == "Over all arrows every class happens as often as predicted."


def test_no_class_happens_zero_points_less(found: Reliability) -> None:
    one = moved(found, 0.0008, -0.0004, -0.0004, limits=(0.01, 0.01, 0.01))
    assert net_gap_sentence(one) == (
        f"Net gap over all arrows: '{found.class_names[0]}' happens 0.1 points more often than predicted "
        "(chance alone: up to 1.0)."
    )


def test_every_class_that_shifts_beyond_chance_is_named(found: Reliability) -> None:
    names = found.class_names
    three = moved(found, -0.03, 0.02, 0.01, limits=(0.04, 0.04, 0.004))
    assert net_gap_sentence(three) == (
        f"Net gap over all arrows: '{names[1]}' happens 2.0 points more often than predicted "
        f"(chance alone: up to 4.0), '{names[0]}' 3.0 points less (up to 4.0), "
        f"'{names[2]}' 1.0 point more (up to 0.4)."
    )
