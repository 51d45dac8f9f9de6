"""What an answer says to whoever reads a pipeline, and has not the rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calibcore.answers import survey as surveys
from calibcore.answers.blocks import Answer
from calibcore.assessment.assess import Assessment
from calibcore.errors import InputError
from calibcore.questions.over_labels import question_of
from calibcore.questions.plan.words import how_many_of
from calibcore.report.privacy import without_cases, without_counts_of

TOO_FEW = (
    "This answer is of so few cases that nothing of it can be handed on. "
    "--json prints it for whoever has the rows."
)


@dataclass(frozen=True, eq=False)
class HandedOn:
    """An answer as it may be handed on: nothing tells of a single case, or of what a region picks out.

    Attributes
    ----------
    name : the command that asks: "survey", "groups"
    data : what its document says of the cases
    result : what it is of, as it was found
    """

    name: str
    answer: Answer
    data: Mapping[str, Any]
    result: Any


def hand_on(result: Any, noun: str = "case") -> HandedOn:
    """What a survey or a question found, as it may be handed on.

    Raises
    ------
    InputError : nothing is left of it.
    TypeError : something else, such as a survey without its verdicts.
    """
    if isinstance(result, Assessment):
        regions = {verdict.lens for verdict in result.verdicts if verdict.lens.region}
        bare = without_cases(without_counts_of(result, regions))
        answer = surveys.says(bare, noun, how_many_of(bare.verdicts, None, noun))
        first = result.survey.diagnoses[0]
        data = {name: getattr(first, name) for name in ("n", "class_names", "fingerprint", "kind")}
        return HandedOn("survey", answer, data, result)
    try:
        question = question_of(result)
    except KeyError:
        raise TypeError(
            "Expected what a question found, or calibcore.tracking.surveyed(predictions); was given an "
            f"object of type {type(result).__name__}."
        ) from None
    shared = question.without_counts(result) if result.spec.lens.region else result
    without = question.without_cases or (lambda same: same)
    open_to_all = None if shared is None else without(shared)
    if open_to_all is None:
        raise InputError(TOO_FEW)
    data = question.document(shared, open_to_all)["data"]
    return HandedOn(question.command, question.shared_answer(shared, noun, open_to_all), data, result)
