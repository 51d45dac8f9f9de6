"""One pair of models: what differs, both figures, bin by bin, the scores, what each leaves out."""

from functools import partial
from typing import Any

import streamlit as st

from calibcore import Comparison, DiagnosisSpec
from calibcore.painters.screen.pairs import bins_figure
from calibcore.questions.compare import Pair, bins_of_both
from calibcore.questions.compare import words as comparing
from calibcore.questions.compare.says import bins_table, pairs_table, scores_table
from calibcore.wording import sentences
from pages.ui import choices, saving, show, state
from pages.ui.compare import side_by_side
from pages.ui.show import glossary, plain

CHOSEN = "compare-pair"
"""Key of the session: the names of the two models whose pair is open."""


def choose(
    comparison: Comparison, named: dict[str, state.Loaded], data: state.Loaded, spec: DiagnosisSpec
) -> None:
    """All pairs in a table, one of which a click opens; the only one is open."""
    pairs = {(pair.a, pair.b): pair for pair in comparison.pairs}
    st.subheader("Pair by pair")
    if len(pairs) == 1:
        _open(comparison, comparison.pairs[0], named, data, spec)
        return
    _table(comparison)
    chosen = st.session_state.get(CHOSEN)
    words = choices.worded(pairs, lambda names: f"{names[0]} and {names[1]}", most=160)
    choices.choose_one(
        "Open a pair", words, chosen if chosen in pairs else None, _keep, name="compare-pair-box",
        placeholder="Two models in full",
    )  # fmt: skip
    if chosen in pairs:
        _open(comparison, pairs[chosen], named, data, spec)


def _keep(names: tuple[str, str]) -> None:
    st.session_state[CHOSEN] = names


def _table(comparison: Comparison) -> None:
    table = pairs_table(comparison, comparison.pairs)
    place = show.clicked_row(
        table.rows(),
        "pairs",
        "Every pair of models, which is better calibrated, and how their scores differ.",
        column_config={"Adjusted p": st.column_config.Column(help=glossary("adjusted p of a pair"))},
    )
    invitation = sentences("Click a row to open the pair.", *table.notes)
    show.below_rows(invitation, partial(table.rows, exact=True), "pairs")
    if place is not None:
        chosen = comparison.pairs[place]
        _keep((chosen.a, chosen.b))
        st.rerun()


def _open(
    comparison: Comparison,
    pair: Pair,
    named: dict[str, state.Loaded],
    data: state.Loaded,
    spec: DiagnosisSpec,
) -> None:
    st.markdown(f"**{plain(comparing.pair_sentence(comparison, pair))}**")
    first, other = (side_by_side.Side(named[name], spec) for name in (pair.a, pair.b))
    side_by_side.both(first, other, "pair")
    if first.m == 2:
        st.markdown("#### Bin by bin")
        _bins(first, other, (pair.a, pair.b), data)
    st.markdown("#### Scores")
    st.markdown(plain(comparing.right_words(pair, comparison.n)))
    show.rows_and_csv(partial(_scores, comparison, pair), "compare-scores", "scores")
    if withheld := comparing.withheld_words(pair):
        st.caption(plain(withheld))
    st.markdown("#### What each leaves out", help=glossary("leaves out"))
    for nested in comparison.nested:
        if {nested.model, nested.given} == {pair.a, pair.b}:
            st.markdown(f"- {plain(comparing.nested_sentence(comparison, nested))}")


def _bins(
    first: side_by_side.Side, other: side_by_side.Side, names: tuple[str, str], data: state.Loaded
) -> None:
    a, b = (side.spec.induced(side.data.predictions) for side in (first, other))
    bins = bins_of_both(a, b, first.spec.interval)
    show.figure(
        bins_figure(bins, names),
        key="compare-bins",
        says=comparing.bins_sentence(bins, names),
        reading="compare-bins",
        noun=data.noun,
        rows=bins_table(bins, names, data.noun).rows,
        table_name="The bins as a table",
        printed=saving.on_paper("bins_print", bins, names),
    )


def _scores(comparison: Comparison, pair: Pair, exact: bool = False) -> list[dict[str, Any]]:
    """A row a score; in full precision the row of the pair."""
    return pairs_table(comparison, [pair]).rows(exact) if exact else scores_table(comparison, pair).rows()
