"""Paragraphs that stand in assets/texts: each is there, is asked for, and is read to the letter."""

import ast
from pathlib import Path

import pytest

from calibcore.words import texts
from tests.documents import ROOT

ASKS = {
    "methods": ("calibcore/words/reported_methods.py", "_text"),
    "references": ("calibcore/words/reported_methods.py", "_reference"),
} | {
    path.stem: (f"calibcore/questions/{path.stem[7:].replace('-', '_')}/words.py", "_text")
    for path in sorted((ROOT / "assets/texts").glob("answer-*.md"))
}
ASKS["answer-over-labels"] = ("calibcore/questions/over_labels/answer.py", "_text")
"""Text -> the module that asks for its paragraphs, and by which function."""


def asked_for(module: str, function: str) -> set[str]:
    """The headings that stand in the calls of a function."""
    return {
        str(node.args[0].value)
        for node in ast.walk(ast.parse((ROOT / module).read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function
        if isinstance(node.args[0], ast.Constant)
    }


@pytest.mark.parametrize("name", ASKS)
def test_each_paragraph_is_asked_for_and_each_that_is_asked_for_is_there(name: str) -> None:
    known = texts.paragraphs(name)
    text = (ROOT / f"assets/texts/{name}.md").read_text(encoding="utf-8")
    assert list(known) == [line[3:] for line in text.splitlines() if line.startswith("## ")]  # none twice
    assert asked_for(*ASKS[name]) == set(known)


@pytest.mark.parametrize(("name", "folder"), [("remarks", "calibcore/words"), ("messages", "pages")])
def test_each_remark_is_asked_for_and_each_that_is_asked_for_is_there(name: str, folder: str) -> None:
    calls = (
        node.args
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "paragraph"
    )
    asked = [tuple(map(ast.literal_eval, call)) for call in calls]
    assert sorted(asked) == sorted((name, heading) for heading in texts.paragraphs(name))


def test_a_paragraph_is_read_to_the_letter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own.md").write_text(
        "## first one\n\nUp to 95 % of {cases:,} cases. 5% more.\n\n## b\nTwo.\n", encoding="utf-8"
    )
    monkeypatch.setattr(texts, "asset_path", lambda _folder, name: tmp_path / name)
    assert (
        texts.paragraph("own", "first one", cases=1200)
        == "Up to 95\N{NO-BREAK SPACE}% of 1,200 cases. 5% more."
    )
    assert texts.paragraph("own", "b") == "Two."
    with pytest.raises(KeyError, match="cases"):
        texts.paragraph("own", "first one")
    with pytest.raises(KeyError, match="c"):
        texts.paragraph("own", "c")
    texts.paragraphs.cache_clear()
