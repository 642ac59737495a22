from __future__ import annotations

import dataclasses
import json
import random
import re
import shlex
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import assay
from assay.advice import commands as shared
from assay.advice.advise import Advice, advice_of, advise
from assay.advice.commands import Piece, share
from assay.advice.facts import Facts
from assay.advice.rules.clusterings import GroupFacts
from assay.advice.rules.rankings import RankFacts
from assay.advice.rules.ratings import RaterFacts
from assay.cli.commands.advise import program
from assay.cli.main import COMMANDS, exit_code
from assay.errors import DataError, OptionError
from assay.measures.declare.catalogue import parse
from assay.sources.inspect import Cluster
from tests.engines.engines import MAKERS
from tests.snapshot import Snapshot

pd: Any = import_module("pandas")
DEMO = Path(assay.__file__).parent / "data"
Rows = list[tuple[object, ...]]


def written(header: str, rows: Rows) -> str:
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"


def files() -> dict[str, str]:
    draw = random.Random(4)
    coin = [draw.random() for _ in range(500)]
    rare: Rows = [
        (i, f"p{draw.randrange(200)}", int(i % 60 == 0), int(coin[i] < 0.05), round(draw.gauss(0, 2), 3))
        for i in range(500)
    ]
    graded: Rows = [
        (f"q{q}", f"d{d}", round(draw.random(), 1), draw.choice([0, 0, 1, 2, 3])) for q in range(12) for d in range(20)
    ]
    known_item: Rows = [(f"q{q}", f"d{d}", d + 1, int(d == q % 20 and q > 3)) for q in range(60) for d in range(20)]
    binary: Rows = [(f"q{q}", f"d{d}", d * 2.5, draw.choice(["0", "1", ""])) for q in range(60) for d in range(9)]
    hard: Rows = [(i, draw.choice("abc"), draw.choice([-1, 0, 1, 2])) for i in range(200)]
    triples: Rows = [
        (u, r, "yes" if draw.random() < 0.9 else "no") for u in range(50) for r in "abc" if draw.random() < 0.8
    ]
    grades: Rows = [(i, draw.randrange(1, 4), draw.randrange(1, 4), draw.choice([1, 2, 3, ""])) for i in range(50)]
    shares = [round(x, 3) for x in coin[:100]]
    soft: Rows = [(i, draw.choice("ab"), x, round(1 - x, 3)) for i, x in enumerate(shares)]
    return {
        "rare.csv": written("id,patient,label,model,logit", rare),
        "graded.csv": written("query,doc,score,relevance", graded),
        "known_item.csv": written("qid,docno,rank,rel", known_item),
        "binary.csv": written("query,doc,score,relevance", binary),
        "hard.csv": written("id,gold,cluster", hard),
        "soft.csv": written("id,gold,cluster_1,cluster_2", soft),
        "triples.csv": written("unit,rater,label", triples),
        "columns.csv": written("id,anna,ben,cleo", grades),
        "no_family.csv": written("x,y", [(i, i * i) for i in range(30)]),
        "measurements.csv": written("target,pred", [(i / 7, i / 8) for i in range(30)]),
        "two_golds.csv": written("label,target,pred", [("a", "b", "a"), ("b", "b", "a")]),
        "gaps.csv": written("gold,pred", [("a", "a"), ("b", "b"), ("", "a"), ("a", "c")] * 5),
        "one_class.csv": written("gold,pred", [("a", "a"), ("a", "b")] * 5),
    }


def some_digits() -> str:
    """Part of the demo's file: two models with a score for each class."""
    digits = pl.read_csv(DEMO / "digits.csv").head(400)
    return digits.select(c for c in digits.columns if c.split("_")[0] in ("id", "gold", "bayes", "tree")).write_csv()


FILES = files()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "breast_cancer.csv").write_bytes((DEMO / "breast_cancer.csv").read_bytes())
    (tmp_path / "digits.csv").write_text(some_digits(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


# ---------------------------------------------------------------------- as a person reads it
@pytest.mark.parametrize("name", [*FILES, "breast_cancer.csv", "digits.csv"])
@pytest.mark.usefixtures("folder")
def test_advice_for_a_file(name: str, capsys: pytest.CaptureFixture[str], snapshot: Snapshot) -> None:
    assert exit_code(["advise", name]) == 0
    snapshot(f"advise_{name.partition('.')[0]}", capsys.readouterr().out)


@pytest.mark.usefixtures("folder")
def test_advice_with_costs(capsys: pytest.CaptureFixture[str], snapshot: Snapshot) -> None:
    assert exit_code(["advise", "rare.csv", "--cost-fp", "1", "--cost-fn", "20"]) == 0
    snapshot("advise_costs", capsys.readouterr().out)


@pytest.mark.usefixtures("folder")
def test_advice_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["advise", "rare.csv", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["family"], told["facts"]["classes"]) == ("classification", [["0", 491], ["1", 9]])
    assert {"column": "label", "role": "gold", "by": "by its name", "sure": True} in told["roles"]
    assert [piece["measure"] for piece in told["pieces"] if piece["report"] == "ROC AUC"] == ["roc_auc"]


# ---------------------------------------------------------------------- every command and call does what it says
OPTIONS: dict[str, dict[str, Any]] = {
    "breast_cancer.csv": {"positive": "malignant"},
    "rare.csv": {"cost_fp": 1, "cost_fn": 20},
}


@pytest.mark.parametrize("name", [*FILES, "breast_cancer.csv"])
def test_every_command_that_is_named_runs(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    advice = advise(name, **OPTIONS.get(name, {}), program=program())
    data = pd.read_csv(folder / name)
    for piece in advice.pieces:
        if piece.how is None:
            continue
        if piece.how.startswith("assay "):
            assert exit_code(shlex.split(piece.how)[1:]) == 0, capsys.readouterr().err
        else:
            assert eval(piece.how, {"assay": assay, "data": data}).value is not None  # the very call that is printed


@pytest.mark.parametrize("name", ["rare.csv", "gaps.csv"])
def test_calls_in_python_run_too(name: str, folder: Path) -> None:
    data: Any = pd.read_csv(folder / name, dtype=str, keep_default_na=False, na_values=[""])
    data = data.assign(**{c: data[c].astype(float) for c in data if str(c).endswith(("score", "logit"))})
    calls = [piece.how for piece in advise(data).pieces if piece.how is not None]
    assert len(calls) > 3
    for call in calls:
        assert call.startswith("assay.")
        eval(call, {"assay": assay, "data": data})


def test_a_command_is_named_only_where_the_program_has_it_with_each_of_its_options(folder: Path) -> None:
    def named(commands: dict[str, frozenset[str]]) -> set[str]:
        advice = advise("rare.csv", program=commands)
        return {shlex.split(piece.how)[1] for piece in advice.pieces if (piece.how or "").startswith("assay ")}

    assert named(program()) <= set(COMMANDS)
    assert named({}) == set()
    curve = frozenset({"--gold", "--score", "--positive", "--kind"})
    assert named({"curve": curve}) == {"curve"}
    assert named({"curve": curve - {"--kind"}}) == set()


@pytest.mark.parametrize("name", FILES)
@pytest.mark.usefixtures("folder")
def test_every_measure_that_is_named_is_in_the_catalogue(name: str) -> None:
    for piece in advise(name).pieces:
        assert piece.measure is None or parse(piece.measure)
        assert not (piece.later and piece.measure)


def test_a_measure_that_is_not_there_is_said_to_come_later(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = RankFacts(queries=60, documents=600, grades=("0", "1"), answered=60, most_relevant=9)
    monkeypatch.setattr(shared, "parse", lambda text: parse("mean_reciprocal_rank"))
    assert not by_report(facts, "MAP").later

    def unknown(text: str) -> Any:
        raise OptionError(text)

    monkeypatch.setattr(shared, "parse", unknown)
    assert by_report(facts, "MAP").later
    assert by_report(facts, "MAP").measure is None


# ---------------------------------------------------------------------- the numbers are those of the file
def test_the_facts_are_those_a_plain_count_gives(folder: Path) -> None:
    rare = [line.split(",") for line in FILES["rare.csv"].splitlines()[1:]]
    found = advise("rare.csv").facts
    assert isinstance(found, Facts)
    assert dict(found.classes) == Counter(row[2] for row in rare)
    assert found.ends == (min(float(row[4]) for row in rare), max(float(row[4]) for row in rare))
    assert found.owner == Cluster("patient", len({row[1] for row in rare}), 500)

    ranked = [line.split(",") for line in FILES["binary.csv"].splitlines()[1:]]
    relevant = Counter(row[0] for row in ranked if row[3] == "1")
    assert advise("binary.csv").facts == RankFacts(
        queries=60,
        documents=540,
        grades=("0", "1"),
        answered=len(relevant),
        most_relevant=max(relevant.values()),
        unjudged=sum(row[3] == "" for row in ranked),
    )

    triples = [line.split(",") for line in FILES["triples.csv"].splitlines()[1:]]
    per_unit = Counter(row[0] for row in triples)
    assert advise("triples.csv").facts == RaterFacts(
        units=len(per_unit),
        raters=3,
        ratings=len(triples),
        paired=sum(n > 1 for n in per_unit.values()),
        categories=tuple(Counter(row[2] for row in triples).most_common()),
    )

    hard = [line.split(",") for line in FILES["hard.csv"].splitlines()[1:]]
    groups = advise("hard.csv").facts
    assert isinstance(groups, GroupFacts)
    assert (dict(groups.classes), dict(groups.groups)) == (Counter(r[1] for r in hard), Counter(r[2] for r in hard))


@pytest.mark.parametrize("engine", ["lists", "polars", "pandas", "parquet", "csv"])
def test_every_engine_gives_the_same_advice(engine: str, tmp_path: Path, folder: Path) -> None:
    for name in ("rare.csv", "graded.csv", "hard.csv"):
        frame = pl.read_csv(folder / name)
        columns = {column: frame[column].to_list() for column in frame.columns}
        made = advise(MAKERS[engine](columns, tmp_path))
        read = advise(name)
        assert (made.facts, made.roles, made.summary[1:]) == (read.facts, read.roles, read.summary[1:])
        assert [dataclasses.replace(piece, how=None) for piece in made.pieces] == [
            dataclasses.replace(piece, how=None) for piece in read.pieces
        ]


def test_a_tally_gives_the_facts_of_its_table(folder: Path) -> None:
    data = pd.read_csv("rare.csv")
    counted = advise(assay.Confusion.from_predictions(data["label"], data["model"])).facts
    read = advise("rare.csv").facts
    assert isinstance(counted, Facts)
    assert isinstance(read, Facts)
    assert (counted.classes, counted.positive, counted.n) == (read.classes, read.positive, read.n)
    scored = advise(assay.Scored.from_scores(data["label"], data["logit"])).facts
    assert isinstance(scored, Facts)
    assert (scored.classes, scored.ends, scored.labels) == (read.classes, read.ends, False)

    clusters = pd.read_csv("hard.csv", dtype=str)
    tally: Any = assay.Contingency.from_labels(clusters["gold"], clusters["cluster"])
    assert advise(tally).facts == advise("hard.csv").facts

    ranked = pd.read_csv("known_item.csv")
    tally = assay.Ranked.from_rankings({str(q): list(d["rel"]) for q, d in ranked.groupby("qid")})
    assert advise(tally).facts == advise("known_item.csv").facts

    rated = pd.read_csv("columns.csv", dtype=str)
    tally = assay.Rated.from_ratings(rated[["anna", "ben", "cleo"]].to_numpy().tolist())
    assert advise(tally).facts == advise("columns.csv").facts


def test_stored_counts_are_advised_on(folder: Path) -> None:
    assert exit_code(["tally", "rare.csv", "--gold", "label", "--pred", "model", "--out", "counts.json"]) == 0
    counts, file = advise("counts.json").facts, advise("rare.csv").facts
    assert isinstance(counts, Facts)
    assert isinstance(file, Facts)
    assert counts.classes == file.classes


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [(999_900, 1_000_000, "99.99%"), (1, 1_000_000, "0.0001%"), (1, 2, "50.0%"), (7, 7, "100.0%"), (0, 7, "0.0%")],
)
def test_what_is_nearly_all_does_not_read_as_all(part: int, whole: int, text: str) -> None:
    assert share(part, whole) == text


# ---------------------------------------------------------------------- each rule follows its fact
BALANCED = Facts((("no", 500), ("yes", 500)), positive="yes")
SCORED = dataclasses.replace(BALANCED, scores=True, ends=(0.0, 1.0))
THREE = Facts((("a", 400), ("b", 350), ("c", 300)))
GROUPS = GroupFacts((("a", 60), ("b", 40)), (("x", 70), ("y", 30)))
RANKED = RankFacts(queries=60, documents=600, grades=("0", "1"), answered=60, most_relevant=9)
RATED = RaterFacts(units=50, raters=2, ratings=100, paired=50, categories=(("no", 55), ("yes", 45)))


def by_report(facts: Any, start: str) -> Piece:
    (piece,) = [piece for piece in advice_of(facts) if piece.report.startswith(start)]
    return piece


def reports(facts: Any) -> str:
    return "; ".join(piece.report for piece in advice_of(facts))


RULES: list[tuple[Any, dict[str, Any], str]] = [
    # what the facts are, what changes, and what is advised only then
    (BALANCED, {"positive": None}, "which class is positive"),
    (BALANCED, {"classes": (("no", 500), ("yes", 9))}, "how few rows a class has"),
    (BALANCED, {"classes": (("no", 500), ("yes", 90))}, "how wide the intervals are"),
    (BALANCED, {"owner": Cluster("patient", 50, 1000)}, "intervals clustered by 'patient'"),
    (BALANCED, {"costs": (1.0, 20.0)}, "Expected cost"),
    (BALANCED, {"costs": (1.0, 20.0), "positive": None}, "what errors cost"),
    (BALANCED, {"scores": True, "ends": (0.0, 1.0)}, "ROC AUC"),
    (BALANCED, {"scores": True, "ends": (0.0, 1.0)}, "Precision–recall curve"),
    (BALANCED, {"systems": 2}, "the difference between systems"),
    (BALANCED, {"classes": (("a", 400), ("b", 350), ("c", 300)), "positive": None}, "F1, macro"),
    (BALANCED, {"classes": (("no", 1000),), "positive": None}, "rows of another class"),
    (dataclasses.replace(BALANCED, classes=(("no", 500), ("yes", 300))), {"classes": BALANCED.classes}, "Accuracy"),
    (dataclasses.replace(SCORED, labels=False), {"labels": True}, "MCC"),
    (dataclasses.replace(SCORED, labels=False), {"labels": True}, "Symmetric balanced accuracy"),
    (dataclasses.replace(SCORED, labels=False), {"labels": True}, "Recall"),
    (dataclasses.replace(SCORED, labels=False), {"labels": True}, "Precision;"),
    (dataclasses.replace(SCORED, ends=(-3.0, 3.0)), {"ends": (0.0, 1.0)}, "Brier score"),
    (dataclasses.replace(SCORED, ends=(-3.0, 3.0)), {"ends": (0.0, 1.0)}, "Log loss"),
    (dataclasses.replace(SCORED, off=1), {"off": 0}, "Calibration"),
    (SCORED, {"ends": (0.0, 1.5)}, "a threshold that you choose"),
    (SCORED, {"by_class": True, "off": 3}, "a threshold that you choose"),
    (SCORED, {"scores": False, "ends": None}, "scores, if the system has them"),
    (THREE, {"scores": True, "by_class": True, "ends": (0.0, 1.0)}, "ROC AUC of every class"),
    (GROUPS, {"groups": (), "memberships": 3}, "nmPU"),
    (GROUPS, {"groups": (), "memberships": 3}, "niPU"),
    (GROUPS, {"groups": (("x", 70), ("-1", 30))}, "with and without noise"),
    (RANKED, {"grades": ("0", "1", "2")}, "nDCG"),
    (RANKED, {"grades": ("0", "0.5", "1")}, "nDCG"),
    (RANKED, {"grades": ("0", "3")}, "nDCG"),
    (RANKED, {"grades": ("0", "1", "2")}, "ERR"),
    (RANKED, {"grades": ("0", "1", "2")}, "pFound"),
    (dataclasses.replace(RANKED, grades=("0", "1", "2")), {"grades": ("0", "1")}, "MAP"),
    (RANKED, {"most_relevant": 1}, "RR, mean reciprocal rank"),
    (RANKED, {"queries": 12, "answered": 12}, "an interval over queries"),
    (RANKED, {"answered": 59}, "queries without a relevant document"),
    (RANKED, {"unjudged": 1}, "how many documents were judged"),
    (RANKED, {"tied": 2}, "how ties are broken"),
    (RATED, {"paired": 49}, "units with fewer than two ratings"),
    (RATED, {"categories": (("no", 80), ("yes", 20))}, "how often each category was chosen"),
    (RATED, {"categories": (("1", 40), ("2", 30), ("3", 30)), "numeric": True}, "the scale of the categories"),
    (RATED, {"twice": 1}, "duplicate ratings"),
]


@pytest.mark.parametrize(("facts", "change", "advised"), RULES, ids=[f"{rule[2]} {rule[1]}" for rule in RULES])
def test_advice_comes_with_its_fact_and_goes_with_it(facts: Any, change: dict[str, Any], advised: str) -> None:
    assert advised not in f"{reports(facts)};"
    assert advised in f"{reports(dataclasses.replace(facts, **change))};"


def test_a_hard_clustering_gets_the_adjusted_rand_index_first() -> None:
    assert advice_of(GROUPS)[0].measure == "adjusted_rand"


def test_annotators_get_krippendorffs_alpha_first() -> None:
    assert advice_of(RATED)[0].measure == "krippendorff_alpha"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"positive": "yes"}, "how many of the 500 “yes” rows are found"),
        ({"positive": "no", "classes": (("yes", 600), ("no", 400))}, "how many of the 400 “no” rows are found"),
        ({"positive": None}, "a value for each of 2 classes shows how much of the class is found"),
    ],
)
def test_the_positive_class_is_the_one_that_is_spoken_of(change: dict[str, Any], words: str) -> None:
    assert words in by_report(dataclasses.replace(BALANCED, **change), "Recall").why


def test_auc_is_said_to_flatter_only_where_positives_are_rare() -> None:
    rare = dataclasses.replace(SCORED, classes=(("no", 980), ("yes", 20)))
    assert "flatters" not in by_report(SCORED, "ROC AUC").why
    # 5% of 980 negatives are 49, and 980 · 20 pairs are compared.
    told = by_report(rare, "ROC AUC").why
    assert "here 20 rows (2.0%): a false-alarm rate of 5% looks small on the ROC curve but means 49 rows" in told
    assert "from 19,600 pairs" in told
    assert "2.0%" in by_report(rare, "Precision–recall curve").why


def test_costs_give_the_break_even_threshold_and_what_no_model_costs() -> None:
    priced = Facts((("no", 9970), ("yes", 30)), positive="yes", costs=(200.0, 5000.0))
    # 200 / 5200, and 30 · 5000 / 10,000 is less than 9970 · 200 / 10,000.
    told = by_report(priced, "Expected cost")
    assert "an alarm pays off at a probability of 0.03846 or more (break-even)" in told.why
    assert "never raising an alarm costs 15 per row" in told.why
    assert told.measure == "expected_cost(fp=200,fn=5000)"
    dear = dataclasses.replace(priced, classes=(("no", 100), ("yes", 9900)))
    assert "always raising one costs 2 per row" in by_report(dear, "Expected cost").why


def test_the_width_that_is_announced_is_wilsons() -> None:
    statsmodels = import_module("statsmodels.stats.proportion")
    low, high = statsmodels.proportion_confint(4, 8, method="wilson")
    few = dataclasses.replace(BALANCED, classes=(("no", 500), ("yes", 8)))
    assert f"from {low:.2f} to {high:.2f} (Wilson)" in by_report(few, "how few").why


def test_what_a_measure_hides_is_what_its_declaration_says() -> None:
    for piece in advice_of(BALANCED):
        if piece.measure is not None and (declared := parse(piece.measure)[0].hides) is not None:
            assert piece.hides == declared.why


def test_rows_counted_in_clusters_need_no_owner() -> None:
    owned = dataclasses.replace(BALANCED, owner=Cluster("patient", 50, 1000))
    assert "intervals clustered by 'patient'" in reports(owned)
    assert "intervals clustered by 'patient'" not in reports(dataclasses.replace(owned, clustered=50))


def test_a_report_may_show_the_most_important_pieces_only() -> None:
    few = dataclasses.replace(BALANCED, classes=(("no", 500), ("yes", 8)), positive=None)
    assert [piece.report for piece in advice_of(few, most=3)] == [
        "which class is positive",
        "how few rows a class has",
        "MCC",
    ]
    tally = assay.Confusion.from_counts(tp=4, fp=3, fn=2, tn=90)
    assert [piece.report for piece in advice_of(tally, most=2)] == ["how few rows a class has", "MCC"]


# ---------------------------------------------------------------------- what people get wrong
HOSTILE = "a'b \x1b[31m\u202e;$(touch x)</script>"


def test_hostile_names_neither_steer_the_terminal_nor_escape_from_a_command() -> None:
    data = {HOSTILE: ["x\x07", "y"] * 20, "--pred": ["y", "x\x07"] * 20, "a=b": ["x\x07", "x\x07"] * 20}
    advice = advise(data, gold=HOSTILE, pred=["--pred", "a=b"])
    assert all(c.isprintable() or c == "\n" for c in advice.to_text())
    assert json.loads(advice.to_json())["roles"][0]["column"] == HOSTILE


def test_commands_keep_hostile_names_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    hostile = "a'b ;$(touch x)"
    rows = "".join(f"{'-x' if i % 2 else 'y'},{'-x' if i % 3 else 'y'},{'y' if i % 5 else '-x'}\n" for i in range(40))
    Path("-my preds.csv").write_text(f"{hostile},--pred,a=b\n{rows}", encoding="utf-8")
    advice = advise("-my preds.csv", gold=hostile, pred=["--pred", "a=b"], positive="-x", program=program())
    commands = [piece.how for piece in advice.pieces if piece.how is not None]
    assert len(commands) > 4
    for command in commands:
        assert exit_code(shlex.split(command)[1:]) == 0
    assert not Path("x").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--gold", "lable"], 3, "has no column 'lable'; .*Did you mean 'label'"),
        (["--positive", "2"], 3, "no item has the label '2'"),
        (["--cost-fp", "1"], 2, "a cost is missing: 'fn'"),
        (["--cost-fp", "-1", "--cost-fn", "1"], 2, "a cost is 0, or a number from 1e-50 to 1e50"),
        (["--cost-fp", "0", "--cost-fn", "0"], 2, "both costs are 0"),
        (["--score", "patient"], 3, "'patient' is named like a score but has no finite number in 500 rows"),
        (["--glod", "label"], 2, "--glod"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_wrong_options_are_answered_in_a_sentence(
    arguments: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(["advise", "rare.csv", *arguments]) == code
    assert re.search(message, capsys.readouterr().err)


COLUMN_NAMES = [
    *(
        "gold",
        "label",
        "pred",
        "score",
        "p_a",
        "p_b",
        "cluster",
        "cluster_1",
        "cluster_2",
        "query",
        "doc",
        "rel",
        "rank",
    ),
    *("unit", "rater", "rating", "rater_1", "rater_2", "patient", "class", "a=b", "", "{}", "\x1b[0m"),
]
KINDS_OF_VALUES: tuple[Callable[[random.Random], Any], ...] = (
    lambda draw: draw.choice("abc"),
    lambda draw: draw.random(),
    lambda draw: draw.choice(["a", "b", None]),
    lambda draw: draw.choice([0, 1, -1]),
    lambda draw: draw.choice([float("nan"), float("inf"), 0.5]),
    lambda draw: draw.choice(["1", "01", "inf", "1e999", "x"]),
    lambda draw: draw.choice([True, None]),
    lambda draw: draw.choice([[1], 2]),
)


def test_whatever_the_columns_hold_advice_is_given_or_refused_in_a_sentence() -> None:
    draw = random.Random(5)
    given = 0
    for _ in range(300):
        kinds = {name: draw.choice(KINDS_OF_VALUES) for name in draw.sample(COLUMN_NAMES, draw.randrange(1, 7))}
        rows = draw.choice([1, 2, 30])
        try:
            advice = advise({name: [kind(draw) for _ in range(rows)] for name, kind in kinds.items()})
        except DataError:
            continue
        given += advice.family is not None
        assert all(c.isprintable() or c == "\n" for c in advice.to_text(draw.choice([20, 100])))
        assert json.loads(advice.to_json())["source"] == "data"
    assert given > 20


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(DataError, match="data is an int"):
        advise(3)


def test_labels_that_gold_never_has_are_said_to_count(folder: Path) -> None:
    told = " ".join(advise("gaps.csv").doubts)
    assert "'gold' is empty in 5 rows" in told
    assert "by convention" not in told
    assert "“1” was taken as the positive class by convention" in " ".join(advise("rare.csv").doubts)
    assert "by convention" not in " ".join(advise("rare.csv", positive="0").doubts)
    assert "In 5 rows 'pred' has labels that never occur in gold (such as “c”)" in told


def test_one_score_for_many_classes_is_left_aside() -> None:
    advice = advise({"gold": ["a", "b", "c"] * 10, "pred": ["a"] * 30, "score": [0.5, 0.1, 0.2] * 10})
    assert "a single column of scores for 3 classes and was ignored" in " ".join(advice.doubts)
    assert "ROC AUC" not in "; ".join(piece.report for piece in advice.pieces)


def test_the_result_is_a_value_that_prints(folder: Path) -> None:
    advice = assay.advise("rare.csv")
    assert isinstance(advice, Advice)
    assert str(advice) == advice.to_text()
    assert advice.measures[:2] == ("mcc", "symmetric_balanced_accuracy")
    for width in (40, 60, 200):
        assert "MCC" in advice.to_text(width)


@pytest.mark.parametrize(
    ("labels", "option"),
    [({"0": "0.0", "1": "1.0"}, "--numeric-labels"), ({"no": "No", "yes": "Yes"}, "--ignore-case")],
)
def test_advice_for_labels_that_are_written_differently_runs(
    labels: dict[str, str], option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.csv"
    rows = [(gold, labels[gold]) for gold in list(labels) * 30]
    path.write_text("gold,pred\n" + "".join(f"{a},{b}\n" for a, b in rows))
    assert exit_code(["advise", str(path)]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    commands = [shlex.split(line) for line in lines if line.startswith("assay evaluate")]
    assert commands
    for words in commands:
        assert option in words
        assert exit_code(words[1:]) == 0
    capsys.readouterr()
    calls = [piece.how for piece in assay.advise(str(path)).pieces if piece.how and "evaluate" in piece.how]
    assert calls
    for call in calls:
        assert eval(call, {"assay": assay})  # as a user would type it


def test_a_clustering_that_may_be_predictions_names_the_map_for_them(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "m.csv"
    path.write_text("gold,pred\n" + "no,0\nyes,1\n" * 30)
    assert exit_code(["advise", str(path)]) == 0
    assert "evaluate it with --map 0=no,1=yes" in " ".join(capsys.readouterr().out.split())
