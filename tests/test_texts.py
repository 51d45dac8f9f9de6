"""What people read keeps to the rules for words: none that promise too much, no shouting, short sentences."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXTS = sorted((ROOT / "assets/texts").glob("*.md"))
CODE = [*sorted((ROOT / "calibcore/words").glob("*.py")), *sorted((ROOT / "pages").rglob("*.py"))]
BANNED = re.compile(
    r"perfectly calibrated|well[- ]calibrated|\bproves?\b|\bproven\b|\bguarantees?d?\b|"
    r"statistically significant|\bsimply\b|\bobviously\b|\bplease\b|[a-z)\"']!(?![\[=])",
    re.IGNORECASE,
)
NO_PROMISE = ("no guarantee", "without guarantee", "large p is no proof", "no proof")
"""Denials, which may use the word."""
MOST_WORDS = 25
EMOJI = re.compile("[\U0001f300-\U0001faff\u2600-\u26ff]")


def faults(text: str) -> list[str]:
    """Words that may not be said."""
    for denial in NO_PROMISE:
        text = text.replace(denial, "")
    return [*BANNED.findall(text), *EMOJI.findall(text)]


def without_code(text: str) -> str:
    """A text without blocks of code and marks, list items and headings as sentences of their own."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    return re.sub(r"^(?:- |#+ )|\*\*|`", "", text, flags=re.MULTILINE)


def long_sentences(text: str) -> list[str]:
    parts = re.split(r"(?<=[.?:;])\s+|\n+", without_code(text).replace(" % ", "% ").replace(" %", "%"))
    return [part for part in parts if len(part.split()) >= MOST_WORDS]


def sentences_in(path: Path) -> Iterator[str]:
    """Texts in code that look like sentences; what stands in {} is a word. No docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    loose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if id(node) in documented | loose | inside:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(p.value if isinstance(p, ast.Constant) else "0" for p in node.values)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_texts_keep_to_the_rules(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert faults(without_code(text)) == []
    assert long_sentences(text) == []


@pytest.mark.parametrize("path", CODE, ids=lambda path: path.stem)
def test_sentences_in_code_keep_to_the_rules(path: Path) -> None:
    for text in sentences_in(path):
        assert faults(text) == [], text
        assert long_sentences(text) == [], text


def test_the_rules_can_be_broken() -> None:
    for text in (
        "A perfectly calibrated model.",
        "This proves it.",
        "It guarantees nothing.",
        "Done!",
        "Look at it 🎉",
    ):
        assert faults(text), text
    assert not faults("no guarantee; for comparison")
    assert not faults("a != b")
    assert long_sentences(" ".join(["word"] * 25))
    assert not long_sentences(" ".join(["word"] * 24))
