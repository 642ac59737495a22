"""Make the predictions that `assay demo` evaluates: src/assay/data/breast_cancer.csv.

Two models answer the same 569 cases of the breast-cancer data that scikit-learn ships. Each case is
answered by a model that did not see it in training (10-fold stratified cross-validation), and both models
meet the same folds. The models are a logistic regression on standardised features and a decision tree of
depth 4. The depth was picked after a look at a few, as one where the two models differ visibly: the file is
there to show assay at work, and is no evidence about the two kinds of model.

Run it in the development environment, whose lock fixes scikit-learn and NumPy:

    .venv/bin/python scripts/make_demo_data.py

The same versions give the same file. On another processor a score may differ in its last digit.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

SEED = 0
FOLDS = 10
POSITIVE, NEGATIVE = "malignant", "benign"
TARGET = Path(__file__).resolve().parents[1] / "src" / "assay" / "data" / "breast_cancer.csv"


def models() -> dict[str, Any]:
    """The two models, by the name of their column."""
    return {
        # A tight tolerance, so that the scores are those of the optimum and not of the last step taken.
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(tol=1e-10, max_iter=10_000)),
        "tree": DecisionTreeClassifier(max_depth=4, random_state=SEED),
    }


def cases() -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The features of every case, and whether it is malignant."""
    data = load_breast_cancer()
    malignant = list(data.target_names).index(POSITIVE)
    return np.asarray(data.data, dtype=np.float64), np.asarray(data.target == malignant)


def out_of_fold(model: object, features: NDArray[np.float64], malignant: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The probability of `malignant` that a model gives to each case of the fold it did not see."""
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED)
    proba = cross_val_predict(model, features, malignant, cv=folds, method="predict_proba")
    return np.asarray(proba[:, 1], dtype=np.float64)


def name(malignant: bool) -> str:
    """The label as it stands in the file."""
    return POSITIVE if malignant else NEGATIVE


def table() -> list[list[str]]:
    """The file as rows of text, the header first."""
    features, malignant = cases()
    scores = {system: out_of_fold(model, features, malignant) for system, model in models().items()}
    header = ["id", "gold", *scores, *(f"{system}_score" for system in scores)]
    rows = [
        [
            f"b{number + 1:04d}",
            name(bool(gold)),
            # Above one half is what `predict` itself answers in a problem of two classes.
            *(name(bool(score[number] > 0.5)) for score in scores.values()),
            *(f"{score[number]:.6f}" for score in scores.values()),
        ]
        for number, gold in enumerate(malignant)
    ]
    return [header, *rows]


def write(rows: list[list[str]], target: Path) -> None:
    """Write beside the target and rename, so that a broken run leaves the old file whole."""
    beside = target.with_suffix(".partial")
    with beside.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    beside.replace(target)


def main() -> None:
    """Make the file anew."""
    rows = table()
    write(rows, TARGET)
    print(f"{TARGET.name}: {len(rows) - 1} cases")


if __name__ == "__main__":
    main()
