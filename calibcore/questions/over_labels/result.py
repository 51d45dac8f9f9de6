"""What a question found of each of several labels, and its one JSON document."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from calibcore.answers.by_label import OfLabel
from calibcore.data.predictions import LABELS, DataKind
from calibcore.display import Displayed
from calibcore.settings.codec import form_of, write_object
from calibcore.settings.forms import Schema, Shared, object_schema, or_null
from calibcore.settings.layout import headed
from calibcore.settings.result import Result
from calibcore.wording import quote


@dataclass(frozen=True, eq=False)
class Listed:
    """A label in the document.

    found : whether the adjusted p is at the level or below
    result : the document of what was found of this label alone; its own p-values are not adjusted over labels
    """

    of: OfLabel[Any]

    def to_document(self) -> dict[str, Any]:
        """As it stands there."""
        return self.with_document(self.of.result.to_document())

    def with_document(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The same with another document of what was found."""
        row = self.of
        ps = {"p_value": row.pvalue, "adjusted_p_value": row.adjusted, "found": row.found}
        return {"label": row.label, "n": row.n, **ps, "result": dict(document)}

    @classmethod
    def json_schema(cls, shared: Shared) -> Schema:
        """Of :meth:`to_document`: what is found is that of any question that is asked of labels."""
        from calibcore.questions.registry import QUESTIONS  # which stands above the results

        def schema(shared: Shared) -> Schema:
            kinds: Any = (str, int, float, bool)
            text, number, share, yes = (form_of(kind).schema(shared) for kind in kinds)
            of_each: list[Any] = [
                question.result for question in QUESTIONS.values() if question.by_label is not None
            ]
            properties = {
                "label": text,
                "n": number,
                "p_value": or_null(share),
                "adjusted_p_value": or_null(share),
                "found": yes,
                "result": {"anyOf": [form_of(kind).schema(shared) for kind in of_each]},
            }
            return object_schema(properties, tuple(properties))

        return shared.ref("OfLabel", schema)


@dataclass(frozen=True)
class Refused:
    """A label of which the question could not be asked, and why."""

    label: str
    reason: str


@dataclass(frozen=True, eq=False, repr=False)
class OverLabels(Result, Displayed):
    """What a question found of each of several labels of a case.

    Attributes
    ----------
    spec : as it was asked for, with redraws enough for so many labels; each label is looked at by itself
    question : the command that asks it: "decide"
    n : cases; of each label those are looked at whose outcome is known
    class_names : the labels
    fingerprint : of the cases; None where several models were compared
    labels : one a label that the question could be asked of, in their order
    refused : the others, with the reason

    >>> import numpy as np
    >>> from calibcore import MultiLabelPredictions, decide, ask_each
    >>> probs, true = np.tile([[0.9, 0.2], [0.3, 0.7]], (60, 1)), np.tile([[1, 0], [0, 1]], (60, 1))
    >>> p = MultiLabelPredictions.from_arrays(probs, true, ["effusion", "mass"])
    >>> ask_each(decide, p, thresholds=[0.5])
    OverLabels(decide of 2 labels, adjusted p 'effusion': 0.019, 'mass': 0.002)
    """

    HEAD = headed("labels")
    DATA = ("n", "class_names", "fingerprint", "kind")
    KEYS: ClassVar = ("question", "entries", "refused")
    NAMES: ClassVar = {"entries": "labels"}

    question: str
    n: int
    class_names: tuple[str, ...]
    fingerprint: str | None
    labels: tuple[OfLabel[Any], ...]
    refused: tuple[Refused, ...] = ()

    def __repr__(self) -> str:
        tested = {row.label: row.adjusted for row in self.labels if row.adjusted is not None}
        first = ", ".join(f"{quote(label)}: {p:.4g}" for label, p in list(tested.items())[:5])
        ps = f", adjusted p {first}{', …' * (len(tested) > 5)}" if tested else ""
        return f"OverLabels({self.question} of {len(self.labels)} labels{ps})"

    def __getitem__(self, label: str) -> Any:
        """What was found of the label of that name. KeyError where there is none."""
        return {row.label: row.result for row in self.labels}[label]

    @property
    def alarm(self) -> str | None:
        """Of evidence in time, the first label with an alarm over all of them; else None."""
        alarms = (row.label for row in self.labels if row.found and self.question == "monitor")
        return next(alarms, None)

    @property
    def kind(self) -> DataKind:
        """Of the cases."""
        return LABELS

    @property
    def entries(self) -> tuple[Listed, ...]:
        """The labels as the document lists them."""
        return tuple(map(Listed, self.labels))

    def with_documents(self, documents: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        """The document, with others of what was found, by label."""
        document = write_object(self)
        document["labels"] = [entry.with_document(documents[entry.of.label]) for entry in self.entries]
        return document
