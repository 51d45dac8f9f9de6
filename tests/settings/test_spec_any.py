"""Whatever JSON comes in, a spec or an InputError comes out."""

import json
from copy import deepcopy
from dataclasses import dataclass, fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibcore.errors import InputError
from calibcore.settings import DiagnosisSpec
from calibcore.settings.annotations import STRATEGIES
from calibcore.settings.codec import check_fields
from tests.cases import each
from tests.settings.test_spec import BINNING_EXAMPLES, KERNEL_EXAMPLES, LENS_EXAMPLES, NULL_EXAMPLES

WORDS = ["kind", "lens", "exact", "region", "top-k", "class", "groups", "median", "uniform", "gaussian", "a"]
json_values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-2, 12), st.integers(), st.floats(), st.sampled_from(WORDS),
        st.text(max_size=4), st.just(10**400), st.just(float("inf")),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(st.sampled_from(WORDS), st.text(max_size=4)), inner, max_size=3),
    ),
    max_leaves=8,
)  # fmt: skip
good_documents = st.builds(
    lambda lens, binning, kernel, null: DiagnosisSpec(lens, binning, kernel=kernel, null=null).to_document(),
    st.sampled_from(LENS_EXAMPLES), st.sampled_from(BINNING_EXAMPLES),
    st.sampled_from(KERNEL_EXAMPLES[-2:]) | st.sampled_from(KERNEL_EXAMPLES), st.sampled_from(NULL_EXAMPLES),
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
@settings(max_examples=50)
def test_any_document_gives_a_spec_or_an_input_error(document: Any) -> None:
    only_a_spec_or_an_input_error(document)


@given(good_documents, st.data())
@settings(max_examples=200)
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


KINDS = {
    f"{kinds.sort} {kind}": (kinds.sort, {"kind": kind}, cls)
    for kinds in STRATEGIES.values()
    for kind, cls in kinds.items()
}
PLACES = [
    *((f.name, None, f.name) for f in fields(DiagnosisSpec)),
    *((name, inner, f.name) for name, inner, cls in KINDS.values() for f in fields(cls)),
]
NOT_FINITE = [float("inf"), float("-inf"), float("nan"), -(10**400)]
WRONG = [
    *NOT_FINITE, *([v, 1] for v in NOT_FINITE), *([[1, v], [v, 1]] for v in NOT_FINITE),
    {"a": 1}, [{"a": 1}], object, b"x", [[[1.0]]], [["a", ["b", 10**400]], ["c", ["d"]]],
]  # fmt: skip
"""What no field of any kind takes."""


@each(("name", "inner", "field"), PLACES, ids=str)
def test_every_field_of_every_kind_is_checked(name: str, inner: dict[str, Any] | None, field: str) -> None:
    whole = {"lens": {"kind": "canonical"}, "class_name": "a", "low": 0.1, "high": 0.9, "temperature": 2.0}
    whole |= {"weight": 0.5, "groups": [["A", ["a"]], ["B", ["b"]]]}
    of_kind = {} if inner is None else {f.name for f in fields(KINDS[f"{name} {inner['kind']}"][2])}
    rest = {key: value for key, value in whole.items() if key in of_kind}
    for value in WRONG:
        document = {name: value if inner is None else {**inner, **rest, field: value}}
        with pytest.raises(InputError) as caught:
            DiagnosisSpec.from_document(document)
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 300
    if inner is not None and rest:
        assert DiagnosisSpec.from_document({name: {**inner, **rest}})


def test_a_field_that_could_not_be_checked_cannot_be_defined() -> None:
    @dataclass(frozen=True)
    class Kind:
        known: tuple[tuple[str, float], ...] | None
        unknown: dict[str, float]

    with pytest.raises(TypeError, match=r"Kind\.unknown: an annotation that documents cannot have: dict"):
        check_fields(Kind)
