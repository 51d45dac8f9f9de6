"""Files whose columns' names say what they are, and whose order, values or first look say something else."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from tests.hostile.grammar.drawing import Rng, Truth, chance, pick, truth_of
from tests.hostile.grammar.writing import Drawn

Columns = dict[str, Any]
MODELS = (
    "oof", "model", "test", "mean", "lr", "rf", "calibrated", "final", "cv", "gpt4", "xgb_v2", "fold3", "val",
    "ensemble", "median", "lgbm", "bert_base", "raw", "seed_1", "run2", "holdout", "5y", "30d", "1_year",
    "10yr",
    "90day", "dev", "smoothed", "stacked", "v2", "train", "catboost", "random_forest", "platt", "resnet50",
)  # fmt: skip
FORMS = (
    "{}_proba",
    "prob_{}",
    "{}_prob",
    "p_{}",
    "risk_{}",
    "{}_score",
    "y_prob_{}",
    "pred_{}",
    "probability_{}",
)
RIGHT = (
    "correct",
    "right",
    "is_correct",
    "hit",
    "acc",
    "match",
    "was_correct",
    "Correct?",
    "richtig",
    "is_right",
)
VERSIONS = (
    ("{}_x", "{}_y"), ("{}", "{}.1"), ("{}", "{}_2"), ("{}", "{}_corrected"), ("{}_old", "{}_new"),
    ("{}", "{}_clean"),
    ("{}_1", "{}_2"), ("{}", "{}_relabeled"), ("{}_original", "{}_revised"),
)  # fmt: skip
LABELS = ("label", "target", "outcome", "y", "class", "died", "churned")
TIMES = (
    "futime",
    "time",
    "days",
    "months",
    "followup_days",
    "OS_time",
    "tte",
    "time_to_event",
    "survival_time",
)
EVENTS = ("event", "status", "died", "death", "OS_event", "relapse", "event_occurred")
SCORES = ("logit", "log_odds", "raw_score", "decision_function", "margin", "logits", "linear_predictor")
OUTCOMES = ("{}_outcome", "actual_{}", "{}_result", "{} won", "y_{}", "{}.true")
SETS = (("prob1", "probtie", "prob2"), ("home", "draw", "away"), ("p1", "p2", "p3"), ("win", "draw", "loss"))
DIGITS = ("P(L{})", "prob_G{}", "T{} prob", "p_stage{}")
NAMES_OF_CODES = (("label_id", "label_name"), ("target", "target_name"), ("class_idx", "class_label_text"))


def _of_a_model(rng: Rng, truth: Truth) -> Columns:
    name = pick(rng, FORMS).format(pick(rng, MODELS))
    labels = truth.labels if chance(rng, 0.6) else np.array(["no", "yes"])[truth.labels]
    return {name: truth.probs[:, 1], pick(rng, ("label", "y_true", "target")): labels}


def _whether_right(rng: Rng, truth: Truth) -> Columns:
    p = truth.probs[:, 1]
    return {
        pick(rng, ("prob", "p", "risk", "score")): p,
        pick(rng, RIGHT): ((p > 0.5) == truth.labels).astype(int),
    }


def _two_labels(rng: Rng, truth: Truth) -> Columns:
    other = np.where(rng.random(truth.n) < 0.8, truth.labels, 1 - truth.labels)
    other[0] = 1 - truth.labels[0]
    stem, (one, two) = pick(rng, LABELS), pick(rng, VERSIONS)
    pair = [truth.labels, other] if chance(rng, 0.5) else [other, truth.labels]
    return {one.format(stem): pair[0], pick(rng, ("prob", "p")): truth.probs[:, 1], two.format(stem): pair[1]}


def _survival(rng: Rng, truth: Truth) -> Columns:
    times = np.round(rng.exponential(900, truth.n), 1)
    return {pick(rng, TIMES): times, pick(rng, EVENTS): truth.labels, "pred_risk_5y": truth.probs[:, 1]}


def _scores_in_range(rng: Rng, truth: Truth) -> Columns:
    return {pick(rng, SCORES): truth.probs[:, 1], "label": truth.labels}


def _pairs(rng: Rng, truth: Truth) -> Columns:
    names, form = pick(rng, SETS), pick(rng, OUTCOMES)
    columns: Columns = {}
    for k in rng.permutation(3).tolist():
        columns |= {names[k]: truth.probs[:, k], form.format(names[k]): (truth.labels == k).astype(int)}
    return columns


def _pairs_apart(rng: Rng, truth: Truth) -> Columns:
    form = pick(rng, OUTCOMES)
    columns: Columns = {"round_1": truth.probs[:, 1], form.format("round_1"): truth.labels}
    for k in (2, 3):
        p = np.round(rng.random(truth.n), 3)
        columns |= {f"round_{k}": p, form.format(f"round_{k}"): (rng.random(truth.n) < p).astype(int)}
    return columns


def _digits(rng: Rng, truth: Truth) -> Columns:
    form = pick(rng, DIGITS)
    columns = {form.format(k): truth.probs[:, k] for k in rng.permutation(3).tolist()}
    return columns | {"label": truth.labels}


def _names_of_codes(rng: Rng, truth: Truth) -> Columns:
    names = np.array(["L1", "L2", "hem"])
    called = ("p_L1", "p_L2", pick(rng, ("p_hem", "p_hem (all)")))
    columns = {called[k]: truth.probs[:, k] for k in rng.permutation(3).tolist()}
    code, name = pick(rng, NAMES_OF_CODES)
    return columns | {code: truth.labels, name: names[truth.labels]}


KINDS: dict[str, tuple[int, Callable[[Rng, Truth], Columns]]] = {
    "of a model": (2, _of_a_model), "whether right": (2, _whether_right), "two labels": (2, _two_labels),
    "survival": (2, _survival), "scores in range": (2, _scores_in_range), "pairs": (3, _pairs),
    "pairs apart": (2, _pairs_apart), "digits": (3, _digits), "names of codes": (3, _names_of_codes),
}  # fmt: skip


def named(seed: int, cases: tuple[int, int] = (8, 60)) -> Drawn:
    """A file of one of these kinds, and what it means."""
    rng = np.random.default_rng([16, seed])
    kind = pick(rng, tuple(KINDS))
    m, columns_of = KINDS[kind]
    names = tuple(str(k) for k in range(m)) if m == 2 else ("?", "??", "???")
    truth = truth_of(rng, names, int(rng.integers(*cases)), pick(rng, (2, 3, 4)))
    if kind == "whether right":  # of even ones nobody knows
        even = truth.probs[:, 1] == 0.5
        truth.probs[even] = [0.25, 0.75]
    columns = columns_of(rng, truth)
    tags = (kind, *columns)
    if chance(rng, 0.3):
        columns = {
            pick(rng, ("id", "case", "patient_id", "uuid")): rng.permutation(5000)[: truth.n],
            **columns,
        }
    text = pd.DataFrame(columns).to_csv(index=False)
    return Drawn(text.encode(), "t.csv", truth, tags)
