"""What a diagnosis of slices lacks of one in memory, and what its note says of that."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from calibcore import DiagnosisSpec, diagnose
from calibcore.io import read
from calibcore.io.row_groups import RowGroups
from calibcore.settings import ESTIMATES, TESTS, lens_from_words
from calibcore.settings.words import binning_from_words
from calibcore.streaming import diagnose_slices
from tests.cases import each
from tests.streaming.streamed import model, write

NOTHING: tuple[Any, ...] = (None, {}, [])


def by_name(document: Mapping[str, Any]) -> dict[str, Any]:
    """A diagnosis with its tests and estimates by their names."""
    lists = {key: {one["name"]: one for one in document[key]} for key in ("tests", "estimates")}
    return {**document, **lists}


def lacking(found: Mapping[str, Any], expected: Mapping[str, Any], where: str = "") -> Iterator[str]:
    """Where something stands in ``expected`` and nothing in ``found``."""
    for key, there in expected.items():
        name = f"{where} {key}".strip()
        here = found.get(key)
        if there not in NOTHING and here in NOTHING:
            yield name
        elif isinstance(there, Mapping) and isinstance(here, Mapping):
            yield from lacking(here, there, name)


def as_named(where: str) -> str:
    """Tests and estimates have names of their own."""
    return where.removeprefix("tests ").removeprefix("estimates ").replace("typical_gap", "typical gap")


@pytest.mark.slow
@each("tests", [TESTS, ("exact",), ()])
@each("estimates", [tuple(ESTIMATES), ("ucme", "skce-block"), ()])
@each(("m", "lens"), [(2, "canonical"), (3, "canonical"), (3, "confidence")])
def test_the_note_names_all_that_is_left_out_and_nothing_else(
    tmp_path: Path, m: int, lens: str, tests: tuple[str, ...], estimates: tuple[str, ...]
) -> None:
    path = write(tmp_path / "p.parquet", *model(120, m))
    spec = DiagnosisSpec(
        lens=lens_from_words(lens), binning=binning_from_words("uniform:3"), tests=tests, estimates=estimates,
        resamples=9,
    )  # fmt: skip
    streamed = diagnose_slices(RowGroups(path), spec)
    whole = diagnose(read(path).predictions, spec)
    note = streamed.notes[-1]
    assert note.startswith("Not made, as the file was read in slices: ")
    named = note.split(": ")[1].removesuffix(".").split(", ")
    assert named == sorted(set(named), key=named.index)
    left_out = {
        as_named(name) for name in lacking(by_name(streamed.to_document()), by_name(whole.to_document()))
    }
    assert set(named) == left_out
    assert {"skce unbiased", "decompositions"} <= left_out
    assert ("recalibration" in left_out) == (m == 2 or lens == "confidence")


def test_a_key_that_is_missing_would_be_found() -> None:
    """The comparison itself."""
    whole = {"a": 1.0, "b": {"c": [1], "d": None}, "e": {}, "tests": {"t": {"p": 0.5}}}
    assert list(lacking(whole, whole)) == []
    assert list(lacking({"a": None, "b": {"c": []}, "tests": {}}, whole)) == ["a", "b c", "tests"]
