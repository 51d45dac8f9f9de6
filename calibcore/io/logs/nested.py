"""What nests, and what tokens say: what several logs have in common."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from calibcore.errors import InputError
from calibcore.io.logs.log import log_number
from calibcore.wording import quote

MOST_DEPTH = 8
"""Objects within objects that are looked into."""
MOST_KEYS = 2_000
"""Single values of one record at most."""
MOST_TOKENS = 1_000
"""Tokens that one place of an answer may list."""
Tokens = dict[str, float]
"""Token -> its log-probability, at one place of an answer."""


def flat(record: Mapping[str, Any]) -> dict[str, Any]:
    """Single values of a record by their way, "answer.label"; lists, and what lies deeper, are left out.

    Raises
    ------
    InputError : more single values than :data:`MOST_KEYS`
    """
    cells: dict[str, Any] = {}
    for way, cell in _walk(record, "", MOST_DEPTH):
        cells[way] = cell
        if len(cells) > MOST_KEYS:
            raise InputError(
                f"A record of the log holds more than {MOST_KEYS:,} values, the last at "
                f"{quote(way)}. Expected one question a record."
            )
    return cells


def _walk(record: Mapping[str, Any], before: str, depth: int) -> Iterator[tuple[str, Any]]:
    for key, cell in record.items():
        if isinstance(cell, dict):
            if depth:
                yield from _walk(cell, f"{before}{key}.", depth - 1)
        elif not isinstance(cell, list):
            yield f"{before}{key}", cell


def places_of(logprobs: Any) -> list[Tokens]:
    """What each place of an answer says of its tokens, the first place first; none for what is no such list.

    Known are {"A": −0.1, …}; [{"token", "logprob"}, …], of one place; and of each place "top_logprobs", in
    "content" or beside "token_logprobs".
    """
    if isinstance(logprobs, dict):
        if record := _of_object(logprobs):
            return [record]
        for key in ("content", "top_logprobs", "topLogprobs"):
            entries = logprobs.get(key)
            if isinstance(entries, list):
                written = [_of_entry(entry) for entry in entries] if key == "content" else []
                alone = all(written) and not any(_top(entry) for entry in entries)
                return written if written and alone else places_of(entries)
        return []
    if not isinstance(logprobs, list) or not logprobs:
        return []
    if any(isinstance(entry, dict) and _top(entry) is not None for entry in logprobs):
        result = []
        for entry in logprobs:
            own = _of_entry(entry)
            known = places_of(_top(entry)) if isinstance(entry, dict) else []
            result.append({**own, **(known[0] if known else {})})
        return result
    if all(isinstance(entry, dict) and "token" in entry for entry in logprobs):
        return [_of_entries(logprobs)]
    if all(isinstance(entry, dict) for entry in logprobs):
        return [_of_object(entry) for entry in logprobs]
    if all(isinstance(entry, list) for entry in logprobs):
        return [_of_entries(entry) for entry in logprobs]
    return []


def _top(entry: Mapping[str, Any]) -> Any:
    return entry.get("top_logprobs")


def _of_object(cells: Mapping[str, Any]) -> Tokens:
    """{"A": −0.1, …}; empty for any other object."""
    numbers = {str(token): log_number(cell) for token, cell in cells.items() if not isinstance(cell, str)}
    known = {token: number for token, number in numbers.items() if number is not None and number <= 1e-6}
    return known if len(known) == len(cells) and known else {}


def _of_entry(entry: Any) -> Tokens:
    """{"token": "A", "logprob": −0.1}."""
    token = entry.get("token") if isinstance(entry, dict) else None
    number = log_number(entry.get("logprob")) if isinstance(entry, dict) else None
    return {token: number} if isinstance(token, str) and number is not None and number <= 1e-6 else {}


def _of_entries(entries: Sequence[Any]) -> Tokens:
    if len(entries) > MOST_TOKENS:
        raise InputError(
            f"A place of an answer lists {len(entries):,} tokens; the limit is {MOST_TOKENS:,}. Expected the "
            "likeliest ones."
        )
    tokens: Tokens = {}
    for entry in entries:
        for token, number in _of_entry(entry).items():
            tokens[token] = max(number, tokens.get(token, -math.inf))
    return tokens


def word_of(token: str) -> str:
    """The answer that a token stands for: " (B)" and "B." are B."""
    return token.strip(" \t\r\n▁Ġ()[].:,;\"'*")


def by_word(tokens: Tokens, known: Sequence[str] = ()) -> dict[str, float]:
    """Answer -> log of the sum of its tokens' probabilities; of ``known`` ones alone, if these are given."""
    sums: dict[str, float] = {}
    for token, number in tokens.items():
        word = word_of(token)
        if word and (not known or word in known):
            sums[word] = float(_log_sum(sums[word], number)) if word in sums else number
    return sums


def _log_sum(a: float, b: float) -> float:
    high, low = max(a, b), min(a, b)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))


def answer_place(places: Sequence[Tokens], known: Sequence[str], answer: str = "") -> Tokens:
    """Where a model gave one of the ``known`` answers: the last place that says the ``answer`` that was taken
    from its text. Without that, of the places whose likeliest token is one, or else lists two, the first with
    the most: "A" may begin the sentence before.
    """
    if answer:
        return next((tokens for tokens in reversed(places) if tokens and written_at(tokens) == answer), {})
    likely = [tokens for tokens in places if tokens and word_of(max(tokens, key=tokens.__getitem__)) in known]
    likely = likely or [tokens for tokens in places if len(by_word(tokens, known)) > 1]
    return max(likely, key=lambda tokens: len(by_word(tokens, known)), default={})


def written_at(tokens: Tokens) -> str:
    """The word that the model wrote at a place: what it wrote comes first, then what it might have."""
    return word_of(next(iter(tokens), ""))


def scores_of(tokens: Tokens, known: Sequence[str]) -> tuple[tuple[float, ...], int]:
    """The log-probability of each of the ``known`` answers, and how many of them are not listed.

    What is not listed is at most as likely as the least likely token that is, and all of it together as what
    is left of 1: it gets that.
    """
    listed = by_word(tokens, known)
    missing = [word for word in known if word not in listed]
    if missing and listed:
        left = max(1.0 - math.fsum(math.exp(number) for number in tokens.values()), 1e-12)
        least = min(number for number in tokens.values() if number > -math.inf)
        most = min(least, math.log(left / len(missing)))
        listed |= dict.fromkeys(missing, most)
    return tuple(listed.get(word, -math.inf) for word in known), len(missing) if listed else len(known)
