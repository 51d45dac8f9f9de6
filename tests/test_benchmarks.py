"""`make bench`: it presses what the app has, and ends in numbers whatever is remarked meanwhile."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import __main__ as benchmarks
from benchmarks import browser
from benchmarks.common import overconfident
from pages.ui.reliability.views import VIEWS
from pages.ui.sidebar.lens_controls import label, offered

P = overconfident(60, 10, np.random.default_rng(1))


def test_it_presses_what_the_app_has() -> None:
    assert set(browser.KINDS) <= {label(kind, P) for kind in offered(P)}
    assert set(browser.VIEWS) == set(VIEWS.values())


@pytest.mark.slow
def test_a_first_survey_is_measured_in_an_empty_folder_and_again_with_what_it_left(
    capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, found = benchmarks.subprocess.run, list[int]()

    def looked(command: list[str], **how: Any) -> Any:
        found.append(len(list(Path(how["env"]["NUMBA_CACHE_DIR"]).rglob("*.nbi"))))
        return run(command, **how)

    monkeypatch.setattr(benchmarks.subprocess, "run", looked)
    benchmarks.first_survey(overconfident(60, 3, np.random.default_rng(1)))
    assert found[0] == 0 < found[1]
    assert re.search(r"[0-9.]+ s +[0-9.]+ × its loops there \([0-9.]+ s\)$", capsys.readouterr().out.strip())


@pytest.mark.slow
@pytest.mark.parametrize("classes", [2, 10])
def test_the_command_line_is_measured_with_its_memory(capsys, classes) -> None:
    benchmarks.command_line(overconfident(60, classes, np.random.default_rng(1)))
    printed = capsys.readouterr().out
    assert len(re.findall(r"[0-9.]+ s$", printed, re.MULTILINE)) == 2
    assert all(20 < int(number) < 4_000 for number in re.findall(r"(\d+) MB$", printed, re.MULTILINE))
    assert len(re.findall(r"MB$", printed, re.MULTILINE)) == 2
