"""Logs of Inspect, as JSON or as ``.eval``, which is a ZIP of a header and a JSON a sample.

A sample lists its choices, and the target is a letter. Where tokens were logged with their log-probabilities
the options have probabilities; else a scorer may have noted how sure the model said that it is.
"""

from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any, ClassVar

from calibcore.data.checks import leaving_out, list_rows
from calibcore.errors import InputError
from calibcore.io.logs.log import CASE, LOGS, TASK, Log, Question, log_number, remaining, table_of
from calibcore.io.logs.nested import answer_place, flat, places_of, scores_of
from calibcore.io.logs.sure import Answer, table_of_answers
from calibcore.io.options import ReadOptions
from calibcore.io.tables import Table, quoted

_SURE = ("confidence", "probability", "prob", "p_correct")
"""What scorers call how sure the model is of its answer."""


@LOGS.enter
class Inspect(Log):
    """Of one task."""

    kind = "inspect"
    place = 20
    label = "Inspect"
    file = "`*.eval`, `*.json`"
    reads: ClassVar[str] = (
        "Options by the log-probabilities of tokens (its settings `logprobs` and `top_logprobs`). Else a "
        "`confidence` that a scorer noted, beside whether the answer was right."
    )

    @classmethod
    def fits(cls, value: Any) -> bool:
        samples = value.get("samples") if isinstance(value, dict) else None
        return isinstance(samples, list) and isinstance(value.get("eval"), dict)

    @classmethod
    def read(cls, value: Any, name: str, options: ReadOptions) -> Table:
        samples = remaining(value["samples"], options)
        odd = [i for i, record in enumerate(samples) if not isinstance(record, dict)]
        if odd or not samples:
            where = list_rows(odd, lambda _: "is no object") if odd else "The log holds no samples."
            raise InputError(f"{where} Expected one sample a question.")
        task, model = value["eval"].get("task"), value["eval"].get("model")
        source = f"JSON, a log of {cls.label}" + (f" ({quoted(model)})" if isinstance(model, str) else "")
        beside = [_beside(record, task) for record in samples]
        if any(map(_logprobs, samples)):
            return table_of(_questions(samples, beside), source, options, _notes(samples))
        return table_of_answers(_answers(samples, beside), source)


def _beside(record: Mapping[str, Any], task: Any) -> dict[str, Any]:
    metadata = record.get("metadata")
    more = flat(metadata) if isinstance(metadata, dict) else {}
    own = {TASK: task} if isinstance(task, str) else {}
    return {**own, CASE: record.get("id"), "epoch": record.get("epoch"), **more}


def _logprobs(record: Mapping[str, Any]) -> Any:
    """The log-probabilities of the first output of a sample; None where there are none."""
    output = record.get("output")
    choices = output.get("choices") if isinstance(output, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    return first.get("logprobs") if isinstance(first, dict) else None


def _letters(record: Mapping[str, Any]) -> tuple[str, ...]:
    choices = record.get("choices")
    k = len(choices) if isinstance(choices, list) else 0
    return tuple(ascii_uppercase[:k]) if k <= len(ascii_uppercase) else ()


def _target(record: Mapping[str, Any]) -> str:
    target = record.get("target")
    (only,) = target if isinstance(target, list) and len(target) == 1 else (target,)
    return only.strip() if isinstance(only, str) else ""


def _questions(samples: Sequence[Mapping[str, Any]], beside: Sequence[Mapping[str, Any]]) -> list[Question]:
    result: list[Question] = []
    bad: dict[int, str] = {}
    for i, record in enumerate(samples):
        letters, target = _letters(record), _target(record)
        if len(letters) < 2 or target not in letters:
            bad[i] = f"has {len(letters)} choices and the target {quoted(target)}"
            continue
        scores, unlisted = scores_of(answer_place(places_of(_logprobs(record)), letters), letters)
        if unlisted == len(letters):
            bad[i] = "has no log-probability of one of its choices"
            continue
        result.append(Question(scores, letters.index(target), columns=beside[i]))
    if bad:
        raise InputError(
            f"{list_rows(list(bad), bad.__getitem__)} Expected choices, the letter of one of them as "
            "the target, and the likeliest tokens of the answer.",
            leaving_out(list(bad), len(samples)),
        )
    return result


def _notes(samples: Sequence[Mapping[str, Any]]) -> list[str]:
    """The sentence on options that are not among the listed tokens."""
    missing = 0
    for record in samples:
        letters = _letters(record)
        missing += bool(scores_of(answer_place(places_of(_logprobs(record)), letters), letters)[1])
    return (
        [
            f"In {missing:,} of {len(samples):,} questions an option is not among the listed tokens. "
            "It was given the most that it can have."
        ]
        if missing
        else []
    )


def _answers(samples: Sequence[Mapping[str, Any]], beside: Sequence[Mapping[str, Any]]) -> list[Answer]:
    """How sure the model said that it is, and whether it was right, by the first scorer that knows both."""
    result: list[Answer] = []
    bad: list[int] = []
    for i, record in enumerate(samples):
        scores = record.get("scores")
        known = [_sure(score) for score in scores.values()] if isinstance(scores, dict) else []
        answer = next((pair for pair in known if pair is not None), None)
        if answer is None:
            bad.append(i)
            continue
        sure, right, answered = answer
        result.append(Answer(sure, answered, _target(record), right, beside[i]))
    if bad:
        raise InputError(
            f"{list_rows(bad, lambda _: 'holds neither log-probabilities nor a confidence')} Expected "
            "tokens with log-probabilities, or a score with a confidence and whether the answer was right.",
            leaving_out(bad, len(samples)),
        )
    return result


def _sure(score: Any) -> tuple[float, bool, str] | None:
    """Confidence, whether the answer was right, and the answer."""
    if not isinstance(score, dict):
        return None
    parts = flat({key: score.get(key) for key in ("value", "metadata")})
    sure = [
        number
        for way, cell in parts.items()
        if way.rpartition(".")[2] in _SURE and (number := log_number(cell)) is not None
    ]
    value = score.get("value")
    graded = value if isinstance(value, str | int | float | bool) else parts.get("value.correct")
    right = {"C": True, "I": False, "1": True, "0": False, "1.0": True, "0.0": False}.get(
        str(int(graded) if isinstance(graded, bool) else graded)
    )
    if len(sure) != 1 or right is None or not 0 <= sure[0] <= 1:
        return None
    answer = score.get("answer")
    return sure[0], right, answer.strip() if isinstance(answer, str) else ""
