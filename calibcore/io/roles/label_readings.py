"""Which labels go with columns of predictions: one column, one-hot columns, or whether answers were right."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from calibcore.column_names.class_forms import class_forms, class_names_of, counts_up
from calibcore.column_names.name_words import RIGHT, WRONG, says_of_answers
from calibcore.column_names.names import UNNAMED, parse
from calibcore.errors import InputError, NoLabelsError, OtherValuesError, Remedy
from calibcore.io.options import ReadOptions
from calibcore.io.roles import agreement, label_places, right_answers, thresholds
from calibcore.io.roles.binary_labels import LEVEL, one_column
from calibcore.io.roles.candidates import Candidate
from calibcore.io.roles.faulty_labels import FaultyLabels
from calibcore.io.roles.label_columns import LabelFit, LabelSearch, columns_of_labels, without_labels
from calibcore.io.roles.label_places import PAIRED_BY_NAME, Place, onehot_places
from calibcore.io.roles.labels import in_order, meanings
from calibcore.io.roles.look import Look
from calibcore.io.roles.meaning import ClassOptions, Meaning, Words, counted
from calibcore.io.roles.other_shapes import refuse_surest, refuse_third_class
from calibcore.io.roles.predicted_names import order_by_predicted
from calibcore.io.tables import Table, capitalised
from calibcore.numerics.types import Float
from calibcore.wording import listed


class LabelReadings:
    """The labels of one or two tables, for any columns of predictions."""

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
            try:
                return as_labels(j)
            except OtherValuesError as error:
                if m == 1:  # it may be a confidence as well, of which there is more to say
                    raise
                raise self._elsewhere(error, j, (*predictions, j), as_labels) from None

        def as_labels(j: int) -> tuple[Meaning, ...]:
            return meant(j, self.label_look.words(j), probs)

        def meant(j: int, words: Words, probs: Float) -> tuple[Meaning, ...]:
            if m == 1:
                refuse_third_class(self.look, candidate.columns[0], words)
                if not self.own_file and not class_options.names and len(probs) == len(self.look.rows):
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
            faulty = FaultyLabels(self.label_look, meant, probs, names, class_options.names)
            labels = LabelSearch(self.label_look, places, understood, probs, faulty)
            return labels.fits(self.own_file, in_words)

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

    def _elsewhere(
        self,
        error: InputError,
        j: int,
        used: Collection[int],
        as_labels: Callable[[int], tuple[Meaning, ...]],
    ) -> InputError:
        """What the column j holds instead of classes, and where the labels may be: in columns that hold
        classes, none of them ``used``, or in a file of their own."""
        asked = self.options.label_column is not None
        holding = []
        for place in label_places.find_places(self.label_look, None, self.own_file) if asked else ():
            (k,) = place.columns
            if k not in used and place.rank > label_places.PREDICTED:
                with suppress(InputError):
                    fits = as_labels(k)
                    likely = place.rank >= label_places.LABEL or any(fit.kind == "names" for fit in fits)
                    holding += [k] if likely and not any(fit.open for fit in fits) else []
        if self.own_file:
            offers = columns_of_labels(self.label_look, holding) if len(self.label_look.names) > 1 else ()
            return InputError(f"{error} Expected the class of every row in the file of labels.", offers)
        if asked or parse(self.label_look.names[j]).speaks_of_outcomes:
            return without_labels(error, self.label_look, holding)
        return NoLabelsError(
            f"No column holds the classes. {error} If the labels are in a file of their own, give that too.",
            columns_of_labels(self.label_look, ()),
        )

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
