"""What each column of a table is, what the numbers are, and what the labels stand for.

Where several fit a person decides between them: each in words, with its first rows, and what speaks for it.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from calibcore import limits
from calibcore.column_names.class_forms import class_forms, class_names_of, counts_up
from calibcore.column_names.name_words import RIGHT, WRONG, says_of_answers
from calibcore.column_names.names import UNNAMED
from calibcore.errors import InputError, NoLabelsError, Remedy
from calibcore.io.options import ReadOptions, names_in_words
from calibcore.io.roles import (
    agreement,
    follow_up,
    label_places,
    prediction_columns,
    right_answers,
    thresholds,
)
from calibcore.io.roles.binary_labels import LEVEL, one_column
from calibcore.io.roles.candidates import DECISIONS, Candidate
from calibcore.io.roles.label_columns import LabelFit, LabelSearch, columns_of_labels
from calibcore.io.roles.label_places import PAIRED_BY_NAME, Place, onehot_places
from calibcore.io.roles.labels import in_order, meanings
from calibcore.io.roles.look import FIRST_ROWS, MOST_CELLS, MOST_OFFERED, Look
from calibcore.io.roles.meaning import ASK_NAMES, ClassOptions, Meaning, Words, counted
from calibcore.io.roles.other_shapes import refuse_other_shapes, refuse_surest, refuse_third_class
from calibcore.io.roles.predicted_names import order_by_predicted
from calibcore.io.roles.values import Kind, kinds_of, read_values, rough_probabilities
from calibcore.io.tables import Array, Table, capitalised, listed, quoted
from calibcore.numerics.types import Float, Int


@dataclass(frozen=True, eq=False)
class Understanding:
    """One way to read a table."""

    candidate: Candidate  # the columns of predictions
    values: Array  # (n, m) their numbers
    kind: Kind  # what these are
    place: Place  # where the labels stand, in the file of labels if there is one
    meaning: Meaning  # of the labels
    words: Words | None  # the labels; None if they are one-hot
    doubt: str = ""  # why a person is asked whether these are the labels
    notes: tuple[str, ...] = ()  # sentences on why
    time: str = ""  # the column of a follow-up time beside an event, "" if there is none

    @property
    def probs(self) -> tuple[int, ...]:
        """The columns of predictions, in the order of the classes."""
        return self.candidate.columns

    @property
    def in_doubt(self) -> bool:
        """Whether a person is asked, although nothing else is likelier."""
        return bool(self.candidate.doubt or self.kind.doubt or self.doubt or self.meaning.doubt)


WAS = "was"
"""What the label of a row is called, behind its probabilities."""
_Part: TypeAlias = tuple[str, Mapping[str, Any], str]
"""What a reading says of one thing: in words, as a change of options, and why that is in doubt."""
_OPEN = {
    "predictions": "It is open which columns are the predictions.",
    "labels": "It is open which column holds the labels.",
    "values": "It is open what the numbers are.",
    "meaning": "It is open what the labels stand for.",
}


def row_cells(names: Sequence[str], probs: Sequence[float] | Float, label: str) -> dict[str, str]:
    """A row as it was taken: the probability of each class, of as many as are shown, and what the row was."""
    cells = list(zip(names, probs, strict=True))[: MOST_CELLS - 1]
    was = WAS if WAS not in names else f"{WAS}:"
    return {name: f"{value:.3g}" for name, value in cells} | {was: label}


def understand(
    table: Table, second: Table | None, options: ReadOptions, look: Look | None = None
) -> Understanding:
    """Decide what each column is.

    ``second`` is the table of a file of labels, row by row that of the predictions; ``look`` may be at more
    than ``table`` holds. :class:`InputError` if there are no labels or no predictions, or if several readings
    fit, which are its remedies.
    """
    return _Search(table, second, options, look or Look(table)).one()


def rows_of(table: Table, second: Table | None, options: ReadOptions) -> tuple[dict[str, str], ...]:
    """The first rows, class by class, with the label of each; none if it is open what the columns are."""
    return rows_or_question(table, second, options) or ()


def rows_or_question(
    table: Table, second: Table | None, options: ReadOptions
) -> tuple[dict[str, str], ...] | None:
    """The same; () where a person chooses between readings first, None where there are none."""
    search = _Search(table, second, options, Look(table))
    try:
        return search.first_rows(search.one())
    except InputError as error:
        return () if any(remedy.rows for remedy in error.remedies) else None


def likeliest_columns(table: Table, second: Table | None, options: ReadOptions) -> tuple[Candidate, ...]:
    """What would first be taken for the probabilities of classes, by names and sums alone."""
    try:
        return _Search(table, second, options, Look(table)).likeliest()
    except InputError:
        return ()


class _Search:
    """All readings of one or two tables that fit."""

    def __init__(self, table: Table, second: Table | None, options: ReadOptions, look: Look) -> None:
        self.table, self.second, self.options, self.look = table, second, options, look
        self.label_look = Look(second) if second is not None else look
        self.own_file = second is not None
        self.named = table.named and not table.blocks
        self.notes: list[str] = []
        self.places = label_places.find_places(self.label_look, options.label_column, self.own_file)
        if options.label_column is None and not self.own_file:
            self.places = right_answers.proven_truths(self.label_look, self.places)
        if self.named and counts_up(table.names):
            self.named = False
            self.notes.append(f"The column names {listed(table.names, 3)} only count; they name no classes.")

    def one(self) -> Understanding:
        """The reading that fits; a question if there are several."""
        if not self.options.probability_columns and not self._owner_asked():
            refuse_other_shapes(self.look, self.label_look)
        refusal: InputError | None = None
        for tier in self._tiers():
            fits: list[Understanding] = []
            for candidate in tier:
                try:
                    fits += self._with_labels(candidate)
                except InputError as error:
                    if refusal is None or (error.remedies and not refusal.remedies):
                        refusal = error
            if fits:
                return self._decided(_compared(fits))
        assert refusal is not None
        raise refusal

    def likeliest(self) -> tuple[Candidate, ...]:
        """What may be the predictions, before labels are looked for."""
        return next(iter(self._tiers()), ())

    def _tiers(self) -> list[tuple[Candidate, ...]]:
        """What may be the predictions, the likeliest first."""
        own = self.places if not self.own_file else label_places.find_places(self.look, None, False)
        named = {
            j
            for place in own
            for j in place.columns
            if place.rank >= label_places.LABEL and (self.table.named or self.options.label_column)
        }
        if self.own_file and named:
            where = self.table.where(min(named))
            self.notes.append(f"{capitalised(where)} was not used: the labels are in the second file.")
        owner = self._owner_asked()
        if owner and not self.options.probability_columns:
            return [(Candidate(owner, f"its outcome is {self.table.where(min(named))}"),)]
        return prediction_columns.candidates(
            self.look,
            [j for j in range(len(self.look.names)) if j not in named and self.look.numeric[j]],
            label_places.likely_words(self.label_look, self.places),
            self.options,
        )

    def _owner_asked(self) -> tuple[int, ...]:
        """The column of predictions whose outcome a person names as the label, "prob1_outcome"; or none."""
        asked = self.places[0].columns if self.options.label_column and not self.own_file else ()
        return (
            tuple(self.look.outcomes[j] for j in asked if j in self.look.outcomes) if len(asked) == 1 else ()
        )

    def _with_labels(self, candidate: Candidate) -> list[Understanding]:
        """The readings that take these columns for the predictions."""
        m = len(candidate.columns)
        if m > limits.LIMITS.max_classes:
            raise InputError(
                f"There are {m:,} columns of predictions; the limit is {limits.LIMITS.max_classes:,} classes "
                "(CALIBLENS_MAX_CLASSES). Use fewer classes or raise the limit."
            )
        if self.options.class_names and m > 1:
            columns = prediction_columns.in_order_of(self.look, candidate.columns, self.options.class_names)
            candidate = replace(candidate, columns=columns)
        class_options = ClassOptions(self._class_names(candidate), self.options.label_base)
        try:
            kinds = kinds_of(self.look, candidate.columns, self.options)
        except InputError as error:
            raise self._that_lead_on(error) from None
        values = read_values(self.table, candidate.columns)
        readings = []
        for kind in kinds:
            probs = rough_probabilities(self.look.sample[:, list(candidate.columns)], kind.name)
            for fit in self._labels(candidate, class_options, probs):
                words = None if fit.place.onehot else self.label_look.words(fit.place.columns[0])
                time = follow_up.time_beside(self.label_look, fit.place)
                event = time and follow_up.is_event(self.label_look.names[fit.place.columns[0]])
                asked = event and not self.options.label_column
                doubt = " ".join(filter(None, (fit.doubt, follow_up.doubt(time) if asked else "")))
                readings.append(
                    Understanding(candidate, values, kind, fit.place, fit.meaning, words, doubt, time=time)
                )
        return readings

    def _that_lead_on(self, error: InputError) -> InputError:
        """The same without what would only be refused next: of ten classes one score mends nothing."""
        remedies, refusals = [], []
        for remedy in error.remedies:
            mended = self.options.mended(remedy)
            if not remedy.asks and mended == self.options:
                continue  # it was done, and is refused all the same
            if not {"values", "renormalise"} & set(remedy.change):
                remedies.append(remedy)
                continue
            try:
                _Search(self.table, self.second, mended, self.look).one()
            except InputError as refusal:
                if not refusal.remedies:
                    refusals.append(str(refusal))
                    continue
            remedies.append(remedy)
        if remedies or not refusals:
            error.remedies = tuple(remedies)
            return error
        return InputError(f"{error} {refusals[0]}")

    def _class_names(self, candidate: Candidate) -> tuple[str, ...] | None:
        """Class names that the user gives, else those that stand beside the arrays."""
        names = self.options.class_names or self.table.class_names
        if names is None:
            return None
        m = len(candidate.columns)
        if len(names) != max(m, 2):
            columns = listed(self.table.names_of(candidate.columns), 5)
            what = "one column of probabilities (2 names: negative, positive)" if m == 1 else f"{m:,} columns"
            raise InputError(
                f"There are {len(names):,} class names ({listed(names, 5)}) for {what} of predictions: "
                f"{columns}. Expected as many."
            )
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"The class name {quoted(twice)} stands twice; class names must differ.")
        return tuple(str(name) for name in names)

    def _labels(self, candidate: Candidate, class_options: ClassOptions, probs: Float) -> Sequence[LabelFit]:
        """The labels that go with these predictions."""
        m = len(candidate.columns)
        names = self.table.names_of(candidate.columns) if self.named else None
        predictions = () if self.own_file else candidate.columns
        own = tuple(place for place in self.places if not set(place.columns) & set(predictions))
        if self.options.label_column and not own:
            both = min(set(self.places[0].columns) & set(predictions))
            raise InputError(
                f"{capitalised(self.table.where(both))} is named for the labels and taken for predictions. "
                "Expected other columns for these."
            )
        if names:
            own = label_places.named_by_predictions(self.label_look, own, names)
        chosen = self.options.label_column is not None or self.label_look.table.label is not None
        if any(place.onehot for place in own):
            return self._onehot_asked(own[0], names, class_options, probs)
        if m == 1 and self.look.parsed[candidate.columns[0]].role == "confidence" and not self.own_file:
            own = thresholds.without(self.look, candidate.columns[0], own)
        if m == 1 and not chosen and not self.own_file:
            own = label_places.pair_of(self.look, own, candidate.columns[0])
        onehot = [] if chosen or m == 1 else self._onehot(names, predictions, class_options, probs)
        best = max((place.rank for place in own), default=label_places.PREDICTED)
        if onehot and max(fit.place.rank for fit in onehot) >= max(best, label_places.ANY):
            return onehot

        def understood(j: int) -> tuple[Meaning, ...]:
            words = self.label_look.words(j)
            if m == 1:
                refuse_third_class(self.look, candidate.columns[0], words)
                if not self.own_file and not class_options.names:
                    refuse_surest(self.look, candidate.columns[0], j, probs[:, 1])
                name = self.look.parsed[candidate.columns[0]] if names else UNNAMED
                if not self.own_file and self.look.outcomes.get(j) == candidate.columns[0]:
                    name = UNNAMED  # of "prob_no_outcome" a 1 says that it was "no"
                return one_column(words, name, class_options, probs[:, 1], self.look.constant(LEVEL))
            fitting = meanings(words, names, class_options, probs)
            if any(meaning.open for meaning in fitting) and not self.own_file:
                named = order_by_predicted(self.look, candidate.columns, words, probs)
                if named:
                    return (replace(in_order(words, named[0], ""), open=False, notes=(named[1],)),)
            return fitting

        in_words = self.label_look.table.named if self.own_file else self.named or bool(self.table.blocks)

        def search(places: Sequence[Place]) -> Sequence[LabelFit]:
            return LabelSearch(self.label_look, places, understood, probs).fits(self.own_file, in_words)

        label = self.table.label
        if self.table.certain and label is not None and not self.own_file and not self.options.label_column:
            place = next(place for place in self.places if place.columns == (label,))
            return [LabelFit(place, meaning) for meaning in understood(label)]
        answers = right_answers.places_of_answers(self.label_look, own)
        says = self.options.label_says
        if says in (RIGHT, WRONG):
            (place, *more) = [p for p in own if chosen or p in answers] or own[:1] or self.places[:1]
            if more:
                raise InputError(
                    f"It is open which column says whether answers were {says}.",
                    columns_of_labels(self.label_look, [p.columns[0] for p in (place, *more)]),
                )
            return [self._answers(place, says, candidate, names, class_options, probs)]
        about = says_of_answers(self.look.parsed[candidate.columns[0]].inner)  # "p_correct"
        likely = m > 1 or (not about and bool((probs[:, 1] < 0.5).any()))
        if not answers or says or not likely:
            return search(own)
        fits: Sequence[LabelFit] = ()
        rest = [place for place in own if place not in answers]
        with suppress(NoLabelsError):
            fits = search(rest) if rest and not chosen else ()
        if fits and not any(fit.doubt for fit in fits):
            return fits
        either = self._either_answers(answers, understood, candidate, names, class_options, probs, bool(fits))
        return [*fits, *either]

    def _either_answers(
        self,
        answers: Mapping[Place, str],
        understood: Callable[[int], tuple[Meaning, ...]],
        candidate: Candidate,
        names: list[str] | None,
        class_options: ClassOptions,
        probs: Float,
        known: bool = False,
    ) -> list[LabelFit]:
        """Columns such as "correct", as whether an answer was right and as what happened.

        ``known``: other columns may hold the labels.
        """
        fits: list[LabelFit] = []
        for place, says in answers.items():
            try:
                both = [self._answers(place, says, candidate, names, class_options, probs)]
            except InputError:
                if known:  # of some rows it says nothing, and other columns may be the labels
                    continue
                raise
            with suppress(InputError):
                both += [LabelFit(place, meaning) for meaning in understood(place.columns[0])]
            fits += right_answers.in_doubt(self.label_look, place, both, says)
        return fits

    def _answers(
        self,
        place: Place,
        says: str,
        candidate: Candidate,
        names: list[str] | None,
        class_options: ClassOptions,
        probs: Float,
    ) -> LabelFit:
        """The labels of which a column says whether the rounded answer was right."""
        several = len(candidate.columns) > 1
        classes = class_options.names or (class_names_of(names) if names and several else None)
        if several and not classes:
            classes = counted(2, 0)
        name = self.look.parsed[candidate.columns[0]] if names and not several else UNNAMED
        return right_answers.fit_of_answers(
            self.label_look, place, says, candidate.columns, name, classes, probs
        )

    def _onehot(
        self, names: list[str] | None, predictions: Sequence[int], class_options: ClassOptions, probs: Float
    ) -> list[LabelFit]:
        """One-hot labels of these predictions."""
        m = probs.shape[1]
        classes = class_options.names or (class_names_of(names) if names else None)
        forms = [classes, *(class_forms(names) if names and not class_options.names else ())]
        places = [place for form in forms for place in onehot_places(self.label_look, predictions, form, m)]
        by_name = [place for place in places if place[0].why == PAIRED_BY_NAME]
        pairs = list(dict.fromkeys(by_name or places))
        for place, order in () if by_name else pairs:
            self._refuse_other_order(place, order, probs)
        class_names = tuple(classes or counted(m, 0))
        return [LabelFit(place, Meaning(order, class_names, "one-hot")) for place, order in pairs]

    def _onehot_asked(
        self, place: Place, names: list[str] | None, class_options: ClassOptions, probs: Float
    ) -> list[LabelFit]:
        """One-hot labels that a person names."""
        m = probs.shape[1]
        classes = class_options.names or (class_names_of(names) if names else None)
        forms = [classes, *(class_forms(names) if names and not class_options.names else ())]
        pairs = [label_places.onehot_asked(self.label_look, place, form, m) for form in forms]
        likely, order = next((pair for pair in pairs if pair[0].why == PAIRED_BY_NAME), pairs[0])
        if likely.why != PAIRED_BY_NAME:
            self._refuse_other_order(likely, order, probs)
        return [LabelFit(likely, Meaning(order, tuple(classes or counted(m, 0)), "one-hot"))]

    def _refuse_other_order(self, place: Place, order: tuple[int, ...], probs: Float) -> None:
        """InputError if one-hot labels that only their order pairs go with the predictions in another."""
        ones = np.nan_to_num(self.label_look.sample[:, list(place.columns)])
        labels = np.asarray(order)[ones.argmax(axis=1)]
        named = self.named and self.label_look.table.named and not self.options.probability_columns
        weak = (
            named
            and not self.options.label_column
            and agreement.is_unclear(probs, labels, probs.shape[1] - 1 - labels)
        )
        if weak or agreement.better_order(probs, labels) is not None:
            raise InputError(
                f"The one-hot labels {listed(self.label_look.table.names_of(place.columns), 5)} do not "
                "clearly go with the predictions in the order of the columns, and have other names. Name "
                "them after the columns of predictions.",
                (Remedy("Name the predictions in the order of the labels", asks="probability_columns"),),
            )

    def _decided(self, fits: list[Understanding]) -> Understanding:
        """The only reading, if nothing speaks against it; else a question."""
        (first, *rest) = fits
        if rest or first.in_doubt:
            raise self._question(fits)
        return replace(first, notes=(*self.notes, *self._roles(first)))

    def _question(self, fits: Sequence[Understanding]) -> InputError:
        """Which of the readings is meant."""
        offered = [(fit, self._parts(fit)) for fit in fits]
        open_things = _open_things(fits, [part for _, part in offered])
        doubts = [part[thing][2] for thing in open_things for _, part in offered if part[thing][2]]
        if any(fit.kind.doubt for fit in fits):  # before that, what speaks of the values says nothing
            doubts = [doubt for doubt in doubts if not any(doubt == fit.meaning.doubt for fit in fits)]
        if len(fits) > MOST_OFFERED:  # one thing after the other
            open_things = open_things[:1]
            firsts: dict[str, tuple[Understanding, dict[str, _Part]]] = {}
            for fit, part in offered:
                firsts.setdefault(part[open_things[0]][0], (fit, part))
            offered = list(firsts.values())
        remedies = []
        for fit, part in offered[:MOST_OFFERED]:
            words = "; ".join(part[thing][0] for thing in open_things if part[thing][0])
            change: dict[str, Any] = {}
            for thing in open_things:
                change |= part[thing][1]
            remedies.append(Remedy(words, change, rows=self.first_rows(fit)))
        if any(fit.meaning.open and len(fit.meaning.class_names) > 2 for fit, _ in offered):
            remedies.append(ASK_NAMES)
        return InputError(" ".join(list(dict.fromkeys(doubts))[:2]) or _OPEN[open_things[0]], remedies)

    def _parts(self, fit: Understanding) -> dict[str, _Part]:
        """What a reading says of each thing that may be open."""
        names = tuple(self.table.names_of(fit.probs))
        label_names = self.label_look.table.names_of(fit.place.columns)
        predictions = f"The predictions are {listed(names, 5)}"
        if fit.candidate.doubt.endswith(DECISIONS):
            predictions = f"Take {listed(names, 5)} for probabilities all the same"
        labels = f"The labels are {listed(label_names, 5)}"
        if fit.time:
            labels = f"{labels}. {follow_up.COUNTED}"
        return {
            "predictions": (predictions, {"probability_columns": names}, fit.candidate.doubt),
            "labels": (labels, {"label_column": _asked_for(label_names)}, fit.doubt),
            "values": (fit.kind.words, {"values": fit.kind.name}, fit.kind.doubt),
            "meaning": (fit.meaning.words, fit.meaning.change, fit.meaning.doubt),
        }

    def first_rows(self, fit: Understanding) -> tuple[dict[str, str], ...]:
        """The first rows as a reading takes them: class by class its probability, and the label."""
        n = min(FIRST_ROWS, self.table.n)
        probs = rough_probabilities(self.look.first_numbers(fit.probs, n), fit.kind.name)
        names, numbers = fit.meaning.class_names, fit.meaning.numbers
        if fit.words is None:
            codes: Int = np.nan_to_num(self.label_look.first_numbers(fit.place.columns, n)).argmax(axis=1)
        else:
            codes = fit.words.first
        if fit.meaning.says != right_answers.OUTCOME:
            yes = np.asarray(numbers)[codes[:n]]
            numbers, codes = (0, 1), right_answers.rough_outcomes(probs, yes, fit.meaning.says)
        return tuple(row_cells(names, probs[i], names[numbers[codes[i]]]) for i in range(n))

    def _roles(self, fit: Understanding) -> tuple[str, ...]:
        """Sentences on which column is what, and why."""
        notes = []
        table, place = self.label_look.table, fit.place
        if not self.own_file:
            how = ", one-hot (exactly one 1 a row)" if place.onehot else f" ({place.why})"
            notes.append(f"Labels: {table.which(place.columns)}{how}.")
        if fit.time:
            notes.append(follow_up.note(fit.time))
        which = self.table.which(fit.probs)
        if fit.probs in self.table.blocks:
            array = self.table.names[fit.probs[0]].removesuffix("[0]")
            notes.append(f"Predictions: array {quoted(array)}.")
        elif place.onehot and not self.own_file:
            notes.append(f"Predictions: {which}, {place.why}.")
        else:
            notes.append(f"Predictions: {which} ({fit.candidate.why}).")
        return tuple(notes)


def _open_things(fits: Sequence[Understanding], parts: Sequence[Mapping[str, _Part]]) -> list[str]:
    """In what the readings differ, and what is in doubt."""
    differing = {
        "predictions": len({fit.probs for fit in fits}) > 1,
        "labels": len({fit.place.columns for fit in fits}) > 1,
        "values": len({(fit.probs, fit.kind.name) for fit in fits}) > len({fit.probs for fit in fits}),
        "meaning": len({(fit.probs, fit.place.columns, fit.kind.name) for fit in fits}) < len(fits),
    }
    return [thing for thing in _OPEN if differing[thing] or any(part[thing][2] for part in parts)]


def _asked_for(names: Sequence[str]) -> str:
    """The column of labels, or the one-hot columns, as a person names them."""
    return names[0] if len(names) == 1 else names_in_words(names)


def _compared(fits: list[Understanding]) -> list[Understanding]:
    """The same; where several sets of columns fit, each is in doubt."""
    if len({fit.probs for fit in fits}) < 2:
        return fits
    doubt = (
        "Several sets of columns sum to 1, and nothing says which are the predictions."
        if any(len(fit.probs) > 1 for fit in fits)
        else "Several columns may hold the probabilities, and nothing says which."
    )
    if all(fit.candidate.doubt.endswith(DECISIONS) for fit in fits):
        doubt = " ".join(list(dict.fromkeys(fit.candidate.doubt for fit in fits))[:2])
        doubt = f"No column seems to hold probabilities. {doubt}"
    return [replace(fit, candidate=replace(fit.candidate, doubt=doubt)) for fit in fits]
