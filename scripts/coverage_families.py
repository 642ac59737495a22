"""The populations that intervals are simulated on, by what is sampled, and the measures simulated on each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from assay.measures.scores.order import RANKED_BY_SCORE, SCORED
from assay.tally.clusterings import Contingency
from assay.tally.contract.sampling import Floats
from assay.tally.labels import Confusion
from assay.tally.ratings import Rated
from assay.tally.scores import Scored
from scripts.coverage_counting import SHOWN, Family
from scripts.coverage_harder import ClusteredClasses, LongTail, Weighted, long_tail
from scripts.coverage_populations import (
    Clustered,
    NormalScores,
    Table,
    answers,
    binary,
    clustering,
    one_round,
    one_system,
    two_clusterings,
    two_rounds,
    two_systems,
)
from scripts.coverage_rankings import ONE_RUN, TWO_RUNS
from scripts.coverage_scores import Probabilities

FIVE = (0.5, 0.25, 0.14, 0.08, 0.03)
EVEN = (0.2,) * 5
THREE = (0.7, 0.2, 0.1)
EASY = (0.97, 0.96, 0.95, 0.93, 0.9)
MIDDLING = (0.85, 0.75, 0.7, 0.6, 0.5)
POOR = (0.6, 0.4, 0.35, 0.3, 0.2)


def _two_classes(n: int, prevalence: float, tpr: float, fpr: float) -> Table:
    name = f"{prevalence:.0%} positive, recall {tpr:.0%}, false alarms {fpr:.0%}"
    return Table(name, n, *one_system(*binary(prevalence, tpr, fpr)))


def _classes(name: str, n: int, gold: Sequence[float], recall: Sequence[float], to_large: bool = False) -> Table:
    """With `to_large`, errors go to the other classes in proportion to how frequent they are."""
    confused = np.tile(np.asarray(gold), (len(gold), 1)) if to_large else None
    return Table(name, n, *one_system(gold, answers(recall, confused)))


def _weighted(name: str, n: int, prevalence: float, system: tuple[float, float], heavy: Any, spread: float) -> Weighted:
    """With weights by cell: true negatives, false positives, false negatives, true positives."""
    title = f"{name}: {prevalence:.0%} of the rows positive, {system[0]:.0%} / {system[1]:.0%}"
    return Weighted(title, n, *one_system(*binary(prevalence, *system)), np.array(heavy, np.float64), spread)


def _tail(k: int, n: int, fall: float, best: float, worst: float) -> LongTail:
    """Recall falls evenly from the most frequent class to the rarest, and errors go to the large classes."""
    gold = long_tail(k, fall)
    confused = np.tile(gold, (k, 1))
    name = f"{k} classes, the rarest of {gold[-1]:.2%}, recalls from {best:.0%} to {worst:.0%}"
    return LongTail(name, n, *one_system(gold.tolist(), answers(np.linspace(best, worst, k).tolist(), confused)))


def _pair(n: int, prevalence: float, a: tuple[float, float], b: tuple[float, float], same: float) -> Table:
    name = (
        f"{prevalence:.0%} positive, A {a[0]:.0%} / {a[1]:.0%}, B's own answers {b[0]:.0%} / {b[1]:.0%}, "
        f"{same:.0%} repeated"
    )
    return Table(name, n, *two_systems((1 - prevalence, prevalence), _detector(*a), _detector(*b), same))


def _detector(tpr: float, fpr: float) -> Floats:
    return answers([1 - fpr, tpr])


def _class_pair(name: str, n: int, gold: Sequence[float], a: Sequence[float], b: Sequence[float], same: float) -> Table:
    return Table(f"{name}, {same:.0%} repeated", n, *two_systems(gold, answers(a), answers(b), same))


def _less(recall: Sequence[float], by: float) -> tuple[float, ...]:
    return tuple(r - by for r in recall)


def _clusters(name: str, clusters: int, size: float, icc: float, cells: tuple[Any, Floats]) -> Clustered:
    return Clustered(f"{name}; {clusters} clusters of about {size:g}, icc {icc:g}", clusters, size, icc, *cells)


def _class_clusters(name: str, clusters: int, size: float, icc: float, cells: tuple[Any, Floats]) -> ClusteredClasses:
    title = f"{name}; {clusters} clusters of about {size:g}, icc {icc:g}"
    return ClusteredClasses(title, clusters, size, icc, *cells)


def _cluster_pair(
    clusters: int, size: float, icc: float, prevalence: float, a: tuple[float, float], b: tuple[float, float]
) -> Clustered:
    name = f"{prevalence:.0%} positive, A {a[0]:.0%} / {a[1]:.0%}, B's own answers {b[0]:.0%} / {b[1]:.0%}"
    cells = two_systems((1 - prevalence, prevalence), _detector(*a), _detector(*b), 0.5)
    return _clusters(name, clusters, size, icc, cells)


def _scores(
    n: int,
    prevalence: float,
    shift: float,
    sharp: float = 1.0,
    shape: str = "normal",
    clusters: int = 0,
    icc: float = 0.0,
) -> Probabilities:
    honest = {1.0: "calibrated", 2.0: "too sure", 0.5: "too unsure"}[sharp]
    name = f"{prevalence:.0%} positive, {shape}, shift {shift:g}, {honest}"
    if clusters:
        name = f"{clusters} clusters of {n / clusters:g}, icc {icc:g}, {name}"
    return Probabilities(name, n, prevalence, shift, sharp, shape, clusters, icc)


def _score_pair(n: int, prevalence: float, shifts: tuple[float, float], correlation: float) -> NormalScores:
    name = f"{prevalence:.0%} positive, normal, shifts {shifts[0]:g} and {shifts[1]:g}, correlation {correlation:g}"
    return NormalScores(name, n, prevalence, shifts, 1.0, correlation)


def _round(n: int, shares: Sequence[float], right: Sequence[float], missing: float = 0.0) -> Table:
    name = f"categories {_listed(shares)}, raters right {_listed(right)}" + (
        f", {missing:.0%} missing" if missing else ""
    )
    return Table(name, n, *one_round(shares, right, missing))


def _round_pair(n: int, shares: Sequence[float], first: Sequence[float], second: Sequence[float]) -> Table:
    name = f"categories {_listed(shares)}, raters right {_listed(first)}, then {_listed(second)}"
    return Table(name, n, *two_rounds(shares, (first, second)))


def _grouping(n: int, classes: Sequence[float], right: Sequence[float]) -> Table:
    name = f"classes {_listed(classes)}, in their own group {_listed(right)}"
    return Table(name, n, *clustering(classes, answers(right)))


def _grouping_pair(n: int, classes: Sequence[float], a: float, b: float, same: float) -> Table:
    name = f"classes {_listed(classes)}, A {a:.0%} in their own group, B's own groups {b:.0%}, {same:.0%} repeated"
    first, second = (answers([x] * len(classes)) for x in (a, b))
    return Table(name, n, *two_clusterings(classes, first, second, same))


def _listed(shares: Sequence[float]) -> str:
    return " ".join(f"{x:g}".lstrip("0") for x in shares)


SKEWED = (0.4, 0.3, 0.2, 0.1)
QUARTERS = (0.25,) * 4

SINGLE: tuple[Family, ...] = (
    Family(
        "Two classes",
        Confusion,
        (
            _two_classes(50, 0.5, 0.8, 0.2),
            _two_classes(100, 0.3, 0.7, 0.1),
            _two_classes(200, 0.1, 0.8, 0.05),
            _two_classes(400, 0.05, 0.6, 0.02),
            _two_classes(1000, 0.02, 0.7, 0.01),
            _two_classes(100, 0.5, 0.97, 0.02),
            _two_classes(300, 0.2, 0.4, 0.3),
            _two_classes(1000, 0.5, 0.9, 0.1),
        ),
        ("binary", "macro"),
    ),
    Family(
        "Two classes, near perfect",
        Confusion,
        (
            _two_classes(30, 0.5, 0.99, 0.01),
            _two_classes(50, 0.3, 0.98, 0.01),
            _two_classes(100, 0.1, 0.97, 0.005),
            _two_classes(100, 0.5, 0.99, 0.01),
            _two_classes(60, 0.2, 0.95, 0.01),
            _two_classes(200, 0.05, 0.95, 0.002),
            _two_classes(500, 0.3, 0.995, 0.002),
        ),
        ("binary", "macro", "weighted"),
        own=(("expected_cost", {"fp": 1.0, "fn": 7.0}),),
    ),
    Family(
        "Two classes, rows of different weight",
        Confusion,
        (
            _weighted("positives drawn 25 times as often", 50, 0.5, (0.8, 0.1), (1.96, 1.96, 0.04, 0.04), 0.0),
            _weighted("positives drawn 25 times as often", 200, 0.5, (0.9, 0.05), (1.96, 1.96, 0.04, 0.04), 0.0),
            _weighted("uneven weights, log sd .6", 100, 0.3, (0.8, 0.1), (1, 1, 1, 1), 0.6),
            _weighted("very uneven weights, log sd 1.3", 200, 0.3, (0.8, 0.1), (1, 1, 1, 1), 1.3),
            _weighted("errors three times as heavy", 100, 0.4, (0.8, 0.1), (1, 3, 3, 1), 0.3),
            _weighted("errors a third as heavy", 100, 0.4, (0.8, 0.1), (3, 1, 1, 3), 0.3),
            _weighted("near perfect, log sd .5", 200, 0.3, (0.97, 0.01), (1, 1, 1, 1), 0.5),
            _weighted("positives drawn 9 times as often, log sd .5", 100, 0.5, (0.8, 0.1), (1.8, 1.8, 0.2, 0.2), 0.5),
            _weighted("positives drawn 9 times as often, log sd .3", 1000, 0.5, (0.9, 0.03), (1.8, 1.8, 0.2, 0.2), 0.3),
        ),
        ("binary", "macro"),
        quick=(0, 2, 7),
        only=(*SHOWN, "cohen_kappa", "npv", "f_beta", "expected_cost"),
    ),
    Family(
        "Three classes",
        Confusion,
        (
            _classes("near perfect", 50, THREE, (0.99, 0.99, 0.99)),
            _classes("near perfect, classes equally large", 100, (0.34, 0.33, 0.33), (0.99, 0.98, 0.95)),
            _classes("near perfect, classes equally large", 200, (0.34, 0.33, 0.33), (0.99, 0.99, 0.99)),
            _classes("easy", 100, THREE, (0.97, 0.95, 0.9)),
            _classes("middling", 50, (0.6, 0.3, 0.1), (0.8, 0.6, 0.5)),
            _classes("small classes missed", 200, THREE, (0.95, 0.5, 0.3)),
            _classes("one large class", 200, (0.9, 0.07, 0.03), (0.97, 0.95, 0.9)),
        ),
        ("macro", "weighted"),
        quick=(1, 3, 5),
        own=(("expected_cost", {"matrix": ((0.0, 1.0, 5.0), (1.0, 0.0, 1.0), (10.0, 2.0, 0.0))}),),
    ),
    Family(
        "Many classes with a long tail",
        Confusion,
        (
            _tail(20, 500, 1.0, 0.95, 0.7),
            _tail(52, 2000, 1.5, 0.97, 0.6),
            _tail(50, 500, 1.0, 0.8, 0.4),
            _tail(100, 1000, 1.2, 0.95, 0.9),
            _tail(200, 5000, 1.0, 0.9, 0.5),
            _tail(200, 2000, 1.3, 0.98, 0.9),
        ),
        ("macro",),
        only=("accuracy", "balanced_accuracy", "precision", "recall", "f1", "mcc", "cohen_kappa"),
    ),
    Family(
        "Five classes, of 50, 25, 14, 8 and 3%",
        Confusion,
        (
            _classes("easy", 100, FIVE, EASY),
            _classes("middling", 200, FIVE, MIDDLING),
            _classes("poor", 500, FIVE, POOR),
            _classes("middling", 100, FIVE, MIDDLING),
            _classes("poor, errors to the large classes", 200, FIVE, POOR, to_large=True),
            _classes("easy", 500, FIVE, EASY),
            _classes("middling", 1000, FIVE, MIDDLING),
            _classes("middling, classes equally large", 100, EVEN, MIDDLING),
        ),
        ("macro", "micro", "weighted"),
        quick=(0, 2, 3),
    ),
    Family(
        "One class of five, of 8%",
        Confusion,
        (
            _classes("easy", 200, FIVE, EASY),
            _classes("middling", 500, FIVE, MIDDLING),
            _classes("poor, errors to the large classes", 200, FIVE, POOR, to_large=True),
            _classes("middling", 1000, FIVE, MIDDLING),
        ),
        ("binary",),
        only=("precision", "recall", "f1", "informedness", "g_mean", "lr_plus", "diagnostic_odds_ratio"),
        pos_label="3",
    ),
    Family(
        "Two classes, items in clusters",
        Confusion,
        (
            _clusters("30% positive, 70% / 10%", 30, 6, 0.05, one_system(*binary(0.3, 0.7, 0.1))),
            _clusters("50% positive, 80% / 20%", 30, 10, 0.2, one_system(*binary(0.5, 0.8, 0.2))),
            _clusters("30% positive, 60% / 20%", 50, 5, 0.1, one_system(*binary(0.3, 0.6, 0.2))),
            _clusters("30% positive, 70% / 10%", 20, 5, 0.3, one_system(*binary(0.3, 0.7, 0.1))),
            _clusters("50% positive, 95% / 5%", 50, 4, 0.1, one_system(*binary(0.5, 0.95, 0.05))),
            _clusters("10% positive, 70% / 5%", 50, 20, 0.2, one_system(*binary(0.1, 0.7, 0.05))),
            _clusters("50% positive, 80% / 30%", 50, 4, 0.7, one_system(*binary(0.5, 0.8, 0.3))),
            _clusters("10% positive, 90% / 2%", 25, 6, 0.5, one_system(*binary(0.1, 0.9, 0.02))),
            _clusters("50% positive, 90% / 20%", 30, 20, 0.7, one_system(*binary(0.5, 0.9, 0.2))),
            _clusters("2% positive, 80% / 2%", 30, 200, 0.01, one_system(*binary(0.02, 0.8, 0.02))),
        ),
        ("binary",),
        quick=(1, 3, 5),
        only=(*SHOWN, "cohen_kappa", "informedness"),
    ),
    Family(
        "Five classes, items in clusters",
        Confusion,
        (
            _class_clusters("middling", 40, 10, 0.2, one_system(FIVE, answers(MIDDLING))),
            _class_clusters("middling", 50, 5, 0.1, one_system(FIVE, answers(MIDDLING))),
            _class_clusters(
                "three classes, 90, 70 and 60% right", 25, 12, 0.1, one_system(THREE, answers((0.9, 0.7, 0.6)))
            ),
            _class_clusters("easy", 50, 6, 0.3, one_system(FIVE, answers(EASY))),
        ),
        ("macro",),
        quick=(0, 2, 3),
        only=(*SHOWN, "cohen_kappa"),
    ),
    Family(
        "Scores",
        Scored,
        (
            _scores(50, 0.5, 1.0),
            _scores(100, 0.3, 1.5, 2.0),
            _scores(400, 0.05, 1.5, 0.5),
            _scores(100, 0.5, 2.5),
            _scores(200, 0.1, 1.0, 2.0),
            _scores(1000, 0.02, 2.0),
            _scores(300, 0.2, 0.3),
            _scores(1000, 0.5, 1.0, 0.5),
            _scores(50, 0.3, 1.0, 1.0, "gamma"),
            _scores(100, 0.1, 4.0, 2.0, "gamma"),
            _scores(400, 0.05, 2.0, 1.0, "gamma"),
            _scores(1000, 0.02, 1.0, 2.0, "gamma"),
            _scores(200, 0.5, 4.0, 0.5, "gamma"),
        ),
    ),
    Family(
        "Scores, items in clusters",
        Scored,
        (
            _scores(100, 0.3, 1.0, clusters=20, icc=0.3),
            _scores(300, 0.1, 1.5, clusters=30, icc=0.2),
            _scores(400, 0.5, 2.0, 2.0, clusters=50, icc=0.5),
            _scores(1500, 0.05, 1.0, clusters=30, icc=0.1),
            _scores(250, 0.2, 2.5, 0.5, clusters=50, icc=0.1),
            _scores(2000, 0.5, 1.5, clusters=20, icc=0.3),
        ),
        only=SCORED,
    ),
    *ONE_RUN,
    Family(
        "Clusterings of four classes",
        Contingency,
        (
            _grouping(100, SKEWED, (0.8,) * 4),
            _grouping(200, SKEWED, (0.6,) * 4),
            _grouping(100, QUARTERS, (0.9,) * 4),
            _grouping(50, SKEWED, (0.8,) * 4),
            _grouping(100, QUARTERS, (0.97,) * 4),
            _grouping(100, QUARTERS, (0.4,) * 4),
            _grouping(200, (0.7, 0.15, 0.1, 0.05), (0.85, 0.7, 0.7, 0.7)),
            _grouping(500, SKEWED, (0.7, 0.7, 0.6, 0.5)),
        ),
    ),
    Family(
        "Three raters",
        Rated,
        (
            _round(100, (0.5, 0.5), (0.8,) * 3),
            _round(200, (0.4, 0.3, 0.2, 0.1), (0.6, 0.6, 0.7), 0.2),
            _round(200, (0.9, 0.1), (0.9,) * 3),
            _round(100, (0.5, 0.5), (0.97,) * 3),
            _round(300, (0.95, 0.05), (0.95, 0.95, 0.9)),
            _round(300, (0.7, 0.3), (0.6,) * 3),
            _round(100, (0.97, 0.03), (0.97,) * 3),
            _round(100, (0.96, 0.04), (0.8, 0.87, 0.95)),
        ),
    ),
)

PAIRED: tuple[Family, ...] = (
    Family(
        "Two systems, two classes",
        Confusion,
        (
            _pair(100, 0.3, (0.7, 0.1), (0.8, 0.2), 0.5),
            _pair(200, 0.1, (0.8, 0.05), (0.7, 0.1), 0.6),
            _pair(400, 0.05, (0.6, 0.02), (0.7, 0.03), 0.3),
            _pair(50, 0.5, (0.8, 0.2), (0.8, 0.3), 0.5),
            _pair(1000, 0.5, (0.9, 0.1), (0.91, 0.12), 0.7),
            _pair(100, 0.5, (0.97, 0.02), (0.97, 0.04), 0.5),
        ),
        ("binary",),
        only=SHOWN,
    ),
    Family(
        "Two systems, five classes",
        Confusion,
        (
            _class_pair("middling and poor", 100, FIVE, MIDDLING, POOR, 0.5),
            _class_pair("middling and a little worse", 500, FIVE, MIDDLING, _less(MIDDLING, 0.1), 0.5),
            _class_pair("middling and poor, classes equally large", 100, EVEN, MIDDLING, POOR, 0.3),
            _class_pair("middling twice", 200, FIVE, MIDDLING, MIDDLING, 0.7),
            _class_pair("easy and a little worse", 200, FIVE, EASY, _less(EASY, 0.03), 0.6),
        ),
        ("macro", "weighted"),
        only=SHOWN,
    ),
    Family(
        "Two systems, two classes, items in clusters",
        Confusion,
        (
            _cluster_pair(20, 5, 0.3, 0.3, (0.7, 0.1), (0.8, 0.2)),
            _cluster_pair(30, 10, 0.2, 0.5, (0.9, 0.1), (0.9, 0.2)),
            _cluster_pair(50, 8, 0.3, 0.2, (0.8, 0.05), (0.8, 0.1)),
        ),
        ("binary",),
        only=SHOWN,
    ),
    Family(
        "Two systems, scores",
        Scored,
        (
            _score_pair(50, 0.5, (1.0, 0.7), 0.5),
            _score_pair(100, 0.3, (1.5, 1.2), 0.6),
            _score_pair(400, 0.05, (1.5, 1.0), 0.5),
            _score_pair(200, 0.1, (1.0, 1.0), 0.7),
            _score_pair(500, 0.04, (2.0, 1.6), 0.5),
            _score_pair(100, 0.5, (2.5, 2.2), 0.5),
        ),
        quick=(0, 1, 3),
        only=RANKED_BY_SCORE,
    ),
    *TWO_RUNS,
    Family(
        "Two clusterings of four classes",
        Contingency,
        (
            _grouping_pair(100, SKEWED, 0.8, 0.8, 0.5),
            _grouping_pair(200, SKEWED, 0.6, 0.5, 0.3),
            _grouping_pair(50, SKEWED, 0.8, 0.7, 0.5),
            _grouping_pair(100, QUARTERS, 0.95, 0.9, 0.5),
            _grouping_pair(500, SKEWED, 0.7, 0.65, 0.6),
        ),
    ),
    Family(
        "Two rounds of three raters",
        Rated,
        (
            _round_pair(100, (0.5, 0.5), (0.8,) * 3, (0.7, 0.8, 0.8)),
            _round_pair(200, (0.8, 0.2), (0.9,) * 3, (0.85,) * 3),
            _round_pair(300, (0.9, 0.1), (0.95,) * 3, (0.95,) * 3),
            _round_pair(100, (0.9, 0.1), (0.95,) * 3, (0.9,) * 3),
        ),
    ),
)
