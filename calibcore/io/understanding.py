"""A reading of a table: which columns are what, what the numbers are, and what the labels stand for."""

from dataclasses import dataclass

from calibcore.io.candidates import Candidate
from calibcore.io.kinds import Kind
from calibcore.io.label_places import Place
from calibcore.io.label_words import Words
from calibcore.io.meaning import Meaning
from calibcore.io.tables import Array


@dataclass(frozen=True, eq=False)
class Understanding:
    """One way to read a table.

    Attributes
    ----------
    candidate : the columns of predictions
    values : (n, m) their numbers
    kind : what these are
    place : where the labels stand, in the file of labels if there is one
    meaning : of the labels
    words : the labels; None if they are one-hot
    onehot : the class of each of the columns of one-hot labels
    doubt : why a person is asked whether these are the labels
    notes : sentences on why
    rows : the first rows, class by class, and what each was
    """

    candidate: Candidate
    values: Array
    kind: Kind
    place: Place
    meaning: Meaning
    words: Words | None
    onehot: tuple[int, ...] = ()
    doubt: str = ""
    notes: tuple[str, ...] = ()
    rows: tuple[dict[str, str], ...] = ()

    @property
    def probs(self) -> tuple[int, ...]:
        """The columns of predictions, in the order of the classes."""
        return self.candidate.columns

    @property
    def in_doubt(self) -> bool:
        """Whether a person is asked, although nothing else is likelier."""
        return bool(self.candidate.doubt or self.kind.doubt or self.doubt or self.meaning.doubt)
