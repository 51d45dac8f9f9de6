"""What the README, the docs and the texts promise is there."""

import json
import re
from dataclasses import fields
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from calibcore import Comparison, DiagnosisSpec, Plan, Recalibration
from calibcore.answers.question import Question
from calibcore.assessment.verdict import ANSWERS, Verdict
from calibcore.cli.figure import FIGURES
from calibcore.diagram.binning import BINNINGS
from calibcore.hypothesis_tests.families import FAMILIES
from calibcore.kernels import KERNELS
from calibcore.limits import VARIABLES, VERSION, Limits, Server
from calibcore.numerics.distances import DISTANCES
from calibcore.questions.registry import QUESTIONS
from calibcore.settings import ESTIMATES
from calibcore.transforms.lenses import LENSES
from calibcore.transforms.nulls import NULLS
from pages.server import page_list
from tests.asked import lacks_small, small_ones
from tests.cases import each
from tests.documents import (
    FREE,
    PAGES,
    README,
    ROOT,
    TEXTS,
    commands,
    flags_of,
    lacks_command,
    lacks_keys,
    lacks_kind,
    lacks_page,
    lacks_question,
    lacks_setting,
    name_of,
    section,
    sections_of,
)
from tests.tensors import Tensor

KINDS = (
    (LENSES, "statistics/lenses"),
    (BINNINGS, "statistics/bins-and-ece"),
    (DISTANCES, "statistics/bins-and-ece"),
    (KERNELS, "statistics/kernels-and-tests"),
    (NULLS, "statistics/kernels-and-tests"),
    (FAMILIES, "statistics/kernels-and-tests"),
)
"""Strategies, and the page that has the formula of each of their kinds."""
COMMANDS = commands()
ALL = "\n".join(TEXTS.values())


def test_every_server_setting_is_documented_and_none_beside() -> None:
    table = TEXTS["server"].partition("\n## Settings\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"`((?:CALIBLENS|DATABASE)_[A-Z_]+)`", table)) == set(VARIABLES)
    assert "`STREAMLIT_SERVER_MAX_UPLOAD_SIZE`" in table


def test_no_setting_is_read_anywhere_else() -> None:
    """So that the table in docs/server.md is whole."""
    for path in [ROOT / "app.py", *(ROOT / "calibcore").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]:
        if path.name != "limits.py":
            text = path.read_text(encoding="utf-8")
            assert "os.environ" not in text, path
            assert "getenv" not in text, path


def test_documented_defaults_are_the_defaults() -> None:
    defaults = re.findall(r"\| `CALIBLENS_(\w+)` \| .* \| ([\d,]+) \|", TEXTS["server"])
    assert defaults
    for name, default in defaults:
        holder = Limits() if hasattr(Limits(), name.lower()) else Server()
        assert getattr(holder, name.lower()) == int(default.replace(",", ""))


@each("name", COMMANDS)
def test_every_command_and_each_of_its_flags_is_documented(name: str) -> None:
    assert not (said := lacks_command(name, flags_of(COMMANDS[name]), TEXTS["cli"])), said


def test_every_documented_flag_of_ours_exists() -> None:
    known = set().union(*map(flags_of, COMMANDS.values()))
    assert set(re.findall(r"`(--[a-z][a-z-]*)", ALL)) - FREE <= known


@each("name", [field.name for field in fields(DiagnosisSpec)])
def test_every_setting_is_documented(name: str) -> None:
    assert not (said := lacks_setting(name, TEXTS["cli"])), said


@each("title", [page.title for page in page_list.pages()])
def test_every_page_of_the_app_is_documented(title: str) -> None:
    assert not (said := lacks_page(title, TEXTS["app"])), said


@each("question", QUESTIONS.values())
def test_every_question_is_documented(question: Question[Any]) -> None:
    assert not (said := lacks_question(question, TEXTS)), said


@each("sort, kind, page", [(sort.sort, kind, page) for sort, page in KINDS for kind in sort])
def test_every_kind_of_strategy_has_its_formula_and_is_a_word_of_the_command_line(
    sort: str, kind: str, page: str
) -> None:
    for where in (page, "cli"):
        assert not (said := lacks_kind(sort, kind, where, TEXTS)), said


@each("test", [name for family in FAMILIES.values() for name in family.names])
def test_every_hypothesis_test_is_explained(test: str) -> None:
    assert not (said := lacks_kind("test", test, "statistics/kernels-and-tests", TEXTS)), said


@each("estimate", ESTIMATES)
def test_every_estimate_has_its_formula(estimate: str) -> None:
    assert not (said := lacks_kind("estimate", estimate, "statistics/estimates", TEXTS)), said


def test_what_is_not_documented_is_said_in_a_sentence() -> None:
    """Formats say it in tests/pages/test_one_more_format.py."""
    made = type("Made", (), {"__module__": "calibcore.questions.made_up.result"})
    question: Any = SimpleNamespace(command="made-up")
    row = "| [Made up](made-up.md) | `made-up` |"
    index = {"statistics/README": f"\n## Questions\n{row}\n"}
    command = "| `made-up` | says nothing |\n\n## Made\n`made-up` says nothing.\n"
    flag, key = "| `--made` | a flag |\n", "`made` is a key.\n"
    for text, said in (
        (lacks_command("made-up", ["--made"], TEXTS["cli"]), "The command 'made-up' has no row in the table"),
        (lacks_command("made-up", ["--made"], command), "says nothing of --made of the command 'made-up'"),
        (lacks_command("made-up", ["--made"], command + flag), ""),
        (
            lacks_question(question, TEXTS),
            "The question 'made-up' has no page: write docs/statistics/made-up.m",
        ),
        (
            lacks_question(question, TEXTS | {"statistics/made-up": ""}),
            "lacks under Questions: | [",
        ),
        (
            lacks_question(question, TEXTS | {"statistics/made-up": ""} | index),
            "no section on the question 'm",
        ),
        (lacks_question(question, index | {"statistics/made-up": "", "cli": command}), ""),
        (
            lacks_small(made),
            "Make a small Made in tests/questions/made_up/test_made_up.py, under @small(Made) of tests/ask",
        ),
        (lacks_keys("made-up", {"made": 1}, command), "does not say what made hold in the JSON of 'made-up'"),
        (lacks_keys("made-up", {"made": [{"made": 1}]}, command + key), ""),
        (lacks_kind("lens", "made", "statistics/lenses", TEXTS), "does not say what the lens `made` is"),
        (lacks_setting("made_up", TEXTS["cli"]), "of the setting 'made_up': `--made-up`"),
        (lacks_page("Made", TEXTS["app"]), "does not say under 'The pages' what the page 'Made' is for"),
    ):
        assert said in text
        assert bool(said) == bool(text)


@pytest.mark.parametrize("page", ["README", "python"])
def test_documented_python_runs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names = np.array(["cat", "dog", "owl"])
    probs = np.random.default_rng(0).dirichlet(np.ones(3), 40).round(3)
    probs[:, 2] = 1 - probs[:, :2].sum(axis=1)
    y = names[probs.argmax(axis=1)]
    pd.DataFrame(probs, columns=names).assign(y_true=y).to_csv("predictions.csv", index=False)
    code, *more = re.findall(r"```python\n(.*?)```", TEXTS[page], flags=re.DOTALL)
    model = SimpleNamespace(predict_proba=lambda _: probs, classes_=names)
    held: dict[str, Any] = {"model": model, "X": None, "y": y}
    exec(code, held)
    printed = capsys.readouterr().out
    answers = [line.split()[1] for line in printed.splitlines()[:5]]
    assert answers[:2] == ["miscalibrated"] * 2  # confidence, and all classes together
    assert set(answers) <= set(ANSWERS)
    if page == "python":
        assert 0 < float(printed.splitlines()[6]) <= 1
    assert json.loads(printed.splitlines()[-1])["data"]["class_names"] == list(names)
    logits = Tensor(np.log(probs + 0.01).astype(np.float32), "attached bfloat16")
    labels = Tensor(probs.argmax(axis=1))
    held |= {"p_owl": Tensor(probs[:, 2]), "logits": logits, "labels": labels}
    held |= {"output": SimpleNamespace(predictions=logits.values, label_ids=labels.values)}
    held |= {"confidence": Tensor(probs.max(axis=1)), "correct": Tensor(probs.max(axis=1) > 0.5)}
    held |= {"answers": pa.array(names[probs.argmax(axis=1)]), "truth": pa.array(y)}
    held["frame"] = pa.table({"label": y, "site": y, **dict(zip(names, probs.T, strict=True))})
    for part in more:
        exec(part, held)
    assert len(more) == (2 if page == "python" else 0)
    if more:
        assert held["p"].confidence_only
        assert "temperature cannot-tell" in capsys.readouterr().out  # all answers of the model are right


def test_every_figure_of_print_is_documented() -> None:
    assert all(f"`{name}`" in sections_of("figure", TEXTS["cli"]) for name in FIGURES)


@cache
def document_of(result: type) -> dict[str, Any]:
    """The JSON of that one."""
    made: dict[str, Any] = small_ones()[result]().to_document()
    return made


def test_every_key_of_the_json_of_a_question_is_documented() -> None:
    for result in small_ones():
        assert not (said := lacks_keys(QUESTIONS[result].command, document_of(result), TEXTS["cli"])), said


def test_every_key_of_a_verdict_and_of_entries_is_documented() -> None:
    compared, recalibrated = document_of(Comparison), document_of(Recalibration)
    (pair,), (model, _), (method, *_) = compared["pairs"], compared["models"], recalibrated["methods"]
    for said, document in (
        (section(TEXTS["cli"], "JSON"), model["verdict"] | model["verdict"]["typical_gap"]),
        (section(TEXTS["cli"], "Comparing models"), pair["brier"] | pair["accuracy"]),
        (section(TEXTS["cli"], "Recalibration"), method["test"]),
        (section(TEXTS["cli"], "Planning"), document_of(Plan)["check"]),
    ):
        assert {key for key in document if f"`{key}`" not in said} <= {"schema", "document"}
    table = TEXTS["cli"].partition("A `verdict` holds\n\n")[2].partition("\n\n")[0]
    named = re.findall(r"`(\w+)`", " ".join(row.split(" | ")[0] for row in table.splitlines()[2:]))
    assert named
    assert set(named) <= {*model["verdict"], *Verdict.OPTIONAL}


def _anchors(text: str) -> set[str]:
    """Anchors of the headings, as GitHub makes them."""
    heads = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@each("path", PAGES, ids=name_of)
def test_every_link_leads_somewhere(path: Path) -> None:
    for link in re.findall(r"\]\(([^)]+)\)", TEXTS[name_of(path)]):
        if not link.startswith("http"):
            name, _, anchor = link.partition("#")
            target = (path.parent / name).resolve() if name else path
            assert target.is_file(), link
            assert not anchor or anchor in _anchors(target.read_text(encoding="utf-8")), link


def test_the_readme_is_a_page() -> None:
    assert len(TEXTS["README"].splitlines()) <= 130


def test_every_page_of_the_docs_is_reached_from_the_readme() -> None:
    """A page of a folder from its index, which the README names."""
    for path in PAGES[1:]:
        index = (
            README if path.parent.name == "docs" or path.name == "README.md" else path.with_name("README.md")
        )
        link = path.relative_to(index.parent).as_posix()
        assert re.search(rf"\({link}[)#]", TEXTS[name_of(index)]), f"{name_of(index)} does not name {link}"


def test_every_term_that_a_page_explains_is_in_the_glossary() -> None:
    text = (ROOT / "assets/texts/glossary.md").read_text(encoding="utf-8")
    terms = set(re.findall(r"^\*\*(.+?)\*\*: ", text, flags=re.MULTILINE))
    used: set[str] = set()
    for path in (path for folder in ("pages", "calibcore") for path in (ROOT / folder).rglob("*.py")):
        used |= set(re.findall(r'(?:glossary\(|\bterm=)"(.+?)"', path.read_text(encoding="utf-8")))
    assert used == terms


def test_what_the_recipes_name_is_there() -> None:
    """Files, and whatever else stands there as code: what was renamed or is gone is found."""
    block = re.compile(r"^```\n(.*?)^```", flags=re.DOTALL | re.MULTILINE)
    text = TEXTS["contributing"]
    spans = [span for span in re.findall(r"`([^`]+)`", block.sub("", text)) if not re.search("[<…]", span)]
    paths = [span for span in spans if re.fullmatch(r"[\w.]+(?:/[\w.]*)+", span)]
    typed = re.findall(r"\S+/\S+\.\w+", "\n".join(block.findall(text)))
    roots = (ROOT, ROOT / "calibcore")
    gone = [path for path in {*paths, *typed} if not any((root / path).exists() for root in roots)]
    assert not gone, f"docs/contributing.md names files that are not there: {', '.join(gone)}"
    folders = ("calibcore", "pages", "scripts", "tests")
    code = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    files = (ROOT / "pyproject.toml", ROOT / "Makefile", *code)
    there = set().union(*(re.findall(r"\w+", path.read_text(encoding="utf-8")) for path in files))
    named = set(re.findall(r"\b[A-Za-z_]\w+", " ".join(span for span in spans if span not in paths)))
    assert not (gone := named - there), f"docs/contributing.md names what no code has: {', '.join(gone)}"


def test_the_version_is_the_same_everywhere() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {VERSION}" in citation
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## (?:Unreleased|(\S+) \((\d{4}-\d\d-\d\d)\))$", changes, re.MULTILINE)
    assert newest is not None
    version, day = newest.groups()
    assert version in (None, VERSION)
    assert (f'date-released: "{day}"' in citation) is (version is not None)
