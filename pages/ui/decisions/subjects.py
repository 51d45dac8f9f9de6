"""What a decision is about: a class against the rest, or the model's own answer."""

import streamlit as st

from calibcore import DiagnosisSpec
from calibcore.transforms.lenses import ClassLens, Lens, TopKLens
from calibcore.words.looking import sentence_case
from pages.ui import choices, settings
from pages.ui.show import glossary, plain
from pages.ui.sidebar import lens_controls
from pages.ui.state import Loaded
from pages.work import costs

OWN = "Act on the model's own answer, or ask"


def choose(data: Loaded, spec: DiagnosisSpec) -> bool:
    """The box of what can be decided about; whether the lens in use is about two outcomes.

    A choice is a lens like any other: the side bar shows it, and it can be undone.
    """
    p = data.predictions
    lens, _ = lens_controls.parts(spec.lens)
    m = costs.classes_through(spec.lens, p)
    if m != 2:
        st.markdown(
            f"## A decision is about two outcomes. "
            f"{plain(sentence_case(spec.lens.phrase()))} {'has' if m == 1 else 'have'} {m:,}."
        )
        st.markdown(
            "Choose what one acts on. That is one class, from some probability on. Or it is the model's own "
            "answer, which one accepts where it is sure and puts to a person elsewhere."
        )
    offered: dict[Lens, str] = {TopKLens(1): OWN}
    offered |= {ClassLens(name): f"Act for '{name}'" for name in p.class_names}
    if m == 2 and lens not in offered:
        offered[lens] = sentence_case(lens.phrase())
    choices.one(
        "Decide about",
        choices.worded(offered, offered.__getitem__, most=120),
        lens if lens in offered else None,
        _look,
        name="decide-about",
        help=glossary("decision"),
        placeholder="Choose what one acts on",
        width=460,
    )
    return m == 2


def _look(lens: Lens) -> None:
    """Look through ``lens``; a region of predictions stays."""
    settings.try_lens(lens_controls.inside(settings.current(), lens).lens)
