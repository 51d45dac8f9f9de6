"""The survey of lenses: a row a lens as it comes, adjusted p-values at the end; a click opens a lens."""

from collections.abc import Sequence

import streamlit as st

from calibcore import Diagnosis, InputError, Survey
from calibcore.lenses import ClassLens, GroupsLens, Lens, TopKLens
from calibcore.survey import default_lenses
from calibcore.words import plural, survey_answer, survey_row, worst_class
from pages.ui import frame, jobs, lens_controls, nav, progress, settings
from pages.ui.show import glossary, plain
from pages.ui.state import Loaded


def lenses(data: Loaded) -> tuple[Lens, ...]:
    """Confidence, top-2, all classes, each class up to 20, and the user's groups if they fit."""
    p = data.predictions
    first, *rest = default_lenses(p)
    found: list[Lens] = [first, *([TopKLens(2)] if p.m > 2 else []), *rest]
    groups = lens_controls.last(GroupsLens.kind)
    if groups is not None:
        try:
            settings.classes_through(groups, p)
        except InputError:
            return tuple(found)
        found.append(groups)
    return tuple(found)


def shown(data: Loaded) -> None:
    """The survey, begun if need be: rows as they come, then what it says."""
    looked_through = lenses(data)
    spec, many = settings.surveyed(looked_through)
    job = jobs.surveyed(data.predictions, spec, looked_through, many)

    def whole(found: Survey) -> None:
        st.markdown(plain(survey_answer(found, spec.alpha)))
        frame.caution(data)
        _worst(found, looked_through)
        _table(found.diagnoses, found.adjusted, choose=True)
        redraws, cases = found.diagnoses[0].spec.resamples, plural(data.noun)
        st.caption(
            f"Click a row to open its diagram. The p-values are exact for independent {plain(cases)}; "
            f"{redraws:,} redraws a lens leave the adjusted ones room to be small."
        )
        for lens, why in found.refused:
            st.caption(f"{plain(lens)}: {plain(why)}")

    def rows(parts: list[Diagnosis]) -> None:
        _table(parts, [None] * len(parts))

    progress.shown(job, "Looking through every lens", whole, rows)


def _worst(found: Survey, looked_through: Sequence[Lens]) -> None:
    worst = worst_class(found, [lens for lens in looked_through if isinstance(lens, ClassLens)])
    if worst is None:
        return
    lens, sentence = worst
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(plain(sentence))
        if st.button("Open its diagram", icon=":material/arrow_forward:", key="open-worst"):
            _open(lens)


def _open(lens: Lens) -> None:
    settings.set_lens(lens)
    st.switch_page(nav.page("reliability"))


def _table(found: Sequence[Diagnosis], adjusted: Sequence[float | None], choose: bool = False) -> None:
    rows = [survey_row(diagnosis, p) for diagnosis, p in zip(found, adjusted, strict=True)]
    most = max((abs(v) for row in rows for v in row["Deviations"]), default=1.0)  # type: ignore[attr-defined]
    text = st.column_config.TextColumn
    columns = {
        "Lens": text(pinned=True, help=glossary("lens")),
        "Average gap (ECE)": text(help=glossary("ECE")),
        "If calibrated": text(help=glossary("if calibrated")),
        "Exact p": text(help=glossary("exact test")),
        "Adjusted p": text(help=glossary("adjusted p")),
        "Deviations": st.column_config.LineChartColumn(
            help=glossary("deviations"), y_min=-most, y_max=most, color="#D55E00", width="medium"
        ),
    }
    alt = "The lenses, each with its average gap, what chance allows, its exact p and its adjusted p."
    if not choose:
        st.dataframe(rows, hide_index=True, column_config=columns, height="content", alt=alt)
        return
    # A table of its own after each click: a selection that stayed would open the lens again on return.
    clicks = st.session_state.get("survey-clicks", 0)
    chosen = st.dataframe(
        rows,
        hide_index=True,
        column_config=columns,
        height="content",
        alt=alt,
        key=f"survey-{clicks}",
        on_select="rerun",
        selection_mode=["single-row", "single-cell"],
    ).selection
    picked = [*chosen.rows, *(cell[0] for cell in chosen.cells)]
    if picked:
        st.session_state["survey-clicks"] = clicks + 1
        _open(found[picked[0]].spec.lens)
