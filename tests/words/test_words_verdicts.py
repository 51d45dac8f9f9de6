"""Every sentence about a verdict beside its numbers; singular and plural; none, one and many."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibcore import DiagnosisSpec, Predictions, Recalibration, diagnose, recalibrate, survey
from calibcore.assessment.assess import assess
from calibcore.assessment.power import Detectable
from calibcore.assessment.temperature_set import TemperatureSet
from calibcore.assessment.verdict import Verdict
from calibcore.diagram.gap_sizes import Frequencies, Interval
from calibcore.diagram.typical_gap import MOST_ONE_SIDED, TypicalGap
from calibcore.questions.recalibrate import words as recalibrating
from calibcore.transforms.lenses import CanonicalLens, ClassLens, Lens, TopKLens
from calibcore.words.sizes import APPROXIMATE, size_beside, size_sentence
from calibcore.words.temperature import beside_verdicts, estimate_words, temperature_sentence, told_from_1
from calibcore.words.verdict_rows import lens_notes, verdict_methods
from calibcore.words.verdicts import (
    adjusted_words,
    answer_sentence,
    chip,
    chip_text,
    detectable_sentence,
    sized_parts,
    sized_sentence,
)

CAT = ClassLens("cat")
SPACE = "\N{NO-BREAK SPACE}"
AT_MOST = f"The typical gap of the class 'cat' is at most 5.1 points, by its {APPROXIMATE}"
LEVEL = Frequencies("cat", 0.51, 0.5, Interval(0.01, -0.021, 0.040), 156, 312)
FAR = Frequencies("cat", 0.536, 0.5, Interval(0.036, 0.021, 0.050), 156, 312)
SHIFT = Detectable("bias", "cat", 0.031, 0.05, 0.8)
SURE = Detectable("overconfidence", "", 0.02, 0.1, 0.81)
UNEVEN = Detectable("uneven", "", 0.025, 0.08, 0.8, 0.31)
SHIFT_OF_LITTLE = Detectable("bias", "cat", 0.02, 0.9, 0.8, 0.03)


def verdict(answer: str = "consistent", lens: Lens = CAT, **changes: object) -> Verdict:
    found = Verdict(
        lens=lens,
        answer=answer,
        small=False,
        pvalue=0.001 if answer == "miscalibrated" else 0.34,
        adjusted=0.013 if answer == "miscalibrated" else 0.34,
        alpha=0.05,
        tolerance=0.05,
        n=312,
        typical_gap=Interval(0.042, 0.030, 0.051),
        frequencies=(FAR if answer == "miscalibrated" else LEVEL,),
        detectable=(SHIFT, SURE),
        smallest_detectable=0.031,
    )
    return replace(found, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("estimate", "said", "alone"),
    [(1.04784, "1.05", "1.05"), (0.9962, "0.996", "0.996"), (1.0, "1", "1.00"), (1.43, "1.4", "1.43")],
)
def test_a_temperature_is_told_from_1(estimate: float, said: str, alone: str) -> None:
    fits = TemperatureSet(estimate, 0.8, 1.3, 0.4, -1.0, 999, False)
    assert estimate_words(fits) == said
    assert told_from_1(estimate) == alone
    assert float(estimate_words(fits)) == pytest.approx(estimate, abs=0.05)


def test_a_temperature_is_not_said_to_mend_a_confidence_that_leans_the_other_way() -> None:
    flatter = TemperatureSet(3.7, 3.3, 4.1, 0.001, -50.0, 999, True)
    top = TopKLens(1)
    sure, unsure = (
        verdict("miscalibrated", top, frequencies=(replace(FAR, gap=gap),))
        for gap in (FAR.gap, Interval(-0.51, -0.55, -0.46))
    )
    one_way = temperature_sentence(flatter)
    assert "would mend it, if overconfidence is all that is wrong" in one_way
    assert beside_verdicts(flatter, [verdict(), sure]) == one_way
    assert beside_verdicts(flatter, [verdict("miscalibrated")]) == one_way
    assert beside_verdicts(flatter, [verdict(), unsure]) == (
        "No one temperature mends it. On balance the model is too unsure of its answers, yet what it calls "
        "unlikely happens too often (p = 0.001, the smallest possible)."
    )
    steeper = TemperatureSet(0.5, 0.4, 0.6, 0.02, 50.0, 999, False)
    assert "too sure of its answers, yet what it calls unlikely happens too rarely (p = 0.02)" in (
        beside_verdicts(steeper, [sure])
    )
    fits = replace(flatter, low=0.9)
    assert beside_verdicts(fits, [unsure]) == temperature_sentence(fits)
    assert beside_verdicts(None, [unsure]) == ""


def test_a_temperature_does_not_speak_against_the_verdict_above_it() -> None:
    """Where it changes nothing, where the confidence leans though 1 fits, where no check found a problem."""
    sure = verdict("miscalibrated", TopKLens(1), frequencies=(FAR,))
    nothing = TemperatureSet(1.0, 0.05, 20.0, 1.0, 0.0, 999, False)
    for verdicts in ([sure], [verdict()]):
        assert beside_verdicts(nothing, verdicts) == (
            "Every temperature from 0.05 to 20 fits, so a temperature says nothing here."
        )
    fits = TemperatureSet(1.0, 0.6, 1.3, 0.32, -1.0, 999, False)
    assert beside_verdicts(fits, [sure]) == (
        "On balance the model is too sure of its answers. A temperature does not show it: 1, which changes "
        "nothing, fits, as do 0.6 to 1.3 (p = 0.32)."
    )
    clear = TemperatureSet(0.76, 0.64, 0.9, 0.006, 20.0, 999, False)
    assert beside_verdicts(clear, [verdict(), verdict("cannot-tell", TopKLens(1), frequencies=(FAR,))]) == (
        "Taken alone, temperatures of 0.64 to 0.9 fit better than 1 (p = 0.006, not adjusted for the checks)."
    )
    assert "would mend it" in beside_verdicts(clear, [verdict("miscalibrated"), verdict()])
    assert "not adjusted" in beside_verdicts(replace(clear, empty=True), [verdict()])


def test_recalibration_says_of_the_temperature_what_stands_beside_the_verdict() -> None:
    said = np.repeat([0.7, 0.999], [200, 100])
    went_wrong = np.concatenate([np.arange(200) % 20 == 0, np.arange(100) % 10 == 0]).astype(np.int64)
    p = Predictions.from_arrays(np.column_stack([said, 1 - said]), went_wrong, ["ill", "well"])
    spec = DiagnosisSpec(resamples=99)
    found = recalibrate(p, ["temperature"], spec)
    assessment = assess(p, survey(p, spec, [TopKLens(1)], binning_of_many=spec.binning))
    beside = beside_verdicts(assessment.temperature, assessment.verdicts)
    assert beside.startswith("No one temperature mends it.")
    assert recalibrating.of_temperature(found) == beside
    assert recalibrating.of_temperature(Recalibration.from_json(found.to_json())) == beside
    assert "fit what happened" not in recalibrating.curve_sentence(found)
    earlier = replace(found, confidence=None)
    assert recalibrating.of_temperature(earlier) == temperature_sentence(found.temperature)


def test_an_error_below_the_tolerance_is_not_called_small_of_a_rarer_event() -> None:
    """An event of 0.1 % that happens in 2.5 %: an error of 5 points is no measure of it."""
    rare = Frequencies("cat", 0.001, 0.025, Interval(-0.024, -0.030, -0.019), 8, 312)
    none = "Expecting none at all is a smaller error than that: name a smaller tolerance."
    size = "An error of 5 points is more than"
    off = verdict("miscalibrated", small=True, frequencies=(rare,))
    assert chip(off).words == "Miscalibrated"
    said = answer_sentence(off).replace(SPACE, " ")
    assert f"{size} the mean probability of 'cat', 0.1 % (it happened in 2.5 %). {none}" in said
    assert "small:" not in said
    assert none in answer_sentence(verdict(frequencies=(rare,)))
    seldom = replace(rare, said=0.06, happened=0.02)
    said = answer_sentence(verdict("miscalibrated", small=True, frequencies=(seldom,))).replace(SPACE, " ")
    assert f"{size} the frequency of 'cat', 2.0 % (its mean probability is 6.0 %). {none}" in said
    rarely_said = replace(rare, said=0.04, happened=0.06)
    said = answer_sentence(verdict("miscalibrated", small=True, frequencies=(rarely_said,)))
    assert said.endswith("Name a smaller tolerance.")
    common = replace(rare, class_name="dog", said=0.999, happened=0.975)
    whole = verdict("miscalibrated", CanonicalLens(), small=True, frequencies=(common,))
    assert "the mean probability of what is not 'dog', 0.1" in answer_sentence(whole)
    assert none not in answer_sentence(replace(whole, lens=CAT))
    assert "That is small" in answer_sentence(replace(whole, lens=TopKLens(1), frequencies=(rare,)))
    assert none in sized_parts([replace(whole, frequencies=(FAR, FAR, FAR)), off])[1]


def test_two_classes_are_off_by_at_least_what_the_confidence_is() -> None:
    wide, far = Interval(0.08, 0.0, 0.144), Interval(0.106, 0.045, 0.165)
    whole = verdict("miscalibrated", CanonicalLens(), typical_gap=wide)
    sure = verdict("miscalibrated", TopKLens(1), typical_gap=far)
    least = "By its own interval the confidence is off by at least 4.5 points, and so are they."
    assert least in sized_sentence([sure, whole], "too sure")
    assert "these cases do not show" not in sized_sentence([sure, whole], "too sure")
    many = replace(whole, frequencies=(FAR, FAR, FAR))
    for verdicts in ([whole], [sure, many], [replace(sure, typical_gap=wide), whole]):
        assert "How far, these cases do not show." in sized_sentence(verdicts, "too sure")


@pytest.mark.parametrize("seed", range(20))
def test_the_gap_of_the_confidence_is_no_larger_than_that_of_two_classes(seed: int) -> None:
    """By the definition, of a law whose values lie on both sides of ½, one on it."""
    rng = np.random.default_rng(seed)
    one_side = rng.uniform(0, 0.5, 5)
    x = np.concatenate([one_side, 1 - one_side, [0.5]])
    share, gaps = rng.dirichlet(np.ones(11)), rng.uniform(-0.3, 0.3, 11)
    of_two = np.sqrt(share @ gaps**2)
    towards = np.where(x > 0.5, gaps, -gaps)  # of the answer, whichever class that is
    mirrored = share[:5] + share[5:10]
    means = (share[:5] * towards[:5] + share[5:10] * towards[5:10]) / mirrored
    of_confidence = np.sqrt(mirrored @ means**2 + share[10] * gaps[10] ** 2)
    assert of_confidence <= of_two + 1e-12


# --- the chip ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "small", "words", "sign"),
    [
        ("miscalibrated", False, "Miscalibrated", "✕"),
        ("miscalibrated", True, "Miscalibrated, but small", "✕"),
        ("consistent", False, "Consistent with calibration", "✓"),
        ("cannot-tell", False, "Cannot tell", "?"),
    ],
)
def test_a_chip_has_words_an_icon_and_a_colour(answer: str, small: bool, words: str, sign: str) -> None:
    found = verdict(answer, small=small)
    assert chip(found).words == words
    assert chip(found).colour == answer
    assert chip(found).icon
    assert chip_text(found) == f"{sign} {words}"


def test_the_icon_of_an_answer_looks_like_its_sign() -> None:
    like = {"✕": "close", "✓": "check", "?": "question_mark"}
    for answer in ("miscalibrated", "consistent", "cannot-tell"):
        assert chip(verdict(answer)).icon == like[chip_text(verdict(answer))[0]]


# --- the answer ---------------------------------------------------------------------


def test_consistent_says_what_would_have_been_seen() -> None:
    assert answer_sentence(verdict()) == (
        f"No sign of miscalibration. {AT_MOST}. "
        "Overconfidence or a shift of more than 3.1 points would have been seen 8 times in 10. "
        "Other patterns may need more cases."
    )


@pytest.mark.parametrize("answer", ["consistent", "cannot-tell"])
@pytest.mark.parametrize("sign", [{"pvalue": 0.03}, {"frequencies": (FAR,)}])
def test_no_sign_is_not_said_above_signs_of_it(answer: str, sign: dict[str, object]) -> None:
    quiet = verdict(answer, CanonicalLens(), frequencies=(LEVEL,) * 3)
    alone = verdict(answer, CAT, **sign)
    wide = {"smallest_detectable": 0.06} if answer == "cannot-tell" else {}
    both = [replace(quiet, **wide), replace(alone, **wide)]
    assert "No sign" in " ".join(sized_parts([both[0]]))
    for words in (answer_sentence(both[1]), " ".join(sized_parts(both))):
        assert "No sign" not in words
        assert "No proof of miscalibration" in words
    assert (
        "Taken alone, 1 of 2 checks shows more than chance allows: 'cat'. "
        "Adjusted for the number of checks, no test does." in sized_parts(both)[1]
    )
    assert "Taken alone" not in sized_parts([quiet, replace(alone, answer="miscalibrated")])[1]
    assert "not adjusted for the number of checks" in lens_notes(both)


def test_another_check_that_may_be_off_farther_is_named() -> None:
    whole = verdict(lens=CanonicalLens(), frequencies=(LEVEL,) * 3)
    far = verdict(typical_gap=Interval(0.05, 0.0, 0.078))
    said, more = sized_parts([whole, far])
    assert f"all classes together is at most 5.1 points, by its {APPROXIMATE}." in said
    assert "The typical gap of the class 'cat' alone may be up to 7.8 points, by the same interval." in more
    assert "may be up to" not in sized_parts([whole, verdict()])[1]
    p = Predictions.from_arrays(np.tile([[0.6, 0.4]], (30, 1)), [0, 1] * 15)
    first = diagnose(p, DiagnosisSpec(resamples=19))
    limit = " ".join(verdict_methods(first, [whole, far]))
    assert "at most 7.1 points by its one-sided 90" in limit
    assert "so that end may be larger" in limit


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("docs/statistics/verdict.md", "Of two and three classes it is the one-sided 90 % limit"),
        ("docs/statistics/verdict.md", "Of four and more classes it is that upper end"),
        ("docs/cli.md", "one-sided, 90 %, of two and three classes; else null, and `high` counts"),
        ("assets/texts/glossary.md", "its one-sided 90 % limit, of four and more classes the upper end"),
        ("assets/texts/methods.md", "the one-sided 90 % limit, of four and more classes the upper end"),
    ],
)
def test_the_limit_that_verdicts_look_at_is_one_sided_up_to_three_classes(place: str, words: str) -> None:
    assert MOST_ONE_SIDED == 3
    text = (Path(__file__).parents[2] / place).read_text(encoding="utf-8")
    assert words in " ".join(text.split())


def test_cannot_tell_says_how_large_an_error_of_another_shape_may_be() -> None:
    wide = verdict("cannot-tell", typical_gap=TypicalGap(0.042, 0.0, 0.0812))
    assert answer_sentence(wide, "patient") == (
        "Too few patients to tell: the typical gap may still be 8.1 points. "
        "No sign of miscalibration in 312 patients, but only up to 7.1 points would be called consistent."
    )
    near = verdict("cannot-tell", typical_gap=TypicalGap(0.042, 0.0, 0.0709))
    assert "may still be 7.09 points. " in answer_sentence(near)
    assert "but only up to 7.07 points would be called consistent." in answer_sentence(near)
    one_sided = verdict("cannot-tell", typical_gap=TypicalGap(0.042, 0.0, 0.0912, 0.01, 0.0812))
    assert answer_sentence(one_sided, "patient") == answer_sentence(wide, "patient")
    linear = verdict("cannot-tell", typical_gap=TypicalGap(0.02, 0.0, 0.05, 0.093))
    assert "an error in proportion to the probabilities may still be 9.3 points" in answer_sentence(linear)


@pytest.mark.parametrize(
    ("n", "size", "cases", "seen", "matters"),
    [
        (312, 0.06, "312 patients", "6.0 points", "5 points"),
        (312, 0.0064, "312 patients", "0.64 points", "0.5 points"),
        (1204, 0.1234, "1,204 patients", "12 points", "5 points"),
        (312, 0.0501, "312 patients", "5.01 points", "5 points"),
    ],
)
def test_cannot_tell_says_what_could_have_been_seen_and_what_would_matter(
    n: int, size: float, cases: str, seen: str, matters: str
) -> None:
    found = verdict("cannot-tell", n=n, smallest_detectable=size, tolerance=0.005 if size == 0.0064 else 0.05)
    assert answer_sentence(found, "patient") == (
        f"Too few patients to tell: errors of up to {seen} could go unseen. "
        f"No sign of miscalibration in {cases}, but errors matter from {matters} on."
    )


@pytest.mark.parametrize(("n", "cases"), [(12, "12 patients"), (1, "1 patient")])
def test_what_cannot_be_seen_at_its_largest_is_said(n: int, cases: str) -> None:
    sure = replace(SURE, size=None, share=None, power=0.4, largest=0.083)
    found = verdict("cannot-tell", n=n, smallest_detectable=None, detectable=(sure, SHIFT))
    said = (
        f"Too few patients to tell. In {cases} even the largest overconfidence (8.3 points) could go unseen."
    )
    assert answer_sentence(found, "patient") == said


def test_what_could_go_unseen_in_another_check_is_said_too() -> None:
    none = replace(SURE, size=None, share=None, power=0.4, largest=0.083)
    whole = verdict("cannot-tell", CanonicalLens(), smallest_detectable=0.12)
    blind = verdict("cannot-tell", smallest_detectable=None, detectable=(none, SHIFT))
    more = sized_parts([whole, blind])[1]
    assert "Of the class 'cat' even the largest overconfidence (8.3 points) could go unseen." in more
    larger = verdict("cannot-tell", smallest_detectable=0.18)
    assert (
        "Of the class 'cat' alone errors of up to 18 points could go unseen."
        in sized_parts([whole, larger])[1]
    )
    smaller = verdict("cannot-tell", smallest_detectable=0.11)
    assert "could go unseen" not in sized_parts([whole, smaller])[1]


def test_what_is_not_known_is_said() -> None:
    unknown = verdict("cannot-tell", detectable=(), smallest_detectable=None)
    assert answer_sentence(unknown).startswith("We cannot tell. ")
    assert "what could have been seen is not known here." in answer_sentence(unknown)
    assert detectable_sentence(unknown) == "What could be seen here is not known."
    assert detectable_sentence(verdict()) == (
        "Overconfidence or a shift of 3.1 points would be seen 8 times in 10 here."
    )
    assert detectable_sentence(verdict(detectable=(SHIFT, SURE, UNEVEN))) == (
        "Overconfidence, a shift or uneven errors of 3.1 points would be seen 8 times in 10 here."
    )


def test_uneven_errors_are_named_where_they_were_looked_for() -> None:
    found = verdict(detectable=(SHIFT, SURE, UNEVEN))
    assert answer_sentence(found).startswith(
        f"No sign of miscalibration. {AT_MOST}. "
        "Overconfidence, a shift or uneven errors of more than 3.1 points"
    )
    many = verdict(detectable=(*(SHIFT,) * 3, UNEVEN), frequencies=(FAR,) * 12)
    assert "Overconfidence, a shift towards one of the 3 most predicted classes or uneven errors of" in (
        answer_sentence(many)
    )


def test_only_patterns_that_go_unseen_are_said_to() -> None:
    sure = replace(SURE, size=None, share=None, power=0.74, largest=0.068)
    dog = Detectable("bias", "dog", None, None, 0.7)
    uneven = replace(UNEVEN, size=None, share=None)
    for patterns, said in (
        ((sure, SHIFT), "the largest overconfidence (6.8 points) "),
        ((uneven, SHIFT), "the largest uneven error (31.0 points) "),
        ((replace(sure, largest=0.04), dog), "the largest shift towards 'dog' "),  # 4 points do not count
        ((replace(sure, largest=0.04), SHIFT_OF_LITTLE), "the largest overconfidence (4.0 points) "),
        ((dog, SHIFT, SURE), "the largest shift towards 'dog' "),
        ((dog, replace(dog, class_name="fox"), SURE), "the largest shift "),
        ((dog, sure, SHIFT), "the largest overconfidence (6.8 points) or shift "),
        (
            (dog, uneven, sure),
            "the largest uneven error (31.0 points), overconfidence (6.8 points) or shift ",
        ),
    ):
        found = verdict("cannot-tell", smallest_detectable=None, detectable=patterns)
        assert f"even {said}could go unseen." in answer_sentence(found)
        assert detectable_sentence(found).startswith(f"Even {said}would be missed")


def test_miscalibrated_says_how_far_off_first_and_then_p_with_its_promise() -> None:
    assert answer_sentence(verdict("miscalibrated"), "patient") == (
        f"The probabilities of 'cat' are typically 4.2 points off (approximate 95{SPACE}% interval 3.0 to "
        "5.1). "
        "On balance the model gives 'cat' too high a probability. "
        "Chance is a poor explanation: adjusted p = 0.013, exact for independent patients."
    )


@pytest.mark.parametrize(
    ("component", "direction", "said"),
    [
        ("temperature", "too sure", "Mostly: too sure."),
        ("temperature", "too unsure", "Mostly: too unsure."),
        ("kernel-5", "", "Mostly: errors within narrow ranges of probabilities."),
        ("class-mix", "", "Mostly: probabilities too high or too low on average."),
    ],
)
def test_what_stands_out_most_is_said_after_p(component: str, direction: str, said: str) -> None:
    found = verdict("miscalibrated", decided_by=component, direction=direction, frequencies=(LEVEL,))
    assert answer_sentence(found).endswith(f"exact for independent cases. {said}")
    of_many = replace(found, frequencies=(LEVEL, LEVEL, LEVEL))
    many = said.replace(
        "probabilities too high or too low on average",
        "probabilities of some classes too high, of others too low",
    )
    assert answer_sentence(of_many).endswith(many)
    assert "Mostly" not in answer_sentence(verdict(decided_by=component, direction=direction))


@pytest.mark.parametrize(
    ("said", "happened", "direction", "explained"),
    [
        (0.2, 0.1, "too unsure", True),
        (0.2, 0.1, "too sure", False),
        (0.1, 0.2, "too sure", True),
        (0.1, 0.2, "too unsure", False),
        (0.9, 0.8, "too sure", True),
        (0.8, 0.9, "too unsure", True),
    ],
)
def test_what_a_shift_of_an_event_explains_is_not_called_too_sure(
    said: float, happened: float, direction: str, explained: bool
) -> None:
    off = said - happened
    event = Frequencies("cat", said, happened, Interval(off, off - 0.02, off + 0.02), 100, 1_000)
    found = verdict("miscalibrated", decided_by="temperature", direction=direction, frequencies=(event,))
    assert f"On balance the model gives 'cat' {found.balance} a probability." in answer_sentence(found)
    assert ("Mostly" not in answer_sentence(found)) == explained
    assert found.to_document()["direction"] == direction
    assert found.to_document()["balance"] == ("too high" if off > 0 else "too low")
    assert "balance" not in replace(found, frequencies=(LEVEL,)).to_document()
    assert Verdict.from_json(found.to_json()).balance == found.balance


@pytest.mark.parametrize("classes", [(FAR,), (FAR, FAR, FAR)])
def test_what_the_sentence_on_the_balance_says_is_not_said_again(classes: tuple[Frequencies, ...]) -> None:
    found = verdict("miscalibrated", decided_by="class-mix", frequencies=classes)
    assert "On balance" in answer_sentence(found)
    assert "Mostly" not in answer_sentence(found)


def test_small_is_said_with_the_tolerance() -> None:
    found = verdict("miscalibrated", small=True, typical_gap=Interval(0.02, 0.01, 0.031))
    assert answer_sentence(found).endswith(
        "That is small: the typical gap is hardly more than 3.1 points, below the tolerance of 5 points."
    )
    one = replace(found, tolerance=0.01, typical_gap=Interval(0.005, 0.001, 0.00996))
    assert answer_sentence(one).endswith("hardly more than 0.996 points, below the tolerance of 1 point.")


def test_a_canonical_verdict_by_other_lenses_names_them() -> None:
    found = verdict("miscalibrated", CanonicalLens(), adjusted=0.34, by_lenses=("class:cat",))
    assert answer_sentence(found) == (
        f"{size_sentence(found.lens, found.typical_gap, found.frequencies)} "
        "Miscalibrated in the check of the class 'cat', and so as a whole; "
        "the test of the class 'cat' alone does not show it "
        "(adjusted p = 0.34, exact for independent cases)."
    )
    two = replace(found, by_lenses=("top-k:1", "class:cat"))
    assert "in the check of confidence in the answer and 1 other, and so" in answer_sentence(two)
    three = replace(found, by_lenses=("top-k:1", "class:cat", "class:dog"))
    assert "and 2 others, and so" in answer_sentence(three)


@pytest.mark.parametrize("p", [0.00001, 0.0496, 0.05])
def test_the_adjusted_p_never_hides_its_side_of_the_level(p: float) -> None:
    said = answer_sentence(verdict("miscalibrated", adjusted=p))
    assert {0.00001: "adjusted p < 0.0001,", 0.0496: "p = 0.0496,", 0.05: "p = 0.05,"}[p] in said


def test_an_adjusted_p_that_could_not_be_smaller_says_so() -> None:
    assert adjusted_words(verdict("miscalibrated", adjusted=0.005, at_floor=True), "image") == (
        "adjusted p = 0.005, the smallest possible, exact for independent images"
    )


@pytest.mark.parametrize(
    ("size", "limit", "said"),
    [
        (0.031, 0.05, "3.1 points"),
        (0.05, 0.05, "5.0 points"),
        (0.0501, 0.05, "5.01 points"),
        (0.0499999, 0.05, "5.0 points"),
        (0.01, 0.05, "1.0 point"),
        (0.0, 0.05, "0.0 points"),
        (0.0004, 0.05, "0.04 points"),
        (0.000021, 0.00002, "0.0021 points"),
    ],
)
def test_a_size_lies_on_its_side_of_the_tolerance(size: float, limit: float, said: str) -> None:
    assert size_beside(size, limit) == said
