"""Files as statistics packages and machine learning tools write them."""

import json

import numpy as np

from tests.hostile.grammar.exported import (
    ANIMALS,
    GUESS,
    GUESS3,
    IDS,
    NO_YES,
    OTHER,
    SURE,
    SURE3,
    THREE,
    TURNED,
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
            "truth": pair_of("M", "R")[Y],
            "prob.M": Q,
            "prob.R": P,
            "response": pair_of("M", "R")[GUESS],
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
    "CatBoost": Export(
        {
            "SampleId": range(N),
            "Probability:Class=cat": A,
            "Probability:Class=dog": B,
            "Probability:Class=owl": C,
            "Class": ANIMALS[GUESS3],
            "Label": ANIMALS[WHICH],
        },
        tuple(ANIMALS),
        separator="\t",
    ),
    "CatBoost of two": Export(
        {"SampleId": range(N), "Probability": P, "Class": GUESS, "Label": Y}, ("0", "1"), separator="\t"
    ),
    "DataRobot, a deployment": Export(
        {
            "row_id": range(N),
            "churn": NO_YES[Y],
            "churn_no_PREDICTION": Q,
            "churn_yes_PREDICTION": P,
            "churn_PREDICTION": NO_YES[GUESS],
            "THRESHOLD": 0.5,
            "POSITIVE_CLASS": "yes",
            "DEPLOYMENT_APPROVAL_STATUS": "APPROVED",
        },
        ("no", "yes"),
    ),
    "SPSS, three and the prediction": Export(
        {"outcome": WHICH + 1, "EST1_1": A, "EST2_1": B, "EST3_1": C, "PRE_1": GUESS3 + 1}, ("1", "2", "3")
    ),
    "SPSS Modeler of three": Export(
        {
            "class": ANIMALS[WHICH],
            "$XF-class": ANIMALS[GUESS3],
            "$XFP-cat": A,
            "$XFP-dog": B,
            "$XFP-owl": C,
        },
        tuple(ANIMALS),
    ),
    "Weka": Export(
        "inst#,actual,predicted,error,distribution\n"
        + "".join(
            f"{i},{w + 1}:{ANIMALS[w]},{g + 1}:{ANIMALS[g]},{'' if w == g else '+'},"
            + ",".join(f"{'*' if k == g else ''}{x}" for k, x in enumerate(row))
            + "\n"
            for i, (w, g, row) in enumerate(zip(WHICH, GUESS3, THREE, strict=True), 1)
        ),
        tuple(ANIMALS),
    ),
    "Orange": Export(
        "cat\tdog\towl\tclass\nc\tc\tc\td\n\t\t\tclass\n"
        + "".join(f"{a}\t{b}\t{c}\t{w}\n" for a, b, c, w in zip(A, B, C, ANIMALS[WHICH], strict=True)),
        tuple(ANIMALS),
    ),
    "Spark": Export(
        {
            "probability": [f"[{q},{p}]" for q, p in zip(Q, P, strict=True)],
            "rawPrediction": [f"[{x},{-x}]" for x in OTHER],
            "prediction": GUESS / 1.0,
            "label": Y / 1.0,
        },
        ("0", "1"),
    ),
    "Spark, vectors as JSON": Export(
        {
            "probability": [f'{{"type":1,"values":[{a},{b},{c}]}}' for a, b, c in THREE],
            "label": WHICH,
        },
        ("0", "1", "2"),
    ),
    "SageMaker": Export(
        {
            "target": NO_YES[Y],
            "predicted_label": NO_YES[GUESS],
            "probability": SURE,
            "probabilities": [f"[{q}, {p}]" for q, p in zip(Q, P, strict=True)],
            "labels": "['no', 'yes']",
        },
        ("no", "yes"),
    ),
    "BigQuery": Export(
        "\n".join(
            json.dumps(
                {
                    "predicted_tree": ANIMALS[row.argmax()],
                    "predicted_tree_probs": [
                        {"label": ANIMALS[k], "prob": row[k]} for k in np.argsort(-row, kind="stable")
                    ],
                    "tree": ANIMALS[w],
                }
            )
            for row, w in zip(THREE, WHICH, strict=True)
        ),
        tuple(ANIMALS),
    ),
    "pandas, a column of arrays": Export(
        {"softmax": [str(row) for row in THREE], "y_true": WHICH}, ("0", "1", "2")
    ),
}
