"""Make the real examples in ``assets/examples``: what common models say about cases they never saw.

Run ``python scripts/make_examples.py [FOLDER]`` with the packages in requirements-dev.txt; it
downloads nothing, takes a few seconds and writes the same bytes every time on the same machine.

Every data set ships inside scikit-learn. One random permutation splits it, with the same seed for
all: one model is fitted to the first part, whatever is tuned is tuned there, and the file holds
what that model says about the rest. So no outcome in a file helped to make the predictions in it,
as the exact tests require; with cross-validation each would have helped to predict the others.
"""

import io
import json
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray
from scipy.special import ndtr, softmax
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.naive_bayes import BernoulliNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Binarizer, MinMaxScaler, StandardScaler
from threadpoolctl import threadpool_limits

FOLDER = Path(__file__).resolve().parents[1] / "assets" / "examples"
SEED = 20190501
DIGITS = 7
"""Significant digits kept: relative, so that a tiny probability stays one and does not become 0."""

HALF = 0.5
TWO_FIFTHS = 0.4

Data = tuple[NDArray[Any], NDArray[Any], tuple[str, ...]]


def split(n: int, share: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows to train on, that share of ``n`` rounded down, and the others, both in random order."""
    rows = np.random.default_rng(SEED).permutation(n)
    cut = int(share * n)
    return rows[:cut], rows[cut:]


def digits() -> Data:
    """1,797 images of 8 × 8 pixels, written by 13 people; ten classes."""
    x, y = load_digits(return_X_y=True)
    return x, y, tuple(str(k) for k in range(10))


def breast_cancer() -> Data:
    """569 patients, 30 measurements of cell nuclei; malignant first, as scikit-learn has it."""
    data = load_breast_cancer()
    return data.data, data.target, tuple(str(name) for name in data.target_names)


def wine() -> Data:
    """178 wines of three growers; the first two of 13 measurements: all 13 leave little to be unsure of."""
    x, y = load_wine(return_X_y=True)
    return x[:, :2], y, ("grower 1", "grower 2", "grower 3")


def diabetes() -> Data:
    """442 patients, 10 measurements; progression after a year, cut at the training part's quartiles."""
    x, progression = load_diabetes(return_X_y=True)
    quarters = ("lowest quarter", "second quarter", "third quarter", "highest quarter")
    trained, _ = split(len(progression), HALF)
    cuts = np.quantile(progression[trained], [0.25, 0.5, 0.75])
    return x, np.digitize(progression, cuts, right=True), quarters


def forest() -> Any:
    """300 trees, otherwise as scikit-learn sets it."""
    return RandomForestClassifier(n_estimators=300, random_state=SEED)


def naive_bayes() -> Any:
    """Each pixel is ink or not (half of the darkest value), and taken as independent of the others."""
    return make_pipeline(Binarizer(threshold=7.5), BernoulliNB())


def tuned_logistic() -> Any:
    """The penalty is chosen by log loss inside the training cases, never on those predicted."""
    model = make_pipeline(MinMaxScaler(), LogisticRegression(max_iter=5000))
    inner = StratifiedKFold(5, shuffle=True, random_state=SEED)
    strengths = {"logisticregression__C": [1.0, 3.0, 10.0, 30.0, 100.0]}
    return GridSearchCV(model, strengths, scoring="neg_log_loss", cv=inner)


def logistic() -> Any:
    """On standardised measurements, otherwise as scikit-learn sets it."""
    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))


def boosting() -> Any:
    """100 trees of depth 3, as scikit-learn sets it."""
    return GradientBoostingClassifier(random_state=SEED)


@dataclass(frozen=True)
class Case:
    """One example: what users read, and how it is made; ``share`` of the cases is trained on.

    ``description`` has places for the numbers of cases trained on, ``trained``, and predicted, ``n``.
    """

    key: str
    title: str
    description: str
    noun: str
    data: Callable[[], Data]
    model: Callable[[], Any]
    share: float = HALF


CASES = (
    Case(
        "digits-forest",
        "Handwritten digits, random forest",
        "A random forest of 300 trees reads small images of handwritten digits from 13 writers "
        "(scikit-learn's digits data), trained on {trained:,} images picked at random and looked at on the "
        "other {n:,} images.",
        "image",
        digits,
        forest,
        TWO_FIFTHS,
    ),
    Case(
        "digits-naive-bayes",
        "Handwritten digits, naive Bayes",
        "Naive Bayes, which treats every pixel as independent of the others, reads small images of "
        "handwritten digits from 13 writers (scikit-learn's digits data), trained on {trained:,} images "
        "picked at random and looked at on the other {n:,} images.",
        "image",
        digits,
        naive_bayes,
        TWO_FIFTHS,
    ),
    Case(
        "digits-logistic",
        "Handwritten digits, logistic regression",
        "Multinomial logistic regression reads small images of handwritten digits from 13 writers "
        "(scikit-learn's digits data), trained on {trained:,} images picked at random and looked at on the "
        "other {n:,} images.",
        "image",
        digits,
        tuned_logistic,
        TWO_FIFTHS,
    ),
    Case(
        "breast-cancer",
        "Breast tumours, gradient boosting",
        "Gradient-boosted trees tell malignant from benign breast tumours from 30 measurements of cell "
        "nuclei (Wisconsin diagnostic data), trained on {trained:,} patients picked at random and looked at "
        "on the other {n:,} patients.",
        "patient",
        breast_cancer,
        boosting,
    ),
    Case(
        "wine",
        "Wines of three growers, gradient boosting",
        "Gradient-boosted trees guess which of three growers made an Italian wine from two measurements, "
        "alcohol and malic acid (scikit-learn's wine data), trained on {trained:,} wines picked at random "
        "and looked at on the other {n:,} wines.",
        "wine",
        wine,
        boosting,
    ),
    Case(
        "diabetes",
        "Diabetes progression in quarters, logistic regression",
        "Multinomial logistic regression says in which quarter of disease progression a diabetes patient "
        "will be after a year, from age, sex, body mass index, blood pressure and six blood tests (Efron "
        "et al. 2004), trained on {trained:,} patients picked at random, who also set the quarters, and "
        "looked at on the other {n:,} patients.",
        "patient",
        diabetes,
        logistic,
    ),
)


RUN_KEY = "digits-training"
RUN_TRAINED, RUN_EPOCHS, RUN_STEP = 120, 72, 3
RUN_DIGITS = 6


def training_run() -> dict[str, NDArray[Any]]:
    """A small network learns digits from 120 images; what it says of the held-out images every third epoch.

    So few images, and no penalty on its weights: it ends too sure of itself. ``probs (T, n, 10)`` float32,
    ``labels (n,)``, ``epoch (T,)`` and ``class_names``.
    """
    x, y, names = digits()
    trained, predicted = split(len(y), TWO_FIFTHS)
    trained = trained[:RUN_TRAINED]
    network = MLPClassifier((256,), learning_rate_init=0.01, batch_size=16, alpha=0, random_state=SEED)
    saved = {}
    for epoch in range(1, RUN_EPOCHS + 1):
        network.partial_fit(x[trained] / 16, y[trained], classes=np.arange(len(names)))
        if epoch % RUN_STEP == 0:
            saved[epoch] = significant(network.predict_proba(x[predicted] / 16), RUN_DIGITS)
    return {
        "probs": np.stack(list(saved.values())).astype(np.float32),
        "labels": y[predicted].astype(np.uint8),
        "class_names": np.array(names),
        "epoch": np.array(list(saved), np.uint16),
    }


CLINIC_KEY = "clinic"
CLINIC_VISITS, CLINIC_PATIENTS = 3_000, 1_800
CLINIC_SEED = 2
CLINIC_SITES = {"North": 0.34, "South": 0.3, "West": 0.22, "East": 0.14}
CLINIC_OFF, CLINIC_CHANGE = 1.0, 0.8
"""By how much the log odds of the model are too high: at site East; everywhere from September on."""
CLINIC_ALIKE = 0.3
"""Correlation of what decides the outcomes of one patient beyond the model's probability."""


def clinic() -> dict[str, NDArray[Any]]:
    """Simulated visits of a year in the order of their dates, with what a model says of coming back.

    The model would be calibrated, were it not for :data:`CLINIC_OFF` and :data:`CLINIC_CHANGE`. Outcomes of
    one patient depend on each other; over patients that changes no probability.
    """
    rng = np.random.default_rng([CLINIC_SEED, SEED])
    n = CLINIC_VISITS
    site_of = rng.choice(list(CLINIC_SITES), CLINIC_PATIENTS, p=list(CLINIC_SITES.values()))
    sex_of, age_of = rng.choice(["F", "M"], CLINIC_PATIENTS), rng.integers(18, 95, CLINIC_PATIENTS)
    patient = rng.integers(CLINIC_PATIENTS, size=n)
    day = np.sort(rng.integers(365, size=n))
    logit = -1.2 + 0.025 * (age_of[patient] - 55) + rng.normal(0, 0.9, n)
    said = np.round(1 / (1 + np.exp(-logit)), 4)
    east, later = site_of[patient] == "East", day >= 243
    truth = np.log(said / (1 - said)) - CLINIC_OFF * east - CLINIC_CHANGE * later
    own, shared = rng.normal(size=n), rng.normal(size=CLINIC_PATIENTS)[patient]
    latent = np.sqrt(CLINIC_ALIKE) * shared + np.sqrt(1 - CLINIC_ALIKE) * own
    back = ndtr(latent) < 1 / (1 + np.exp(-truth))
    return {
        "probs": np.round(np.column_stack([1 - said, said]), 4),
        "labels": back.astype(np.uint8),
        "class_names": np.array(["stays away", "comes back"]),
        "column_site": site_of[patient],
        "column_sex": sex_of[patient],
        "column_age": age_of[patient].astype(np.uint8),
        "column_patient": np.array([f"P{number:04}" for number in patient + 1]),
        "column_date": np.datetime_as_string(np.datetime64("2025-01-01") + day),
    }


CHOICE_KEY = "multiple-choice"
CHOICE_QUESTIONS, CHOICE_SEED = 1_200, 4
CHOICE_TASKS = {"history": 0.4, "law": 0.35, "physics": 0.25}
CHOICE_OPTIONS = {3: 0.2, 4: 0.6, 5: 0.2}
CHOICE_OFF, CHOICE_TASK = 1.2, "law"
"""By how much the model's log-likelihood of the first option is too high, and in which task."""


def multiple_choice() -> dict[str, NDArray[Any]]:
    """Simulated answers of a language model: the softmax of log-likelihoods over three to five options.

    The model would be calibrated, were it not for :data:`CHOICE_OFF`. Options that a question does not have
    have probability 0, and never happen.
    """
    rng = np.random.default_rng([CHOICE_SEED, SEED])
    n, most = CHOICE_QUESTIONS, max(CHOICE_OPTIONS)
    task = rng.choice(list(CHOICE_TASKS), n, p=list(CHOICE_TASKS.values()))
    count = rng.choice(list(CHOICE_OPTIONS), n, p=list(CHOICE_OPTIONS.values()))
    there = np.arange(most) < count[:, None]
    scores = np.where(there, rng.normal(0, 1.3, (n, most)), -np.inf)
    true = scores.copy()
    true[:, 0] -= CHOICE_OFF * (task == CHOICE_TASK)
    said, truth = (softmax(of, axis=1) for of in (scores, true))
    labels = (rng.random((n, 1)) > np.cumsum(truth, axis=1)).sum(axis=1)
    return {
        "probs": significant(said, DIGITS),
        "labels": np.minimum(labels, count - 1).astype(np.uint8),
        "class_names": np.array(list("ABCDE")),
        "column_task": task,
        "column_number of options": count.astype(np.uint8),
    }


SURE_KEY = "letters"
SURE_LETTERS, SURE_SEED, SURE_OFF = 1_200, 8, 2
"""Its log odds are so many times too large."""
SURE_OFFICES = ("housing", "parking", "registry", "schools", "taxes")
SURE_SAID = {30: 1, 40: 1, 50: 3, 60: 5, 70: 8, 75: 10, 80: 16, 85: 18, 90: 24, 95: 14}
"""Per cent that the model says, and how often of a hundred letters: most of it in fives, mostly high."""


def letters() -> dict[str, NDArray[Any]]:
    """Simulated answers of a language model that says in words how sure it is; nothing else is known.

    An answer is right with the probability whose log odds are those of what was said over :data:`SURE_OFF`,
    whatever the office. Where it is wrong, each of the others is as likely.
    """
    rng = np.random.default_rng([SURE_SEED, SEED])
    n, offices = SURE_LETTERS, len(SURE_OFFICES)
    said = rng.choice(list(SURE_SAID), n, p=[share / 100 for share in SURE_SAID.values()]) / 100
    odds = (said / (1 - said)) ** (1 / SURE_OFF)
    right = rng.random(n) < odds / (1 + odds)
    answer = rng.integers(offices, size=n)
    truth = np.where(right, answer, (answer + rng.integers(1, offices, size=n)) % offices)
    names = np.array(SURE_OFFICES)
    return {"confidence": said, "predicted": names[answer], "truth": names[truth]}


GRADE_KEY = "tumour-grades"
GRADE_TUMOURS, GRADE_SEED = 1_500, 11
GRADE_NAMES = ("grade 1", "grade 2", "grade 3", "grade 4")
GRADE_CUTS = (-1.2, 0.6, 2.0)
"""Where on the scale of the log odds one grade ends and the next begins."""
GRADE_OFF, GRADE_CUT = 0.8, 2
"""By how much the log odds of the model that a tumour is above the second grade are too high."""
GRADE_CENTRES = {"A": 0.5, "B": 0.3, "C": 0.2}


def tumour_grades() -> dict[str, NDArray[Any]]:
    """Simulated tumours of four grades and what a cumulative model says of each.

    The log odds of "above grade k" are a score of the tumour less a cut. The model would be calibrated, were
    it not for :data:`GRADE_OFF` at one of the three cuts.
    """
    rng = np.random.default_rng([GRADE_SEED, SEED])
    n, cuts = GRADE_TUMOURS, np.array(GRADE_CUTS)
    score = rng.normal(0.3, 1.6, n)
    centre = rng.choice(list(GRADE_CENTRES), n, p=list(GRADE_CENTRES.values()))
    true_cuts = cuts + GRADE_OFF * (np.arange(len(cuts)) == GRADE_CUT - 1)
    above, truth = (1 / (1 + np.exp(of - score[:, None])) for of in (cuts, true_cuts))
    labels = (rng.random((n, 1)) < truth).sum(axis=1)
    ends = np.column_stack([np.ones(n), above, np.zeros(n)])
    return {
        "probs": significant(ends[:, :-1] - ends[:, 1:], DIGITS),
        "labels": labels.astype(np.uint8),
        "class_names": np.array(GRADE_NAMES),
        "ordered": np.array(True),
        "column_centre": centre,
    }


CHEST_KEY = "chest-findings"
CHEST_XRAYS, CHEST_SEED = 2_000, 14
CHEST_SHARES = {
    "atelectasis": 0.2,
    "cardiomegaly": 0.14,
    "consolidation": 0.1,
    "edema": 0.09,
    "effusion": 0.26,
    "emphysema": 0.06,
    "fibrosis": 0.05,
    "hernia": 0.02,
    "infiltration": 0.22,
    "mass": 0.11,
    "nodule": 0.13,
    "pleural thickening": 0.07,
    "pneumonia": 0.08,
    "pneumothorax": 0.1,
}
"""Findings, and in about which share of X-rays each is seen."""
CHEST_HIGH, CHEST_LOW, CHEST_STRETCHED = "effusion", "cardiomegaly", "nodule"
CHEST_SHIFT, CHEST_STRETCH = 0.5, 1.8
"""By how much the log odds of one finding are too high and of one too low; how many times too large those of
the third are."""
CHEST_ALIKE = 0.7
"""Correlation, between any two findings of an X-ray, of what decides beyond the probabilities."""
CHEST_DIGITS = 4
CHEST_UNREAD = {"pneumonia": 60, "hernia": 25}
"""Of how many X-rays nobody knows whether the finding is there."""


def chest_findings() -> dict[str, NDArray[Any]]:
    """Simulated chest X-rays: the probability of each of 14 findings, and which are there.

    Each probability is right by itself, but for three findings. X-rays of the very ill have many findings at
    once: probabilities rise together, and so do outcomes beyond that. ``labels`` are (n, 14) 1, 0, and NaN
    where nobody knows.
    """
    rng = np.random.default_rng([CHEST_SEED, SEED])
    names, n = list(CHEST_SHARES), CHEST_XRAYS
    shares = np.array(list(CHEST_SHARES.values()))
    ill = rng.normal(size=(n, 1))
    logit = np.log(shares / (1 - shares)) - 0.4 + 0.8 * ill + rng.normal(0, 1, (n, len(names)))
    said = significant(1 / (1 + np.exp(-logit)), CHEST_DIGITS)
    truth = np.log(said / (1 - said))
    truth[:, names.index(CHEST_HIGH)] -= CHEST_SHIFT
    truth[:, names.index(CHEST_LOW)] += CHEST_SHIFT
    truth[:, names.index(CHEST_STRETCHED)] /= CHEST_STRETCH
    own, shared = rng.normal(size=logit.shape), rng.normal(size=(n, 1))
    latent = np.sqrt(CHEST_ALIKE) * shared + np.sqrt(1 - CHEST_ALIKE) * own
    happened = (ndtr(latent) < 1 / (1 + np.exp(-truth))).astype(np.float32)
    for name, unread in CHEST_UNREAD.items():
        happened[rng.choice(n, unread, replace=False), names.index(name)] = np.nan
    return {
        "probs": said,
        "labels": happened,
        "class_names": np.array(names),
        "column_view": rng.choice(["front", "side"], n, p=[0.8, 0.2]),
    }


def held_out(case: Case) -> tuple[dict[str, NDArray[Any]], int]:
    """What a model says about the part it was not trained on, and how many cases it was trained on.

    ``probs (n, m)`` float64, ``labels (n,)`` uint8 and ``class_names (m,)``.
    """
    x, y, names = case.data()
    trained, predicted = split(len(y), case.share)
    probs = case.model().fit(x[trained], y[trained]).predict_proba(x[predicted])
    arrays = {
        "probs": significant(probs, DIGITS),
        "labels": y[predicted].astype(np.uint8),
        "class_names": np.array(names),
    }
    return arrays, len(trained)


def significant(values: NDArray[np.float64], figures: int) -> NDArray[np.float64]:
    """Rounded to that many significant digits, through decimal text so that each is the nearest double."""
    texts = [f"{value:.{figures - 1}e}" for value in values.ravel()]
    return np.array([float(text) for text in texts]).reshape(values.shape)


def npz_bytes(arrays: dict[str, NDArray[Any]]) -> bytes:
    """An .npz archive without the time of day in it and without pickled objects."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, np.ascontiguousarray(array), allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            entry.create_system = 3  # the same on Windows
            archive.writestr(entry, member.getvalue(), zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()


POPULATIONS = [
    {
        "key": "v19-table-1",
        "title": "Built: right by confidence and by class, wrong as a whole",
        "description": (
            "3,000 cases with exactly the frequencies of Table 1 in Vaicenavicius et al. (2019): the highest "
            "probability and every single class are calibrated, the three probabilities together are not."
        ),
        "noun": "case",
    },
    {
        "key": "v19-table-2",
        "title": "Built: right by confidence, wrong for every class",
        "description": (
            "1,000 cases with exactly the frequencies of Table 2 in Vaicenavicius et al. (2019): the highest "
            "probability is calibrated, the probability of each single class is not."
        ),
        "noun": "case",
    },
    {
        "key": "w19-m1",
        "title": "Simulated: a calibrated model",
        "description": (
            "250 simulated cases in ten classes, labels drawn from the predictions themselves, so that the "
            "model is calibrated (M1 of Widmann et al. 2019)."
        ),
        "noun": "case",
    },
    {
        "key": "w19-m2",
        "title": "Simulated: a model blind to the first class",
        "description": (
            "The predictions of M1, but every second label on average is replaced by the first class "
            "(M2 of Widmann et al. 2019)."
        ),
        "noun": "case",
    },
    {
        "key": "w19-m3",
        "title": "Simulated: predictions that mean nothing",
        "description": (
            "The predictions of M1, but all ten classes are equally likely whatever was predicted "
            "(M3 of Widmann et al. 2019)."
        ),
        "noun": "case",
    },
]
"""Populations of the papers, which ``calibcore.data.examples`` builds."""


def make(folder: Path) -> None:
    """Write every example and the index that names them. Takes a few seconds."""
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for case in CASES:
        # One thread: the order in which parts are added up then never changes.
        with threadpool_limits(1):
            arrays, trained = held_out(case)
        (folder / f"{case.key}.npz").write_bytes(npz_bytes(arrays))
        n, m = arrays["probs"].shape
        entries.append(
            {
                "key": case.key,
                "title": case.title,
                "description": case.description.format(trained=trained, n=n),
                "noun": case.noun,
                "n": n,
                "m": m,
                "held_out": f"one random split: trained on {trained}, predicted the other {n}",
            }
        )
    visits = clinic()
    (folder / f"{CLINIC_KEY}.npz").write_bytes(npz_bytes(visits))
    patients = len(set(visits["column_patient"].tolist()))
    (folder / f"{CHOICE_KEY}.npz").write_bytes(npz_bytes(multiple_choice()))
    (folder / f"{SURE_KEY}.npz").write_bytes(npz_bytes(letters()))
    (folder / f"{GRADE_KEY}.npz").write_bytes(npz_bytes(tumour_grades()))
    (folder / f"{CHEST_KEY}.npz").write_bytes(npz_bytes(chest_findings()))
    with threadpool_limits(1):
        run = training_run()
    (folder / f"{RUN_KEY}.npz").write_bytes(npz_bytes(run))
    epochs, n, m = run["probs"].shape
    index = {
        "made_by": "scripts/make_examples.py",
        "scikit_learn": sklearn.__version__,
        "examples": entries,
        "populations": POPULATIONS,
        "simulated": [
            {
                "key": CLINIC_KEY,
                "title": "Simulated: a clinic, one site off, and a change in September",
                "description": (
                    f"{CLINIC_VISITS:,} simulated visits of {patients:,} patients in 2025 with site, sex, "
                    "age and date, and the probability of coming back within 30 days, which is right but "
                    f"for two errors: its log odds are {CLINIC_OFF:g} too high at site East, and from 1 "
                    f"September on {CLINIC_CHANGE:g} too high everywhere, on top of it."
                ),
                "noun": "visit",
                "n": CLINIC_VISITS,
                "m": 2,
            },
            {
                "key": CHOICE_KEY,
                "title": "Simulated: a language model that likes option A in law",
                "description": (
                    f"{CHOICE_QUESTIONS:,} simulated questions of three tasks with three to five "
                    "options, and "
                    "the probability of each option, which is right but for one error: the log-likelihood of "
                    f"the option that stands first is {CHOICE_OFF:g} too high in the task {CHOICE_TASK}."
                ),
                "noun": "question",
                "n": CHOICE_QUESTIONS,
                "m": max(CHOICE_OPTIONS),
            },
            {
                "key": SURE_KEY,
                "title": "Simulated: a language model that says how sure it is",
                "description": (
                    f"{SURE_LETTERS:,} simulated letters to a town hall that a language model hands to one "
                    f"of {len(SURE_OFFICES)} offices, of which only its answer, the truth and how sure it "
                    f"says it is are known: the log odds of what it says are {SURE_OFF} times too large."
                ),
                "noun": "letter",
                "n": SURE_LETTERS,
                "kind": "confidence",
            },
            {
                "key": GRADE_KEY,
                "title": "Simulated: tumour grades, one border set too low",
                "description": (
                    f"{GRADE_TUMOURS:,} simulated tumours of four grades in order, from three centres, and "
                    "the probability of each grade, which is right but for one border: the log odds that a "
                    f"tumour is above {GRADE_NAMES[GRADE_CUT - 1]} are {GRADE_OFF:g} too high."
                ),
                "noun": "tumour",
                "n": GRADE_TUMOURS,
                "m": len(GRADE_NAMES),
            },
            {
                "key": CHEST_KEY,
                "title": "Simulated: findings of chest X-rays, three of 14 off",
                "description": (
                    f"{CHEST_XRAYS:,} simulated chest X-rays with the probability of each of "
                    f"{len(CHEST_SHARES)} findings, of which any number may be there and which go together, "
                    f"and right but for three: the log odds of {CHEST_HIGH} are {CHEST_SHIFT:g} too high, "
                    f"those of {CHEST_LOW} {CHEST_SHIFT:g} too low, and those of {CHEST_STRETCHED} "
                    f"{CHEST_STRETCH:g} times too large; of a few X-rays nobody knows whether they show "
                    f"{' or '.join(CHEST_UNREAD)}."
                ),
                "noun": "X-ray",
                "n": CHEST_XRAYS,
                "m": len(CHEST_SHARES),
                "kind": "labels",
            },
        ],
        "runs": [
            {
                "key": RUN_KEY,
                "title": "Handwritten digits, a small network while it learns",
                "description": (
                    f"A network with one hidden layer learns handwritten digits from {RUN_TRAINED} images "
                    f"(scikit-learn's digits data) and is looked at on {n:,} other images after every third "
                    f"of {RUN_EPOCHS} epochs."
                ),
                "noun": "image",
                "n": n,
                "m": m,
                "epochs": epochs,
            }
        ],
    }
    text = json.dumps(index, indent=2, ensure_ascii=False) + "\n"
    (folder / "index.json").write_bytes(text.encode())


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
