"""Settings to JSON and back; nothing but a spec or an InputError comes out."""

import json
from copy import deepcopy
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibcore.binning import (
    EqualMassBinning,
    MeanVarianceBinning,
    MedianVarianceBinning,
    SimplexBinning,
    UniformBinning,
)
from calibcore.kernels import BANDWIDTH_RULES, ExponentialKernel, GaussianKernel
from calibcore.lenses import CanonicalLens, ClassLens, GroupsLens, RegionLens, TopKLens
from calibcore.predictions import InputError
from calibcore.spec import (
    BINNINGS,
    KERNELS,
    LENSES,
    TESTS,
    DiagnosisSpec,
)

LENS_EXAMPLES = [
    CanonicalLens(),
    TopKLens(1),
    TopKLens(3),
    ClassLens("cat"),
    ClassLens("great:white shark, “big”"),
    GroupsLens({"pets": ["cat", "dog"], "wild": ["fox"]}),
    RegionLens(CanonicalLens(), "cat", 0.8, 1.0),
    RegionLens(TopKLens(2), "cat", 0.0, 1 / 3),
    RegionLens(RegionLens(ClassLens("dog"), "dog", 0.1, 0.2), "cat", 1e-7, 0.5),
]
BINNING_EXAMPLES = [
    UniformBinning(10),
    UniformBinning(25),
    EqualMassBinning(7),
    MedianVarianceBinning(100),
    MedianVarianceBinning(50, 12),
    MeanVarianceBinning(1000),
    SimplexBinning(5),
]
KERNEL_EXAMPLES = [
    cls(bandwidth, metric)
    for cls in (ExponentialKernel, GaussianKernel)
    for bandwidth in (*BANDWIDTH_RULES, 0.1, 1 / 3, 2)
    for metric in ("euclidean", "total-variation")
]
DEFAULT = {
    "schema": 1,
    "lens": {"kind": "canonical"},
    "binning": {"kind": "uniform", "n_bins": 10},
    "distance": "total-variation",
    "kernel": {"kind": "exponential", "bandwidth": "median", "metric": "euclidean", "class_matrix": None},
    "tests": ["exact", "consistency", "distribution-free", "asymptotic"],
    "resamples": 999,
    "interval": [0.05, 0.95],
    "bars": "exact",
    "shuffle": False,
    "alpha": 0.05,
    "tolerance": 0.05,
    "seed": 0,
}


# --- JSON -------------------------------------------------------------------


def test_every_setting_is_spelled_out() -> None:
    assert json.loads(DiagnosisSpec().to_json()) == DEFAULT
    document = DiagnosisSpec(binning=MedianVarianceBinning(100)).to_document()
    assert document["binning"] == {"kind": "median-variance", "min_size": 100, "max_bins": None}


def test_every_kind_there_is_has_an_example_here() -> None:
    assert {e.kind for e in LENS_EXAMPLES} == set(LENSES)
    assert {e.kind for e in BINNING_EXAMPLES} == set(BINNINGS)
    assert {e.kind for e in KERNEL_EXAMPLES} == set(KERNELS)


ROUND_TRIPS = [
    *(DiagnosisSpec(lens=lens) for lens in LENS_EXAMPLES),
    *(DiagnosisSpec(binning=binning) for binning in BINNING_EXAMPLES),
    *(DiagnosisSpec(kernel=kernel) for kernel in KERNEL_EXAMPLES),
    DiagnosisSpec(tests=(), resamples=1, interval=(0.1, 0.2), bars="resampled", shuffle=True, seed=2**70),
    DiagnosisSpec(tests=("asymptotic", "exact"), distance="cityblock", alpha=0.1, tolerance=1 / 3),
]


@pytest.mark.parametrize("spec", ROUND_TRIPS)
def test_json_round_trip(spec: DiagnosisSpec) -> None:
    again = DiagnosisSpec.from_json(spec.to_json())
    assert again == spec
    assert again.to_json() == spec.to_json()
    assert hash(again) == hash(spec)
    assert set(json.loads(spec.to_json())) == {"schema", *(f.name for f in fields(spec))}


def test_lists_are_as_good_as_tuples() -> None:
    spec = DiagnosisSpec(tests=["exact"], interval=[0.1, 0.9])
    assert (
        spec
        == DiagnosisSpec(tests=("exact",), interval=(0.1, 0.9))
        == DiagnosisSpec.from_json(spec.to_json())
    )


def test_settings_that_are_left_out_take_their_defaults() -> None:
    assert DiagnosisSpec.from_json("{}") == DiagnosisSpec()
    assert DiagnosisSpec.from_json('{"lens": {"kind": "top-k"}}').lens == TopKLens(1)


@pytest.mark.parametrize(
    ("document", "listed"),
    [
        ({"lenses": 1}, "lens, binning, distance, kernel"),
        ({"lens": {"kind": "top-k", "K": 1}}, "allowed: kind, k"),
        ({"lens": {"kind": "topk"}}, "canonical, top-k, class, groups, region"),
        ({"binning": {"kind": "quantile"}}, "uniform, equal-mass, median-variance, mean-variance, simplex"),
        ({"binning": {"kind": "uniform", "bins": 3}}, "allowed: kind, n_bins"),
        ({"kernel": {"kind": "laplace"}}, "exponential, gaussian"),
        ({"kernel": {"kind": "gaussian", "nu": 1}}, "allowed: kind, bandwidth, metric"),
        ({"kernel": {"kind": "gaussian", "metric": "l1"}}, "euclidean, total-variation"),
        ({"kernel": {"kind": "gaussian", "bandwidth": "mode"}}, "median, median-with-diagonal, mean"),
        ({"distance": "l1"}, "total-variation, squared-euclidean, euclidean, cityblock"),
        ({"tests": ["bootstrap"]}, ", ".join(TESTS)),
        ({"bars": "none"}, "exact, resampled"),
        ({"schema": 2}, "reads schema 1"),
        ({"schema": "1"}, "reads schema 1"),
        ({"tests": ["exact", "exact"]}, "named twice"),
        ([], "expected an object"),
        (None, "expected an object"),
    ],
)
def test_what_is_unknown_is_answered_with_what_is_allowed(document: Any, listed: str) -> None:
    with pytest.raises(InputError) as refused:
        DiagnosisSpec.from_json(json.dumps(document))
    assert listed in str(refused.value)


# --- wrong types ------------------------------------------------------------

HUGE = "1" + "0" * 400
NOT_A = {
    "whole": ['"1"', "1.5", "1.0", "true", "null", "NaN", "Infinity", "[1]", "{}", '"x"'],
    "number": [
        '"1"',
        "true",
        "null",
        "NaN",
        "Infinity",
        "-Infinity",
        "[0.5]",
        "[0.1, 0.2]",
        "{}",
        HUGE,
        f"-{HUGE}",
    ],
    "text": ["1", "true", "null", "NaN", '["a"]', '[["a"]]', "{}"],
    "flag": ["0", "1", '"true"', "null", "[]", "NaN"],
    "list": ['"exact"', "1", "null", "{}", "true", "NaN", '[["exact"]]', "[1]", "[null]", '[{"a": 1}]'],
    "object": ['"canonical"', "1", "null", "[]", "true", '{"kind": null}', '{"kind": ["a"]}', '{"kind": {}}'],
}
INNER = '{"kind": "canonical"}'
REGION = '{"kind": "region", "class_name": "a", "low": 0, "high": 1, "lens": ' + INNER + "}"
PLACES = [
    *(("whole", f'{{"{name}": %s}}') for name in ("schema", "resamples", "seed")),
    ("whole", '{"lens": {"kind": "top-k", "k": %s}}'),
    *(("whole", f'{{"binning": {{"kind": "{kind}", "n_bins": %s}}}}') for kind in ("uniform", "equal-mass")),
    ("whole", '{"binning": {"kind": "simplex", "k": %s}}'),
    ("whole", '{"binning": {"kind": "median-variance", "min_size": %s}}'),
    ("whole", '{"binning": {"kind": "mean-variance", "threshold": %s}}'),
    *(("number", f'{{"{name}": %s}}') for name in ("alpha", "tolerance")),
    ("number", '{"interval": [%s, 0.9]}'),
    ("number", '{"interval": [0.1, %s]}'),
    ("number", '{"kernel": {"kind": "gaussian", "bandwidth": %s}}'),
    ("number", '{"lens": ' + REGION.replace('"low": 0', '"low": %s') + "}"),
    ("number", '{"lens": ' + REGION.replace('"high": 1', '"high": %s') + "}"),
    ("text", '{"distance": %s}'),
    ("text", '{"bars": %s}'),
    ("text", '{"kernel": {"kind": "gaussian", "metric": %s}}'),
    ("text", '{"lens": {"kind": "class", "class_name": %s}}'),
    ("text", '{"lens": {"kind": "groups", "groups": [[%s, ["x"]], ["B", ["y"]]]}}'),
    ("text", '{"lens": {"kind": "groups", "groups": [["A", [%s]], ["B", ["y"]]]}}'),
    ("flag", '{"shuffle": %s}'),
    ("list", '{"tests": %s}'),
    ("list", '{"interval": %s}'),
    ("list", '{"lens": {"kind": "groups", "groups": %s}}'),
    *(("object", f'{{"{name}": %s}}') for name in ("lens", "binning", "kernel")),
    ("object", '{"lens": ' + REGION.replace(INNER, "%s") + "}"),
]
WRONG = [place % value for wanted, place in PLACES for value in NOT_A[wanted]]


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_a_wrong_type_is_refused_wherever_it_stands(text: str) -> None:
    with pytest.raises(InputError):
        DiagnosisSpec.from_json(text)


@pytest.mark.parametrize(
    "text",
    [
        *('{"lens": ' * depth + '{"kind": "canonical"}' + "}" * depth for depth in (2, 950, 100_000)),
        *(
            '{"lens": ' + REGION.replace(INNER + "}", "") * depth + INNER + "}" * (depth + 1)
            for depth in (11, 300, 600, 990)
        ),
        *('{"tests": [' + "[" * depth + "]" * depth + "]}" for depth in (1, *range(890, 1000), 5000)),
        '{"seed": ' + "1" * 5000 + "}",
        "", "{", "nul", "{'seed': 1}", '{"seed": 0x10}', "\x00",
        '{"lens": {"kind": "region"}}', '{"lens": {"kind": "class"}}', '{"lens": {"kind": "groups"}}',
        '{"lens": {"kind": "groups", "groups": [["A"]]}}',
        '{"lens": {"kind": "groups", "groups": [["A", ["x"]]]}}',
        '{"seed": -1}', '{"resamples": 0}', '{"alpha": 0}', '{"alpha": 1}', '{"tolerance": -0.1}',
        '{"interval": []}', '{"interval": [0.9, 0.1]}', '{"interval": [0, 0.5]}',
        '{"interval": [0.1, 0.5, 0.9]}',
        '{"lens": {"kind": "top-k", "k": 0}}', '{"binning": {"kind": "uniform", "n_bins": 0}}',
        '{"binning": {"kind": "median-variance", "max_bins": 0}}',
        '{"binning": {"kind": "mean-variance", "threshold": 1}}',
        '{"kernel": {"kind": "gaussian", "bandwidth": 0}}',
    ],
    ids=lambda text: text[:40],
)  # fmt: skip
def test_what_is_no_spec_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        DiagnosisSpec.from_json(text)


def test_regions_may_be_nested_as_deep_as_they_can_be_written_again() -> None:
    lens = CanonicalLens()
    for _ in range(9):
        lens = RegionLens(lens, "a", 0.1, 1.0)
    assert DiagnosisSpec.from_json(DiagnosisSpec(lens=lens).to_json()).lens == lens


WORDS = ["kind", "lens", "exact", "region", "top-k", "class", "groups", "median", "uniform", "gaussian", "a"]
json_values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-2, 12), st.integers(), st.floats(), st.sampled_from(WORDS),
        st.text(max_size=4), st.just(10**400),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(st.sampled_from(WORDS), st.text(max_size=4)), inner, max_size=3),
    ),
    max_leaves=8,
)  # fmt: skip
good_documents = st.builds(
    lambda lens, binning, kernel: DiagnosisSpec(lens=lens, binning=binning, kernel=kernel).to_document(),
    st.sampled_from(LENS_EXAMPLES), st.sampled_from(BINNING_EXAMPLES), st.sampled_from(KERNEL_EXAMPLES),
)  # fmt: skip


def places(document: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths to every value in a JSON document."""
    if not isinstance(document, dict | list):
        return [path]
    items = document.items() if isinstance(document, dict) else enumerate(document)
    return [path, *(deeper for key, value in items for deeper in places(value, (*path, key)))]


def only_a_spec_or_an_input_error(document: Any) -> None:
    try:
        spec = DiagnosisSpec.from_json(json.dumps(document))
    except InputError:
        return
    again = DiagnosisSpec.from_json(spec.to_json())
    assert again == spec
    assert hash(again) == hash(spec)


@given(json_values)
@settings(max_examples=50, deadline=None, derandomize=True)
def test_any_document_gives_a_spec_or_an_input_error(document: Any) -> None:
    only_a_spec_or_an_input_error(document)


@given(good_documents, st.data())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_a_document_with_one_thing_wrong_gives_a_spec_or_an_input_error(document: Any, data: Any) -> None:
    document = deepcopy(document)
    path = data.draw(st.sampled_from([p for p in places(document) if p]))
    inside = document
    for key in path[:-1]:
        inside = inside[key]
    if isinstance(inside, dict) and data.draw(st.booleans()):
        del inside[path[-1]]
    else:
        inside[path[-1]] = data.draw(json_values)
    only_a_spec_or_an_input_error(document)
