"""0 that somebody says is 0, and not what is taken where nobody says anything."""

import ast
from pathlib import Path

from tests.cases import each
from tests.documents import ROOT

FILES = [path for folder in ("calibcore", "pages") for path in sorted((ROOT / folder).rglob("*.py"))]
NUMBERS = ("int | None", "float | None")


def taken_for_none(source: str) -> list[int]:
    """Lines in which an argument that is a number or None is asked whether it is true."""
    lines = []
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        given = function.args
        arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs]
        numbers = {a.arg for a in arguments if a.annotation and ast.unparse(a.annotation) in NUMBERS}
        for node in ast.walk(function):
            place = {ast.BoolOp: "values", ast.IfExp: "test", ast.If: "test"}.get(type(node))
            parts = getattr(node, place) if place else []
            asked = [
                part for part in (parts if isinstance(parts, list) else [parts]) if isinstance(part, ast.Name)
            ]
            lines += [part.lineno for part in asked if part.id in numbers]
    return lines


@each("path", FILES)
def test_no_number_is_asked_whether_it_is_true(path: Path) -> None:
    assert taken_for_none(path.read_text(encoding="utf-8")) == []


def test_each_way_of_asking_is_found() -> None:
    source = (
        "def f(n: int | None, x: float | None = None, word: str | None = None):\n"
        "    a = n or 3\n    b = 1 if x else 2\n    if n:\n        pass\n    return word or n is None\n"
    )
    assert sorted(taken_for_none(source)) == [2, 3, 4]
