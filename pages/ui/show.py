"""How things are shown: escaped user text, the glossary, a figure with its words and its table."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from calibcore.answers.diagram import bins_table
from calibcore.answers.nouns import rows_said_of, sentence_of
from calibcore.charts.deviation_scale import scale_of
from calibcore.data.outside_text import visible
from calibcore.diagram.curves import Curve
from calibcore.diagram.frequency_intervals import FrequencyIntervals
from calibcore.diagram.reliability import Reliability
from calibcore.diagram.spread import Spread
from calibcore.limits import asset_path
from calibcore.painters.screen.canvas import CONFIG, KEY_AT_FOOT, SELECTABLE
from calibcore.painters.screen.reliability import reliability_figure
from calibcore.transforms.lenses import Lens
from calibcore.words import glossary as terms
from calibcore.words.diagram import curve_rows, diagram_sentence
from calibcore.words.phrases import unbroken
from calibcore.words.tables import columns_of_numbers, csv_of, sortable
from pages.ui import charts, saving

if TYPE_CHECKING:
    from calibcore.painters.paper import Figure

MOST_CHARACTERS = 1_000
LINKED = re.compile(r"https?:(?=//)|www(?=\.)|(?<=[\w.+-])@(?=[\w-])", re.IGNORECASE)
"""Where a browser's Markdown finds a link, escaped or not."""
KEY_OF_TWO_LINES, KEY_OF_THREE_LINES = 116, 134
"""Pixels below a diagram of two panels with a key of so many lines, see :mod:`pages.ui.charts`: of three
where it stands beside text."""
STAGE, STAGE_OF_THREE = 640, 760
"""Pixels of a diagram on a stage in a tall window, and of a triangle or tetrahedron, as the style sheet has
them: drawn so from the start, they are not drawn again once the browser has measured their place."""
SHORT = 12
"""A cell of so many characters is not wrapped."""
MOST_ON_THE_RIGHT = 8
"""Letters of the longest cell of a column that stands on the right. A longer one may be cut: of
"0.028 (smallest)" the first digits would go."""
LONGEST_HELD = 27
"""Characters of a row's name that leave room for an answer beside it in a narrow window."""
ANSWERS = (
    "Verdict",
    "Typical gap",
    "Gain, % of the loss",
    "Answer",
    "Net benefit",
    "Wrong",
    "p-value",
    "Observed minus predicted (points)",
    "If calibrated (points)",
    "Redraws that show as much",
    "Adjusted p",
    "p",
)
"""Heads of columns that say what was found. A phone has room for two columns: these come first there."""
NAMES = ("Column", "Group", "Time")
"""Heads of columns that name a row, in tables where it is not the first that does."""


def plain(text: str, most: int = MOST_CHARACTERS) -> str:
    """Text from outside as Markdown that shows it literally: every punctuation mark is escaped, and what
    would become a link by itself is parted by a mark of no width.
    """
    one_line = visible(text)
    if len(one_line) > most:
        one_line = one_line[: most - 1] + "…"
    parted = LINKED.sub("\\g<0>\N{WORD JOINER}", unbroken(one_line))
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", parted)


def option(text: str, most: int = 80) -> str:
    """Text from outside as one of the options of a box, which shows it literally: its two ends, if long."""
    one_line = visible(text)
    return one_line if len(one_line) <= most else f"{one_line[: most // 2]} … {one_line[-most // 3 :]}"


glossary = terms.glossary


def glossary_text() -> str:
    """The whole glossary, in the order of the alphabet, as a list."""
    ordered = sorted(terms.every_term().items(), key=lambda pair: pair[0].lower())
    return "\n".join(f"- **{term}**: {line}" for term, line in ordered)


def text(name: str) -> str:
    """One of the texts that users read, as Markdown."""
    return asset_path("texts", f"{name}.md").read_text(encoding="utf-8")


def reading_of(name: str, noun: str, not_drawn: Collection[str] = ()) -> str:
    """How to read a figure of so called cases: a text whose points begin with what they explain, without
    those ``not_drawn``."""
    points = tuple(f"- **{what}**" for what in not_drawn)
    lines = (line for line in text(name).splitlines() if not line.startswith(points))
    return sentence_of("\n".join(lines), plain(noun))


def theme() -> str:
    """ "light" or "dark", as the browser shows it."""
    return st.context.theme.type or "light"


def by_touch() -> bool:
    """Whether a phone asks."""
    return "Mobi" in str(st.context.headers.get("User-Agent") or "")


def dressed(chart: go.Figure, chosen: bool) -> go.Figure:
    """A figure as the browser that asks needs it."""
    return charts.dressed(chart, theme(), chosen=chosen, touch=by_touch())


def points(sentences: Iterable[str]) -> None:
    """Sentences as the points of a list."""
    st.markdown("\n".join(f"- {plain(words)}" for words in sentences))


def table(rows: list[dict[str, str]]) -> None:
    """A small table that wraps instead of scrolling; the first of two lines in a cell is strong."""
    st.table([{plain(head): _cell(text) for head, text in row.items()} for row in rows], border="horizontal")


def _cell(text: str) -> str:
    first, _, below = text.partition("\n")
    if below:
        return f"**{plain(first)}**  \n{plain(below)}"
    return plain(first.replace(" ", "\N{NO-BREAK SPACE}") if len(first) <= SHORT else first)


def table_and_csv(rows: Callable[..., list[dict[str, Any]]], key: str) -> None:
    """:func:`table` of ``rows()``, and ``rows(exact=True)`` as CSV."""
    table(rows())
    csv_button(partial(rows, exact=True), key, key)


def fold(
    label: str,
    key: str,
    draw: Callable[[], object],
    *,
    opened: bool = False,
    look: Literal["default", "compact"] = "default",
) -> None:
    """A fold whose inside is made only while it is open: what nobody looks at costs no redraw.

    It is as it was left when a page is opened again. ``look`` is "compact" below a figure: no box.
    """
    left = st.session_state.setdefault(f"{key}-open", opened)
    if key not in st.session_state:
        st.session_state[key] = left
    with st.expander(label, key=key, expanded=opened, on_change="rerun", type=look) as expander:
        if expander.open:
            draw()
    st.session_state[f"{key}-open"] = expander.open


def figure(
    chart: go.Figure,
    *,
    key: str,
    says: str,
    reading: str | None,
    rows: Callable[..., list[dict[str, Any]]] | None,
    noun: str = "case",
    table_name: str = "The numbers as a table",
    table_open: bool = False,
    config: dict[str, Any] = CONFIG,
    on_select: Callable[[], None] | None = None,
    selection_mode: tuple[Literal["points", "box", "lasso"], ...] = ("points", "box"),
    printed: "Callable[[float], Figure] | None" = None,
    height: Literal["content", "stretch"] = "content",
    sentence_above: bool = True,
    not_drawn: Collection[str] = (),
) -> None:
    """A figure as every page shows it: its sentence above, below it how to read it and its table.

    says : what it shows in this case, one sentence; its alternative text too
    reading : the name of the text in assets/texts that says how to read it; None where it stands elsewhere
    noun : what a case is called in that text and in heads of the table
    rows : ``rows()`` as a person reads them, ``rows(exact=True)`` in full precision, for the CSV; None where
        the table stands elsewhere
    on_select : makes the marks selectable, in ``selection_mode``
    printed : the same figure on paper so many millimetres wide, for the button that saves it
    height : "stretch" lets the style sheet set it
    sentence_above : whether its sentence stands there; else it stands beside it
    not_drawn : what its reading explains and it does not show
    """
    if sentence_above:
        st.markdown(plain(says))
    how: dict[str, Any] = {"theme": None, "config": config, "alt": says, "key": key, "height": height}
    if on_select is not None:
        how |= {"on_select": on_select, "selection_mode": selection_mode}
    drawn = dressed(chart, on_select is not None)
    if height == "content" and drawn.layout.height:
        hold(key, int(drawn.layout.height))
    st.plotly_chart(drawn, **how)
    if printed is not None:
        saving.button(printed, reading or "figure", key)
    if reading is not None:
        fold(
            "How to read this",
            f"{key}-reading",
            lambda: st.markdown(reading_of(reading, noun, not_drawn)),
            look="compact",
        )
    if rows is not None:
        inside = partial(rows_and_csv, rows, key, reading or key, noun)
        fold(table_name, f"{key}-table", inside, opened=table_open, look="compact")


def above() -> DeltaGenerator:
    """Around what comes and goes above a figure: a browser draws a figure anew whose number among its
    neighbours changes, and shows none until then. Empty it takes no room."""
    return st.container()


def hold(key: str, height: int) -> None:
    """Where the browser has yet to fetch the program that draws it, a figure is as tall as it will be."""
    name = re.sub(r"[^a-zA-Z0-9_-]", "-", key.strip())  # as Streamlit does
    st.html(f'<style>.st-key-{name} [data-testid="stSkeleton"] {{ height: {height}px !important }}</style>')


def skeleton(height: int) -> None:
    """Holds the place, so many pixels tall, of what is on its way: what stands below stays where it is."""
    st.html(f'<div class="skeleton" style="height: {height}px" aria-hidden="true"></div>')


def held(height: int) -> DeltaGenerator:
    """A place for one thing, so tall until it comes."""
    place = st.empty()
    with place:
        skeleton(height)
    return place


def panel(chart: go.Figure, *, key: str, alt: str, on_select: Callable[[], None]) -> None:
    """One of several figures under one sentence, which has its reading and its table with the others.

    ``chart`` is :func:`dressed` to be chosen from.
    """
    st.plotly_chart(
        chart,
        theme=None,
        config=CONFIG | {"displayModeBar": False},
        alt=alt,
        key=key,
        on_select=on_select,
        selection_mode="points",
    )


def rows_and_csv(
    rows: Callable[..., list[dict[str, Any]]], key: str, name: str = "numbers", noun: str = "case"
) -> None:
    """A table with its numbers as a person reads them, and all of them as CSV, where keys stay."""
    frame(rows_said_of(rows(), noun))
    csv_button(partial(rows, exact=True), key, name)


def frame(rows: Sequence[Mapping[str, Any]], **look: Any) -> Any:
    """A table that a click on a head sorts: by the numbers with which cells begin, else by words.

    Read aloud a cell is what it shows.
    """
    if rows and by_touch() and "column_order" not in look:
        look["column_order"] = answers_first(rows)
    numbers = columns_of_numbers(rows)
    if not numbers:
        return st.dataframe(rows, hide_index=True, **look)
    columns: dict[str, Any] = dict(look.pop("column_config", {}))
    for head in numbers:
        short = all(len(str(row.get(head, ""))) <= MOST_ON_THE_RIGHT for row in rows)
        columns[head] = {**columns.get(head, {}), "alignment": "right" if short else "left"}
    return st.dataframe(sortable(rows, numbers), hide_index=True, column_config=columns, **look)


def answers_first(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The heads of a table for a phone: what a row is about, then what was found; before a long name one of
    these, as it would push them out of sight."""
    heads = list(rows[0])
    names = [head for head in heads if head in NAMES] or heads[:1]
    answers = [head for head in ANSWERS if head in heads and head not in names]
    long = max(sum(len(str(row[name])) for name in names) for row in rows) > LONGEST_HELD
    front = [*answers[:1], *names, *answers[1:]] if long else [*names, *answers]
    return [*front, *(head for head in heads if head not in front)]


def clicked_row(
    rows: Sequence[Mapping[str, Any]], key: str, alt: str, about: str = "", **look: Any
) -> int | None:
    """A table of which a click opens a row: the place of that row, where there was a click.

    It is a table of its own after each click: a selection that stayed would open the row again on return.
    And for what else it is ``about``: a browser keeps the widths of what it drew first. The first cell of the
    first row opens nothing: a table chooses it by itself as soon as it has the focus, by a click on a head,
    which sorts, or by the tab key. From then on it may be sorted, and the first row another one: no cell of
    the first column opens a row. The box in front of a row does, and so do its other cells.
    """
    clicks = st.session_state.get(f"{key}-clicks", 0)
    chosen = frame(
        rows,
        alt=alt,
        key=f"{key}-table-{clicks}-{about}",
        on_select="rerun",
        # Boxes to tick a row by would take a tenth of a phone's width, where a finger finds a row without.
        selection_mode=["single-cell"] if by_touch() else ["single-row", "single-cell"],
        **({"height": "content"} | look),
    ).selection
    first = next(iter(look.get("column_order") or (rows[0] if rows else ())), None)
    focused = f"{key}-focused-{clicks}-{about}"
    if any(tuple(cell) == (0, first) for cell in chosen.cells):
        st.session_state[focused] = True
    passed_over = first if st.session_state.get(focused) else None
    picked = [*chosen.rows, *(row for row, head in chosen.cells if head != passed_over)]
    if not picked:
        return None
    st.session_state[f"{key}-clicks"] = clicks + 1
    return int(picked[0])


def below_rows(invitation: str, exact: Callable[[], list[dict[str, Any]]], key: str) -> None:
    """What a click does, and the table in full precision as CSV, which is called ``key``."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(invitation, width="stretch")
        csv_button(exact, key, key)


def csv_button(rows: Callable[[], list[dict[str, Any]]], key: str, name: str = "numbers") -> None:
    """A table as a file, made when it is asked for; no cell of it is a formula to a spreadsheet."""
    st.download_button(
        "As CSV",
        lambda: csv_of(rows()),
        saving.named(name, "csv"),
        "text/csv",
        key=f"{key}-csv",
        icon=":material/download:",
        on_click="ignore",
    )


def diagram(
    numbers: Reliability,
    noun: str,
    frequencies: FrequencyIntervals,
    lens: Lens,
    key: str = "diagram",
    *,
    classical: bool = False,
    whiskers: bool = False,
    curve: Curve | None = None,
    spread: Spread | None = None,
    on_select: Callable[[str], None] | None = None,
    says: str = "",
    pixels: int | None = None,
    stage: bool = False,
    chosen: Collection[int] = (),
) -> None:
    """The reliability diagram through a lens, and the table of its curve if any.

    With ``on_select`` crosses can be clicked, or framed with the tool for that above the figure; it is given
    the key of the figure. The bins ``chosen`` have a ring. With a ``spread`` deviations stand over an axis in
    log-odds. ``says`` is its sentence, what the diagram shows if left out; ``pixels`` its height, if that is
    to be another one. On a ``stage`` the style sheet sets that, and the sentence stands beside it.
    """
    chart = reliability_figure(
        numbers, noun, theme(), classical, curve, frequencies, whiskers, spread, chosen=chosen
    )
    if stage or pixels is not None:
        staged(chart, pixels)
    figure(
        chart,
        key=key,
        says=says or diagram_sentence(numbers, noun, curve, lens),
        reading=_reading(numbers, classical),
        noun=noun,
        rows=bins_table(numbers, frequencies).rows,
        table_name="The bins as a table",
        config=SELECTABLE if on_select else CONFIG,
        on_select=None if on_select is None else partial(on_select, key),
        printed=saving.on_paper(
            "reliability_print", numbers, noun, classical, curve, frequencies, whiskers, spread
        ),
        not_drawn=not_drawn(numbers, curve, spread, whiskers=whiskers, classical=classical),
        height="stretch" if stage else "content",
        sentence_above=not stage,
    )
    if curve is not None:
        rows = partial(curve_rows, curve)
        fold(
            "The curve as a table",
            f"{key}-curve-table",
            lambda: rows_and_csv(rows, f"{key}-curve", "curve"),
            look="compact",
        )


def staged(chart: go.Figure, pixels: int | None = None) -> go.Figure:
    """A diagram of two panels as tall as the style sheet says, or beside text as ``pixels``: its key is at
    its foot, clear of the words of its axis at every height."""
    foot = KEY_OF_TWO_LINES if pixels is None else KEY_OF_THREE_LINES
    return chart.update_layout(height=STAGE if pixels is None else pixels, margin_b=foot, legend=KEY_AT_FOOT)


def staged_of_three(chart: go.Figure) -> go.Figure:
    """A triangle or a tetrahedron as tall as the style sheet says on a stage."""
    chart.layout.height = STAGE_OF_THREE
    return chart


def not_drawn(
    numbers: Reliability,
    curve: Curve | None = None,
    spread: Spread | None = None,
    *,
    whiskers: bool = False,
    classical: bool = False,
    among: Sequence[Reliability] = (),
) -> list[str]:
    """What the readings of a reliability diagram explain and this one, on axes that have room for those
    ``among`` which it stands, does not show."""
    scale = scale_of(among or [numbers], curve)
    beyond = not classical and bool(scale.beyond(100 * numbers.deviation).any())
    drawn = {
        "Grey bars": numbers.has_bars,
        "Chance": numbers.has_bars,
        "Triangle at the edge": beyond,
        "Log-odds": spread is not None and not classical,
        "Curve": curve is not None,
        "Whiskers": whiskers,
    }
    return [what for what, is_drawn in drawn.items() if not is_drawn]


def _reading(numbers: Reliability, classical: bool) -> str:
    if len(numbers.class_names) > 2:
        return "reliability-many"
    return "reliability-classical" if classical else "reliability"
