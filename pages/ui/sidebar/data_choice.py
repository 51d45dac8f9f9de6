"""Which predictions the pages are about."""

from calibcore.data.examples import EXAMPLES
from pages.ui import choices, state


def draw() -> None:
    """The select box of uploaded models and bundled examples."""
    titles = {key: model.title for key, model in state.models().items()} | {e.key: e.title for e in EXAMPLES}
    data = state.in_use()
    choices.choose_one(
        "Predictions",
        choices.worded(titles, titles.__getitem__),
        data.key if data else None,
        _use,
        name="data",
        placeholder="Choose what to look at",
        help="What you loaded, and bundled examples: real models, and toy populations whose answer is known.",
    )


def _use(key: str) -> None:
    """Unless it was removed meanwhile: Undo may come back to it."""
    if state.find(key) is not None:
        state.use(key)
