"""Some of the cases of a model, drawn at random, as a model of their own."""

from calibcore.io.reading import sampled
from calibcore.words.looking import sample_title
from pages.ui import state


def use(key: str, n: int) -> None:
    """Use ``n`` of the cases of a model or an example, drawn at random: a model of its own."""
    whole_model = state.find(key)
    if whole_model is None:
        return
    p, own = whole_model.predictions, f"{key.partition(state.SAMPLE)[0]}{state.SAMPLE}{n}"
    total = p.drawn_from or p.n
    # Of a sample that is drawn from again only the title of the whole counts.
    title = whole_model.title.removesuffix(sample_title("", p.n, whole_model.noun, total))
    name = state.free_title(sample_title(title, n, whole_model.noun, total), own)
    reading = whole_model.reading and whole_model.reading.of_sample(n)
    sample = reading.predictions if reading else sampled(p, n)
    state.keep(state.made_of(whole_model, key=own, title=name, predictions=sample, reading=reading))
