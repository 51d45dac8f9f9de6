"""The part of triangle or tetrahedron that is drawn: offered where most arrows crowd a corner."""

import streamlit as st

from calibcore.diagram.zoom import Zoom, zooms
from calibcore.numerics.types import Float
from calibcore.words.arrows import zoom_label, zoom_sentence
from pages.ui import choices, looks
from pages.ui.show import glossary, plain


def choose(tail: Float, tip: Float, names: tuple[str, ...]) -> Zoom:
    """The part chosen for arrows from ``tail`` to ``tip``, (K, m) probabilities; the whole to begin with."""
    full = Zoom((0.0,) * len(names))
    offered = zooms(tail, tip)
    if not offered:
        return full
    shape = "The whole triangle" if len(names) == 3 else "The whole tetrahedron"
    labels = {i: zoom_label(part, names) for i, part in enumerate(offered, 1)}
    words = choices.worded([0, *labels], lambda i: labels.get(i, shape))
    place = looks.drawn(
        st.segmented_control,
        "Zoom to the predictions",
        list(words),
        default=0,
        required=True,
        format_func=lambda i: plain(words[i]),
        key=choices.key_of("zoom", words),
        start=0,
        help=glossary("zoom to the predictions"),
    )
    return offered[place - 1] if place else full


def say(zoom: Zoom, tail: Float, names: tuple[str, ...]) -> None:
    """What is drawn, where that is a part."""
    if sum(zoom.lowest):
        st.caption(plain(zoom_sentence(zoom, names, int(zoom.holds(tail).sum()), len(tail))))
