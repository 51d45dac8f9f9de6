"""Files as tools and people of many countries write them, each with what it means."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from tests.hostile.grammar.drawing import Truth
from tests.hostile.grammar.writing import Drawn

N = 40
RNG = np.random.default_rng(77)
P = np.round(RNG.beta(0.6, 0.6, N), 4)
Q = np.round(1 - P, 4)
Y = (RNG.random(N) < P).astype(int)
THREE = np.array([RNG.multinomial(10_000, row) for row in RNG.dirichlet(np.full(3, 0.5), N)]) / 10_000
WHICH = np.array([RNG.choice(3, p=row) for row in THREE])
GUESS, GUESS3 = (P > 0.5).astype(int), THREE.argmax(axis=1)
SURE, SURE3 = np.maximum(P, Q), THREE.max(axis=1)
IDS, TURNED = RNG.permutation(5_000)[:N], RNG.permutation(N)
OTHER = np.round(RNG.random(N), 3)
A, B, C = THREE.T
ANIMALS = np.array(["cat", "dog", "owl"])
NO_YES = np.array(["no", "yes"])


@dataclass(frozen=True)
class Export:
    """A file, perhaps with one of labels, and what it means; ``truth`` None: nothing that could be read."""

    columns: Any
    names: tuple[str, ...] | None
    labels: Any = None
    separator: str = ","

    def drawn(self, title: str) -> Drawn:
        """The file and its truth."""
        names = self.names or ("?", "??")
        probs = np.c_[1 - P, P] if len(names) == 2 else THREE
        truth = Truth(probs.copy(), Y if len(names) == 2 else WHICH, names)
        decimal = "," if self.separator == ";" else "."
        labels = None if self.labels is None else _text(self.labels, ",", ".")
        data = _text(self.columns, self.separator, decimal)
        return Drawn(data, "x.csv", truth, (title,), labels, answerable=self.names is not None)


def _text(columns: Any, separator: str, decimal: str) -> bytes:
    if isinstance(columns, str):
        return columns.encode()
    return pd.DataFrame(columns).to_csv(index=False, sep=separator, decimal=decimal).encode()


def _pair(negative: str, positive: str) -> np.ndarray[Any, Any]:
    return np.array([negative, positive])


SICK, KRANK, SAIN, SANO = (
    _pair("well", "ill"),
    _pair("gesund", "krank"),
    _pair("sain", "malade"),
    _pair("sano", "enfermo"),
)
TOOLS = {
    "caret": Export(
        {
            "pred": ANIMALS[GUESS3],
            "obs": ANIMALS[WHICH],
            "cat": A,
            "dog": B,
            "owl": C,
            "rowIndex": IDS,
            "Resample": "Fold1",
        },
        tuple(ANIMALS),
    ),
    "caret of two": Export(
        {"pred": NO_YES[GUESS], "obs": NO_YES[Y], "no": Q, "yes": P, "rowIndex": IDS, "mtry": 2},
        ("no", "yes"),
    ),
    "tidymodels": Export(
        {
            ".pred_class": NO_YES[GUESS],
            ".pred_no": Q,
            ".pred_yes": P,
            ".row": IDS,
            "Class": NO_YES[Y],
            ".config": "a",
        },
        ("no", "yes"),
    ),
    "tidymodels, one": Export(
        {".pred_yes": P, ".pred_class": NO_YES[GUESS], "truth": NO_YES[Y]}, ("no", "yes")
    ),
    "mlr": Export(
        {
            "id": IDS,
            "truth": _pair("M", "R")[Y],
            "prob.M": Q,
            "prob.R": P,
            "response": _pair("M", "R")[GUESS],
        },
        ("M", "R"),
    ),
    "mlr3": Export(
        {
            "row_ids": IDS,
            "truth": ANIMALS[WHICH],
            "response": ANIMALS[GUESS3],
            "prob.cat": A,
            "prob.dog": B,
            "prob.owl": C,
        },
        tuple(ANIMALS),
    ),
    "H2O": Export({"predict": GUESS, "p0": Q, "p1": P, "y": Y}, ("0", "1")),
    "H2O, response": Export({"predict": GUESS, "p0": Q, "p1": P, "response": Y}, ("0", "1")),
    "H2O of three": Export(
        {"predict": ANIMALS[GUESS3], "cat": A, "dog": B, "owl": C, "class": ANIMALS[WHICH]}, tuple(ANIMALS)
    ),
    "SAS": Export({"BAD": Y, "I_BAD": GUESS, "P_BAD1": P, "P_BAD0": Q, "_WARN_": ""}, ("0", "1")),
    "SAS of three": Export(
        {
            "Species": ANIMALS[WHICH],
            "P_Speciescat": A,
            "P_Speciesdog": B,
            "P_Speciesowl": C,
            "I_Species": ANIMALS[GUESS3],
        },
        tuple(ANIMALS),
    ),
    "SPSS": Export({"target": Y, "PRE_1": P, "PGR_1": GUESS}, ("0", "1")),
    "SPSS of three": Export(
        {"y": WHICH + 1, "EST1_1": A, "EST2_1": B, "EST3_1": C, "PRE_1": GUESS3 + 1, "PCP_1": SURE3},
        ("1", "2", "3"),
    ),
    "SPSS Modeler": Export(
        {"churn": NO_YES[Y], "$R-churn": NO_YES[GUESS], "$RC-churn": SURE, "$RP-no": Q, "$RP-yes": P},
        ("no", "yes"),
    ),
    "Stata": Export({"y": Y, "phat": P}, ("0", "1")),
    "Stata of three": Export({"outcome": WHICH + 1, "p1": A, "p2": B, "p3": C}, ("1", "2", "3")),
    "KNIME": Export(
        {
            "row ID": [f"Row{i}" for i in range(N)],
            "Class": ANIMALS[WHICH],
            "P (Class=cat)": A,
            "P (Class=dog)": B,
            "P (Class=owl)": C,
            "Prediction (Class)": ANIMALS[GUESS3],
            "Prediction (Class) (Confidence)": SURE3,
        },
        tuple(ANIMALS),
    ),
    "RapidMiner": Export(
        {
            "id": IDS,
            "label": ANIMALS[WHICH],
            "prediction(label)": ANIMALS[GUESS3],
            "confidence(cat)": A,
            "confidence(dog)": B,
            "confidence(owl)": C,
        },
        tuple(ANIMALS),
    ),
    "Azure": Export({"Label": Y, "Scored Labels": GUESS, "Scored Probabilities": P}, ("0", "1")),
    "Azure of three": Export(
        {
            "Class": ANIMALS[WHICH],
            **{
                f'Scored Probabilities for Class "{name}"': column
                for name, column in zip(ANIMALS, THREE.T, strict=True)
            },
            "Scored Labels": ANIMALS[GUESS3],
        },
        tuple(ANIMALS),
    ),
    "DataRobot": Export(
        {
            "row_id": IDS,
            "readmitted_1_PREDICTION": P,
            "readmitted_0_PREDICTION": Q,
            "readmitted_PREDICTION": GUESS,
            "readmitted_actual": Y,
        },
        ("0", "1"),
    ),
    "MATLAB": Export(
        {
            "YTrue": ANIMALS[WHICH],
            "YPred": ANIMALS[GUESS3],
            "Scores_cat": A,
            "Scores_dog": B,
            "Scores_owl": C,
        },
        tuple(ANIMALS),
    ),
    "MATLAB, numbers": Export(
        {"YTrue": WHICH + 1, "YPred": GUESS3 + 1, "Scores_1": A, "Scores_2": B, "Scores_3": C},
        ("1", "2", "3"),
    ),
    "R, numbers as names": Export({"X0": Q, "X1": P, "y": Y}, ("0", "1")),
    "R, words as names": Export({"Probability.of.yes": P, "Observed": NO_YES[Y]}, ("no", "yes")),
    "R, V1": Export({"V1": A, "V2": B, "V3": C, "y": WHICH + 1}, ("1", "2", "3")),
    "glm": Export({"y": Y, ".fitted": P, ".resid": Y - P, ".hat": OTHER / 9}, ("0", "1")),
    "scikit-learn": Export({"y_true": Y, "y_pred": GUESS, "proba_0": Q, "proba_1": P}, ("0", "1")),
    "scikit-learn, one": Export({"y_test": Y, "y_pred": GUESS, "y_prob": P}, ("0", "1")),
    "AutoGluon": Export({"cat": A, "dog": B, "owl": C, "label": ANIMALS[WHICH]}, tuple(ANIMALS)),
    "Keras": Export({"0": A, "1": B, "2": C, "y": WHICH}, ("0", "1", "2")),
    "Hugging Face": Export({"LABEL_0": Q, "LABEL_1": P, "label": Y}, ("0", "1")),
    "XGBoost": Export({"label": Y, "pred": P, "pred_label": GUESS}, ("0", "1")),
    "LightGBM": Export({"target": Y, "prediction": P, "fold": GUESS}, ("0", "1")),
    "Kaggle": Export({"id": IDS, "target": P}, ("0", "1"), {"id": IDS[TURNED], "target": Y[TURNED]}),
    "Kaggle of three": Export(
        {"id": IDS, "Class_1": A, "Class_2": B, "Class_3": C},
        ("Class_1", "Class_2", "Class_3"),
        {"id": IDS[TURNED], "target": np.array(["Class_1", "Class_2", "Class_3"])[WHICH[TURNED]]},
    ),
    "German": Export(
        {"Fall": IDS, "Wahrheit": KRANK[Y], "Vorhersage": KRANK[GUESS], "P(gesund)": Q, "P(krank)": P},
        tuple(KRANK),
        separator=";",
    ),
    "German, one": Export(
        {"Fallnr": IDS, "Befund": KRANK[Y], "Wahrscheinlichkeit krank": P}, tuple(KRANK), separator=";"
    ),
    "German, numbers": Export(
        {"Patient": IDS, "Wahrscheinlichkeit": P, "Ergebnis": Y}, ("0", "1"), separator=";"
    ),
    "French": Export(
        {
            "identifiant": IDS,
            "vérité terrain": SAIN[Y],
            "prédiction": SAIN[GUESS],
            "proba_sain": Q,
            "proba_malade": P,
        },
        tuple(SAIN),
    ),
    "French, one": Export({"risque": P, "décès": Y}, ("0", "1")),
    "Spanish": Export(
        {"caso": IDS, "real": SANO[Y], "predicho": SANO[GUESS], "prob_sano": Q, "prob_enfermo": P},
        tuple(SANO),
    ),
    "Spanish, numbers": Export(
        {"caso": IDS, "clase real": Y, "clase predicha": GUESS, "probabilidad": P}, ("0", "1")
    ),
    "Chinese": Export(
        {
            "编号": IDS,
            "真实标签": _pair("阴性", "阳性")[Y],
            "预测标签": _pair("阴性", "阳性")[GUESS],
            "概率_阴性": Q,
            "概率_阳性": P,
        },
        ("阴性", "阳性"),
    ),
    "Chinese, numbers": Export({"编号": IDS, "真实标签": Y, "预测概率": P, "预测标签": GUESS}, ("0", "1")),
    "Chinese of three": Export(
        {
            "真实类别": WHICH,
            "预测类别": GUESS3,
            "置信度": SURE3,
            "类别0概率": A,
            "类别1概率": B,
            "类别2概率": C,
        },
        ("0", "1", "2"),
    ),
    "Japanese": Export(
        {
            "正解": np.array(["犬", "猫", "鳥"])[WHICH],
            "予測": np.array(["犬", "猫", "鳥"])[GUESS3],
            "確率_犬": A,
            "確率_猫": B,
            "確率_鳥": C,
        },
        ("犬", "猫", "鳥"),
    ),
    "Russian": Export(
        {
            "истина": _pair("нет", "да")[Y],
            "прогноз": _pair("нет", "да")[GUESS],
            "вероятность_нет": Q,
            "вероятность_да": P,
        },
        ("нет", "да"),
    ),
    "Portuguese": Export(
        {
            "rótulo": _pair("não", "sim")[Y],
            "previsto": _pair("não", "sim")[GUESS],
            "probabilidade_não": Q,
            "probabilidade_sim": P,
        },
        ("não", "sim"),
    ),
    "Italian": Export(
        {
            "vero": _pair("sano", "malato")[Y],
            "predetto": _pair("sano", "malato")[GUESS],
            "probabilità malato": P,
        },
        ("sano", "malato"),
    ),
    "Dutch": Export(
        {
            "werkelijk": _pair("nee", "ja")[Y],
            "voorspeld": _pair("nee", "ja")[GUESS],
            "kans_nee": Q,
            "kans_ja": P,
        },
        ("nee", "ja"),
    ),
    "Polish": Export({"klasa": _pair("nie", "tak")[Y], "prawdopodobieństwo": P}, ("nie", "tak")),
    "Swedish": Export(
        {"facit": _pair("frisk", "sjuk")[Y], "sannolikhet_frisk": Q, "sannolikhet_sjuk": P}, ("frisk", "sjuk")
    ),
    "a clinic": Export(
        {"patient_id": IDS, "age": IDS % 70 + 20, "sex": "f", "risk_score": P, "event": Y}, ("0", "1")
    ),
    "deaths": Export({"pid": IDS, "predicted_risk": P, "died": Y}, ("0", "1")),
    "survival": Export({"pid": IDS, "p_survival": Q, "died": Y}, ("0", "1")),
    "biopsies": Export(
        {"pid": IDS, "prob_benign": Q, "pathology": _pair("benign", "malignant")[Y]}, ("benign", "malignant")
    ),
    "malignancy": Export({"pid": IDS, "malignancy_prob": P, "malignant": Y.astype(bool)}, ("False", "True")),
    "percent of deaths": Export(
        {"pid": IDS, "Risk (%)": np.round(100 * P, 2), "Outcome": _pair("Alive", "Dead")[Y]},
        ("Alive", "Dead"),
    ),
    "churn": Export(
        {"customerID": IDS, "churn_probability": P, "Churn": _pair("No", "Yes")[Y]}, ("No", "Yes")
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
    "a credit score": Export({"score": P, "good_bad": _pair("good", "bad")[Y]}, ("good", "bad")),
    "who votes": Export({"forecast": P, "won": Y}, ("0", "1")),
}
"""Right after one question: what they mean stands nowhere in them."""
UNREADABLE = {
    "no labels, a fold": Export({"id": IDS, "p": P, "fold": RNG.integers(0, 2, N)}, None),
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
    "decision and confidence": Export(
        {"pred": ANIMALS[GUESS3], "confidence": SURE3, "label": ANIMALS[WHICH]}, None
    ),
    "decision and confidence of two": Export({"pred": GUESS, "confidence": SURE, "label": Y}, None),
    "German confidence": Export(
        {"Patient": IDS, "Vorhersage": GUESS, "Vertrauen": SURE, "Ergebnis": Y}, None, separator=";"
    ),
    "Weka": Export(
        {
            "inst#": range(1, N + 1),
            "actual": _pair("1:no", "2:yes")[Y],
            "predicted": _pair("1:no", "2:yes")[GUESS],
            "error": np.where(Y != GUESS, "+", ""),
            "prediction": SURE,
        },
        None,
    ),
    "Spark": Export(
        {
            "probability": [f"[{q},{p}]" for q, p in zip(Q, P, strict=True)],
            "prediction": GUESS / 1.0,
            "label": Y / 1.0,
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
    "a title": Export(
        "Predictions;;\n\nFall;P(ja);Ziel\n"
        + "".join(f"{i};{p};{y}\n" for i, p, y in zip(IDS, P, Y, strict=True)),
        None,
    ),
    "Orange, types below the names": Export(
        "cat\tdog\towl\tclass\nc\tc\tc\td\n\t\t\tclass\n"
        + "".join(f"{a}\t{b}\t{c}\t{w}\n" for a, b, c, w in zip(A, B, C, ANIMALS[WHICH], strict=True)),
        None,
    ),
    "ARFF": Export(
        "@relation x\n@attribute cat numeric\n@data\n"
        + "".join(f"{a},{b},{c},{w}\n" for a, b, c, w in zip(A, B, C, ANIMALS[WHICH], strict=True)),
        None,
    ),
}
"""No probabilities and labels, or not as a table: whatever is said, nothing is read."""
