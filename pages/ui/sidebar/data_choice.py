"""Which predictions the pages are about, and which label of several."""

from contextlib import suppress
from functools import partial

from calibcore import InputError
from calibcore.data.examples import EXAMPLES
from calibcore.transforms.lenses import LabelLens, LabelsLens, Lens
from pages.ui import choices, settings, state

ALL_TOGETHER = ""
"""In place of the name of a label: all labels, as :func:`.state.use_label` takes it."""


def draw() -> None:
    """The select box of uploaded models and examples; where cases have several labels another of these."""
    titles = {key: model.title for key, model in state.models().items()} | {e.key: e.title for e in EXAMPLES}
    data = state.in_use()
    choices.choose_one(
        "Predictions",
        choices.worded(titles, titles.__getitem__),
        data.key if data else None,
        use,
        name="data",
        placeholder="Choose what to look at",
        help="What you loaded, and bundled examples: real models, and toy populations whose answer is known.",
    )
    if data is not None and data.labels is not None:
        choices.choose_one(
            "Label",
            {ALL_TOGETHER: LabelsLens.label} | choices.worded(data.labels.known),
            data.predictions.label_of,
            partial(look_at, data.key),
            name="label",
            help="Each case has several. Overview tests all of them, every other page looks at this one. "
            "All together have no p: the labels of one case depend on each other.",
        )


def look_at(key: str, label: str) -> None:
    """Look at another label of a model, or all together, from the next run on; one that has gone has none."""
    with suppress(InputError):
        state.use_label(key, label)
        if state.in_use() is not None:
            settings.try_lens(_lens(label))


def _lens(label: str) -> Lens:
    return LabelsLens() if label == ALL_TOGETHER else LabelLens(label)


def use(key: str) -> None:
    """Look at a model or an example from the next run on, unless it was removed meanwhile: Undo may come back
    to it. Of several labels at the one that was looked at."""
    data = state.find(key)
    if data is None:
        return
    state.use(key)
    if data.labels is not None:
        settings.try_lens(_lens(data.predictions.label_of))
