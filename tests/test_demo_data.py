from __future__ import annotations

import csv
import statistics
from functools import cache

import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import accuracy_score

from scripts.make_demo_data import FOLDER, TASKS, Task, csv_text

EXAMPLES = FOLDER / "examples"
SYSTEMS = ("logistic", "tree", "forest", "bayes")
SLOW = {("digits.csv", "logistic")}  # ten exact fits of 650 weights
DIGITS = [str(digit) for digit in range(10)]
# Linear algebra differs between processors in the last bits, which can move the last digit written by one. Below the
# smallest normal number, about 2e-308, fewer digits are kept than are written.
LAST_DIGIT = {"breast_cancer.csv": (0.0, 2e-6), "digits.csv": (2e-4, 1e-300)}  # relative, absolute
EACH = [(file, system) for file in TASKS for system in SYSTEMS]


@cache
def committed(file: str) -> dict[str, list[str]]:
    with (FOLDER / file).open(encoding="utf-8", newline="") as lines:
        header, *rows = csv.reader(lines)
    return dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))


@cache
def task(file: str) -> Task:
    return TASKS[file]()


def probabilities(file: str, system: str) -> list[list[float]]:
    """The probabilities of the classes in each row, in the order of the classes."""
    columns = committed(file)
    if file == "breast_cancer.csv":
        return [[1 - float(score), float(score)] for score in columns[f"{system}_score"]]
    return [[float(p) for p in row] for row in zip(*(columns[f"{system}_p{digit}"] for digit in DIGITS), strict=True)]


@pytest.mark.parametrize(
    ("file", "system"),
    [pytest.param(*each, marks=pytest.mark.slow) if each in SLOW else each for each in EACH],
)
def test_the_script_makes_the_committed_columns(file: str, system: str) -> None:
    labels, *scores = task(file).columns(system).items()
    assert labels == (system, committed(file)[system])
    for name, column in scores:
        expected = [float(score) for score in committed(file)[name]]
        relative, absolute = LAST_DIGIT[file]
        assert [float(score) for score in column] == pytest.approx(expected, rel=relative, abs=absolute)


@pytest.mark.parametrize("file", TASKS)
def test_the_files_have_ids_gold_labels_answers_probabilities_and_groups_in_this_order(file: str) -> None:
    columns = committed(file)
    each = ["score"] if file == "breast_cancer.csv" else [f"p{digit}" for digit in DIGITS]
    expected = ["id", "gold", *SYSTEMS, *(f"{system}_{what}" for system in SYSTEMS for what in each)]
    assert list(columns) == [*expected, *(["size"] if file == "breast_cancer.csv" else [])]
    assert len(set(columns["id"])) == len(columns["id"]) == len(task(file).gold)
    assert columns["gold"] == [task(file).classes[number] for number in task(file).gold]
    assert (FOLDER / file).read_bytes() == csv_text(columns).encode()


@pytest.mark.parametrize(("file", "system"), EACH)
def test_probabilities_lie_between_0_and_1_and_add_up_to_1(file: str, system: str) -> None:
    for row in probabilities(file, system):
        assert all(0 <= p <= 1 for p in row)
        # Each of ten was rounded by at most half of the fifth decimal.
        assert sum(row) == pytest.approx(1, abs=10 * 0.5e-5)


@pytest.mark.parametrize(("file", "system"), EACH)
def test_every_answer_is_the_first_class_of_the_highest_probability(file: str, system: str) -> None:
    classes = ["benign", "malignant"] if file == "breast_cancer.csv" else DIGITS
    expected = [classes[row.index(max(row))] for row in probabilities(file, system)]
    assert committed(file)[system] == expected


def test_there_are_ties_for_the_rule_to_settle() -> None:
    assert "0.500000" in committed("breast_cancer.csv")["forest_score"]
    assert any(row.count(max(row)) > 1 for row in probabilities("digits.csv", "tree"))


RIGHT = {
    "breast_cancer.csv": {"logistic": 556, "tree": 536, "forest": 546, "bayes": 534},
    "digits.csv": {"logistic": 1739, "tree": 1498, "forest": 1754, "bayes": 1510},
}


@pytest.mark.parametrize(("file", "system"), EACH)
def test_accuracies_are_what_scikit_learn_finds(file: str, system: str) -> None:
    columns = committed(file)
    right = float(accuracy_score(columns["gold"], columns[system], normalize=False))
    assert right == RIGHT[file][system]


IMPOSSIBLE = {
    "breast_cancer.csv": {"logistic": 0, "tree": 16, "forest": 1, "bayes": 9},
    "digits.csv": {"logistic": 0, "tree": 183, "forest": 0, "bayes": 17},
}


@pytest.mark.parametrize(("file", "system"), EACH)
def test_so_many_rows_give_their_gold_class_a_probability_of_0_as_the_readme_says(file: str, system: str) -> None:
    of_gold = [row[c] for row, c in zip(probabilities(file, system), task(file).gold, strict=True)]
    assert of_gold.count(0) == IMPOSSIBLE[file][system]


def test_sizes_are_thirds_of_the_mean_radius() -> None:
    data = load_breast_cancer()
    radius = data.data[:, list(data.feature_names).index("mean radius")].tolist()
    first, second = statistics.quantiles(radius, n=3, method="inclusive")
    sizes = ["small" if r <= first else "medium" if r <= second else "large" for r in radius]
    assert committed("breast_cancer.csv")["size"] == sizes
    assert task("breast_cancer.csv").groups == {"size": committed("breast_cancer.csv")["size"]}


def test_the_files_stay_small() -> None:
    assert sum((FOLDER / file).stat().st_size for file in TASKS) < 600_000


def test_the_two_files_of_the_tutorial_take_turns_in_the_first() -> None:
    columns = committed("breast_cancer.csv")
    rows = list(zip(*(columns[name] for name in ("id", "gold", "logistic_score")), strict=True))
    for start, half in enumerate(("dev", "test")):
        with (EXAMPLES / f"cancer_{half}.csv").open(encoding="utf-8", newline="") as lines:
            header, *found = csv.reader(lines)
        assert header == ["id", "gold", "score"]
        assert [tuple(row) for row in found] == rows[start::2]
