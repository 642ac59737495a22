"""Make the small files in src/assay/data/examples that the how-to pages use: tables, and judgments and runs.

docs/howto/example-files.md says what each file holds and by which rule it was made. Run it in the development
environment:

    .venv/bin/python scripts/make_docs_examples.py
"""

from __future__ import annotations

import csv
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.model_selection import StratifiedKFold

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "src/assay/data/examples"
MODELS = ("logistic", "tree", "forest", "bayes")
ASKED, DEPTH, POOLED = 60, 20, 10  # queries, documents of a list, and how many of these are judged
C45 = """
adult (sample),0.763,0.768,0.771,0.798
breast cancer,0.599,0.591,0.590,0.569
breast cancer wisconsin,0.954,0.971,0.968,0.967
cmc,0.628,0.661,0.654,0.657
ionosphere,0.882,0.888,0.886,0.898
iris,0.936,0.931,0.916,0.931
liver disorders,0.661,0.668,0.609,0.685
lung cancer,0.583,0.583,0.563,0.625
lymphography,0.775,0.838,0.866,0.875
mushroom,1.000,1.000,1.000,1.000
primary tumor,0.940,0.962,0.965,0.962
rheum,0.619,0.666,0.614,0.669
voting,0.972,0.981,0.975,0.975
wine,0.957,0.978,0.946,0.970
"""


def write(name: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a file of the examples."""
    with (TARGET / name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([head, *rows])


def cases() -> list[dict[str, str]]:
    """The rows of the demo file."""
    with (ROOT / "src/assay/data/breast_cancer.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def folds() -> None:
    """The ten folds in which the answers of the demo file were made, which follow from the labels and the seed."""
    rows = cases()
    split = StratifiedKFold(10, shuffle=True, random_state=0).split(
        rows, [int(row["gold"] == "benign") for row in rows]
    )
    fold = {case: number for number, (_, held) in enumerate(split, 1) for case in held}
    write(
        "folds.csv",
        ("id", "fold", "gold", *MODELS),
        ([row["id"], fold[case], row["gold"], *(row[model] for model in MODELS)] for case, row in enumerate(rows)),
    )


def scans() -> None:
    """Forty invented patients with 3 to 12 scans each, and two systems."""
    draw, rows = random.Random(0), []
    for patient in range(1, 41):
        gold = "sick" if patient % 2 else "well"
        hard = draw.random() < 0.3
        for _ in range(draw.randint(3, 12)):
            answers = (
                gold if draw.random() < right - 0.4 * hard else {"sick": "well", "well": "sick"}[gold]
                for right in (0.95, 0.9)
            )
            rows.append([f"p{patient:02}", gold, *answers])
    write("scans.csv", ("patient", "gold", "new", "old"), rows)


def screened() -> None:
    """All malignant cases and every third benign one, which then stands for three."""
    rows, benign = [], 0
    for row in cases():
        benign += row["gold"] == "benign"
        if row["gold"] == "malignant" or benign % 3 == 0:
            rows.append([row["id"], row["gold"], row["logistic"], row["tree"], 1 if row["gold"] == "malignant" else 3])
    write("screened.csv", ("id", "gold", "logistic", "tree", "weight"), rows)


def counts() -> None:
    """Each combination of labels, with the number of cases that have it."""
    found = Counter((row["gold"], row["logistic"], row["tree"]) for row in cases())
    write("counts.csv", ("gold", "logistic", "tree", "times"), ([*key, n] for key, n in sorted(found.items())))


def images() -> None:
    """Images of digits, ranked by their distance to sixty of them: in all pixels, and in five principal components.

    An image is relevant if it shows the same digit. Judged are the ten nearest by either way, so what only lies deeper
    in a list is not.
    """
    data = load_digits()
    asked = random.Random(0).sample(range(len(data.target)), ASKED)
    space = {"pixels": data.data, "pca": PCA(5, svd_solver="full").fit_transform(data.data)}
    runs = {name: [nearest(points, query) for query in asked] for name, points in space.items()}
    for name, lists in runs.items():
        rows = (
            f"q{query} Q0 image{image} {rank} {-distance:.4f} {name}"
            for query, found in zip(asked, lists, strict=True)
            for rank, (image, distance) in enumerate(found, 1)
        )
        (TARGET / f"{name}.run").write_text("\n".join(rows) + "\n", encoding="utf-8")
    judged = []
    for i, query in enumerate(asked):
        pool = sorted({image for lists in runs.values() for image, _ in lists[i][:POOLED]})
        judged += [f"q{query} 0 image{image} {int(data.target[image] == data.target[query])}" for image in pool]
    (TARGET / "images.qrels").write_text("\n".join(judged) + "\n", encoding="utf-8")
    write("queries.csv", ("query", "digit"), ((f"q{query}", data.target[query]) for query in asked))


def nearest(points: NDArray[np.float64], query: int) -> list[tuple[int, float]]:
    """The images nearest to one, without itself, and their distances."""
    distance = np.sqrt(((points - points[query]) ** 2).sum(1))
    order = [int(i) for i in np.argsort(distance, kind="stable") if i != query]
    return [(i, float(distance[i])) for i in order[:DEPTH]]


def main() -> None:
    """Write all of them."""
    images()
    folds()
    scans()
    screened()
    counts()
    write("c45.csv", ("data_set", "c45", "c45_m", "c45_cf", "c45_m_cf"), csv.reader(C45.split("\n")[1:-1]))


if __name__ == "__main__":
    main()
