"""What words name is there: every reference in docstrings, every module, name and file in the documents."""

import ast
import builtins
import importlib
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from tests.cases import each
from tests.documents import ROOT, TEXTS, texts_in

PACKAGES = ("calibcore", "pages")
ROLE = re.compile(r":(class|func|meth|mod|data|attr|exc|obj):`([^`]*)`")
FILES = [
    path.relative_to(ROOT.parent)
    for folder in (*PACKAGES, "assets", "tests", "scripts", "benchmarks", "experiments")
    for path in (ROOT / folder).rglob("*.*")
] + [Path(ROOT.name, "app.py")]
FOLDERS = "calibcore|pages|tests|assets|scripts|benchmarks|experiments|docs"


@dataclass
class Module:
    """What a file of Python has by name; ``classes`` has the attributes and the bases of each class."""

    name: str
    text: str
    names: set[str] = field(default_factory=set)
    classes: dict[str, tuple[set[str], list[str]]] = field(default_factory=dict)
    spans: list[tuple[int, int, str]] = field(default_factory=list)


def bound_by(node: ast.AST) -> set[str]:
    """The names that a statement binds where it stands."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    if isinstance(node, ast.If | ast.Try | ast.With | ast.For):
        return set().union(*(bound_by(child) for child in ast.iter_child_nodes(node)))
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    found = [each for target in targets if target for each in ast.walk(target) if isinstance(each, ast.Name)]
    return {each.id for each in found}


@cache
def modules() -> dict[str, Module]:
    """All modules of the product, by their names."""
    made = {}
    for path in [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]:
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        module = Module(name, path.read_text(encoding="utf-8"))
        for node in (tree := ast.parse(module.text)).body:
            module.names |= bound_by(node)
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                own = set().union(*(bound_by(child) for child in node.body))
                own |= {
                    each.attr
                    for each in ast.walk(node)
                    if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store)
                }
                module.classes[node.name] = own, [ast.unparse(base).split("[")[0] for base in node.bases]
                module.spans.append((node.lineno, node.end_lineno or node.lineno, node.name))
        made[name] = module
    return made


@cache
def of_classes() -> dict[str, list[tuple[set[str], list[str]]]]:
    """Attributes and bases of the classes of each name, wherever they are."""
    made: dict[str, list[tuple[set[str], list[str]]]] = {}
    for module in modules().values():
        for name, parts in module.classes.items():
            made.setdefault(name, []).append(parts)
    return made


def has(class_name: str, attribute: str) -> bool:
    """Whether a class of this name has it, itself or from a base."""
    return any(
        attribute in own or any(has(base.rpartition(".")[2], attribute) for base in bases)
        for own, bases in of_classes().get(class_name, ())
    )


def is_in(module: Module, names: list[str]) -> bool:
    """Whether a module has a name, or a class with an attribute."""
    if len(names) == 1:
        return names[0] in module.names or f"{module.name}.{names[0]}" in modules()
    return len(names) == 2 and names[0] in module.names and has(*names)


def is_whole(target: str) -> bool:
    """Whether a whole path is there: one of ours, or one of another library."""
    parts = target.split(".")
    if parts[0] in PACKAGES:
        places = [(".".join(parts[:i]), parts[i:]) for i in range(len(parts), 0, -1)]
        module, names = next((modules()[name], names) for name, names in places if name in modules())
        return not names or is_in(module, names)
    for i in range(len(parts), 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:i]))
        except ImportError:
            continue
        for name in parts[i:]:
            value = getattr(value, name, None)
        return value is not None
    return False


def resolves(target: str, module: Module, line: int) -> bool:
    """Whether a reference on a line of a module names something.

    As Sphinx has it: a dot before it stands for any path; else it is of the class around it, of the module,
    a public name, one that Python has, or a whole path.
    """
    target = target.partition("<")[2].rstrip(">") or target
    target = target.lstrip("~!").removesuffix("()")
    if target.startswith("."):
        return any(
            name.endswith(target)
            or is_in(of, names)
            or (rest and name.endswith(f".{rest}") and is_in(of, names[-k:]))
            for name, of in modules().items()
            for names in [target[1:].split(".")]
            for k in (1, 2)
            for rest in [".".join(names[:-k])]
        )
    names = target.split(".")
    around = [name for first, last, name in module.spans if first <= line <= last]
    if len(names) == 1 and any(has(name, target) for name in around):
        return True
    public = modules()["calibcore"]
    return is_in(module, names) or is_in(public, names) or hasattr(builtins, target) or is_whole(target)


def test_every_reference_in_a_docstring_names_something() -> None:
    stale, seen = [], 0
    for module in modules().values():
        for match in ROLE.finditer(module.text):
            seen += 1
            line = module.text.count("\n", 0, match.start()) + 1
            if not resolves(re.sub(r"\s+", "", match[2]), module, line):
                stale.append(f"{module.name}, line {line}: {match[0]}")
    assert not stale, "\n".join(stale)
    assert seen > 300


@pytest.mark.parametrize(
    "target",
    [
        "calibcore.survey.VERDICT_TEST", ".patience.UNASKED", "Predictions.nothing", "nowhere",
        ".Survey.nowhere", "~calibcore.assessment.nowhere", "numpy.random.nowhere",
    ],
)  # fmt: skip
def test_a_reference_to_nothing_is_found(target: str) -> None:
    assert not resolves(target, modules()["calibcore.assessment.verdict"], 60)


@each("name", TEXTS)
def test_every_module_name_and_file_in_a_document_is_there(name: str) -> None:
    text = TEXTS[name]
    paths = set(re.findall(rf"(?<![\w/.-])((?:{FOLDERS})/[\w/.-]*\w/?)", text))
    dotted = set(re.findall(r"(?<![\w/.-])((?:calibcore|pages)(?:\.\w+)+)", text))
    # "numerics/loops.py" is one of calibcore or of pages.
    files = {path for path in re.findall(r"`([\w/]+\.(?:py|js|css))`", text) if "example" not in path}
    tails = tuple(path.as_posix() for path in FILES)
    stale = [path for path in paths if not (ROOT / path).exists() and not [*ROOT.glob(f"{path}*")]]
    stale += [path for path in dotted if not is_whole(path) and not (ROOT / path).exists()]
    stale += [path for path in files if not any(tail.endswith(f"/{path}") for tail in tails)]
    assert not stale


def test_what_is_said_of_who_knows_numba_and_python_ternary_is_so() -> None:
    text = texts_in("decisions")
    (sentence,) = re.findall(r"Only ([^.]*(?:\.py[^.]*)+) know numba", text)
    knows = {
        module.name
        for module in modules().values()
        if re.search(r"^from numba|^import numba", module.text, re.M)
    }
    said = {
        f"calibcore.{path.removesuffix('.py').replace('/', '.')}"
        for path in re.findall(r"`([^`]*)`", sentence)
    }
    assert said == knows
    assert "python-ternary, quiet upstream" in text
    triangles = [m.name for m in modules().values() if re.search(r"^\s*(from|import) ternary", m.text, re.M)]
    assert triangles == ["calibcore.painters.paper.triangle"]  # "is used by one module"
