"""A survey in a run of MLflow and of Weights & Biases: the code of docs/ci.md, with the real packages.

They need older packages than ours are, so they have an environment of their own.
"""

import json
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from calibcore.assessment.assess import Assessment
from calibcore.limits import VERSION
from calibcore.tracking import files_of, metrics_of, surveyed
from calibcore.words.verdicts import as_a_whole
from tests.asked import cases
from tests.documents import ROOT, TEXTS

NAMES = ["healthy", "benign", "malignant"]
MLFLOW, EVALUATOR, WANDB = re.findall(r"```python\n(.*?)```", TEXTS["ci"], flags=re.DOTALL)
AFTER_MLFLOW = """
import json
client = mlflow.MlflowClient()
logged = client.get_run(run.info.run_id).data.metrics
paths = sorted(file.path for file in client.list_artifacts(run.info.run_id, "caliblens"))
print(json.dumps({"logged": logged, "paths": paths, "evaluated": result.metrics}))
"""
AFTER_WANDB = """
    logged = {name: run.summary[name] for name in metrics_of(assessment)}
import json
print(json.dumps({"logged": logged, "paths": sorted(artifact.manifest.entries)}))
"""


def predictions_csv(folder: Path) -> Path:
    rng = np.random.default_rng(0)
    probs = rng.dirichlet(np.ones(3), 120)
    frame = pd.DataFrame(probs, columns=NAMES)
    frame["label"] = [NAMES[k] for k in rng.integers(3, size=120)]
    frame["answer"] = frame[NAMES].idxmax(axis=1)
    frame[[*NAMES, "label"]].to_csv(folder / "predictions.csv", index=False)
    return folder / "predictions.csv"


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That of an environment with this package, MLflow and Weights & Biases."""
    folder = tmp_path_factory.mktemp("trackers")
    venv.create(folder, with_pip=True)
    program = folder / "bin" / "python"
    install = [program, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, f"{ROOT}[print]", "mlflow", "wandb"], check=True)
    return program


def ran(python: Path, code: str, folder: Path) -> dict[str, object]:
    ours = {
        "MLFLOW_TRACKING_URI": f"sqlite:///{folder / 'runs.db'}",
        "WANDB_MODE": "offline",
        "WANDB_DIR": str(folder),
        "MLFLOW_DISABLE_TELEMETRY": "true",
    }
    done = subprocess.run(
        [python, "-c", code], cwd=folder, env=os.environ | ours, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found


def expected(folder: Path) -> Assessment:
    from calibcore.io import read

    return surveyed(read(folder / "predictions.csv").predictions)


@pytest.mark.slow
def test_mlflow_has_the_numbers_and_the_files(python: Path, tmp_path: Path) -> None:
    file = predictions_csv(tmp_path)
    evaluator = EVALUATOR.replace(
        'pd.read_csv("predictions.csv")', 'pd.read_csv("predictions.csv").assign(answer="benign")'
    )
    found = ran(python, MLFLOW + evaluator + AFTER_MLFLOW, tmp_path)
    numbers = metrics_of(expected(file.parent))
    assert found["logged"] == pytest.approx(numbers, rel=1e-9)
    assert found["evaluated"] == pytest.approx(numbers, rel=1e-9)
    assert found["paths"] == [
        f"caliblens/{name}" for name in ("answer.md", "reliability.png", "summary.json")
    ]


@pytest.mark.slow
def test_weights_and_biases_has_the_numbers_and_the_files(python: Path, tmp_path: Path) -> None:
    file = predictions_csv(tmp_path)
    found = ran(python, WANDB.rstrip() + AFTER_WANDB, tmp_path)
    assert found["logged"] == pytest.approx(metrics_of(expected(file.parent)), rel=1e-9)
    assert found["paths"] == ["answer.md", "reliability.png", "summary.json"]


def test_the_numbers_are_those_of_the_verdict() -> None:
    assessment = surveyed(cases())
    overall = as_a_whole(assessment.verdicts)
    numbers = metrics_of(assessment)
    assert numbers["caliblens/typical_gap"] == overall.typical_gap.value
    assert numbers["caliblens/adjusted_p"] == overall.adjusted
    assert numbers["caliblens/miscalibrated"] == (overall.answer == "miscalibrated")
    assert numbers["caliblens/cannot_tell"] == (overall.answer == "cannot-tell")
    assert numbers["caliblens/checks_off"] == sum(verdict.found for verdict in assessment.verdicts)
    assert all(re.fullmatch(r"[\w/]+", name) for name in numbers)
    files = files_of(assessment)
    assert files["reliability.png"].startswith(b"\x89PNG")
    assert json.loads(files["summary.json"])["version"] == VERSION
    assert files["answer.md"].decode().startswith("**")


@pytest.mark.slow
def test_mlflow_would_find_the_evaluator_and_nothing_loads_it_before() -> None:
    code = "import sys, calibcore.tracking; print('mlflow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    assert 'caliblens = "calibcore.mlflow_evaluator:CaliblensEvaluator"' in text
    assert "class CaliblensEvaluator" in (ROOT / "calibcore/mlflow_evaluator.py").read_text("utf-8")
