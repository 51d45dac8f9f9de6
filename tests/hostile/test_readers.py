"""Whatever is uploaded: predictions or one sentence, soon, in bounded memory, and nothing beside it."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibcore.io import ReadOptions
from tests.hostile.corpus import BOMBS, MAGIC, NAMES, PIECES, VALID, damaged
from tests.hostile.fuzzing import MANY_OR_ALL
from tests.hostile.readers import read_one

OPTIONS = st.builds(
    ReadOptions,
    label_column=st.sampled_from([None, None, "label", "column 4", "\x1b[2J", "x" * 5_000]),
    values=st.sampled_from(["auto", "auto", "probabilities", "percent", "logits"]),
    label_base=st.sampled_from([None, None, 0, 1]),
    header=st.sampled_from([None, None, True, False]),
    delimiter=st.sampled_from([None, None, ";", "tab", "x", "\0", "::"]),
    class_names=st.sampled_from([None, None, ("a", "b", "c"), ("=1+1", "\u202e", "x" * 10_000)]),
    renormalise=st.booleans(),
    transpose=st.sampled_from([False, False, False, True]),
    count_column=st.sampled_from([None, None, None, "age", "note"]),
    weight_column=st.sampled_from([None, None, None, "age", "a"]),
    leave_out_rows=st.sampled_from([(), (), (), (1,), (2, 3, 12), (10**9,)]),
    swap_files=st.sampled_from([None, None, None, True, False]),
    columns_are=st.sampled_from([None, None, None, ("c", "a", "b"), ("x", "x")]),
    ordered=st.sampled_from([None, None, None, ("c", "a", "b"), ("x", "x"), ("none",)]),
    confidence_column=st.sampled_from([None, None, None, "a", "label"]),
    prediction_column=st.sampled_from([None, None, None, "b", "label"]),
    correct_column=st.sampled_from([None, None, None, "label", "note"]),
    confidence_words=st.sampled_from([None, None, None, ("a=0.5",), ("x" * 5_000 + "=1", "\x1b[2J=0")]),
)


ANY = st.one_of(
    damaged(),
    st.builds(lambda start, rest: start + rest, st.sampled_from(MAGIC), st.binary(max_size=400)),
    st.lists(st.sampled_from(PIECES), max_size=60).map(b"".join),
)


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in, which is also the home and the place of temporary files."""
    monkeypatch.chdir(tmp_path)
    for name in ("HOME", "TMPDIR"):
        monkeypatch.setenv(name, str(tmp_path))
    return tmp_path


def test_each_valid_file_is_read() -> None:
    """What is damaged below is worth it."""
    assert all(read_one(data, "") for data in VALID)


@pytest.mark.hostile
@pytest.mark.parametrize("what", BOMBS)
def test_what_wants_to_do_harm(what: str, empty: Path) -> None:
    make, name = BOMBS[what]
    data = make()
    read_one(data, name)
    if len(data) < 100_000 and "million" not in what:  # what takes long is long once
        read_one(VALID[0], "x.csv", labels=data)
    assert list(empty.iterdir()) == []


@pytest.mark.parametrize("examples", MANY_OR_ALL(75, 2_500))
def test_any_file(examples: int, empty: Path) -> None:
    @settings(max_examples=examples)
    @given(ANY, st.sampled_from(NAMES), st.none() | ANY, OPTIONS)
    def check(data: bytes, name: str, labels: bytes | None, options: ReadOptions) -> None:
        read_one(data, name, labels, options)

    check()
    assert list(empty.iterdir()) == []
