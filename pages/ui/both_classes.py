"""The way from the confidence of two classes to both of them."""

import streamlit as st

from calibcore import DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens, TopKLens
from pages.ui import settings, state


def offer(data: state.Loaded, spec: DiagnosisSpec) -> None:
    """What the confidence of two classes hides, and a button that looks at both; nothing elsewhere."""
    p = data.predictions
    if p.m != 2 or p.confidence_only or spec.lens != TopKLens(1):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="both-classes"):
        st.caption(
            "The confidence does not tell which of two classes is said too often. Such errors may not show.",
            width="stretch",
        )
        st.button(
            "Look at both classes", on_click=settings.try_lens, args=(CanonicalLens(),),
            icon=":material/visibility:", key="look-at-both",
        )  # fmt: skip
