"""``caliblens training epoch_*.csv``: calibration over the epochs of a training run."""

import argparse

from calibcore.cli import flags
from calibcore.cli.files import files_of
from calibcore.cli.requests import request_from, settings_on
from calibcore.cli.running import Work, elsewhere, printed
from calibcore.io.epochs import Epochs
from calibcore.numerics.progress import Progress
from calibcore.questions.training import REFERENCES, TrainingRun, track_training

PLACE = 70
EXAMPLES = (
    "training run/epoch_*.csv --labels labels.csv --lens confidence",
    "training run.npz --lens confidence --json > run.json",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Its flags."""
    flags.question_flags(command, several="one file an epoch, or all in one")
    add = command.add_argument_group("the training run").add_argument
    add("--epoch-column", metavar="NAME", help="of one table with all epochs (default: epoch)")
    add("--id", metavar="NAME", help="the column that says which rows are one case")
    add(
        "--reference",
        choices=REFERENCES,
        default=REFERENCES[0],
        help=f"the epoch that the others are compared with ({REFERENCES[0]})",
    )


def run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    """Calibration epoch by epoch."""
    request_from(arguments)
    with elsewhere(arguments.cluster):
        result = _find(arguments, _read(arguments), progress)
    return printed(arguments, result), 0


def _read(arguments: argparse.Namespace) -> Epochs:
    request_from(arguments)
    options = flags.options_from(arguments)
    return files_of(arguments).epochs(
        arguments.predictions, arguments.labels, options, arguments.epoch_column
    )


def _find(arguments: argparse.Namespace, epochs: Epochs, progress: Progress | None) -> TrainingRun:
    first = next(iter(epochs.predictions.values()))
    spec = settings_on(first, request_from(arguments))
    return track_training(epochs.predictions, spec, progress, by=arguments.id, reference=arguments.reference)


WORK = Work(_read, _find, lambda epochs: tuple(epochs.predictions.values()))
