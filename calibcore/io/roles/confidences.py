"""Tables of which only the confidence in the answer is known: which columns say how sure, and what was right.

A table is read so where nothing else fits. Where something else fits as well, this is one reading to choose.
"""

from dataclasses import replace

from calibcore.errors import InputError, NoLabelsError, Remedy
from calibcore.io.options import ReadOptions
from calibcore.io.roles.answer_columns import MOST_OFFERED, SAID_OF_CLASSES, Answered, Search
from calibcore.io.tables import Table, capitalised, listed

_SAYS = ("confidence_column", "prediction_column", "correct_column", "confidence_words")
"""What is said of a file with a confidence."""


def says_confidence(options: ReadOptions) -> bool:
    """Whether a person says that only a confidence is known."""
    return any(getattr(options, field) is not None for field in _SAYS)


def asked(table: Table, second: Table | None, options: ReadOptions) -> Answered | None:
    """The columns as a person names them, the others found out; None where none of them is named.

    Raises
    ------
    InputError : a column is not there, or nothing says which answers are right; something is said as well
        that is about the probabilities of classes.
    """
    if not says_confidence(options):
        return None
    for field in SAID_OF_CLASSES:
        if getattr(options, field) is not None:
            raise InputError(
                f"It is said that only the confidence in the answer is known, and the {_called(field)} of "
                "probabilities. Expected one of both."
            )
    if options.values == "logits":
        raise InputError("A confidence is a number from 0 to 1, per cent, or a logarithm; it is no logit.")
    search = Search(table, second, options)
    sure = search.sure()
    if len(sure) != 1:
        what = "No column says" if not sure else f"The columns {listed(search.named(sure), 5)} may all say"
        raise InputError(
            f"{what} how sure the model was of its answer.",
            [Remedy("Say which column holds the confidence", asks="confidence_column")],
        )
    readings = search.readings(sure[0])
    if not readings:
        raise _nothing_right(search, sure[0])
    if len(readings) > 1:
        raise _several_verdicts(readings)
    return replace(readings[0], doubt="")


def instead(table: Table, second: Table | None, options: ReadOptions, refusal: InputError) -> Answered:
    """The same of a table that is refused as one of probabilities, or asked about.

    Raises
    ------
    InputError : ``refusal``, with this reading among the remedies where that may be meant; what to choose
        between where several columns may be the confidence.
    """
    if any(getattr(options, field) is not None for field in SAID_OF_CLASSES) or table.blocks:
        raise refusal
    if options.values in ("logits", "log-probabilities") or options.renormalise:
        raise refusal
    search = Search(table, second, options)
    if not table.named:
        if second is not None or not (unnamed := search.without_names()):
            raise refusal
        sentence = f"{refusal} Only how sure the model was of its answer may be known here."
        raise InputError(sentence, [*refusal.remedies, *(entry.remedy() for entry in unnamed)])
    try:
        columns = search.sure()
        readings = [entry for j in columns for entry in search.readings(j)]
    except InputError:  # a column that is named is not there
        raise refusal from None
    if len(readings) == 1 and not readings[0].doubt:
        return readings[0]
    if len({entry.sure for entry in readings}) > 1 and all(search.is_named(r.sure) for r in readings):
        named = listed(search.named([entry.sure for entry in readings]), 5)
        raise InputError(
            f"The columns {named} each say how sure a model was of its answer.",
            [entry.remedy() for entry in readings[:MOST_OFFERED]],
        )
    asks = any(remedy.rows for remedy in refusal.remedies)
    if not readings:
        if len(columns) == 1 and not asks and _says_answers_alone(search, columns[0]):
            raise _nothing_right(search, columns[0])
        raise refusal
    if refusal.remedies and not asks:
        scores = any(not {"values", "renormalise"}.isdisjoint(r.change) for r in refusal.remedies)
        if not scores and not any(search.is_named(entry.sure) for entry in readings):
            raise refusal  # something is wrong with probabilities that are there
        beside = [entry.remedy() for entry in readings[:MOST_OFFERED]]
        as_scores = [remedy for remedy in refusal.remedies if remedy.change.get("values") != "logits"]
        sentence = f"{refusal} Only how sure the model was of its answer may be known here."
        raise InputError(sentence, [*beside, *as_scores])
    doubts = list(dict.fromkeys(entry.doubt for entry in readings if entry.doubt))
    if len({entry.sure for entry in readings}) > 1:
        named = listed(search.named([entry.sure for entry in readings]), 5)
        doubts = [f"The columns {named} may each say how sure a model was of its answer."]
    sentence = " ".join([str(refusal), *doubts])
    raise InputError(sentence, [*refusal.remedies, *(entry.remedy() for entry in readings[:MOST_OFFERED])])


def _several_verdicts(readings: list[Answered]) -> InputError:
    """Which of several columns says whether the answer was right."""
    look = readings[0].label_look
    named = listed(look.table.names_of([j for entry in readings for j in entry.label_columns]), 5)
    return InputError(
        f"The columns {named} may each say whether the answer was right.",
        [entry.remedy() for entry in readings[:MOST_OFFERED]],
    )


def _says_answers_alone(search: Search, sure: int) -> bool:
    """Whether a column says how sure the model was of another one, and nothing what is right."""
    return search.is_named(sure) and bool(search.answers()) and search.pair(sure) is None


def _nothing_right(search: Search, sure: int) -> InputError:
    """Nothing says which answers were right."""
    where = capitalised(search.look.table.where(sure))
    pairs = search.answers(), search.truths()
    if all(pairs):
        a, t = pairs[0][0], pairs[1][0]
        if len(pairs[0]) > 1 or len(pairs[1]) > 1:
            names = listed(search.named(pairs[0]), 5), listed(search.label_look.table.names_of(pairs[1]), 5)
            return InputError(
                f"{where} says how sure the model was of its answer, which may be {names[0]}, and what "
                f"was so may be {names[1]}. Expected two columns that name the same classes.",
                _asks("prediction_column", "label_column"),
            )
        answer_words, so = sorted(search.known(a)), sorted(search.known(t, labels=True))
        return InputError(
            f"{where} says how sure the model was of {search.look.table.where(a)}, such as "
            f"{listed(answer_words, 2)}, and {search.label_look.table.where(t)} has other names, such as "
            f"{listed(so, 2)}. Expected the same names in both, or a column that says whether each "
            "answer was right.",
            _asks("correct_column"),
        )
    if pairs[0]:
        return NoLabelsError(
            f"{where} says how sure the model was of {search.look.table.where(pairs[0][0])}, and nothing "
            "says what was so. Expected a column with the truth, or one that says whether each answer "
            "was right. If the labels are in a file of their own, give that too.",
            _asks("label_column", "correct_column"),
        )
    return NoLabelsError(
        f"{where} says how sure the model was of its answer, and nothing says which answers were right. "
        "Expected a column that says so, or one with the answer and one with the truth.",
        _asks("correct_column", "prediction_column"),
    )


_WORDS = {
    "correct_column": "Say which column tells if each answer was right",
    "prediction_column": "Say which column holds the answers",
    "label_column": "Say which column holds the labels",
}


def _asks(*fields: str) -> list[Remedy]:
    return [Remedy(_WORDS[field], asks=field) for field in fields]


def _called(field: str) -> str:
    return field.replace("_", " ")
