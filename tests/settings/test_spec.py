"""Settings to JSON and back; nothing but a spec or an InputError comes out."""

import json
from dataclasses import fields
from typing import Any

import pytest

from calibcore.diagram.binning import (
    BINNINGS,
    EquallyUncertainBinning,
    EqualMassBinning,
    MeanVarianceBinning,
    MedianVarianceBinning,
    SimplexBinning,
    UniformBinning,
)
from calibcore.errors import InputError
from calibcore.kernels import BANDWIDTH_RULES, KERNELS, ExponentialKernel, GaussianKernel
from calibcore.settings import ESTIMATES, TESTS, DiagnosisSpec
from calibcore.settings.text import parsed
from calibcore.transforms.lenses import (
    LENSES,
    AtLeastLens,
    CanonicalLens,
    ClassLens,
    GroupsLens,
    LabelLens,
    LabelsLens,
    PooledLens,
    RegionLens,
    SetLens,
    TopKLens,
    UpToLens,
)
from calibcore.transforms.nulls import NULLS, Identity, LabelNoise, Mixture, Temperature
from tests.cases import each
from tests.strategy_battery import plainest, rest_of

LENS_EXAMPLES = [
    CanonicalLens(),
    TopKLens(1),
    TopKLens(3),
    ClassLens("cat"),
    PooledLens(),
    SetLens(0.9),
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
    EquallyUncertainBinning(9),
    MedianVarianceBinning(100),
    MedianVarianceBinning(50, 12),
    MeanVarianceBinning(1000),
    SimplexBinning(5),
]
KERNEL_EXAMPLES = [
    cls(bandwidth, metric)
    for cls in KERNELS.values()
    for bandwidth in (*BANDWIDTH_RULES, 0.1, 1 / 3, 2)
    for metric in ("euclidean", "total-variation")
]
KERNEL_EXAMPLES += [
    ExponentialKernel(class_matrix=(1.0, 0.0, 2.5)),
    GaussianKernel(0.5, class_matrix=((2.0, -1.0), (-1.0, 2.0))),
]
NULL_EXAMPLES = [Identity(), LabelNoise(0.03), Temperature(1.5), Mixture(0.25), Mixture(1 / 3, "cat")]
LENS_EXAMPLES += [
    LabelLens("No Finding: “none”"),
    LabelsLens(),
    UpToLens("grade: 2"),
    AtLeastLens("grade: 2"),
]
LENS_EXAMPLES += rest_of(LENSES, LENS_EXAMPLES, plainest)
BINNING_EXAMPLES += rest_of(BINNINGS, BINNING_EXAMPLES, lambda cls: cls())
NULL_EXAMPLES += rest_of(NULLS, NULL_EXAMPLES, lambda cls: cls.usual())
DEFAULT = {
    "schema": 1,
    "lens": {"kind": "canonical"},
    "binning": {"kind": "uniform", "n_bins": 10},
    "distance": "total-variation",
    "kernel": {"kind": "exponential", "bandwidth": "median", "metric": "euclidean", "class_matrix": None},
    "tests": list(TESTS),
    "resamples": 999,
    "interval": [0.05, 0.95],
    "bars": "exact",
    "shuffle": False,
    "alpha": 0.05,
    "tolerance": 0.05,
    "seed": 0,
    "estimates": [
        "bias-reduced-brocker", "bias-reduced-pairwise", "smooth-ece", "corp-miscalibration", "ici", "e50",
        "e90", "skce-block", "ucme", "classwise-ece", "top-label-ece", "mmce",
    ],
    "null": {"kind": "identity"},
    "stop_at": None,
    "block_size": 10,
    "locations": 10,
    "precision": "float64",
    "adjustment": "holm",
    "bin_adjustment": "step-down",
    "bootstrap": 0,
}  # fmt: skip


# --- JSON -------------------------------------------------------------------


def test_every_setting_is_spelled_out() -> None:
    assert json.loads(DiagnosisSpec().to_json()) == DEFAULT
    document = DiagnosisSpec(binning=MedianVarianceBinning(100)).to_document()
    assert document["binning"] == {"kind": "median-variance", "min_size": 100, "max_bins": None}


def test_every_kind_there_is_has_an_example_here() -> None:
    for sort, examples in (
        (LENSES, LENS_EXAMPLES),
        (BINNINGS, BINNING_EXAMPLES),
        (KERNELS, KERNEL_EXAMPLES),
        (NULLS, NULL_EXAMPLES),
    ):
        missing = set(sort) - {example.kind for example in examples}
        assert not missing, f"Of the {sort.sort} {', '.join(missing)} none is plain: add one above."


ROUND_TRIPS = [
    *(DiagnosisSpec(lens=lens) for lens in LENS_EXAMPLES),
    *(DiagnosisSpec(binning=binning) for binning in BINNING_EXAMPLES),
    *(DiagnosisSpec(kernel=kernel) for kernel in KERNEL_EXAMPLES),
    *(DiagnosisSpec(null=null) for null in NULL_EXAMPLES),
    DiagnosisSpec(estimates=(), stop_at=10, block_size=2, locations=1, precision="float32"),
    DiagnosisSpec(estimates=("mmce",), adjustment="benjamini-hochberg", bin_adjustment="holm", bootstrap=99),
    DiagnosisSpec(tests=(), resamples=1, interval=(0.1, 0.2), bars="resampled", shuffle=True, seed=2**70),
    DiagnosisSpec(tests=("asymptotic", "exact"), distance="cityblock", alpha=0.1, tolerance=1 / 3),
]


@each("spec", ROUND_TRIPS)
def test_json_round_trip(spec: DiagnosisSpec) -> None:
    again = DiagnosisSpec.from_json(spec.to_json())
    assert again == spec
    assert again.to_json() == spec.to_json()
    assert hash(again) == hash(spec)
    left_out = {name for name in spec.OPTIONAL if getattr(spec, name) is None}  # as before they were there
    names = {f.name for f in fields(spec)} - left_out
    assert set(json.loads(spec.to_json())) == {"schema", *names}


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


@each(
    ("document", "listed"),
    [
        ({"lenses": 1}, "lens, binning, distance, kernel"),
        ({"lens": {"kind": "top-k", "K": 1}}, "allowed: kind, k"),
        ({"lens": {"kind": "topk"}}, ", ".join(LENSES)),
        ({"binning": {"kind": "quantile"}}, ", ".join(BINNINGS)),
        ({"binning": {"kind": "uniform", "bins": 3}}, "allowed: kind, n_bins"),
        ({"kernel": {"kind": "laplace"}}, ", ".join(KERNELS)),
        ({"kernel": {"kind": "gaussian", "nu": 1}}, "allowed: kind, bandwidth, metric"),
        ({"kernel": {"kind": "gaussian", "metric": "l1"}}, "euclidean, total-variation"),
        ({"kernel": {"kind": "gaussian", "bandwidth": "mode"}}, "median, median-with-diagonal, mean"),
        ({"distance": "l1"}, "total-variation, squared-euclidean, euclidean, cityblock"),
        ({"tests": ["bootstrap"]}, ", ".join(TESTS)),
        ({"bars": "none"}, "exact, resampled"),
        ({"estimates": ["ece"]}, ", ".join(ESTIMATES)),
        ({"estimates": ["mmce", "mmce"]}, "named twice"),
        ({"null": {"kind": "scaled"}}, "identity, temperature, mixture"),
        ({"null": {"kind": "temperature", "T": 2}}, "allowed: kind, temperature"),
        ({"precision": "float16"}, "float64, float32"),
        ({"adjustment": "bonferroni"}, "holm, benjamini-hochberg"),
        ({"bin_adjustment": "none"}, "step-down, holm"),
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


@each("text", WRONG, ids=range(len(WRONG)))
def test_a_wrong_type_is_refused_wherever_it_stands(text: str) -> None:
    with pytest.raises(InputError):
        DiagnosisSpec.from_json(text)


@each(
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
        '{"stop_at": 0}', '{"block_size": 1}', '{"locations": 0}', '{"locations": 1001}', '{"bootstrap": 1}',
        '{"bootstrap": -1}', '{"null": {"kind": "temperature", "temperature": 0}}', '{"stop_at": 1.5}',
        '{"null": {"kind": "mixture", "weight": 2}}', '{"null": {"kind": "temperature"}}',
        '{"kernel": {"kind": "gaussian", "class_matrix": [[1, 2], [2, 1]]}}',
        '{"kernel": {"kind": "gaussian", "class_matrix": "x"}}',
        '{"kernel": {"kind": "gaussian", "class_matrix": [[1, 2], [2]]}}',
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


@each("number", ["1e999", "-1E+0309", f"{'1' * 220}e99 ", f"1{'0' * 400}.0", "[1e999]", "NaN", "-Infinity"])
def test_a_number_beyond_the_largest_is_no_json_wherever_it_stands(number: str) -> None:
    with pytest.raises(InputError, match=r"^The settings are not JSON"):
        DiagnosisSpec.from_json(f'{{"alpha": {number}}}')
    with pytest.raises(InputError, match="is not JSON"):
        parsed(f'{{"beside": {number}, "fingerprint": "e123"}}', "It")


def test_a_long_exponent_alone_is_no_fault() -> None:
    assert parsed('{"a": 1e-999, "b": 1e+100, "c": "1e999"}', "It") == {"a": 0.0, "b": 1e100, "c": "1e999"}


def test_regions_may_be_nested_as_deep_as_they_can_be_written_again() -> None:
    lens = CanonicalLens()
    for _ in range(9):
        lens = RegionLens(lens, "a", 0.1, 1.0)
    assert DiagnosisSpec.from_json(DiagnosisSpec(lens=lens).to_json()).lens == lens


def test_a_number_of_any_length_is_refused_in_a_short_sentence() -> None:
    for key in ("uniform", "equal-mass", "simplex"):
        name = "k" if key == "simplex" else "n_bins"
        with pytest.raises(InputError) as caught:
            DiagnosisSpec.from_document({"binning": {"kind": key, name: 7**3_000}})
        assert len(str(caught.value)) < 200
