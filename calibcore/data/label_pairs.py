"""Pairs of a case and one of its labels, all in one pool: they depend on each other, so none is tested."""

PAIRS_UNTESTED = (
    "the labels of one case depend on each other in a way that no probability says, so that no exact p of "
    "the pool exists; a survey gives each label its own, adjusted over labels"
)
"""After "withheld:"."""
PAIRS_REFUSED = (
    "These are pairs of a case and a label. The labels of one case depend on each other in a way that no "
    "probability says, so that no exact p of the pool exists. A survey gives each label its own, adjusted by "
    "Holm."
)
MOST_PAIRS = 50_000_000
"""Pairs of a case and a class, or a label, that are made at most."""
