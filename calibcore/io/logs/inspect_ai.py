"""Logs of Inspect, as JSON or as ``.eval``, which is a ZIP of a header and a JSON a sample.

A sample lists its choices, and the target is a letter. Where tokens were logged with their log-probabilities
the options have probabilities; else a scorer may have noted how sure the model said that it is. Where the
solver shuffled the choices, its log has them and the answer as they were before, and tokens as they came:
then only the answer's own probability is known.
"""

from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any, ClassVar

import numpy as np

from calibcore.column_names.lexicon import CONFIDENCE
from calibcore.column_names.name_words import tokens
from calibcore.data.row_numbers import leaving_out, list_rows
from calibcore.errors import InputError
from calibcore.io.logs.log import (
    CASE,
    LOGS,
    TASK,
    Log,
    Question,
    log_number,
    remaining,
    softmax_of,
    table_of,
)
from calibcore.io.logs.nested import answer_place, flat, places_of, scores_of, written_at
from calibcore.io.logs.sure import Answer, table_of_answers
from calibcore.io.options import ReadOptions
from calibcore.io.tables import Table
from calibcore.wording import quote

_SURE = frozenset(("probability", "prob", "p_correct"))
"""What scorers call how sure the model is of its answer, beside words for a confidence."""
_SHUFFLED = "Choices were shuffled"
"""How the explanation of an answer begins whose letters are others than those of the tokens."""


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
        source = f"JSON, a log of {cls.label}" + (f" ({quote(model)})" if isinstance(model, str) else "")
        beside = [_beside(record, task) for record in samples]
        if not any(map(_logprobs, samples)):
            return table_of_answers(_answers(samples, beside), source)
        if _is_shuffled(value, samples):
            return table_of_answers(_answers_of_tokens(samples, beside), source, _OF_SHUFFLED)
        return table_of(_questions(samples, beside), source, options, _notes(samples))


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


def _is_shuffled(value: Mapping[str, Any], samples: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the choices came to the model in another order than that of the log."""
    plan = value.get("plan")
    steps = plan.get("steps") if isinstance(plan, dict) else None
    parameters = [step.get("params") for step in steps or () if isinstance(step, dict)]
    if any(isinstance(given, dict) and given.get("shuffle") for given in parameters):
        return True
    return any(
        str(score.get("explanation") or "").startswith(_SHUFFLED)
        for record in samples
        for score in _scores(record)
    )


_OF_SHUFFLED = (
    "The choices were shuffled before the model saw them, so that the letters of its tokens are not those of "
    "the log.",
)


def _scores(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    scores = record.get("scores")
    return [score for score in scores.values() if isinstance(score, dict)] if isinstance(scores, dict) else []


def _answered(record: Mapping[str, Any]) -> str:
    """The letter that a scorer took from what the model wrote, "" where none did."""
    letters = _letters(record)
    answers = (score.get("answer") for score in _scores(record))
    return next((answer for answer in answers if isinstance(answer, str) and answer in letters), "")


def _right(score: Mapping[str, Any]) -> bool | None:
    """Whether a scorer found the answer right; None where it says something else."""
    value = score.get("value")
    graded = value.get("correct") if isinstance(value, dict) else value
    word = str(int(graded) if isinstance(graded, bool) else graded)
    return {"C": True, "I": False, "1": True, "0": False, "1.0": True, "0.0": False}.get(word)


def _of_options(record: Mapping[str, Any], answer: str) -> tuple[tuple[float, ...], int]:
    """The log-probability of each option where the model said the ``answer``; how many are not listed."""
    letters = _letters(record)
    return scores_of(answer_place(places_of(_logprobs(record)), letters, answer), letters)


def _questions(samples: Sequence[Mapping[str, Any]], beside: Sequence[Mapping[str, Any]]) -> list[Question]:
    result: list[Question] = []
    bad: dict[int, str] = {}
    for i, record in enumerate(samples):
        letters, target, answer = _letters(record), _target(record), _answered(record)
        if len(letters) < 2 or target not in letters:
            bad[i] = f"has {len(letters)} choices and the target {quote(target)}"
            continue
        scores, unlisted = _of_options(record, answer)
        if unlisted == len(letters):
            bad[i] = f"has no token that says {answer}" if answer else "has no log-probability of its choices"
            continue
        result.append(Question(scores, letters.index(target), columns=beside[i]))
    if bad:
        raise InputError(
            f"{list_rows(list(bad), bad.__getitem__)} Expected choices, the letter of one of them as "
            "the target, and the likeliest tokens of the answer.",
            leaving_out(list(bad), len(samples)),
        )
    return result


def _answers_of_tokens(
    samples: Sequence[Mapping[str, Any]], beside: Sequence[Mapping[str, Any]]
) -> list[Answer]:
    """How sure the model was of the option that it named, of all options, and whether that was right."""
    result: list[Answer] = []
    bad: list[int] = []
    for i, record in enumerate(samples):
        letters = _letters(record)
        place = answer_place(places_of(_logprobs(record)), letters)
        right = next((right for score in _scores(record) if (right := _right(score)) is not None), None)
        written = written_at(place)
        scores, unlisted = scores_of(place, letters)
        if right is None or written not in letters or unlisted == len(letters):
            bad.append(i)
            continue
        sure = float(softmax_of(np.array([scores]))[0, letters.index(written)])
        result.append(Answer(sure, _answered(record), _target(record), right, beside[i]))
    if bad:
        raise InputError(
            f"{list_rows(bad, lambda _: 'has no token of an option, or no score')} Expected the likeliest "
            "tokens of the answer, and whether it was right.",
            leaving_out(bad, len(samples)),
        )
    return result


def _notes(samples: Sequence[Mapping[str, Any]]) -> list[str]:
    """The sentence on options that are not among the listed tokens."""
    missing = 0
    for record in samples:
        missing += bool(_of_options(record, _answered(record))[1])
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
        answer = next((known for score in _scores(record) if (known := _sure(score)) is not None), None)
        if answer is None:
            bad.append(i)
            continue
        sure, right, answered = answer
        result.append(Answer(sure, answered, _target(record), right, beside[i]))
    if bad:
        where = "holds neither log-probabilities nor a confidence"
        rows = list_rows(bad, lambda _: where) if len(bad) < len(samples) else f"The log {where}."
        raise InputError(
            f"{rows} Expected tokens with log-probabilities (the settings logprobs and top_logprobs of "
            "Inspect), or a score with a confidence and whether the answer was right.",
            leaving_out(bad, len(samples)),
        )
    return result


def _sure(score: Mapping[str, Any]) -> tuple[float, bool, str] | None:
    """Confidence, as it stands there, whether the answer was right, and the answer."""
    parts = flat({key: score.get(key) for key in ("value", "metadata")})
    sure = [
        number
        for way, cell in parts.items()
        if _says_sure(way.rpartition(".")[2]) and (number := _confidence(cell)) is not None
    ]
    right = _right(score)
    if len(sure) != 1 or right is None:
        return None
    answer = score.get("answer")
    return sure[0], right, answer.strip() if isinstance(answer, str) else ""


def _says_sure(name: str) -> bool:
    return name in _SURE or any(token.text in CONFIDENCE for token in tokens(name))


def _confidence(cell: Any) -> float | None:
    """A number from 0 to 100; "85%" is 0.85."""
    text = cell.strip() if isinstance(cell, str) else cell
    per_cent = isinstance(text, str) and text.endswith("%")
    number = log_number(text[:-1] if per_cent else text)
    if number is None or not 0 <= number <= 100:
        return None
    return number / 100 if per_cent else number
