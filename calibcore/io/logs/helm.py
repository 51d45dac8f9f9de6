"""Runs of HELM: ``scenario_state.json`` with what the model said, and ``per_instance_stats.json``.

Of a question whose options are asked for together, the letters are tokens: where the likeliest tokens stand
beside them, options have probabilities, else the answer has a confidence. Of options that are asked for one
by one, each has the log-likelihood of its text; what the method calibrates by is subtracted.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from calibcore.data.row_numbers import leaving_out, list_rows
from calibcore.errors import InputError
from calibcore.io.logs.log import CASE, LOGS, TASK, Log, Question, log_number, remaining, table_of
from calibcore.io.logs.nested import Tokens, places_of, scores_of, word_of
from calibcore.io.logs.sure import Answer, table_of_answers
from calibcore.io.options import ReadOptions
from calibcore.io.roles.varying_options import place_names
from calibcore.io.tables import Table, check_rows
from calibcore.wording import quote

_CORRECT = "correct"


@LOGS.enter
class Helm(Log):
    """What the model was asked and said."""

    kind = "helm"
    place = 30
    label = "HELM"
    file = "`scenario_state.json`"
    reads: ClassVar[str] = (
        "Options asked for together, by the likeliest tokens, or the confidence in the answer where "
        "these are not logged. Options asked for one by one, by their log-likelihoods."
    )

    @classmethod
    def fits(cls, value: Any) -> bool:
        states = value.get("request_states") if isinstance(value, dict) else None
        return isinstance(states, list) and bool(states) and isinstance(states[0], dict)

    @classmethod
    def read(cls, value: Any, name: str, options: ReadOptions) -> Table:
        states = value["request_states"]
        check_rows(len(states))
        together = not isinstance(states[0].get("reference_index"), int)
        states = remaining(states, options) if together else states
        odd = [i for i, record in enumerate(states) if not _is_state(record)]
        if odd:
            raise InputError(
                f"{list_rows(odd, lambda _: 'holds no instance with references, or no completion')} "
                "Expected a question with options, and what the model said.",
                leaving_out(odd, len(states)) if together else (),
            )
        spec = value.get("adapter_spec")
        model = spec.get("model") if isinstance(spec, dict) else None
        source = f"JSON, a log of {cls.label}" + (f" ({quote(model)})" if isinstance(model, str) else "")
        one_by_one = [isinstance(record.get("reference_index"), int) for record in states]
        if any(one_by_one) != all(one_by_one):
            raise InputError("Some requests are of one option and others of a question. Expected one kind.")
        if all(one_by_one):
            return table_of(remaining(_asked_one_by_one(states), options), source, options)
        return _asked_together(states, source, options)


@LOGS.enter
class HelmStatistics(Log):
    """What HELM computed of each question."""

    kind = "helm-statistics"
    place = 40
    label = "HELM, statistics of each question"
    file = "`per_instance_stats.json`"
    reads: ClassVar[str] = "The confidence `max_prob`, and whether the answer was right, `exact_match`."

    @classmethod
    def fits(cls, value: Any) -> bool:
        first = value[0] if isinstance(value, list) and value else None
        return isinstance(first, dict) and "instance_id" in first and isinstance(first.get("stats"), list)

    @classmethod
    def read(cls, value: Any, name: str, options: ReadOptions) -> Table:
        records = remaining(_by_question(value), options)
        answers: list[Answer] = []
        bad: list[int] = []
        unlogged = 0
        for i, (record, stats) in enumerate(records):
            unlogged += stats.get("logprob") == 0.0
            sure, right = stats.get("max_prob"), stats.get("exact_match", stats.get("quasi_exact_match"))
            if sure is None or right not in (0.0, 1.0):
                bad.append(i)
                continue
            beside = {
                CASE: record.get("instance_id"),
                "trial": record.get("train_trial_index"),
                "perturbation": _perturbation(record),
            }
            answers.append(Answer(sure, right=right == 1.0, columns=beside))
        if bad:
            raise InputError(
                f"{list_rows(bad, lambda _: 'lacks max_prob, or exact_match as 0 or 1')} Expected "
                "both, as HELM computes them of questions with options.",
                leaving_out(bad, len(records)),
            )
        _refuse_unlogged(answers, unlogged)
        return table_of_answers(answers, f"JSON, a log of {cls.label}")


def _by_question(value: Sequence[Any]) -> list[tuple[Mapping[str, Any], dict[str, float]]]:
    """A record of each question, and all statistics of it: every metric writes its own record."""
    records: dict[str, tuple[Mapping[str, Any], dict[str, float]]] = {}
    for i, given in enumerate(value):
        record = given if isinstance(given, dict) else {}
        key = [record.get("instance_id", i), _perturbation(record), record.get("train_trial_index")]
        _, stats = records.setdefault(repr(key), (record, {}))
        for name, mean in _means(record.get("stats")).items():
            stats.setdefault(name, mean)
    return list(records.values())


def _refuse_unlogged(answers: Sequence[Answer], unlogged: int) -> None:
    """InputError where all log-probabilities are 0: HELM writes that for services that give none."""
    if unlogged == len(answers) and all(answer.confidence == 1.0 for answer in answers):
        raise InputError(
            "Every log-probability in the log is 0, as HELM writes it of a service that gives none. Nothing "
            "says how sure the model was. Expected a run of a model with log-probabilities."
        )


def _means(stats: Any) -> dict[str, float]:
    """Name of a statistic -> its mean; the same of a part of the data does not count twice."""
    result: dict[str, float] = {}
    for stat in stats if isinstance(stats, list) else ():
        name = stat.get("name") if isinstance(stat, dict) else None
        word = name.get("name") if isinstance(name, dict) else name
        mean = log_number(stat.get("mean")) if isinstance(stat, dict) else None
        if isinstance(word, str) and mean is not None:
            result.setdefault(word, mean)
    return result


def _perturbation(record: Mapping[str, Any]) -> str:
    result = record.get("perturbation")
    name = result.get("name") if isinstance(result, dict) else None
    return name if isinstance(name, str) else "none"


def _is_state(record: Any) -> bool:
    """Whether a request has references, of which some are correct, and one completion or more."""
    instance = record.get("instance") if isinstance(record, dict) else None
    references = instance.get("references") if isinstance(instance, dict) else None
    if not isinstance(references, list) or not references or _completion(record) is None:
        return False
    return all(isinstance(reference, dict) for reference in references) and bool(_right(references))


def _completion(record: Mapping[str, Any]) -> dict[str, Any] | None:
    result = record.get("result")
    completions = result.get("completions") if isinstance(result, dict) else None
    first = completions[0] if isinstance(completions, list) and completions else None
    return first if isinstance(first, dict) else None


def _right(references: Sequence[Mapping[str, Any]]) -> list[int]:
    """Places of the references that are correct."""
    return [
        k for k, reference in enumerate(references)
        if isinstance(reference.get("tags"), list) and _CORRECT in reference["tags"]
    ]  # fmt: skip


def _text(reference: Mapping[str, Any]) -> str:
    output = reference.get("output")
    text = output.get("text") if isinstance(output, dict) else output
    return text if isinstance(text, str) else ""


def _beside(record: Mapping[str, Any]) -> dict[str, Any]:
    instance = record["instance"]
    part = instance.get("sub_split")
    return {
        **({TASK: part} if part else {}),
        CASE: instance.get("id"),
        "trial": record.get("train_trial_index"),
        "perturbation": _perturbation(instance),
        "split": instance.get("split"),
    }


def _asked_together(states: Sequence[Mapping[str, Any]], source: str, options: ReadOptions) -> Table:
    questions: list[Question] = []
    answers: list[Answer] = []
    bad: list[int] = []
    texts: list[int] = []
    for i, record in enumerate(states):
        references = record["instance"]["references"]
        letters = _letters(record.get("output_mapping"), len(references))
        completion = _completion(record) or {}
        answered = word_of(str(completion.get("text", "")))
        if answered not in letters and " " in answered:
            texts.append(i)
        right = _right(references)
        tokens = _tokens(completion)
        beside = _beside(record)
        scores, missing = scores_of(tokens, letters) if tokens else ((), len(letters))
        if missing < len(letters) - 1:
            questions.append(Question(scores, right[0], columns=beside))
        number = log_number(completion.get("logprob"))
        if number is None or number > 1e-6:
            bad.append(i)
        else:
            place = letters.index(answered) if answered in letters else -1
            sure = min(1.0, math.exp(number))
            true = letters[place if place in right else right[0]]
            answers.append(Answer(sure, answered, true, right=place in right, columns=beside))
    if len(questions) == len(states):
        return table_of(questions, source, options)
    if texts:
        where = (
            list_rows(texts, lambda i: f"has the answer {_begin(states[i])}")
            if 2 * len(texts) < len(states)
            else f"The model wrote texts, such as {_begin(states[texts[0]])}, and not letters of options."
        )
        raise InputError(
            f"{where} Expected letters: the probability of a text is no confidence in its answer.",
            leaving_out(texts, len(states)),
        )
    _refuse_unlogged(answers, len(answers))
    if bad:
        raise InputError(
            f"{list_rows(bad, lambda _: 'holds no log-probability of the answer')} Expected one.",
            leaving_out(bad, len(states)),
        )
    return table_of_answers(answers, source)


def _begin(record: Mapping[str, Any]) -> str:
    """How what a model wrote begins, in quotation marks."""
    text = str((_completion(record) or {}).get("text", "")).strip()
    return quote(text if len(text) <= _SHORT else f"{text[:_SHORT]}…")


_SHORT = 40


def _letters(mapping: Any, k: int) -> tuple[str, ...]:
    """The letters of the options, in the order of the references."""
    letters = tuple(map(str, mapping)) if isinstance(mapping, dict) else ()
    return letters if len(letters) == k else place_names(k)


def _tokens(completion: Mapping[str, Any]) -> Tokens:
    """What the first token of an answer might have been; empty where the log does not hold that."""
    tokens = completion.get("tokens")
    first = tokens[0] if isinstance(tokens, list) and tokens else None
    result = places_of(first.get("top_logprobs")) if isinstance(first, dict) else []
    return result[0] if result else {}


@dataclass
class _Options:
    """The requests of one question, by the places of their options."""

    references: Sequence[Mapping[str, Any]]
    columns: dict[str, Any]
    row: int
    original: dict[int, tuple[float, int]] = field(default_factory=dict)
    calibration: dict[int, tuple[float, int]] = field(default_factory=dict)


def _asked_one_by_one(states: Sequence[Mapping[str, Any]]) -> list[Question]:
    questions: dict[str, _Options] = {}
    for i, record in enumerate(states):
        instance, place = record["instance"], record["reference_index"]
        key = repr((instance.get("id"), _perturbation(instance), record.get("train_trial_index")))
        known = questions.setdefault(key, _Options(instance["references"], _beside(record), i))
        if not 0 <= place < len(known.references):
            raise InputError(
                f"Request {i + 1:,} is of option {place:,}, and its question has "
                f"{len(known.references):,} options."
            )
        mode = known.calibration if record.get("request_mode") == "calibration" else known.original
        mode[place] = _score(_completion(record) or {}, _text(known.references[place]), i)
    result = []
    for question in questions.values():
        k = len(question.references)
        if len(question.original) < k or (question.calibration and len(question.calibration) < k):
            raise InputError(
                f"Of the question of request {question.row + 1:,} not all {k:,} options were asked for. "
                "Expected one request an option."
            )
        scores = [question.original[place][0] for place in range(k)]
        lengths = tuple(question.original[place][1] for place in range(k))
        if question.calibration:
            scores = [score - question.calibration[place][0] for place, score in enumerate(scores)]
            lengths = ()
        result.append(
            Question(tuple(scores), _right(question.references)[0], lengths=lengths, columns=question.columns)
        )
    return result


def _score(completion: Mapping[str, Any], text: str, row: int) -> tuple[float, int]:
    """Log-likelihood and number of the tokens at the end that are the option's text."""
    total, count, rest = 0.0, 0, text.strip()
    for piece, number, k in reversed(_pieces(completion.get("tokens"))):
        if not rest or number is None:
            break
        total, count = total + number, count + k
        if piece.strip():
            if not rest.endswith(piece.strip()) and not piece.strip().endswith(rest):
                break
            rest = rest[: -len(piece.strip())].rstrip() if rest.endswith(piece.strip()) else ""
    if rest or not count:
        raise InputError(
            f"Request {row + 1:,}: the tokens of the completion do not end with the option "
            f"{quote(text)}. Expected its tokens, each with a log-probability."
        )
    return total, count


def _pieces(tokens: Any) -> list[tuple[str, float | None, int]]:
    """What tokens say, their log-likelihoods, and how many they are. Parts of a letter, "bytes:\\xe2\\x80",
    are put together; None where a token has no number.
    """
    pieces: list[tuple[str, float | None, int]] = []
    data, total, count = bytearray(), 0.0, 0

    def end() -> None:
        nonlocal data, total, count
        if count:
            pieces.append((data.decode("utf-8", "replace"), total, count))
        data, total, count = bytearray(), 0.0, 0

    for record in tokens if isinstance(tokens, list) else ():
        token = record if isinstance(record, dict) else {}
        text, number = token.get("text"), log_number(token.get("logprob"))
        codes = _BYTES.fullmatch(text) if isinstance(text, str) else None
        if codes and number is not None:
            data += bytes.fromhex(codes[1].replace("\\x", ""))
            total, count = total + number, count + 1
            continue
        end()
        pieces.append((text if isinstance(text, str) else "", number if isinstance(text, str) else None, 1))
    end()
    return pieces


_BYTES = re.compile(r"bytes:((?:\\x[0-9a-fA-F]{2})+)")
