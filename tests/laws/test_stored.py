"""What is read back is what was stored, or a plain refusal that says where it went wrong."""

from __future__ import annotations

import copy
import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from assay.cli.main import exit_code
from assay.errors import DataError
from assay.jobs.comparison.repeated import compare_repeated
from assay.jobs.comparison.systems import compare_systems
from assay.jobs.count import count_file
from assay.jobs.question import Question
from assay.jobs.verify import COMPARED, EVALUATED, PREFERRED, RANKED, REPEATED, report_of
from assay.tally.contract.base import Tally
from assay.tally.count.counts import Counts
from assay.tally.rankings import Ranked
from tests.laws.tallies import FAMILIES, Count, plain

DEEP = 10_000
FIRST_SCHEMA = Path(__file__).parents[1] / "golden" / "stored" / "counts_schema_1.json"
Way = tuple[str | int, ...]
WAYS = {f"{kind.kind}, {way}": count for kind, family in FAMILIES.items() for way, count in family.ways.items()}
KINDS = {f"{kind.kind}, {way}": (kind, family) for kind, family in FAMILIES.items() for way in family.ways}


def ways(stored: Any, way: Way = ()) -> Iterator[tuple[Way, Any]]:
    """Every value of a stored form, leaves and all that holds them."""
    yield way, stored
    each: Any = stored.items() if isinstance(stored, dict) else enumerate(stored) if isinstance(stored, list) else ()
    for key, value in each:
        yield from ways(value, (*way, key))


def others(value: Any) -> Iterator[str]:
    """JSON texts that could stand in the place of a value: of another sort, out of bounds, too long, too deep."""
    yield from ("null", "true", '"x"', "-1", "0.5", "NaN", "-Infinity", "1e999", "[]", "{}", "[[0]]", '{"x": 0}')
    yield from (str(10**9), str(2**53 + 1), str(2**64), str(10**400), "9" * 5000, "1e308", '"\\ud800"')
    yield "[" * DEEP + "]" * DEEP
    if isinstance(value, list):
        yield json.dumps([*value, *value[-1:], *([0] if not value else [])])
        yield json.dumps(value[:-1])
        yield json.dumps([value[0], *value[:-1]] if value else [0])
    if isinstance(value, dict):
        yield json.dumps({**value, "more": 0})
        for key in value:
            yield json.dumps({name: each for name, each in value.items() if name != key})


def with_text(stored: Any, way: Way, text: str) -> str:
    """The stored form as JSON, with another text in one place."""
    if not way:
        return text
    changed = copy.deepcopy(stored)
    inner = changed
    for key in way[:-1]:
        inner = inner[key]
    inner[way[-1]] = "\x00here\x00"
    return json.dumps(changed).replace(json.dumps("\x00here\x00"), text, 1)


def changed_texts(stored: Any, changed: Callable[[Way], bool] = lambda _: True) -> Iterator[tuple[Way, str]]:
    for way, value in ways(stored):
        if not changed(way):
            continue
        for other in others(value):
            yield way, with_text(stored, way, other)


def read_or_refused(read: Callable[[str], Any], text: str, named: str) -> Any | None:
    """What was read, or None where it was refused with a sentence that begins with this name."""
    try:
        return read(text)
    except DataError as error:
        said = str(error)
    assert said.startswith(named), said
    return None


@pytest.mark.parametrize("way", WAYS)
def test_a_changed_tally_is_refused_or_read_as_it_stands(way: str) -> None:
    kind, family = KINDS[way]
    count: Count = WAYS[way]
    tally = count(family.anchor, plain)
    stored = tally.to_dict()
    assert kind.from_json(tally.to_json()) == tally
    for place, text in changed_texts(stored):
        read = read_or_refused(kind.from_json, text, "this t")
        if read is not None:
            assert read.to_dict() == in_order(json.loads(text)), (place, text[:80])


def in_order(stored: dict[str, Any]) -> dict[str, Any]:
    """The same with queries in the order of their names, each with a list of its own, which is how they are stored."""
    if "queries" not in stored:
        return stored
    names = [stored["queries"][code] for code in stored["units"]["query"]]
    order = sorted(range(len(names)), key=names.__getitem__)
    which = [stored["units"]["list"][i] for i in order]
    lists: dict[str, Any] = {"retrieved": [stored["lists"]["retrieved"][i] for i in which]}
    for part in ("found", "judged", "tied"):
        lengths, *_ = (held := stored["lists"][part]).values()
        rows = [(sum(lengths[:i]), sum(lengths[: i + 1])) for i in which]
        lists[part] = {name: [x for a, b in rows for x in column[a:b]] for name, column in held.items()}
        lists[part]["lengths"] = [lengths[i] for i in which]
    units = {name: list(range(len(order))) for name in ("query", "list")}
    counts = [stored["counts"][i] for i in order]
    clusters = {} if "clusters" not in stored else {"clusters": reordered(stored["clusters"], order)}
    return {
        **stored,
        "queries": [names[i] for i in order],
        "lists": lists,
        "units": units,
        "counts": counts,
        **clusters,
    }


def reordered(clusters: dict[str, Any], order: list[int]) -> dict[str, Any]:
    """Clusters after units were put in this order."""
    place = {old: new for new, old in enumerate(order)}
    entries = sorted((cluster, place[unit], n) for cluster, unit, n in zip(*clusters["entries"], strict=True))
    return {**clusters, "entries": [list(column) for column in zip(*entries, strict=True)]}


def counted() -> Counts:
    data = {"gold": list("ababab"), "m": list("abbbab"), "p": [0.1, 0.9, 0.6, 0.7, 0.2, 0.8], "g": list("xxxyyy")}
    from assay.jobs.count import count_file
    from assay.jobs.question import Question

    made = count_file(
        data,
        Question(gold="gold", pred={"m": "m"}, scores={"m": "p"}, positive="b", slices=("g",), guesses={"m": ["g"]}),
    )
    assert isinstance(made, Counts)
    return made


IN_GROUPS = ("slices", 0, "groups")  # where the same tallies stand again


def around_tallies(way: Way) -> bool:
    """Whether a value stands outside the tallies of the first schema, which the tests of tallies change."""
    return len(way) <= (5 if "slices" in way[:1] else 2)


def test_changed_counts_are_refused_by_file_and_field_or_read_as_they_stand() -> None:
    counts = counted()
    stored = json.loads(counts.to_json())
    assert json.loads(Counts.from_json(counts.to_json()).to_json()) == stored
    for place, text in changed_texts(stored, lambda way: way[:3] != IN_GROUPS or len(way) < 7):
        read = read_or_refused(lambda text: Counts.from_json(text, "'t.json'"), text, "'t.json'")
        if read is not None:
            assert json.loads(read.to_json()) == json.loads(text), (place, text[:80])


def test_changed_counts_of_the_first_schema_are_refused_by_file_and_field_or_read_as_they_stand() -> None:
    stored = json.loads(FIRST_SCHEMA.read_text(encoding="utf-8"))
    for place, text in changed_texts(stored, around_tallies):
        read = read_or_refused(lambda text: Counts.from_json(text, "'t.json'"), text, "'t.json'")
        if read is not None:
            changed = json.loads(text)
            for name, tally in changed["systems"].items():
                assert read.systems[name].to_dict() == tally, (place, text[:80])
            for part in ("scores", "guesses"):
                for name, tally in changed.get(part, {}).items():
                    assert read.systems.kinds[name][tally["kind"]].to_dict() == tally, (place, text[:80])
            assert (read.skipped, read.unanswered) == (changed["skipped"], changed["unanswered"])


WRONG = {
    "a cluster of 10^9": (("clusters", "entries", 0, 0), 10**9, "clusters.entries[0][0] is 1000000000; the index of"),
    "a negative count": (("counts", 1), -1, "counts[1] is -1; a whole number from 0 to 9,007,199,254,740,992"),
    "half a count": (("counts", 1), 1.5, "counts[1] is 1.5; a whole number"),
    "a label twice": (
        ("labels", 1),
        "a",
        'labels[1] is "a" again, as systems.m.confusion.labels[0]; each name is listed once',
    ),
    "an unknown positive": (("positive",), "z", "positive is \"z\"; one of labels ('a', 'b') was expected"),
    "a code of 10^9": (("units", "pred", 0), 10**9, "units.pred[0] is 1000000000; the index of one of 2 labels"),
    "a unit too few": (("units", "pred"), [0], "units.pred has 1 entries; 4 were expected"),
    "clusters and counts": (("counts", 0), 7, "clusters contains 2 items of unit 0; the unit has 7 of them"),
    "too many items": (("counts",), [2**53, 1, 1, 1], "counts adds up to 9,007,199,254,740,995; at most"),
    "a word for a count": (("counts", 0), "many", 'counts[0] is "many"; a whole number'),
}


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("command", ["evaluate", "merge"])
def test_what_is_wrong_in_a_stored_file_is_said_with_file_and_field(
    case: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    way, value, words = WRONG[case]
    monkeypatch.chdir(tmp_path)
    rows = [("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")] * 2
    text = "".join(f"{gold},{pred},c{i % 3}\n" for i, (gold, pred) in enumerate(rows))
    Path("rows.csv").write_text(f"gold,m,c\n{text}", encoding="utf-8")
    assert exit_code(["tally", "rows.csv", "--pred", "m", "--cluster", "c", "--out", "t.json"]) == 0
    stored = json.loads(Path("t.json").read_text(encoding="utf-8"))
    inner = stored["systems"]["m"]["confusion"]
    for key in way[:-1]:
        inner = inner[key]
    inner[way[-1]] = value
    Path("t.json").write_text(json.dumps(stored), encoding="utf-8")
    capsys.readouterr()
    assert exit_code([command, "t.json"]) == 3
    said = capsys.readouterr().err
    assert said.startswith("assay: 't.json': systems.m.confusion."), said
    assert words in said


def test_a_report_with_a_changed_part_is_refused_or_read_as_it_stands() -> None:
    data = {"gold": list("abab"), "m": list("abbb"), "g": list("xxyy")}
    report = assay.evaluate(data, pred={"m": "m"}, positive="b", measures=["accuracy"], costs={"fp": 1, "fn": 2})
    stored = json.loads(report.to_json())
    read_whole = report_of(report.to_json(), "'r.json'")
    assert read_whole["asked"] == stored["asked"]
    parts = {name: stored[name] for name in ("assay", "schema", "asked", "provenance", "rows")}
    for place, text in changed_texts(parts):
        read = read_or_refused(lambda text: report_of(text, "'r.json'"), text, "'r.json'")
        if read is not None:
            assert read["asked"] == json.loads(text)["asked"], (place, text[:80])


@pytest.mark.parametrize(
    ("made_by", "known"),
    [
        (assay.evaluate, EVALUATED),
        (compare_systems, COMPARED),
        (compare_repeated, REPEATED),
        (assay.prefer, PREFERRED),
        (assay.rank, RANKED),
    ],
)
def test_every_option_of_what_makes_a_report_has_a_form(made_by: Callable[..., Any], known: Mapping[str, Any]) -> None:
    assert set(inspect.signature(made_by).parameters) - {"data", "y_pred", "qrels"} == set(known)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("level", "high"),
        ("measures", []),
        ("n_resamples", 10**9),
        ("n_resamples", -1),
        ("n_resamples", 2**70),
        ("measures", 3),
        ("pred", [1]),
        ("strange", 1),
    ],
)
def test_verify_refuses_options_that_no_report_has(
    option: str, value: object, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rows.csv").write_text("gold,pred\na,a\nb,b\na,b\n", encoding="utf-8")
    assert exit_code(["evaluate", "rows.csv", "--measure", "accuracy", "--format", "json", "--out", "r.json"]) == 0
    stored = json.loads(Path("r.json").read_text(encoding="utf-8"))
    stored["asked"][option] = value
    Path("r.json").write_text(json.dumps(stored), encoding="utf-8")
    capsys.readouterr()
    assert exit_code(["verify", "r.json", "rows.csv"]) == 3
    assert capsys.readouterr().err.startswith(f"assay: 'r.json': asked.{option}")


def test_a_stored_file_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.json"
    path.write_text(counted().to_json(), encoding="utf-8")
    monkeypatch.setattr("assay.tally.contract.schema.MOST_BYTES", 100)
    with pytest.raises(DataError, match=r"t\.json' has [\d,]+ bytes; stored results may have up to 100 bytes"):
        assay.evaluate(path)
    with pytest.raises(DataError, match="at most 100 can be read back; group scores into bins"):
        counted().to_json()


def test_shards_are_not_added_up_beyond_what_can_be_counted() -> None:
    half = assay.Confusion.from_counts(tp=2**52, fp=1, fn=1, tn=2**51)
    with pytest.raises(DataError, match="at most 9,007,199,254,740,992"):
        half + half


def test_a_group_of_the_rows_may_weigh_nothing_but_not_all_of_them() -> None:
    rows = {"gold": ["a", "b", "b"], "pred": ["a", "a", "b"], "w": [1, 2, 0], "g": ["x", "x", "y"]}
    text = count_file(rows, Question(gold="gold", pred="pred", weight="w", slices=("g",))).to_json()
    assert Counts.from_json(text).slices[0].groups["y"]["pred"].n == 1
    nothing = json.loads(text)
    nothing["systems"]["pred"]["confusion"]["weights"] = {"total": [0, 0, 0], "squares": [0, 0, 0], "rows": [0, 0, 0]}
    with pytest.raises(
        DataError, match=r"systems\.pred\.confusion\.weights\.total adds up to 0; a number above 0 was expected"
    ):
        Counts.from_json(json.dumps(nothing))


def test_a_group_is_held_to_the_systems_kinds_sizes_and_labels_of_all_rows() -> None:
    text = counted().to_json()
    whole = json.loads(text)["systems"]["m"]
    changes: list[tuple[Callable[[Any], Any], str]] = [
        (lambda x: x.update(n=whole), "groups.x has 'm', 'n'; 'm' was expected"),
        (lambda x: x["m"].pop("scored"), "x.m has 'confusion', 'guesses'; .* was expected, as in the first|y.m has"),
        (lambda x: x["m"].pop("confusion"), "x.m has 'scored', 'guesses'; 'confusion', 'scored', 'guesses' was expec"),
        (
            lambda x: x["m"]["scored"]["counts"].__setitem__(0, 9),
            "x.m.scored.counts adds up to 11; there are 6 rows in all",
        ),
        (lambda x: x["m"]["confusion"].update(labels=["a", "c"], positive="c"), "x.m.confusion.labels has 'c'; the la"),
        (lambda x: x["m"]["scored"].update(kind="confusion"), "x.m.scored.kind is \"confusion\"; one of 'scored' was"),
    ]
    for change, reason in changes:
        stored = json.loads(text)
        change(stored["slices"][0]["groups"]["x"])
        with pytest.raises(DataError, match=reason):
            Counts.from_json(json.dumps(stored))


# ---------------------------------------------------------------------- families
@pytest.mark.parametrize("kind", FAMILIES, ids=lambda kind: str(kind.kind))
def test_a_tally_of_every_family_is_evaluated_from_memory_and_from_a_file(kind: type[Tally], tmp_path: Path) -> None:
    family = FAMILIES[kind]
    tally = family.count(family.anchor * 3 if kind is not Ranked else family.anchor, plain)
    alone, named = tmp_path / "alone.json", tmp_path / "named.json"
    alone.write_text(tally.to_json())
    named.write_text(Counts({"mine": tally}).to_json())
    wanted = [(row.measure, row.class_, row.value, row.low, row.high) for row in assay.evaluate(tally).rows]
    assert wanted
    for data, system in ((str(alone), "system"), (str(named), "mine"), ({"mine": tally}, "mine")):
        rows = assay.evaluate(data).rows
        assert [(row.measure, row.class_, row.value, row.low, row.high) for row in rows] == wanted
        assert {row.system for row in rows} == {system}
    assert exit_code(["evaluate", str(alone)]) == 0


@pytest.mark.parametrize("kind", FAMILIES, ids=lambda kind: str(kind.kind))
def test_both_sides_of_a_joint_tally_of_every_family_are_compared_as_they_are_alone(kind: type[Tally]) -> None:
    family = FAMILIES[kind]
    joint = family.pair(family.anchor, plain)
    sides = [assay.evaluate(side).rows for side in (joint.a, joint.b)]
    report = assay.evaluate(joint)
    assert [row.value for row in report.rows] == [row.value for rows in sides for row in rows]
    measure = report.systems[0].primary
    compared = report.compare(measures=measure)
    (difference,) = [row for row in compared.rows if row.quantity == "difference"]
    assert difference.value == assay.compare(joint, measure=measure).difference


@pytest.mark.parametrize("kind", ["prefered", None, 7, ["counts"], {}])
def test_a_stored_tally_of_an_unknown_kind_is_refused_with_the_kinds_there_are(kind: Any, tmp_path: Path) -> None:
    stored = json.loads(Ranked.from_rankings({"q": [1]}).to_json())
    path = tmp_path / "odd.json"
    counts = json.loads(Counts({"a": Ranked.from_rankings({"q": [1]})}).to_json())
    first = {**counts, "schema": 1, "systems": {"a": {**stored, "kind": kind}}, "guesses": {}}
    for text in ({**stored, "kind": kind}, {**counts, "systems": {"a": {str(kind): stored}}}, first):
        path.write_text(json.dumps(text))
        with pytest.raises(DataError, match=r"'class_scores', 'confusion', 'contingency', .*'ranked', 'rated'"):
            assay.evaluate(str(path))


def test_systems_of_different_families_are_not_judged_together(tmp_path: Path) -> None:
    ranked, confusion = Ranked.from_rankings({"q": [1]}), assay.Confusion.from_counts(tp=1, fp=1, fn=1, tn=1)
    with pytest.raises(DataError, match="different families: 'a' by ranked and 'b' by labels or scores; give"):
        Counts({"a": ranked, "b": confusion})
    path = tmp_path / "mixed.json"
    stored = json.loads(Counts({"a": ranked}).to_json())
    path.write_text(json.dumps({**stored, "systems": {**stored["systems"], "b": {"confusion": confusion.to_dict()}}}))
    with pytest.raises(DataError, match=r"mixed\.json.*systems has 'a' by ranked and 'b' by labels or scores"):
        assay.evaluate(str(path))


def test_what_is_no_tally_is_refused_with_the_kinds_there_are() -> None:
    with pytest.raises(DataError, match=r"the counts of 'a' are an int; expected a tally: .*'Ranked'"):
        Counts({"a": 3})  # type: ignore[dict-item]
    with pytest.raises(DataError, match="there are no systems"):
        Counts({})


def test_what_a_ranking_cannot_be_asked_is_said_of_the_ranking() -> None:
    joint = Ranked.joint({"q1": [1, 0], "q2": [0, 1]}, {"q1": [0, 1], "q2": [0, 1]}, names=("old", "new"))
    with pytest.raises(DataError, match=r"'old' was counted as 'ranked'; .* needs a 'confusion' tally"):
        compare_systems(joint, measures="f1")


def test_a_class_is_not_asked_of_stored_rankings(tmp_path: Path) -> None:
    path = tmp_path / "ranked.json"
    path.write_text(Ranked.from_rankings({"q": [1]}).to_json())
    with pytest.raises(DataError, match="a ranked tally has no positive class"):
        assay.evaluate(str(path), positive="spam")


def test_a_family_without_a_measure_is_said_to_have_none() -> None:
    class Bare(Tally):
        kind = "bare"

    bare = Bare(keys={"x": np.array([0, 1])}, counts=np.array([1, 2]))
    with pytest.raises(DataError, match="no measure is computed from a bare tally"):
        assay.evaluate(bare)


@pytest.mark.parametrize("kind", FAMILIES, ids=lambda kind: str(kind.kind))
def test_stored_counts_of_every_family_are_merged_evaluated_compared_and_verified(
    kind: type[Tally], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    family = FAMILIES[kind]
    halves = [family.anchor] if kind is Ranked else [family.anchor, family.anchor[::-1]]  # a query has one ranking
    joints = [family.pair(rows, plain) for rows in halves]
    shards = [{"mine": joint.a.collected(), "other": joint.b.collected()} for joint in joints]
    files = [tmp_path / f"{i}.json" for i in range(len(shards))]
    for file, shard in zip(files, shards, strict=True):
        file.write_text(Counts(shard).to_json(), encoding="utf-8")
    merged = tmp_path / "merged.json"
    assert exit_code(["merge", *map(str, files), "--out", str(merged)]) == 0
    read = Counts.from_json(merged.read_text(encoding="utf-8"))
    for name, tally in read.systems.items():
        assert tally == sum((shard[name] for shard in shards[1:]), shards[0][name])
    for name, command in (("evaluated", ["evaluate"]), ("compared", ["compare", "--unpaired"])):
        report = tmp_path / f"{name}.json"
        assert exit_code([*command, str(merged), "--format", "json", "--out", str(report)]) == 0, capsys.readouterr()
        assert exit_code(["verify", str(report), str(merged)]) == 0
        values = [row["value"] for row in json.loads(report.read_text(encoding="utf-8"))["rows"]]
        assert values
        if name == "evaluated":
            assert values == [row.value for row in assay.evaluate(dict(read.systems)).rows]


def test_a_system_has_one_tally_of_each_kind() -> None:
    tally = assay.Confusion.from_counts(tp=1, fp=1, fn=1, tn=1)
    with pytest.raises(DataError, match="'a' has two confusion tallies; give one of each kind"):
        Counts({"a": [tally, tally]})
    with pytest.raises(DataError, match="different families: 'a' by labels or scores and 'a' by ranked"):
        Counts({"a": [tally, Ranked.from_rankings({"q": [1]})]})
    with pytest.raises(DataError, match="there is no tally for 'a'"):
        Counts({"a": []})
