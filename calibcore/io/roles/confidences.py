"""Tables of which only the confidence in the answer is known: which columns say how sure, and what was right.

A table is read so where nothing else fits. Where something else fits as well, this is one reading to choose.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from calibcore.errors import InputError, NoLabelsError, Remedy
from calibcore.io.options import ReadOptions
from calibcore.io.roles.answer_columns import MOST_OFFERED, SAID_OF_CLASSES, Search
from calibcore.io.roles.answer_reading import Answered
from calibcore.io.roles.candidates import DECISIONS, OF_A_WORD, Candidate
from calibcore.io.roles.look import Look
from calibcore.io.roles.token_lists import refused_as_token_lists
from calibcore.io.roles.understanding import likeliest_columns, rows_or_question
from calibcore.io.tables import Table, capitalised
from calibcore.wording import listed, quote

_ONLY_SURE = "Only how sure the model was of its answer may be known here."
_PERCENT = 0.5
"""So much lower is the rank of a column of one class whose numbers are per cent."""
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
        raise InputError(
            f"{refusal} {_ONLY_SURE}", [*refusal.remedies, *(entry.remedy() for entry in unnamed)]
        )
    try:
        columns = search.sure()
        readings = [entry for j in columns for entry in search.readings(j)]
    except InputError:  # a column that is named is not there
        raise refusal from None
    if not readings and (thresholds := search.thresholds(columns)):
        raise refusal.reworded(f"{refusal} {thresholds}")
    asks = any(remedy.rows for remedy in refusal.remedies)
    likeliest = likeliest_columns(table, second, options)
    of_classes = {j for entry in likeliest if len(entry.columns) > 1 for j in entry.columns}
    if asks:  # one of several classes, "confidence(cat)", is how sure of no answer
        readings = [entry for entry in readings if entry.sure not in of_classes]
    if fuller := _of_all_classes(table, second, options, refusal, readings, likeliest):
        beside = [entry.remedy() for entry in readings[: MOST_OFFERED - 1]]
        rest = [r for r in refusal.remedies if not r.rows and not _values_said(r)]
        sentence = f"{refusal} {_ONLY_SURE}" if beside else refusal
        raise InputError(str(sentence), [*fuller, *beside, *rest])
    if len(readings) == 1 and not readings[0].doubt:
        return readings[0]
    if len({entry.sure for entry in readings}) > 1 and all(search.is_named(r.sure) for r in readings):
        named = listed(search.named([entry.sure for entry in readings]), 5)
        raise InputError(
            f"The columns {named} each say how sure a model was of its answer.",
            [entry.remedy() for entry in readings[:MOST_OFFERED]],
        )
    if not readings:
        if len(columns) == 1 and not asks and _says_answers_alone(search, columns[0]):
            raise _nothing_right(search, columns[0])
        raise refused_as_token_lists(search.look, refusal)
    if refusal.remedies and not asks:
        scores = any(not {"values", "renormalise"}.isdisjoint(r.change) for r in refusal.remedies)
        if not scores and not any(search.is_named(entry.sure) for entry in readings):
            raise refusal  # something is wrong with probabilities that are there
        beside = [entry.remedy() for entry in readings[:MOST_OFFERED]]
        as_scores = [remedy for remedy in refusal.remedies if remedy.change.get("values") != "logits"]
        sentence = f"{refusal} {_ONLY_SURE}"
        raise InputError(sentence, [*beside, *as_scores])
    doubts = list(dict.fromkeys(entry.doubt for entry in readings if entry.doubt))
    if len({entry.sure for entry in readings}) > 1:
        named = listed(search.named([entry.sure for entry in readings]), 5)
        doubts = [f"The columns {named} may each say how sure a model was of its answer."]
    sentence = " ".join([str(refusal), *doubts])
    own, beside = list(refusal.remedies), [entry.remedy() for entry in readings[:MOST_OFFERED]]
    # Decisions are taken for probabilities last, and so is a number that is never low for that of one class.
    last = str(refusal).endswith(DECISIONS) or all(search.is_never_low(entry.sure) for entry in readings)
    raise InputError(sentence, [*beside, *own] if last else [*own, *beside])


def _of_all_classes(
    table: Table,
    second: Table | None,
    options: ReadOptions,
    refusal: InputError,
    readings: Sequence[Answered],
    likeliest: Sequence[Candidate],
) -> list[Remedy]:
    """Ways to read the probabilities of all classes after all, each with its first rows: what the ``refusal``
    asks, what mends it, and what was so in one of the ``readings`` as the labels. A reading of the confidence
    alone would leave out what the ``likeliest`` columns say."""
    asked = [remedy for remedy in refusal.remedies if remedy.rows]
    if asked:
        sures = {entry.sure for entry in readings}
        rest = [entry for entry in likeliest if sures.isdisjoint(entry.columns)]
        clear = any(len(entry.columns) > 1 or entry.rank >= OF_A_WORD - _PERCENT for entry in rest)
        return asked[: MOST_OFFERED - 1] if clear and readings else []
    look = readings[0].look if readings else Look(table)
    scores = any(bool((look.sample[:, list(entry.columns)] < 0).any()) for entry in likeliest)
    values = [remedy for remedy in refusal.remedies if scores and _values_said(remedy)]
    truths = [entry.label_look.names[entry.truth] for entry in readings if entry.truth is not None]
    labels = [
        Remedy(f"The labels are {quote(name)}", {"label_column": name}) for name in dict.fromkeys(truths)
    ]

    def read(ways: Iterable[Remedy]) -> list[Remedy]:
        tried = [(way, rows_or_question(table, second, options.mended(way))) for way in ways]
        return [replace(way, rows=rows) for way, rows in tried if rows is not None][: MOST_OFFERED - 1]

    alone = read([*values, *labels] if options.label_column is None else values)
    return alone or read(_both(v, t) for v in values for t in labels)


def _values_said(remedy: Remedy) -> bool:
    """Whether it says what the numbers are."""
    return not {"values", "renormalise"}.isdisjoint(remedy.change)


def _both(values: Remedy, labels: Remedy) -> Remedy:
    words = f"{values.words}; {labels.words[0].lower()}{labels.words[1:]}"
    return Remedy(words, {**values.change, **labels.change})


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
