"""The pipelines of docs/ci.md: they are YAML, of the shape their CI takes, and their commands run."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from calibcore.cli.arguments import parser
from calibcore.data.examples import example_csv
from tests.cases import each
from tests.documents import ROOT, TEXTS

PIPELINES: list[dict[Any, Any]] = [
    yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", TEXTS["ci"], flags=re.DOTALL)
]


def scripts() -> list[str]:
    """Every script of a step or a job."""
    found = []
    for pipeline in PIPELINES:
        steps = [step for job in pipeline.get("jobs", {}).values() for step in job["steps"]]
        found += [step["run"] for step in steps if "run" in step]
        found += ["\n".join(job["script"]) for job in pipeline.values() if "script" in job]
    return found


def lines() -> list[str]:
    """What is typed after ``caliblens``, in one line each."""
    text = "\n".join(scripts()).replace("\\\n", " ")
    return [
        line.partition("caliblens ")[2] for line in text.splitlines() if line.strip().startswith("caliblens ")
    ]


def test_github_gets_what_it_expects() -> None:
    (pipeline,) = (p for p in PIPELINES if "jobs" in p)
    assert set(pipeline) == {"name", True, "permissions", "jobs"}  # YAML 1.1 reads the key "on" as true
    for job in pipeline["jobs"].values():
        assert {"runs-on", "steps"} <= set(job)
        for step in job["steps"]:
            assert len({"uses", "run"} & set(step)) == 1
            assert "@" in step.get("uses", "@")
    uploaded = [step for step in job["steps"] if "upload" in step.get("uses", "")]
    assert [step["if"] for step in uploaded] == ["always()"]
    assert uploaded[0]["with"]["path"].split() == ["caliblens.md", "caliblens.xml"]


def test_gitlab_gets_what_it_expects() -> None:
    jobs = [job for p in PIPELINES if "jobs" not in p for job in p.values()]
    assert len(jobs) == 2
    for job in jobs:
        assert {"image", "script", "artifacts"} <= set(job)
        assert job["artifacts"]["when"] == "always"
        assert job["artifacts"]["reports"] == {"junit": "caliblens.xml"}
        assert all(isinstance(line, str) for line in job["script"])


@each("line", lines())
def test_every_command_can_be_typed(line: str) -> None:
    typed = shlex.split(line.partition(" > ")[0])
    assert parser().parse_args(typed).junit == "caliblens.xml"


@pytest.mark.slow
def test_the_step_of_github_says_the_verdict_and_then_fails(tmp_path: Path) -> None:
    (script,) = (text for text in scripts() if "GITHUB_STEP_SUMMARY" in text)
    (tmp_path / "predictions.csv").write_text(example_csv("wine"), encoding="utf-8")
    program = tmp_path / "caliblens"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m calibcore "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    environment = {
        "PATH": f"{tmp_path}:/usr/bin:/bin",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "PYTHONPATH": str(ROOT),
    }
    ran = subprocess.run(
        ["bash", "-e", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert (ran.returncode, ran.stderr) == (1, "")
    assert (tmp_path / "summary.md").read_text("utf-8").startswith("**✕ Miscalibrated: ")
    assert ElementTree.parse(tmp_path / "caliblens.xml").getroot().attrib["failures"] != "0"
