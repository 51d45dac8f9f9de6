"""Tables that leave as CSV: no cell is a formula to a spreadsheet or a command to a terminal."""

import ast
import csv
import io
import re
from pathlib import Path

import pytest

from calibcore.words.tables import csv_of, safe_cell

HOME = Path(__file__).parents[2]
WRITERS = {"writer", "DictWriter", "to_csv", "to_excel", "write_csv", "to_clipboard", "savetxt"}
GUARDED = {
    "calibcore/words/tables.py": "the guard itself",
    "calibcore/data/examples.py": "bundled examples, whose names are ours",
    "calibcore/io/unlabelled.py": "labels that Caliblens itself reads back",
    "pages/ui/data/borrowing.py": "labels that Caliblens itself reads back",
}
"""Files that may write CSV without the guard, and why."""
SAFE = {"csv_of", "members_csv", "example_csv"}


@pytest.mark.parametrize("sign", list("=+-@＝＋－＠﹦﹢﹣﹫"))
@pytest.mark.parametrize(
    "before", ["", " ", "\t", "\r", "\n", " \t", "\u00a0", "\u3000", "\u200b", "\ufeff", "\x1b", "\x9b"]
)
def test_a_formula_is_guarded_whatever_hides_it(before: str, sign: str) -> None:
    safe = str(safe_cell(f"{before}{sign}1+1"))
    assert safe.startswith("'")
    assert safe.endswith(f"{sign}1+1")


@pytest.mark.parametrize("text", ["a;=1", "a\t=1", "a\n=1", "a\r=1", "a; ＝1"])
def test_nor_does_one_begin_where_other_settings_separate_cells(text: str) -> None:
    assert re.search(r"[;\t\n]' ?[=＝]1$", str(safe_cell(text)))


def test_commands_of_terminals_are_blanks() -> None:
    written = csv_of([{"na\x1b]0;x\x07me": "a\x1b[31mred\x9b0m", "\x1b=x": "\x00\x08b"}])
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", written)
    assert list(csv.reader(io.StringIO(written))) == [["na ]0;x me", "' =x"], ["a [31mred 0m", " b"]]


@pytest.mark.parametrize(
    "text", ["", "  ", "East", "a-b", "a, -b", "x=1", "Käse 100 %", "می\u200cخواهم", "a;b", "a\nb"]
)
def test_other_text_stays(text: str) -> None:
    assert safe_cell(text) == text
    assert safe_cell(-1.5) == -1.5


def test_every_export_goes_through_the_guard() -> None:
    """Whoever writes CSV by other means, or offers it without :func:`csv_of`, is named here."""
    unguarded = []
    for path in sorted([*(HOME / "calibcore").rglob("*.py"), *(HOME / "pages").rglob("*.py")]):
        name = path.relative_to(HOME).as_posix()
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        called = {
            node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
            for node in nodes
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name)
        }
        texts = {
            node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        if called & WRITERS and name not in GUARDED:
            unguarded.append(f"{name} writes by {called & WRITERS}")
        if "text/csv" in texts and not called & SAFE:
            unguarded.append(f"{name} offers CSV of its own")
    assert not unguarded
    assert all((HOME / name).exists() for name in GUARDED)
