"""JSON documents of every kind in many states, as assay writes them: (schema, document) by name."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import assay
from assay.cli.main import exit_code
from assay.jobs.verify import verify
from tests.trec import judgments, runs, topics

ROOT = Path(__file__).parents[1]
CANCER = str(ROOT / "src/assay/data/breast_cancer.csv")
DIGITS = str(ROOT / "src/assay/data/digits.csv")
QRELS, RUNS, TOPICS = judgments(), runs(), topics()
ARENA = str(ROOT / "src/assay/data/examples/arena.csv")
DRAWS: dict[str, Any] = {"n_resamples": 199}
Document = tuple[str, Any]
COUNT = 90


def _table(seed: int) -> dict[str, list[Any]]:
    """Rows with everything that a column can be: labels, scores, clusters, weights, counts, groups, guesses."""
    rng = np.random.default_rng(seed)
    gold = np.where(rng.random(COUNT) < 0.4, "yes", "no")
    wrong = np.where(gold == "yes", "no", "yes")
    answers = {name: np.where(rng.random(COUNT) < skill, gold, wrong) for name, skill in (("a", 0.85), ("b", 0.75))}
    three = rng.choice(["x", "y", "z"], COUNT)
    score = np.clip(0.5 + 0.25 * (2 * (gold == "yes") - 1) + 0.3 * rng.standard_normal(COUNT), 0.01, 0.99)
    columns: dict[str, Any] = {
        "id": [f"r{i}" for i in range(COUNT)],
        "gold": gold,
        **answers,
        "c": np.where(rng.random(COUNT) < 0.5, gold, wrong),
        "score": score,
        "other": np.clip(score + 0.2 * rng.standard_normal(COUNT), 0.01, 0.99),
        "patient": np.repeat(np.arange(COUNT // 3), 3),
        "weight": rng.choice([0.5, 1.0, 2.0], COUNT),
        "times": rng.integers(1, 4, COUNT),
        "site": rng.choice(["north", "south"], COUNT),
        "ward": rng.choice(["1", "2", "3"], COUNT),
        "three": three,
        "third": np.where(rng.random(COUNT) < 0.7, three, rng.choice(["x", "y", "z"], COUNT)),
        "second": rng.choice(["x", "y", "z"], COUNT),
    }
    for name in "xyz":
        columns[f"p_{name}"] = np.where(three == name, 0.6, 0.2)
    return {name: np.asarray(column).tolist() for name, column in columns.items()}


def _values(unit: str) -> dict[str, list[Any]]:
    rng = np.random.default_rng(5)
    base = rng.uniform(0.6, 0.9, 12)
    rows = {name: (base + up + 0.03 * rng.standard_normal(12)).tolist() for name, up in (("a", 0.05), ("b", 0.0))}
    return {unit: [f"{unit} {i}" for i in range(12)], **rows, "c": base.tolist()}


TABLE = _table(11)
SMALL = {"gold": ["yes", "yes", "yes"], "pred": ["yes", "yes", "yes"]}  # no negative, and no error
OTHER = _table(12)
GAPS = {"gold": ["yes", "no", "no", "yes"] * 5, "pred": ["yes", None, "no", "no"] * 5}


def _said(*command: str) -> Any:
    """What a command prints as JSON, whatever its exit code is."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        exit_code([*command, "--format", "json"])
    return json.loads(out.getvalue())


def evaluations() -> Iterator[tuple[str, Any]]:
    """Reports of one or more systems."""
    both: dict[str, Any] = {"pred": ["a", "b"], "positive": "yes", **DRAWS}
    yield "two classes", assay.evaluate(TABLE, **both)
    yield "undefined values, no interval", assay.evaluate(SMALL, labels=["yes", "no"], positive="no", **DRAWS)
    yield "clusters", assay.evaluate(TABLE, pred="a", positive="yes", cluster="patient", **DRAWS)
    yield "weights", assay.evaluate(TABLE, pred="a", positive="yes", weight="weight", **DRAWS)
    yield "counts of rows", assay.evaluate(TABLE, pred="a", positive="yes", count="times", **DRAWS)
    yield "groups", assay.evaluate(TABLE, **both, slices=["site", "ward"], crossed=True)
    yield "few rows in groups", assay.evaluate({**SMALL, "g": ["1", "2", "2"]}, slices="g", **DRAWS)
    yield "scores and a threshold", assay.evaluate(TABLE, scores="score", positive="yes", threshold=0.4, **DRAWS)
    yield "score bins", assay.evaluate(TABLE, scores="score", positive="yes", score_bins=10, **DRAWS)
    yield "scores of each class", assay.evaluate(TABLE, gold="three", scores={"m": "p_{}"}, **DRAWS)
    guesses = {"third": ["second"]}
    yield "guesses", assay.evaluate(TABLE, gold="three", pred="third", guesses=guesses, **DRAWS)
    costs = {"fp": 1, "fn": 20}
    yield "costs, prevalence", assay.evaluate(TABLE, **both, costs=costs, prevalence=0.1, tables=["pooled"])
    yield "named measures", assay.evaluate(TABLE, **both, measures=["f1", "f_beta(beta=2)"], level=0.9)
    yield "another method", assay.evaluate(TABLE, **both, measures="accuracy", method="wald")
    yield "three classes", assay.evaluate(TABLE, gold="three", pred="third", labels=["x", "y", "z", "w"], **DRAWS)
    yield "many classes", assay.evaluate(DIGITS, pred=["logistic", "tree"], **DRAWS)
    yield "skipped rows", assay.evaluate(GAPS, missing="skip", **DRAWS)
    yield "wrong where missing", assay.evaluate(GAPS, missing="wrong", map={"yes": "1", "no": "0"}, **DRAWS)
    yield "arrays", assay.evaluate(TABLE["gold"], TABLE["a"], positive="yes", **DRAWS)
    yield (
        "files of systems",
        assay.evaluate(
            {name: TABLE[name] for name in ("id", "gold")},
            systems={name: {"id": TABLE["id"], "pred": TABLE[name]} for name in "ab"},
            id="id",
            positive="yes",
            **DRAWS,
        ),
    )
    few = {name: TABLE[name][:60] for name in ("id", "gold")}
    more = {"a": {"id": TABLE["id"], "pred": TABLE["a"]}}
    yield "predictions without gold", assay.evaluate(few, systems=more, id="id", missing="skip", ignore_case=True)
    yield "a tally", assay.evaluate(assay.Confusion.from_counts(tp=8, fp=3, fn=2, tn=7))
    runs = {f"q{i}": [int(i % 3 == 0), int(i % 2 == 0), 1] for i in range(12)}
    yield "rankings", assay.evaluate(assay.Ranked.from_rankings(runs))
    yield "clusterings", assay.evaluate(assay.Contingency.from_labels(TABLE["three"], TABLE["third"]))
    yield "ratings", assay.evaluate(assay.Rated.from_ratings([["x", "x"], ["y", "x"], ["y", "y"], ["x", None]] * 6))
    yield "preferences", assay.prefer(ARENA)
    yield "a chosen threshold", assay.tune(TABLE, score="score", positive="yes", maximize="f1", **DRAWS).report
    yield "a run", assay.rank(QRELS, RUNS["dense"], query_attributes=TOPICS, slices="kind", **DRAWS)
    yield "a run by cluster", assay.rank(QRELS, RUNS["bm25"], query_attributes=TOPICS, cluster="user", **DRAWS)
    yield "preferences by judge", assay.prefer(ARENA, cluster="judge", judge="judge", without=["fjord"])


def comparisons_of_systems() -> Iterator[tuple[str, Any]]:
    """Reports of comparisons."""
    pair: dict[str, Any] = {"pred": ["a", "b"], "positive": "yes", **DRAWS}
    every: dict[str, Any] = {**pair, "pred": ["a", "b", "c"]}
    yield "two systems", assay.compare_systems(TABLE, **pair)
    yield "three systems", assay.compare_systems(TABLE, **every)
    yield "a baseline", assay.compare_systems(TABLE, **every, baseline="b", correction="benjamini_hochberg")
    yield "one-sided", assay.compare_systems(TABLE, **pair, alternative="greater", primary="mcc")
    yield "a margin", assay.compare_systems(TABLE, **pair, margin=0.2, primary="f1")
    yield "clusters", assay.compare_systems(TABLE, **pair, cluster="patient")
    yield "weights", assay.compare_systems(TABLE, **pair, weight="weight")
    yield "groups", assay.compare_systems(TABLE, **pair, slices="site")
    yield "scores", assay.compare_systems(TABLE, scores=["score", "other"], positive="yes", **DRAWS)
    yield "a bootstrap", assay.compare_systems(TABLE, **pair, test="bootstrap", strict=True, raw_p=True)
    yield "no test", assay.compare_systems(TABLE, **pair, test="none")
    yield "the same system", assay.compare_systems({**TABLE, "d": TABLE["a"]}, **{**pair, "pred": ["a", "d"]})
    yield (
        "undefined",
        assay.compare_systems({**SMALL, "b": SMALL["pred"]}, pred=["pred", "b"], labels=["yes", "no"], positive="no"),
    )
    yield "three classes", assay.compare_systems(TABLE, gold="three", pred=["third", "second"], **DRAWS)
    apart = {name: {"gold": TABLE["gold"], "pred": TABLE[name]} for name in "ab"}
    yield "separate samples", assay.compare_systems(systems=apart, unpaired=True, positive="yes", **DRAWS)
    yield "values of items", assay.compare_repeated(_values("item"), values=["a", "b"], value_range=(0, 1.2))
    yield "folds", assay.compare_repeated(_values("fold"), values=["a", "b", "c"], folds="fold")
    yield "data sets", assay.compare_repeated(_values("dataset"), values=["a", "b", "c"], datasets="dataset")
    based: dict[str, Any] = {"values": {"A": "a", "B": "b", "C": "c"}, "baseline": "C"}
    yield "data sets, a baseline", assay.compare_repeated(_values("dataset"), datasets="dataset", **based)
    both = {**_values("fold"), "dataset": [f"d{i // 3}" for i in range(12)]}
    two: dict[str, Any] = {"values": ["a", "b", "c"], "folds": "fold", "datasets": "dataset", "lower_is_better": True}
    yield "folds of data sets", assay.compare_repeated(both, **two)
    yield (
        "tied data sets",
        assay.compare_repeated(
            {"d": ["1", "2", "3"], "a": [0.5] * 3, "b": [0.5] * 3, "c": [0.5] * 3}, values=["a", "b", "c"], datasets="d"
        ),
    )
    two_runs = {name: RUNS[name] for name in ("bm25", "dense")}
    yield "two runs", assay.rank(QRELS, two_runs, primary="ndcg@10", test="wilcoxon", missing="skip", **DRAWS)
    yield "three runs", assay.rank(QRELS, RUNS, no_relevant="zero", query_attributes=TOPICS, slices="kind", **DRAWS)


def estimates() -> Iterator[tuple[str, Any]]:
    """Single estimates."""
    table = assay.Confusion.from_counts(tp=80, fp=30, fn=20, tn=70)
    alone = assay.Confusion.from_predictions(SMALL["gold"], SMALL["pred"], labels=["yes", "no"], positive="no")
    yield "a share", assay.estimate("recall", table)
    yield "undefined", assay.estimate("recall", alone)
    yield "infinite", assay.estimate("lr_plus", assay.Confusion.from_counts(tp=8, fp=0, fn=2, tn=7))
    yield (
        "without an interval",
        assay.estimate("expected_calibration_error", assay.Scored.from_scores([0, 1, 0, 1], [0.2, 0.7, 0.4, 0.9])),
    )
    for method in ("wald", "bca", "percentile", "logit_delta", "midp_draws"):
        yield method, assay.estimate("recall", table, method=method, **DRAWS)


def comparisons() -> Iterator[tuple[str, Any]]:
    """Single comparisons."""
    gold, a, b = (TABLE[name] for name in ("gold", "a", "b"))
    plain: dict[str, Any] = {"pos_label": "yes", **DRAWS}
    yield "a share", assay.compare(gold, a, b, measure="recall", **plain)
    yield "a measure", assay.compare(gold, a, b, measure="f1", **plain)
    yield "less", assay.compare(gold, a, b, measure="f1", alternative="less", margin=0.1, **plain)
    yield "the same", assay.compare(gold, a, a, measure="f1", **plain)
    yield "undefined", assay.compare(["x"] * 4, ["x"] * 4, ["x"] * 4, measure="mcc")
    for test in ("mcnemar", "mcnemar_chi2", "mcnemar_chi2_corrected", "sign", "bootstrap", "interval", "none"):
        yield test, assay.compare(gold, a, b, measure="accuracy", test=test, **DRAWS)
    areas = [TABLE["score"], TABLE["other"]]
    yield "delong", assay.compare([g == "yes" for g in gold], *areas, measure="roc_auc", method="delong")
    first, second = (assay.Confusion.from_predictions(gold, each, positive="yes") for each in (a, b))
    yield "different items", assay.compare(first, second, measure="f1", unpaired=True, **plain)
    values = _values("item")
    of_items: tuple[Any, ...] = ("randomization", "bootstrap", "t", "wilcoxon", "sign")
    for test in of_items:
        yield f"values, {test}", assay.compare_values(values["a"], values["b"], test=test, **DRAWS)
    of_folds: tuple[Any, ...] = ("corrected_t", "5x2cv", "5x2cv_f")
    for test in of_folds:
        ten = (values["a"][:10], values["b"][:10])
        yield f"folds, {test}", assay.compare_values(*ten, unit="fold", test=test, repeats=5, **DRAWS)


def others() -> Iterator[tuple[str, str, Any]]:
    """Everything else that is written as JSON: schema, name, result."""
    for kind in ("roc", "pr", "calibration", "envelope"):
        yield "curves", kind, assay.curves(TABLE, scores=["score", "other"], positive="yes", kind=kind)
    yield "curves", "cost", assay.curves(TABLE, scores="score", positive="yes", kind="cost", cost_fp=1, cost_fn=5)
    yield "curves", "no band", assay.curves(TABLE, scores="score", positive="yes", band=False)
    asked: dict[str, Any] = {"score": "score", "positive": "yes", **DRAWS}
    yield "tune", "a measure", assay.tune(TABLE, **asked, maximize="f1")
    yield "tune", "costs", assay.tune(TABLE, **asked, cost_fp=1, cost_fn=5, check=OTHER)
    yield "tune", "a target", assay.tune(TABLE, **asked, target="recall=0.9", against=0.5)
    yield "tune", "not reached", assay.tune(TABLE, **asked, target="precision=1", target_on="interval")
    yield "tune", "nothing is called", assay.tune(TABLE, **asked, cost_fp=100, cost_fn=1)
    yield "tune", "clusters", assay.tune(TABLE, **asked, youden=True, cluster="patient")
    yield "plan", "a width", assay.plan(half_width=0.05)
    yield "plan", "a difference", assay.plan(difference=0.05, disagreement=0.2)
    yield "plan", "clusters", assay.plan(half_width=0.05, cluster_size=5, icc=0.2)
    yield "plan", "items", assay.plan(items=200, disagreement=0.2)
    pilot: dict[str, Any] = {"pilot": TABLE, "measure": "f1", "positive": "yes", "n_resamples": 99}
    yield "plan", "a pilot", assay.plan(difference=0.1, pred=["a", "b"], **pilot)
    yield "plan", "a width from a pilot", assay.plan(half_width=0.1, pred="a", **pilot)
    yield "advise", "labels", assay.advise(TABLE, pred="a", gold="gold", cost_fp=1, cost_fn=3)
    yield "advise", "scores", assay.advise(TABLE, gold="gold", score="score", positive="yes")
    yield "advise", "a file", assay.advise(CANCER)
    yield "advise", "many classes", assay.advise(DIGITS)
    yield "advise", "nothing recognized", assay.advise({"u": ["1", "2", "3"], "v": ["4", "5", "6"]})
    yield "advise", "counts", assay.advise(assay.Confusion.from_counts(tp=8, fp=3, fn=2, tn=7))
    yield "advise", "rankings", assay.advise(assay.Ranked.from_rankings({"q": [1, 0], "r": [0, 1]}))
    yield "advise", "ratings", assay.advise(assay.Rated.from_ratings([["x", "x"], ["y", "x"], ["y", None]]))
    yield "advise", "clusterings", assay.advise(assay.Contingency.from_labels([0, 0, 1], [1, 1, 2]))
    yield "per_class", "three classes", assay.classification_report(TABLE["three"], TABLE["third"])
    yield "per_class", "undefined", assay.classification_report(["x", "y"], ["x", "x"], labels=["x", "y", "z"])


def stored(folder: Path) -> Iterator[tuple[str, Any]]:
    """Counts in schema 2, and single tallies of every kind, as JSON."""
    columns: dict[str, list[str]] = {
        "labels": ["--pred", "a", "--pred", "b"],
        "groups": ["--pred", "a", "--slice", "site", "--cluster", "patient"],
        "weights": ["--pred", "a", "--weight", "weight", "--cluster", "patient"],
        "scores": ["--score", "score", "--pred", "score=a"],
    }
    data = folder / "rows.csv"
    names = list(TABLE)
    data.write_text(
        "\n".join([",".join(names), *(",".join(map(str, row)) for row in zip(*TABLE.values(), strict=True))]) + "\n"
    )
    for name, options in columns.items():
        out = folder / f"{name}.json"
        with contextlib.redirect_stderr(io.StringIO()):
            exit_code(["tally", str(data), "--gold", "gold", "--positive", "yes", *options, "--out", str(out)])
        yield name, json.loads(out.read_text(encoding="utf-8"))


def tallies() -> Iterator[tuple[str, Any]]:
    """A single tally of every kind."""
    gold, a, score = TABLE["gold"], TABLE["a"], TABLE["score"]
    yield "labels", assay.Confusion.from_predictions(gold, a, positive="yes")
    yield "strata", assay.Confusion.from_predictions(gold, a, strata=TABLE["site"])
    yield "outside", assay.Confusion.from_predictions(["x", "y"], ["x", "z"], labels="gold")
    more = {"cluster": TABLE["patient"], "sample_weight": TABLE["weight"]}
    yield "clusters and weights", assay.Confusion.from_predictions(gold, a, **more)
    yield "weights", assay.Confusion.from_predictions(gold, a, sample_weight=TABLE["weight"])
    yield "scores", assay.Scored.from_scores(gold, score, pos_label="yes")
    yield "scores in bins", assay.Scored.from_scores(gold, score, pos_label="yes", bins=10)
    scores = {name: TABLE[f"p_{name}"] for name in "xyz"}
    yield "scores of each class", assay.ClassScored.from_class_scores(TABLE["three"], scores)
    yield "guesses", assay.Guessed.from_guesses(TABLE["three"], list(zip(TABLE["third"], TABLE["second"], strict=True)))
    yield "clusterings", assay.Contingency.from_labels(TABLE["three"], TABLE["third"])
    yield "rankings", assay.Ranked.from_rankings({"q": [1, 0], "r": [0.5, 1]})
    yield "ratings", assay.Rated.from_ratings([["x", "x"], ["y", "x"], ["y", None]])
    yield "preferences", assay.Preferences.from_judgments(["m", "n"], ["n", "m"], ["m", "tie"])


def checks(folder: Path) -> Iterator[tuple[str, str, Any]]:
    """What commands write, and what is read back from files."""
    yield "check", "a file", _said("check", CANCER)
    (folder / "odd.csv").write_text("id,gold,pred\n1,Yes,yes\n1,no,no\n2,no,NO\n3,Yes,\n")
    yield "check", "odd labels", _said("check", str(folder / "odd.csv"))
    command = ["evaluate", CANCER, "--pred", "tree", "--positive", "malignant"]
    yield "report", "a gate that fails", _said(*command, "--fail-under", "f1=0.99")
    yield "report", "a gate that passes", _said(*command, "--fail-under", "f1=0.5")
    (folder / "report.json").write_text(json.dumps(_said(*command)))
    yield "verify", "the same", verify(str(folder / "report.json"), CANCER)
    changed = _said(*command)
    changed["rows"][0]["value"] = 0.5
    changed["provenance"]["gold fingerprint"] = "0"
    del changed["rows"][1]
    (folder / "changed.json").write_text(json.dumps(changed))
    yield "verify", "changed", verify(str(folder / "changed.json"), CANCER)
    two = ["compare", CANCER, "--pred", "tree", "--pred", "forest", "--positive", "malignant"]
    yield "report", "no worse than", _said(*two, "--no-worse-than", "forest:0.1")
    yield "report", "verified counts", _said("evaluate", CANCER, "--pred", "tree", "--map", "malignant=1,benign=0")


def documents(folder: Path) -> dict[str, Document]:
    """Every document by a name."""
    made: list[tuple[str, str, Any]] = [("report", name, each) for name, each in evaluations()]
    made += [("report", f"comparison: {name}", each) for name, each in comparisons_of_systems()]
    made += [("estimate", name, each) for name, each in estimates()]
    made += [("comparison", name, each) for name, each in comparisons()]
    made += [("tally", name, each) for name, each in tallies()]
    made += [("counts", name, each) for name, each in stored(folder)]
    made += [*others(), *checks(folder)]
    return {
        f"{schema}: {name}": (schema, each if isinstance(each, dict) else json.loads(each.to_json()))
        for schema, name, each in made
    }
