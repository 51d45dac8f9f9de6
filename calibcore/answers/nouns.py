"""An answer in which every sentence calls a case what it is: "These visits cannot tell"."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from calibcore.answers.blocks import (
    Answer,
    Beside,
    Block,
    Cases,
    Caution,
    Chart,
    Doubts,
    Fold,
    Headline,
    Methods,
    Notes,
    Sentences,
)
from calibcore.answers.tables import Table
from calibcore.wording import in_noun
from calibcore.words.tables import Rows

T = TypeVar("T")
_NAMES = re.compile(r"((?<!\w)'[^']*'(?!\w))")
"""What stands in quotes is the name of a class, a group, a model or a column, and stays as it is."""
_COUNTS_CASES = re.compile(r"(?:Cases|With cases)\b")
_SAYS_CASE = re.compile(r"\bcases?\b")


def said_of(answer: Answer, noun: str) -> Answer:
    """The same answer about so called cases; cells of tables and names in quotes stay."""
    if _SAYS_CASE.search(noun):
        return answer
    return replace(
        answer,
        about=_lines(answer.about, noun),
        blocks=tuple(_block(block, noun) for block in answer.blocks),
    )


def _block(block: Block, noun: str) -> Block:
    match block:
        case Headline() | Cases() | Caution() | Beside():
            return replace(block, text=sentence_of(block.text, noun))
        case Sentences() | Doubts() | Notes():
            return replace(block, lines=_lines(block.lines, noun))
        case Methods():
            lines, drawn = _lines(block.lines, noun), sentence_of(block.drawn, noun)
            return replace(block, title=sentence_of(block.title, noun), lines=lines, drawn=drawn)
        case Chart():
            says, caption = sentence_of(block.says, noun), sentence_of(block.caption, noun)
            title, table = sentence_of(block.title, noun), table_said_of(block.table, noun)
            return replace(block, title=title, says=says, caption=caption, table=table, called=noun)
        case Table():
            return table_said_of(block, noun)
        case Fold():
            return replace(
                block,
                title=sentence_of(block.title, noun),
                blocks=tuple(_block(inner, noun) for inner in block.blocks),
            )
    return block


def table_said_of(table: Table[T], noun: str) -> Table[T]:
    """The same table with heads for people, title and notes about so called cases; its keys stay."""
    if _SAYS_CASE.search(noun):
        return table
    columns = tuple(replace(column, name=head_of(column.name, noun)) for column in table.columns)
    title, notes = sentence_of(table.title, noun), _lines(table.notes, noun)
    return replace(table, title=title, notes=notes, columns=columns)


def head_of(head: str, noun: str) -> str:
    """The head of a column that counts or names cases: "Cases" -> "Visits"; others may name a class."""
    return in_noun(head, noun) if _COUNTS_CASES.match(head) else head


def rows_said_of(rows: Iterable[Mapping[str, Any]], noun: str) -> Rows:
    """The same rows, with :func:`head_of` their heads."""
    return [{head_of(head, noun): cell for head, cell in row.items()} for row in rows]


def _lines(lines: tuple[str, ...], noun: str) -> tuple[str, ...]:
    return tuple(sentence_of(line, noun) for line in lines)


def sentence_of(text: str, noun: str) -> str:
    """A sentence about so called cases; names in quotes stay."""
    parts = _NAMES.split(text)
    return "".join(part if k % 2 else in_noun(part, noun) for k, part in enumerate(parts))
