"""Whole answers as a person reads them on a terminal."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, assert_never

from calibcore.answers import diagnosis as looks
from calibcore.answers import survey as surveys
from calibcore.answers.blocks import (
    Answer,
    Badge,
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
from calibcore.assessment.assess import Assessment
from calibcore.data.outside_text import visible
from calibcore.diagnose import Diagnosis
from calibcore.questions.over_labels import question_of
from calibcore.questions.plan.words import how_many_of

LONGEST = 80
"""Characters of a cell."""


def blocks(*parts: Iterable[str]) -> str:
    """Blocks of lines with an empty line between two; empty lines and blocks are left out."""
    filled = (list(filter(None, part)) for part in parts)
    return "\n\n".join("\n".join(map(visible, lines)) for lines in filled if lines)


def points(*lines: str) -> list[str]:
    """Each line that is not empty as a point of a list."""
    return [f"- {line}" for line in lines if line]


def indented(*lines: str) -> list[str]:
    """Lines that belong to the table above."""
    return [f"  {line}" for line in lines if line]


def table(rows: Sequence[Mapping[str, str]], right: tuple[str, ...] = ()) -> list[str]:
    """Aligned lines with a head; none where there are no rows."""
    if not rows:
        return []
    heads = list(rows[0])
    rows = [{head: _cell(row[head]) for head in heads} for row in rows]
    widths = {head: max(len(head), *(len(row[head]) for row in rows)) for head in heads}

    def line(cells: Mapping[str, str]) -> str:
        parts = [cells[h].rjust(widths[h]) if h in right else cells[h].ljust(widths[h]) for h in heads]
        return "  " + "  ".join(parts).rstrip()

    return [line({head: head for head in heads}), *map(line, rows)]


def _cell(text: str) -> str:
    cell = visible(text)
    return cell if len(cell) <= LONGEST else f"{cell[: LONGEST - 1]}…"


def diagnosis_text(diagnosis: Diagnosis) -> str:
    """A diagnosis as a person reads it on a terminal."""
    return text_of(looks.says(diagnosis))


def survey_text(assessment: Assessment) -> str:
    """A survey and its verdicts as a person reads them on a terminal."""
    return text_of(surveys.says(assessment, how_many=how_many_of(assessment.verdicts)))


def answer_text(result: Any) -> str:
    """What a question found, as a person reads it on a terminal."""
    return text_of(question_of(result).answer(result))


def _table(block: Table[Any]) -> list[str]:
    """Its rows, and below them the cells that are too long for a line, each behind what it is of."""
    rows, below = block.few_rows(), block.below
    name = next(iter(rows[0]), "") if rows else ""
    long = [f"{str(row[name]).partition(',')[0]}: {row[head]}" for row in rows for head in below if row[head]]
    short = [{head: cell for head, cell in row.items() if head not in below} for row in rows]
    return [*table(short, block.right), *indented(*long)]


def text_of(answer: Answer) -> str:
    """An answer in paragraphs; notes, how it was found out, and what is to be kept in mind, as points at the
    end."""
    paragraphs: list[list[str]] = [[answer.looked_at(", ", "; ")], []]
    notes: list[str] = []
    methods: list[str] = []
    cautions: list[str] = []

    def write(blocks: Iterable[Block]) -> None:
        for block in blocks:
            match block:
                case Badge() | Headline() | Cases() | Beside():
                    paragraphs[-1].append(block.text)
                case Sentences() | Doubts():
                    paragraphs[-1] += block.lines
                case Fold():
                    write(block.blocks)
                case Table():
                    rows, notes_below = _table(block), indented(*block.notes)
                    paragraphs.extend([[block.title, *rows, *notes_below] if rows else notes_below, []])
                case Methods():
                    methods.extend(block.with_redraws())
                case Caution():
                    cautions.append(block.text)
                case Notes():
                    notes.extend(block.lines)
                case Chart():  # a terminal draws nothing
                    pass
                case _:
                    assert_never(block)

    write(answer.blocks)
    return blocks(*paragraphs, points(*notes, *methods, *cautions))
