"""Gold and systems in tables of their own, paired by id or by position."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.errors import DataError, OptionError
from assay.sources.columns import Roles
from assay.sources.frames import count_rows, table_of
from assay.sources.join import Paired, pair_systems
from assay.tally.count.engine import count_predictions
from tests.engines.engines import MAKERS, Columns, Maker, engine, from_csv, typed_engine
from tests.engines.reading import Rows, written

GOLD: Columns = {"id": ["a1", "a2", "a3", "a10"], "gold": ["x", "y", "x", "z"], "site": ["s", "s", "t", None]}
SVM: Columns = {"id": ["a10", "a3", "a2", "a1"], "pred": ["z", "y", "y", "x"]}
NET: Columns = {"id": ["a2", "a1", "a10", "a3"], "pred": ["x", "x", None, "x"]}


def made(make: Maker, folder: Path, gold: Columns, /, **systems: Columns) -> tuple[Any, dict[str, Any]]:
    """The tables on one engine, each in a folder of its own."""
    out = []
    for at, columns in enumerate([gold, *systems.values()]):
        (folder / str(at)).mkdir(exist_ok=True)
        out.append(table_of(make(columns, folder / str(at))))
    return out[0], dict(zip(systems, out[1:], strict=True))


def rows_of(paired: Paired, columns: Sequence[str]) -> Rows:
    texts, counts = count_rows(paired.table, columns)
    return Counter(dict(zip(zip(*texts.values(), strict=True), counts.tolist(), strict=True)))


# What is paired


@engine
def test_rows_are_paired_by_their_ids_in_any_order(make: Maker, tmp_path: Path) -> None:
    gold, systems = made(make, tmp_path, GOLD, svm=SVM, net=NET)
    paired = pair_systems(gold, systems)
    assert paired.preds == {"svm": "svm", "net": "net"}
    assert paired.id == "id"
    assert paired.strangers == {"svm": 0, "net": 0}
    assert paired.table.columns == ("id", "gold", "site", "svm", "net")
    assert rows_of(paired, paired.table.columns) == {
        ("a1", "x", "s", "x", "x"): 1,
        ("a2", "y", "s", "y", "x"): 1,
        ("a3", "x", "t", "y", "x"): 1,
        ("a10", "z", None, "z", None): 1,
    }


@engine
def test_rows_are_paired_by_position_if_asked(make: Maker, tmp_path: Path) -> None:
    gold, systems = made(make, tmp_path, GOLD, svm=SVM, net=NET)
    paired = pair_systems(gold, systems, by_position=True)
    assert (paired.id, paired.strangers) == (None, {"svm": 0, "net": 0})
    assert rows_of(paired, ["id", "svm", "net"]) == {
        ("a1", "z", "x"): 1,
        ("a2", "y", "x"): 1,
        ("a3", "y", None): 1,
        ("a10", "x", "x"): 1,
    }


@engine
def test_strangers_are_counted_and_gold_keeps_its_rows(make: Maker, tmp_path: Path) -> None:
    some: Columns = {"id": ["a1", "b7", "a3", "b8", "b9"], "pred": ["x", "x", "y", "y", "y"]}
    gold, systems = made(make, tmp_path, GOLD, svm=some, net=NET)
    paired = pair_systems(gold, systems, missing="skip")
    assert paired.strangers == {"svm": 3, "net": 0}
    assert rows_of(paired, ["id", "svm"]) == {("a1", "x"): 1, ("a2", None): 1, ("a3", "y"): 1, ("a10", None): 1}


@engine
def test_gold_without_predictions_is_kept_as_missing(make: Maker, tmp_path: Path) -> None:
    gold, systems = made(make, tmp_path, GOLD, svm={"id": ["a3"], "pred": ["y"]})
    paired = pair_systems(gold, systems, missing="wrong")
    assert paired.strangers == {"svm": 0}
    assert rows_of(paired, ["gold", "svm"]) == {("x", None): 1, ("y", None): 1, ("x", "y"): 1, ("z", None): 1}


@typed_engine
def test_ids_of_any_type_are_compared_as_text(make: Maker, tmp_path: Path) -> None:
    values: list[list[Any]] = [[1, 2, 30], [1.0, 2.0, 30.0], ["1", "2", "30"]]
    labels = ["a", "b", "c"]
    for left in values:
        for right in values:
            gold, systems = made(make, tmp_path, {"id": left, "gold": labels}, svm={"id": right, "pred": labels})
            assert rows_of(pair_systems(gold, systems), ["gold", "svm"]) == Counter(zip(labels, labels, strict=True))


@typed_engine
def test_ids_may_be_fractions_and_truth_values(make: Maker, tmp_path: Path) -> None:
    for ids in ([0.5, 1e-7], [True, False]):
        gold, systems = made(make, tmp_path, {"id": ids, "gold": ["a", "b"]}, svm={"id": ids[::-1], "pred": ["b", "a"]})
        assert rows_of(pair_systems(gold, systems), ["gold", "svm"]) == {("a", "a"): 1, ("b", "b"): 1}


@engine
def test_ids_may_be_any_text(make: Maker, tmp_path: Path) -> None:
    ids = ["01", "1", "1.0", "NA", "null", " a", "a", "A", "é", "e\u0301", "it's", 'say "x"', "a\nb", "😀", "<b>"]
    preds = [str(at) for at in range(len(ids))]
    gold, systems = made(make, tmp_path, {"id": ids, "gold": preds}, svm={"id": ids[::-1], "pred": preds[::-1]})
    assert rows_of(pair_systems(gold, systems), ["gold", "svm"]) == Counter(zip(preds, preds, strict=True))


Id = st.sampled_from(["a", "b", "aa", "B", "é", "1", "01"])
Systems = st.lists(st.dictionaries(Id, st.sampled_from("xyz")), min_size=1, max_size=3)


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(gold=st.dictionaries(Id, st.sampled_from("xyz"), min_size=1), systems=Systems)
def test_every_engine_pairs_like_a_dictionary(
    tmp_path: Path, gold: Mapping[str, str], systems: list[dict[str, str]]
) -> None:
    systems = [{**system, next(iter(gold)): "x"} for system in systems]
    names = [f"s{at}" for at in range(len(systems))]
    expected = Counter((value, *(system.get(id_) for system in systems)) for id_, value in gold.items())
    tables = {
        name: {"id": list(system), "pred": list(system.values())} for name, system in zip(names, systems, strict=True)
    }
    for make in MAKERS.values():
        left, right = made(make, tmp_path, {"id": list(gold), "gold": list(gold.values())}, **tables)
        paired = pair_systems(left, right, missing="skip")
        assert rows_of(paired, ["gold", *names]) == expected
        assert [*paired.strangers.values()] == [len(system.keys() - gold.keys()) for system in systems]


def test_many_rows_are_paired_by_position_in_the_order_of_their_files(tmp_path: Path) -> None:
    preds = random.Random(1).choices(["x", "y", "z"], k=300_000)
    gold, systems = made(
        from_csv, tmp_path, {"row": list(range(300_000)), "gold": preds}, a={"pred": preds}, b={"pred": preds}
    )
    paired = pair_systems(gold, systems, by_position=True)
    assert rows_of(paired, ["gold", "a", "b"]) == {(p, p, p): n for p, n in Counter(preds).items()}


# Which columns


def test_columns_are_found_by_their_usual_names_or_by_those_given(tmp_path: Path) -> None:
    gold = table_of({"sample_id": ["1", "2"], "label": ["a", "b"]})
    svm = table_of({"Example_ID": ["1", "2"], "y_pred": ["a", "a"], "score": [0.1, 0.2]})
    only = table_of({"id": ["1", "2"], "answer": ["b", "b"]})
    paired = pair_systems(gold, {"svm": svm, "only": only})
    assert paired.id == "sample_id"
    assert rows_of(paired, ["label", "svm", "only"]) == {("a", "a", "b"): 1, ("b", "a", "b"): 1}
    other = table_of({"id": ["1", "2"], "key": ["2", "1"], "one": ["a", "a"], "two": ["a", "b"]})
    keyed = table_of({"key": ["1", "2"], "label": ["a", "b"]})
    paired = pair_systems(keyed, {"svm": other}, id="key", pred={"svm": "two"})
    assert rows_of(paired, ["label", "svm"]) == {("a", "b"): 1, ("b", "a"): 1}


def test_a_system_named_like_a_column_of_gold_gets_a_column_of_its_own(tmp_path: Path) -> None:
    gold, systems = made(from_csv, tmp_path, GOLD, gold=SVM, site=NET)
    paired = pair_systems(gold, systems)
    assert paired.preds == {"gold": "gold (predicted)", "site": "site (predicted)"}
    assert rows_of(paired, ["id", "gold"]) == Counter(zip(GOLD["id"], GOLD["gold"], strict=True))


def test_a_paired_table_is_counted_into_tallies(tmp_path: Path) -> None:
    full: Columns = {"id": ["a2", "a1", "a10", "a3"], "pred": ["x", "x", "z", "x"]}
    gold, systems = made(from_csv, tmp_path, GOLD, svm=SVM, net=full)
    paired = pair_systems(gold, systems)
    tallies = count_predictions(paired.table, Roles("gold", paired.preds)).systems
    assert {name: tally.n for name, tally in tallies.items()} == {"svm": 4, "net": 4}


@engine
def test_a_paired_table_can_be_paired_again(make: Maker, tmp_path: Path) -> None:
    gold, systems = made(make, tmp_path, GOLD, svm=SVM, net=NET)
    first = pair_systems(gold, {"svm": systems["svm"]})
    second = pair_systems(first.table, {"net": systems["net"]})
    assert rows_of(second, ["id", "svm", "net"]) == rows_of(pair_systems(gold, systems), ["id", "svm", "net"])


# Kinds that do not go together


@pytest.mark.parametrize("left", ["csv", "lists", "polars", "duckdb", "arrow file"])
@pytest.mark.parametrize("right", ["json lines", "polars lazily", "pandas", "numpy", "arrow file"])
@pytest.mark.parametrize("by_position", [False, True])
def test_tables_of_different_kinds_are_paired_too(tmp_path: Path, left: str, right: str, by_position: bool) -> None:
    gold, _ = made(MAKERS[left], tmp_path, GOLD)
    (tmp_path / "system").mkdir()
    system = table_of(MAKERS[right]({**GOLD, "pred": GOLD["gold"]}, tmp_path / "system"))
    paired = pair_systems(gold, {"svm": system}, pred={"svm": "pred"}, by_position=by_position)
    assert rows_of(paired, ["gold", "svm"]) == {("x", "x"): 2, ("y", "y"): 1, ("z", "z"): 1}


def test_relations_of_different_connections_are_paired_too(tmp_path: Path) -> None:
    relations = [
        duckdb.connect(":memory:").sql(f"SELECT unnest([1, 2]) AS id, unnest(['a', {p!r}]) AS pred") for p in "bc"
    ]
    paired = pair_systems(table_of(relations[0]), {"svm": table_of(relations[1])})
    assert rows_of(paired, ["pred", "svm"]) == {("a", "a"): 1, ("b", "c"): 1}


# What is refused


def message(gold: Any, systems: Mapping[str, Any], **options: Any) -> str:
    with pytest.raises(DataError) as caught:
        pair_systems(gold, systems, **options)
    return str(caught.value)


def many(ids: Sequence[Any]) -> Columns:
    return {"id": ids, "pred": ["x"] * len(ids)}


@engine
def test_gaps_are_refused_with_the_first_three(make: Maker, tmp_path: Path) -> None:
    ids = [f"a{number}" for number in range(1, 41)]
    gold, systems = made(make, tmp_path, {"id": ids, "gold": ["x"] * 40}, svm=many([i for i in ids if len(i) < 3]))
    assert message(gold, systems) == (
        f"{systems['svm'].name}: 31 ids are in gold but not in 'svm' (first: a10, a11, a12). "
        "Score them as wrong with missing='wrong', or leave them out with missing='skip'."
    )


@engine
@pytest.mark.parametrize("missing", ["error", "wrong"])
def test_strangers_are_refused_with_the_first_three(make: Maker, tmp_path: Path, missing: str) -> None:
    gold, systems = made(make, tmp_path, GOLD, svm=many([*GOLD["id"], "c", "b", "é", "bb"]))
    assert message(gold, systems, missing=missing) == (
        f"{systems['svm'].name}: 4 ids are in 'svm' but not in gold (first: b, c, é). "
        "Leave them out with missing='skip'."
    )


@engine
@pytest.mark.parametrize("missing", ["error", "wrong", "skip"])
def test_ids_that_stand_twice_are_always_refused(make: Maker, tmp_path: Path, missing: str) -> None:
    twice = many([*GOLD["id"], "a3", "a10", "a10"])
    gold, systems = made(make, tmp_path, GOLD, svm=SVM, net=twice)
    assert message(gold, systems, missing=missing) == (
        f"{systems['net'].name}: 2 ids occur more than once in column 'id' (first: a3, a10). "
        "Give each row an id of its own."
    )
    gold, systems = made(make, tmp_path, {**twice, "gold": twice["pred"]}, svm=SVM)
    assert "2 ids occur more than once in column 'id' (first: a3, a10)" in message(gold, systems, missing=missing)


@engine
@pytest.mark.parametrize("missing", ["error", "wrong", "skip"])
def test_rows_without_an_id_are_always_refused(make: Maker, tmp_path: Path, missing: str) -> None:
    gold, systems = made(make, tmp_path, GOLD, svm=many([*GOLD["id"], None, None]))
    assert message(gold, systems, missing=missing) == (
        f"{systems['svm'].name}: 2 rows have no id in column 'id'. Fill in the ids, or leave these rows out."
    )


@engine
def test_tables_without_a_common_id_are_refused_with_ids_of_both(make: Maker, tmp_path: Path) -> None:
    gold, systems = made(make, tmp_path, GOLD, svm=many(["4", "5", "6", "70"]))
    assert message(gold, systems, missing="skip") == (
        f"{systems['svm'].name}: no id of 'svm' is in gold (gold: a1, a2, a3; 'svm': 4, 5, 6). "
        "Name the column of ids with id='COL'."
    )


@engine
def test_different_numbers_of_rows_are_not_paired_by_position(make: Maker, tmp_path: Path) -> None:
    gold, systems = made(make, tmp_path, GOLD, svm=many(["a1"]))
    assert message(gold, systems, by_position=True) == (
        f"{systems['svm'].name}: 'svm' has 1 row and gold has 4 rows; pairing by position needs equally many "
        "rows. Name a column of ids with id='COL'."
    )


def test_without_a_column_of_ids_it_is_said_how_to_choose(tmp_path: Path) -> None:
    gold, systems = made(from_csv, tmp_path, {"key": ["1"], "gold": ["x"]}, svm=SVM)
    assert message(gold, systems) == (
        "preds.csv has no column called 'id', 'sample_id', 'example_id' to pair its rows by; it has 'key', 'gold'. "
        "Name the column of ids with id='COL', or pair the rows by their position with by_position=True."
    )
    assert "has no column 'key'; it has 'id', 'pred'" in message(gold, systems, id="key")


def test_ids_that_are_lists_are_refused() -> None:
    gold = table_of(pl.DataFrame({"id": [[1]], "gold": ["x"]}))
    assert "column 'id' holds List(Int64); ids are text or numbers" in message(
        gold, {"svm": table_of(pl.DataFrame(SVM))}
    )
    gold = table_of({"id": [(1,)], "gold": ["x"]})
    assert "column 'id' has an id that is neither text nor a number" in message(gold, {"svm": table_of(SVM)})


def test_options_that_contradict_each_other_are_refused() -> None:
    gold, systems = table_of(GOLD), {"svm": table_of(SVM)}
    with pytest.raises(OptionError, match="by id or by position, not by both"):
        pair_systems(gold, systems, id="id", by_position=True)
    with pytest.raises(
        OptionError, match=r"missing is 'wrng'; expected one of 'error', 'wrong', 'skip'. Did you mean 'wrong'\?"
    ):
        pair_systems(gold, systems, missing="wrng")
    with pytest.raises(OptionError, match=r"pred is 'smv'; expected one of 'svm'. Did you mean 'svm'\?"):
        pair_systems(gold, systems, pred={"smv": "pred"})
    with pytest.raises(DataError, match="no system is named"):
        pair_systems(gold, {})


def test_a_fault_in_one_of_the_files_is_said_of_that_file(tmp_path: Path) -> None:
    gold = table_of(written(tmp_path / "gold.csv", "id,gold\n1,a\n"))
    svm = table_of(written(tmp_path / "svm.csv", "id,pred\n" + "1,a\n" * 60_000 + "2\n"))
    assert message(gold, {"svm": svm}) == (
        "svm.csv, line 60002 has 1 field, but the header has 2; add the missing ones."
    )
    nested = table_of(written(tmp_path / "net.jsonl", '{"id": 1, "pred": ["a"]}\n'))
    paired = pair_systems(gold, {"net": nested})
    with pytest.raises(DataError, match=r"^net\.jsonl: column 'pred' holds a list or an object"):
        count_rows(paired.table, ["net"])
