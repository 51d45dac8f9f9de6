"""``caliblens training epoch_*.csv``: calibration over the epochs of a training run."""

import argparse
from pathlib import Path

from calibcore.cli import flags
from calibcore.cli.requests import request_from
from calibcore.cli.running import elsewhere, printed
from calibcore.io.epochs import read_epochs
from calibcore.numerics.progress import Progress
from calibcore.questions.training import REFERENCES, track_training

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
    request = request_from(arguments)
    with elsewhere(arguments.cluster):
        epochs = read_epochs(
            [Path(path) for path in arguments.predictions],
            labels=arguments.labels,
            options=flags.options_from(arguments),
            epoch_column=arguments.epoch_column,
        )
        result = track_training(
            epochs.predictions, request.spec, progress, by=arguments.id, reference=arguments.reference
        )
    return printed(arguments, result), 0
