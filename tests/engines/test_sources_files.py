from __future__ import annotations

import csv
import os
import random
from collections import Counter
from importlib import import_module
from itertools import permutations
from pathlib import Path
from typing import Literal

import polars as pl
import pytest

from assay.errors import DataError, at_a_shell
from assay.sources.columns import find
from assay.sources.frames import count_rows
from assay.sources.read.files import read
from tests.engines.reading import counted, written

HOSTILE = [" a", "a ", "a,b", "a;b", "a\tb", 'a"b', '"', "a\nb", "a\r\nb", "'", "\\", "#", "NA", "null", "None"]
HOSTILE += ["nan", "01", "1", "1.0", "1e3", "true", "True", "yes", "2024-01-31", "\u00e9", "e\u0301"]
HOSTILE += ["\U0001f600", "</script><script>document.title=1337</script>", "=1+1", "[x]", "{y}", "long" * 5_000]


# What a label is


@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_every_label_comes_out_of_a_csv_as_it_went_in(
    tmp_path: Path, quoting: Literal[0, 1], delimiter: str, ending: str
) -> None:
    rows = [tuple(random.Random(seed).choices(HOSTILE, k=2)) for seed in range(300)]
    with (tmp_path / "preds.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter, quoting=quoting, lineterminator=ending)
        writer.writerows([("gold", "pred"), *rows])
    assert counted(tmp_path / "preds.csv") == Counter(rows)


def test_an_empty_field_is_missing_and_the_words_for_it_are_labels(tmp_path: Path) -> None:
    path = written(tmp_path / "preds.csv", 'gold,pred\nNA,null\n,NA\n"",NA\n')
    assert counted(path) == {("NA", "null"): 1, (None, "NA"): 2}


def test_parquet_keeps_its_types_until_they_are_written_as_labels(tmp_path: Path) -> None:
    frame = pl.DataFrame({"truth": [True, None], "whole": [1, 2], "real": [1.0, 0.1], "word": ["01", "é"]})
    frame.write_parquet(tmp_path / "preds.parquet")
    assert counted(tmp_path / "preds.parquet", "truth") == {("true",): 1, (None,): 1}
    assert counted(tmp_path / "preds.parquet", "whole", "real", "word") == {
        ("1", "1", "01"): 1,
        ("2", "0.1", "é"): 1,
    }


def test_bytes_in_a_parquet_file_are_text(tmp_path: Path) -> None:
    pl.DataFrame({"gold": ["café".encode()]}).write_parquet(tmp_path / "preds.parquet")
    assert counted(tmp_path / "preds.parquet") == {("café",): 1}


# How files are laid out


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("byte order mark.csv", b"\xef\xbb\xbfgold,pred\na,b\n"),
        ("no last line break.csv", "gold,pred\na,b"),
        ("old Mac line breaks.csv", "gold,pred\ra,b\r"),
        ("blank lines.csv", "gold,pred\n\na,b\n\n"),
        ("semicolons.csv", "gold;pred\na;b\n"),
        ("tabs.tsv", "gold\tpred\na\tb\n"),
        ("bars.txt", "gold|pred\na|b\n"),
        ("CAPITALS.CSV", "gold,pred\na,b\n"),
        ("spaces in the header.csv", "gold , pred\na,b\n"),
        ("quoted header.csv", '"gold","pred"\na,b\n'),
        ("tabs.csv", "gold\tpred\na\tb\n"),
        ("Windows.csv", "gold,pred\r\na,b\r\n"),
    ],
)
def test_usual_layouts_are_read(tmp_path: Path, name: str, text: str | bytes) -> None:
    path = written(tmp_path / name, text)
    assert read(path).columns == ("gold", "pred")
    assert counted(path) == {("a", "b"): 1}


def test_a_delimiter_inside_a_quoted_name_does_not_count(tmp_path: Path) -> None:
    path = written(tmp_path / "preds.csv", '"gold, first, second";pred\na;b\n')
    assert read(path).columns == ("gold, first, second", "pred")


@pytest.mark.parametrize(
    ("header", "delimiter", "names"),
    [
        ('gold;"a,b"', ";", ("gold", "a,b")),
        ('"x;y";"a,b"', ";", ("x;y", "a,b")),
        ('"x;y","a;b"', ",", ("x;y", "a;b")),
        ('a "x",b "y"', ",", ('a "x"', 'b "y"')),
        ('"5"" disk";"a,b,c"', ";", ('5" disk', "a,b,c")),
        ('"gold" ,pred', ",", ("gold", "pred")),
        ('gold,"pr""ed"', ",", ("gold", 'pr"ed')),
        ('"a""b","c""d;e"', ",", ('a"b', 'c"d;e')),
        ('gold,"a,"', ",", ("gold", "a,")),
        ('gold;5" disk', ";", ("gold", '5" disk')),
    ],
)
def test_the_delimiter_is_the_one_that_divides_no_quoted_name(
    tmp_path: Path, header: str, delimiter: str, names: tuple[str, ...]
) -> None:
    path = written(tmp_path / "preds.csv", f"{header}\nx{delimiter}y\n")
    assert read(path).columns == names
    assert counted(path) == {("x", "y"): 1}


@pytest.mark.parametrize(
    "row",
    [
        ("a", ' "b"'),
        ("a", '"b" '),
        ("a ", " b"),
        ("a, ", ' "x", "y"'),
        ("a,\n", ",,\n"),
        ("\t", '\t"b"'),
        ('"', '" "'),
    ],
)
@pytest.mark.parametrize("last", ["c", ""])
def test_blanks_quotes_and_empty_fields_stay_as_they_are(tmp_path: Path, row: tuple[str, str], last: str) -> None:
    path = tmp_path / "preds.csv"
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([["gold", "pred", "note"], ["x", "y", ""], [*row, last]])
    assert counted(path) == {("x", "y", None): 1, (*row, last or None): 1}


def test_a_tsv_is_divided_by_tabs_only(tmp_path: Path) -> None:
    path = written(tmp_path / "preds.tsv", "gold, a, b\tpred\na\tb\n")
    assert read(path).columns == ("gold, a, b", "pred")


def test_columns_without_a_name_are_numbered(tmp_path: Path) -> None:
    path = written(tmp_path / "preds.csv", ",gold,pred\n0,a,b\n")
    assert read(path).columns == ("column1", "gold", "pred")


@pytest.mark.parametrize("column", ["it's", 'say "x"', "rows", "c0", "^.*$", "select", "a.b", "#1", "x); DROP"])
def test_columns_may_have_any_name(tmp_path: Path, column: str) -> None:
    with (tmp_path / "preds.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["id", column], ["1", "a"], ["2", "a"]])
    assert counted(tmp_path / "preds.csv", column) == {("a",): 2}


@pytest.mark.parametrize(
    "name",
    [
        *("it's.csv", 'say "x".csv', "*.csv", "?.csv", "[ab].csv", "[!a].csv", "**/x.csv", "a]b.csv"),
        *("gold=1/x.csv", "{a,b}.csv", "$HOME.csv", "%20.csv", "~.csv", "-.csv", "é 😀.csv", "a;b.csv", "\n.csv"),
        *("back\\slash.csv", "http:/x.csv"),
    ],
)
def test_a_file_of_any_name_is_read_and_no_other(tmp_path: Path, name: str) -> None:
    for other in ("a.csv", "b.csv", "x.csv"):
        written(tmp_path / other, "gold\nwrong\n")
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    assert counted(written(path, "gold\nright\n")) == {("right",): 1}
    frame = path.with_suffix(".parquet")
    with frame.open("wb") as file:
        pl.DataFrame({"gold": ["right"]}).write_parquet(file)
    assert counted(frame) == {("right",): 1}


@pytest.mark.skipif(os.sep == "\\", reason="a backslash is no part of a name there")
def test_a_name_that_duckdb_would_take_for_another_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    written(tmp_path / "a" / "*.csv", "gold\nwrong\n")
    with pytest.raises(DataError, match="rename the file"):
        read(written(tmp_path / "a\\*.csv", "gold\nright\n"))


def test_a_path_may_be_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / "preds.csv", "gold\na\n")
    monkeypatch.chdir(tmp_path)
    assert counted("preds.csv") == {("a",): 1}


# What is refused


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("preds.csv", "", "preds.csv is empty; expected a first line with the names of the columns"),
        ("preds.csv", "gold,pred\n", "preds.csv has columns but no rows"),
        ("preds.csv", "gold,pred", "preds.csv has columns but no rows"),
        ("preds.csv", "\ngold,pred\na,b\n", "preds.csv begins with a blank line"),
        ("preds.csv", b"gold,pr\xe9d\na,b\n", "preds.csv, line 1 is not UTF-8 text; save it as UTF-8"),
        ("preds.csv", "gold,pred\na,b\n".encode("utf-16"), "preds.csv, line 1 is not UTF-8 text"),
        ("preds.csv", '"' + "x" * 200_000, "preds.csv does not begin with the names of its columns"),
        ("preds.csv", '"go\nld",pred\r\na,b\r\n', "has a line break inside the name of a column"),
        ("preds.csv", "gold,pred,gold\na,b,c\n", "has columns with the same name: 'gold', 'gold'; rename"),
        ("preds.csv", "gold,Gold\na,b\n", "with the same name except for case: 'gold', 'Gold'"),
        ("preds.csv", "gold,pred\na,b\na\n", "preds.csv, line 3 has 1 field, but the header has 2"),
        ("preds.csv", "gold,pred\na,b,c\na,b\n", "preds.csv, line 2 has 3 fields, but the header has 2"),
        ("preds.csv", "gold,pred\na,b\na,b,\n", "preds.csv, line 3 has 3 fields, but the header has 2"),
        ("preds.csv", "gold,pred\na,b,,", "preds.csv, line 2 has 4 fields, but the header has 2"),
        ("preds.csv", 'gold,pred\na,b,""\n', "preds.csv, line 2 has 3 fields, but the header has 2"),
        ("preds.csv", 'gold,pred\na,"b\nc",\n', "preds.csv, line 3 has 3 fields, but the header has 2"),
        ("preds.csv", 'gold,pred\na,b\na, "a"\n', "preds.csv, line 3 has a blank before a quoted value; put quotes"),
        ("preds.csv", 'gold,pred\n  "a",b\n', "preds.csv, line 2 has a blank before a quoted value; put quotes"),
        ("preds.csv", 'gold,pred\n"a" ,b\n', "preds.csv, line 2 has text between a quoted value and the delimiter"),
        ("preds.csv", 'gold,pred\n"a" "b",c\n', "preds.csv, line 2 has text between a quoted value and the delimiter"),
        (
            "preds.csv",
            ",".join(f"c{n}" for n in range(20_001)) + "\n",
            "has 20,001 columns; at most 20,000 can be read",
        ),
        ("preds.csv", 'gold,pred\n"a,b\n', "preds.csv, line 2 has a quoted value that does not end"),
        ("preds.csv", "gold,pred\r\na,b\nc,d\n", "preds.csv mixes line endings"),
        ("preds.csv", "gold,pred\na,b\r\nc,d\r\n", "preds.csv mixes line endings"),
        ("preds.csv", "gold,pred\na,b\n" * 9 + "a,b\r\n", "preds.csv mixes line endings"),
        ("preds.csv", "gold,pred\n" + "x" * 40_000_000 + ",b\n", "preds.csv, line 2 is longer than 32,000,000 bytes"),
        ("preds.csv", b"\x1f\x8bnot", "preds.csv is compressed with gzip; rename it to 'preds.csv.gz'"),
        ("preds.parquet", "", "preds.parquet is empty: there is nothing to evaluate"),
        ("preds.parquet", "PAR1, not", "preds.parquet is too small for a Parquet file"),
        ("preds.parquet", "PAR1" * 9, "preds.parquet is damaged, or not in the format of its extension"),
        ("preds.xlsx", "x", "ends in '.xlsx'; files that can be read end in '.csv', '.txt', '.tsv'"),
        ("preds", "x", "has no extension"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_one_sentence(
    tmp_path: Path, name: str, text: str | bytes, words: str
) -> None:
    path = written(tmp_path / name, text)
    with pytest.raises(DataError) as caught:
        counted(path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_fault_far_from_the_start_is_found(tmp_path: Path) -> None:
    rows = "".join(f"a{row % 7},b\n" for row in range(50_000))
    ragged = read(written(tmp_path / "ragged.csv", f"gold,pred\n{rows}alone\n"))
    with pytest.raises(DataError, match=r"ragged\.csv, line 50002 has 1 field"):
        count_rows(ragged, ["gold"])
    latin = written(tmp_path / "latin.csv", f"gold,pred\n{rows}".encode() + b"caf\xe9,b\n")
    with pytest.raises(DataError, match=r"latin\.csv, line 50002 is not UTF-8"):
        read(latin)


@pytest.mark.parametrize("at", [0, 1, 2, 3])
def test_text_that_is_not_utf_8_is_refused_in_any_column(tmp_path: Path, at: int) -> None:
    # DuckDB stumbles over such a text in some places, and does not see it in columns that nobody asks for.
    fields = [b"x"] * 4
    fields[at] = "🇩🇪".encode()[:-1] + b"\xea"
    path = written(tmp_path / "x.csv", b"id,gold,a,b\n" + b"1,x,x,x\n" * 20 + b",".join(fields) + b"\n")
    with pytest.raises(DataError, match=r"x\.csv, line 22 is not UTF-8 text; save it as UTF-8"):
        counted(path, "gold", "a")


@pytest.mark.parametrize("ends", [*permutations(["\n", "\r", "\r\n"], 2)], ids=repr)
@pytest.mark.parametrize("quote", ["", '"'])
def test_rows_that_end_in_two_ways_are_refused_with_their_names(
    tmp_path: Path, ends: tuple[str, str], quote: str
) -> None:
    first, second = ends
    text = f"{quote}gold{quote},pred{first}{quote}a{quote},b{first}{quote}a{quote},b{second}{quote}c{quote},d{second}"
    names = " and ".join(sorted({"\n": "LF", "\r": "CR", "\r\n": "CRLF"}[end] for end in ends))
    with pytest.raises(DataError, match=rf"x\.csv mixes line endings \({names}\)"):
        counted(written(tmp_path / "x.csv", text))


@pytest.mark.parametrize("ends", [*permutations(["\n", "\r", "\r\n"], 2)], ids=repr)
def test_line_breaks_within_values_may_be_of_another_kind(tmp_path: Path, ends: tuple[str, str]) -> None:
    row, within = ends
    text = f'gold,pred{row}"a{within}""b",b{row}c,"{within}"{row}'
    assert counted(written(tmp_path / "x.csv", text)) == Counter({(f'a{within}"b', "b"): 1, ("c", within): 1})


def test_a_parquet_file_without_rows_is_refused(tmp_path: Path) -> None:
    pl.DataFrame({"gold": []}, schema={"gold": pl.String}).write_parquet(tmp_path / "none.parquet")
    with pytest.raises(DataError, match=r"none\.parquet has columns but no rows"):
        read(tmp_path / "none.parquet")


def test_a_file_that_is_not_there_is_refused_with_the_nearest_name(tmp_path: Path) -> None:
    written(tmp_path / "preds.csv", "gold\na\n")
    with pytest.raises(DataError, match=r"there is no file '.*pred\.csv'; did you mean 'preds\.csv'\?"):
        read(tmp_path / "pred.csv")
    with pytest.raises(DataError, match=r"there is no file '.*x\.csv'\.$"):
        read(tmp_path / "nowhere" / "x.csv")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "preds.csv").mkdir()
    with pytest.raises(DataError, match="is not a file; name a file in it"):
        read(tmp_path / "preds.csv")


def truncated(path: Path, share: float) -> Path:
    return written(path, path.read_bytes()[: int(path.stat().st_size * share)])


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_truncated_parquet_file_is_refused(tmp_path: Path, share: float) -> None:
    pl.DataFrame({"gold": ["a", "b"] * 500}).write_parquet(tmp_path / "preds.parquet")
    with pytest.raises(DataError, match=r"preds\.parquet is not a complete Parquet file; it may be truncated"):
        read(truncated(tmp_path / "preds.parquet", share))


def test_a_parquet_file_with_two_columns_of_one_name_is_refused(tmp_path: Path) -> None:
    pyarrow = import_module("pyarrow")
    parquet = import_module("pyarrow.parquet")
    nested = pyarrow.array([{"gold": 1}])
    table = pyarrow.table([["a"], nested, ["b"]], names=["gold", "x", "gold"])
    parquet.write_table(table, tmp_path / "preds.parquet")
    with pytest.raises(DataError, match="has columns with the same name: 'gold', 'gold'; rename"):
        read(tmp_path / "preds.parquet")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="nothing is forbidden to root")
@pytest.mark.parametrize("name", ["preds.csv", "preds.csv.gz", "preds.parquet"])
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path, name: str) -> None:
    written(tmp_path / name, "gold\na\n").chmod(0)
    with pytest.raises(DataError, match=f"{name} cannot be read: Permission denied"):
        read(tmp_path / name)


def test_a_value_of_ten_megabytes_is_read(tmp_path: Path) -> None:
    long = "x" * 10_000_000
    path = written(tmp_path / "preds.csv", f"gold,text\na,{long}\nb,short\n")
    assert counted(path, "gold") == {("a",): 1, ("b",): 1}
    assert counted(path, "text") == {(long,): 1, ("short",): 1}


def test_a_nul_byte_is_part_of_its_label_and_of_its_name(tmp_path: Path) -> None:
    path = written(tmp_path / "preds.csv", b"go\0ld,pred\na\0b,\0\na,\0\n")
    assert read(path).columns == ("go\0ld", "pred")
    assert counted(path) == {("a\0b", "\0"): 1, ("a", "\0"): 1}


def test_labels_that_look_like_one_value_stay_apart(tmp_path: Path) -> None:
    alike = ["1", "1.0", "01", "true", "True", "NA", "null", "None", "nan", "1e0", "+1", " 1"]
    path = written(tmp_path / "preds.csv", "gold,pred\n" + "".join(f"{label},x\n" for label in alike))
    assert counted(path, "gold") == Counter((label,) for label in alike)


def test_a_single_row_is_read(tmp_path: Path) -> None:
    assert counted(written(tmp_path / "preds.csv", "gold,pred\na,b")) == {("a", "b"): 1}


# Roles


def test_a_role_is_found_by_its_usual_names_in_any_case() -> None:
    assert find("gold", ["id", "Y_True", "pred"]) == "Y_True"
    assert find("pred", ["id", "gold", " prediction"]) == " prediction"


def test_a_given_column_wins_over_usual_names() -> None:
    assert find("gold", ["gold", "truth"], "truth") == "truth"


def test_a_role_nobody_plays_is_refused_with_the_columns_and_the_flag() -> None:
    with pytest.raises(DataError) as in_python:
        find("gold", ["id", "answer"], source="preds.csv")
    with at_a_shell(), pytest.raises(DataError) as on_the_command_line:
        find("gold", ["id", "answer"], source="preds.csv")
    for caught, option, other in (
        (in_python, "gold='COL'", "--gold COL"),
        (on_the_command_line, "--gold COL", "gold='COL'"),
    ):
        for words in ("preds.csv", "'y_true'", "'id', 'answer'", option):
            assert words in str(caught.value)
        assert other not in str(caught.value)


def test_a_role_that_several_columns_could_play_is_refused() -> None:
    with pytest.raises(DataError, match="several columns that could be gold: 'label', 'target'"):
        find("gold", ["label", "target", "pred"])


def test_a_given_column_that_is_not_there_is_refused_with_the_nearest() -> None:
    with pytest.raises(DataError, match=r"no column 'GOLDS'; it has 'gold', 'pred'. Did you mean 'gold'\?"):
        find("gold", ["gold", "pred"], "GOLDS")
