"""What the README, the docs and the texts promise is there."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from calibcore import DiagnosisSpec, Predictions, compare, plan, recalibrate
from calibcore.assessment.verdict import ANSWERS
from calibcore.cli.arguments import parser
from calibcore.cli.figure import FIGURES
from calibcore.diagram.binning import BINNINGS
from calibcore.kernels import KERNELS
from calibcore.limits import VARIABLES, VERSION, Limits, Server
from calibcore.spec import ESTIMATES, TESTS
from calibcore.transforms.lenses import LENSES
from tests.cases import each

FIGURE = ["figure", "x", "--out", "x.pdf"]
REPORT = ["report", "x", "--out", "x.pdf"]
OF_REPORTS = ("out", "title", "model", "date", "noun", "paper", "with_rows")
COMPARE, TRAINING, RECALIBRATE = ["compare", "x", "y"], ["training", "x"], ["recalibrate", "x"]
MONITOR, GROUPS = ["monitor", "x", "--time", "order"], ["groups", "x", "--by", "site"]
DECIDE, PLAN = ["decide", "x"], ["plan", "x"]
ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in PAGES}
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


def test_every_documented_flag_of_ours_exists() -> None:
    known = {}
    questions = (COMPARE, TRAINING, RECALIBRATE, MONITOR, GROUPS, DECIDE, PLAN)
    for arguments in (["diagnose", "x"], FIGURE, REPORT, *questions):
        known |= vars(parser().parse_args(arguments))
    for flag in set(re.findall(r"`--([a-z-]+)", ALL)):
        assert flag.removeprefix("no-").replace("-", "_") in known, flag


def test_every_flag_of_reading_and_of_settings_is_documented() -> None:
    known = set(vars(parser().parse_args(["diagnose", "x"]))) | set(
        vars(parser().parse_args(["survey", "x"]))
    )
    for flag in known - {"command", "predictions"}:
        assert f"`--{flag.replace('_', '-')}" in TEXTS["cli"], flag


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
    (code,) = re.findall(r"```python\n(.*?)```", TEXTS[page], flags=re.DOTALL)
    model = SimpleNamespace(predict_proba=lambda _: probs, classes_=names)
    exec(code, {"model": model, "X": None, "y": y})
    printed = capsys.readouterr().out
    answers = [line.split()[1] for line in printed.splitlines()[:5]]
    assert answers[:2] == ["miscalibrated"] * 2  # confidence, and all classes together
    assert set(answers) <= set(ANSWERS)
    if page == "python":
        assert 0 < float(printed.splitlines()[6]) <= 1
    assert json.loads(printed.splitlines()[-1])["data"]["class_names"] == list(names)


def test_every_flag_and_figure_of_print_is_documented() -> None:
    own = set(vars(parser().parse_args(FIGURE))) - set(vars(parser().parse_args(["diagnose", "x"])))
    assert own == {"out", "figure", "width", "curve", "test", "noun", "least", "without", "zoom"}
    assert all(f"`--{flag}`" in TEXTS["cli"] for flag in own)
    assert all(f"`{name}`" in TEXTS["cli"] for name in FIGURES)


def test_every_flag_of_reports_is_documented() -> None:
    own = set(vars(parser().parse_args(REPORT))) - set(vars(parser().parse_args(["diagnose", "x"])))
    own -= {"binning_of_many"}  # which surveys have too
    beside = {"recalibration", "by", "worst", "time", "dates", "decisions", "thresholds", "plan"}
    assert own == {*OF_REPORTS, "fail_if", *beside}
    table = TEXTS["cli"].partition("\n## Reports")[2].partition("\n## ")[0]
    assert all(f"`--{flag.replace('_', '-')}`" in table for flag in own)


@pytest.mark.parametrize(
    ("arguments", "heading", "flags"),
    [
        (COMPARE, "Comparing models", {"id", "betting", *OF_REPORTS}),
        (TRAINING, "Training runs", {"id", "epoch_column", "reference"}),
        (RECALIBRATE, "Recalibration", {"method", "folds", "split_by", "out", "apply", "map"}),
        (GROUPS, "Groups", {"by", "worst", "statistic", "dates", "with_rows"}),
        (MONITOR, "Monitoring", {"time", "dates", "window", "state", "fail_if"}),
        (DECIDE, "Decisions", {"id", "thresholds", "against"}),
    ],
)
def test_every_flag_of_a_question_is_documented(arguments: list[str], heading: str, flags: set[str]) -> None:
    own = set(vars(parser().parse_args(arguments))) - set(vars(parser().parse_args(["diagnose", "x"])))
    assert own == flags
    section = TEXTS["cli"].partition(f"\n## {heading}")[2].partition("\n## ")[0]
    for flag in own - {"id"} if arguments is TRAINING else own:
        assert f"`--{flag.replace('_', '-')}`" in section, flag


def test_every_key_of_a_document_is_documented() -> None:
    rng = np.random.default_rng(0)
    g = rng.dirichlet(np.ones(3), 60)
    y = (rng.random((60, 1)) > g.cumsum(axis=1)).sum(axis=1)
    a, b = Predictions.from_arrays(g, y), Predictions.from_arrays(np.square(g), y, renormalise=True)
    spec = DiagnosisSpec(resamples=99)
    compared = compare([a, b], spec, betting=True).to_document()
    (pair,), (model, _) = compared["pairs"], compared["models"]
    recalibrated = recalibrate(a, ["temperature"], spec).to_document()
    (method,) = recalibrated["methods"]
    heads = {"schema", "document", "spec", "data"}
    for heading, documents in {
        "JSON": (model["verdict"], model["verdict"]["typical_gap"]),
        "Comparing models": (compared, pair, pair["brier"], pair["accuracy"]),
        "Recalibration": (recalibrated, method, method["test"]),
        "Planning": (found := plan("beta:2,5", DiagnosisSpec(tolerance=0.2)).to_document(), found["check"]),
    }.items():
        section = TEXTS["cli"].partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
        keys = {key for document in documents for key in document}
        assert {key for key in keys - heads if f"`{key}`" not in section} == set()
    table = TEXTS["cli"].partition("A `verdict` holds\n\n")[2].partition("\n\n")[0]
    named = re.findall(r"`(\w+)`", " ".join(row.split(" | ")[0] for row in table.splitlines()[2:]))
    assert named
    assert set(named) <= set(model["verdict"])


@each("word", [*LENSES, *BINNINGS, *KERNELS, *TESTS])
def test_every_word_of_the_settings_is_documented(word: str) -> None:
    assert word in TEXTS["cli"]


@pytest.mark.parametrize("word", ESTIMATES)
def test_every_estimate_has_its_formula(word: str) -> None:
    assert f"`{word}`" in TEXTS["statistics"]


def _anchors(text: str) -> set[str]:
    """Anchors of the headings, as GitHub makes them."""
    heads = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_every_link_leads_somewhere(path: Path) -> None:
    for link in re.findall(r"\]\(([^)]+)\)", TEXTS[path.stem]):
        if not link.startswith("http"):
            name, _, anchor = link.partition("#")
            target = (path.parent / name).resolve() if name else path
            assert target.is_file(), link
            assert not anchor or anchor in _anchors(target.read_text(encoding="utf-8")), link


def test_the_readme_is_a_page() -> None:
    assert len(TEXTS["README"].splitlines()) <= 130


def test_every_page_of_the_docs_is_reached_from_the_readme() -> None:
    assert set(re.findall(r"\(docs/([\w-]+)\.md", TEXTS["README"])) == set(TEXTS) - {"README"}


def test_every_term_that_a_page_explains_is_in_the_glossary() -> None:
    text = (ROOT / "assets/texts/glossary.md").read_text(encoding="utf-8")
    terms = set(re.findall(r"^\*\*(.+?)\*\*: ", text, flags=re.MULTILINE))
    used: set[str] = set()
    for path in (path for folder in ("pages", "calibcore") for path in (ROOT / folder).rglob("*.py")):
        used |= set(re.findall(r'(?:glossary\(|\bterm=)"(.+?)"', path.read_text(encoding="utf-8")))
    assert used == terms


def test_the_version_is_the_same_everywhere() -> None:
    assert f"version: {VERSION}" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
