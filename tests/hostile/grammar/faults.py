"""What goes wrong with a text on its way: it is read as it was meant, or refused, never otherwise."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from tests.hostile.grammar.drawing import Rng, chance, pick
from tests.hostile.grammar.writing import Drawn, plain_table


def _lines(data: bytes) -> list[str]:
    return data.decode().splitlines(keepends=True)


def decimal_commas(rng: Rng, data: bytes) -> bytes:
    """Decimal commas in a file whose cells commas separate."""
    head, *rows = _lines(data)
    return (head + "".join(row.replace(".", ",") for row in rows)).encode()


def name_lost(rng: Rng, data: bytes) -> bytes:
    """A header one name short."""
    head, *rows = _lines(data)
    names = head.strip().split(",")
    names.pop(int(rng.integers(len(names))))
    return (",".join(names) + "\n" + "".join(rows)).encode()


def open_quote(rng: Rng, data: bytes) -> bytes:
    """A quotation mark that is opened in one row and closed in a later one."""
    lines = _lines(data)
    first, last = sorted(rng.choice(np.arange(1, len(lines)), 2, replace=False).tolist())
    for at in (first, last):
        cells = lines[at].rstrip("\n").split(",")
        j = int(rng.integers(len(cells)))
        cells[j] = f'"{cells[j]}' if at == first else f'{cells[j]}"'
        lines[at] = ",".join(cells) + "\n"
    return "".join(lines).encode()


def commented(rng: Rng, data: bytes) -> bytes:
    """The header and the first rows begin with a number sign."""
    head, *rows = _lines(data)
    some = int(rng.integers(1, 4))
    return (f"#{head}" + "".join(f"#{row}" if i < some else row for i, row in enumerate(rows))).encode()


def column_lost(rng: Rng, data: bytes) -> bytes:
    """One column is missing."""
    rows = [line.rstrip("\n").split(",") for line in _lines(data)]
    j = int(rng.integers(len(rows[0])))
    return "".join(",".join(row[:j] + row[j + 1 :]) + "\n" for row in rows).encode()


def cell_lost(rng: Rng, data: bytes) -> bytes:
    """One cell is empty, or gone with its comma."""
    lines = _lines(data)
    at = int(rng.integers(1, len(lines)))
    cells = lines[at].rstrip("\n").split(",")
    j = int(rng.integers(len(cells)))
    cells = [*cells[:j], *([""] if chance(rng, 0.5) else []), *cells[j + 1 :]]
    lines[at] = ",".join(cells) + "\n"
    return "".join(lines).encode()


def header_again(rng: Rng, data: bytes) -> bytes:
    """Two files written one behind the other."""
    lines = _lines(data)
    at = int(rng.integers(2, len(lines)))
    return "".join([*lines[:at], lines[0], *lines[at:]]).encode()


FAULTS: tuple[Callable[[Rng, bytes], bytes], ...] = (
    decimal_commas, name_lost, open_quote, commented, column_lost, cell_lost, header_again,
)  # fmt: skip


def faulty(seed: int) -> Drawn:
    """A plausible file with a fault; what it means is what it meant before."""
    rng = np.random.default_rng([15, seed])
    table, file = plain_table(rng)
    change = pick(rng, FAULTS)
    data = change(rng, table.to_csv(index=False).encode())
    return replace(file, data=data, tags=(change.__name__, *file.tags))
