"""Paragraphs that stand in assets/texts: each is there, is asked for, and is read to the letter."""

import ast
from pathlib import Path

import pytest

from calibcore.words import texts
from tests.documents import ROOT

FILES = sorted((ROOT / "assets/texts").glob("answer-*.md"))


def asked_for(path: Path) -> set[str]:
    """Headings of which a module of words asks for the paragraph."""
    return {
        node.args[0].value
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "_text"
        if isinstance(node.args[0], ast.Constant)
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_paragraph_is_asked_for_and_each_that_is_asked_for_is_there(path: Path) -> None:
    question = path.stem.removeprefix("answer-").replace("-", "_")
    known = texts.paragraphs(path.stem)
    headings = [line[3:] for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("## ")]
    assert list(known) == headings  # none twice, none without a paragraph
    assert asked_for(ROOT / f"calibcore/questions/{question}/words.py") == set(known)


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
