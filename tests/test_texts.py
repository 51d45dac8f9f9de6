"""What people read keeps to the rules for words: none that promise too much, no shouting, short sentences."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests import documents
from tests.cases import each
from tests.documents import ROOT, name_of

TEXTS = sorted((ROOT / "assets/texts").glob("*.md"))
PAGES = [ROOT / "CHANGELOG.md", *documents.PAGES]
SPOKEN = ("calibcore/words", "calibcore/questions", "pages")
CODE = [path for folder in SPOKEN for path in sorted((ROOT / folder).rglob("*.py"))]
BANNED = re.compile(
    r"perfectly calibrated|well[- ]calibrated|\bproves?\b|\bproven\b|\bguarantees?d?\b|"
    r"statistically significant|\bsimply\b|\bobviously\b|\bplease\b|[a-z)\"']!(?![\[=])",
    re.IGNORECASE,
)
NO_PROMISE = ("no guarantee", "without guarantee", "large p is no proof", "no proof")
"""Denials, which may use the word."""
MOST_WORDS = 25
HEADER = re.compile(r"-src '|HttpOnly|^font: ")
"""What browsers read, not people."""
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
    """A semicolon ends no sentence."""
    parts = re.split(r"(?<=[.?:])\s+|\n+", without_code(text).replace(" % ", "% ").replace(" %", "%"))
    return [part for part in parts if len(part.split()) >= MOST_WORDS]


def prose(text: str) -> str:
    """What a page says: a line for each paragraph or list item, links by their words, no tables."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    text = re.sub(r"^\|.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\$\$.*?\$\$", "formula", text, flags=re.DOTALL)
    text = re.sub(r"`[^`]+`|\$[^$\n]+\$", "code", re.sub(r"\]\([^)]*\)", "]", text))
    text = re.sub(r"^(#.*)$", r"\1\n", text, flags=re.MULTILINE)
    return re.sub(r"(?<!\n)\n(?!\n|- |\d+\. |#)\s*", " ", text)


def chains(text: str) -> list[str]:
    """Sentences with two semicolons or more."""
    parts = re.split(r"(?<=[.?])\s+|\n+", text)
    return [part for part in parts if part.count("; ") > 1 and not HEADER.search(part)]


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
            if not (node.value.isidentifier() and node.value.islower()):  # a key, or a name
                yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(p.value if isinstance(p, ast.Constant) else "0" for p in node.values)


@each("path", TEXTS, ids=lambda path: path.stem)
def test_texts_keep_to_the_rules(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert faults(without_code(text)) == []
    assert long_sentences(text) == []
    assert chains(text) == []


@each("path", PAGES, ids=name_of)
def test_pages_of_the_docs_keep_to_the_rules(path: Path) -> None:
    text = prose(path.read_text(encoding="utf-8"))
    assert faults(text) == []
    assert long_sentences(text) == []
    assert chains(text) == []


@each("path", CODE, ids=lambda path: path.stem)
def test_sentences_in_code_keep_to_the_rules(path: Path) -> None:
    for text in sentences_in(path):
        assert faults(text) == [], text
        assert long_sentences(text) == [], text
        assert chains(text) == [], text


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
    assert long_sentences("; ".join([" ".join(["word"] * 13)] * 2))
    assert chains("One; two; three.")
    assert not chains("One; two. Three; four.")
    assert long_sentences(prose("- " + "\n  ".join(["word"] * 25)))
    assert not long_sentences(prose("## " + " ".join(["word"] * 13) + "\n" + " ".join(["word"] * 13)))


# Walkthroughs are the authors'. A sentence in which somebody else answered or stumbled would speak of nobody.
HOW_MANY = "an?|one|the|our|two|three|four|five|some|many|several|most|few|all|other|both|another|no"
ROLES = (
    "reader|user|person|people|clinician|doctor|dermatologist|radiologist|nurse|manager|physician|statistician|"
    "engineer|data scientist|researcher|colleague|tester|participant|volunteer|expert|student|customer"
)
DID = (
    "answered|told us|found|read|said|stumbled|could not|(?:was|were) asked|missed|misread|wrote|thought|"
    "took|saw|clicked|wanted|expected|understood|reported|felt|liked|preferred|tried"
)
CLAIMS = re.compile(
    rf"\b(?:(?:{HOW_MANY}) (?:\w+ ){{0,2}}(?<!screen )(?:{ROLES})s?)\b(?! would)[^.]{{0,40}}\b(?:{DID})\b"
    r"|(?<!no )(?:user study|usability (?:study|test)|interviews? with)",
    re.IGNORECASE,
)


@each("path", [*PAGES, *TEXTS], ids=name_of)
def test_nobody_is_claimed_to_have_been_asked(path: Path) -> None:
    assert not CLAIMS.findall(path.read_text(encoding="utf-8"))


def test_a_claim_about_people_is_seen() -> None:
    for claim in (
        "Two readers who had not seen it answered ten",
        "The dermatologist could not find out",
        'the first column (a clinician read "no sepsis 61 %")',
        "One of our users saw no arrow",
        "Three experienced data scientists preferred it",
        "In a user study it took a minute",
    ):
        assert CLAIMS.search(claim), claim
    for fine in ("They are no user study", "as a radiologist would read it", "The authors read Overview"):
        assert not CLAIMS.search(fine), fine
