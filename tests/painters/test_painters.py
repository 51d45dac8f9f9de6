"""Paper and terminal never load plotly: it takes long, and what prints does not need it."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from calibcore.cli.arguments import COMMANDS

ROOT = Path(__file__).parents[2]
FEW = "--resamples 99"
TYPED = (
    f"diagnose two.csv {FEW} --tests exact",
    f"survey two.csv {FEW}",
    "stream epoch_1.parquet",
    f"compare two.csv epoch_1.csv {FEW}",
    f"training epoch_1.csv epoch_2.csv {FEW}",
    f"recalibrate two.csv --method temperature {FEW}",
    f"groups two.csv --by site {FEW}",
    f"monitor two.csv --time day {FEW}",
    f"decide two.csv --lens class:ill --thresholds 0.3,0.5 {FEW}",
    "plan beta:2,5 --tolerance 0.2",
    f"label-noise two.csv {FEW}",
    "schema survey",
    "completion bash",
    "token list",
    f"figure two.csv --out two.pdf {FEW}",
    f"figure three.csv --out three.png {FEW}",
    f"figure two.csv --figure null --out null.svg {FEW}",
    f"report two.csv --out report.json --date 2026-11-21 {FEW}",
    f"report two.csv --out report.pdf --date 2026-11-21 {FEW}",
)
TYPED += tuple(
    command.examples[0]
    for name, command in COMMANDS.items()
    if name not in {"app", *(typed.split()[0] for typed in TYPED)}
)
"""A command that is not among them is tried by its first example, which names predictions.csv."""
PRINTS = tuple(typed for typed in TYPED if typed.startswith("figure") or "report.pdf" in typed)
PROGRAM = """
import contextlib, io, json, sys
from calibcore.__main__ import main

answers = []
for command in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(command)
    loaded = [name for name in sys.modules if name.partition(".")[0] in ("plotly", "matplotlib")]
    answers.append((code, err.getvalue(), loaded))
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str, list[str]]]:
    """Of each command, in one process: its exit code, its stderr, and which of both libraries is loaded."""
    folder, rng = tmp_path_factory.mktemp("painters"), np.random.default_rng(5)
    ill = rng.uniform(0.1, 0.9, 60)
    labels = ["ill" if happened else "well" for happened in rng.uniform(size=60) < ill]
    for name, shift in (("two", 0.0), ("epoch_1", 0.05), ("epoch_2", 0.09)):
        columns = {"ill": ill + shift, "well": 1 - ill - shift, "label": labels}
        table = pd.DataFrame(columns | {"site": ["A", "B"] * 30, "day": range(60)})
        table.to_csv(folder / f"{name}.csv", index=False)
    table.to_csv(folder / "predictions.csv", index=False)
    table.drop(columns=["site", "day"]).to_parquet(folder / "epoch_1.parquet")
    rows = [
        f"{p[0]:.9f},{p[1]:.9f},{p[2]:.9f},{'abc'[i % 3]}" for i, p in enumerate(rng.dirichlet((2,) * 3, 60))
    ]
    (folder / "three.csv").write_text("\n".join(["a,b,c,label", *rows]))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps([typed.split() for typed in TYPED])],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "CALIBLENS_DATA": str(folder), "CALIBLENS_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert {path.name for path in folder.iterdir()} >= {"two.pdf", "three.png", "null.svg", "report.pdf"}
    return dict(zip(TYPED, map(tuple, json.loads(done.stdout)), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("typed", TYPED)
def test_no_command_loads_plotly_and_what_prints_alone_matplotlib(
    answers: dict[str, tuple[int, str, list[str]]], typed: str
) -> None:
    code, err, loaded = answers[typed]
    assert code == 0, err
    assert not [name for name in loaded if name.startswith("plotly")]
    before = TYPED[: TYPED.index(typed) + 1]
    assert ("matplotlib" in loaded) == bool(set(before) & set(PRINTS))
