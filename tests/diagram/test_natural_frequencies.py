"""Natural frequencies: counts of the data themselves, rounded so that nothing changes sides."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from calibcore import Predictions, diagnose
from calibcore.diagram.natural_frequencies import FEWEST, MOST, NaturalFrequency, natural_frequencies
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens, ClassLens, PooledLens, RegionLens, SetLens, TopKLens
from calibcore.words.frequencies import natural_frequencies_note, natural_frequency_sentences
from tests.report.reported import drawn

SPEC = DiagnosisSpec(resamples=99, tests=())
GROUP = NaturalFrequency("ill", 204, 0.352, 45, 60, 84, True)


def groups_of(p: Predictions, spec: DiagnosisSpec, found: bool) -> tuple[NaturalFrequency, ...]:
    diagram = diagnose(p, spec).reliability
    return natural_frequencies(spec.lens(p), spec.binning, diagram, found)


def test_they_are_counted_in_the_data() -> None:
    """Two classes, equally wide bins: rows are put into bins and counted once more."""
    p = drawn(900, 3, off=0.6)
    spec = replace(SPEC, lens=ClassLens("0"))
    groups = groups_of(p, spec, found=True)
    assert 1 <= len(groups) <= MOST
    assert [one.predicted for one in groups] == sorted(one.predicted for one in groups)
    width = 1 / spec.binning.n_bins
    for one in groups:
        rows = np.flatnonzero((p.probs[:, 0] // width) == one.predicted // width)
        assert one.cases == len(rows) >= FEWEST
        assert one.predicted == pytest.approx(p.probs[rows, 0].mean())
        assert one.happened == (p.labels[rows] == 0).sum()
        assert one.outside
        assert one.happened < one.low <= one.high
        # The exact law is narrower than the binomial with the same mean.
        low, high = binom.ppf([0.05, 0.95], one.cases, one.predicted)
        assert low - 1 <= one.low
        assert one.high <= high + 1


def test_without_a_problem_they_are_the_fullest_bins() -> None:
    p = drawn(900, 2, seed=3)
    spec = replace(SPEC, lens=CanonicalLens())
    diagram = diagnose(p, spec).reliability
    groups = groups_of(p, spec, found=False)
    assert {one.cases for one in groups} == set(np.sort(diagram.counts)[-MOST:].tolist())


def test_of_several_classes_it_is_one_class_of_a_bin() -> None:
    p = drawn(2_000, 3, off=0.8)
    groups = groups_of(p, replace(SPEC, lens=CanonicalLens()), found=True)
    assert len(groups) == MOST
    assert {one.class_name for one in groups} <= {"0", "2"}
    for one in groups:
        assert one.cases >= FEWEST
        assert one.outside == (not one.low <= one.happened <= one.high)
    assert {one.happened < one.low for one in groups if one.class_name == "0"} <= {True}


def test_small_bins_make_one_group_and_few_cases_none() -> None:
    p = drawn(60, 4, off=0.5)
    (one,) = groups_of(p, replace(SPEC, lens=CanonicalLens()), found=True)
    assert (one.everyone, one.cases) == (True, 60)
    c = p.class_names.index(one.class_name)
    assert one.happened == (p.labels == c).sum()
    assert one.predicted == pytest.approx(p.probs[:, c].mean())
    # Of four classes the one furthest off was picked: the range holds for all four at once.
    low, high = binom.ppf([0.05 / 4, 1 - 0.05 / 4], 60, one.predicted)
    assert low <= one.low <= low + 2
    assert high - 2 <= one.high <= high
    few = drawn(FEWEST - 1, 3)
    for lens in (TopKLens(1), CanonicalLens(), ClassLens("0"), PooledLens()):
        groups = groups_of(few, replace(SPEC, lens=lens), found=True)
        assert all(g.cases >= FEWEST for g in groups)
        assert not groups or lens == PooledLens()  # of pairs there are three times as many


@given(
    st.integers(FEWEST, 50_000),
    st.floats(0.0, 1.0),
    st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)),
)
@settings(max_examples=300, deadline=None)
def test_rounding_never_changes_sides(cases: int, told: float, shares: tuple[float, float, float]) -> None:
    low, high = sorted(round(cases * share) for share in shares[:2])
    happened = round(cases * shares[2])
    one = NaturalFrequency("ill", cases, told, happened, low, high, not low <= happened <= high)
    (sentence,) = natural_frequency_sentences([one], ClassLens("ill"), "patient")
    words = sentence.replace(",", "")
    assert re.match(r"Of (\d+) ", words)[1] == str(cases)
    counts, rate = re.search(r"it was so in (\d+)(: .+?)?\. If", words).groups()
    assert counts == str(happened)
    allowed = re.search(r"chance alone allows (\d+)(?: to (\d+))?\.", words)
    least, most = int(allowed[1]), int(allowed[2] or allowed[1])
    if rate is None:
        assert (least, most) == (low, high)
        return
    about, shown, total = re.match(r": (about )?(\d+) in (\d+)", rate).groups()
    total, shown = int(total), int(shown)
    assert total == 100 or total <= cases
    assert (shown < least, shown > most) == (happened < low, happened > high)
    assert (about is None) == (abs(total * happened / cases - shown) < 1e-9)
    assert abs(total * happened / cases - shown) <= 0.5


def test_all_groups_are_told_of_the_same_number() -> None:
    few = replace(GROUP, cases=25, predicted=0.85, happened=15, low=18, high=24)
    rare = replace(GROUP, cases=5_000, happened=70, low=9, high=22, predicted=0.003)
    said = [one.replace("\u00a0", " ") for one in natural_frequency_sentences([GROUP, few], ClassLens("ill"))]
    assert said == [
        "Of 204 cases given about 35 % for 'ill', it was so in 45: about 22 in 100. If calibrated, about 35 "
        "in 100; chance alone allows 29 to 41.",
        "Of 25 cases given about 85 % for 'ill', it was so in 15: 60 in 100. If calibrated, 85 in 100; "
        "chance alone allows 72 to 96.",
    ]
    # A rare event needs 1,000 and few cases do not have so many: each is told in its own counts.
    assert not any(
        " in 1,0" in one or " in 100" in one
        for one in natural_frequency_sentences([rare, few], ClassLens("ill"))
    )


@pytest.mark.parametrize(
    ("one", "lens", "said"),
    [
        (
            GROUP,
            ClassLens("ill"),
            "Of 204 patients given about 35 % for 'ill', it was so in 45: about 22 in 100. If calibrated, "
            "about 35 in 100; chance alone allows 29 to 41.",
        ),
        (
            replace(GROUP, cases=37, happened=9, low=11, high=19, predicted=0.402),
            TopKLens(1),
            "Of 37 patients where the model was about 40 % sure, it was right in 9: about 24 in 100. If "
            "calibrated, about 40 in 100; chance alone allows 30 to 51.",
        ),
        (
            replace(GROUP, cases=5_000, happened=70, low=9, high=22, predicted=0.003),
            ClassLens("ill"),
            "Of 5,000 patients given about 0.3 % for 'ill', it was so in 70: 14 in 1,000. If calibrated, 3 "
            "in 1,000; chance alone allows 2 to 4.",
        ),
        (
            replace(GROUP, cases=90, happened=0, low=0, high=1, predicted=0.004, outside=False),
            RegionLens(ClassLens("ill"), "ill", 0.0, 0.1),
            "Where 'ill' was given 0 % to 10 %, of 90 patients given about 0.4 % for 'ill', it was so in 0. "
            "If calibrated, fewer than 1; chance alone allows 0 to 1.",
        ),
        (
            replace(GROUP, class_name="2nd"),
            TopKLens(3),
            "Of 204 patients where the model gave its 2nd choice about 35 %, it happened in 45: about "
            "22 in 100. If calibrated, about 35 in 100; chance alone allows 29 to 41.",
        ),
        (
            replace(GROUP, class_name="inside"),
            SetLens(0.9),
            "Of 204 patients whose set claimed to hold the truth in about 35 %, it did in 45: about 22 "
            "in 100. If calibrated, about 35 in 100; chance alone allows 29 to 41.",
        ),
        (
            replace(GROUP, everyone=True),
            PooledLens(),
            "Of 204 pairs of a patient and a class given about 35 % on average, 45 happened: about 22 in "
            "100. If calibrated, about 35 in 100; chance alone allows 29 to 41.",
        ),
    ],
    ids=["class", "few", "rare", "region", "choice", "set", "pairs"],
)
def test_the_sentence(one: NaturalFrequency, lens: object, said: str) -> None:
    (words,) = natural_frequency_sentences([one], lens, "patient")  # type: ignore[arg-type]
    assert words.replace("\u00a0", " ") == said


def test_the_note_says_how_they_were_picked() -> None:
    inside = replace(GROUP, happened=70, outside=False)
    ranges = "A calibrated model stays within such a range at least 90\u00a0% of the time."

    def note(groups: list[NaturalFrequency], found: bool = True) -> str:
        return natural_frequencies_note(groups, (0.05, 0.95), found, "patient")

    assert note([]) == "No 20 patients were given about the same, so none are counted here."
    assert note([GROUP, inside]) == (
        "These groups of patients stand out most and were picked for that, so expect smaller errors on "
        f"others. {ranges}"
    )
    assert note([GROUP]).startswith("This group of patients stands out most and was picked for that")
    alone = "No group of 20 patients or more shows the problem alone; all patients together do."
    assert note([inside]) == f"{alone} {ranges}"
    assert note([GROUP], found=False) == (
        f"This is the largest group of patients that were given about the same. {ranges}"
    )
    why = "No 20 patients were given about the same, so this is of all"
    assert note([replace(GROUP, everyone=True)]) == f"{why}. {ranges}"
    assert note([replace(inside, everyone=True, picked_of=3)]) == (
        f"{why}, for the class furthest off. It alone does not show the problem. {ranges}"
    )
