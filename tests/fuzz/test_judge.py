"""The judge of the fuzz sees what is wrong: every fault that it looks for, put before it on purpose."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from tests.fuzz.commands import case
from tests.fuzz.judge import faults
from tests.fuzz.oracle import Cells, Count, accuracy, expected, macro_f1
from tests.fuzz.reading import Refused, Rows, read
from tests.fuzz.running import Outcome

FILES = {"in.csv": b"gold,pred\na,a\nb,a\nb,b\nb,\n"}
TALLY = ("tally", "in.csv", "--gold", "gold", "--pred", "pred", "--missing", "skip")
EVALUATE = ("evaluate", *TALLY[1:], "--format", "json")
CELLS: Cells = Counter({("a", "a"): 1, ("b", "a"): 1, ("b", "b"): 1})
STORED = {
    "systems": {
        "pred": {
            "confusion": {
                "kind": "confusion",
                "labels": ["a", "b"],
                "units": {"gold": [0, 1, 1], "pred": [0, 0, 1]},
                "counts": [1, 1, 1],
            }
        }
    },
    "slices": [],
    "skipped": 1,
    "unanswered": {},
}
GOOD = Outcome(0, json.dumps(STORED).encode(), b"", files=FILES)
WRONG = {
    "a mistake of ours": (replace(GOOD, code=70), "ended with code 70"),
    "a code of a gate": (replace(GOOD, code=1), "there is no gate"),
    "a killed process": (replace(GOOD, code=None), "ended with code None"),
    "an exception": (replace(GOOD, raised="ValueError: x"), "raised: ValueError: x"),
    "a traceback": (replace(GOOD, err=b"Traceback (most recent call last):\n"), "printed a traceback"),
    "a warning": (replace(GOOD, err=b"x.py:1: RuntimeWarning: invalid\n"), "printed a warning"),
    "no sentence": (replace(GOOD, code=3, out=b""), "refused without a sentence"),
    "NaN": (replace(GOOD, out=b'{"x": NaN}'), "not strict JSON"),
    "a key twice": (replace(GOOD, out=b'{"x": 1, "x": 2}'), "comes twice"),
    "an escape sequence": (replace(GOOD, err=b"\x1b[2J"), "raw control character"),
    "a control character of Latin-1": (replace(GOOD, err="\x9b1m".encode()), "raw control character"),
    "a command to a build server": (replace(GOOD, err=b"x\n::error::y\n"), "commands a build server"),
    "a changed input": (replace(GOOD, files={"in.csv": b"x"}), "'in.csv' was changed"),
    "a lost input": (replace(GOOD, files={}), "'in.csv' was changed"),
    "a leftover": (replace(GOOD, files={**FILES, ".assay-0": b""}), "'.assay-0' is left behind"),
    "a long wait": (replace(GOOD, seconds=30.0), "took 30 seconds"),
    "much memory": (replace(GOOD, memory=2 * 10**9), "took 2.0 GB"),
    "a wrong cell": (replace(GOOD, out=GOOD.out.replace(b"[1, 1, 1]", b"[1, 2, 1]")), "Python counts"),
    "a row that was not skipped": (replace(GOOD, out=GOOD.out.replace(b'"skipped": 1', b'"skipped": 0')), "skipped"),
    "a refusal": (replace(GOOD, code=3, out=b"", err=b"assay: no.\n"), "refused what Python reads: assay: no."),
}


def test_nothing_is_wrong_with_what_is_right() -> None:
    assert faults(TALLY, GOOD, FILES, expected(TALLY, FILES, {})) == []


@pytest.mark.parametrize("what", WRONG)
def test_a_fault_is_seen(what: str) -> None:
    outcome, said = WRONG[what]
    found = faults(TALLY, outcome, FILES, expected(TALLY, FILES, {}))
    assert any(said in fault for fault in found), found


def test_a_file_that_must_be_refused_and_is_read_is_seen() -> None:
    assert faults(TALLY, GOOD, FILES, Refused("x")) == ["read what it must refuse: x"]


def test_a_wrong_value_is_seen() -> None:
    row = {"system": "pred", "measure": "accuracy", "class": None, "slice": None, "versus": None, "quantity": "value"}
    report = {"provenance": {"n": 3, "skipped": 1}, "rows": [{**row, "value": 2 / 3}], "systems": []}
    wanted = expected(EVALUATE, FILES, {})
    assert faults(EVALUATE, replace(GOOD, out=json.dumps(report).encode()), FILES, wanted) == []
    report["rows"] = [{**row, "value": 0.6667}]
    (found,) = faults(EVALUATE, replace(GOOD, out=json.dumps(report).encode()), FILES, wanted)
    assert found.startswith("accuracy of 'pred' is 0.6667, and Python makes it 0.666666")


def test_the_oracle_counts_cells_skips_rows_and_fills_in_the_other_class() -> None:
    skipped = expected(TALLY, FILES, {})
    assert isinstance(skipped, Count)
    assert (skipped.cells, skipped.skipped, skipped.n) == ({"pred": CELLS}, 1, 3)
    wrong = expected((*TALLY[:-1], "wrong"), FILES, {})
    assert isinstance(wrong, Count)
    assert wrong.cells == {"pred": CELLS + Counter({("b", "a"): 1})}
    assert wrong.unanswered == {"pred": 1}
    assert isinstance(expected(TALLY[:-2], FILES, {}), Refused)


def test_the_oracle_computes_the_measures_from_their_definitions() -> None:
    # Of a: TP 1, FP 1, FN 0; of b: TP 1, FP 0, FN 1. F1 is 2/3 for both.
    assert accuracy(CELLS) == pytest.approx(2 / 3)
    assert macro_f1(CELLS) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("name", "data", "found"),
    [
        ("x.csv", b'a,b\n1,"x\ny"\n\n,2\n', Rows(("a", "b"), (("1", "x\ny"), (None, "2")))),
        ("x.csv", b'a,b\n1,"x\n', Refused("Python's csv says: unexpected end of data")),
        ("x.csv", b"a,b\n1\n", Refused("its rows differ in length")),
        ("x.csv", b"a;b,c\n1\n", None),
        ("x.tsv", b"a;b\tc\r\n1\t2\r\n", Rows(("a;b", "c"), (("1", "2"),))),
        ("x.jsonl", b'{"a": 01}\n', Refused("a line is not JSON")),
        ("x.jsonl", b'{"a": 1.0, "b": true}\n{"b": ""}\n', Rows(("a", "b"), (("1.0", "true"), (None, "")))),
        ("x.jsonl", b'{"a": 1, "a": 2}\n', Refused("an object has a key twice")),
        ("x.csv.gz", b"a,b\n", Refused("the gzip file is damaged")),
    ],
)
def test_files_are_read_as_python_reads_them(name: str, data: bytes, found: Rows | Refused | None) -> None:
    assert read(name, data) == found


def test_a_case_follows_from_its_seed() -> None:
    made = [case(f"1:{number}") for number in range(60)]
    assert made == [case(f"1:{number}") for number in range(60)]
    assert len({each.commands for each in made}) > 40
