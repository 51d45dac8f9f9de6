"""Make the real examples in ``assets/examples``: what common models say about cases they never saw.

Run ``python scripts/make_examples.py [FOLDER]`` with the packages in requirements-dev.txt; it
downloads nothing, takes under a minute and writes the same bytes every time on the same machine.

Every data set ships inside scikit-learn. Each case is predicted by a model that was fitted without
it (10-fold cross-validation: "out-of-fold"), so every case is held out and none is wasted. The
cases are as independent as the data set made them; the ten models share training cases, so such a
file speaks of a way of making models rather than of one fitted model. Rows are then shuffled.
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
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Binarizer, MinMaxScaler, StandardScaler
from threadpoolctl import threadpool_limits

FOLDER = Path(__file__).resolve().parents[1] / "assets" / "examples"
SEED = 20190501
FOLDS = 10
DIGITS = 7
"""Significant digits kept: relative, so that a tiny probability stays one and does not become 0."""

Data = tuple[NDArray[Any], NDArray[Any], tuple[str, ...]]


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
    """442 patients, 10 measurements; progression after a year, cut at the data set's quartiles."""
    x, progression = load_diabetes(return_X_y=True)
    quarters = ("lowest quarter", "second quarter", "third quarter", "highest quarter")
    return x, np.digitize(progression, [87, 140.5, 211.5], right=True), quarters


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
    """One example: what users read, and how it is made."""

    key: str
    title: str
    description: str
    noun: str
    data: Callable[[], Data]
    model: Callable[[], Any]


HELD_OUT = "by a model that never saw it (10-fold cross-validation)"
CASES = (
    Case(
        "digits-forest",
        "Handwritten digits, random forest",
        "A random forest of 300 trees reads 1,797 small images of handwritten digits from 13 writers "
        f"(scikit-learn's digits data), each image predicted {HELD_OUT}.",
        "image",
        digits,
        forest,
    ),
    Case(
        "digits-naive-bayes",
        "Handwritten digits, naive Bayes",
        "Naive Bayes, which treats every pixel as independent of the others, reads 1,797 small images of "
        f"handwritten digits from 13 writers (scikit-learn's digits data), each image predicted {HELD_OUT}.",
        "image",
        digits,
        naive_bayes,
    ),
    Case(
        "digits-logistic",
        "Handwritten digits, logistic regression",
        "Multinomial logistic regression reads 1,797 small images of handwritten digits from 13 writers "
        f"(scikit-learn's digits data), each image predicted {HELD_OUT}.",
        "image",
        digits,
        tuned_logistic,
    ),
    Case(
        "breast-cancer",
        "Breast tumours, gradient boosting",
        "Gradient-boosted trees tell malignant from benign breast tumours for 569 patients from 30 "
        f"measurements of cell nuclei (Wisconsin diagnostic data), each patient predicted {HELD_OUT}.",
        "patient",
        breast_cancer,
        boosting,
    ),
    Case(
        "wine",
        "Wines of three growers, gradient boosting",
        "Gradient-boosted trees guess which of three growers made each of 178 Italian wines from two "
        "measurements, alcohol and malic acid (scikit-learn's wine data), each wine predicted "
        f"{HELD_OUT}.",
        "wine",
        wine,
        boosting,
    ),
    Case(
        "diabetes",
        "Diabetes progression in quarters, logistic regression",
        "Multinomial logistic regression says in which quarter of disease progression 442 diabetes patients "
        "will be after a year, from age, sex, body mass index, blood pressure and six blood tests "
        f"(Efron et al. 2004), each patient predicted {HELD_OUT}.",
        "patient",
        diabetes,
        logistic,
    ),
)


def out_of_fold(case: Case) -> dict[str, NDArray[Any]]:
    """``probs (n, m)`` float64, ``labels (n,)`` uint8 and ``class_names (m,)``, rows shuffled."""
    x, y, names = case.data()
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED)
    probs = cross_val_predict(case.model(), x, y, cv=folds, method="predict_proba")
    rows = np.random.default_rng(SEED).permutation(len(y))
    return {
        "probs": significant(probs[rows], DIGITS),
        "labels": y[rows].astype(np.uint8),
        "class_names": np.array(names),
    }


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


def make(folder: Path) -> None:
    """Write every example and the index that names them. Takes about half a minute."""
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for case in CASES:
        # One thread: the order in which parts are added up then never changes.
        with threadpool_limits(1):
            arrays = out_of_fold(case)
        (folder / f"{case.key}.npz").write_bytes(npz_bytes(arrays))
        n, m = arrays["probs"].shape
        entries.append(
            {
                "key": case.key,
                "title": case.title,
                "description": case.description,
                "noun": case.noun,
                "n": n,
                "m": m,
                "held_out": f"{FOLDS}-fold cross-validation",
            }
        )
    index = {
        "made_by": "scripts/make_examples.py",
        "scikit_learn": sklearn.__version__,
        "examples": entries,
    }
    text = json.dumps(index, indent=2, ensure_ascii=False) + "\n"
    (folder / "index.json").write_bytes(text.encode())


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
