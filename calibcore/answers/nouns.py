"""An answer in which every sentence calls a case what it is: "These visits cannot tell"."""

import re
from dataclasses import replace

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

_NAMES = re.compile(r"((?<!\w)'[^']*'(?!\w))")
"""What stands in quotes is the name of a class, a group, a model or a column, and stays as it is."""
_SAYS_CASE = re.compile(r"\bcases?\b")


def said_of(answer: Answer, noun: str) -> Answer:
    """The same answer about so called cases; tables keep heads and cells, and names in quotes stay."""
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
            return replace(block, title=sentence_of(block.title, noun), says=says, caption=caption)
        case Table():
            return replace(block, title=sentence_of(block.title, noun), notes=_lines(block.notes, noun))
        case Fold():
            return replace(
                block,
                title=sentence_of(block.title, noun),
                blocks=tuple(_block(inner, noun) for inner in block.blocks),
            )
    return block


def _lines(lines: tuple[str, ...], noun: str) -> tuple[str, ...]:
    return tuple(sentence_of(line, noun) for line in lines)


def sentence_of(text: str, noun: str) -> str:
    """A sentence about so called cases; names in quotes stay."""
    parts = _NAMES.split(text)
    return "".join(part if k % 2 else in_noun(part, noun) for k, part in enumerate(parts))
