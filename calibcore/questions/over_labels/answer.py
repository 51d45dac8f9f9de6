"""The answer over labels: what each question says of one, said of all in a table; and what is told of it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from calibcore.answers.blocks import Answer, Caution, Headline, Methods, Notes, Sentences
from calibcore.answers.by_label import OfLabel
from calibcore.answers.question import Question
from calibcore.answers.tables import Column, Table
from calibcore.questions.over_labels.ask import NOT_ASKED
from calibcore.questions.over_labels.result import OverLabels, Refused
from calibcore.questions.registry import QUESTIONS, question_called
from calibcore.transforms.lenses import CanonicalLens
from calibcore.wording import count, in_noun
from calibcore.words.phrases import above_zero, p_words
from calibcore.words.repeating import Repeat
from calibcore.words.tables import named_few
from calibcore.words.texts import paragraph
from calibcore.words.verdicts import TOGETHER

_text = partial(paragraph, "answer-over-labels")


@dataclass(frozen=True)
class QuestionOverLabels(Question[OverLabels]):
    """A question as it is asked of each of several labels, ``of_one`` of each of them."""

    of_one: Question[Any] = None  # type: ignore[assignment]

    @property
    def command(self) -> str:
        """The word of its command."""
        return self.of_one.command


def question_of(result: Any) -> Question[Any]:
    """The question that found this. KeyError where none did."""
    if not isinstance(result, OverLabels):
        return QUESTIONS[type(result)]
    of_one = question_called(result.question)
    reported = of_one.without_cases is not None and of_one.repeat is not None
    return QuestionOverLabels(
        name=of_one.name,
        result=OverLabels,
        title=f"{of_one.title}, label by label",
        help=of_one.help,
        says=partial(_says, of_one),
        without_cases=partial(_kept, of_one.without_cases) if of_one.without_cases else None,
        repeat=partial(_repeat, of_one) if reported else None,
        again=of_one.again,
        named=partial(_named, of_one),
        document=partial(_document, of_one),
        in_notebooks=None if of_one.in_notebooks is None else partial(mapped, of_one.in_notebooks),
        place=of_one.place,
        what=of_one.what,
        made_of=lambda over: over.fingerprint,
        several=of_one.several,
        dated=of_one.dated,
        left_out=of_one.left_out,
        against=partial(_against, of_one),
        of_one=of_one,
    )


def _says(of_one: Question[Any], over: OverLabels, noun: str, shared: OverLabels | None) -> Answer:
    """``shared``: the same without what belongs to single cases; all is of it."""
    by_label = of_one.by_label
    assert by_label is not None
    rows = tuple(sorted((shared or over).labels, key=lambda row: _order(of_one, row)))
    tested = any(row.pvalue is not None for row in rows)
    about = f"{count(over.n, noun)}", count(len(over.class_names), "label")
    how = _text("method", hypothesis=by_label.hypothesis, labels=count(len(rows), "label"))
    return Answer(
        about,
        "",
        (
            Headline(by_label.headline(rows, noun)),
            Sentences((TOGETHER if tested else "",)),
            table_of(of_one, rows, noun),
            Methods(
                f"How labels were looked at: {of_one.title[:1].lower()}{of_one.title[1:]}",
                (in_noun(how if tested else _text("no test"), noun),),
                _redraws(over) if tested and by_label.redrawn else "",
            ),
            Notes(tuple(_refused(over))),
            Caution(_text("one label")),
        ),
    )


def _redraws(over: OverLabels) -> str:
    """How often outcomes of a label were drawn anew: one with more groups may take more."""
    numbers = [row.result.spec.resamples for row in over.labels if row.pvalue is not None]
    fewest, most = min(numbers), max(numbers)
    many = f"{most:,}" if fewest == most else f"{fewest:,} to {most:,}"
    return f"It takes {many} redraws of each label, seed {over.spec.seed}."


def _refused(over: OverLabels) -> Iterator[str]:
    """A line for each reason, with the labels that it is of."""
    by_reason: dict[str, list[str]] = {}
    for each in over.refused:
        reason = each.reason.replace(f"'{each.label}'", "it")
        by_reason.setdefault(reason, []).append(f"'{each.label}'")
    for reason, names in by_reason.items():
        yield f"Nothing is said of {named_few(names)}: {reason.rstrip('.')}."


def _order(of_one: Question[Any], row: OfLabel[Any]) -> tuple[float, ...]:
    """Those of the strongest evidence first; without a test as the question says."""
    assert of_one.by_label is not None
    if row.adjusted is None or row.pvalue is None:
        return 2.0, 2.0, -of_one.by_label.place(row.result)
    return row.adjusted, row.pvalue, -of_one.by_label.place(row.result)


def table_of(
    of_one: Question[Any], rows: tuple[OfLabel[Any], ...], noun: str = "case"
) -> Table[OfLabel[Any]]:
    """A row a label, in this order."""
    by_label = of_one.by_label
    assert by_label is not None

    def adjusted(row: OfLabel[Any]) -> str | None:
        return None if row.adjusted is None else p_words(above_zero(row.adjusted), row.at_floor, short=True)

    columns: tuple[Column[OfLabel[Any]], ...] = (
        Column("Label", "label", lambda row: row.label),
        Column("", "n", lambda row: row.n),
        *by_label.columns(rows),
    )
    if by_label.hypothesis:
        columns += (
            Column("", "p", lambda row: row.pvalue),
            Column("", "adjusted p", lambda row: row.adjusted),
            Column("Adjusted p", "", adjusted, right=True, unknown="–"),
        )
    title, notes = in_noun(by_label.title, noun), by_label.notes(rows)
    return Table("labels", title, columns, rows, rows_are="labels", notes=notes, of_lens=False)


def mapped(change: Callable[[Any], Any], over: OverLabels) -> OverLabels:
    """With what ``change`` makes of what was found of each label."""
    return replace(over, labels=tuple(replace(row, result=change(row.result)) for row in over.labels))


def _against(of_one: Question[Any], over: OverLabels, fingerprint: str) -> str:
    off = sum(row.found and bool(of_one.against(row.result, fingerprint)) for row in over.labels)
    return f"in {off:,} of {count(len(over.labels), 'label')}" if off else ""


def _kept(without: Callable[[Any], Any], over: OverLabels) -> OverLabels | None:
    """Without what belongs to single cases; labels of which nothing is left are not told. None: no label."""
    bare = mapped(without, over)
    labels = tuple(row for row in bare.labels if row.result is not None)
    return replace(bare, labels=labels) if labels else None


def _named(
    of_one: Question[Any], over: OverLabels, name: Callable[[str], str], line: Callable[[str], str]
) -> OverLabels:
    shown = mapped(lambda result: of_one.named(result, name, line), over)
    return replace(
        shown,
        class_names=tuple(map(name, over.class_names)),
        labels=tuple(replace(row, label=name(row.label)) for row in shown.labels),
        refused=tuple(Refused(name(refused.label), line(refused.reason)) for refused in over.refused),
    )


def _document(of_one: Question[Any], over: OverLabels, shared: OverLabels) -> dict[str, Any]:
    """With the documents that the question makes of each label."""
    results = {row.label: row.result for row in over.labels}
    documents: Mapping[str, Mapping[str, Any]] = {
        row.label: of_one.document(results[row.label], row.result) for row in shared.labels
    }
    return shared.with_documents(documents)


def _repeat(of_one: Question[Any], over: OverLabels, origin: Any, *more: Any) -> Repeat:
    """The command of the first label, which names none, with what it takes where not all were asked about."""
    assert of_one.repeat is not None
    assert of_one.by_label is not None
    left_out = sum(each.reason == NOT_ASKED for each in over.refused)
    first = of_one.by_label.of_all(over.labels[0].result, len(over.class_names) - left_out)
    of_all = replace(first, spec=replace(over.spec, lens=CanonicalLens()))
    repeat = of_one.repeat(of_all, origin, *more)
    for flag, value in of_one.by_label.flags(over.labels, not left_out).items():
        repeat = repeat.with_flag(flag, value)
    return repeat
