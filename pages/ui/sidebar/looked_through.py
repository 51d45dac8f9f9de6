"""What a page looks through where it begins with bins, or with a lens, of its own."""

from contextlib import suppress

import streamlit as st

from calibcore import DiagnosisSpec, InputError, Predictions
from calibcore.transforms.lenses import CanonicalLens, Lens, TopKLens
from pages.ui import diagrams, regions, settings, state
from pages.work import costs

MOST_CORNERS = 4
HERE = "page-here"
"""Key of the session: the name of the page that is open."""


def arrive(name: str) -> None:
    """The page of that name is open."""
    st.session_state[HERE] = name


def here() -> DiagnosisSpec:
    """The settings in use, as the open page takes them: what its side bar shows and changes."""
    return on_page(st.session_state[HERE], state.loaded())


def on_page(name: str, data: state.Loaded) -> DiagnosisSpec:
    """The settings in use, as the page of that name takes them."""
    spec = settings.current()
    if name == "reliability":
        return diagrams.binned(spec, state.spread(data.predictions, spec))
    return with_corners(spec, data) if name == "simplex" else spec


def with_corners(spec: DiagnosisSpec, data: state.Loaded) -> DiagnosisSpec:
    """Where the lens has no three or four corners with one that has, so that Simplex opens with its figure:
    all classes up to four, else first and second choice and the rest. The lens in use stays elsewhere."""
    p = data.predictions
    if costs.classes_through(spec.lens, p) in (3, 4) or p.confidence_only or p.case_of is not None:
        return spec
    with suppress(InputError):
        lens: Lens = CanonicalLens() if p.m <= MOST_CORNERS else TopKLens(2)
        return settings.through(regions.inside(spec, lens).lens)
    return spec


def most_corners(p: Predictions) -> int | None:
    """As many classes as a lens may have on the open page; None where it takes any."""
    return MOST_CORNERS if st.session_state[HERE] == "simplex" and p.m > 2 and not p.confidence_only else None


def drawn_here(lens: Lens, p: Predictions) -> bool:
    """Whether the open page draws what ``lens`` shows of these predictions."""
    most = most_corners(p)
    return most is None or 3 <= costs.classes_through(lens, p) <= most


def checked(asked: DiagnosisSpec, seen: DiagnosisSpec) -> DiagnosisSpec:
    """``asked``, which was made of what is ``seen`` on the open page.

    Raises
    ------
    InputError : the page cannot draw what another lens shows.
    """
    p = state.predictions()
    if asked.lens != seen.lens and not drawn_here(asked.lens, p):
        m = costs.classes_through(asked.lens, p)
        raise InputError(f"{m:,} classes here; a triangle shows three, a tetrahedron four.")
    return asked
