"""Which class each column of probabilities is about, by a column that names the likeliest of every row."""

import numpy as np

from calibcore.column_names.name_words import loose
from calibcore.io.roles.look import Look
from calibcore.io.roles.meaning import Words, cell_text
from calibcore.io.tables import capitalised
from calibcore.numerics.types import Float
from calibcore.wording import quote


def order_by_predicted(
    look: Look, columns: tuple[int, ...], labels: Words, probs: Float
) -> tuple[tuple[str, ...], str] | None:
    """The labels in the order of the columns, and a sentence on why; None where nothing says it.

    ``probs``: (r, m) the predictions of the sample. "pred_label" says it where it is the name of the same
    column's class in every row, and that of at most one column is left over. Cost O(r) a column of text.
    """
    m, rows = len(columns), np.arange(len(probs))
    known = {loose(word): word for word in labels.words}
    if len(known) != m or len(labels.words) != m:
        return None
    likeliest = probs.argmax(axis=1)
    only = np.count_nonzero(probs == probs[rows, likeliest][:, None], axis=1) == 1
    for j, parsed in enumerate(look.parsed):
        if parsed.role != "predicted" or look.numeric[j] or j in columns:
            continue
        words = [loose(cell_text(cell)) for cell in look.table.columns[j].iloc[look.rows]]
        if not known.keys() >= set(words):
            continue
        pairs = {(int(k), word) for k, word, alone in zip(likeliest, words, only, strict=True) if alone}
        named = dict(pairs)
        if len(named) != len(pairs) or len(set(named.values())) != len(named) or len(named) < max(2, m - 1):
            continue
        rest = [word for word in known if word not in named.values()]
        order = tuple(known[named[k] if k in named else rest[0]] for k in range(m))
        first = look.table.where(columns[next(iter(sorted(named)))])
        why = (
            f"{capitalised(look.table.where(j))} names the classes of the columns: it is "
            f"{quote(order[min(named)])} where {first} is the largest, and so on."
        )
        return order, why
    return None
