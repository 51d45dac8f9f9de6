"""What recalibration comes to: the answer, all ways in order, one of them in full."""

from collections.abc import Iterable
from functools import partial

import streamlit as st

from calibcore import DiagnosisSpec, MultiLabelPredictions, OverLabels, Recalibration, recalibrate
from calibcore.answers.blocks import Beside, Block, Caution, Chart, Fold, Headline, Methods, Sentences
from calibcore.painters.screen.recalibration import temperature_figure
from calibcore.questions.recalibrate import TemperatureCurve, says, words
from calibcore.words.temperature import what_it_is
from pages.ui import answered, choices, frame, progress, saving, show, state
from pages.ui.improve import method
from pages.ui.show import glossary, plain
from pages.work import costs, studies
from pages.work.studies import Study

CHOSEN = "improve-method"
"""Key of the session: the kind of the method that is open."""


def draw(data: state.Loaded, spec: DiagnosisSpec) -> None:
    """All ways to recalibrate the model in use, and one in full."""
    job = studies.recalibration(data.predictions, spec).begun()
    progress.show(
        job, "Recalibrating", lambda recalibration: _draw_results(recalibration, data), height=progress.FIGURE
    )


def of_labels(p: MultiLabelPredictions, spec: DiagnosisSpec) -> Study[OverLabels]:
    """The same of each label."""
    return studies.over_labels(
        recalibrate, p, spec, lambda n, asked: costs.seconds_of_recalibration(n, 2, 2, asked)
    )


def _draw_results(recalibration: Recalibration, data: state.Loaded) -> None:
    answer = says.QUESTION.answer(recalibration, data.noun)
    (methods,), (evidence, class_mix) = answer.each(Methods), answer.each(Sentences)
    with st.container(gap="small", key="improvement"):
        answered.draw(answer.each(Headline))
    if recalibration.methods:
        _chosen(recalibration, data, evidence)
        for chart in answer.each(Chart):
            answered.folded(chart, chart.title)
    else:
        answered.draw([evidence])
        frame.caution(data)
    of_temperature = partial(_temperature, recalibration, data, [*answer.each(Beside), class_mix])
    show.fold("The temperature, and the class mix", "fold-temperature", of_temperature)
    answered.draw(answer.each(Fold))
    answered.methods(methods, answer.each(Caution))


def _chosen(recalibration: Recalibration, data: state.Loaded, evidence: Sentences) -> None:
    """One method in full: the first, of which there is ``evidence``, until a person
    chooses another."""
    kinds = {method.kind: method.map.label for method in recalibration.methods}
    remembered = st.session_state.get(CHOSEN)
    kind = remembered if remembered in kinds else recalibration.methods[0].kind
    with choices.bar("improve-method"):
        choices.choose_one("Method", kinds, kind, _keep, name="improve-method-box")
    method.draw(recalibration, kind, data, evidence)


def _keep(kind: str) -> None:
    st.session_state[CHOSEN] = kind


def _temperature(recalibration: Recalibration, data: state.Loaded, blocks: Iterable[Block]) -> None:
    answered.draw(blocks)
    st.caption(plain(what_it_is()), help=glossary("temperature"))
    job = studies.curve_of_temperature(data.predictions, recalibration).begun()
    progress.show(job, "Trying temperatures", partial(_curve, recalibration, noun=data.noun), height=460)


def _curve(recalibration: Recalibration, curve: TemperatureCurve, noun: str) -> None:
    show.figure(
        temperature_figure(recalibration, curve, show.theme()),
        key="temperature-curve",
        says=words.curve_sentence(recalibration),
        reading="improve-temperature",
        noun=noun,
        rows=partial(words.curve_rows, curve),
        table_name="The curve as a table",
        printed=saving.on_paper("temperature_print", recalibration, curve),
    )
