"""`assay rank`: in words and in every format, from Python and from the command line, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import assay
from assay.cli.main import exit_code
from assay.errors import AssayError, DataError, OptionError
from assay.jobs.answers.results import Report
from assay.jobs.ranking.queries import per_query
from assay.jobs.ranking.runs import file_names, named_runs
from assay.jobs.ranking.trec import TrecValues
from assay.report.answers.trec import as_trec_eval
from assay.report.words.methods import methods
from tests.pages import Tags
from tests.snapshot import Snapshot
from tests.trec import judgments, runs, topics, written

Said = pytest.CaptureFixture[str]
LAYOUT = Path(__file__).parents[1] / "golden" / "trec" / "layout.txt"
SLICED = ("--query-attributes", "topics.csv", "--slice", "kind")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    written(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys: Said, *arguments: str, code: int = 0) -> str:
    found = exit_code(["rank", *arguments])
    printed = capsys.readouterr()
    assert found == code, printed.err
    return printed.out or printed.err


def numbers(report: Report) -> list[dict[str, Any]]:
    return [{k: v for k, v in row.to_dict().items() if k != "signature"} for row in report.rows]


# ---------------------------------------------------------------------- what is shown
SHOWN = {
    "one_run": ["bm25.run"],
    "two_runs": ["bm25.run", "dense.run"],
    "three_runs": ["bm25.run", "dense.run", "hybrid.run", *SLICED],
    "baseline": ["bm25.run", "dense.run", "hybrid.run", "--baseline", "bm25", "--primary", "ap"],
    "ties": ["dense.run", "--measure", "ndcg@10,rr", "--ties"],
    "clusters": ["bm25.run", "dense.run", "--query-attributes", "topics.csv", "--cluster", "user", "--measure", "ap"],
    "judged_only": ["dense.run", "--judged-only", "--measure", "ap"],
}


@pytest.mark.parametrize("case", SHOWN)
def test_runs_read_as_a_verdict_with_what_to_watch(case: str, capsys: Said, snapshot: Snapshot) -> None:
    snapshot(f"rank_{case}", said(capsys, "qrels.txt", *SHOWN[case], "--notes", "all"))


def test_a_mark_of_a_measure_that_has_no_better_end_is_not_said_to_contain_zero(capsys: Said) -> None:
    two = ["qrels.txt", "bm25.run", "dense.run", "--measure"]
    assert "○: neither direction is better" in said(capsys, *two, "ap,judged@10")
    assert "contains 0" not in said(capsys, *two, "ap,judged@10")
    assert "○" not in said(capsys, *two, "ap,rr")


def test_every_format_has_the_values_and_the_verdict(capsys: Said) -> None:
    report = assay.rank("qrels.txt", ["bm25.run", "dense.run"])
    texts = {
        format: said(capsys, "qrels.txt", "bm25.run", "dense.run", "--format", format)
        for format in ("table", "json", "csv", "md", "latex")
    }
    said(capsys, "qrels.txt", "bm25.run", "dense.run", "--html", "page.html")
    texts["page"] = Tags(Path("page.html").read_text(encoding="utf-8")).text
    row = report["ndcg@10", "dense"]
    for format, text in texts.items():
        assert (repr(row.value) if format in ("json", "csv") else f"{row.value:.2f}") in text, format
        if format not in ("csv", "latex"):
            assert "dense" in text
            assert "missing from a run count as 0" in text, format


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (["--measure", "ap", "--relevant-from", "2"], {"measures": ["ap"], "relevant_from": 2}),
        (["--missing", "skip", "--no-relevant", "zero"], {"missing": "skip", "no_relevant": "zero"}),
        (["--primary", "rr", "--test", "t", "--level", "0.9"], {"primary": "rr", "test": "t", "level": 0.9}),
        ([*SLICED, "--cluster", "user"], {"query_attributes": "topics.csv", "slices": ["kind"], "cluster": "user"}),
        (["--baseline", "best", "--judged-only", "--ties"], {"baseline": "best", "judged_only": True, "ties": True}),
    ],
)
def test_a_command_and_a_call_give_the_same(words: list[str], options: dict[str, Any], capsys: Said) -> None:
    told = json.loads(said(capsys, "qrels.txt", "bm25.run", "best=dense.run", *words, "--format", "json"))
    report = assay.rank("qrels.txt", {"bm25": "bm25.run", "best": "dense.run"}, **options)
    made = json.loads(report.to_json())
    for part in ("rows", "asked", "provenance"):
        assert told[part] == made[part]


def test_files_frames_and_mappings_give_the_same_numbers() -> None:
    pl = pytest.importorskip("polars")
    rows = [(q, d, g) for q, of in judgments().items() for d, g in of.items()]
    run = [(q, d, s) for q, of in runs()["dense"].items() for d, s in of.items()]
    frames = (
        pl.DataFrame(rows, schema=["topic", "docno", "grade"], orient="row"),
        pl.DataFrame(run, schema=["topic", "docno", "sim"], orient="row"),
    )
    wanted = [{**row, "system": "run"} for row in numbers(assay.rank("qrels.txt", "dense.run"))]
    assert numbers(assay.rank(judgments(), runs()["dense"])) == wanted
    columns: dict[str, Any] = {"query": "topic", "document": "docno", "relevance": "grade", "score": "sim"}
    assert numbers(assay.rank(*frames, **columns)) == wanted
    assert numbers(assay.rank("qrels.txt", {"run": frames[1]}, query="topic", document="docno", score="sim")) == wanted


@pytest.mark.parametrize("files", [["bm25.run"], ["bm25.run", "dense.run"], ["bm25.run", "dense.run", "hybrid.run"]])
def test_a_page_has_no_names_of_queries(files: list[str], capsys: Said) -> None:
    text = said(capsys, "qrels.txt", *files, *SLICED, "--html", "page.html", "--charts", "charts")
    assert ("q26" in text) == (len(files) > 1)
    shown = Tags(Path("page.html").read_text(encoding="utf-8")).text
    assert "nDCG@10" in shown
    assert not re.search(r"\bq\d+\b", shown)


def test_runs_are_called_by_their_files_unless_two_are_alike() -> None:
    assert list(file_names(["a/bm25.run.gz", "b/dense.trec.txt", "input.v2"])) == ["bm25", "dense", "input.v2"]
    assert list(file_names(["a/v1.run", "b/v1.csv"])) == ["v1.run", "v1.csv"]
    with pytest.raises(OptionError, match=r"two runs are called 'v1.run'; .* as in \{'first': 'a/v1.run'\}"):
        file_names(["a/v1.run", "b/v1.run"])
    assert list(named_runs({"q1": {"d1": 0.5}})) == ["run"]
    assert list(named_runs({"x": {"q1": {"d1": 0.5}}, "y": {"q1": {"d1": 0.4}}})) == ["x", "y"]
    assert list(named_runs({"x": "v1.run"})) == ["x"]


def test_a_measure_and_a_report_describe_the_default_interval_in_the_same_words(capsys: Said) -> None:
    words = "with a quarter of an item added at each end of the range"
    assert f"t intervals {words}" in assay.rank("qrels.txt", "dense.run").methods
    assert exit_code(["measures", "ndcg"]) == 0
    assert f"t interval {words}" in " ".join(capsys.readouterr().out.split())


def test_the_primary_measure_comes_first_for_a_single_run_too() -> None:
    report = assay.rank("qrels.txt", "dense.run", primary="ap")
    assert [row.measure for row in report.rows][:2] == ["ap", "ndcg@10"]
    assert report.systems[0].primary == "ap"


def test_queries_that_a_run_lacks_are_marked_and_come_after_the_others_that_differ(capsys: Said) -> None:
    grades = {f"q{i}": {"a": 1, "b": 0} for i in range(4)}
    full = {q: {"a": 0.9, "b": 0.1} for q in grades}
    short = {q: {"a": 0.1, "b": 0.9} for q in ("q1", "q2", "q3")}
    report = assay.rank(grades, {"full": full, "short": short}, measures="rr")
    assert report.contest is not None
    (apart,) = (s for s in report.contest.sections if s.title == "queries that differ most")
    shown = {query: [cell.text for cell in cells] for query, cells in apart.rows}
    assert list(shown) == ["q1", "q2", "q3", "q0"]  # though q0 differs by 1, and the others by a half
    assert shown["q0"] == ["1.000", "missing", "+1.000"]


def test_of_many_groups_those_that_stand_out_are_shown_first(capsys: Said) -> None:
    group = {f"q{i}": f"group {i // 20}" for i in range(200)}
    grades = {q: {"a": 1, "b": 0} for q in group}
    right, wrong = {"a": 0.9, "b": 0.1}, {"a": 0.1, "b": 0.9}
    one = {q: right if i % 3 or of == "group 9" else wrong for i, (q, of) in enumerate(group.items())}
    two = {q: right if i % 3 != 1 and of != "group 9" else wrong for i, (q, of) in enumerate(group.items())}
    report = assay.rank(
        grades, {"one": one, "two": two}, measures=["rr", "ap"], slices="of",
        query_attributes={"query": list(group), "of": list(group.values())},
    )  # fmt: skip
    assert report.contest is not None
    (table,) = (s for s in report.contest.sections if s.role == "slices")
    assert table.brief is not None
    assert len(table.brief) == 8
    assert table.rows[table.brief[0]][0] == "RR · group 9"


def test_how_p_values_were_found_is_said_of_the_pairs_that_it_is_true_of() -> None:
    report = assay.rank("qrels.txt", ["bm25.run", "dense.run", "hybrid.run"], measures="ap")
    assert report.contest is not None
    exact, *others = report.contest.tested
    exact = replace(exact, form="from somewhere", extreme=None)
    told = methods(replace(report, contest=replace(report.contest, tested=(exact, *others))))
    assert "from somewhere for bm25 vs. dense;" in told
    assert "for bm25 vs. hybrid and dense vs. hybrid)" in told


# ---------------------------------------------------------------------- files that are written
def test_every_query_is_written_with_its_value_for_each_run_and_measure(capsys: Said) -> None:
    command = ["qrels.txt", "bm25.run", "dense.run", "--measure", "ap,rr", "--per-query", "values.csv"]
    said(capsys, *command)
    rows = list(csv.DictReader(io.StringIO(Path("values.csv").read_text(encoding="utf-8"))))
    assert list(rows[0]) == ["query", "bm25 ap", "bm25 rr", "dense ap", "dense rr"]
    report = assay.rank("qrels.txt", ["bm25.run", "dense.run"], measures=["ap", "rr"])
    assert [row["query"] for row in rows] == per_query(report)["query"]
    mean = sum(float(row["dense ap"]) for row in rows) / len(rows)
    assert mean == pytest.approx(report["ap", "dense"].value)


def test_a_report_has_the_values_of_its_queries() -> None:
    report = assay.rank(judgments(), runs(), measures=["ap", "rr"])
    found = report.per_query
    assert list(found)[:3] == ["query", "bm25 ap", "bm25 rr"]
    theirs = assay.ap.per_query(judgments(), runs()["dense"])
    assert dict(zip(found["query"], found["dense ap"], strict=True)) == theirs
    with pytest.raises(DataError, match="only reports of rankings have values for each query"):
        _ = assay.evaluate(["a", "b"], ["a", "a"]).per_query


def test_several_runs_are_shown_with_all_measures() -> None:
    report = assay.rank(judgments(), runs(), measures=["ap", "rr"])
    assert report.contest is not None
    (table,) = (s for s in report.contest.sections if s.title == "all measures")
    assert table.columns == ("AP", "RR")
    assert {name: [cell.value for cell in cells] for name, cells in table.rows} == {
        name: [report[measure, name].value for measure in ("ap", "rr")] for name in runs()
    }
    assert "all measures" in report.to_text()


def test_names_of_queries_are_no_formulas_in_the_file_of_values(capsys: Said) -> None:
    Path("odd.txt").write_text("=1+1 0 d1 1\n@x 0 d1 1\n", encoding="utf-8")
    Path("odd.run").write_text("=1+1 Q0 d1 1 3 t\n@x Q0 d1 1 2 t\n", encoding="utf-8")
    said(capsys, "odd.txt", "odd.run", "--per-query", "values.csv")
    text = Path("values.csv").read_text(encoding="utf-8")
    assert "\n'=1+1," in text
    assert "\n'@x," in text


def test_counts_of_shards_are_merged_evaluated_and_compared_as_the_whole(capsys: Said) -> None:
    for half, part in (("even", 0), ("odd", 1)):
        lines = [x for x in Path("qrels.txt").read_text().splitlines() if int(x.split()[0][1:]) % 2 == part]
        Path(f"{half}.txt").write_text("\n".join(lines) + "\n")
        said(capsys, f"{half}.txt", "bm25.run", "dense.run", *SLICED, "--counts", f"{half}.json")
    assert exit_code(["merge", "odd.json", "even.json", "--out", "both.json"]) == 0
    report = assay.rank("qrels.txt", ["bm25.run", "dense.run"], query_attributes="topics.csv", slices="kind")
    again = assay.compare_systems("both.json")
    shown = ("system", "measure", "slice", "quantity", "value", "low", "high", "p", "n")
    wanted = [{k: row.to_dict()[k] for k in shown} for row in report.rows]
    assert [{k: row.to_dict()[k] for k in shown} for row in again.rows] == wanted
    alone = assay.evaluate("both.json")
    assert alone["ndcg@10", "dense"].value == report["ndcg@10", "dense"].value
    assert exit_code(["merge", "odd.json", "odd.json"]) == 3
    assert "19 queries are in both tallies (first: 'q1', 'q11', 'q13' and 16 more)" in capsys.readouterr().err


def test_a_report_is_verified_from_its_files(capsys: Said) -> None:
    for more in ([], ["dense.run"], ["dense.run", *SLICED, "--test", "wilcoxon"]):
        said(capsys, "qrels.txt", "old=bm25.run", *more, "--format", "json", "--out", "result.json")
        assert exit_code(["verify", "result.json", "qrels.txt"]) == 0
        assert capsys.readouterr().out.startswith("same: all ")
    text = Path("dense.run").read_text()
    Path("dense.run").write_text(text.replace(" d1 ", " d61 "))
    assert exit_code(["verify", "result.json", "qrels.txt"]) == 1
    Path("memory.json").write_text(assay.rank(judgments(), runs()["dense"]).to_json())
    assert exit_code(["verify", "memory.json", "qrels.txt"]) == 3
    assert "was made from tables in memory" in capsys.readouterr().err


def test_gates_hold_and_fail_for_runs(capsys: Said) -> None:
    two = ["qrels.txt", "bm25.run", "dense.run", "--measure", "ndcg@10"]
    said(capsys, *two, "--fail-under", "ndcg@10=0.1", "--no-worse-than", "bm25:0.3")
    said(capsys, *two, "--fail-under", "ndcg@10=0.9", code=1)


# ---------------------------------------------------------------------- as trec_eval prints it
def test_lines_are_laid_out_as_trec_eval_lays_them_out() -> None:
    each = {"num_ret": ["2", "1000"], "map": ["0.0500", "1.0000"], "relstring": ["'10'", "'-1'"]}
    overall = {"num_q": "2", "num_ret": "1002", "map": "0.5250", "iprec_at_recall_0.00": "1.0000"}
    found = TrecValues("tag", ["301", "topic-7"], each, overall)
    assert as_trec_eval(found, by_query=True) == LAYOUT.read_text(encoding="utf-8")
    assert as_trec_eval(found) == "".join(
        line for line in LAYOUT.read_text(encoding="utf-8").splitlines(keepends=True) if "\tall\t" in line
    )


def test_options_may_be_written_as_trec_eval_has_them(capsys: Said) -> None:
    theirs = said(capsys, "-m", "all_trec", "-l", "2", "-J", "-q", "-c", "qrels.txt", "dense.run", "--format", "trec")
    ours = ["--relevant-from", "2", "--judged-only", "--by-query", "--complete"]
    assert theirs == said(capsys, "qrels.txt", "dense.run", "--format", "trec", *ours)


@pytest.mark.parametrize("form", ["trec", "csv"])
@pytest.mark.parametrize("which", ["qrels", "run"])
def test_one_of_the_files_may_come_on_standard_input(
    form: str, which: str, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = json.loads(said(capsys, "qrels.txt", "run=dense.run", "--format", "json"))["rows"]
    name, places = ("qrels.txt", (0, 2, 3)) if which == "qrels" else ("dense.run", (0, 2, 4))
    text = Path(name).read_text()
    if form == "csv":
        heads = ["query", "document", "relevance" if which == "qrels" else "score"]
        rows = [[line.split()[i] for i in places] for line in text.splitlines()]
        text = "\n".join(",".join(row) for row in [heads, *rows]) + "\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    files = ["-", "run=dense.run"] if which == "qrels" else ["qrels.txt", "run=-"]
    found = json.loads(said(capsys, *files, "--format", "json"))["rows"]
    assert [row["value"] for row in found] == [row["value"] for row in wanted]


@pytest.mark.parametrize("command", ["check", "advise", "evaluate"])
@pytest.mark.parametrize("ending", ["qrels", "run"])
def test_other_commands_say_which_one_reads_judgments_and_runs(command: str, ending: str, capsys: Said) -> None:
    Path(f"x.{ending}").write_text(Path("qrels.txt").read_text())
    assert exit_code([command, f"x.{ending}"]) == 3
    told = capsys.readouterr().err
    assert told.startswith(f"assay: 'x.{ending}' ends in '.{ending}', as judgments and runs of rankings do")
    assert "assay rank QRELS RUN" in told


# ---------------------------------------------------------------------- what is refused
def _files() -> None:
    Path("empty.run").write_text("")
    Path("other.run").write_text("x1 Q0 d1 1 3 t\n")
    Path("nothing.txt").write_text("q1 0 d1 0\nq2 0 d2 0\n")
    Path("short.run").write_text("q1 Q0 d1 1 3\n")
    Path("text.run").write_text("q1 Q0 d1 1 high t\n")
    Path("nan.run").write_text("q1 Q0 d1 1 nan t\n")
    Path("twice.run").write_text("q1 Q0 d1 1 3 t\nq1 Q0 d1 2 2 t\n")
    Path("twice.txt").write_text("q1 0 d1 1\nq1 0 d1 0\n")
    Path("half.txt").write_text("q1 0 d1 0.5\n")
    Path("only_q7.txt").write_text("q0 0 d1 0\nq3 0 d1 1\n")
    Path("twice.csv").write_text("query,kind\nq1,a\nq1,b\n")
    Path("strange.csv").write_text("query,kind\nx1,a\n")
    Path("gaps.csv").write_text("query,kind\nq1,a\nq2,\n")


MESSAGES = {
    "no_run": ["qrels.txt"],
    "empty_run": ["qrels.txt", "empty.run"],
    "no_common_query": ["qrels.txt", "other.run"],
    "nothing_relevant": ["nothing.txt", "dense.run"],
    "nothing_relevant_from": ["qrels.txt", "dense.run", "--relevant-from", "9"],
    "wrong_columns": ["qrels.txt", "short.run"],
    "score_is_text": ["qrels.txt", "text.run"],
    "score_is_nan": ["qrels.txt", "nan.run"],
    "document_twice": ["qrels.txt", "twice.run"],
    "judged_twice": ["twice.txt", "dense.run"],
    "grade_is_no_integer": ["half.txt", "dense.run"],
    "qrels_as_run": ["qrels.txt", "qrels.txt"],
    "run_as_qrels": ["dense.run", "bm25.run"],
    "in_no_run": ["only_q7.txt", "bm25.run", "--missing", "skip"],
    "same_name": ["qrels.txt", "dense.run", "./dense.run"],
    "name_without_file": ["qrels.txt", "old="],
    "baseline_alone": ["qrels.txt", "dense.run", "--baseline", "dense"],
    "gate_alone": ["qrels.txt", "dense.run", "--no-worse-than", "dense:0.1"],
    "test_alone": ["qrels.txt", "dense.run", "--test", "wilcoxon"],
    "unknown_baseline": ["qrels.txt", "dense.run", "bm25.run", "--baseline", "bm52"],
    "unknown_measure": ["qrels.txt", "dense.run", "--measure", "ndgc@10"],
    "measure_of_labels": ["qrels.txt", "dense.run", "--measure", "accuracy"],
    "slice_without_table": ["qrels.txt", "dense.run", "--slice", "kind"],
    "table_without_slice": ["qrels.txt", "dense.run", "--query-attributes", "topics.csv"],
    "query_twice_in_table": ["qrels.txt", "dense.run", "--query-attributes", "twice.csv", "--slice", "kind"],
    "other_queries_in_table": ["qrels.txt", "dense.run", "--query-attributes", "strange.csv", "--slice", "kind"],
    "query_without_cluster": ["qrels.txt", "dense.run", "--query-attributes", "gaps.csv", "--cluster", "kind"],
    "unknown_test": ["qrels.txt", "bm25.run", "dense.run", "--test", "ttest"],
    "unknown_method": ["qrels.txt", "bm25.run", "dense.run", "--method", "t"],
    "measures": ["qrels.txt", "bm25.run", "--measures", "ndcg@10"],
    "recall_at_100": ["qrels.txt", "bm25.run", "--measure", "recall@100"],
    "f1": ["qrels.txt", "bm25.run", "--measure", "ap,f1"],
    "t_of_no_mean": ["qrels.txt", "bm25.run", "dense.run", "--measure", "gm_ap", "--test", "t"],
    "trec_of_two": ["qrels.txt", "bm25.run", "dense.run", "--format", "trec"],
    "trec_with_measure": ["qrels.txt", "bm25.run", "--format", "trec", "--measure", "ap"],
    "trec_with_per_query": ["qrels.txt", "bm25.run", "--format", "trec", "--per-query", "values.csv"],
    "trec_with_page": ["qrels.txt", "bm25.run", "--format", "trec", "--html", "page.html"],
    "trec_with_gate": ["qrels.txt", "bm25.run", "--format", "trec", "--fail-under", "ap=0.1"],
    "q_without_trec": ["qrels.txt", "bm25.run", "-q"],
    "c_without_trec": ["qrels.txt", "bm25.run", "-c"],
    "out_over_run": ["qrels.txt", "bm25.run", "--per-query", "bm25.run"],
}


@pytest.mark.parametrize("case", MESSAGES)
def test_what_cannot_be_ranked_is_refused_with_what_to_do(case: str, capsys: Said, snapshot: Snapshot) -> None:
    _files()
    code = exit_code(["rank", *MESSAGES[case]])
    printed = capsys.readouterr()
    assert code in (2, 3)
    assert printed.out == ""
    snapshot(f"messages/rank_{case}", f"{printed.err}exit code {code}")


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("recall@100", "r@100"),
        ("precision@5", "p@5"),
        ("ndcg_cut_10", "ndcg@10"),
        ("ndcg_cut.10", "ndcg@10"),
        ("P_10", "p@10"),
        ("recall_100", "r@100"),
        ("map_cut_10", "ap@10"),
        ("success_10", "success@10"),
    ],
)
def test_a_measure_by_the_name_that_trec_eval_has_for_it_gets_the_name_here(theirs: str, ours: str) -> None:
    with pytest.raises(AssayError, match=f"no measure is called '{theirs}'.* Did you mean '{ours}'?"):
        assay.rank(judgments(), runs()["dense"], measures=theirs)
    assert assay.rank(judgments(), runs()["dense"], measures=ours)[ours].value is not None


@pytest.mark.parametrize(
    ("theirs", "ours"), [("Rprec", "r_precision"), ("map", "ap"), ("recip_rank", "rr"), ("infAP", "inf_ap")]
)
def test_names_of_trec_eval_without_a_cut_off_are_names_here_too(theirs: str, ours: str) -> None:
    values = [assay.rank(judgments(), runs()["dense"], measures=name).rows[0].value for name in (theirs, ours)]
    assert values[0] == values[1]


def test_runs_without_names_and_lists_of_documents_are_refused_with_what_to_write() -> None:
    two = list(runs().values())[:2]
    with pytest.raises(DataError, match=r"runs is a list of dicts, which have no names; .*\{'a': run, 'b': run\}"):
        assay.rank(judgments(), two)
    with pytest.raises(DataError, match=r"query 'q1' has a list; give each of its documents a score: \{query: \{doc"):
        assay.ap(judgments(), {"q1": ["d1", "d2"]})


def test_python_refuses_in_its_own_words() -> None:
    for options, words in (
        ({"missing": "wrong"}, "missing is 'wrong'; expected one of 'zero', 'skip'"),
        ({"no_relevant": "no"}, "no_relevant is 'no'; expected one of 'skip', 'zero'"),
        ({"slices": "kind"}, "slices= names an attribute of queries; name the table that has it with query_attrib"),
        ({"query_attributes": topics()}, "query_attributes is given, but no attribute is used; name one with slices="),
    ):
        with pytest.raises(AssayError, match=words):
            assay.rank(judgments(), runs()["dense"], **options)
    with pytest.raises(DataError, match="there is no run; give at least one"):
        assay.rank(judgments(), {})
