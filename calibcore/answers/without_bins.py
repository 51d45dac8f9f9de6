"""What is shown without bins as an answer: arrows, or of two classes a curve."""

from calibcore.answers.blocks import Answer, Chart, Fold, Headline, Methods
from calibcore.answers.tables import Column, Table
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.wording import count, percent
from calibcore.words import smooth
from calibcore.words.phrases import points, top_bins


def says(arrows: SmoothArrows, noun: str = "case") -> Answer:
    """Where it lies beyond chance, and its places."""
    sentence, table = smooth.sentence(arrows), places_table(arrows)
    two = len(arrows.class_names) == 2
    return Answer(
        (count(arrows.n, noun), f"{len(arrows.class_names):,} classes"),
        "",
        (
            Headline(sentence),
            Chart(
                name="smooth-curve" if two else "simplex-smooth",
                title="A curve without bins" if two else "Arrows without bins",
                says=sentence,
                screen="smooth_curve.smooth_curve_figure" if two else "simplex.smooth_figure",
                paper="smooth_curve_print" if two else "smooth_print",
                of=arrows,
                noun=noun,
                table=table,
            ),
            Fold("The numbers as a table", (table,)),
            Methods("Methods", (smooth.method(arrows),)),
        ),
    )


def places_table(arrows: SmoothArrows) -> Table[int]:
    """A row a place: of two classes rising, of more the longest arrow in units of chance first."""
    columns = _of_curve(arrows) if len(arrows.class_names) == 2 else _of_arrows(arrows)
    return Table("places", "Places", columns, tuple(smooth.order(arrows)), rows_are="places")


def _of_curve(arrows: SmoothArrows) -> tuple[Column[int], ...]:
    return (
        Column("Predicted", "predicted", lambda j: float(arrows.predicted[j, 0]), percent),
        Column("", "happened", lambda j: float(arrows.observed[j, 0])),
        Column("", "happened less predicted", lambda j: float(arrows.arrows[j, 0])),
        Column("Happened more often", "", lambda j: float(arrows.curve[j]), points),
        Column("If calibrated", "", lambda j: smooth.allowed_words(arrows, j)),
        Column("", "allowed by chance", lambda j: float(arrows.band[j])),
        Column("", ("cases", "share"), lambda j: (float(arrows.cases[j]), float(arrows.shares[j]))),
        Column("Outside", "outside", lambda j: bool(arrows.strong[j]), lambda out: "yes" if out else ""),
    )


def _of_arrows(arrows: SmoothArrows) -> tuple[Column[int], ...]:
    names = arrows.class_names

    def each(what: str) -> tuple[str, ...]:
        return tuple(f"{what}: {name}" for name in names)

    return (
        Column("Place", "", lambda j: top_bins(arrows.predicted[j].tolist(), names)),
        Column("", each("predicted"), lambda j: tuple(arrows.predicted[j].tolist())),
        Column("", each("arrow"), lambda j: tuple(arrows.arrows[j].tolist())),
        Column("Happens more", "", lambda j: smooth.most_words(arrows, j)),
        Column("", "length", lambda j: float(arrows.lengths[j])),
        Column("", "allowed by chance", lambda j: float(arrows.allowed[j])),
        Column("Cases", "cases", lambda j: float(arrows.cases[j]), lambda cases: f"{cases:,.0f}"),
        Column("", "share", lambda j: float(arrows.shares[j])),
        Column(
            "Stands out", "stands out", lambda j: bool(arrows.strong[j]), lambda out: "yes" if out else "no"
        ),
    )
