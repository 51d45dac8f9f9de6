"""What the user says about a file, and names and numbers of rows as they are typed."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from calibcore import limits
from calibcore.data.outside_text import spelled_out
from calibcore.errors import InputError, Remedy
from calibcore.flags import can_be_typed, typed
from calibcore.io.tables import number_in, runs
from calibcore.wording import listed, quote

SAYS = ("outcome", "right", "wrong")
UNSURE_WORDS = ("unknown", "no", "yes")
"""What −1 may stand for in one of several labels."""
NO_ORDER = ("none",)
"""What is said of classes that have no order, though they look as if they had."""
KINDS = ("auto", "probabilities", "percent", "logits", "log-probabilities")


def names_from_words(words: str) -> tuple[str, ...] | None:
    """Names between commas, or a JSON list of them; None for no names."""
    try:
        names = json.loads(words) if words.lstrip().startswith("[") else None
    except (ValueError, RecursionError):
        names = None
    if isinstance(names, list) and all(isinstance(name, str) for name in names):
        return tuple(names)
    return tuple(name.strip() for name in words.split(",")) if words.strip() else None


def names_in_words(names: Sequence[str], may_be: bool = True) -> str:
    """The inverse of :func:`names_from_words`: as JSON where commas would not do, or ``may_be`` is False."""
    words = ",".join(names)
    if not names:
        return words
    plain = may_be and not words.lstrip().startswith("[") and names_from_words(words) == tuple(names)
    return words if plain else spelled_out(json.dumps(list(names), ensure_ascii=False))


def rows_from_words(words: str) -> tuple[int, ...]:
    """Numbers of rows as in ``3, 17, 25-40``; :class:`InputError` for anything else."""
    rows: set[int] = set()
    total, most = 0, limits.LIMITS.max_rows
    for part in filter(None, re.split(r"[\s,;]+", re.sub(r"\s*[-–]\s*", "-", words))):
        match = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        total += last - first + 1
        if not 1 <= first <= last <= most or total > most:
            raise InputError(f"The rows are {words!r:.60}; expected their numbers, as in 3, 17, 25-40.")
        rows.update(range(first, last + 1))
    return tuple(sorted(rows))


def _places(rows: Sequence[int], dash: str) -> list[str]:
    return [str(run[0]) if len(run) == 1 else f"{run[0]}{dash}{run[-1]}" for run in runs(rows)]


def rows_in_words(rows: Sequence[int]) -> str:
    """The inverse of :func:`rows_from_words` for rows in order: "3,17,25-40"."""
    return ",".join(_places(rows, "-"))


def _names_as_typed(names: Sequence[str]) -> str:
    """As JSON, in which all can be seen, where a shell would not take one."""
    return names_in_words(names, all(map(can_be_typed, names)))


def _delimiter_from_words(words: str) -> str:
    return "\t" if words in ("tab", "\\t") else words


def _delimiter_in_words(delimiter: str) -> str:
    return "tab" if delimiter == "\t" else delimiter


@dataclass(frozen=True)
class ReadOptions:
    """What the user says about a file; whatever is left out is found out, and said.

    Attributes
    ----------
    label_column : name of the column of labels (of the second file, if there is one); one-hot columns between
        commas or as a JSON list, or a sequence of their names
    probability_columns : names of the columns of predictions, in the order of the classes
    values : auto, probabilities, percent, logits or log-probabilities
    label_base : the integer, 0 or 1, that stands for the first class
    label_says : "outcome", what happened, or of two classes whether the likelier one was "right" or "wrong"
    header : whether the first row of the file of predictions names the columns
    delimiter : of the file of predictions: one character, or its name, such as "tab"
    class_names : names in the order of the columns; of columns of predictions, if there are such; for one
        column of probabilities the negative class, then the positive one
    renormalise : divide every row by its sum, however far that is from 1
    transpose : of predictions with a row a class and a column a case: turn them round
    leave_out_rows : numbers, from 1, of cases that are not read
    join : how the rows of two files belong together: "rows", in their order, or the name of a column of the
        file of labels whose values stand in the file of predictions, too
    columns_are : the classes whose probabilities the columns hold, if these are others than they say: each
        class once, in the order of the class names
    swap_files : whether the second file holds the predictions and the first the labels; None: it is found out
    model : which of several models of the file is read, by its name
    model_column : name of the column that says which model a row is from, where that is not found out; or of
        several that say so together, between commas as in "model,prompt", whose models are as "bert / v2"
    count_column : name of a column of whole numbers: a row stands for so many identical, independent cases
    weight_column : name of a column of weights, such as sampling weights; weighted cases give estimates only
    sample : only so many of the cases, drawn at random; the same ones every time
    rows_where : only the rows in which columns have these values, each as "column=value"; ("all",) keeps all
        rows of a file in which several models seem to stand below each other
    confidence_column : name of the column that says how sure the model was of its answer, where the
        probabilities of all classes are not known
    prediction_column : name of the column of these answers; ``label_column`` is that of the truth
    correct_column : name of the column that says whether each answer was right
    confidence_words : what words stand for in the column of confidences, each as "high=0.9"
    by_length : of a log of a language model: divide the log-likelihood of each option by its length
    label : name of the label that is read where each case has several, any number of which may be true;
        "all" for all of them, in a survey
    unsure_labels : what an outcome of −1 stands for where each case has several labels: "unknown", "no" or
        "yes"
    ordered : the classes in order, as grades are, the lowest first; ("none",) says that they have none
    """

    label_column: str | None = typed(
        None, "the column that holds the labels, or one-hot columns between commas: a,b,c", metavar="NAME"
    )
    probability_columns: tuple[str, ...] | None = typed(
        None,
        "the columns of predictions, in the order of the classes",
        metavar="A,B,…",
        read=names_from_words,
        words=_names_as_typed,
    )
    values: str = typed("auto", "what the numbers are", choices=[kind for kind in KINDS if kind != "auto"])
    label_base: int | None = typed(None, "integer labels count from 0 or 1", choices=(0, 1))
    label_says: str | None = typed(
        None, "what happened, or of two classes whether the likelier one was right or wrong", choices=SAYS
    )
    header: bool | None = typed(None, "whether the first line names the columns")
    delimiter: str | None = typed(
        None,
        "what separates the columns ('tab' for a tab)",
        metavar="C",
        read=_delimiter_from_words,
        words=_delimiter_in_words,
    )
    class_names: tuple[str, ...] | None = typed(
        None,
        'the classes, in the order of the columns; also as JSON: ["A"]',
        metavar="A,B,…",
        read=names_from_words,
        words=_names_as_typed,
    )
    renormalise: bool = typed(False, "divide every row by its sum")
    transpose: bool = typed(False, "the predictions have a row a class: turn them round")
    model: str | None = typed(
        None, "which of several models in the file is read", metavar="NAME", listed_after="rows_where"
    )
    model_column: str | None = typed(
        None,
        "the column that says which model a row is from, or several that do so together: a,b",
        metavar="NAME",
        listed_after="model",
    )
    count_column: str | None = typed(
        None, "how many identical cases a row stands for", metavar="NAME", listed_after="probability_columns"
    )
    weight_column: str | None = typed(
        None, "weights; they give estimates, no tests", metavar="NAME", listed_after="count_column"
    )
    leave_out_rows: tuple[int, ...] = typed(
        (),
        "cases not to read, from 1: 3,17,25-40",
        metavar="N,N-N,…",
        read=rows_from_words,
        words=rows_in_words,
    )
    swap_files: bool | None = typed(
        None, "whether the predictions are in the file of --labels", listed_after="columns_are"
    )
    join: str | None = typed(
        None,
        "how the rows of two files belong together: 'rows', in their order, or by this column of both",
        metavar="NAME",
    )
    sample: int | None = typed(
        None, "only N of the cases, drawn at random", metavar="N", listed_after="model_column"
    )
    columns_are: tuple[str, ...] | None = typed(
        None,
        "the classes of the columns, if they are others than they say",
        metavar="A,B,…",
        read=names_from_words,
        words=_names_as_typed,
    )
    rows_where: tuple[str, ...] | None = typed(
        None,
        "only the rows with these values, as those of one of several models; 'all' keeps all",
        metavar="COLUMN=VALUE,…",
        read=names_from_words,
        words=_names_as_typed,
    )
    confidence_column: str | None = typed(
        None, "how sure the model was, where only that is known", metavar="NAME", listed_after="label_says"
    )
    prediction_column: str | None = typed(
        None,
        "what the model answered, beside its confidence",
        metavar="NAME",
        listed_after="confidence_column",
    )
    correct_column: str | None = typed(
        None,
        "whether each answer was right, beside its confidence",
        metavar="NAME",
        listed_after="prediction_column",
    )
    confidence_words: tuple[str, ...] | None = typed(
        None,
        "what words for a confidence stand for: high=0.9,medium=0.6,low=0.3",
        metavar="WORD=P,…",
        read=names_from_words,
        words=_names_as_typed,
        listed_after="correct_column",
    )
    by_length: bool = typed(
        False, "of a log of a language model: divide the log-likelihood of each option by its length"
    )
    label: str | None = typed(
        None,
        "where a case has several labels, the one to read; 'all' of them in a survey",
        metavar="NAME",
        listed_after="label_says",
    )
    unsure_labels: str | None = typed(
        None, "what -1 stands for in one of several labels", choices=UNSURE_WORDS, listed_after="label"
    )
    ordered: tuple[str, ...] | None = typed(
        None,
        "the classes in order, the lowest first; 'none' where they have none",
        metavar="LOW,…,HIGH",
        read=names_from_words,
        words=_names_as_typed,
        listed_after="class_names",
    )

    def mended(self, remedy: Remedy) -> "ReadOptions":
        """These with what a remedy changes; rows are left out, or chosen, beside those that already were."""
        change = dict(remedy.change)
        if "leave_out_rows" in change:
            change["leave_out_rows"] = tuple(sorted({*self.leave_out_rows, *change["leave_out_rows"]}))
        if "rows_where" in change:
            change["rows_where"] = tuple(dict.fromkeys((*(self.rows_where or ()), *change["rows_where"])))
        return replace(self, **change)


FIELDS = tuple(f.name for f in fields(ReadOptions))
"""All that a person can say about a file."""


_SEVERAL_NAMES = (
    "class_names", "probability_columns", "columns_are", "rows_where", "confidence_words", "ordered",
)  # fmt: skip


def checked_options(options: ReadOptions) -> ReadOptions:
    """The same, names as a tuple; :class:`InputError` for a value that does not exist."""
    for several in _SEVERAL_NAMES:
        names = getattr(options, several)
        if names is not None:  # a list is as good, and none of them is as none given
            change: dict[str, Any] = {several: tuple(map(str, names)) or None}
            options = replace(options, **change)
    labels: Any = options.label_column
    if labels is not None and not isinstance(labels, str):
        known = tuple(map(str, labels))
        options = replace(
            options, label_column=known[0] if len(known) == 1 else names_in_words(known) or None
        )
    columns = options.probability_columns or ()
    if len(set(columns)) < len(columns):
        raise InputError(f"A column of predictions is named twice: {listed(columns)}.")
    if options.values not in KINDS:
        raise InputError(
            f"The values were said to be {quote(options.values)}; expected one of {', '.join(KINDS)}."
        )
    confidence_words_of(options.confidence_words)
    rows = tuple(sorted(set(options.leave_out_rows)))
    if rows and rows[0] < 1:
        raise InputError(f"Rows are numbered from 1; row {rows[0]} cannot be left out.")
    options = replace(options, leave_out_rows=rows)
    if options.label_base not in (None, 0, 1):
        raise InputError(f"Labels count from 0 or from 1, not from {quote(options.label_base)}.")
    if options.label_says not in (None, *SAYS):
        raise InputError(
            f"The labels were said to say {quote(options.label_says)}; expected one of {', '.join(SAYS)}."
        )
    if options.unsure_labels not in (None, *UNSURE_WORDS):
        raise InputError(
            f"Outcomes of −1 were said to be {quote(options.unsure_labels)}; expected one of "
            f"{', '.join(UNSURE_WORDS)}."
        )
    return options


def confidence_words_of(pairs: Sequence[str] | None) -> dict[str, float]:
    """Word in small letters -> the confidence that it stands for: of ("high=0.9", "low=30%").

    :class:`InputError` for what is no such pair, a number outside 0 to 1, or a word with two numbers.
    """
    known: dict[str, float] = {}
    for pair in pairs or ():
        word, equals, written = pair.rpartition("=")
        number = number_in(written)
        if number is not None and written.rstrip().endswith("%"):
            number /= 100
        key = word.strip().casefold()
        if not (key and equals) or number is None or not 0 <= number <= 1:
            raise InputError(
                f"A word for a confidence was given as {quote(pair)}; expected the word and a number from "
                "0 to 1, as in high=0.9."
            )
        if known.setdefault(key, number) != number:
            raise InputError(f"The word {quote(word.strip())} stands for two confidences; expected one.")
    return known


_MOST_LISTED = 20


def left_out_note(rows: Sequence[int], n: int) -> tuple[str, ...]:
    """The sentence that ``rows``, in order, were left out, so that ``n`` are left; none for no rows."""
    total, places = n + len(rows), _places(rows, "–")
    if len(rows) < 2:
        return tuple(f"Row {place} of {total:,} was left out, as asked." for place in places)
    more = f" and {len(places) - _MOST_LISTED:,} more places" if len(places) > _MOST_LISTED else ""
    numbers = ", ".join(places[:_MOST_LISTED])
    return (f"{len(rows):,} of {total:,} rows were left out, as asked: {numbers}{more}.",)
