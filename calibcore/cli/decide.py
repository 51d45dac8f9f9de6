"""``caliblens decide PREDICTIONS``: what the probabilities are worth where one acts from a threshold on."""

import argparse
from collections.abc import Callable
from typing import Any

from calibcore.cli import flags
from calibcore.cli.requests import Request, thresholds_from
from calibcore.cli.running import asking, each_label, one_of_several
from calibcore.data.outside_text import shown, visible
from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import MultiLabelPredictions
from calibcore.diagnose.parts import look_at
from calibcore.errors import InputError
from calibcore.numerics.progress import Progress
from calibcore.questions.decide import RISK, TARGET, Decisions, decide
from calibcore.questions.decide.named_thresholds import thresholds_by_label
from calibcore.questions.decide.words import instead, lenses_of_two
from calibcore.questions.over_labels import OverLabels
from calibcore.settings import lens_to_words
from calibcore.terminal import answer_text
from calibcore.transforms.lenses import ClassLens
from calibcore.wording import listed
from calibcore.words.repeating import quoted

PLACE = 110
EXAMPLES = (
    "decide predictions.csv --lens class:malignant --thresholds 0.1,0.2",
    "decide predictions.csv --lens confidence --target 0.95",
    "decide findings.csv --thresholds effusion:0.2,mass:0.1",
    "decide new-model.csv --against old-model.csv --lens class:malignant --json > decisions.json",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Its flags."""
    flags.question_flags(command)
    group = command.add_argument_group("the decisions")
    add = group.add_argument
    add(
        "--thresholds",
        metavar="T,T,…",
        help="probabilities from which on one acts: 0.2,0.5 (default: 0.05 to 0.50 by 0.01, of the "
        "confidence 0.50 to 0.95); of several labels effusion:0.2,mass:0.1, or JSON",
    )
    promise_flags(group, "--by")
    flags.dates_flag(group)
    add("--against", metavar="FILE", help="another model's predictions of the same cases")
    add("--id", metavar="NAME", help="the column that says which rows of both are one case")


def promise_flags(group: argparse._ArgumentGroup, by: str) -> None:
    """A target, and of what it is asked; ``by`` is the flag of the column that makes groups."""
    add = group.add_argument
    add(
        "--target",
        type=float,
        metavar="SHARE",
        help="a share of right answers, such as 0.95: from which threshold on the model keeps it",
    )
    add(
        "--risk",
        type=float,
        metavar="R",
        help=f"the chance at most that it does not keep the target after all (default: {RISK:g})",
    )
    add(
        "--prevalence",
        type=float,
        metavar="SHARE",
        help="how frequent the event is where one acts, such as 0.02, if cases and controls were collected "
        "apart: what acting is worth there, and from which threshold on a target is kept there",
    )
    add(by, metavar="COLUMN", help="also a threshold in each group of a column that keeps the target there")


def promise_of(arguments: argparse.Namespace, by: str) -> dict[str, Any]:
    """What these flags say, as :func:`calibcore.decide` takes it.

    Raises
    ------
    InputError : a risk, or groups, of no target.
    """
    groups = getattr(arguments, by.removeprefix("--").replace("-", "_"))
    for flag, value in (("--risk", arguments.risk), (by, groups)):
        if value is not None and arguments.target is None:
            raise InputError(f"{flag} is of a target; say which by --target {TARGET:g}.")
    return {
        "target": arguments.target,
        "risk": RISK if arguments.risk is None else arguments.risk,
        "prevalence": arguments.prevalence,
        "groups": groups,
    }


def ask(
    arguments: argparse.Namespace, request: Request, progress: Progress | None
) -> Callable[[Predictions], Decisions]:
    """What deciding by the probabilities is worth."""
    of_each = thresholds_by_label(arguments.thresholds)
    thresholds = None if of_each else thresholds_from(arguments.thresholds)
    if arguments.id is not None and arguments.against is None:
        raise InputError("--id joins two files; name the other by --against.")
    promise = promise_of(arguments, "--by")

    def find(p: Predictions) -> Decisions:
        if look_at(p, request.spec).lens(p).m > 2:
            raise InputError(
                "A decision is about two outcomes, and through the lens there are more. Name a lens of two: "
                f"{lenses_of_two(p)}."
            )
        if of_each and p.label_of not in of_each:
            what = f"for the label {shown(p.label_of)}" if p.label_of else "for classes"
            raise InputError(f"No threshold is named {what}; some are for {listed(tuple(of_each))}.")
        against, own = arguments.against, of_each[p.label_of] if of_each else thresholds
        other = None if against is None else one_of_several(against, arguments).predictions
        return decide(
            p, request.spec, own, progress, against=other, by=arguments.id, dates=arguments.dates, **promise
        )

    return find


def _of_labels(
    arguments: argparse.Namespace, cases: MultiLabelPredictions, progress: Progress | None
) -> OverLabels:
    words = arguments.thresholds
    return each_label(ask, arguments, cases, progress, {"thresholds": thresholds_by_label(words) or words})


def _text(result: Decisions | OverLabels) -> str:
    """With the flag that acts for the rarer class, where the other needs no model."""
    words = answer_text(result)
    name = instead(result) if isinstance(result, Decisions) and not result.spec.lens.region else ""
    if not name:
        return words
    return f"{words}\n- To act for '{visible(name)}': --lens {quoted(lens_to_words(ClassLens(name)))}."


run = asking(ask, _text, of_labels=_of_labels)
