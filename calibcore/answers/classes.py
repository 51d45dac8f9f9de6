"""Every class by itself, as tables: those of a survey, and all classes in the order of their difference."""

from calibcore.answers.tables import Column, Table, interval_column
from calibcore.assessment.verdict import Verdict
from calibcore.sensitivity.class_screen import ClassScreen
from calibcore.sensitivity.each_class import ClassesByEvidence, ClassEvidence
from calibcore.words.classes import MOST_LISTED, NO_CHECK, which_way
from calibcore.words.sizes import balance_words, gap_cell, typical_digits
from calibcore.words.verdicts import adjusted_p, chip


def evidence_table(classes: ClassesByEvidence) -> Table[ClassEvidence]:
    """A row a class, in the order of the panels."""
    digits = typical_digits([entry.verdict.typical_gap for entry in classes.classes])

    def outside(entry: ClassEvidence) -> int:
        return int(entry.diagram.outside.sum())

    columns: tuple[Column[ClassEvidence], ...] = (
        Column("Class", "class", lambda entry: entry.name),
        Column("Verdict", "verdict", lambda entry: chip(entry.verdict).words),
        interval_column(
            "Typical gap",
            "typical gap",
            lambda entry: entry.verdict.typical_gap,
            lambda gap: gap_cell(gap, digits),
        ),
        Column("On balance", "", lambda entry: _balance(entry.verdict)),
        Column("", "p", lambda entry: entry.verdict.pvalue),
        Column("Adjusted p", "", lambda entry: adjusted_p(entry.verdict, short=True)),
        Column("", "adjusted p", lambda entry: entry.verdict.adjusted),
        Column("", "bins", lambda entry: entry.diagram.n_bins),
        Column("Bins outside", "", lambda entry: f"{outside(entry)} of {entry.diagram.n_bins}"),
        Column("", "bins outside", outside),
    )
    return Table("classes", "Every class by itself", columns, classes.classes, rows_are="classes")


def _balance(verdict: Verdict) -> str:
    return balance_words(verdict.lens, verdict.frequencies)


def screen_table(screen: ClassScreen, surveyed: ClassesByEvidence) -> Table[int]:
    """A row a class, the largest difference first, with the survey's p where it has one; in full precision
    all of them."""
    checks = {entry.name: entry.verdict for entry in surveyed.classes}

    def beyond(j: int) -> bool:
        return bool(screen.difference[j] > screen.by_chance)

    def check(j: int) -> Verdict | None:
        return checks.get(screen.names[j])

    columns: tuple[Column[int], ...] = (
        Column("Class", "class", lambda j: screen.names[j]),
        Column("Difference", "difference", lambda j: screen.difference[j], lambda size: f"{size:.1f}"),
        Column("Beyond chance", "beyond chance", beyond, lambda out: "yes" if out else "no"),
        Column("Mostly", "", lambda j: which_way(screen, j)),
        Column("", "by number", lambda j: screen.by_number[j]),
        Column("", "by sureness", lambda j: screen.by_sureness[j]),
        Column("Expected", "expected", lambda j: screen.expected[j], lambda cases: f"{cases:,.1f}"),
        Column("Happened", "happened", lambda j: int(screen.happened[j]), lambda cases: f"{cases:,}"),
        Column("Adjusted p", "", check, lambda verdict: adjusted_p(verdict, short=True), unknown=NO_CHECK),
        Column("", "adjusted p", lambda j: None if check(j) is None else checks[screen.names[j]].adjusted),
    )
    every = tuple(range(len(screen.names)))
    title = "Those that differ most"
    return Table("all-classes", title, columns, every[:MOST_LISTED], rows_are="classes", in_full=every)
