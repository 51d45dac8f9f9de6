"""Every format of files that is entered passes the battery; so does one that somebody adds."""

import pytest

from calibcore.io import read
from calibcore.io.formats import FORMATS
from tests.io.format_battery import EXAMPLES, TABLE, check_damage, check_format, example_of


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check_format(kind, monkeypatch)


@pytest.mark.hostile
@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_damaged(kind: str) -> None:
    check_damage(kind, 2_000)


def test_what_begins_alike_is_read_by_the_name_of_the_file() -> None:
    """What cannot be read as JSON is a table where its name says so."""
    lines = b"[a,b,label\n" + b"0.25,0.75,b\n0.75,0.25,[a\n" * 4
    assert read(lines, name="x.csv").predictions.n == 8
    with pytest.raises(ValueError, match="The JSON is damaged or cut off at line 1"):
        read(lines, name="x.json")


def test_examples_are_of_formats() -> None:
    assert EXAMPLES.keys() == FORMATS.keys()
    assert example_of("text")(TABLE[:1]).startswith(b"a,b,c,label")
