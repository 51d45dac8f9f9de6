"""Text from outside as a report shows it: one line, not too long, without marks that turn its direction."""

import re
from collections.abc import Iterable, Mapping, Sequence

from calibcore.data.outside_text import visible

LONGEST = 200
LONGEST_NAME, LONGEST_NOUN = 60, 30
LONGEST_SETTINGS = 2_000
"""Characters of a title, a class name, a noun, the settings; the JSON has names in full."""


def one_line(text: str, most: int = LONGEST) -> str:
    """Any text in one line of ``most`` characters at most, without control characters."""
    line = re.sub(r"[\ufff0-\uffff]+", " ", visible(text))
    line = line.encode("utf-8", "replace").decode()  # half a character is no text
    return line if len(line) <= most else line[: most - 1] + "…"


def short_name(text: str) -> str:
    """A name of a class, a model or a column, in one line."""
    return one_line(text, LONGEST_NAME)


class Shortened:
    """Makes sentences readable in which long class names stand."""

    def __init__(self, class_names: Sequence[str]) -> None:
        shorter = {name: short_name(name) for name in class_names}
        # A name may be a part of another: the longest first.
        self._long = sorted((name for name, short in shorter.items() if name != short), key=len, reverse=True)
        self._shorter = shorter

    def __call__(self, text: str) -> str:
        """The text with class names shortened, in one line."""
        for name in self._long:
            text = text.replace(name, self._shorter[name])
        return one_line(text, len(text))

    def rows(self, rows: Iterable[Mapping[str, object]]) -> tuple[dict[str, str], ...]:
        """Every cell as text."""
        return tuple({self(head): self(str(cell)) for head, cell in row.items()} for row in rows)
