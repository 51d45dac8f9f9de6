"""The decisions: a numbered file each, all of one shape, and an index by area that names them all."""

import re
from pathlib import Path

from tests.cases import each
from tests.documents import ROOT

FOLDER = ROOT / "docs/decisions"
FILES = sorted(FOLDER.glob("[0-9]*.md"))
INDEX = (FOLDER / "README.md").read_text(encoding="utf-8")
PARTS = ("Context", "Decision", "Evidence", "Consequences")
"""What a decision says; the last two where something is known of them."""
HEAD = re.compile(
    r"# (?P<title>.+)\n\n"
    r"- Status: (?P<status>.+)\n- Date: \d{4}-\d\d-\d\d\n- Area: (?P<area>.+)\n\n"
)
SUPERSEDED = re.compile(r"superseded by \[(\d{4})\]\((\1-[a-z0-9-]+\.md)\)")


def fault(path: Path, index: str) -> str:
    """The first thing that is wrong with a decision; empty: nothing."""
    text = path.read_text(encoding="utf-8")
    head = HEAD.match(text)
    if head is None:
        return f"{path.name} begins otherwise than the other decisions: see docs/decisions/README.md."
    status, other = head["status"], SUPERSEDED.fullmatch(head["status"])
    if status != "accepted" and (other is None or not (FOLDER / other[2]).is_file()):
        return f"{path.name} has the status {status!r}; expected accepted or superseded by another decision."
    parts = re.findall(r"^## (.+)\n(?=\S)", text, flags=re.MULTILINE)
    if parts != [part for part in PARTS if part in parts] or not set(PARTS[:2]) <= set(parts):
        return f"{path.name} has the parts {', '.join(parts)}; expected {', '.join(PARTS)}."
    row = f"| [{path.name[:4]}]({path.name}) | {head['title']} | {status} |"
    section = index.partition(f"\n## {head['area']}\n")[2].partition("\n## ")[0]
    if row not in section.splitlines():
        return f"docs/decisions/README.md lacks under {head['area']}:\n{row}"
    return ""


@each("path", FILES, ids=lambda path: path.stem)
def test_every_decision_has_its_shape_and_its_line_in_the_index(path: Path) -> None:
    assert not (said := fault(path, INDEX)), said


def test_numbers_have_no_gap_and_the_index_names_nothing_else() -> None:
    assert [int(path.name[:4]) for path in FILES] == [*range(1, len(FILES) + 1)]
    assert len(re.findall(r"^\| \[\d", INDEX, flags=re.MULTILINE)) == len(FILES)


def test_what_is_wrong_with_a_decision_is_said(tmp_path: Path) -> None:
    whole = FILES[-1].read_text(encoding="utf-8")
    for before, after, said in (
        ("- Date: ", "- When: ", "begins otherwise"),
        ("accepted", "superseded by [9999](9999-none.md)", "has the status 'superseded by"),
        ("## Context", "## Why", "has the parts Why, Decision"),
        ("- Area: ", "- Area: No ", "lacks under No "),
    ):
        path = tmp_path / FILES[-1].name
        path.write_text(whole.replace(before, after, 1), encoding="utf-8")
        assert said in fault(path, INDEX)
