"""``caliblens diagnose PREDICTIONS``: a look through one lens."""

import argparse
from collections.abc import Callable

from calibcore.cli import flags
from calibcore.cli.requests import Request, request_from, settings_on
from calibcore.cli.running import asking
from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import MultiLabelPredictions
from calibcore.diagnose import Diagnosis, diagnose
from calibcore.numerics.progress import Progress
from calibcore.terminal import diagnosis_text

HELP = "look through one lens: diagram, estimates, tests"
PLACE = 10
EXAMPLES = (
    "diagnose predictions.csv --lens confidence --binning equal-mass:15",
    "diagnose findings.csv --lens labels",
    "diagnose predictions.csv --lens class:malignant --tests exact --json > malignant.json",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Its flags."""
    flags.look_flags(command)
    flags.server_flag(command)
    flags.json_flag(command)
    flags.lens_flag(command)
    flags.made_flags(command)


def ask(
    _: argparse.Namespace, request: Request, progress: Progress | None
) -> Callable[[Predictions], Diagnosis]:
    """What a look through one lens finds."""
    return lambda p: diagnose(p, settings_on(p, request), progress)


def _of_labels(
    arguments: argparse.Namespace, cases: MultiLabelPredictions, progress: Progress | None
) -> Diagnosis:
    return diagnose(cases, settings_on(cases, request_from(arguments)), progress)


run = asking(ask, diagnosis_text, of_labels=_of_labels, one_label=True)
