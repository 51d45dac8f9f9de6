"""What every output in a notebook is made of. Names that come from users are escaped."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from html import escape
from typing import Any

from calibcore.data.outside_text import visible
from calibcore.drawing import on_screen
from calibcore.errors import InputError
from calibcore.extras import need
from calibcore.limits import asset_path
from calibcore.wording import count
from calibcore.words.tables import shortened
from calibcore.words.verdicts import CHIP_TEXTS

THEMES = ("light", "dark")
MOST_ROWS = 20
"""Of a table; ``to_frame()`` has all."""


@cache
def _style() -> str:
    return asset_path("notebook", "notebook.css").read_text(encoding="utf-8")


def page(*parts: str) -> str:
    """The whole output, with its style sheet."""
    return f'<div class="caliblens"><style>{_style()}</style>{"".join(parts)}</div>'


def text(given: object) -> str:
    """Text from anywhere, as text."""
    return escape(visible(str(given)))


def lines(*sentences: str, kind: str = "") -> str:
    """A paragraph each; nothing where there are no words."""
    return "".join(f'<p class="{kind}">{text(words)}</p>' for words in sentences if words)


def table(rows: Sequence[Mapping[str, object]], title: str) -> str:
    """A table that scrolls by itself where it is too wide; columns without a word are left out."""
    used = [head for head in (rows[0] if rows else ()) if any(str(row[head]) for row in rows)]
    if not used:
        return ""
    heads = "".join(f'<th scope="col">{text(head)}</th>' for head in used)
    body = "".join(
        f"<tr>{''.join(_cell(str(row[head])) for head in used)}</tr>" for row in shortened(rows, MOST_ROWS)
    )
    rest = len(rows) - MOST_ROWS
    more = lines(f"And {count(rest, 'more row')}; to_frame() has all.", kind="quiet") if rest > 0 else ""
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{text(title)}"><table>'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>{more}"
    )


def _cell(words: str) -> str:
    colour = CHIP_TEXTS.get(words)
    return f'<td class="{colour}">{text(words)}</td>' if colour else f"<td>{text(words)}</td>"


def fold(summary: str, *parts: str) -> str:
    """What is opened by a click; nothing where there is nothing inside."""
    inside = "".join(parts)
    return f"<details><summary>{text(summary)}</summary>{inside}</details>" if inside else ""


def figure_of(name: str) -> Callable[[Any, str], Any]:
    """What draws a result: a function of calibcore.painters.screen by its name, with text of the theme.

    It says what is missing, and refuses another theme.
    """

    def drawn(result: Any, theme: str) -> Any:
        if theme not in THEMES:
            raise InputError(f"There is no theme {theme!r}; expected light or dark.")
        need("A figure", "figures")
        from calibcore.charts import style

        figure = on_screen(name, result)(theme)
        figure.layout.font.color = style.TEXT[theme]
        return figure

    return drawn
