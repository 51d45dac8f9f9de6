"""What each column of a table is, what the numbers are, and what the labels stand for.

Where several fit a person decides between them: each in words, with its first rows, and what speaks for it.
"""

from dataclasses import replace

from calibcore import limits
from calibcore.errors import InputError
from calibcore.io.options import ReadOptions
from calibcore.io.roles import follow_up, label_places, prediction_columns
from calibcore.io.roles.candidates import Candidate
from calibcore.io.roles.label_readings import LabelReadings
from calibcore.io.roles.look import Look
from calibcore.io.roles.meaning import ClassOptions
from calibcore.io.roles.other_shapes import refuse_other_shapes
from calibcore.io.roles.table_reading import Understanding, compared, first_rows, question, roles
from calibcore.io.roles.values import kinds_of, read_values, rough_probabilities
from calibcore.io.tables import Table, capitalised
from calibcore.wording import listed, quote


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
        return first_rows(search.one(), table, search.look, search.label_look)
    except InputError as error:
        return () if any(remedy.rows for remedy in error.remedies) else None


def likeliest_columns(table: Table, second: Table | None, options: ReadOptions) -> tuple[Candidate, ...]:
    """What would first be taken for the probabilities of classes, by names and sums alone."""
    try:
        return _Search(table, second, options, Look(table)).likeliest()
    except InputError:
        return ()


class _Search(LabelReadings):
    """All readings of one or two tables that fit."""

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
                return self._decided(compared(fits))
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
            are = "is 1 class name" if len(names) == 1 else f"are {len(names):,} class names"
            raise InputError(
                f"There {are} ({listed(names, 5)}) for {what} of predictions: {columns}. Expected as many."
            )
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"The class name {quote(twice)} stands twice; class names must differ.")
        return tuple(str(name) for name in names)

    def _decided(self, fits: list[Understanding]) -> Understanding:
        """The only reading, if nothing speaks against it; else a question."""
        (first, *rest) = fits
        if rest or first.in_doubt:
            raise question(fits, self.table, self.look, self.label_look)
        return replace(first, notes=(*self.notes, *roles(first, self.table, self.label_look, self.own_file)))
