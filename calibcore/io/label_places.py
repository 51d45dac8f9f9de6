"""Where labels may stand, by what the columns are called."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from calibcore.errors import InputError
from calibcore.io.look import Look, find_column
from calibcore.io.name_words import names_an_event, tokens

TRUTH, LABEL, ANY, BESIDE, PREDICTED = 3, 2, 1, 0, -1
"""Ranks by name: what happened; what happened, or what was predicted; nothing; something else."""
RANKS = {"truth": TRUTH, "label": LABEL, "other": BESIDE, "confidence": BESIDE, "predicted": PREDICTED}
"""Role of a name -> its rank."""
BY_NAME, BY_PREDICTIONS = "because of its name", "its name stands in those of the predictions"


@dataclass(frozen=True)
class Place:
    """Where labels may stand.

    Attributes
    ----------
    columns : one column, or one a class if they are one-hot
    rank : how much the names say so
    why : the reason, for a note
    """

    columns: tuple[int, ...]
    rank: int
    why: str

    @property
    def onehot(self) -> bool:
        return len(self.columns) > 1


def find_places(look: Look, name: str | None, own_file: bool) -> tuple[Place, ...]:
    """The columns that may be the labels, the likeliest by name first.

    ``own_file``: they are in a file of their own.
    """
    if name is not None:
        return (Place((find_column(look.table, name),), TRUTH, "as asked"),)
    if look.table.label is not None:
        return (Place((look.table.label,), LABEL, "the array of labels"),)
    if own_file and len(look.names) == 1 and look.parsed[0].role != "predicted":
        return (Place((0,), TRUTH, "the only column of the file"),)
    columns = [j for j in range(len(look.names)) if look.may_hold_labels(j)]
    ranks = {j: _rank(look, j) for j in columns}
    events = {
        tokens(look.names[j])[0].text for j, rank in ranks.items() if rank == LABEL and _is_event(look, j)
    }
    for j in columns:  # "died_30d" beside "died"
        if (
            ranks[j] == ANY
            and events & {t.text for t in tokens(look.names[j])[:1]}
            and _has_two_values(look, j)
        ):
            ranks[j] = LABEL
    for j in columns:
        if look.names[j] == "Class" and _is_of_catboost(look.names):
            ranks[j] = PREDICTED
    columns_by_rank = [Place((j,), rank, BY_NAME) for j, rank in ranks.items()]
    return tuple(sorted(columns_by_rank, key=lambda place: -place.rank))


def _is_of_catboost(names: Sequence[str]) -> bool:
    """Whether CatBoost wrote the columns: its "Class" is what it says, and "Label" what happened."""
    own = [name for name in names if name == "Probability" or name.startswith("Probability:Class=")]
    return bool(own) and "Label" in names


def _rank(look: Look, j: int) -> int:
    parsed = look.parsed[j]
    if _is_event(look, j) and _has_two_values(look, j):
        return LABEL
    if parsed.role == "label" and parsed.inner and look.numeric[j] and look.unit[j]:
        return ANY  # "y_cat" is one of one-hot labels
    return RANKS.get(parsed.role, ANY)


def _is_event(look: Look, j: int) -> bool:
    return look.table.named and not look.parsed[j].role and names_an_event(look.parsed[j].text)


def _has_two_values(look: Look, j: int) -> bool:
    return 0 < look.table.columns[j].iloc[look.rows].nunique() <= 2


def named_by_predictions(look: Look, places: Sequence[Place], names: Sequence[str]) -> tuple[Place, ...]:
    """The same; a column whose name stands in those of all predictions, as "BAD" in "P_BAD1", is likelier."""
    folded = [name.casefold() for name in names]

    def better(place: Place) -> Place:
        own = look.names[place.columns[0]].casefold()
        inside = len(own) > 2 and all(own in name and own != name for name in folded)
        if inside and place.rank == ANY and look.table.named:
            return replace(place, rank=LABEL, why=BY_PREDICTIONS)
        return place

    return tuple(map(better, places))


def likely_words(look: Look, places: Sequence[Place]) -> list[frozenset[str]]:
    """The labels of the columns that are likeliest by name, or of all columns of text."""
    named = [place for place in places if place.rank >= LABEL]
    texts = [place for place in places if place.rank == ANY and not look.numeric[place.columns[0]]]
    words = []
    for place in named or texts:
        try:
            words.append(look.words(place.columns[0]).known)
        except InputError:
            continue
    return words + _onehot_words(look)


def _onehot_words(look: Look) -> list[frozenset[str]]:
    """Of columns of 0 and 1 that are named like labels the classes: "true_cat", "true_dog" -> cat, dog."""
    groups: dict[str, set[str]] = {}
    for j, parsed in enumerate(look.parsed):
        if parsed.inner and parsed.role in ("truth", "label") and look.integral[j] and look.unit[j]:
            groups.setdefault(parsed.shape, set()).add(parsed.inner)
    return [frozenset(words) for words in groups.values() if len(words) > 1]
