"""Samples of EleutherAI's lm-evaluation-harness: ``samples_TASK_DATE.jsonl``, and results that hold samples.

A response of a multiple-choice task is [log-likelihood, whether it is what the model would write], one an
option. The harness writes numbers and the target as text, and the arguments of each request, whose second is
the option: that gives lengths, as its own ``acc_norm`` takes them. What it found by itself (``acc``) tells
how a target is meant.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from string import ascii_uppercase
from typing import Any, ClassVar

from calibcore.data.outside_text import shown
from calibcore.data.row_numbers import leaving_out, list_rows
from calibcore.errors import InputError, Remedy
from calibcore.io.logs.log import (
    CASE,
    LOGS,
    LONGEST_CELL,
    TASK,
    Log,
    Question,
    log_number,
    remaining,
    table_of,
    tells,
)
from calibcore.io.options import ReadOptions
from calibcore.io.tables import Table
from calibcore.wording import quote

_RESPONSES = ("filtered_resps", "resps")
_DEPTH = 4
"""Lists within lists at most around a response."""
_ABOVE_0 = 1e-3
"""What rounding may add to a log-likelihood of 0: a number above is what the model wrote."""
_NAME = re.compile(r"samples_(.+?)_\d{4}-\d\d-\d\dT[\d.:-]+")
_UNKNOWN = frozenset(
    ("doc_id", "doc", "target", "arguments", "metrics", "doc_hash", "prompt_hash", "target_hash", *_RESPONSES)
)
"""Keys of a sample that are no columns."""


@LOGS.enter
class Harness(Log):
    """Of tasks whose answers are options."""

    kind = "lm-evaluation-harness"
    place = 10
    label = "lm-evaluation-harness"
    file = "`samples_*.jsonl`"
    reads: ClassVar[str] = (
        "Log-likelihoods of the options, of tasks of the kind multiple choice. The target is a "
        "place, a letter or the text of an option."
    )

    @classmethod
    def fits(cls, value: Any) -> bool:
        if isinstance(value, dict):
            tasks = value.get("samples")
            return isinstance(tasks, dict) and bool(tasks) and all(map(cls.fits, tasks.values()))
        return bool(
            isinstance(value, list)
            and value
            and isinstance(value[0], dict)
            and "target" in value[0]
            and any(isinstance(value[0].get(key), list) for key in _RESPONSES)
        )

    @classmethod
    def read(cls, value: Any, name: str, options: ReadOptions) -> Table:
        samples = remaining(_samples(value, name), options)
        parts = _parts(samples)
        several = len({task for task, *_ in parts}) > 1
        questions: list[Question] = []
        notes: list[str] = []
        for task, first, part in parts:
            result, note = _questions(part, first, len(samples), task, several, options)
            questions += result
            notes += note
        questions = _named(questions, parts)
        if several:
            tasks = len({task for task, *_ in parts})
            notes.append(f"The log holds {tasks:,} tasks, which the column '{TASK}' names.")
        return table_of(questions, f"JSON, a log of {cls.label}", options, notes)


def _named(
    questions: Sequence[Question], parts: Sequence[tuple[str, int, list[dict[str, Any]]]]
) -> list[Question]:
    """The same; where all questions have the same options, as "no" and "yes", by their names."""
    samples = [record for _, _, part in parts for record in part]
    first = _option_texts(samples[0], len(questions[0].scores))
    alike = len(set(first)) == len(first) > 0 and all(0 < len(text) <= LONGEST_CELL for text in first)
    if alike and all(
        _option_texts(record, len(question.scores)) == first
        for record, question in zip(samples, questions, strict=True)
    ):
        return [replace(question, names=first) for question in questions]
    return list(questions)


def _option_texts(record: Mapping[str, Any], k: int) -> tuple[str, ...]:
    return tuple(text.strip() for _, text in _arguments(record.get("arguments"))[:k])


def _samples(value: Any, name: str) -> list[tuple[str, dict[str, Any]]]:
    """Each sample with the name of its task, "" where nothing says it."""
    if isinstance(value, dict):
        return [(task, record) for task, samples in value["samples"].items() for record in _objects(samples)]
    match = _NAME.match(PurePath(name).name)
    named = match[1] if match else ""
    return [(str(record.get("task_name") or record.get(TASK) or named), record) for record in _objects(value)]


def _objects(samples: Sequence[Any]) -> Sequence[dict[str, Any]]:
    odd = [i for i, record in enumerate(samples) if not isinstance(record, dict)]
    if odd:
        raise InputError(f"{list_rows(odd, lambda _: 'is no object')} Expected one sample of the log a row.")
    return samples


def _parts(samples: Sequence[tuple[str, dict[str, Any]]]) -> list[tuple[str, int, list[dict[str, Any]]]]:
    """Samples of one task each: name, number of the first, samples. Where logs were put one behind the
    other without a name, each begins where the numbers of the cases start again."""
    parts: list[tuple[str, int, list[dict[str, Any]]]] = []
    last: tuple[str, Any, Any] | None = None
    logs = 0
    for i, (task, record) in enumerate(samples):
        number, is_told = record.get("doc_id"), record.get("filter")
        again = (
            last is not None
            and isinstance(number, int)
            and isinstance(last[1], int)
            and number <= last[1]
            and is_told == last[2]
        )
        if last is None or task != last[0] or (again and not task):
            logs += 1
            parts.append((task, i, []))
        parts[-1][2].append(record)
        last = task, number, is_told
    unnamed = [place for place, (task, *_) in enumerate(parts) if not task]
    for count, place in enumerate(unnamed, 1):
        if len(unnamed) > 1 or len(parts) > 1:
            parts[place] = (f"log {count}", *parts[place][1:])
    return parts


@dataclass(frozen=True)
class _Sample:
    scores: tuple[float, ...]
    texts: tuple[str, ...]
    """What each option says, as it was asked for; () where the log does not hold that."""
    letters: tuple[str, ...]
    """What the question itself calls its options; () where it does not."""
    target: str
    right: float | None
    """What the harness found, 1 where the likeliest option is the target; None where it did not look."""


def _questions(
    samples: Sequence[dict[str, Any]], first: int, n: int, task: str, several: bool, options: ReadOptions
) -> tuple[list[Question], list[str]]:
    understood = [_understood(record) for record in samples]
    bad = [i for i, record in enumerate(understood) if isinstance(record, str)]
    if len(bad) == len(samples) == n:
        raise InputError(
            f"The log has {understood[0]} in row 1, and log-likelihoods of options nowhere. Expected "
            "a task of the kind multiple choice; what a model writes freely has no probability here."
        )
    if bad:
        rows = list_rows([first + i for i in bad], lambda i: f"has {understood[i - first]}")
        raise InputError(
            f"{rows} Expected a log-likelihood of each option, as tasks of the kind multiple choice have.",
            leaving_out([first + i for i in bad], n),
        )
    known = [record for record in understood if isinstance(record, _Sample)]
    right, notes = _targets(known, first, n, options)
    result = []
    for record, sample, place in zip(samples, known, right, strict=True):
        lengths = tuple(map(len, sample.texts))
        doc, metrics = record.get("doc"), record.get("metrics")
        found_out = {"acc", *(metrics if isinstance(metrics, list) else ())}
        beside = {key: cell for key, cell in record.items() if key not in _UNKNOWN and key not in found_out}
        beside |= {
            key: cell for key, cell in (doc.items() if isinstance(doc, dict) else ()) if not tells(key)
        }
        own = {TASK: task} if task else {}
        number = record.get("doc_id")
        case = {} if number is None else {CASE: f"{task} {number}" if several else number}
        columns = {**own, **case, **{key: cell for key, cell in beside.items() if key not in (TASK, CASE)}}
        usable = lengths if lengths and min(lengths) > 0 else ()
        result.append(Question(sample.scores, place, lengths=usable, columns=columns))
    return result, notes


def _understood(record: Mapping[str, Any]) -> _Sample | str:
    """A sample; what stands in the way of reading it, as a sentence has it: "the text 'yes'"."""
    responses = next((record[key] for key in _RESPONSES if isinstance(record.get(key), list)), None)
    if not responses:
        return "no responses"
    scores: list[float] = []
    for response in responses:
        cell: Any = response
        paired = False
        for _ in range(_DEPTH):
            if not isinstance(cell, list) or not cell:
                break
            paired = _is_pair(cell)
            cell = cell[0]
        score = log_number(cell)
        written = isinstance(cell, str) and len(responses) == 1 and not paired
        if score is None or score > _ABOVE_0 or written:
            return f"the text {quote(cell)}" if isinstance(cell, str) else f"{shown(cell)} as a response"
        scores.append(score)
    asked = _arguments(record.get("arguments"))
    if len(asked) != len(scores):
        asked = []
    half = len(scores) // 2
    alone = [not context for context, _ in asked[half:]]
    if half > 1 and len(scores) == 2 * half and len(alone) == half and all(alone) and asked[0][0]:
        scores, asked = scores[:half], asked[:half]  # beside each option how likely it is without a question
    texts = tuple(text.removeprefix(" ") for _, text in asked)
    acc = record.get("acc")
    right = float(acc) if isinstance(acc, int | float) and acc in (0, 1) else None
    return _Sample(
        tuple(scores), texts, _letters(record.get("doc"), len(scores)), _text(record.get("target")), right
    )


def _is_pair(cells: Sequence[Any]) -> bool:
    """Whether these are a log-likelihood and whether it is what the model would write."""
    return len(cells) == 2 and (isinstance(cells[1], bool) or cells[1] in ("True", "False"))


def _text(target: Any) -> str:
    return str(int(target)) if isinstance(target, float) and target.is_integer() else str(target).strip()


def _arguments(arguments: Any) -> list[tuple[str, str]]:
    """Context and option of each request: lists, or objects whose keys count ("gen_args_0", "arg_1")."""
    requests = list(arguments.values()) if isinstance(arguments, dict) else arguments
    pairs = []
    for request in requests if isinstance(requests, list) else ():
        cells = list(request.values()) if isinstance(request, dict) else request
        if not isinstance(cells, list) or len(cells) < 2 or not all(isinstance(c, str) for c in cells[:2]):
            return []
        pairs.append((cells[0], cells[1]))
    return pairs


def _letters(doc: Any, k: int) -> tuple[str, ...]:
    """What the options are called in ``doc.choices.label`` of ARC and its like."""
    choices = doc.get("choices") if isinstance(doc, dict) else None
    labels = choices.get("label") if isinstance(choices, dict) else None
    if isinstance(labels, list) and len(labels) == k and all(isinstance(x, str) for x in labels):
        return tuple(labels)
    return ()


def _targets(
    samples: Sequence[_Sample], first: int, n: int, options: ReadOptions
) -> tuple[list[int], list[str]]:
    """The place of the right option of each, and sentences on how targets were read."""
    base = options.label_base
    ways = {f"places from {base or 0}": [_place(record, base or 0) for record in samples]}
    if base is None:
        ways |= {
            "the text of an option": [_found(record.target, record.texts) for record in samples],
            "letters": [
                _found(record.target, record.letters or ascii_uppercase[: len(record.scores)])
                for record in samples
            ],
        }
    unread = {way: [i for i, place in enumerate(places) if place is None] for way, places in ways.items()}
    complete = [way for way in ways if not unread[way]]
    if not complete:
        bad = unread[min(unread, key=lambda way: len(unread[way]))]
        rows = list_rows(
            [first + i for i in bad], lambda i: f"has the target {quote(samples[i - first].target)}"
        )
        raise InputError(
            f"{rows} Expected the place of one of the row's options, its letter or its text.",
            _other_start(samples, base) or leaving_out([first + i for i in bad], n),
        )
    against = {way: _against(samples, ways[way]) for way in complete}
    best = min(against.values())
    fits = [way for way in complete if against[way] == best]
    if len({tuple(ways[way]) for way in fits}) > 1:
        raise InputError(
            f"It is open what the target {quote(samples[0].target)} of row {first + 1:,} means: "
            f"{fits[0]}, or {fits[1]}.",
            [
                Remedy(f"Targets are places from {start}", {"label_base": start})
                for start in (0, 1)
                if all(_place(record, start) is not None for record in samples)
            ],
        )
    places = [place for place in ways[fits[0]] if place is not None]
    notes = [f"The targets are {fits[0]}."]
    if best:
        notes.append(
            f"In {best:,} of {len(samples):,} questions acc, as the log has it, says otherwise than "
            "target and log-likelihoods."
        )
    return places, notes


def _other_start(samples: Sequence[_Sample], base: int | None) -> list[Remedy]:
    """Where targets count from the other number throughout: to leave out rows would shift all others."""
    start = 0 if base == 1 else 1
    if any(_place(record, start) is None for record in samples):
        return []
    return [Remedy(f"Targets are places from {start}", {"label_base": start})]


def _place(record: _Sample, base: int) -> int | None:
    digits = record.target.isascii() and record.target.isdecimal() and len(record.target) < 6
    place = int(record.target) - base if digits else -1
    return place if 0 <= place < len(record.scores) else None


def _found(target: str, names: Sequence[str]) -> int | None:
    """The only place of a target among the names of options."""
    known = [name.strip() for name in names]
    return known.index(target) if known.count(target) == 1 else None


def _against(samples: Sequence[_Sample], places: Sequence[int | None]) -> int:
    """In how many questions ``acc`` says otherwise; where the likeliest options tie it says nothing."""
    count = 0
    for record, place in zip(samples, places, strict=True):
        best = max(record.scores)
        if record.right is not None and record.scores.count(best) == 1:
            count += (record.scores.index(best) == place) != bool(record.right)
    return count
