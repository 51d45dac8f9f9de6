"""What stands in the name of a column of probabilities and is no class: which model, which part of the data,
which of several columns, how long after.

Every function here takes time linear in the name.
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise

from calibcore.column_names import lexicon
from calibcore.column_names.lexicon import words_of
from calibcore.column_names.name_words import Token, loose, tokens

COUNTED = words_of("""
    fold folds falte cv split part run seed epoch step iter iteration rep repeat replicate trial
    experiment exp round batch v ver version model modell modele modelo clf classifier member boot
    bootstrap iterationen lauf
""")
"""A number behind them counts, and is no class."""
MODELS = words_of("""
    classificateur klassifikator estimator learner algo algorithm network net nn ann mlp dnn cnn rnn
    lstm gru transformer bert roberta distilbert biobert clinicalbert deberta electra gpt chatgpt llm
    llama mistral claude gemini qwen deepseek resnet densenet vgg inception efficientnet mobilenet
    convnext vit swin unet clip xgb xgboost lgb lgbm lightgbm gbm gbdt gbc gbt hgb catboost rf rfc lr
    logreg logistic glm glmnet gam lasso ridge elasticnet svm svc knn nb gnb lda qda gp gpc cart rpart
    ranger ada adaboost tabnet tabpfn coxph cox automl sklearn keras torch pytorch tensorflow h2o hmm
    crf randomforest logisticregression naivebayes neuralnetwork neuralnet gradientboosting decisiontree
    extratrees elo
""")
"""Families of models. What is also something else ("tree", "forest", "cat") is not among them."""
PAIRS_OF_MODELS = frozenset(
    [
        ("random", "forest"), ("logistic", "regression"), ("naive", "bayes"), ("neural", "network"),
        ("neural", "net"), ("gradient", "boosting"), ("gradient", "boosted"), ("decision", "tree"),
        ("extra", "trees"), ("deep", "learning"), ("super", "learner"), ("meta", "learner"), ("out", "of"),
        ("of", "fold"), ("of", "sample"), ("cross", "validated"), ("cross", "validation"), ("hold", "out"),
        ("log", "reg"),
    ]
)  # fmt: skip
"""Two words of which neither says it alone."""
ENSEMBLES = words_of("""
    ens ensemble ensembled stack stacked stacking stacker blend blended blending bagged bagging boosted
    boosting voting meta committee
""")
PARTS = words_of("""
    oof train training trn val valid validation test testing tst holdout dev eval evaluation insample
    oos oob loo loocv kfold crossval crossvalidated xval derivation
""")
AGGREGATES = words_of("""
    mean avg average median moyenne mittel mittelwert final finale calibrated calib cal recalibrated
    uncalibrated precalibrated raw scaled unscaled rescaled smoothed smooth weighted adjusted adj
    corrected normalized normalised norm platt isotonic iso temperature tempscaled original orig
    baseline base best full overall combined pooled aggregated agg new old prod production candidate
    champion challenger updated latest pre post kalibriert unkalibriert
""")
SIZES = words_of("""
    o mini turbo nano micro tiny small medium large xl xxl pro flash opus sonnet haiku instruct chat
    plus ultra lite b c
""")
"""Beside a family of models: which of it."""
SPREADS = words_of("min std sd var se")
"""Of a probability: no class, and no probability either."""
_UNITS = lexicon.UNITS | words_of("hour hours jahr jahre monat monate tag tage an ans mois jour jours")
_LETTERS = 1
"""Letters of a unit that counts only beside its number: "5 y" may be of a class "y"."""
_WHEN = words_of("in within at by after nach bis innerhalb over for")
_NO_CLASS = COUNTED | MODELS | ENSEMBLES | PARTS | AGGREGATES | SPREADS


@lru_cache(maxsize=20_000)
def class_within(text: str) -> str:
    """What of a name may be a class: "churn" of "xgb_churn_v2", "" of "oof" or "5y"; "death_30d" stays."""
    words = tokens(text)
    kinds = _kinds(words)
    if words and all(kinds):
        return ""
    start, end = 0, len(words)
    while start < end and kinds[start] == "n":
        start += 1
    while end > start and kinds[end - 1] == "n":
        end -= 1
    if (start, end) == (0, len(words)):
        return text
    return text[words[start].start : words[end - 1].end] if start < end else text


def is_model_like(text: str) -> bool:
    """Whether some word is a family of models, or a version of one: "resnet50", "gpt-4", "platt"."""
    words = [*(word.text for word in tokens(text)), *_LETTERS_ONLY.findall(text.casefold())]
    return not (MODELS | ENSEMBLES | AGGREGATES).isdisjoint(words) or not PAIRS_OF_MODELS.isdisjoint(
        pairwise(words)
    )


def is_spread(text: str) -> bool:
    """Whether a name that names no class says how uncertain a probability is."""
    return not class_within(text) and any(word.text in SPREADS for word in tokens(text))


def is_counted_zero(text: str, labels: Collection[str]) -> bool:
    """Whether a name is a model and a 0 that may number it, or be the label 0: "lgbm_0"."""
    words = [word.text for word in tokens(text)]
    return bool(
        len(words) > 1
        and "0" in labels
        and loose(words[-1]) == "0"
        and words[-2] not in COUNTED
        and not class_within(text)
    )


def _kinds(words: Sequence[Token]) -> list[str]:
    """Of each word "n" for no class, "t" for how long after, and "" for anything else."""
    texts = [word.text for word in words]
    kinds = ["n" if text in _NO_CLASS else "" for text in texts]
    for i, pair in enumerate(pairwise(texts)):
        if pair in PAIRS_OF_MODELS:
            kinds[i] = kinds[i + 1] = "n"
    for i, word in enumerate(words):
        if word.text.isdecimal():
            beside = [j for j in (i + 1, i - 1) if 0 <= j < len(words) and _is_unit(words, i, j)]
            if beside:
                kinds[i] = kinds[beside[0]] = "t"
            elif i and kinds[i - 1] == "n":
                kinds[i] = "n"
            elif i and texts[i - 1] == "m" and words[i - 1].end == word.start:  # "m1" is a model
                kinds[i - 1] = kinds[i] = "n"
        elif i and len(word.text) == 1 and texts[i - 1] in COUNTED:  # "model_a"
            kinds[i] = "n"
    for i, text in enumerate(texts):
        if text in SIZES and i and kinds[i - 1] == "n" and any(t in MODELS for t in texts[:i]):
            kinds[i] = "n"
        if text in _WHEN and i + 1 < len(texts) and kinds[i + 1] == "t":
            kinds[i] = "t"
    if texts[:1] == ["y"] and kinds[1:] and set(kinds[1:]) == {"n"}:  # "y_cal probability"
        kinds[0] = "n"
    return kinds


def _is_unit(words: Sequence[Token], number: int, j: int) -> bool:
    """Whether the word j is the unit of a number beside it."""
    word = words[j]
    if word.text not in _UNITS:
        return False
    glued = word.start == words[number].end
    return glued if len(word.text) <= _LETTERS else True


_CODE = re.compile(
    r"(?<![^\W_])(?<!\d[.,-])([01])(?:[_ .-]*(?:for|is|means|fur|für)[_ .-]+|\s*[=:]\s*|\s*-\s+)",
    re.IGNORECASE,
)
_AROUND_CODES, _BETWEEN_CODES = " \t_.,;:/|([{)]}-", re.compile(r"[\s_]and[\s_]*$", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")
_LETTERS_ONLY = re.compile(r"[^\W\d_]+")
_LONGEST_CODE = 200


def coded(name: str) -> tuple[str, tuple[str, str]] | None:
    """What a name says that names its codes, and what 0 and 1 stand for: "prediction_0_for_no_1_for_yes" ->
    "prediction", ("no", "yes"); None for any other name.
    """
    text = name.strip()
    codes = list(_CODE.finditer(text)) if len(text) <= _LONGEST_CODE else []
    if len(codes) != 2 or codes[0][1] == codes[1][1]:
        return _coded_plainly(text) if not codes else None
    left, right = codes
    between = _BETWEEN_CODES.sub("", text[left.end() : right.start()].rstrip(_AROUND_CODES))
    names = tuple(part.strip(_AROUND_CODES) for part in (between, text[right.end() :]))
    if not all(map(_LETTER.search, names)) or loose(names[0]) == loose(names[1]):
        return None
    first, second = names if left[1] == "0" else names[::-1]
    return text[: left.start()].rstrip(_AROUND_CODES), (first, second)


_PLAINLY = re.compile(r"([^\W\d_]+)[_ .]([01])[_ .]([^\W\d]+)[_ .]([01])[_ .]([^\W\d]+)")
_SAID = lexicon.PROBABILITY | lexicon.WEAK | lexicon.PREDICTED | lexicon.LABEL | lexicon.TRUTH


def _coded_plainly(text: str) -> tuple[str, tuple[str, str]] | None:
    """The same of "score_0_no_1_yes", where a word for predictions or labels stands before."""
    match = _PLAINLY.fullmatch(text) if len(text) <= _LONGEST_CODE else None
    if not match or match[2] == match[4] or [word.text for word in tokens(match[1])][-1] not in _SAID:
        return None
    first, second = match[3], match[5]
    if (
        not (class_within(first) and class_within(second))
        or loose(first) == loose(second)
        or {first, second} & _UNITS
    ):
        return None
    return match[1], ((first, second) if match[2] == "0" else (second, first))
