"""What cannot be used, in one sentence, and what would mend it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Remedy:
    """What would mend a refused reading, or one of several readings between which a person decides.

    Attributes
    ----------
    words : what it does, as a button says it: "Divide every row by its sum"
    change : fields of :class:`calibcore.io.ReadOptions` and what they become
    asks : the field whose value only a person knows, where there is nothing to change yet
    each : what it is asked of, one by one: the words that stand for a confidence
    rows : how this reading takes the first rows, up to three: what a cell is called -> what it holds.
        Remedies with rows are shown beside each other, to choose from
    """

    words: str
    change: Mapping[str, Any] = field(default_factory=dict)
    asks: str = ""
    each: tuple[str, ...] = ()
    rows: tuple[Mapping[str, str], ...] = ()

    @property
    def fields(self) -> frozenset[str]:
        """The fields that it changes or asks for."""
        return frozenset((*self.change, *([self.asks] if self.asks else [])))


class InputError(ValueError):
    """Something from outside cannot be used. The message is for the person who gave it.

    The sentence names no setting: the command line adds the flags of the ``remedies``, the app draws them as
    buttons, and a traceback names the fields.

    Attributes
    ----------
    remedies : what would mend it, the likeliest first; where several readings fit, the readings
    columns, label_columns : names of the columns of the file of predictions and of the file of labels, where
        these could be read
    kinds : where several things are wrong, a sentence or two on each
    rows : how many the file of predictions has; None where that is not known
    lines_above : lines of the file above its first row, which a spreadsheet counts, too; 0 where it does not
        or that is not known

    Examples
    --------
    >>> from calibcore import InputError, Predictions
    >>> try:
    ...     Predictions.from_arrays([[0.9, 0.3]], [0])
    ... except InputError as error:
    ...     print(error)
    Row 1 sums to 1.2. Rows must sum to 1.
    """

    def __init__(self, sentence: str, remedies: Sequence[Remedy] = ()) -> None:
        super().__init__(sentence)
        self.remedies = tuple(remedies)
        self.columns: tuple[str, ...] = ()
        self.label_columns: tuple[str, ...] = ()
        self.kinds: tuple[str, ...] = ()
        self.rows: int | None = None
        self.lines_above = 0

    def reworded(self, sentence: str) -> "InputError":
        """Another sentence with the same remedies."""
        return InputError(sentence, self.remedies)

    def only(self, fields: Collection[str]) -> "InputError":
        """The same sentence with the remedies that need no other fields than these."""
        return InputError(str(self), [remedy for remedy in self.remedies if remedy.fields <= set(fields)])

    def name_fields(self, fields: Collection[str]) -> None:
        """A traceback names those of ``fields`` that would mend it."""
        for remedy in self.remedies:
            values = [f"{name}={value!r:.60}" for name, value in remedy.change.items()] or [remedy.asks]
            note = f"{remedy.words} ({', '.join(values)})."
            if remedy.fields <= set(fields) and note not in getattr(self, "__notes__", ()):
                self.add_note(note)


class NoLabelsError(InputError):
    """Predictions were found, and no labels: they may be in a file of their own."""


class OtherValuesError(InputError):
    """A column was looked at for the labels, and holds other values than classes. The sentence says which."""


class SeveralModelsError(InputError):
    """A file holds the predictions of several models: one of them can be read, or all be compared.

    Attributes
    ----------
    models : their names, in the order of the file
    model_column : the column that says which model a row is from; empty where they stand beside each other
    """

    def __init__(
        self,
        sentence: str,
        remedies: Sequence[Remedy] = (),
        models: Sequence[str] = (),
        model_column: str = "",
    ) -> None:
        super().__init__(sentence, remedies)
        self.models, self.model_column = tuple(models), model_column


class SeveralLabelsError(InputError):
    """Each case of a file has several labels: one of them can be read, or all be surveyed."""


class NoSuchModelError(InputError):
    """A file does not hold the model that was asked for; ``models`` are those that it holds, if several."""

    def __init__(self, sentence: str, remedies: Sequence[Remedy] = (), models: Sequence[str] = ()) -> None:
        super().__init__(sentence, remedies)
        self.models = tuple(models)
