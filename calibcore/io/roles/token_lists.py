"""Columns that list the tokens of an answer, and how likely each was: no probabilities of what was asked."""

from collections.abc import Collection

from calibcore.column_names.name_words import tokens
from calibcore.errors import InputError
from calibcore.io.roles.look import Look
from calibcore.io.roles.meaning import cell_text
from calibcore.wording import quote

_TOKENS = frozenset(["token", "tokens"])
_LOGARITHMS = frozenset(["logprob", "logprobs", "logprobability", "logprobabilities", "logp", "logps"])
_EXPECTED = (
    'Expected the log-probabilities of the options, as {"A": -0.1, …} in each row of a JSON file, and '
    "what was right; or one confidence an answer, and whether it was right."
)
_ROWS = 20
"""Rows that are looked at."""


def refuse_token_arrays(look: Look) -> None:
    """InputError for an array with a number a token: "token_logprobs", or "logprobs" beside "tokens"."""
    of_tokens = numbers_of_tokens(look.names)
    for block in look.table.blocks:
        if look.names[block[0]] in of_tokens:
            raise InputError(_sentence(look.names[block[0]].removesuffix("[0]"), True))


def numbers_of_tokens(names: Collection[str]) -> frozenset[str]:
    """Which of a table's columns say how likely each token was: "token_logprobs", or "logprobs" beside
    "tokens"."""
    words = {name: _words(name.removesuffix("[0]")) for name in names}
    beside = any(of_name & _TOKENS and not of_name & _LOGARITHMS for of_name in words.values())
    return frozenset(
        name for name, of_name in words.items() if of_name & _LOGARITHMS and (of_name & _TOKENS or beside)
    )


def refused_as_token_lists(look: Look, refusal: InputError) -> InputError:
    """The same refusal; of a table with lists of tokens in a column of text, what they lack."""
    if not look.table.named or any(remedy.rows for remedy in refusal.remedies):
        return refusal
    listed = [j for j in range(len(look.names)) if _lists(look, j)]
    if not listed:
        return refusal
    likely = [j for j in listed if _words(look.names[j]) & _LOGARITHMS]
    name = look.names[(likely or listed)[0]]
    if likely and cell_text(look.table.columns[likely[0]].iloc[0])[:2] in ("{'", '{"', "[{"):
        return InputError(
            f"Column {quote(name)} holds log-probabilities of tokens as text. They are read of JSON files: "
            "save the rows as JSON Lines, this column not as text, with what was right beside it."
        )
    return InputError(_sentence(name, bool(likely)))


def _sentence(name: str, likely: bool) -> str:
    if likely:
        return (
            f"Column {quote(name)} lists how likely each token of a text was, and nothing says which of "
            f"them are the options of an answer. {_EXPECTED}"
        )
    return f"Column {quote(name)} lists tokens, and nothing says how likely they were. {_EXPECTED}"


def _lists(look: Look, j: int) -> bool:
    """Whether a column is called after tokens or their log-probabilities, and its cells are lists."""
    if look.numeric[j] or not _words(look.names[j]) & (_TOKENS | _LOGARITHMS):
        return False
    cells = [cell_text(cell) for cell in look.table.columns[j].iloc[:_ROWS]]
    return bool(cells) and all(cell[:1] in ("[", "{") for cell in cells)


def _words(name: str) -> set[str]:
    return {token.text for token in tokens(name)}
