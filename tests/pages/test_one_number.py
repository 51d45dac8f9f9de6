"""App, command line and server find the same numbers, of every question."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibcore.assessment.defaults import default_lenses
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import default_binning
from calibcore.io import ReadOptions, read
from calibcore.questions.decide import TARGET
from calibcore.remote.fields import SERVED
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import ClassLens, Lens, TopKLens
from pages.ui.decisions import subjects
from pages.work import studies
from pages.work.job import Job
from pages.work.studies import Study
from tests.cli.commands import run
from tests.pages.programs import EVENT, ask, client, fetched


def three_classes() -> str:
    """240 cases of three classes with a group and a day, of which the first class is overrated."""
    rng = np.random.default_rng(5)
    probs = rng.dirichlet(np.ones(3), 240).round(3)
    probs[:, 2] = (1 - probs[:, :2].sum(axis=1)).clip(0).round(3)
    truth = probs / probs.sum(axis=1, keepdims=True)
    labels = (rng.random((240, 1)) > np.cumsum(truth**0.7 / (truth**0.7).sum(1, keepdims=True), 1)).sum(1)
    rows = [
        ",".join(
            [*(f"{p:.3f}" for p in row), "NS"[i % 2], f"2025-{i // 28 + 1:02}-{i % 28 + 1:02}", "abc"[y]]
        )
        for i, (row, y) in enumerate(zip(probs, labels.clip(max=2), strict=True))
    ]
    return "\n".join(["a,b,c,site,day,label", *rows]) + "\n"


FILES = {"two.csv": EVENT, "three.csv": three_classes()}
Models = Mapping[str, Predictions]


@dataclass(frozen=True)
class Asked:
    """A question: how the app asks it of models by their names, and the flags of the command line."""

    in_app: Callable[[Models, DiagnosisSpec], Study[Any]]
    and_then: Callable[[Models, DiagnosisSpec], Study[Any]] | None = None
    flags: Mapping[str, str] = field(default_factory=dict)
    several: bool = False


def first(models: Models) -> Predictions:
    return next(iter(models.values()))


def decisions(models: Models, spec: DiagnosisSpec) -> Study[Any]:
    return studies.decisions(first(models), spec, subjects.thresholds(spec), TARGET)


QUESTIONS = {
    "diagnose": Asked(
        lambda models, spec: studies.diagnosis(first(models), spec),
        lambda models, spec: studies.estimates(first(models), spec),
    ),
    "compare": Asked(studies.comparison, several=True),
    "training": Asked(
        lambda models, spec: studies.trained(dict(enumerate(models.values(), 1)), spec, False), several=True
    ),
    "recalibrate": Asked(lambda models, spec: studies.recalibration(first(models), spec)),
    "groups": Asked(
        lambda models, spec: studies.grouped(first(models), ["site"], spec, None), flags={"by": "site"}
    ),
    "monitor": Asked(
        lambda models, spec: studies.monitored(first(models), spec, "day", None, None), flags={"time": "day"}
    ),
    "decide": Asked(decisions, flags={"target": str(TARGET)}),
    "plan": Asked(
        lambda models, spec: studies.planned(first(models), spec, tuple(default_lenses(first(models))))
    ),
    "label-noise": Asked(lambda models, spec: studies.labels_explained(first(models), spec)),
    "survey": Asked(
        lambda models, spec: studies.surveyed(
            first(models),
            spec,
            tuple(default_lenses(first(models))),
            default_binning(first(models).m, first(models).n),
        )
    ),
}
"""Command -> the question; in the order of the command line."""
BESIDE = ("spec", "state", "remarks", "notes")
"""Of a document: settings, some of which a page leaves as they are by default, and what was read."""


def differences(ours: Any, theirs: Any, path: str = "") -> list[str]:
    """Where two documents differ, without :data:`BESIDE`."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        keys = ({*ours} | {*theirs}) - {*BESIDE}
        return [
            each
            for key in sorted(keys)
            for each in differences(ours.get(key, "nothing"), theirs.get(key, "nothing"), f"{path}.{key}")
        ]
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        pairs = enumerate(zip(ours, theirs, strict=True))
        return [each for i, (a, b) in pairs for each in differences(a, b, f"{path}[{i}]")]
    return [] if ours == theirs else [f"{path}: {ours!r:.60} is not {theirs!r:.60}"]


@pytest.mark.slow
@pytest.mark.parametrize("file", list(FILES))
@pytest.mark.parametrize("question", list(QUESTIONS))
def test_app_command_line_and_server_find_the_same(
    question: str, file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, asked = FILES[file], QUESTIONS[question]
    head, *rows = text.splitlines()
    other = "\n".join([head, *(row.replace("0.2", "0.3").replace("0.80", "0.70") for row in rows)]) + "\n"
    names = ("epoch_1.csv", "epoch_2.csv") if question == "training" else (file, "other.csv")
    texts = dict(zip(names, (text, other), strict=True))
    sent = list(texts.items()) if asked.several else [(names[0], text)]
    renormalise = {} if not asked.several else {"renormalise": "yes"}
    for name, content in sent:
        (tmp_path / name).write_text(content, encoding="utf-8")
    lens = "class:" + ("yes" if file == "two.csv" else "a") if question == "decide" else "confidence"
    flags = {**asked.flags, **({} if question in ("survey", "plan") else {"lens": lens})}
    typed = [word for name, value in flags.items() for word in (f"--{name}", value)]
    typed += ["--renormalise"] * bool(renormalise)
    paths = [tmp_path / name for name, _ in sent]
    code, out, err = run(capsys, question, *paths, *typed, "--json")
    assert code == 0, err
    printed = json.loads(out)
    with client() as program:
        files = {"predictions": [(name, content.encode()) for name, content in sent]}
        response = ask(program, question, files, document="full", **flags, **renormalise)
        assert not differences(fetched(program, response), printed)
    models = {
        Path(name).stem: read(tmp_path / name, options=ReadOptions(renormalise=bool(renormalise))).predictions
        for name, _ in sent
    }
    seen: Lens = TopKLens(1) if lens == "confidence" else ClassLens(lens.partition(":")[2])
    spec = replace(DiagnosisSpec(), lens=seen) if "lens" in flags else DiagnosisSpec()
    result = asked.in_app(models, spec).work(Job[Any]())
    if asked.and_then is not None:  # a page of two steps
        result = studies.together(result, asked.and_then(models, spec).work(Job[Any]()))
    assert not differences(json.loads(result.to_json()), printed)


def test_no_question_is_left_out() -> None:
    assert set(QUESTIONS) == set(SERVED)
