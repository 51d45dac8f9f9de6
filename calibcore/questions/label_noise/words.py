"""How many wrong labels would explain what happened, in words."""

from functools import partial

from calibcore.questions.label_noise import WrongLabels
from calibcore.wording import percent
from calibcore.words.phrases import p_words
from calibcore.words.texts import paragraph

_text = partial(paragraph, "answer-label-noise")

METHOD = _text("method")


def sentence(result: WrongLabels) -> str:
    """What share would do: "3.1 % wrong labels would explain it (p = 0.001 without any)."."""
    p = p_words(result.pvalue, result.at_floor, alpha=result.spec.alpha)
    if result.smallest is None:
        return f"No share of wrong labels explains what happened ({p} without any)."
    if result.smallest == 0:
        return f"Nothing here needs wrong labels to explain it ({p})."
    rounding = ""
    if result.rounding:
        rounding = f" Rounding alone can look like up to {percent(result.rounding)} of them."
    return f"{percent(result.smallest)} wrong labels would explain it ({p} without any).{rounding}"


def likeliest_sentence(result: WrongLabels) -> str:
    """What share fits best; empty where nothing has to be explained, or no wrong label fits best."""
    if result.smallest == 0 or result.estimate == 0:
        return ""
    p = p_words(result.pvalue_at_estimate, alpha=result.spec.alpha)
    return f"The share that fits best is {percent(result.estimate)} ({p} with it)."
