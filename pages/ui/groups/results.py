"""What a look at groups comes to: the answer, every group by its gap, where it is worst."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from calibcore import DiagnosisSpec, MultiLabelPredictions, OverLabels, survey_groups
from calibcore.answers.blocks import Caution, Chart, Headline, Methods, Notes, Sentences
from calibcore.answers.nouns import head_of, sentence_of, table_said_of
from calibcore.answers.tables import Table
from calibcore.charts import style
from calibcore.painters.screen import canvas
from calibcore.questions.groups import Group, GroupSurvey, Worst
from calibcore.questions.groups import says as groups
from calibcore.questions.groups import words as grouping
from calibcore.words.verdicts import CHIP_TEXTS
from pages.ui import answered, dates, frame, nav, progress, show, state
from pages.ui.groups import opening, side_by_side
from pages.ui.overview.survey_table import MARKS
from pages.ui.show import glossary, plain
from pages.work import costs, studies
from pages.work.studies import Study

OPENED = "groups-opened"
"""Key of the session: the row of the figure whose mark was clicked."""
LONG_NAME = 16
"""Letters of a group that its column would cut off by itself."""
FIRST = ("Column", "Group", "Verdict")
CLOSED = "groups-closed"
"""Key of the session: the model, the columns, and why a group of theirs that was clicked stays closed."""
QUIET = style.QUIET["light"]
"""Ground of "not tested", under white letters."""


def draw(data: state.Loaded, spec: DiagnosisSpec, by: Sequence[str]) -> None:
    """The groups of these columns, with the lens in use."""
    job = studies.grouped(data.predictions, by, spec, dates.order(data)).begun()
    if not dates.asked(job, data):
        progress.show(
            job,
            "Looking at the groups",
            lambda survey: _draw_results(survey, data, spec, by),
            height=progress.FIGURE,
        )


def of_labels(
    p: MultiLabelPredictions, data: state.Loaded, spec: DiagnosisSpec, by: Sequence[str]
) -> Study[OverLabels]:
    """The same of each label."""
    return studies.over_labels(
        survey_groups, p, spec, lambda n, asked: costs.seconds_of_groups(n, 2, len(by), asked), by,
        by=list(by), dates=dates.order(data),
    )  # fmt: skip


def _draw_results(survey: GroupSurvey, data: state.Loaded, spec: DiagnosisSpec, by: Sequence[str]) -> None:
    place = st.session_state.pop(OPENED, None)
    if place is not None and place < len(survey.tested):
        _open(survey, survey.groups.index(grouping.by_gap(survey)[place][0]), data, spec)
    answer = groups.QUESTION.answer(survey, data.noun)
    (chart,), (table,), (notes,) = answer.each(Chart), answer.each(Table), answer.each(Notes)
    with st.container(gap="small", key="groups-answer"):
        answered.draw(answer.each(Headline, Sentences))
        frame.caution(data)
    if survey.tested:
        answered.chart(
            chart,
            key="groups-forest",
            rows=None,
            config=canvas.CONFIG | {"displayModeBar": False},
            on_select=_picked,
            selection_mode=("points",),
        )
    _table(table, survey, data, spec)
    if survey.tested:
        side_by_side.section(survey, data, partial(_wanted, survey))
    words = (*table.notes, grouping.kept_back_sentence(survey), *notes.lines)
    answered.small_print(words, data.predictions.notes)
    if not survey.global_withheld:
        _worst(survey, data, spec, by)
    (methods,) = answer.each(Methods)
    answered.methods(replace(methods, lines=(*methods.lines, grouping.SEARCH)), answer.each(Caution))


def _picked() -> None:
    """A click on a mark opens its group in the run that follows."""
    points = st.session_state["groups-forest"].selection.points
    if points:
        st.session_state[OPENED] = int(points[0]["point_index"])


def _wanted(survey: GroupSurvey, group: Group) -> None:
    """A group that the run which follows opens."""
    st.session_state[OPENED] = [tested for tested, _ in grouping.by_gap(survey)].index(group)


def _open(survey: GroupSurvey, place: int, data: state.Loaded, spec: DiagnosisSpec) -> None:
    """The cases of a group on the first page; of a small one nothing is shown but that it is small."""
    group = survey.groups[place]
    if group.pvalue is None:
        st.session_state[CLOSED] = data.key, tuple(survey.columns), grouping.not_opened(group)
        st.rerun()
    st.session_state.pop(CLOSED, None)
    opening.use(group, data, spec)
    st.switch_page(nav.page("overview"))


def _table(table: Table[Group], survey: GroupSurvey, data: state.Loaded, spec: DiagnosisSpec) -> None:
    rows = [{**row, "Verdict": [row["Verdict"]]} for row in table_said_of(table, data.noun).rows()]
    cases = head_of("Cases", data.noun)
    any_ = st.column_config.Column
    place = show.clicked_row(
        rows,
        "groups",
        "Every group with its cases, its verdict, its gaps and its adjusted p.",
        "-".join(survey.columns),
        column_order=["Column", "Group", "Verdict", *(name for name in rows[0] if name not in FIRST)],
        column_config={
            "Verdict": st.column_config.MultiselectColumn(
                options=[*CHIP_TEXTS, grouping.NOT_TESTED],
                color=[*(MARKS[colour] for colour in CHIP_TEXTS.values()), QUIET],
                help=glossary("verdict"),
            ),
            "Group": any_(width="medium" if max(len(row["Group"]) for row in rows) > LONG_NAME else None),
            cases: any_(width=None if len(survey.tested) == len(survey.groups) else 100),
            grouping.TYPICAL_GAP: any_(help=glossary("typical gap")),
            grouping.SMALLEST: any_(help=glossary("smallest detectable")),
            "Adjusted p": any_(help=glossary("adjusted p of a group")),
        },
    )
    invitation = "Click a group to look at its cases alone, on every page."
    show.below_rows(invitation, partial(groups.table_handed_on(survey).rows, exact=True), "groups")
    *closed, why = st.session_state.get(CLOSED, ("", (), ""))
    if closed == [data.key, tuple(survey.columns)]:
        st.info(plain(why), icon=":material/lock:")
    if place is not None:
        _open(survey, place, data, spec)


def _worst(survey: GroupSurvey, data: state.Loaded, spec: DiagnosisSpec, by: Sequence[str]) -> None:
    """A search over the columns, which waits for a click."""
    job = studies.worst(data.predictions, by, spec, dates.order(data)).begun()
    if job.waits and not job.cut:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("Where is it worst?", icon=":material/search:", on_click=job.start, key="search-worst")
            words = "Searches the columns above, and two of them together."
            st.caption(words, help=glossary("search"), width="stretch")
        return
    progress.show(job, "The search", partial(_draw, survey, noun=data.noun))


def _draw(survey: GroupSurvey, worst: Worst | None, noun: str) -> None:
    words = grouping.NOTHING_LARGE if worst is None else grouping.worst_sentence(survey, worst)
    st.markdown(plain(sentence_of(words, noun)))
