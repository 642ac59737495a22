"""Make the predictions that `assay demo` evaluates: breast_cancer.csv and digits.csv in src/assay/data.

Four models answer the two data sets that scikit-learn ships: 569 cases of breast cancer, and 1,797 images of the ten
digits. Each case is answered by a model that did not see it in training (10-fold stratified cross-validation), and all
four meet the same folds. The files hold each model's answer and the probabilities it gave to the classes.

The models were chosen because they err in different ways, and none was tuned to do well:

- `logistic`: logistic regression on standardized features with scikit-learn's default penalty. Its probabilities come
  from the loss it minimizes, so they tend to be well calibrated.
- `tree`: one decision tree, whose probabilities take few values, often zero and one. For breast cancer it has depth 4,
  picked from a few depths because its answers differ visibly from those of `logistic`. Its 16 leaves would be too few
  for ten classes, so for the digits the tree is limited to leaves of at least five cases instead: without any limit
  every probability would be zero or one.
- `forest`: scikit-learn's forest of 100 such trees, grown without a limit. Its probabilities are shares of votes.
- `bayes`: Gaussian naive Bayes with its defaults. The features depend on each other, so it counts the same evidence
  many times and is far too confident in its answers.

So the files show assay at work on models that differ; they are no evidence about the four kinds of model.

An answer is the class with the highest probability as written. If classes tie, the first of them is the answer, in the
order benign, malignant and 0 to 9; scikit-learn's `predict` does the same.

The last column of breast_cancer.csv, `size`, divides the cases into thirds by "mean radius", the data set's own feature
of the cell nuclei: small, medium and large. Nearly all small ones are benign and nearly all large ones malignant, so
the groups differ in more than size, as groups in real data do.

Run it in the development environment, whose lock fixes scikit-learn and NumPy:

    .venv/bin/python scripts/make_demo_data.py

It takes about half a minute. The same versions give the same files. On another processor a probability may differ in
its last digit.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from assay.cli.files import write_text

SEED = 0
FOLDS = 10
FOLDER = Path(__file__).resolve().parents[1] / "src" / "assay" / "data"


@dataclass(frozen=True)
class Task:
    """Cases with their classes, the models that answer them, and how the answers are written."""

    features: NDArray[np.float64]
    gold: NDArray[np.intp]
    classes: tuple[str, ...]
    models: Mapping[str, Any]
    number: str  # how the number of a case becomes its id
    probability: str  # how a probability is written
    groups: Mapping[str, list[str]] = field(default_factory=dict)  # columns that divide the cases

    def columns(self, system: str) -> dict[str, list[str]]:
        """What a model answers, by the name of the column: its labels, then its probabilities."""
        written = [[format(p, self.probability) for p in row] for row in out_of_fold(self, system)]
        read = np.array([[float(text) for text in row] for row in written])
        if len(self.classes) == 2:
            # One column holds both probabilities, so the answer must follow from it alone.
            read[:, 0] = 1 - read[:, 1]
            columns = {f"{system}_score": [row[1] for row in written]}
        else:
            columns = {f"{system}_p{c}": [row[c] for row in written] for c in range(len(self.classes))}
        return {system: [self.classes[c] for c in read.argmax(axis=1)], **columns}


def out_of_fold(task: Task, system: str) -> NDArray[np.float64]:
    """The class probabilities that a model gives to each case in the fold it did not see."""
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED)
    proba = cross_val_predict(task.models[system], task.features, task.gold, cv=folds, method="predict_proba")
    return np.asarray(proba, dtype=np.float64)


def breast_cancer() -> Task:
    """Two classes; a score is the probability of malignant."""
    data = load_breast_cancer()
    malignant = data.target == list(data.target_names).index("malignant")
    # A tight tolerance, so that the probabilities are those of the optimum and not of the last step taken.
    logistic = LogisticRegression(tol=1e-10, max_iter=10_000)
    return Task(
        features=np.asarray(data.data, dtype=np.float64),
        gold=np.asarray(malignant, dtype=np.intp),
        classes=("benign", "malignant"),
        models=models(logistic, DecisionTreeClassifier(max_depth=4, random_state=SEED)),
        number="b{:04d}",
        probability=".6f",
        groups={"size": thirds(data.data[:, list(data.feature_names).index("mean radius")])},
    )


def thirds(values: NDArray[np.float64]) -> list[str]:
    """The third of all values that each belongs to; a value on a border belongs to the lower third."""
    borders = np.quantile(values, [1 / 3, 2 / 3])
    return [("small", "medium", "large")[i] for i in np.searchsorted(borders, values)]


def digits() -> Task:
    """Ten classes, each with its probability."""
    data = load_digits()
    # The default solver leaves the fourth digit of small probabilities to chance, and here five are written.
    logistic = LogisticRegression(solver="newton-cholesky", tol=1e-10)
    return Task(
        features=np.asarray(data.data, dtype=np.float64),
        gold=np.asarray(data.target, dtype=np.intp),
        classes=tuple(str(name) for name in data.target_names),
        models=models(logistic, DecisionTreeClassifier(min_samples_leaf=5, random_state=SEED)),
        number="d{:04d}",
        # Significant digits: a probability of a millionth is not zero.
        probability=".5g",
    )


def models(logistic: Any, tree: Any) -> dict[str, Any]:
    """The four models, by the name of their column."""
    return {
        "logistic": make_pipeline(StandardScaler(), logistic),
        "tree": tree,
        "forest": RandomForestClassifier(n_estimators=100, random_state=SEED),
        "bayes": GaussianNB(),
    }


TASKS: dict[str, Callable[[], Task]] = {"breast_cancer.csv": breast_cancer, "digits.csv": digits}


def table(task: Task) -> dict[str, list[str]]:
    """A file as columns of text: the ids, the gold labels, all answers, all probabilities, and then groups."""
    answered = {system: task.columns(system) for system in task.models}
    return {
        "id": [task.number.format(number) for number in range(1, len(task.gold) + 1)],
        "gold": [task.classes[c] for c in task.gold],
        **{system: columns[system] for system, columns in answered.items()},
        **{name: column for columns in answered.values() for name, column in columns.items() if name not in answered},
        **task.groups,
    }


def csv_text(columns: Mapping[str, list[str]]) -> str:
    """The columns as CSV."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([list(columns), *zip(*columns.values(), strict=True)])
    return out.getvalue()


def main() -> None:
    """Make both files again."""
    for name, task in TASKS.items():
        columns = table(task())
        write_text(FOLDER / name, csv_text(columns))
        print(f"{name}: {len(columns['id'])} cases")


if __name__ == "__main__":
    main()
