"""Files of clinics and others; files that leave open what they mean; and what holds no predictions."""

import numpy as np

from tests.hostile.grammar.exported import (
    ANIMALS,
    GUESS,
    GUESS3,
    IDS,
    NO_YES,
    OTHER,
    RNG,
    SURE,
    SURE3,
    THREE,
    WHICH,
    A,
    B,
    C,
    Export,
    N,
    P,
    Q,
    Y,
    pair_of,
)

FIELDS = {
    "a clinic": Export(
        {"patient_id": IDS, "age": IDS % 70 + 20, "sex": "f", "risk_score": P, "event": Y}, ("0", "1")
    ),
    "a title": Export(
        "Predictions;;\n\nFall;P(ja);Ziel\n"
        + "".join(f"{i};{p};{y}\n" for i, p, y in zip(IDS, P, Y, strict=True)),
        ("0", "1"),
    ),
    "a title and who wrote it": Export(
        "Validation of model 3\nward 7, spring\nid,prob_no,prob_yes,truth\n"
        + "".join(f"{i},{q},{p},{y}\n" for i, q, p, y in zip(IDS, Q, P, NO_YES[Y], strict=True)),
        ("no", "yes"),
    ),
    "credit risk": Export({"loan_id": IDS, "EAD": IDS * 10, "PD": P, "default_flag": Y}, ("0", "1")),
    "deaths": Export({"pid": IDS, "predicted_risk": P, "died": Y}, ("0", "1")),
    "survival": Export({"pid": IDS, "p_survival": Q, "died": Y}, ("0", "1")),
    "biopsies": Export(
        {"pid": IDS, "prob_benign": Q, "pathology": pair_of("benign", "malignant")[Y]},
        ("benign", "malignant"),
    ),
    "malignancy": Export({"pid": IDS, "malignancy_prob": P, "malignant": Y.astype(bool)}, ("False", "True")),
    "percent of deaths": Export(
        {"pid": IDS, "Risk (%)": np.round(100 * P, 2), "Outcome": pair_of("Alive", "Dead")[Y]},
        ("Alive", "Dead"),
    ),
    "churn": Export(
        {"customerID": IDS, "churn_probability": P, "Churn": pair_of("No", "Yes")[Y]}, ("No", "Yes")
    ),
    "fraud": Export({"fraud_score": P, "is_fraud": Y}, ("0", "1")),
    "spam": Export({"ham": Q, "spam": P, "label": Y}, ("ham", "spam")),
    "sentiment": Export(
        {"negative": A, "neutral": B, "positive": C, "label": WHICH}, ("negative", "neutral", "positive")
    ),
    "football": Export(
        {"prob_home": A, "prob_draw": B, "prob_away": C, "result": np.array(["home", "draw", "away"])[WHICH]},
        ("home", "draw", "away"),
    ),
    "stages": Export(
        {
            "P(Stage I)": A,
            "P(Stage II)": B,
            "P(Stage III)": C,
            "Stage": np.array(["Stage I", "Stage II", "Stage III"])[WHICH],
        },
        ("Stage I", "Stage II", "Stage III"),
    ),
    "interval": Export(
        {"p": P, "p_lower": np.round(0.8 * P, 4), "p_upper": np.round(P + 0.2 * Q, 4), "y": Y}, ("0", "1")
    ),
    "a p-value": Export({"p_value": OTHER, "prob": P, "y": Y}, ("0", "1")),
    "errors beside": Export(
        {"prob": P, "y": Y, "brier": np.round((P - Y) ** 2, 4), "abs_error": np.round(abs(P - Y), 4)},
        ("0", "1"),
    ),
    "a class and its opposite": Export(
        {"P(disease)": P, "P(no disease)": Q, "label": Y}, ("no disease", "disease")
    ),
    "yes before no": Export({"yes prob": P, "no prob": Q, "label": Y}, ("no", "yes")),
    "ill before well": Export({"p_ill": P, "p_well": Q, "label": Y.astype(bool)}, ("well", "ill")),
}
"""Read as they are, without a question."""
ASKED = {
    "weather": Export({"date": "2026-01-01", "pop": np.round(100 * P, 2), "rain": Y}, ("0", "1")),
    "goals": Export(
        {"H": A, "D": B, "A": C, "FTR": np.array(["H", "D", "A"])[WHICH], "home": "a"}, ("H", "D", "A")
    ),
    "numbers for words": Export(
        {"prob_0": A, "prob_1": B, "prob_2": C, "target": np.array(["a", "b", "c"])[WHICH]}, ("a", "b", "c")
    ),
    "categories": Export(
        {"BI-RADS 2": A, "BI-RADS 3": B, "BI-RADS 4": C, "birads": WHICH + 2}, ("2", "3", "4")
    ),
    "two models": Export({"p_lr": P, "p_rf": OTHER, "y": Y}, ("0", "1")),
    "two models, otherwise": Export({"model_a": P, "model_b": OTHER, "truth": Y}, ("0", "1")),
    "before and after": Export({"p_raw": np.round(P**2, 4), "p_calibrated": P, "y": Y}, ("0", "1")),
    "an unknown pair": Export({"p_krank1": P, "p_kontrolle": Q, "y": Y}, ("kontrolle", "krank1")),
    "a credit score": Export({"score": P, "good_bad": pair_of("good", "bad")[Y]}, ("good", "bad")),
    "who votes": Export({"forecast": P, "won": Y}, ("0", "1")),
}
"""Right after one question: what they mean stands nowhere in them."""
UNREADABLE = {
    "no labels, a fold": Export({"id": IDS, "p": P, "fold": RNG.integers(0, 2, N)}, None),
    "a cell of a list that is no prediction": Export(
        {"id": IDS, "topics": [f"[{q}, {p}]" for q, p in zip(Q, P, strict=True)], "label": Y}, None
    ),
    "Weka, no labels": Export(
        "inst#,actual,predicted,error,distribution\n"
        + "".join(f"{i},1:?,2:yes,,{q},*{p}\n" for i, q, p in zip(IDS, Q, P, strict=True)),
        None,
    ),
    "no labels, a decision": Export({"id": IDS, "p_0": Q, "p_1": P, "pred": GUESS}, None),
    "no labels, a sex": Export({"id": IDS, "p": P, "sex": RNG.integers(0, 2, N)}, None),
    "no labels, a treatment": Export({"p": P, "treatment": RNG.integers(0, 2, N)}, None),
    "no labels, a class": Export({"cat": A, "dog": B, "owl": C, "predicted": ANIMALS[GUESS3]}, None),
    "no labels, two guesses": Export(
        {"cat": A, "dog": B, "owl": C, "top1": ANIMALS[GUESS3], "top2": ANIMALS[np.argsort(THREE)[:, 1]]},
        None,
    ),
    "no labels, what an AI said": Export(
        {"cat": A, "dog": B, "owl": C, "Ergebnis KI": ANIMALS[GUESS3]}, None
    ),
    "Weka": Export(
        {
            "inst#": range(1, N + 1),
            "actual": pair_of("1:no", "2:yes")[Y],
            "predicted": pair_of("1:no", "2:yes")[GUESS],
            "error": np.where(Y != GUESS, "+", ""),
            "prediction": SURE,
        },
        None,
    ),
    "units": Export(
        "id,p_no,p_yes,label\n(-),(1),(1),(-)\n"
        + "".join(f"{i},{q},{p},{y}\n" for i, q, p, y in zip(IDS, Q, P, NO_YES[Y], strict=True)),
        None,
    ),
    "a last line of means": Export(
        "p,y\n" + "".join(f"{p},{y}\n" for p, y in zip(P, Y, strict=True)) + "Mean,0.5\n", None
    ),
    "ARFF": Export(
        "@relation x\n@attribute cat numeric\n@data\n"
        + "".join(f"{a},{b},{c},{w}\n" for a, b, c, w in zip(A, B, C, ANIMALS[WHICH], strict=True)),
        None,
    ),
}
"""No probabilities and labels, or not as a table: whatever is said, nothing is read."""
CONFIDENCES = {
    "decision and confidence": (
        Export({"pred": ANIMALS[GUESS3], "confidence": SURE3, "label": ANIMALS[WHICH]}, None),
        SURE3,
        GUESS3 == WHICH,
    ),
    "decision and confidence of two": (
        Export({"pred": GUESS, "confidence": SURE, "label": Y}, None),
        SURE,
        GUESS == Y,
    ),
    "German confidence": (
        Export({"Patient": IDS, "Vorhersage": GUESS, "Vertrauen": SURE, "Ergebnis": Y}, None, separator=";"),
        SURE,
        GUESS == Y,
    ),
}
"""Files of which only the confidence in the answer is known: with that, and whether each answer was right."""
