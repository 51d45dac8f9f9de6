"""Lenses, binnings and bandwidths in the words of the command line."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibcore.data.outside_text import visible
from calibcore.diagram.binning import (
    EqualMassBinning,
    MeanVarianceBinning,
    MedianVarianceBinning,
    SimplexBinning,
    UniformBinning,
)
from calibcore.errors import InputError
from calibcore.kernels.bandwidths import bandwidth_from_words
from calibcore.settings import lens_from_words, lens_to_words
from calibcore.settings.words import (
    binning_from_words,
    binning_to_words,
    null_from_words,
    null_to_words,
)
from calibcore.transforms.lenses import (
    CanonicalLens,
    ClassLens,
    GroupsLens,
    PooledLens,
    RegionLens,
    SetLens,
    TopKLens,
)
from calibcore.transforms.nulls import Identity, Mixture, Null, Temperature
from tests.cases import each

LENSES = [
    ("canonical", CanonicalLens()),
    ("top-k:1", TopKLens(1)),
    ("top-k:12", TopKLens(12)),
    ("set:0.9", SetLens(0.9)),
    ("class:cat", ClassLens("cat")),
    ("class:a:b=c", ClassLens("a:b=c")),
    ("groups:A=x,y;B=z", GroupsLens({"A": ["x", "y"], "B": ["z"]})),
    ("region:cat:0.8:1:canonical", RegionLens(CanonicalLens(), "cat", 0.8, 1.0)),
    ("region:cat:0:0.5:top-k:1", RegionLens(TopKLens(1), "cat", 0.0, 0.5)),
    ("region:cat:0.0000001:0.5:class:dog", RegionLens(ClassLens("dog"), "cat", 1e-7, 0.5)),
    (
        "region:a:0.1:1:region:b:0.2:1:canonical",
        RegionLens(RegionLens(CanonicalLens(), "b", 0.2, 1.0), "a", 0.1, 1.0),
    ),
]
BINNINGS = [
    ("uniform:10", UniformBinning(10)),
    ("equal-mass:15", EqualMassBinning(15)),
    ("median-variance:100", MedianVarianceBinning(100)),
    ("median-variance:100:20", MedianVarianceBinning(100, 20)),
    ("mean-variance:1000", MeanVarianceBinning(1000)),
    ("simplex:5", SimplexBinning(5)),
]


@pytest.mark.parametrize(("words", "lens"), LENSES)
def test_lens_words(words, lens) -> None:
    assert lens_to_words(lens) == words
    assert lens_from_words(words) == lens


@pytest.mark.parametrize(("words", "binning"), BINNINGS)
def test_binning_words(words, binning) -> None:
    assert binning_to_words(binning) == words
    assert binning_from_words(words) == binning


@pytest.mark.parametrize(
    ("words", "lens"),
    [
        ("confidence", TopKLens(1)),
        ("top-k", TopKLens(1)),
        ('groups:"A=x,y;B=z"', GroupsLens({"A": ["x", "y"], "B": ["z"]})),
        ("groups: A = x , y ; B = z", GroupsLens({"A": ["x", "y"], "B": ["z"]})),
        ("region:cat:.5:1", RegionLens(CanonicalLens(), "cat", 0.5, 1.0)),
        ("region:a cat:0.25:0.75:confidence", RegionLens(TopKLens(1), "a cat", 0.25, 0.75)),
    ],
)
def test_other_ways_to_say_a_lens(words, lens) -> None:
    assert lens_from_words(words) == lens


NAMES = st.text("a:;,={}[]\"' \n\u202e0.5é", max_size=6) | st.sampled_from(["mean", "{", "b:0.1:0.9", "\0"])
ANY_LENS = st.recursive(
    st.sampled_from([CanonicalLens(), TopKLens(1), TopKLens(3), PooledLens()])
    | st.builds(ClassLens, NAMES)
    | st.dictionaries(NAMES, st.lists(NAMES, max_size=3), min_size=2, max_size=3).map(GroupsLens),
    lambda inner: st.builds(RegionLens, inner, NAMES, st.just(1e-7), st.floats(0.1, 1)),
    max_leaves=3,
)  # fmt: skip


@given(ANY_LENS)
@settings(max_examples=200)
def test_a_lens_with_any_names_can_be_said_and_what_cannot_be_seen_in_json_is_spelled_out(lens) -> None:
    words = lens_to_words(lens)
    assert lens_from_words(words) == lens
    assert not words.startswith("{") or visible(words) == words


@given(st.builds(Mixture, st.floats(0, 1), NAMES))
@settings(max_examples=50)
def test_a_mixture_with_any_name_can_be_said(null) -> None:
    assert null_from_words(null_to_words(null)) == null


@pytest.mark.parametrize("name", ["uniform", "equal-mass", "median-variance", "mean-variance", "simplex"])
def test_a_binning_without_its_number_is_the_default(name) -> None:
    assert binning_from_words(name).kind == name
    assert binning_from_words(name) == binning_from_words(binning_to_words(binning_from_words(name)))


@given(
    st.floats(0, 1), st.floats(0, 1), st.text("abc é-0._", min_size=1, max_size=8).map(str.strip).filter(bool)
)
@settings(max_examples=50)
def test_a_region_keeps_every_digit(a, b, name) -> None:
    lens = RegionLens(TopKLens(1), name, min(a, b), max(a, b))
    assert lens_from_words(lens_to_words(lens)) == lens


@each(
    "words",
    [
        "", "canonicals", "canonical:1", "confidence:2", "topk:1", "top-k:x", "top-k:1.5", "top-k:-1",
        "top-k:0",
        "top-k:1:2", "top-k:²", "top-k:" + "1" * 5000, "class", "class:", "groups", "groups:", "groups:A=x",
        "groups:A=x;A=y", "region", "region:cat", "region:cat:0.5", "region:cat:a:b", "region:cat:0.9:0.1",
        "region:cat:0:2", "region:cat:-1:1", "region:cat:0:1:nothing", "region::0:1", "pooled:1",
        "{", "{}", '{"kind": "topk"}', '{"kind": "class", "class_name": 1}', "{" * 100_000,
    ],
    ids=lambda text: text[:20],
)  # fmt: skip
def test_bad_lens_words(words) -> None:
    with pytest.raises(InputError):
        lens_from_words(words)


def test_a_lens_that_is_not_there_is_answered_with_those_that_are() -> None:
    with pytest.raises(InputError, match="canonical, confidence, top-k:K, class:NAME, groups"):
        lens_from_words("topk:1")
    with pytest.raises(InputError, match="uniform:N, equal-mass:N, median-variance:SIZE"):
        binning_from_words("quantile:5")


@pytest.mark.parametrize(
    "words",
    [
        "", "uniform:", "uniform:x", "uniform:0", "uniform:-3", "uniform:2.5", "uniform:1:2", "equal-mass:0",
        "median-variance:1:2:3", "median-variance:0", "median-variance:5:0", "mean-variance:1", "simplex:0",
        "quantile:5", "uniform:" + "9" * 5000, "Uniform:5",
    ],
    ids=lambda text: text[:20],
)  # fmt: skip
def test_bad_binning_words(words) -> None:
    with pytest.raises(InputError):
        binning_from_words(words)


def test_bandwidth_words() -> None:
    for rule in ("median", "median-with-diagonal", "mean"):
        assert bandwidth_from_words(rule) == rule
    assert bandwidth_from_words("0.25") == 0.25
    for words in ("", "mode", "1,5", "0.5 m"):
        with pytest.raises(InputError, match="median, median-with-diagonal, mean"):
            bandwidth_from_words(words)


@pytest.mark.parametrize(
    ("words", "null"),
    [
        ("identity", Identity()),
        ("temperature:1.25", Temperature(1.25)),
        ("mixture:0.1", Mixture(0.1)),
        ("mixture:0.1:cat: and dog", Mixture(0.1, "cat: and dog")),
    ],
)
def test_nulls_in_words_and_back(words: str, null: Null) -> None:
    assert null_from_words(words) == null
    assert null_from_words(null_to_words(null)) == null


@pytest.mark.parametrize(
    "words", ["", "identity:1", "temperature", "temperature:x", "temperature:0", "mixture:2"]
)
def test_bad_null_words(words: str) -> None:
    with pytest.raises(InputError, match="expected"):
        null_from_words(words)
