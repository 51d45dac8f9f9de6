"""Page and command line begin with the same lens, where nobody chose one: of every kind of data."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from calibcore import CanonicalLens, DiagnosisSpec, Predictions, TopKLens
from calibcore.__main__ import main
from calibcore.assessment.defaults import default_lens, default_lenses
from calibcore.data.examples import load_example
from calibcore.io import ReadOptions, read, read_labels
from calibcore.questions.groups.ask import lens_of_groups
from pages.ui.settings import AT_FIRST, fitted
from tests.cases import each
from tests.pages.harness import choose, on_page, opened, said

GRADES = ("G1", "G2", "G3")
COMMANDS = {
    "diagnose": (),
    "recalibrate": (),
    "label-noise": (),
    "monitor": ("--time", "day"),
    "groups": ("--by", "lab"),
}
"""Every command that looks through one lens of as many classes as there are -> what else it needs."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lenses")
    rng = np.random.default_rng(5)
    n, probs = 80, rng.dirichlet(np.ones(3), 80)
    aside = {"day": np.arange(n), "lab": rng.choice(["A", "B"], n)}
    labels = [rng.choice(3, p=row) for row in probs]
    grades = {f"p_{name}": probs[:, k] for k, name in enumerate(GRADES)}
    pd.DataFrame({**grades, "grade": [GRADES[y] for y in labels], **aside}).to_csv(folder / "grades.csv")
    alone = {"confidence": probs.max(axis=1), "correct": probs.argmax(axis=1) == labels}
    pd.DataFrame({**alone, **aside}).to_csv(folder / "confidence.csv")
    one, two = rng.random((2, n))
    findings = {
        "p_mass": one,
        "p_nodule": two,
        "y_mass": rng.random(n) < one,
        "y_nodule": rng.random(n) < two,
    }
    pd.DataFrame({**findings, **aside}).astype({"y_mass": int, "y_nodule": int}).to_csv(folder / "labels.csv")
    return folder


KINDS = {
    "grades.csv": ("--ordered", ",".join(GRADES)), "confidence.csv": (), "labels.csv": ("--label", "mass"),
}  # fmt: skip


def of_kind(path: Path, flags: tuple[str, ...]) -> Predictions:
    if "--label" in flags:
        return read_labels(path).predictions.label("mass")
    return read(path, options=ReadOptions(ordered=GRADES if flags else None)).predictions


@each("name", KINDS)
@each("command", COMMANDS)
def test_every_command_begins_where_the_pages_do(
    command: str, name: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, flags = files / name, KINDS[name]
    assert main([command, str(path), *flags, *COMMANDS[command], "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    p = of_kind(path, flags)
    command_line, page = DiagnosisSpec.from_document(said["spec"]).lens(p), fitted(AT_FIRST, p).lens(p)
    assert (command_line.class_names, command_line.probs.tolist()) == (page.class_names, page.probs.tolist())


def test_what_they_begin_with() -> None:
    """Of classes without an order the pages begin with the confidence (docs/decisions/0007)."""
    wine, grades = load_example("wine"), load_example("tumour-grades")
    assert default_lens(wine) == lens_of_groups(wine) == fitted(AT_FIRST, wine).lens == TopKLens(1)
    assert default_lens(grades) == lens_of_groups(grades) == fitted(AT_FIRST, grades).lens == CanonicalLens()
    assert {default_lens(wine), default_lens(grades)} <= {*default_lenses(wine)}


def test_the_confidence_of_grades_can_be_chosen_and_another_setting_chooses_no_lens() -> None:
    app = choose(opened("groups", in_use="tumour-grades"), "Bins", "uniform")
    asked = app.session_state["settings"]
    assert asked.lens is None
    assert asked.many is not None
    app = choose(app, "Look at", "confidence")
    assert app.session_state["settings"].lens == TopKLens(1)
    assert "**You look at** confidence in the answer" in said(on_page(app, "monitor"))
    app = choose(app, "Look at", "canonical")
    assert app.session_state["settings"].lens == CanonicalLens()
