"""The answer about a training run: where each of its sentences, tables and figures stands."""

from collections.abc import Callable

from calibcore.answers.blocks import (
    Answer,
    Caution,
    Chart,
    Headline,
    Methods,
    Notes,
    Sentences,
)
from calibcore.answers.question import Question
from calibcore.answers.tables import Column, Table, interval_column
from calibcore.questions.training import Epoch, TrainingRun
from calibcore.questions.training import words as training
from calibcore.questions.training.charts import training_says
from calibcore.wording import count, percent
from calibcore.words.looking import name_in
from calibcore.words.phrases import error, error_level, p_words, redraws_sentence
from calibcore.words.sizes import gap_cell, typical_digits


def says(run: TrainingRun, noun: str = "case", shared: TrainingRun | None = None) -> Answer:
    """The answer about all epochs. ``shared``: the same without what belongs to single cases; all is of
    it."""
    run = shared or run
    chart = _curves(run)
    return Answer(
        _about(run, noun),
        name_in(run),
        (
            Headline(training.headline(run)),
            Sentences(
                (
                    training.choice_sentence(run),
                    training.rejected_sentence(run),
                    training.reference_sentence(run),
                )
            ),
            chart.table,
            chart,
            Notes(run.notes),
            Methods("How a run is looked at", training.method_sentences(run), redraws_sentence(run.spec)),
            Caution(training.NO_CHOICE),
        ),
    )


def says_at(run: TrainingRun, epoch: Epoch, noun: str = "case") -> Answer:
    """The curves with one epoch marked, and what is known of it."""
    return Answer(
        _about(run, noun),
        name_in(run),
        (
            _curves(run, epoch),
            Headline(f"Epoch {epoch.number}"),
            Sentences((training.epoch_sentence(run, epoch),)),
        ),
    )


def _about(run: TrainingRun, noun: str) -> tuple[str, ...]:
    return count(run.n, noun), count(len(run.epochs), "epoch")


def _curves(run: TrainingRun, epoch: Epoch | None = None) -> Chart:
    return Chart(
        name="training",
        title="",
        says=training_says(run),
        screen="training.training_figure",
        paper="training_print",
        of=run,
        noun="",
        table=epochs_table(run),
        marked={} if epoch is None else {"chosen": epoch.number},
    )


def epochs_table(run: TrainingRun) -> Table[Epoch]:
    """A row an epoch."""
    gaps = [epoch.diagnosis.typical_gap for epoch in run.epochs]
    digits = typical_digits([gap for gap in gaps if gap is not None])
    distance = run.spec.distance

    def score(name: str) -> Callable[[Epoch], float]:
        return lambda epoch: epoch.diagnosis.scores[name]

    columns: tuple[Column[Epoch], ...] = (
        Column("Epoch", "epoch", lambda epoch: epoch.number, right=True),
        Column("Log loss", "log loss", score("log_loss"), "{:.4f}".format),
        Column("Accuracy", "accuracy", score("accuracy"), percent),
        interval_column(
            "Typical gap",
            "typical gap",
            lambda epoch: epoch.diagnosis.typical_gap,
            lambda gap: gap_cell(gap, digits),
        ),
        Column("Average gap (ECE)", "ECE", lambda epoch: epoch.ece, lambda ece: error(ece, distance)),
        Column(
            "ECE if calibrated",
            ("ECE by chance, low", "ECE by chance, high"),
            lambda epoch: epoch.ece_by_chance,
            lambda low, high: error_level(low, high, distance),
        ),
        Column("", "ECE, z", lambda epoch: epoch.ece_z),
        Column("", "p", lambda epoch: epoch.pvalue),
        Column("", "adjusted p", lambda epoch: epoch.adjusted),
        Column(
            "Adjusted p", "", lambda epoch: p_words(epoch.adjusted, epoch.at_floor, short=True), right=True
        ),
    )
    return Table("epochs", "Epochs", columns, run.epochs, rows_are="epochs")


QUESTION = Question(
    name="training",
    result=TrainingRun,
    title="How calibration changes while a model learns",
    help="calibration over the epochs of a training run",
    says=says,
)
