"""Evidence in time, label by label: which label is off, and about since when."""

from calibcore.answers.by_label import ByLabel, OfLabel, Rows, verdict_words
from calibcore.answers.tables import Column
from calibcore.questions.monitor import Monitoring
from calibcore.questions.monitor.result import ALARM
from calibcore.questions.monitor.words import evidence_words, when_words
from calibcore.wording import count
from calibcore.words.phrases import signed, signed_range
from calibcore.words.tables import named_few


def since_words(row: OfLabel[Monitoring], noun: str = "case") -> str | None:
    """About when it began, where there is an alarm over all labels: "about 2 July 2025"."""
    result = row.result
    if not row.found or result.alarm is None:
        return None
    since = result.since
    if since is None:  # a single outcome made it
        return f"{noun} {result.alarm:,}"
    if since.is_the_beginning:
        return "the beginning, perhaps"
    return f"about {when_words(result, since.case, since.time, noun)}"


def _headline(rows: Rows[Monitoring], noun: str) -> str:
    labels, off = count(len(rows), "label"), [row for row in rows if row.found]
    if not off:
        return f"No alarm for any of {labels}."
    names = named_few([f"'{row.label}' since {since_words(row, noun)}" for row in off])
    return f"Alarm for {len(off)} of {labels}: {names}."


def _columns(rows: Rows[Monitoring]) -> tuple[Column[OfLabel[Monitoring]], ...]:
    last = {row.label: next(reversed(row.result.windows.listed), None) for row in rows}

    def deviation(row: OfLabel[Monitoring]) -> float | None:
        window = last[row.label]
        return None if window is None else window.deviation

    def chance(row: OfLabel[Monitoring]) -> tuple[float, float] | None:
        window = last[row.label]
        return None if window is None else window.chance

    def ends(row: OfLabel[Monitoring]) -> tuple[float | None, float | None]:
        return chance(row) or (None, None)

    size = rows[0].result.windows.size
    return (
        Column("", "verdict", verdict_words),
        Column("Alarm", "alarm", lambda row: row.found, lambda alarm: "yes" if alarm else "no"),
        Column("Off since", "", since_words, unknown="–"),
        Column("", "since case", lambda row: (since := row.result.since) and since.case),
        Column("Most evidence", "", lambda row: row.result.evidence.largest, evidence_words, right=True),
        Column("", "log of the most evidence", lambda row: row.result.evidence.largest),
        Column(
            f"Observed minus predicted, last {size:,} (points)",
            "",
            deviation,
            lambda x: signed(100 * x, 1),
            unknown="–",
        ),
        Column("If calibrated (points)", "", chance, lambda within: signed_range(*within), unknown="–"),
        Column("", "observed minus predicted lately", deviation),
        Column("", ("if calibrated, low", "if calibrated, high"), ends),
    )


def _notes(rows: Rows[Monitoring]) -> tuple[str, ...]:
    last = any(row.result.windows.listed for row in rows)
    size = f"{rows[0].result.windows.size:,}"
    within = f"If a label is calibrated, 9 in 10 stretches of {size} lie within the range."
    return (
        f"With {count(len(rows), 'label')} the first alarm takes evidence of {ALARM * len(rows):,.0f}, not "
        f"of {ALARM:,.0f}. The p of each label is valid whenever one looks.",
        within if last else "",
    )


BY_LABEL = ByLabel[Monitoring](
    title="Label by label, the evidence in time",
    hypothesis="that the label is calibrated all the time",
    headline=_headline,
    columns=_columns,
    redrawn=False,
    pvalue=lambda monitoring: monitoring.pvalue,
    level=lambda _: 1 / ALARM * (1 + 1e-12),
    notes=_notes,
)
