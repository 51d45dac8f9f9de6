"""``caliblens training epoch_*.csv``: calibration over the epochs of a training run."""

import argparse
from pathlib import Path

from calibcore.data.checks import spelled_out
from calibcore.io import ReadOptions
from calibcore.io.epochs import read_epochs
from calibcore.numerics.progress import Progress
from calibcore.questions.training import training
from calibcore.questions.training.run import REFERENCES
from calibcore.spec import DiagnosisSpec
from calibcore.words.terminal import training_text


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The flags that only this command has."""
    group = command.add_argument_group("the training run")
    group.add_argument("--epoch-column", metavar="NAME", help="of one table with all epochs (default: epoch)")
    group.add_argument("--id", metavar="NAME", help="the column that says which rows are one case")
    group.add_argument(
        "--reference",
        choices=REFERENCES,
        default=REFERENCES[0],
        help=f"the epoch that the others are compared with ({REFERENCES[0]})",
    )


def answer(
    arguments: argparse.Namespace, options: ReadOptions, spec: DiagnosisSpec, progress: Progress | None
) -> str:
    """What is printed: the run as text or, with ``--json``, as one JSON object.

    Raises
    ------
    InputError : files that are no epochs of one run.
    """
    epochs = read_epochs(
        [Path(path) for path in arguments.predictions],
        labels=None if arguments.labels is None else Path(arguments.labels),
        options=options,
        epoch_column=arguments.epoch_column,
    )
    run = training(epochs.predictions, spec, progress, by=arguments.id, reference=arguments.reference)
    return spelled_out(run.to_json()) if arguments.json else training_text(run)
