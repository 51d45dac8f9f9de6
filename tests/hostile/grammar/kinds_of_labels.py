"""Files whose labels are mistaken: pairs, hits, decisions, second opinions, ids, lists."""

import json
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from tests.hostile.corpus import written
from tests.hostile.grammar.drawing import Rng, Truth, chance, pick
from tests.hostile.grammar.kinds import (
    Columns,
    Kind,
    as_drawn,
    beside,
    binary,
    cases,
    ints,
    mixed,
    several,
    words,
)
from tests.hostile.grammar.writing import Drawn

ROUNDS = (
    ("prob1", "probtie", "prob2"), ("round_1", "round_2", "round_3"), ("home", "draw", "away"),
    ("p_cat", "p_dog", "p_owl"), ("prob_red", "prob_blue"), ("candidate_a", "candidate_b", "candidate_c"),
    ("stage1", "stage2", "stage3", "stage4"), ("q1", "q2", "q3", "q4", "q5"), ("yes", "no"),
    ("P(win)", "P(draw)", "P(loss)"), ("team1", "team2"),
)  # fmt: skip
PAIRED = ("{}_outcome", "{}_outcome", "{}_result", "{}_true", "{}_actual", "{}_label", "{}.outcome",
          "outcome_{}", "true_{}", "{} outcome", "{}_obs", "{}_happened")  # fmt: skip


def paired_outcomes(rng: Rng) -> Drawn:
    """Each column of probabilities has its own outcome, 0 or 1, named after it."""
    names = pick(rng, ROUNDS)
    truth = several(rng, names)
    form = pick(rng, PAIRED)
    order = ints(rng.permutation(truth.m)) if chance(rng, 0.3) else list(range(truth.m))
    probs: Columns = [(names[k], truth.probs[:, k]) for k in order]
    came: Columns = [(form.format(names[k]), ints(truth.labels == k)) for k in order]
    if chance(rng, 0.3):
        came = mixed(rng, came)
    layout = pick(rng, ("in turn", "in turn", "apart", "outcomes first", "mixed"))
    columns = {
        "in turn": [one for k in range(truth.m) for one in (probs[k], came[k])],
        "apart": probs + came,
        "outcomes first": came + probs,
        "mixed": mixed(rng, probs + came),
    }[layout]
    return as_drawn(rng, beside(rng, columns, truth.n), [name for name, _ in probs], truth, layout)


def hits_of_a_rounded_answer(rng: Rng) -> Drawn:
    """``correct`` says whether the answer that the probability rounds to was right: no outcome."""
    truth = binary(rng)
    p = np.where(truth.probs[:, 1] == 0.5, 0.51, truth.probs[:, 1])  # no tie, which rounds to neither
    truth.probs = np.c_[1 - p, p]
    guess = (p > 0.5).astype(int)
    name = pick(rng, ("prob", "p", "y_prob", "score", "prob_yes", "forecast", "probability", "pred_proba"))
    columns: Columns = [(name, p)]
    if chance(rng, 0.3):
        columns.append((pick(rng, ("pred", "prediction", "answer", "y_pred")), ints(guess)))
    hit = pick(rng, ("correct", "correct", "is_correct", "hit", "was_right", "right", "Correct", "acc"))
    values = guess == truth.labels
    columns.append((hit, values.tolist() if chance(rng, 0.3) else ints(values)))
    if chance(rng, 0.3):
        columns = mixed(rng, columns)
    return as_drawn(rng, beside(rng, columns, truth.n), [name], truth, must_ask=True)


def hits_of_a_sure_answer(rng: Rng) -> Drawn:
    """``confidence, correct``: the probability that the answer is right, below ½, too, and whether it was."""
    truth = binary(rng, ("wrong", "right"))
    if chance(rng, 0.5):
        truth.probs = np.sort(truth.probs, axis=1)
        truth.labels = (rng.random(truth.n) < truth.probs[:, 1]).astype(int)
        truth.labels[:2] = 0, 1
    name = pick(rng, ("confidence", "conf", "stated_confidence", "certainty"))
    columns: Columns = [(name, truth.probs[:, 1])]
    columns.append((pick(rng, ("correct", "is_correct", "answer_correct")), ints(truth.labels)))
    if chance(rng, 0.3):
        columns = mixed(rng, columns)
    return as_drawn(rng, beside(rng, columns, truth.n), [name], replace(truth, names=("0", "1")))


def decision_and_confidence(rng: Rng) -> Drawn:
    """The true class, the decision and how sure it was: whether it was right; of two classes that is all."""
    m = pick(rng, (2, 2, 3, 4))
    names = pick(
        rng, (("0", "1", "2", "3"), ("cat", "dog", "owl", "fox"), ("neg", "pos", "unclear", "other"))
    )[:m]
    truth = several(rng, names)
    guess = truth.probs.argmax(axis=1)
    digits = names[0] == "0"
    columns: Columns = [
        (pick(rng, ("true_label", "y_true", "label", "actual", "gt", "target")),
         ints(truth.labels) if digits else words(truth)),
        (pick(rng, ("pred_label", "y_pred", "prediction", "predicted", "predicted_class", "pred")),
         ints(guess) if digits else [names[k] for k in guess]),
        (pick(rng, ("confidence", "conf", "max_prob", "y_conf", "prob_max", "pred_conf")),
         truth.probs.max(axis=1)),
    ]  # fmt: skip
    if chance(rng, 0.3):
        columns = mixed(rng, columns)
    hit = guess == truth.labels
    sure = truth.probs.max(axis=1)
    right = Truth(np.c_[1 - sure, sure], hit.astype(int), ("wrong", "right"))
    return as_drawn(rng, beside(rng, columns, truth.n), [], truth, f"{m} classes", others=(right,))


def event_of_any_name(rng: Rng) -> Drawn:
    """An id, a group, a probability that is called a confidence, and an event: only the word says so."""
    truth = binary(rng)
    n = truth.n
    event = pick(rng, ("upheld", "won", "paid", "returned", "passed", "converted", "granted", "reoffended"))
    name = pick(rng, ("confidence", "confidence", "conf", "certainty", "score"))
    columns: Columns = [
        ("id", ints(rng.permutation(8 * n)[:n]) if chance(rng, 0.7) else list(range(1, n + 1))),
        (pick(rng, ("race", "region", "ward", "group")), [pick(rng, ("a", "b", "c")) for _ in range(n)]),
        (name, truth.probs[:, 1]),
        (event, ints(truth.labels)),
    ]  # fmt: skip
    if chance(rng, 0.3):
        columns = mixed(rng, columns)
    return as_drawn(rng, columns, [name], truth)


TWICE = (
    ("{}_x", "{}_y"), ("{}_x", "{}_y"), ("{}", "{}.1"), ("{}", "{}_2"), ("{}", "{}_corrected"),
    ("{}_old", "{}_new"), ("{}_1", "{}_2"), ("{}", "{}_final"), ("{}_orig", "{}_fixed"), ("{}", "{}_y"),
    ("{}", "clean_{}"), ("{}_a", "{}_b"), ("{}", "{}_rev"), ("{}_before", "{}_after"), ("{}", "{} (2)"),
    ("{}_v1", "{}_v2"),
)  # fmt: skip


def two_labels(rng: Rng, agree: bool = False) -> Drawn:
    """Two columns that are named as labels: where they disagree only a person knows which one is meant."""
    two = chance(rng, 0.6)
    truth = binary(rng) if two else several(rng, ("cat", "dog", "owl")[: pick(rng, (2, 3))])
    base = pick(rng, ("label", "label", "outcome", "y", "target", "class", "y_true", "diagnosis_label"))
    first, second = (form.format(base) for form in pick(rng, TWICE))
    turned = truth.labels.copy()
    if not agree:
        at = rng.permutation(truth.n)[: int(rng.integers(1, max(2, truth.n // 5)))]
        turned[at] = (turned[at] + rng.integers(1, truth.m, len(at))) % truth.m
    both = [truth.labels, turned]
    if chance(rng, 0.5):
        both.reverse()
    values = [ints(one) if two else [truth.names[y] for y in one] for one in both]
    form = pick(rng, ("{}", "p_{}", "prob_{}"))
    probs: Columns = (
        [(pick(rng, ("prob", "p", "y_prob", "risk", "score")), truth.probs[:, 1])]
        if two
        else [(form.format(name), truth.probs[:, k]) for k, name in enumerate(truth.names)]
    )
    columns: Columns = {
        "around": [(first, values[0]), *probs, (second, values[1])],
        "before": [(first, values[0]), (second, values[1]), *probs],
        "behind": [*probs, (first, values[0]), (second, values[1])],
    }[pick(rng, ("around", "before", "behind"))]
    named = [name for name, _ in probs]
    return as_drawn(rng, beside(rng, columns, truth.n), named, truth, must_ask=not agree)


NAMED = (
    ("L1", "L2", "hem"), ("cat", "dog", "owl"), ("mild", "moderate", "severe"), ("AD", "CN", "MCI"),
    ("ham", "spam"), ("north", "east", "south", "west"), ("G3", "T2", "T4"),
)  # fmt: skip
CODES = (
    ("label_id", "label_name"), ("label", "label_name"), ("y", "class_name"), ("class_id", "class_name"),
    ("target", "target_name"), ("label_id", "label"), ("y_true", "y_true_name"), ("label_idx", "label_text"),
)  # fmt: skip


def ids_and_names(rng: Rng) -> Drawn:
    """A code and a name of each label: the codes are no places of columns, and the names say so."""
    names = pick(rng, NAMED)
    truth = several(rng, names, weak=chance(rng, 0.3))
    codes = rng.permutation(truth.m)
    if chance(rng, 0.25):
        codes = codes + 1
    form = pick(rng, ("p_{}", "p_{}", "prob_{}", "{}", "P({})", "p_{} (all)", "score_{}"))
    order = ints(rng.permutation(truth.m))
    probs: Columns = [(form.format(names[k]), truth.probs[:, k]) for k in order]
    code, name = pick(rng, CODES)
    said = words(truth)
    if chance(rng, 0.15):
        said = [one.upper() for one in said]
    both: Columns = [(code, ints(codes[truth.labels])), (name, said)]
    if chance(rng, 0.3):
        both.reverse()
    columns = probs + both if chance(rng, 0.7) else both + probs
    return as_drawn(rng, beside(rng, columns, truth.n), [one for one, _ in probs], truth)


def digits_in_another_order(rng: Rng) -> Drawn:
    """Columns named after numbered classes, in another order; labels are the numbers, or the names.

    Of some models the outcomes say nothing on the order, or by chance another.
    """
    m, first = int(pick(rng, (2, 3, 3, 3, 4))), int(pick(rng, (0, 0, 0, 1)))
    stem = pick(rng, ("L", "L", "L", "L", "class", "stage ", "Grade ", "T", "", "cluster_", "level-"))
    names = [f"{stem}{k + first}" for k in range(m)]
    weak = chance(rng, 0.6)
    truth = several(rng, names, int(rng.integers(14, 60)), weak)
    if weak and chance(rng, 0.7):
        truth.labels = rng.permutation(truth.labels)
    form = pick(rng, ("P({})", "P({})", "p_{}", "prob_{}", "proba_{}", "score_{}", "p({}|x)", "{}_prob"))
    probs: Columns = [(form.format(names[int(k)]), truth.probs[:, int(k)]) for k in rng.permutation(m)]
    labels = ints(truth.labels + first) if chance(rng, 0.7) else words(truth)
    label = (pick(rng, ("label", "label", "y", "target", "y_true", "class")), labels)
    columns = [*probs, label] if chance(rng, 0.7) else [label, *probs]
    return as_drawn(rng, beside(rng, columns, truth.n), [name for name, _ in probs], truth)


SEVERAL = r"several|more than one|multi|exactly one|at once|\blists?\b"
"""What is said of labels that are no single class."""


def lists_of_labels(rng: Rng) -> Drawn:
    """Several classes may be true of a case: a list of 0 and 1, a list of names, or a column of each.

    Of a column of each, and of places in a list of 0 and 1, one class by itself is right once it was chosen.
    """
    m = int(pick(rng, (2, 2, 3, 4)))
    names = pick(
        rng, (("A", "B", "C", "D"), ("cat", "dog", "owl", "fox"), ("toxic", "insult", "threat", "obscene"))
    )[:m]
    n = cases(rng)
    p = np.round(rng.beta(0.7, 0.7, (n, m)), pick(rng, (2, 3, 4)))
    if chance(rng, 0.3):
        p = np.round((p + 0.01) / (p + 0.01).sum(axis=1, keepdims=True), 6)
    hot = (rng.random((n, m)) < p).astype(int)
    hot[0], hot[1] = 1, 0
    label = pick(rng, ("labels", "label", "y_true", "target", "tags"))
    probs: Columns = [(name, p[:, k]) for k, name in enumerate(names)]
    kind = pick(rng, ("lists", "lists", "bare lists", "names", "bars", "apart", "arrays"))
    if kind == "apart":
        form = pick(rng, ("y_{}", "true_{}", "{}_true", "label_{}"))
        own: Columns = [(form.format(name), ints(hot[:, k])) for k, name in enumerate(names)]
    else:
        said = {
            "lists": [str(row.tolist()) for row in hot],
            "bare lists": [str(row) for row in hot],
            "names": [json.dumps([names[k] for k in np.flatnonzero(row)]) for row in hot],
            "bars": ["|".join(names[k] for k in np.flatnonzero(row)) or "none" for row in hot],
            "arrays": [row.tolist() for row in hot],
        }[kind]
        own = [(label, said)]
    columns = own + probs if chance(rng, 0.5) else probs + own
    truth = Truth(p, np.zeros(n, int), names)
    single = tuple(Truth(np.c_[1 - p[:, k], p[:, k]], hot[:, k], ("0", "1")) for k in range(m))
    others = single if kind in ("apart", "lists", "bare lists") else ()
    tags = (kind, f"{m} classes")
    if kind == "arrays":
        table = pd.DataFrame(dict(beside(rng, columns, n)))
        file = written(table.to_parquet)
        return Drawn(file, "t.parquet", truth, tags, answerable=False, says=SEVERAL)
    says = "" if kind == "apart" else SEVERAL
    more = {"others": others, "answerable": bool(others), "must_ask": True, "says": says}
    return as_drawn(rng, beside(rng, columns, n), [], truth, *tags, **more)


KINDS = {
    "paired outcomes": Kind(paired_outcomes, unasked=0.9, reached=0.95),
    "hits of a rounded answer": Kind(hits_of_a_rounded_answer),
    "hits of a sure answer": Kind(hits_of_a_sure_answer),
    "decision and confidence": Kind(decision_and_confidence),
    "an event of any name": Kind(event_of_any_name, reached=0.95),
    "two labels that disagree": Kind(two_labels, reached=0.95),
    "two labels that agree": Kind(partial(two_labels, agree=True), unasked=0.8, reached=0.95),
    "ids and names of labels": Kind(ids_and_names, reached=0.95),
    "digits in another order": Kind(digits_in_another_order, unasked=0.8, reached=0.95),
    "lists of labels": Kind(lists_of_labels),
}
