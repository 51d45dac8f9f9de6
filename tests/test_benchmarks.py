"""`make bench`: it presses what the app has, and ends in numbers whatever is remarked meanwhile."""

import re

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
def test_a_first_survey_takes_longer_than_the_next(capsys) -> None:
    benchmarks.first_survey(overconfident(60, 3, np.random.default_rng(1)))
    (ratio,) = re.findall(r"([0-9.]+) × its loops there", capsys.readouterr().out)
    assert float(ratio) > 1.5


@pytest.mark.slow
@pytest.mark.parametrize("classes", [2, 10])
def test_the_command_line_is_measured_with_its_memory(capsys, classes) -> None:
    benchmarks.command_line(overconfident(60, classes, np.random.default_rng(1)))
    printed = capsys.readouterr().out
    assert len(re.findall(r"[0-9.]+ s$", printed, re.MULTILINE)) == 2
    assert all(20 < int(number) < 4_000 for number in re.findall(r"(\d+) MB$", printed, re.MULTILINE))
    assert len(re.findall(r"MB$", printed, re.MULTILINE)) == 2
