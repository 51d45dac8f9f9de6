"""Calibration lenses: what each makes of predictions, and that calibration survives all of them."""

from collections.abc import Callable
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.transforms.lenses import (
    CanonicalLens,
    ClassLens,
    GroupsLens,
    Lens,
    PooledLens,
    RegionLens,
    SetLens,
    TopKLens,
)
from calibcore.transforms.lenses.classes import event_of
from calibcore.transforms.lenses.likeliest import ordinal, top_k_ties
from tests.oracles import literal_lenses as literal
from tests.strategies import FEW, predictions

NAMES = ("cat", "dog", "cow", "hen")
P = Predictions.from_arrays(
    [[0.1, 0.2, 0.3, 0.4], [0.4, 0.4, 0.1, 0.1], [0.25, 0.25, 0.25, 0.25], [0.0, 0.0, 0.0, 1.0]],
    [3, 1, 2, 0],
    NAMES,
    {"age": [1, 2, 3, 4]},
)
PARTS = GroupsLens({"mammals": ("dog", "cat", "cow"), "birds": ("hen",)})
LENSES = [CanonicalLens(), TopKLens(1), TopKLens(2), TopKLens(3), ClassLens("cow"), PARTS]
LENSES += [RegionLens(lens, "dog", 0.1, 0.5) for lens in LENSES]


@pytest.mark.parametrize("lens", [*LENSES, SetLens(0.9), PooledLens()])
def test_a_shift_is_towards_a_name_only_where_people_gave_it(lens: Lens) -> None:
    """A lens has names of its own for what it makes: "hit", "inside", "1st"."""
    within = lens.within
    made_here = set(within(P).class_names) - {*NAMES, "not cow", "mammals", "birds"}
    towards = [within.towards(name) for name in within(P).class_names]
    assert len(set(towards)) == len(towards)
    assert not [words for words in towards for name in made_here if f"'{name}'" in words]


@pytest.mark.parametrize("lens", [*LENSES, SetLens(0.9), PooledLens(), ClassLens("owl")])
def test_how_many_classes_a_lens_leaves_is_known_without_all_cases(lens: Lens) -> None:
    """And what it refuses is refused alike."""
    for p in (P, PooledLens()(P), P.with_rows(slice(0, 2))):
        assert answer_of(lens.classes, p) == answer_of(lambda cases: lens(cases).m, p)


def answer_of(ask: Callable[[Predictions], int], p: Predictions) -> int | str:
    try:
        return ask(p)
    except InputError as error:
        return str(error)


def every_label(g: np.ndarray, names: tuple[str, ...]) -> Predictions:
    """Each row once with every label."""
    n, m = g.shape
    return Predictions.from_arrays(np.repeat(g, m, axis=0), np.tile(np.arange(m), n), names)


@pytest.mark.parametrize(
    ("names", "event"),
    [
        (("0", "1"), "1"), (("1", "0"), "1"), (("Yes", "No"), "Yes"), (("well", "ill"), "ill"),
        (("ill", "well"), "well"), (("ill", "not ill"), "ill"), (("relapse", "no relapse"), "relapse"),
        (("non-smoker", "smoker"), "smoker"), (("smoker", "Non-smoker"), "smoker"), (("ill", "none"), "ill"),
        (("normal", "nothing"), "nothing"),
    ],
)  # fmt: skip
def test_of_two_classes_the_event_comes_first_and_is_not_what_did_not_happen(
    names: tuple[str, str], event: str
) -> None:
    p = Predictions.from_arrays([[0.7, 0.3], [0.2, 0.8]], [0, 1], names)
    seen = CanonicalLens()(p)
    assert (seen.class_names[0], names[event_of(names)]) == (event, event)
    assert_array_equal(seen.probs[:, 0], p.probs[:, names.index(event)])


def test_canonical_changes_nothing():
    assert CanonicalLens()(P).fingerprint == P.fingerprint


def test_top_1_is_confidence_with_hit_and_miss():
    q = TopKLens(1)(P)
    assert q.class_names == ("hit", "miss")
    assert_allclose(q.probs, [[0.4, 0.6], [0.4, 0.6], [0.25, 0.75], [1, 0]], atol=1e-15)
    assert_array_equal(q.labels, [0, 1, 1, 1])


def test_top_2_orders_the_largest_and_adds_the_rest():
    q = TopKLens(2)(P)
    assert q.class_names == ("1st", "2nd", "other")
    assert_allclose(q.probs, [[0.4, 0.3, 0.3], [0.4, 0.4, 0.2], [0.25, 0.25, 0.5], [1, 0, 0]], atol=1e-15)
    assert_array_equal(q.labels, [0, 1, 2, 1])
    assert TopKLens(3)(P).class_names == ("1st", "2nd", "3rd", "other")


def test_a_class_against_the_rest():
    q = ClassLens("dog")(P)
    assert q.class_names == ("dog", "not dog")
    assert_allclose(q.probs, [[0.2, 0.8], [0.4, 0.6], [0.25, 0.75], [0, 1]], atol=1e-15)
    assert_array_equal(q.labels, [1, 0, 1, 1])


def test_groups_add_their_classes_in_the_order_given():
    q = PARTS(P)
    assert q.class_names == ("mammals", "birds")
    assert_allclose(q.probs, [[0.6, 0.4], [0.9, 0.1], [0.75, 0.25], [0, 1]], atol=1e-15)
    assert_array_equal(q.labels, [1, 0, 0, 0])


@FEW
@given(predictions(), st.data())
def test_every_lens_against_its_definition(p: Predictions, data: st.DataObject):
    k = data.draw(st.integers(1, p.m - 1))
    c = data.draw(st.integers(0, p.m - 1))
    member = data.draw(
        st.lists(st.integers(0, 2), min_size=p.m, max_size=p.m).filter(lambda j: len(set(j)) > 1)
    )
    parts = [[i for i in range(p.m) if member[i] == j] for j in sorted(set(member))]
    named = {f"group {j}": [p.class_names[i] for i in part] for j, part in enumerate(parts)}
    cases = [
        (CanonicalLens(), literal.canonical, (p.class_names,)),
        (TopKLens(k), literal.top_k, (k,)),
        (ClassLens(p.class_names[c]), literal.marginal, (c,)),
        (GroupsLens(named), literal.groups, (parts,)),
    ]
    for lens, definition, extra in cases:
        q = lens(p)
        pairs = [definition(g, y, *extra) for g, y in zip(p.probs.tolist(), p.labels.tolist(), strict=True)]
        assert_allclose(q.probs, [g for g, _ in pairs], atol=1e-15)
        assert_array_equal(q.labels, [y for _, y in pairs])
        assert_allclose(q.probs.sum(axis=1), p.probs.sum(axis=1), atol=1e-15)
        assert len(set(q.class_names)) == q.m == q.probs.shape[1]
        assert not q.probs.flags.writeable
        assert not q.labels.flags.writeable


@FEW
@given(predictions())
def test_a_calibrated_model_is_calibrated_through_every_lens(p: Predictions):
    """Exactly: the chance of each induced label under the prediction is the induced prediction."""
    split = GroupsLens({"first": p.class_names[:1], "rest": p.class_names[1:]})
    lenses = [*(TopKLens(k) for k in range(1, p.m)), *map(ClassLens, p.class_names), split]
    everything = every_label(p.probs, p.class_names)
    weights = p.probs.ravel()
    for lens in lenses:
        q = lens(everything)
        chance = (weights[:, None] * q.onehot()).reshape(p.n, p.m, q.m).sum(axis=1)
        assert_allclose(chance, lens(p).probs, atol=1e-12)
        assert_allclose(
            q.probs.reshape(p.n, p.m, q.m), np.repeat(lens(p).probs[:, None], p.m, axis=1), atol=0
        )


@pytest.mark.parametrize("lens", LENSES, ids=repr)
def test_labels_drawn_from_the_predictions_stay_calibrated(lens: Lens):
    rng = np.random.default_rng(3)
    rows = np.array([[0.1, 0.2, 0.3, 0.4], [0.5, 0.5, 0, 0], [0.05, 0.9, 0.05, 0], [0.4, 0.1, 0.1, 0.4]])
    which = rng.integers(0, 4, 20_000)
    u = rng.random(20_000)
    labels = (u[:, None] >= np.cumsum(rows, axis=1)[which, :3]).sum(axis=1)
    q = lens(Predictions.from_arrays(rows[which], labels, NAMES))
    for row in np.unique(q.probs, axis=0):
        here = (q.probs == row).all(axis=1)
        seen = q.onehot()[here].mean(axis=0)
        assert (np.abs(seen - row) <= 4.5 * np.sqrt(row * (1 - row) / here.sum()) + 1e-12).all()


@FEW
@given(predictions(), st.randoms(use_true_random=False))
def test_the_order_of_the_classes_does_not_matter(p: Predictions, random):
    order = list(range(p.m))
    random.shuffle(order)
    place = np.argsort(order)
    q = Predictions.from_arrays(p.probs[:, order], place[p.labels], [p.class_names[c] for c in order])
    split = GroupsLens({"first": p.class_names[:1], "rest": p.class_names[1:]})
    for lens in (ClassLens(p.class_names[0]), split, RegionLens(split, p.class_names[-1], 0, 1)):
        assert_allclose(lens(q).probs, lens(p).probs, atol=1e-15)
        assert_array_equal(lens(q).labels, lens(p).labels)
    for k in range(1, p.m):
        assert_allclose(TopKLens(k)(q).probs, TopKLens(k)(p).probs, atol=1e-15)
        untied = [i for i in range(p.n) if not top_k_ties(p.probs[i : i + 1], k)]
        assert_array_equal(TopKLens(k)(q).labels[untied], TopKLens(k)(p).labels[untied])


# Top k.


def test_ties_go_to_the_lower_class_index_and_are_counted():
    g = np.array([[0.4, 0.4, 0.2], [0.2, 0.4, 0.4], [0.5, 0.25, 0.25], [0.6, 0.3, 0.1], [0, 0, 1]])
    for k, ties in ((1, 2), (2, 4)):
        assert top_k_ties(g, k) == ties
    assert_array_equal(TopKLens(1)(Predictions.from_arrays(g, [1, 1, 0, 0, 2])).labels, [1, 0, 0, 0, 0])
    assert_array_equal(TopKLens(2)(Predictions.from_arrays(g, [1, 2, 2, 2, 0])).labels, [1, 1, 2, 2, 1])


@FEW
@given(predictions(), st.data())
def test_ties_are_the_rows_where_another_choice_of_the_top_k_was_possible(
    p: Predictions, data: st.DataObject
):
    k = data.draw(st.integers(1, p.m - 1))
    reversed_order = Predictions.from_arrays(p.probs[:, ::-1], p.m - 1 - p.labels)
    depends = 0
    for i in range(p.n):
        row, mirrored = (
            every_label(p.probs[[i]], p.class_names),
            every_label(reversed_order.probs[[i]], p.class_names),
        )
        depends += (TopKLens(k)(row).labels != TopKLens(k)(mirrored).labels[::-1]).any()
    assert top_k_ties(p.probs, k) == depends


@pytest.mark.parametrize("k", [4, 5, 100])
def test_top_k_must_leave_a_class(k: int):
    with pytest.raises(InputError, match=f"k = {k} for 4 classes; expected k from 1 to 3"):
        TopKLens(k)(P)


@pytest.mark.parametrize("k", [0, -1])
def test_top_k_needs_one(k: int):
    with pytest.raises(InputError, match=f"k = {k}; expected 1 or more"):
        TopKLens(k)


def test_ordinals():
    assert [ordinal(i) for i in (1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111, 113)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "101st", "111th", "113th",
    ]  # fmt: skip


# Names and groups.


def test_an_unknown_class_is_named_with_the_classes_there_are():
    for lens in (
        ClassLens("cats"),
        RegionLens(CanonicalLens(), "cats", 0, 1),
        GroupsLens({"a": NAMES, "b": ["cats"]}),
    ):
        with pytest.raises(InputError, match="no class 'cats'; the classes are 'cat', 'dog', 'cow', 'hen'"):
            lens(P)
    many = Predictions.from_arrays(np.full((1, 25), 0.04), [0])
    with pytest.raises(InputError, match="'19' and 5 more"):
        many.class_index("x")


@pytest.mark.parametrize(
    ("groups", "sentence"),
    [
        (
            {"a": ["cat", "dog"], "b": ["cow"]},
            "In no group: 'hen'. Expected every class in exactly one group.",
        ),
        ({"a": ["cat", "dog", "cow"], "b": ["cow", "hen"]}, "The class 'cow' is in two groups"),
        ({"a": NAMES, "b": []}, "The group 'b' is empty"),
    ],
)
def test_groups_that_are_no_partition_are_refused(groups: dict, sentence: str):
    with pytest.raises(InputError) as caught:
        GroupsLens(groups)(P)
    assert sentence in str(caught.value)


def test_group_names_differ_and_there_are_two():
    with pytest.raises(InputError, match="Two groups have the same name"):
        GroupsLens((("a", ("cat", "dog")), ("a", ("cow", "hen"))))
    for groups in ({}, {"all": NAMES}):
        with pytest.raises(InputError, match="expected at least 2"):
            GroupsLens(groups)


def test_groups_may_be_any_mapping_or_pairs_and_can_be_hashed():
    given = {"mammals": ["dog", "cat", "cow"], "birds": ["hen"]}
    lenses = [GroupsLens(given), GroupsLens(MappingProxyType(given)), GroupsLens(tuple(given.items())), PARTS]
    assert len({*lenses}) == 1
    given["birds"].append("bat")
    assert lenses[0] == PARTS


# Regions.


def test_a_region_keeps_the_cases_between_its_bounds_both_inclusive():
    q = RegionLens(ClassLens("cat"), "dog", 0.2, 0.25)(P)
    assert_allclose(q.probs[:, 0], [0.1, 0.25])
    assert_array_equal(q.metadata["age"], [1, 3])
    assert q.class_names == ("cat", "not cat")
    assert_array_equal(RegionLens(CanonicalLens(), "hen", 0, 1).rows(P), [0, 1, 2, 3])
    assert_array_equal(RegionLens(CanonicalLens(), "hen", 1, 1).rows(P), [3])
    assert_array_equal(RegionLens(CanonicalLens(), "dog", 0, 0).rows(P), [3])


@FEW
@given(predictions(), st.data())
def test_a_region_never_looks_at_labels(p: Predictions, data: st.DataObject):
    low, high = sorted(data.draw(st.tuples(*[st.sampled_from([0.0, 0.1, 0.3, 0.5, 1.0])] * 2)))
    region = RegionLens(CanonicalLens(), p.class_names[0], low, high)
    expected = [i for i in range(p.n) if low <= p.probs[i, 0] <= high]
    for labels in (p.labels, (p.labels + 1) % p.m):
        q = Predictions.from_arrays(p.probs, labels, p.class_names)
        if expected:
            assert_array_equal(region.rows(q), expected)
            assert_array_equal(region(q).labels, CanonicalLens()(q).labels[expected])
        else:
            with pytest.raises(InputError, match="The region is empty"):
                region(q)


def test_an_empty_region_says_where_the_probabilities_are():
    with pytest.raises(
        InputError, match=r"no case has a probability of 'cat' from 0\.5 to 0\.9; they go from 0 to 0\.4"
    ):
        RegionLens(TopKLens(1), "cat", 0.5, 0.9)(P)


@pytest.mark.parametrize(
    "bounds", [(0.5, 0.4), (-0.1, 0.5), (0.5, 1.1), (float("nan"), 1), (0, float("nan"))]
)
def test_bounds_of_a_region_are_probabilities_in_order(bounds: tuple[float, float]):
    with pytest.raises(InputError, match="expected 0 ≤ low ≤ high ≤ 1"):
        RegionLens(CanonicalLens(), "cat", *bounds)


@pytest.mark.parametrize(
    ("names", "event"),
    [
        (("0", "1"), "1"), (("1", "0"), "1"), (("yes", "no"), "yes"), (("No", "Yes"), "Yes"),
        (("sepsis", "none"), "sepsis"), (("none", "sepsis"), "sepsis"), (("pos", "control"), "pos"),
        (("a", "b"), "b"), (("ill", "healthy"), "healthy"), (("True", "False"), "True"),
    ],
)  # fmt: skip
def test_of_two_classes_the_event_comes_first(names: tuple[str, str], event: str) -> None:
    g = np.array([[0.2, 0.8], [0.7, 0.3], [0.5, 0.5]])
    p = Predictions.from_arrays(g, [0, 0, 1], names)
    seen = CanonicalLens()(p)
    assert seen.class_names[0] == event
    k = names.index(event)
    assert_array_equal(seen.probs[:, 0], g[:, k])
    assert_array_equal(seen.labels == 0, p.labels == k)
    of_class = ClassLens(names[0])(p)
    assert of_class.class_names[0] == names[0]
