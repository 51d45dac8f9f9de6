"""Variables and parameters are named by what they hold: "comparison" or "rows", not "found" or "some"."""

import ast
from collections.abc import Iterator

import pytest

from tests.cases import each
from tests.documents import ROOT

VAGUE = frozenset(["found", "said", "kept", "told", "one", "some", "others", "whole", "of", "at", "there"])
"""No variable, parameter, loop target or function within a function is called so. Attributes may be: the
documents have ``said`` and ``kept``."""
RIDDLES = frozenset(["_whole", "follow", "at_hand", "let_go"])
"""Nothing at all is called so: results are drawn, work is subscribed to, cached and released."""
Functions = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def bound(tree: ast.AST, in_class: bool = False) -> Iterator[tuple[str, int, bool]]:
    """Each name that is bound below a node, its line, and whether it is an attribute of a class."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.Name(ctx=ast.Store()):
                yield node.id, node.lineno, in_class
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name, node.lineno, in_class
            case ast.arg():
                yield node.arg, node.lineno, False
            case ast.alias():
                yield (node.asname or node.name).partition(".")[0], node.lineno, False
            case (
                ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
            ):
                yield name, node.lineno, False
        inside = isinstance(node, ast.ClassDef) or (in_class and not isinstance(node, Functions))
        yield from bound(node, inside and not isinstance(node, ast.comprehension | ast.arg))


def vague(source: str) -> list[tuple[str, int]]:
    """The names in Python code that say nothing, with their lines."""
    return [
        (name, line)
        for name, line, in_class in bound(ast.parse(source))
        if name in RIDDLES or (name in VAGUE and not in_class)
    ]


@pytest.mark.parametrize("package", ["calibcore", "pages"])
def test_names_say_what_they_hold(package: str) -> None:
    bad = []
    for path in sorted((ROOT / package).rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        bad += [f"{place}:{line} {name}" for name, line in vague(path.read_text(encoding="utf-8"))]
    assert not bad


@each(
    ("source", "names"),
    [
        ("found = 1", ["found"]),
        ("def f(x, /, found, *some, one=1, **others): ...", ["found", "one", "some", "others"]),
        ("first, *others = (one for one in x)", ["others", "one"]),
        ("for at, (of, _) in x: pass", ["at", "of"]),
        ("def f():\n    def one(): return lambda whole: (said := whole)", ["one", "whole", "said"]),
        ("with a as kept: pass\ntry: pass\nexcept E as told: pass", ["kept", "told"]),
        ("from a import b as there\nmatch x:\n    case [whole, *some]: pass", ["there", "whole", "some"]),
        ("class A:\n    def f(self):\n        one = [found for found in self]", ["one", "found"]),
        ("class A:\n    def let_go(self): ...\ndef _whole(): ...", ["let_go", "_whole"]),
        ("class A:\n    said: float\n    def of(cls, x): return f(found=x.found, one=1)", []),
        ("rows = x.found(of=1)[one]", []),
    ],
)
def test_what_is_bound_is_found(source: str, names: list[str]) -> None:
    assert sorted(name for name, _ in vague(source)) == sorted(names)
