"""Some of the cases of a model, drawn at random, as a model of their own."""

from dataclasses import replace

from calibcore.io.sampling import sampled
from calibcore.words.looking import sample_title
from pages.ui import state


def use(key: str, n: int) -> None:
    """Use ``n`` of the cases of a model or an example, drawn at random: a model of its own."""
    of = state.find(key)
    if of is None:
        return
    p, own = of.predictions, f"{key.partition(state.SAMPLE)[0]}{state.SAMPLE}{n}"
    whole = p.drawn_from or p.n
    # Of a sample that is drawn from again only the title of the whole counts.
    title = of.title.removesuffix(sample_title("", p.n, of.noun, whole))
    name = state.free_title(sample_title(title, n, of.noun, whole), own)
    reading = of.reading and of.reading.of_sample(n)
    drawn = reading.predictions if reading else sampled(p, n)
    state.keep(replace(of, key=own, title=name, predictions=drawn, reading=reading))
