"""What a confidence beside a reading as probabilities of classes says against it."""

from collections.abc import Sequence

import numpy as np

from calibcore.column_names.name_words import RIGHT
from calibcore.errors import InputError, Remedy
from calibcore.io.options import ReadOptions
from calibcore.io.roles.answer_columns import MOST_OFFERED, SAID_OF_CLASSES, Search, gap_between
from calibcore.io.roles.answer_reading import Answered
from calibcore.io.tables import Table, capitalised
from calibcore.wording import listed


def question_of(
    table: Table, second: Table | None, options: ReadOptions, probs: Sequence[int], labels: Sequence[int]
) -> InputError | None:
    """What speaks against a reading of a table as probabilities of classes; None where nothing does.

    ``probs`` are its columns of probabilities, and ``labels`` those of its labels, in the file of labels if
    there is one. One column beside two answers with which it does not go may say how sure the model was of
    either. An "answer" beside a "correct_answer", or beside what says whether it was right, is no truth.
    """
    chosen = any(getattr(options, field) is not None for field in SAID_OF_CLASSES)
    if chosen or table.blocks or not table.named or len(labels) != 1:
        return None
    search, (label,) = Search(table, second, options), labels
    own_file = search.label_look is not search.look
    open_label = options.label_column is None and not own_file and _may_be_answer(search, label)
    if open_label and (question := _answer_question(search, probs, label)):
        return question
    return _either_answer(search, probs[0], label) if len(probs) == 1 else None


def answered_after_all(
    table: Table, second: Table | None, options: ReadOptions, probs: Sequence[int], labels: Sequence[int]
) -> Answered | None:
    """The same as a confidence, where one column is called "p_correct" or so and its labels are "Correct" and
    "Wrong": no names of classes. None where that is not so."""
    if (
        any(getattr(options, field) is not None for field in SAID_OF_CLASSES)
        or options.label_column is not None
    ):
        return None
    if table.blocks or not table.named or len(probs) != 1 or len(labels) != 1:
        return None
    search = Search(table, second, options)
    if labels[0] not in [j for j, _ in search.correct()] or not search.is_named(probs[0]):
        return None
    readings = search.readings(probs[0])
    return readings[0] if len(readings) == 1 and not readings[0].doubt else None


def _may_be_answer(search: Search, j: int) -> bool:
    """Whether a column is called as what a model said, and not as what was so."""
    return search.is_answer(j) and search.look.parsed[j].role != "truth"


def _answer_question(search: Search, probs: Sequence[int], label: int) -> InputError | None:
    """Whether the labels are what the model answered, where another column says what was so or right."""
    truths = [t for t in search.truths() if t != label and t not in probs and search.repeats(search.look, t)]
    correct = [j for j, _ in search.correct() if j not in (label, *probs)]
    truths = [t for t in truths if t not in correct or search.called_key(t)]
    if not truths and not correct:
        return None
    names, of_labels = search.look.names, tuple(search.named(probs))
    sure = search.sure() or (list(probs) if len(probs) == 1 else [])
    readings = [entry for j in sure for entry in search.readings(j)]
    remedies = [
        Remedy(
            f"The labels are in {search.look.table.where(j)}",
            {"probability_columns": of_labels, "label_column": names[j]},
            rows=search.look.first_rows([j]),
        )
        for j in (*truths, label)
    ]
    truth_names = listed(search.named(dict.fromkeys([*truths, *correct])), 5)
    return InputError(
        f"{capitalised(search.look.table.where(label))} may be what the model answered, and not what was "
        f"so: there is also {truth_names}.",
        [*(entry.remedy() for entry in readings[:MOST_OFFERED]), *remedies[: MOST_OFFERED + 1]],
    )


def _either_answer(search: Search, sure: int, truth: int) -> InputError | None:
    """Whether one column is how sure the model was of either of two answers: it does not go with them."""
    answers = [a for a in search.answers() if search.is_answer(a) and search.share(a, truth)]
    answers = [a for a in answers if a not in (sure, truth)]
    values, codes = search.look.sample[:, sure], [search.decisions(a) for a in answers]
    ok = np.isfinite(values)
    if not answers or not ok.any() or search.look.integral[sure]:
        return None
    for a, decided in zip(answers, codes, strict=True):
        same = len(set(decided[ok].tolist())) < 2
        if same or gap_between(values[ok], decided[ok]) or search.goes_with(sure, a):
            return None
    reading = Answered(search.look, search.label_look, sure, None, RIGHT, answers[0], truth)
    names = search.look.names
    where = capitalised(search.look.table.where(sure))
    of_class = Remedy(
        f"{where} is the probability of one class",
        {"probability_columns": (names[sure],)},
        rows=search.look.first_rows([sure, answers[0]]),
    )
    return InputError(
        f"{where} does not go with {search.look.table.where(answers[0])}: it may be how sure the model was "
        "of whatever it answered, or the probability of one class.",
        [reading.remedy(), of_class],
    )
