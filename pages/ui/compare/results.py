"""What a comparison comes to: the answer, the models by their gaps, and one pair in full."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from calibcore import Comparison, DiagnosisSpec
from calibcore.charts.forest import comparison_says
from calibcore.figures.forest import comparison_figure
from calibcore.words import comparing
from calibcore.words.readings import mismatch_sentence
from pages.ui import frame, progress, saving, show, state
from pages.ui.compare import pair
from pages.ui.show import glossary, plain
from pages.work import studies

METHODS = (comparing.METHOD, comparing.SCORES_METHOD, comparing.NESTED_METHOD, comparing.BETTER_IS_NOT_ALL)


def draw(models: Sequence[state.Loaded], data: state.Loaded, spec: DiagnosisSpec) -> None:
    """The comparison of these models, the one in use first; what is needed where it is alone."""
    if len(models) < 2:
        st.info("Choose at least one other model above.", icon=":material/help:")
        return
    named = {model.title: model for model in models}
    job = studies.comparison({name: model.predictions for name, model in named.items()}, spec).begun()
    progress.show(
        job,
        "Comparing",
        lambda comparison: _whole(comparison, named, data, spec),
        height=progress.FIGURE,
    )


def _whole(
    comparison: Comparison, named: dict[str, state.Loaded], data: state.Loaded, spec: DiagnosisSpec
) -> None:
    with st.container(gap="small", key="comparison"):
        st.markdown(f"## {plain(comparing.headline(comparison))}")
        if more := comparing.best_score(comparison):
            st.markdown(plain(more))
        frame.caution(data)
        for model in named.values():
            if model is not data and model.mismatch is not None:
                st.warning(f"{plain(model.title)}: {plain(mismatch_sentence(model.mismatch, model.noun))}")
    st.subheader("Models by their typical gap", help=glossary("typical gap"))
    show.figure(
        comparison_figure(comparison, show.theme()),
        key="forest",
        says=comparison_says(comparison),
        reading="compare",
        rows=partial(_models, comparison),
        table_name="The models as a table",
        table_open=True,
        printed=saving.on_paper("comparison_print", comparison),
    )
    for words in (comparing.joined_sentence(comparison), *comparison.notes):
        st.caption(plain(words))
    pair.choose(comparison, named, data, spec)
    show.fold("How models are compared", "fold-compare-methods", partial(show.points, METHODS))


def _models(comparison: Comparison, exact: bool = False) -> list[dict[str, Any]]:
    return comparing.exact_model_rows(comparison) if exact else comparing.model_rows(comparison)
