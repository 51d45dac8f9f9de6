"""What a training run comes to: the answer, four curves, and one epoch in full."""

from functools import partial

import streamlit as st

from calibcore import DiagnosisSpec, TrainingRun
from calibcore.answers.blocks import Caution, Chart, Headline, Methods, Notes, Sentences
from calibcore.answers.diagram import arrows_table, bins_table
from calibcore.charts.formats import MOST_ARROWS
from calibcore.painters.screen.pairs import scaled_figure
from calibcore.painters.screen.simplex import simplex_figure
from calibcore.questions.training import says as training
from calibcore.words.arrows import arrows_drawn, arrows_sentence
from calibcore.words.results import bins_outside
from pages.ui import answered, looks, progress, saving, show
from pages.ui.show import glossary, plain
from pages.ui.training.runs import Run
from pages.work import studies


def draw(run: Run, spec: DiagnosisSpec) -> None:
    """The run through the lens in use; weighted cases are refused in a sentence."""
    job = studies.trained(run.epochs, spec, run.bundled).begun()
    progress.show(
        job, "Looking at every epoch", lambda training: _draw_results(training, run), height=progress.FIGURE
    )


def _draw_results(result: TrainingRun, run: Run) -> None:
    answer = training.QUESTION.answer(result, run.noun)
    answered.draw(answer.each(Headline))
    _moved(result, run)
    with st.container(gap="small", key="training"):
        answered.draw(answer.each(Sentences, Notes))
    (methods,) = answer.each(Methods)
    answered.methods(methods, answer.each(Caution))


@st.fragment
def _moved(result: TrainingRun, run: Run) -> None:
    """The slider and what it moves; nothing else is drawn anew."""
    numbers = [epoch.number for epoch in result.epochs]
    key = f"training-epoch-{run.first.fingerprint[:12]}"  # another run begins at an epoch of its own
    if st.session_state.get(key) not in numbers:
        st.session_state[key] = result.least_log_loss
    chosen: int = looks.drawn(
        st.select_slider, "Epoch", numbers, key=key, start=None, stays=False, help=glossary("epoch")
    )
    at_epoch = training.says_at(result, result.epoch(chosen), run.noun)
    (curves,) = at_epoch.each(Chart)
    answered.figure(curves)
    answered.draw(at_epoch.each(Headline, Sentences), level=3)
    show.fold("The diagram of this epoch", "fold-training", partial(_diagram, result, chosen, run))


def _diagram(training: TrainingRun, chosen: int, run: Run) -> None:
    """The figure of one epoch on axes that have room for all epochs."""
    among = [epoch.diagnosis.reliability for epoch in training.epochs]
    diagram = training.epoch(chosen).diagnosis.reliability
    if len(diagram.class_names) == 3:
        _triangle(training, chosen, run)
        return
    show.figure(
        scaled_figure(diagram, among, run.noun, show.theme()),
        key="training-diagram",
        says=bins_outside(diagram),
        reading="reliability" if len(diagram.class_names) == 2 else "reliability-many",
        noun=run.noun,
        rows=bins_table(diagram).rows,
        table_name="The bins as a table",
        printed=saving.on_paper("reliability_print", diagram, run.noun),
        not_drawn=show.not_drawn(diagram, among=among),
    )


def _triangle(training: TrainingRun, chosen: int, run: Run) -> None:
    diagram, spec = training.epoch(chosen).diagnosis.reliability, training.spec
    binning = spec.for_classes(3).binning
    least = diagram.fewest_worth_showing
    show.figure(
        simplex_figure(diagram, run.noun, show.theme(), binning, least),
        key="triangle-training",
        says=arrows_sentence(diagram, noun=run.noun),
        reading="simplex",
        noun=run.noun,
        rows=arrows_table(diagram, None, spec.alpha).rows,
        table_name="The arrows as a table",
        height="stretch",
        printed=saving.on_paper("simplex_print", diagram, run.noun, binning, least),
    )
    st.caption(plain(arrows_drawn(diagram, least, MOST_ARROWS[3], run.noun)))
