"""Work under way as it is shown: what is there already, how far it has come, a way to stop and start it."""

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from calibcore import InputError
from calibcore.wording import count
from calibcore.words.looking import sample_words
from calibcore.words.phrases import duration
from pages.server import tabs
from pages.ui import samples, state
from pages.ui.show import plain, skeleton
from pages.work import cluster, costs, jobs
from pages.work.job import Job

T = TypeVar("T")
Draw = Callable[[T], None]
FIGURE = 620
"""In pixels: of a figure with its words, the place that is held for most."""
_BAR = 76
"""In pixels: of the bar of progress and what parts it from what follows."""
_LONG = 1.0
"""In seconds: of work that is expected to take longer, how far it has come is shown half as often."""


_FEW, _SELDOM = 4, 10.0
"""So many look at one work in a second, all together; and each at least once in so many seconds."""


def show(
    job: Job[T],
    what: str,
    draw: Draw[T],
    meanwhile: Draw[list[Any]] | None = None,
    *,
    height: int = 0,
    start: str = "Start",
    recommended: bool = False,
) -> None:
    """The result, drawn by ``draw``; until it is there ``meanwhile`` draws the parts, above a progress bar.

    ``height`` is that of its first figure with its words, in pixels: the figure's place is held and seen.
    ``what`` is what is being done, as it stands in "Testing: …", "Testing was stopped.". ``start`` is the
    button of what waits to be asked for, filled where that is ``recommended``.
    """
    job.wait_a_moment()
    comes = job.ready or not (job.waits or job.stopped or job.future.done())
    with place(what, height if comes else 0):
        if job.cut:
            most = duration(costs.limit())
            why = f"{what} may take {duration(job.expected)}; this server ends work after {most}."
            _in_its_place(job, why, what)
        elif job.waits:
            _ask(job, what, start, recommended)
        elif job.stopped:
            _again(job, what, "was stopped.")
        elif job.crowded:
            _again(job, what, "has to wait: too many others are waiting. Try again in a few minutes.")
        elif job.trouble:
            _without(job, what)
        elif job.too_long:
            _again(job, what, f"was ended: {plain(job.too_long)}")
            _in_its_place(job, "", what)
        elif job.too_large:
            _again(job, what, "needs more memory than is free here. Fewer cases or classes need less.")
        elif job.failed():
            _again(job, what, "failed on our side. The server's log says why.")
        elif not job.future.done():
            st.fragment(_progress, run_every=_every(job))(job, what, meanwhile, job.in_line, height)
        else:
            try:
                result = job.future.result()
            except InputError as problem:
                st.info(f"{what} is not possible: {plain(str(problem))}")
            else:
                # In the place of the fragment. A container drawn there would keep its bar and skeleton
                # until the script has ended: what stands below would come far down, and jump up.
                st.empty()
                draw(result)


def place(name: str, height: int = 0) -> DeltaGenerator:
    """A container of that name, so many pixels tall from the beginning: what comes in parts would else push
    what stands below it down by and by."""
    held = next((h for h in tabs.HELD if h >= height), tabs.HELD[-1]) if height else 0
    return st.container(key=f"held-{held}-{name.replace(' ', '-')}")


def place_at_once(what: str) -> DeltaGenerator:
    """The place of what ``show`` would draw, for what needs no work and is drawn in its stead: a figure has
    the same number among its neighbours there, so that it is not drawn twice as one comes for the other."""
    container = place(what)
    container.empty()
    return container


def _every(job: Job[Any]) -> float:
    """Seconds between two looks. Each makes the browser go over the whole page, and takes time from the work.

    They are seldom while it waits in line, as all who wait ask the server, and where many look at one work.
    """
    if job.in_line:
        return 2.0
    return min(_SELDOM, max(0.5 if job.expected < _LONG else 1.0, job.onlookers / _FEW))


def _progress(job: Job[Any], what: str, meanwhile: Draw[list[Any]] | None, waited: bool, height: int) -> None:
    job.wait_a_moment()
    if job.future.done() or job.stopped or (waited and not job.in_line):
        st.rerun()
    if meanwhile is not None and job.parts:
        meanwhile(list(job.parts))
    with st.container(horizontal=True, vertical_alignment="center"):
        left = "" if job.left is None else f", {duration(job.left)} left"
        st.progress(min(1.0, job.fraction), text=f"{what}: {plain(job.doing)}{left}")
        st.button(
            "Stop",
            key=f"stop {what}",
            on_click=job.cancel,
            help="The rest of the page stays; it can be started again.",
        )
    if height and not (meanwhile is not None and job.parts):
        skeleton(height - _BAR)


def so_far(job: Job[Any], draw: Draw[list[Any]]) -> None:
    """The parts that are there while the work goes on, drawn in another place than its progress."""
    st.fragment(_so_far, run_every=_every(job))(job, draw)


def _so_far(job: Job[Any], draw: Draw[list[Any]]) -> None:
    if job.parts and not job.stopped:
        draw(list(job.parts))


def _ask(job: Job[Any], what: str, start: str, recommended: bool) -> None:
    n = job.quick_sample
    with st.container(horizontal=True, vertical_alignment="center"):
        many = " with so many cases" if job.expected > costs.UNASKED else ""
        less = ", less on the cluster" if cluster.named() else ""
        st.caption(f"{what} may take {duration(job.expected)}{many}{less}. It can be stopped.")
        _quick(n, what)
        label = "Start with all" if n else start
        st.button(
            label, key=f"start {what}", on_click=job.start, icon=":material/play_arrow:",
            type="primary" if recommended and not n else "secondary",
        )  # fmt: skip


def _quick(n: int, what: str) -> None:
    """A random sample first, where work on all cases is long."""
    if n:
        _sample(n, what, f"A random sample of {count(n, state.loaded().noun)}: {costs.UNDER}", primary=True)


def _in_its_place(job: Job[Any], why: str, what: str) -> None:
    """A random sample of the cases, where work on all of them is cut, and why."""
    n = job.sample
    with st.container(horizontal=True, vertical_alignment="center"):
        if n:
            st.caption(f"{why} A sample shows large errors and may miss small ones.".strip())
            data = state.loaded()
            p = data.predictions
            _sample(n, what, f"Look at a {sample_words(n, data.noun, p.drawn_from or p.n)}")
        elif why:
            st.caption(f"{why} Fewer redraws or checks take less.")


def _sample(n: int, what: str, words: str, primary: bool = False) -> None:
    """A button that uses a random sample, a model of its own."""
    st.button(
        plain(words),
        key=f"sample {what}",
        on_click=samples.use,
        args=(state.loaded().key, n),
        icon=":material/casino:",
        type="primary" if primary else "secondary",
    )


def _without(job: Job[Any], what: str) -> None:
    st.warning(f"{what} could not go on. {plain(job.trouble)}")
    long = f"; it may take {duration(job.expected)}" if job.expected else ""
    _again(job, what, f"can be done here, without the cluster{long}.", here=True)


def _again(job: Job[Any], what: str, why: str, here: bool = False) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{what} {why}")
        if job.stopped:
            _quick(job.quick_sample, what)
        st.button("Start again", key=f"again {what}", on_click=jobs.restart, args=(job,))
        if here:
            st.button("Compute here instead", key=f"here {what}", on_click=jobs.restart, args=(job, True))
