"""What a comparison comes to: the answer, the models by their gaps, and one pair in full."""

from collections.abc import Sequence

import streamlit as st

from calibcore import Comparison, DiagnosisSpec
from calibcore.answers.blocks import Caution, Chart, Headline, Methods, Notes, Sentences
from calibcore.questions.compare import says as compare
from calibcore.words.readings import mismatch_sentence
from pages.ui import answered, frame, progress, state
from pages.ui.compare import pair
from pages.ui.show import plain
from pages.work import studies


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
        lambda comparison: _draw_results(comparison, named, data, spec),
        height=progress.FIGURE,
    )


def _draw_results(
    comparison: Comparison, named: dict[str, state.Loaded], data: state.Loaded, spec: DiagnosisSpec
) -> None:
    answer = compare.QUESTION.answer(comparison, data.noun)
    with st.container(gap="small", key="comparison"):
        answered.draw(answer.each(Headline, Sentences))
        frame.caution(data)
        for model in named.values():
            if model is not data and model.mismatch is not None:
                st.warning(f"{plain(model.title)}: {plain(mismatch_sentence(model.mismatch, model.noun))}")
    answered.draw(answer.each(Chart, Notes))
    pair.choose(comparison, named, data, spec)
    (methods,) = answer.each(Methods)
    answered.methods(methods, answer.each(Caution))
