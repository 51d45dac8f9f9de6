"""What may be the predictions of a table."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Candidate:
    """Columns that may be the predictions, in the order of the classes.

    Attributes
    ----------
    why : the reason, for a note
    rank : how much the names of the columns say so
    doubt : why a person is asked, although nothing else is likelier
    """

    columns: tuple[int, ...]
    why: str
    rank: float = 0
    doubt: str = ""
