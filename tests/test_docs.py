"""What the README and the texts promise is there."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from calibcore.assessment.verdict import ANSWERS
from calibcore.cli.arguments import parser
from calibcore.cli.figure import FIGURES
from calibcore.diagram.binning import BINNINGS
from calibcore.kernels import KERNELS
from calibcore.limits import VARIABLES, VERSION, Limits, Server
from calibcore.spec import TESTS
from calibcore.transforms.lenses import LENSES

FIGURE = ["figure", "x", "--out", "x.pdf"]
REPORT = ["report", "x", "--out", "x.pdf"]
EXAMPLE = re.compile(r"^\n *(?:Examples\n *-{8}\n *)?>>>.*\n(?:(?! *\"\"\"| *$).+\n)*", flags=re.MULTILINE)
"""An example with its answers, up to an empty line or the end of its docstring."""
ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_server_setting_is_in_the_readme_and_none_beside() -> None:
    table = README.partition("## Settings of the server")[2].partition("\n\n**")[0]
    assert set(re.findall(r"`((?:CALIBLENS|DATABASE)_[A-Z_]+)`", table)) == set(VARIABLES)
    assert "`STREAMLIT_SERVER_MAX_UPLOAD_SIZE`" in table


def test_no_setting_is_read_anywhere_else() -> None:
    """So that the table in the README is whole."""
    for path in [ROOT / "app.py", *(ROOT / "calibcore").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]:
        if path.name != "limits.py":
            text = path.read_text(encoding="utf-8")
            assert "os.environ" not in text, path
            assert "getenv" not in text, path


def test_the_defaults_in_the_readme_are_the_defaults() -> None:
    for name, default in re.findall(r"\| `CALIBLENS_(\w+)` \| .* \| ([\d,]+) \|", README):
        holder = Limits() if hasattr(Limits(), name.lower()) else Server()
        assert getattr(holder, name.lower()) == int(default.replace(",", ""))


def test_every_flag_in_the_readme_exists() -> None:
    known = {}
    for arguments in (["diagnose", "x"], FIGURE, REPORT):
        known |= vars(parser().parse_args(arguments))
    for flag in set(re.findall(r"`--([a-z-]+)", README)):
        assert flag.removeprefix("no-").replace("-", "_") in known, flag


def test_every_flag_of_reading_and_of_settings_is_in_the_readme() -> None:
    known = set(vars(parser().parse_args(["diagnose", "x"]))) | set(
        vars(parser().parse_args(["survey", "x"]))
    )
    for flag in known - {"command", "predictions"}:
        assert f"`--{flag.replace('_', '-')}" in README, flag


def test_the_python_of_the_readme_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names = np.array(["cat", "dog", "owl"])
    probs = np.random.default_rng(0).dirichlet(np.ones(3), 40).round(3)
    probs[:, 2] = 1 - probs[:, :2].sum(axis=1)
    y = names[probs.argmax(axis=1)]
    pd.DataFrame(probs, columns=names).assign(y_true=y).to_csv("predictions.csv", index=False)
    (code,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    model = SimpleNamespace(predict_proba=lambda _: probs, classes_=names)
    exec(code, {"model": model, "X": None, "y": y})
    printed = capsys.readouterr().out
    answers = [line.split()[1] for line in printed.splitlines()[:5]]
    assert answers[:2] == ["miscalibrated"] * 2  # confidence, and all classes together
    assert set(answers) <= set(ANSWERS)
    assert 0 < float(printed.splitlines()[6]) <= 1
    assert json.loads(printed.splitlines()[-1])["data"]["class_names"] == list(names)


def test_every_flag_and_figure_of_print_is_in_the_readme() -> None:
    own = set(vars(parser().parse_args(FIGURE))) - set(vars(parser().parse_args(["diagnose", "x"])))
    assert own == {"out", "figure", "width", "curve", "test", "noun", "least", "without"}
    assert all(f"`--{flag}`" in README for flag in own)
    assert all(f"`{name}`" in README for name in FIGURES)


def test_every_flag_of_reports_is_in_the_readme() -> None:
    own = set(vars(parser().parse_args(REPORT))) - set(vars(parser().parse_args(["diagnose", "x"])))
    own -= {"binning_of_many"}  # which surveys have too
    assert own == {"out", "title", "model", "date", "noun", "paper", "with_rows", "fail_if"}
    table = README.partition("### Reports")[2].partition("\n## ")[0]
    assert all(f"`--{flag.replace('_', '-')}`" in table for flag in own)


@pytest.mark.parametrize("word", [*LENSES, *BINNINGS, *KERNELS, *TESTS])
def test_every_word_of_the_settings_is_in_the_readme(word: str) -> None:
    assert word in README


def test_every_term_that_a_page_explains_is_in_the_glossary() -> None:
    text = (ROOT / "assets/texts/glossary.md").read_text(encoding="utf-8")
    terms = set(re.findall(r"^\*\*(.+?)\*\*: ", text, flags=re.MULTILINE))
    used: set[str] = set()
    for path in (ROOT / "pages").rglob("*.py"):
        used |= set(re.findall(r'glossary\("(.+?)"\)', path.read_text(encoding="utf-8")))
    assert used == terms


def test_the_version_is_the_same_everywhere() -> None:
    assert f"version: {VERSION}" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_no_file_is_long() -> None:
    for folder in ("calibcore", "pages", "tests", "scripts", "benchmarks"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            lines = len(EXAMPLE.sub("", text).splitlines())
            # A list of public names is no code, and neither are examples.
            assert lines <= 310 or path.name == "__init__.py", f"{path.relative_to(ROOT)} has {lines} lines"
