"""What classes, columns and exports of other people's tools are called."""

PAIRS = (
    ("no", "yes"), ("negative", "positive"), ("neg", "pos"), ("control", "case"), ("healthy", "ill"),
    ("benign", "malignant"), ("nein", "ja"), ("non", "oui"), ("no", "sí"), ("gesund", "krank"),
    ("sain", "malade"), ("sano", "enfermo"), ("negativ", "positiv"), ("阴性", "阳性"), ("ham", "spam"),
    ("legit", "fraud"), ("alive", "dead"), ("False", "True"), ("0", "1"), ("stay", "churn"),
    ("normal", "abnormal"), ("non-event", "event"), ("-1", "1"), ("1", "2"), ("No", "Yes"), ("N", "Y"),
    ("absent", "present"), ("no disease", "disease"), ("no event", "event"), ("kein Tumor", "Tumor"),
    ("not_fraud", "fraud"), ("non-responder", "responder"), ("unaffected", "affected"), ("nej", "ja"),
)  # fmt: skip
"""Two classes of which everybody knows which one is looked for, the negative one first."""
EVEN_PAIRS = (("cat", "dog"), ("A", "B"), ("male", "female"), ("class_a", "class_b"), ("rechts", "links"))
"""Two classes of equal standing."""
MANY = (
    ("cat", "dog", "bird"), ("setosa", "versicolor", "virginica"), ("mild", "moderate", "severe"),
    ("Hund", "Katze", "Vogel"), ("低", "中", "高"), ("bas", "moyen", "élevé"), ("G1", "G2", "G3"),
    ("healthy", "benign", "malignant"), ("stage I", "stage II", "stage III", "stage IV"),
    ("0-5 years", "6-17 years", "adult"), ("C50.9", "C34.1", "D05.1"), ("yes", "no", "unsure"),
    ("neg", "neu", "pos"), ("Home", "Draw", "Away"), ("AA", "AB", "BB"), ("W", "N", "R"),
    ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"),
    ("a, left", "b, right", "c, both"), ("T1a", "T1b", "T2"), ("red", "green", "blue", "grey", "black"),
    ("BI-RADS 2", "BI-RADS 3", "BI-RADS 4"), ("Other", "Class 1", "Class 2"), ("E11.9", "I10", "J45"),
    ("win", "draw", "loss"), ("faible", "moyen", "fort"), ("CN", "MCI", "AD"), ("2", "3", "4"),
)  # fmt: skip
CLASS_FORMS = (
    "{c}", "{c}", "{c}", "p_{c}", "prob_{c}", "P({c})", "proba_{c}", "{c}_prob", "probability of {c}",
    "y_prob_{c}", "score_{c}", "Prob.{c}", "prob.{c}", ".pred_{c}", "probability({c})", "P (target={c})",
    "confidence({c})", "P_target{c}", "{c}_proba", "softmax_{c}", "resnet/{c}", "Logistic Regression ({c})",
    "Wahrscheinlichkeit_{c}", "Wahrsch. {c}", "probabilité_{c}", "probabilidad {c}", "概率_{c}", "{c}概率",
    "P(y={c}|x)", "Scored Probabilities for Class \"{c}\"", "pred_proba_{c}", "Prob [{c}]", "m1_{c}",
    "pr_{c}",
    "posterior_{c}", "y_hat_{c}", "{c} probability", "prediction_{c}", "output_{c}", "Kans {c}",
    "fit.{c}", "xgb_{c}", "rf.{c}", "W({c})", "proba[{c}]", "ens-{c}", "Prob. de {c}", "status: {c}",
    "Klasse {c}", "{c} (p)", "post_{c}",
)  # fmt: skip
PERCENT_FORMS = ("{c} (%)", "{c} [%]", "{c}_pct", "{c}_percent", "p_{c}_pct", "{c} %", "prob_{c} (%)", "%{c}",
                 "{c} in Prozent")  # fmt: skip
DIGIT_FORMS = (
    "{c}", "p{c}", "p_{c}", "proba_{c}", "class_{c}", "prob{c}", "prob_{c}", "y_{c}", "P{c}", "score_{c}",
    "softmax_{c}", "Prob({c})", "logreg_{c}", "P_target{c}", "LABEL_{c}", "y_pred_{c}",
)  # fmt: skip
LOGIT_FORMS = ("logit_{c}", "{c}_logit", "logits_{c}", "z_{c}", "{c}")
LOG_FORMS = ("logprob_{c}", "log_p_{c}", "log_proba_{c}", "{c}_logprob", "{c}")
ONE_FORMS = (
    "p_{c}", "prob_{c}", "{c}_prob", "P({c})", "proba_{c}", "probability of {c}", ".pred_{c}", "Prob.{c}",
    "P_target{c}", "m1_{c}", "probability_{c}", "Wahrscheinlichkeit {c}", "probabilité_{c}", "pred_{c}",
)  # fmt: skip
ONE_GENERIC = (
    "p", "prob", "y_prob", "y_score", "score", "risk", "predicted_prob", "Predicted risk", "probability",
    "wahrscheinlichkeit", "p_hat", "probabilité", "probabilidad", "risiko", "pred_proba",
    "predicted_probability",
)  # fmt: skip
LABELS = (
    "label", "label", "y_true", "y_true", "target", "y", "class", "true_label", "truth", "actual", "gt",
    "class_label", "correct_label", "Ist-Klasse", "Goldstandard", "classe réelle", "resultado real", "y.test",
    "ground_truth", "outcome", "True class", "obs", "observed", "Klasse", "classe", "clase", "标签", "真实",
    "wahr", "Ziel", "étiquette", "vérité", "etiqueta", "real", "reference", "true_class", "Label", "Y_TRUE",
)  # fmt: skip
DIAGNOSES = ("diagnosis", "species", "diagnose", "Befund", "disease", "histology", "文字", "group name")
"""Names that only whoever knows the file takes for the label."""
GUESSES = (
    "pred", "prediction", "y_pred", "predicted", "predicted_class", "yhat", ".pred_class", "predict",
    "argmax",
    "Vorhersage", "prédiction", "predicción", "预测", "class_pred", "top1", "PredictedLabel",
    "prediction(label)",
    "Prediction (label)", "pred_label", "y_hat", "Scored Labels", "hard",
    "class.pred", "clase predicha", "model decision", "best_class", "PGR_1",
)  # fmt: skip
"""Hard predictions."""
IDS = (
    "obs_id",
    "ID_REF",
    "Fall-Nr.",
    "id",
    "case_id",
    "patient",
    "ID",
    "Fallnummer",
    "image",
    "uuid",
    "key",
    "编号",
    "subject_id",
)
CONFIDENCES = (
    "PCP_1",
    "fiabilité",
    "highest probability",
    "confidence",
    "max_prob",
    "conf",
    "certainty",
    "Konfidenz",
    "top1_prob",
    "max_proba",
)
NOTES = (
    'said "ouch", left',
    "line one\nline two",
    "ok",
    "",
    "5 cm; soft",
    "see, note 3",
    "naïve café",
    "100%",
)
