"""Names of columns: what says that a column is a probability, and which class it belongs to."""

import re
from collections.abc import Collection, Sequence

_WORDS = (
    r"p|pr|prob|probs|proba|probability|softmax|scores?|pred|preds|prediction|predicted|y_?hat|y_?probs?|y_?proba|"
    r"y_?pred|y_?score|pred_?proba|pred_?prob|conf|confidence|output|class"
)
_LOGITS = r"logits?"
_LABEL_WORDS = r"y|y_true|true|label|target|truth|actual|onehot|one_hot|is"
_SEPARATOR = r"[ _.\-:]+"
_INSIDE = re.compile(r"(?:y\s*=+\s*)?(.+?)(?:\s*\|\s*x)?", re.IGNORECASE)

# A lone name of one column of probabilities: those of the positive class.
BINARY_NAMES = frozenset((
    "p", "prob", "probs", "proba", "probability", "probabilities", "y_prob", "y_proba", "y_probs", "y_score",
    "y_scores", "score", "scores", "pred_proba", "pred_prob", "prediction", "predictions", "predicted",
    "pred", "preds", "y_pred", "y_hat", "yhat", "risk", "confidence", "softmax", "forecast",
    "predicted_probability", "predicted_prob", "predicted_risk", "p_hat", "phat", "logit", "logits",
))  # fmt: skip
POSITIVE = frozenset(("1", "true", "yes", "y", "t", "positive", "pos", "+", "case", "event", "present"))
NEGATIVE = frozenset(
    ("0", "-1", "false", "no", "n", "f", "negative", "neg", "-", "control", "none", "absent")
)  # fmt: skip


def normal(name: str) -> str:
    """ "Y-True " -> "y_true"."""
    return re.sub(r"[\s\-.]+", "_", name.strip().lower())


def _forms(words: str) -> tuple[re.Pattern[str], ...]:
    flags = re.IGNORECASE
    return (
        re.compile(rf"(?P<word>{words})\s*[(\[](?P<rest>.+)[)\]]", flags),
        re.compile(rf"(?P<word>{words}){_SEPARATOR}(?P<rest>.+)", flags),
        re.compile(rf"(?P<rest>.+?){_SEPARATOR}(?P<word>{words})", flags),
        re.compile(rf"(?P<word>{words})(?P<rest>\d+)", flags),
    )


_PROBABILITY_FORMS, _LOGIT_FORMS, _LABEL_FORMS = map(_forms, (_WORDS, _LOGITS, _LABEL_WORDS))


def probability_affix(name: str) -> tuple[str, str] | None:
    """ "P(cat)" -> ("p(…)", "cat"), "cat_prob" -> ("…_prob", "cat"); None for other names."""
    return _affix(name, _PROBABILITY_FORMS) or _affix(name, _LOGIT_FORMS)


def label_affix(name: str) -> tuple[str, str] | None:
    """ "true_cat" -> ("true_…", "cat"); None for other names."""
    return _affix(name, _LABEL_FORMS)


def is_logit_affix(affix: str) -> bool:
    """Whether an affix says that the values are logits."""
    return "logit" in affix


def _affix(name: str, forms: tuple[re.Pattern[str], ...]) -> tuple[str, str] | None:
    for form, shape in zip(forms, ("{}(…)", "{}_…", "…_{}", "{}…"), strict=True):
        found = form.fullmatch(name.strip())
        if found:
            inside = _INSIDE.fullmatch(found["rest"].strip())
            rest = inside[1] if inside else found["rest"]
            return shape.format(found["word"].lower()), rest.strip()
    return None


def class_names_of(names: Sequence[str], label_values: Collection[str]) -> tuple[str, ...]:
    """Class names from column names: as they are, or without what they share around the class.

    The form that names the labels wins; else a known affix such as "p_" goes.
    """
    known = [probability_affix(name) for name in names]
    forms = [tuple(names)]
    if all(known) and len({affix[0] for affix in known if affix}) == 1:
        forms.append(tuple(affix[1] for affix in known if affix))
    if len(names) > 1:
        start = _shared_start(names)
        back = _shared_start([name[::-1] for name in names])
        forms.append(tuple(name[start : len(name) - back] for name in names))
    forms = [form for form in forms if len(set(form)) == len(form) and all(form)]
    for form in forms:
        if covers(form, label_values):
            return form
    return forms[1] if len(forms) > 1 and all(known) else tuple(names)


def covers(names: Collection[str], label_values: Collection[str]) -> bool:
    """Whether every label is one of the names, in any case of letters."""
    if not label_values:
        return False
    lower = {name.strip().lower() for name in names}
    return all(value.lower() in lower for value in label_values)


def _shared_start(names: Sequence[str]) -> int:
    """Length of what all names begin with, up to its last separator."""
    low, high = min(names), max(names)
    same = next(
        (i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high))
    )
    return max((i + 1 for i in range(same) if low[i] in " _.-:/"), default=0)


def counts_up(names: Sequence[str]) -> bool:
    """Whether the names only count the columns: 0, 1, 2, … or V1, V2, …"""
    found = [re.fullmatch(r"(.*?)(\d{1,6})", name) for name in names]
    parts = [(match[1], int(match[2])) for match in found if match]
    if len(parts) < len(names) or len(parts) < 2 or len({head for head, _ in parts}) > 1:
        return False
    first = parts[0][1]
    return first in (0, 1) and [number for _, number in parts] == list(range(first, first + len(parts)))
