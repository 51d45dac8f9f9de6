"""How an answer looks in a notebook, whatever it is about."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, assert_never

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
from calibcore.display import View
from calibcore.drawing import inline
from calibcore.notebook.pieces import figure_of, fold, lines, page, table, text


def html_of(answer: Answer) -> str:
    """An answer as a notebook shows it."""
    cautions = [block.text for block in answer.each(Caution)]

    def written(blocks: Iterable[Block]) -> Iterator[str]:
        for block in blocks:
            match block:
                case Badge():
                    yield lines(block.text, kind=f"chip {block.colour}")
                case Headline():
                    yield lines(block.text, kind="answer")
                case Doubts():
                    yield lines(*block.lines, kind="caution")
                case Cases():
                    yield lines(block.text, kind="quiet")
                case Beside():
                    yield lines(block.text)
                case Sentences():
                    yield lines(*block.lines)
                case Fold():
                    yield fold(block.title, *written(block.blocks))
                case Table():
                    yield table(block.few_rows(), block.title)
                    yield lines(*block.notes, kind="quiet")
                case Methods():
                    yield fold("Methods", lines(*block.lines, *cautions))
                case Notes():
                    yield lines(*block.lines, kind="quiet")
                case Chart():
                    if block.inline:  # other figures come by figure()
                        yield _drawing(block)
                case Caution():  # in the fold
                    pass
                case _:
                    assert_never(block)

    return page(lines(answer.looked_at(" · ", " · "), kind="quiet"), *written(answer.blocks))


def _drawing(chart: Chart) -> str:
    title = f"<figcaption>{text(chart.title)}</figcaption>" if chart.title else ""
    drawn = inline(chart.inline, chart.of, chart.says, **chart.options)
    return f"<figure>{title}{drawn}</figure>{lines(chart.caption)}"


def view(shown: Callable[[Any], Answer], data: Callable[[Any], Any]) -> View:
    """How a result is shown: the answer that is ``shown`` of it, its first figure, ``data`` for a frame."""

    def figure(result: Any, theme: str) -> Any:
        chart = shown(result).each(Chart)[0]
        return figure_of(chart.screen)(chart.of, theme)

    return View(lambda result: html_of(shown(result)), data, figure)
