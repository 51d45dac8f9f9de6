"""What drawings in a notebook are made of. Text from anywhere is escaped; colours come by a style sheet."""

from collections.abc import Iterable
from html import escape

from calibcore.data.outside_text import visible

WIDTH = 640
LEFT, RIGHT, TOP = 44, 622, 28
"""Of the panel, in units of the drawing."""


def svg(height: int, sentence: str, parts: Iterable[str]) -> str:
    """The whole drawing. ``sentence`` is what it shows in words."""
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{escape(visible(sentence))}">{"".join(parts)}</svg>'
    )


def hovered(mark: str, hover: str) -> str:
    """A ``mark`` as its element begins, and what a hand that rests on it reads."""
    return f"<{mark}><title>{escape(visible(hover))}</title></{mark.partition(' ')[0]}>"


def tick(y: float, words: str) -> str:
    """A line across the panel, named on the left."""
    label = written(LEFT - 6, y + 4, words.replace("-", "−"), "end")
    return f'<path class="grid" d="M{LEFT} {y:.1f}H{RIGHT}"/>{label}'


def written(x: float, y: float, words: str, anchor: str) -> str:
    """Words from, up to, or around a place."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(visible(words))}</text>'
