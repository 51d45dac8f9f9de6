"""``caliblens decide PREDICTIONS``: what the probabilities are worth where one acts from a threshold on."""

import argparse
from pathlib import Path

from calibcore.cli import flags
from calibcore.cli.command import Command
from calibcore.cli.requests import refuse_what_verdicts_do_not_need, request_from, thresholds_from
from calibcore.cli.running import for_people, opened, warn
from calibcore.data.checks import spelled_out
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.io import read
from calibcore.numerics.progress import Progress
from calibcore.questions.decide import decide
from calibcore.spec import DiagnosisSpec
from calibcore.words.terminal import decisions_text


def _add_arguments(command: argparse.ArgumentParser) -> None:
    flags.look_flags(command)
    flags.json_flag(command)
    flags.lens_flag(command)
    group = command.add_argument_group("the decisions")
    group.add_argument(
        "--thresholds",
        metavar="T,T,…",
        help="probabilities from which on one acts: 0.2,0.5 (default: 0.05 to 0.50 by 0.01, of the "
        "confidence 0.50 to 0.95)",
    )
    group.add_argument("--against", metavar="FILE", help="another model's predictions of the same cases")
    group.add_argument("--id", metavar="NAME", help="the column that says which rows of both are one case")


def _run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    request = request_from(arguments)
    refuse_what_verdicts_do_not_need(arguments.command, request.spec)
    thresholds = thresholds_from(arguments.thresholds)
    if arguments.id is not None and arguments.against is None:
        raise InputError("--id joins two files; name the other by --against.")
    with opened(arguments, request) as (reading, before):
        if arguments.json:
            warn(before)
        _check_lens(reading.predictions, request.spec)
        other = None
        if arguments.against is not None:
            other = _other(arguments)
        found = decide(
            reading.predictions, request.spec, thresholds, progress, against=other, by=arguments.id
        )
        if arguments.json:
            return spelled_out(found.to_json()), 0
        return for_people(decisions_text(found), reading, before), 0


def _other(arguments: argparse.Namespace) -> Predictions:
    """The predictions of the other model, read as those of the first."""
    labels = None if arguments.labels is None else Path(arguments.labels)
    try:
        return read(Path(arguments.against), labels=labels, options=flags.options_from(arguments)).predictions
    except InputError as error:
        raise error.reworded(f"{arguments.against}: {error}") from None


def _check_lens(predictions: Predictions, spec: DiagnosisSpec) -> None:
    """Which flag names a lens of two classes, where the predictions have more."""
    if spec.lens(predictions).m > 2:
        raise InputError(
            f"A decision is about two outcomes, and through the lens there are more. Name a lens of two: "
            f"--lens class:{predictions.class_names[0]} or --lens confidence."
        )


COMMAND = Command(
    "decide",
    "what the probabilities are worth where one acts from a threshold on",
    (
        "decide predictions.csv --lens class:malignant --thresholds 0.1,0.2",
        "decide predictions.csv --lens confidence",
        "decide new-model.csv --against old-model.csv --lens class:malignant --json > decisions.json",
    ),
    _add_arguments,
    _run,
)
