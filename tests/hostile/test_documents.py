"""Documents and backups from outside: a result that can be written again, or one sentence."""

import base64
import gzip
import json
import zlib
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import each
from tests.hostile.documents import ROW, backup_of, documents, read_document, restore_one
from tests.hostile.fuzzing import MANY_OR_ALL

WORDS = ["kind", "lens", "exact", "top-k", "class", "groups", "median", "uniform", "a", "schema", "\ud800"]
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 12),
    st.integers(),
    st.floats(),
    st.sampled_from(WORDS),
    st.text(max_size=4),
    st.sampled_from([10**400, -(10**400), 10**4_000, "x" * 10_000, "\x1b[2J\u202e\n", "1" * 5_000]),
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=4), inner, max_size=3),
    ),
    max_leaves=8,
)
DEEP = "[" * 900 + "]" * 900
TEXTS = {
    "nothing": "",
    "null": "null",
    "a list": "[]",
    "too deep": "[" * 100_000,
    "deep": DEEP,
    "deep inside": '{"schema": ' + DEEP + "}",
    "a deep kind": '{"lens": {"kind": ' + DEEP + "}}",
    "a deep name": '{"tests": [' + DEEP + "]}",
    "a deep seed": '{"seed": ' + DEEP + "}",
    "a long key": '{"' + "k" * 10_000 + '": 1}',
    "a long name": '{"tests": ["' + "k" * 10_000 + '"]}',
    "two long names": '{"tests": [' + ", ".join(['"exact"'] * 5_000) + "]}",
    "a long seed": '{"seed": -' + "9" * 4_000 + "}",
    "a longer seed": '{"seed": ' + "9" * 5_000 + "}",
    "a long number": '{"block_size": -' + "9" * 4_000 + "}",
    "a long schema": '{"schema": ' + "9" * 4_000 + "}",
    "control characters": '{"distance": "\\u001b[2J\\u202e\\n"}',
    "not a number": '{"alpha": NaN}',
    "too large": '{"alpha": 1e999}',
    "a zero byte": '{"a\\u0000": 1}',
    "half a pair": '{"\\ud800": "\\udfff"}',
    "a name twice": '{"seed": 1, "seed": "x"}',
}


@each("what", TEXTS)
@each("kind", ["settings", "diagnosis", "survey", "judged"])
def test_what_wants_to_do_harm(kind: str, what: str) -> None:
    read_document(kind, TEXTS[what])


def _places(document: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if not isinstance(document, dict | list):
        return [path]
    items = document.items() if isinstance(document, dict) else list(enumerate(document))[:3]
    return [path, *(deeper for key, value in items for deeper in _places(value, (*path, key)))]


@pytest.mark.parametrize("examples", MANY_OR_ALL(20, 500))
@pytest.mark.parametrize("kind", ["settings", "diagnosis", "survey", "judged"])
def test_a_document_with_something_wrong(kind: str, examples: int) -> None:
    good = json.loads(documents()[kind])
    places = [path for path in _places(good) if path]

    @settings(max_examples=examples)
    @given(st.lists(st.tuples(st.sampled_from(places), st.none() | JSON), min_size=1, max_size=3))
    def check(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
        document = deepcopy(good)
        for path, value in changes:
            inside = document
            try:
                for key in path[:-1]:
                    inside = inside[key]
                if value is None:
                    del inside[path[-1]]
                else:
                    inside[path[-1]] = value
            except (LookupError, TypeError):  # an earlier change took the place away
                continue
        text = json.dumps(document) if not isinstance(document, str) else document
        read_document(kind, text)

    assert read_document(kind, json.dumps(good))
    check()


@pytest.mark.some(2)
@pytest.mark.parametrize("kind", ["settings", "diagnosis", "survey", "judged"])
@pytest.mark.slow
def test_a_long_text_at_any_place(kind: str) -> None:
    good = json.loads(documents()[kind])
    for path in filter(None, _places(good)):
        document = deepcopy(good)
        inside = document
        for key in path[:-1]:
            inside = inside[key]
        inside[path[-1]] = "x" * 10_000
        read_document(kind, json.dumps(document))


BACKUPS: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "no backup": lambda: gzip.compress(b"{}"),
    "not packed": lambda: b"{}",
    "cut off": lambda: backup_of(ROW)[:-9],
    "damaged": lambda: backup_of(ROW)[:20] + b"\xff" * 9 + backup_of(ROW)[29:],
    "deep": lambda: gzip.compress(b"[" * 100_000),
    "deep rows": lambda: gzip.compress(b'{"caliblens-shares": 1}\n' + b"[" * 100_000),
    "a row that is none": lambda: backup_of(1),
    "a row without a page": lambda: backup_of({"title": "x"}),
    "a title twice": lambda: gzip.compress(
        gzip.decompress(backup_of(ROW | {"token_hash": base64.b64encode(b"v" * 32).decode()})).replace(
            b'"title"', b'"title": "x", "title"'
        )
    ),
    "a title that is a number": lambda: backup_of(ROW | {"title": 1}),
    "a time that is a text": lambda: backup_of(ROW | {"expires": "soon"}),
    "a time without end": lambda: backup_of(ROW | {"expires": 10**30}),
    "a short token": lambda: backup_of(ROW | {"token_hash": ""}),
    "a zero byte": lambda: backup_of(ROW | {"title": "\0"}),
    "half a pair": lambda: backup_of(ROW | {"title": "\ud800"}),
    "a page that is none": lambda: backup_of(ROW | {"page": "AAAA"}),
    "a page of bytes": lambda: backup_of(ROW | {"page": base64.b64encode(zlib.compress(b"\xff")).decode()}),
    "a page of 260 MB": lambda: backup_of(
        ROW | {"page": base64.b64encode(zlib.compress(b"0" * 260_000_000)).decode()}
    ),
    "a line without end": lambda: gzip.compress(b'{"caliblens-shares": 1}\n' + b'"' * 200_000_000, 1),
}


@pytest.mark.some(4)
@pytest.mark.parametrize("what", BACKUPS)
@pytest.mark.slow
def test_a_backup_that_wants_to_do_harm(what: str) -> None:
    assert restore_one(BACKUPS[what]()) == 0


def test_a_backup_is_restored() -> None:
    """What is damaged above is worth it."""
    row = ROW | {"token_hash": base64.b64encode(b"u" * 32).decode()}
    assert [restore_one(backup_of(row)), restore_one(backup_of(row))] == [1, 0]


def test_what_is_damaged_leaves_the_others_alone() -> None:
    rows = [ROW | {"token_hash": base64.b64encode(bytes([i]) * 32).decode()} for i in range(2)]
    assert restore_one(backup_of(1, rows[0], {"title": "x"}, [], rows[1], "")) == 2
