"""An answer as Markdown, for the description or a comment of a pull request."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, assert_never

from calibcore.answers.blocks import (
    Badge,
    Beside,
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
from calibcore.data.outside_text import visible
from calibcore.pipelines.handed_on import hand_on
from calibcore.pipelines.summary import summary_of
from calibcore.wording import count
from calibcore.words.tables import shortened

MOST_ROWS = 20
"""Of a table. Those that stand out stay."""
MOST_CELL = 80
"""Characters of a cell."""
_MARKS = re.compile(r"([\\`*_\[\]<>|~$])")
_NAMED = re.compile(r"[@#!&%](?=\w)|://|(?<=www)\.")
"""What GitHub and GitLab make links and notices of: a name that is called so must not call anybody."""
_FIRST = re.compile(r"^(?:[-+=/#!]|\d+(?=[.)](?:\s|$)))")
"""What at the beginning of a line makes a list, a heading, or a command of GitLab's."""
_NOTHING = "<!-- -->"


def escaped(text: str) -> str:
    """Any text so that Markdown shows it as it is, in one line: no markup, no link, nobody is notified."""
    line = _MARKS.sub(r"\\\1", " ".join(visible(text).split()))
    line = _NAMED.sub(lambda match: f"{match[0][0]}{_NOTHING}{match[0][1:]}", line)
    return _FIRST.sub(lambda match: f"{match[0]}\\" if match[0].isdigit() else f"\\{match[0]}", line)


def markdown_of(result: Any, doubts: Sequence[str] = (), noun: str = "case") -> str:
    """What a survey or a question found, as it may be handed on: its answer, its tables, and of what it is.

    What is folded elsewhere, charts and methods are left out.

    doubts : what has to be known first, of how the file was read

    Raises
    ------
    InputError : of so few cases that nothing may be handed on.
    """
    answered, brief = hand_on(result, noun), summary_of(result)
    answer = answered.answer
    badge = next((f"{block.text}: " for block in answer.each(Badge)), "")
    parts: list[str] = [f"**{escaped(badge + answer.headline)}**", *map(_doubt, filter(None, doubts))]
    parts.append(_sentence(answer.looked_at(", ", "; ")))
    notes: list[str] = []
    for block in answer.blocks:
        match block:
            case Headline() if block.text == answer.headline:
                pass
            case Cases() | Beside() | Headline():
                parts.append(escaped(block.text))
            case Sentences():
                parts += map(escaped, block.lines)
            case Doubts():
                parts += map(_doubt, filter(None, block.lines))
            case Table():
                parts += _table(block)
            case Caution():
                notes.append(escaped(block.text))
            case Notes():
                notes += map(escaped, block.lines)
            case Badge() | Chart() | Fold() | Methods():
                pass
            case _:
                assert_never(block)
    parts.append("\n".join(f"- {note}" for note in notes if note))
    made = [f"Caliblens {brief.version}", f"`{answered.name}`", f"seed {brief.seed}"]
    if brief.data.fingerprint is not None:
        made.append(f"data `{brief.data.fingerprint[:12]}`")
    parts.append(f"<sub>{', '.join(made)}</sub>")
    return "\n\n".join(filter(None, parts))


def _sentence(words: str) -> str:
    return f"{escaped(words)}." if words else ""


def _doubt(line: str) -> str:
    """A quoted line: what has to be known before the rest is believed."""
    return f"> ⚠️ {escaped(line)}"


def _table(table: Table[Any]) -> Iterable[str]:
    """Its title, its rows, and the notes below it; nothing where there are no rows."""
    rows = table.few_rows()
    shown = shortened(rows, MOST_ROWS)
    if shown:
        heads = list(rows[0])
        lines = [heads, ["---:" if head in table.right else "---" for head in heads]]
        cells = [[escaped(head) or " " for head in heads], lines[1], *(_cells(row, heads) for row in shown)]
        yield f"**{escaped(table.title)}**" if table.title else ""
        yield "\n".join(f"| {' | '.join(line)} |" for line in cells)
    if len(shown) < len(rows):
        yield f"And {count(len(rows) - len(shown), 'more row')}."
    yield from map(escaped, table.notes)


def _cells(row: Mapping[str, Any], heads: Sequence[str]) -> list[str]:
    texts = (str(row[head]) for head in heads)
    return [escaped(text if len(text) <= MOST_CELL else f"{text[: MOST_CELL - 1]}…") or " " for text in texts]
