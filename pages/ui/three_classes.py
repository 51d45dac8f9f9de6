"""What to choose where a lens does not show three classes, each one click away."""

import streamlit as st

from calibcore.lenses import CanonicalLens, Lens, TopKLens
from calibcore.words import lens_words, sentence_case
from pages.ui import nav, settings, state
from pages.ui.show import plain


def offers(data: state.Loaded) -> dict[str, Lens]:
    """Words on a button -> the lens of three classes that it sets."""
    found: dict[str, Lens] = {}
    if data.predictions.m == 3:
        found["All three classes"] = CanonicalLens()
    if data.predictions.m > 2:
        found["First and second choice, and the rest"] = TopKLens(2)
    return found


def offer(data: state.Loaded) -> None:
    """Why there is no triangle, and buttons that bring one."""
    spec = settings.current()
    m = settings.classes_through(spec.lens, data.predictions)
    st.markdown(
        f"#### A triangle shows three classes. {plain(sentence_case(lens_words(spec.lens)))} "
        f"{'has' if m == 2 else 'have'} {m}."
    )
    choices = offers(data)
    if not choices:
        st.markdown("This model has two classes: its whole answer is on one line.")
        nav.link("reliability", "See the line", "show_chart")
        st.markdown("Or look at an example with three classes:")
        st.button("Wines of three growers", icon=":material/change_history:", on_click=_wines)
        return
    st.markdown("Choose what the corners are:")
    for words, lens in choices.items():
        st.button(words, icon=":material/change_history:", on_click=settings.set_lens, args=(lens,))


def _wines() -> None:
    state.use("wine")
    settings.set_lens(CanonicalLens())
