"""Files whose columns are mistaken: logits, models in rows, follow-up times, words that name no class."""

from dataclasses import replace

import numpy as np

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
    noise,
    several,
    words,
)
from tests.hostile.grammar.writing import Drawn


def logits_inside_the_unit(rng: Rng) -> Drawn:
    """A column that is named a logit, all of whose values could be probabilities: either may be wrong."""
    n = cases(rng)
    inside = np.round(rng.beta(pick(rng, (0.8, 2, 4)), pick(rng, (0.8, 2, 4)), n), pick(rng, (3, 4, 6)))
    p = 1 / (1 + np.exp(-inside)) if chance(rng, 0.7) else inside
    labels = (rng.random(n) < p).astype(int)
    labels[:2] = 0, 1
    truth = Truth(np.c_[1 - p, p], labels, ("0", "1"))
    name = pick(
        rng,
        ("logit", "logit", "logits", "y_logit", "logit_1", "pred_logit", "log_odds", "Logit", "logit_score"),
    )
    columns: Columns = [(name, inside), (pick(rng, ("label", "y", "y_true", "target")), ints(labels))]
    if chance(rng, 0.3):
        columns.reverse()
    return as_drawn(rng, beside(rng, columns, n), [], truth, must_ask=True)


MODELS = (("lr", "rf", "xgb", "nn"), ("base", "tuned", "final", "best"), ("v1", "v2", "v3", "v4"),
          ("raw", "platt", "isotonic", "beta"), ("A", "B", "C", "D"), ("1", "2", "3", "4"))  # fmt: skip


def models_in_rows(rng: Rng) -> Drawn:
    """Each case stands in the file once for every model; its label is the same every time."""
    k = int(pick(rng, (2, 2, 3, 4)))
    two = chance(rng, 0.7)
    first = binary(rng) if two else several(rng, ("cat", "dog", "owl"))
    n = first.n
    truths = [first]
    for _ in range(k - 1):
        moved = first.probs ** rng.uniform(0.5, 1.8) + rng.uniform(0.001, 0.05, first.probs.shape)
        truths.append(replace(first, probs=np.round(moved / moved.sum(axis=1, keepdims=True), 6)))
    ids = ints(rng.permutation(6 * n)[:n])
    if chance(rng, 0.3):
        ids = [f"case{one}" for one in ids]
    names = pick(rng, MODELS)[:k]
    form = pick(rng, ("p_{}", "{}", "prob_{}"))
    rows = [(i, j) for j in range(k) for i in range(n)]
    layout = pick(rng, ("model after model", "model after model", "case after case", "shuffled"))
    if layout == "case after case":
        rows.sort()
    elif layout == "shuffled":
        rows = [rows[at] for at in rng.permutation(len(rows))]
    score = pick(rng, ("y_score", "y_prob", "prob", "p", "pred"))
    probs: Columns = (
        [(score, [float(truths[j].probs[i, 1]) for i, j in rows])]
        if two
        else [
            (form.format(name), [float(truths[j].probs[i, c]) for i, j in rows])
            for c, name in enumerate(first.names)
        ]
    )
    was = ints(first.labels) if two else words(first)
    own: Columns = [
        (pick(rng, ("ID", "id", "case_id", "sample", "patient_id", "image_id")), [ids[i] for i, _ in rows]),
        (pick(rng, ("variant", "model", "Model", "method", "classifier", "algorithm", "run", "calibrator")),
         [names[j] for _, j in rows]),
        (pick(rng, ("y_true", "label", "target", "y")), [was[i] for i, _ in rows]),
    ]  # fmt: skip
    columns = own + probs if chance(rng, 0.7) else mixed(rng, own + probs)
    tags = (layout, f"{k} models")
    # The rows of one model in the order of the file, whatever that is.
    found = []
    for j, truth in enumerate(truths):
        at = [i for i, model in rows if model == j]
        found.append(replace(truth, probs=truth.probs[at], labels=truth.labels[at]))
    if not two:  # decimals of a third class make the sum
        found = [replace(one, probs=one.probs / one.probs.sum(axis=1, keepdims=True)) for one in found]
    named = [name for name, _ in probs]
    return as_drawn(rng, columns, named, found[0], *tags, must_ask=True, others=tuple(found[1:]))


def cases_of_the_same(rng: Rng) -> Drawn:
    """Several rows of a person, each with its own outcome: no models, all rows count."""
    truth = binary(rng)
    n = truth.n
    people = ints(rng.integers(1, max(3, n // 3), n))
    columns: Columns = [
        (pick(rng, ("patient", "patient_id", "subject", "user_id")), people),
        (pick(rng, ("visit", "site", "side")), [pick(rng, ("a", "b", "c")) for _ in range(n)]),
        (pick(rng, ("y_true", "label", "target")), ints(truth.labels)),
        (pick(rng, ("y_score", "y_prob", "prob")), truth.probs[:, 1]),
    ]
    return as_drawn(rng, columns, [columns[-1][0]], truth)


FOLLOWED = (
    "futime", "time", "follow_up", "followup_days", "survival_time", "time_to_event", "tte", "fu_years",
    "os_months", "duration", "Time", "t_event", "years_followed", "follow-up time",
)  # fmt: skip


def follow_up(rng: Rng) -> Drawn:
    """Time, event and risk: without the event is either well or not followed for long enough."""
    truth = binary(rng)
    n = truth.n
    horizon = pick(rng, (5, 10, 365))
    times = np.round(
        np.where(truth.labels == 1, rng.uniform(0.01, 1, n), rng.uniform(0.1, 1.2, n)) * horizon, 2
    )
    if chance(rng, 0.3) and horizon == 365:
        times = np.ceil(times).astype(int)
    time = pick(rng, FOLLOWED)
    event = pick(rng, ("event", "event", "status", "died", "death", "fustat", "event_observed", "dead"))
    risk = pick(
        rng,
        ("pred_risk_5y", "risk", "predicted_risk", "p_5y", "risk_5yr", "prob_event", "pred_risk", "risk_10y"),
    )
    columns: Columns = [(time, times.tolist()), (event, ints(truth.labels)), (risk, truth.probs[:, 1])]
    if chance(rng, 0.4):
        columns = mixed(rng, columns)
    more = {"must_ask": True, "said": "censored|did not happen"}
    return as_drawn(rng, beside(rng, columns, n), [risk], truth, **more)


NO_CLASS = (
    "oof", "model", "test", "val", "valid", "train", "mean", "avg", "median", "lr", "rf", "xgb", "lgbm",
    "svm", "nn", "calibrated", "final", "cv", "gpt4", "ensemble", "blend", "raw", "stack", "fold1", "5y",
    "10yr", "30d", "1y", "bert", "platt", "isotonic", "baseline", "holdout", "catboost", "logreg", "dev",
    "m1", "uncalibrated", "cal", "12m", "mlp", "max",
)  # fmt: skip
SAID = ("prob", "proba", "score", "risk", "pred", "probability", "prediction", "p")


def names_of_no_class(rng: Rng) -> Drawn:
    """One column of probabilities that is named after its model, part of the data, aggregate or horizon."""
    word = pick(rng, NO_CLASS)
    kind = pick(rng, SAID)
    form = pick(rng, ("{w}_{k}", "{w}_{k}", "{k}_{w}", "{k}_{w}", "{w}.{k}", "{w} {k}", "{k}-{w}"))
    name = form.format(w=word, k=kind)
    if chance(rng, 0.2):
        name = pick(rng, (f"{name}_{pick(rng, NO_CLASS)}", name.upper(), name.title(), f"y_{name}"))
    names = pick(rng, (("0", "1"), ("0", "1"), ("0", "1"), ("False", "True"), ("no", "yes"), ("neg", "pos")))
    truth = binary(rng, names)
    label = pick(rng, ("y", "y_true", "label", "target", "outcome", "truth"))
    codes = {"0": ints(truth.labels), "False": [bool(y) for y in truth.labels]}
    columns: Columns = [(name, truth.probs[:, 1]), (label, codes.get(names[0], words(truth)))]
    if chance(rng, 0.4):
        columns.reverse()
    return as_drawn(
        rng, beside(rng, columns, truth.n), [name], truth, f"labels {names}", never=(*NO_CLASS, "not")
    )


EXPLAINED = (
    ("no", "yes"), ("healthy", "ill"), ("stay", "churn"), ("alive", "dead"), ("benign", "malignant"),
    ("A", "B"), ("male", "female"), ("real", "fake"),
)  # fmt: skip
EXPLAINING = (
    "{k}_0_for_{a}_1_for_{b}", "{k}_0_for_{a}_1_for_{b}", "{k} (0 for {a}, 1 for {b})", "{k}_0_{a}_1_{b}",
    "{k} (0={a}, 1={b})", "{k}_1_for_{b}_0_for_{a}", "{k} 0={a} 1={b}",
)  # fmt: skip


def names_that_explain(rng: Rng) -> Drawn:
    """``prediction_0_for_no_1_for_yes``: the name says what 0 and 1 are."""
    names = pick(rng, EXPLAINED)
    truth = binary(rng, names)
    name = pick(rng, EXPLAINING).format(
        k=pick(rng, ("prediction", "prob", "score", "pred", "p")), a=names[0], b=names[1]
    )
    labels = ints(truth.labels) if chance(rng, 0.6) else words(truth)
    columns: Columns = [(name, truth.probs[:, 1]), (pick(rng, ("y", "label", "target", "actual")), labels)]
    if chance(rng, 0.3):
        columns.reverse()
    return as_drawn(rng, beside(rng, columns, truth.n), [name], truth, never=("for", "not", "prediction"))


def audited(rng: Rng) -> Drawn:
    """Aequitas: ``entity_id, score, label_value`` and what groups are made of."""
    truth = binary(rng)
    n = truth.n
    columns: Columns = [("score", truth.probs[:, 1]), ("label_value", ints(truth.labels))]
    if chance(rng, 0.7):
        columns.insert(0, ("entity_id", ints(rng.permutation(7 * n)[:n])))
    for name, values in (
        ("race", ("x", "y", "z")),
        ("sex", ("Male", "Female")),
        ("age_cat", ("< 25", "25 - 45", "> 45")),
    ):
        if chance(rng, 0.6):
            columns.append((name, [pick(rng, values) for _ in range(n)]))
    if chance(rng, 0.3):
        columns = mixed(rng, columns)
    return as_drawn(rng, columns, ["score"], truth)


def doubled_names(rng: Rng) -> Drawn:
    """Two columns of one name: harmless where neither is needed, else it is open which one is meant."""
    needed = chance(rng, 0.25)
    two = chance(rng, 0.5)
    truth = binary(rng) if two else several(rng, ("cat", "dog", "owl"))
    n = truth.n
    name = pick(rng, ("prob", "p", "y_prob")) if two else "p_cat"
    probs: Columns = (
        [(name, truth.probs[:, 1].tolist())]
        if two
        else [(f"p_{one}", truth.probs[:, k].tolist()) for k, one in enumerate(truth.names)]
    )
    columns: Columns = [*probs, (pick(rng, ("label", "y_true")), ints(truth.labels) if two else words(truth))]
    if needed:
        columns.insert(int(rng.integers(len(columns) + 1)), (name, np.round(rng.random(n), 3).tolist()))
        return as_drawn(rng, columns, [], truth, "needed", answerable=False)
    offers = [one for one in noise(rng, n) if one[0] not in dict(columns)] or [("id", list(range(n)))]
    again = pick(rng, offers)
    columns = [*offers, *columns]
    other = again[1] if chance(rng, 0.4) else again[1][::-1]
    columns.insert(int(rng.integers(len(columns) + 1)), (again[0], other))
    return as_drawn(rng, columns, [], truth, "not needed")


KINDS = {
    "logits inside 0-1": Kind(logits_inside_the_unit, reached=0.95),
    "models in rows": Kind(models_in_rows),
    "several rows of a person": Kind(cases_of_the_same, unasked=0.95, reached=0.95),
    "follow-up times": Kind(follow_up),
    "names of no class": Kind(names_of_no_class, unasked=0.6, reached=0.95),
    "names that explain": Kind(names_that_explain, reached=0.95),
    "Aequitas": Kind(audited, unasked=0.9, reached=0.95),
    "doubled names": Kind(doubled_names, unasked=0.9, reached=0.95),
}
