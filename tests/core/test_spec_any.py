"""Whatever JSON comes in, a spec or an InputError comes out."""

import json
from copy import deepcopy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from calibcore.predictions import InputError
from calibcore.spec import DiagnosisSpec
from tests.core.test_spec import BINNING_EXAMPLES, KERNEL_EXAMPLES, LENS_EXAMPLES

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
