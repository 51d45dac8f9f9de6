"""One format of files more: a file, an example and a row of the docs, and everything knows it."""

import struct
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from calibcore.__main__ import main
from calibcore.io import apart
from calibcore.io.formats import FORMATS, endings, expected, known_names
from calibcore.strategies import import_all
from tests.io import format_battery
from tests.io.format_battery import DOCS, EXAMPLES, TABLE, check_format, check_lists, row_of
from tests.pages.harness import opened, said, settled

ROOT = Path(__file__).parents[2]
NAMES, EXPECTED = known_names(), expected()
"""Without one more, whatever formats there are."""
COUNTED = """
import struct

import pandas as pd

from calibcore.io.formats import FORMATS, Content, Format
from calibcore.io.tables import Table, check_rows, check_size


@FORMATS.enter
class Counted(Format):
    kind = "counted"
    place = 30.5
    label = "Counted"
    reads = "Columns one behind the other."
    endings = (".counted",)
    magic = (b"COUNTED1",)

    @classmethod
    def read(cls, content):
        check_size(len(content.data), "The file has")
        n, k = struct.unpack_from("<II", content.data, 8)
        check_rows(n)
        lines = content.data[16:].decode().splitlines()
        if len(lines) != k * (n + 1):
            raise ValueError("cut off")
        columns = [lines[j * (n + 1) : (j + 1) * (n + 1)] for j in range(k)]
        cells = tuple(_column(rest) for _, *rest in columns)
        return Table(cells, tuple(name for name, *_ in columns), True, "Counted")


def _column(cells):
    try:
        return pd.Series([float(cell) for cell in cells])
    except ValueError:
        return pd.Series(cells)
"""


def counted(table: pd.DataFrame) -> bytes:
    lines = [line for name in table for line in (str(name), *map(str, table[name]))]
    head = b"COUNTED1" + struct.pack("<II", len(table), len(table.columns))
    return head + "\n".join(lines).encode()


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A format of a package of somebody's own, here and in the process that reads files."""
    folder = tmp_path / "somebodys"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "counted.py").write_text(COUNTED)
    (tmp_path / "sitecustomize.py").write_text("import somebodys.counted\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{ROOT}")
    apart._NURSERY.stop()
    import_all("somebodys", [str(folder)])
    yield
    FORMATS.leave("counted")
    EXAMPLES.pop("counted", None)
    apart._NURSERY.stop()
    for name in [name for name in sys.modules if name.startswith("somebodys")]:
        del sys.modules[name]


def test_one_more_format_is_known_everywhere(
    added: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(AssertionError, match="The format 'counted' has no example file: write one under @ex"):
        check_format("counted", monkeypatch)
    with pytest.raises(AssertionError, match="lacks this row"):
        check_lists("counted")
    docs = tmp_path / "files.md"
    docs.write_text(f"{DOCS.read_text('utf-8')}\n{row_of('counted')}\n", encoding="utf-8")
    monkeypatch.setattr(format_battery, "DOCS", docs)
    format_battery.example("counted")(counted)
    check_format("counted", monkeypatch)
    names = known_names()
    assert names == NAMES.replace("Feather, ", "Feather, Counted, ")
    assert expected() == EXPECTED.replace("Feather, ", "Feather, Counted, ")
    assert ".counted" in endings()
    file = tmp_path / "p.counted"
    file.write_bytes(counted(TABLE))
    assert main(["diagnose", str(file), "--lens", "class:a", "--tests", "none"]) == 0
    assert "40 cases" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["diagnose", "--help"])
    assert names in " ".join(capsys.readouterr().out.split())
    # The process that reads starts anew here, and not while the page waits for it.
    assert apart.read_apart(counted(TABLE), name="p.counted").notes[0].startswith("Read as Counted: 40 rows")
    app = opened("data")
    assert "Feather, Counted, " in said(app)
    assert ".ipc .counted " in app.file_uploader[0].help
    app.file_uploader[0].upload("p.counted", counted(TABLE), "application/octet-stream").run()
    assert not app.exception
    assert "Read as Counted: 40 rows, 4 columns." in said(settled(app))
