"""The answer about models on the same cases: where each of its sentences, tables and figures stands."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from calibcore.answers.blocks import (
    Answer,
    Caution,
    Chart,
    Fold,
    Headline,
    Methods,
    Notes,
    Sentences,
)
from calibcore.answers.question import Question
from calibcore.answers.tables import Column, Table, interval_column
from calibcore.data.outside_text import visible
from calibcore.flags import can_be_typed
from calibcore.io import Reading
from calibcore.io.options import names_in_words
from calibcore.questions.compare import ComparedModel, Comparison, Nested, Pair, SharedBin
from calibcore.questions.compare import words as comparing
from calibcore.questions.compare.by_bin import Side
from calibcore.questions.compare.by_label import BY_LABEL
from calibcore.questions.compare.charts import comparison_says
from calibcore.wording import count, plural
from calibcore.words.looking import name_in
from calibcore.words.measures import SCORES, score_decimals, score_words
from calibcore.words.phrases import above_zero, p_words, signed, signed_range
from calibcore.words.repeating import (
    COMPARED,
    DECIDED,
    IN_PYTHON,
    PREDICTIONS,
    Command,
    Repeat,
    as_asked,
)
from calibcore.words.sizes import gap_cell, typical_digits
from calibcore.words.verdicts import adjusted_p, chip_text


def says(comparison: Comparison, noun: str = "case", shared: Comparison | None = None) -> Answer:
    """The answer. ``shared``: the same without what belongs to single cases; all is of it."""
    comparison = shared or comparison
    lens, models = name_in(comparison), models_table(comparison)
    pairs = tuple(comparing.pair_sentence(comparison, pair) for pair in comparison.pairs)
    nested = nested_table(comparison)
    return Answer(
        (count(comparison.n, noun), count(len(comparison.models), "model")),
        lens,
        (
            Headline(comparing.headline(comparison)),
            Sentences(
                (
                    comparing.size_sentence(comparison),
                    comparing.best_score(comparison),
                    comparing.accuracy_caution(comparison),
                )
            ),
            models,
            Chart(
                name="compare",
                title=models.title,
                says=comparison_says(comparison),
                caption=f"That is through {lens}.",
                screen="forest.comparison_figure",
                paper="comparison_print",
                of=comparison,
                noun="",
                table=models,
                term="typical gap",
                table_open=True,
            ),
            Notes((comparing.joined_sentence(comparison), *comparison.notes)),
            Fold("Pair by pair", (Sentences(pairs), pairs_table(comparison, comparison.pairs))),
            *((Fold(nested.title, (nested,)),) if comparison.nested else ()),
            Methods(
                "How models were compared",
                (
                    comparing.METHOD,
                    comparing.SCORES_METHOD,
                    *((comparing.NESTED_METHOD,) * bool(comparison.nested)),
                ),
                f"It takes {comparison.resamples:,} redraws, seed {comparison.spec.seed}.",
                drawn_for=2,
            ),
            Caution(comparing.BETTER_IS_NOT_ALL),
        ),
    )


def models_table(comparison: Comparison) -> Table[ComparedModel]:
    """A row a model, by typical gap."""
    digits = typical_digits([model.verdict.typical_gap for model in comparison.models])

    def score(head: str, name: str, decimals: int | None = None) -> Column[ComparedModel]:
        return Column(head, "", lambda model: score_words(model.diagnosis, name, decimals))

    def with_error(name: str) -> Column[ComparedModel]:
        return Column(
            "",
            (name, f"{name}, standard error"),
            lambda model: (model.diagnosis.scores[name], model.diagnosis.score_errors[name]),
        )

    def decimals(name: str) -> int:
        return score_decimals([model.diagnosis for model in comparison.models], name)

    # Of classes in order alone.
    ranked = ["rps"] * all("rps" in model.diagnosis.scores for model in comparison.models)
    columns: tuple[Column[ComparedModel], ...] = (
        Column("Model", "model", lambda model: model.name),
        Column("Verdict", "verdict", lambda model: chip_text(model.verdict)),
        interval_column(
            "Typical gap",
            "typical gap",
            lambda model: model.verdict.typical_gap,
            lambda gap: gap_cell(gap, digits),
        ),
        Column("", "p", lambda model: model.verdict.pvalue),
        Column("", "adjusted p", lambda model: model.verdict.adjusted),
        Column("Adjusted p", "", lambda model: adjusted_p(model.verdict, short=True)),
        score("Brier score", "brier", decimals("brier")),
        score("Log loss", "log_loss", decimals("log_loss")),
        *(score(SCORES[name], name, decimals(name)) for name in ranked),
        score("Accuracy", "accuracy"),
        *(with_error(name) for name in ("brier", "log_loss", *ranked, "accuracy")),
        Column("Not told apart from", "", lambda model: comparing.not_told_apart(comparison, model)),
    )
    return Table("models", "Models by their typical gap", columns, comparison.by_gap, rows_are="models")


def pairs_table(comparison: Comparison, pairs: Sequence[Pair]) -> Table[Pair]:
    """A row a pair, in the order of the models."""

    def gap(pair: Pair) -> tuple[float | None, ...]:
        gap = pair.gap
        return (None,) * 4 if gap is None else (gap.difference, gap.standard_error, gap.z, gap.pvalue)

    def brier(pair: Pair) -> tuple[float | bool | None, ...]:
        brier = pair.brier
        return (None,) * 4 if brier is None else (brier.difference, brier.low, brier.high, brier.by_betting)

    def p(pair: Pair) -> str:
        return "–" if pair.adjusted is None else p_words(above_zero(pair.adjusted), short=True)

    columns: tuple[Column[Pair], ...] = (
        Column("First", "a", lambda pair: pair.a),
        Column("Second", "b", lambda pair: pair.b),
        Column("Better calibrated", "", lambda pair: comparing.better(comparison, pair)),
        Column("", ("difference of squared gaps", "standard error", "z", "p"), gap),
        Column("", "adjusted p", lambda pair: pair.adjusted),
        Column("Adjusted p", "", p),
        Column(
            "",
            (
                "Brier difference",
                "Brier difference, low",
                "Brier difference, high",
                "Brier interval by betting",
            ),
            brier,
        ),
        Column("Brier difference", "", lambda pair: comparing.difference(pair.brier)),
        Column("", "log loss difference", lambda pair: pair.log_loss and pair.log_loss.difference),
        Column("Log loss difference", "", lambda pair: comparing.difference(pair.log_loss)),
        Column("", "accuracy difference", lambda pair: pair.accuracy.difference),
        Column("", "McNemar p", lambda pair: pair.accuracy.pvalue),
        Column("Right alone", "", lambda pair: f"{pair.accuracy.only_a:,} and {pair.accuracy.only_b:,}"),
        Column("p of accuracy", "", lambda pair: p_words(above_zero(pair.accuracy_adjusted), short=True)),
    )
    return Table(
        "pairs", "Pair by pair", columns, tuple(pairs), rows_are="pairs", notes=(comparing.DIFFERENCES,)
    )


def nested_table(comparison: Comparison) -> Table[Nested]:
    """A row a direction of a pair; of all classes, whatever the lens is."""
    columns: tuple[Column[Nested], ...] = (
        Column("Model", "model", lambda nested: nested.model),
        Column("Given", "given", lambda nested: nested.given),
        Column("Answer", "", lambda nested: comparing.left_out(comparison, nested)),
        Column(
            "",
            ("statistic", "p", "adjusted p"),
            lambda nested: (nested.statistic, nested.pvalue, nested.adjusted),
        ),
        Column("Adjusted p", "", lambda nested: p_words(nested.adjusted, nested.at_floor, short=True)),
    )
    title = "What each model leaves out"
    return Table("left-out", title, columns, comparison.nested, rows_are="directions", of_lens=False)


def scores_table(comparison: Comparison, pair: Pair) -> Table[tuple[str, str, str]]:
    """The scores of two models, and their differences with intervals; people alone read it."""
    diagnoses = {model.name: model.diagnosis for model in comparison.models}

    def column_of(name: str) -> Column[tuple[str, str, str]]:
        def words(score: tuple[str, str, str]) -> str:
            both = diagnoses[pair.a], diagnoses[pair.b]
            return score_words(diagnoses[name], score[1], score_decimals(both, score[1]))

        return Column(name, "", words)

    columns: tuple[Column[tuple[str, str, str]], ...] = (
        Column("Score", "", lambda score: score[0]),
        column_of(pair.a),
        column_of(pair.b),
        Column(comparing.DIFFERENCE, "", lambda score: score[2]),
    )
    scores = (
        ("Brier score", "brier", comparing.difference(pair.brier)),
        ("Log loss", "log_loss", comparing.difference(pair.log_loss)),
        ("Accuracy", "accuracy", f"adjusted {p_words(above_zero(pair.accuracy_adjusted))}"),
    )
    return Table("scores", "Scores", columns, scores, rows_are="scores", of_lens=False)


def bins_table(bins: Sequence[SharedBin], names: tuple[str, str], noun: str = "case") -> Table[SharedBin]:
    """A row a bin that two models share."""

    def cell(side: Side) -> str:
        chance = f"{signed_range(side.low, side.high)} if calibrated"
        return f"{signed(100 * side.deviation, 1)} points ({chance}; {count(side.cases, noun)})"

    def numbers(side: Side | None) -> tuple[float | None, ...]:
        return (None,) * 4 if side is None else (side.cases, side.deviation, side.low, side.high)

    heads = ("cases", "observed less predicted", "if calibrated, low", "if calibrated, high")

    def columns_of(name: str, side: Callable[[SharedBin], Side | None]) -> tuple[Column[SharedBin], ...]:
        return (
            Column(name, "", side, cell, unknown=f"no {plural(noun)}"),
            Column("", tuple(f"{name}: {head}" for head in heads), lambda shared: numbers(side(shared))),
        )

    columns: tuple[Column[SharedBin], ...] = (
        Column("Predicted", "", comparing.predicted),
        Column("", ("from", "to"), lambda shared: (shared.start, shared.end)),
        *columns_of(names[0], lambda shared: shared.a),
        *columns_of(names[1], lambda shared: shared.b),
    )
    return Table("bins", "Bin by bin", columns, tuple(bins), rows_are="bins")


def _named(comparison: Comparison, name: Callable[[str], str], line: Callable[[str], str]) -> Comparison:
    """No two names alike."""
    names: dict[str, str] = {}
    for model in comparison.models:
        short, number = name(model.name), 1
        while (shown := short if number == 1 else f"{short} ({number})") in names.values():
            number += 1
        names[model.name] = shown
    return replace(
        comparison,
        models=tuple(replace(model, name=names[model.name]) for model in comparison.models),
        pairs=tuple(replace(pair, a=names[pair.a], b=names[pair.b]) for pair in comparison.pairs),
        nested=tuple(
            replace(nested, model=names[nested.model], given=names[nested.given])
            for nested in comparison.nested
        ),
        notes=tuple(map(line, comparison.notes)),
    )


def comparison_command(comparison: Comparison, origins: Mapping[str, Reading | str]) -> Repeat:
    """The command that gives a comparison again; ``origins`` says by name how each file was read."""
    command = Command("compare")
    given = [origins.get(model.name, IN_PYTHON) for model in comparison.models]
    readings = [origin for origin in given if isinstance(origin, Reading)]
    in_one = _in_one_file(given)
    if readings:
        files = "the file, under the name that it" if in_one else "the files, under the names that they"
        command.notes.append(f"Run it in the folder of {files} had.")
    models = [] if in_one is not None else list(zip(comparison.models, given, strict=True))
    for number, (model, origin) in enumerate(models, start=1):
        instead = f"MODEL{number}"
        if isinstance(origin, Reading):
            command.file(origin.name, instead)
        else:
            note = f"stands for a file of the predictions of {visible(model.name)}: {origin}."
            command.stand_in(instead, note)
    if in_one is not None:
        command.file(in_one.name, PREDICTIONS)
        command.read(in_one)
        command.column("--models", names_in_words([reading.options.model or "" for reading in readings]))
    elif readings:
        first = readings[0]
        command.read(first)
        if any((r.options, r.labels_name) != (first.options, first.labels_name) for r in readings):
            command.notes.append(
                "The files were read with settings of their own; the command has those of the first."
            )
    if comparison.joined_by is not None and can_be_typed(comparison.joined_by):
        command.flag("--id", comparison.joined_by)
    two = len(comparison.models[0].diagnosis.reliability.class_names) == 2
    named = (
        DECIDED if two and comparison.binning is None else COMPARED
    )  # its own bins are asked for by silence
    return command.repeat(as_asked(comparison.spec), named)


def _in_one_file(origins: Sequence[Reading | str]) -> Reading | None:
    """How the one file was read that holds all models, whichever of them; None where there is none."""
    readings = [origin for origin in origins if isinstance(origin, Reading)]
    models = {reading.options.model for reading in readings} - {None}
    ways = {(r.name, r.labels_name, replace(r.options, model=None)) for r in readings}
    if len(models) < len(origins) or len(ways) > 1:
        return None
    return replace(readings[0], options=replace(readings[0].options, model=None))


QUESTION = Question(
    name="comparison",
    result=Comparison,
    title="Which model is better calibrated",
    help="models on the same cases: which is better calibrated",
    says=says,
    without_cases=Comparison.without_cases,
    repeat=comparison_command,
    again="And this one the same comparison of models:",
    frame="pairs",
    named=_named,
    place=10,
    what="The models are",
    made_of=lambda _: None,
    several=True,
    against=comparing.against,
    by_label=BY_LABEL,
)
