"""Which classes are confused: against literal loops, by predictions only."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from calibcore.data.examples import load_example
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.transforms.class_groups import confusable_classes, grouping_fault, overlaps, proposed_groups
from calibcore.transforms.lenses import GroupsLens
from tests.cases import each
from tests.oracles import literal_confusable as literal


def drawn(m: int, seed: int, weighted: bool = False) -> Predictions:
    rng = np.random.default_rng(seed)
    probs = rng.dirichlet(rng.uniform(0.2, 2, m), size=30)
    weights = rng.uniform(0.2, 3, 30) if weighted else None
    return Predictions.from_arrays(
        probs, rng.integers(m, size=30), [f"c{j}" for j in range(m)], weights=weights
    )


@each("weighted", [False, True])
@each("seed", range(6))
@each("m", [4, 5, 9])
def test_the_literal_loops_choose_the_same_classes(m: int, seed: int, weighted: bool) -> None:
    p = drawn(m, seed, weighted)
    g, w = p.probs.tolist(), None if p.weights is None else p.weights.tolist()
    for a, b in combinations(range(m), 2):
        assert_allclose(overlaps(p)[a, b], literal.overlap(g, a, b, w), rtol=1e-12)
    for k in (2, 3):
        assert confusable_classes(p, k) == tuple(f"c{c}" for c in literal.confusable(g, k, w))
    for k in (2, 3, 4):
        expected = tuple(tuple(f"c{c}" for c in group) for group in literal.groups(g, k, w))
        assert proposed_groups(p, k) == expected


def test_by_hand() -> None:
    p = Predictions.from_arrays([[0.5, 0.5, 0, 0], [0, 0.4, 0.6, 0], [0.1, 0, 0, 0.9]], [0, 1, 3], "wxyz")
    # w·x 0.25, x·y 0.24, w·z 0.09
    assert confusable_classes(p, 2) == ("w", "x")
    assert confusable_classes(p, 3) == ("w", "x", "y")


def test_outcomes_change_nothing() -> None:
    p = drawn(6, 1)
    other = Predictions.from_arrays(p.probs, (p.labels + 1) % 6, p.class_names)
    assert confusable_classes(p) == confusable_classes(other)
    assert proposed_groups(p, 3) == proposed_groups(other, 3)


def test_ties_go_to_the_earlier_classes() -> None:
    p = Predictions.from_arrays(np.full((7, 5), 0.2), np.zeros(7, int), "abcde")
    assert confusable_classes(p, 2) == ("a", "b")
    assert confusable_classes(p, 3) == ("a", "b", "c")


def test_a_model_that_is_always_sure_and_classes_never_predicted() -> None:
    p = Predictions.from_arrays(np.eye(5)[[0, 0, 1, 2]], [0, 1, 2, 3], "abcde")
    assert confusable_classes(p, 3) == ("a", "b", "c")
    groups = proposed_groups(p, 3)
    assert grouping_fault(groups, p.class_names) == ""
    assert len(groups) == 3


def test_the_groups_proposed_for_the_digits_make_a_lens() -> None:
    p = load_example("digits-forest")
    groups = proposed_groups(p, 3)
    assert groups == (("0", "6"), ("1", "2", "3", "5", "8", "9"), ("4", "7"))
    assert GroupsLens(tuple(zip("ABC", groups, strict=True)))(p).m == 3


@pytest.mark.parametrize(
    ("groups", "fault"),
    [
        ((("a",), ("b", "c"), ("d", "e")), ""),
        ((("a",), ("b", "a"), ("c", "d", "e")), "'a' is in groups 1 and 2."),
        ((("a", "b"), ("b", "a"), ("a",)), "'a' is in groups 1 and 2, and 3 more are in two groups."),
        ((("a",), ("b", "c"), ("d",)), "'e' is in no group."),
        ((("a",), ("b",), ("c",)), "'d', 'e' are in no group."),
        (((), ("a",), ()), "'b', 'c', 'd' and 1 more are in no group."),
        ((("a", "b"), ("c", "d", "e"), ()), "Group 3 is empty."),
    ],
)
def test_what_is_wrong_with_groups_is_one_sentence(groups: tuple[tuple[str, ...], ...], fault: str) -> None:
    assert grouping_fault(groups, tuple("abcde")) == fault


def test_what_cannot_be_chosen_is_refused() -> None:
    p = drawn(4, 0)
    with pytest.raises(InputError, match="expected 2 or 3"):
        confusable_classes(p, 4)
    with pytest.raises(InputError, match="There are 3 classes; expected more than 3"):
        confusable_classes(load_example("wine"), 3)
    for k in (1, 5):
        with pytest.raises(InputError, match="expected 2 to 4"):
            proposed_groups(p, k)
