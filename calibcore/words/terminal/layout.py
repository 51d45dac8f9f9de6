"""Lines and aligned tables of a terminal."""

from collections.abc import Iterable, Mapping, Sequence

from calibcore.data.checks import visible

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
