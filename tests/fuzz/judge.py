"""What is wrong with an outcome: how it ended, what it printed, what it left, and what it counted."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from tests.fuzz.oracle import MEASURES, Cells, Count, Expected, Given
from tests.fuzz.reading import Refused
from tests.fuzz.refusals import legitimate
from tests.fuzz.running import BYTES, SECONDS, Outcome

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
STEERING = re.compile(r"^\s*::|##\w*\[", re.MULTILINE)
FORMULA = re.compile(r"[=+\-@]")
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|-", re.ASCII)
OUTPUTS = ("--out", "--html", "--junit", "--summary", "--disagreements", "--replicates", "--sweep")
ENDS = (0, 1, 2, 3)


def faults(command: Sequence[str], outcome: Outcome, before: Mapping[str, bytes], wanted: Expected) -> list[str]:
    """Everything that is wrong, in words; `before` holds the files that were there, `wanted` what must be counted."""
    given = Given(command)
    return [
        *_ending(given, outcome),
        *_printed(given, outcome),
        *_left(given, outcome, before),
        *_files(given, outcome),
        *_counted(given, outcome, wanted),
    ]


def _ending(given: Given, outcome: Outcome) -> Iterator[str]:
    said = outcome.err.decode("utf-8", "replace")
    if outcome.raised:
        yield f"raised: {outcome.raised.strip()[-1500:]}"
    if outcome.code not in ENDS:
        yield f"ended with code {outcome.code}: {said.strip()[-500:]}"
    gates = any(option in given.options for option in ("--fail-under", "--no-worse-than")) or given.name == "verify"
    if outcome.code == 1 and not gates:
        yield "ended with code 1 though there is no gate"
    if outcome.code in (2, 3) and not said.startswith("assay: "):
        yield f"refused without a sentence: {said[:200]!r}"
    if "Traceback (most recent" in said or "Traceback (most recent" in outcome.text:
        yield "printed a traceback"
    if re.search(r"\w*Warning: ", said):
        yield f"printed a warning: {said[-500:]}"
    if outcome.seconds > SECONDS:
        yield f"took {outcome.seconds:.0f} seconds"
    if outcome.memory > BYTES:
        yield f"took {outcome.memory / 1e9:.1f} GB"


def _printed(given: Given, outcome: Outcome) -> Iterator[str]:
    streams = {"error": outcome.err, "output": outcome.out}
    if "--raw-csv" in given.options:
        del streams["output"]
    for name, data in streams.items():
        yield from _unsafe(f"standard {name}", data)
    if outcome.code in (0, 1) and given.format == "json" and not ("--out" in given.options and not outcome.out):
        yield from _strict("standard output", outcome.out)


def _unsafe(where: str, data: bytes, *, steering: bool = True) -> Iterator[str]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        yield f"{where} is not UTF-8"
        return
    if found := CONTROL.search(text):
        before = text[max(0, found.start() - 60) : found.start()]
        yield f"{where} has a raw control character {found[0]!r} after {before!r}"
    if steering and (found := STEERING.search(text)):
        yield f"{where} commands a build server: {text[found.start() : found.start() + 60]!r}"


def _strict(where: str, data: bytes) -> Iterator[str]:
    try:
        strict_json(data)
    except (ValueError, RecursionError) as error:
        yield f"{where} is not strict JSON: {error}"


def strict_json(data: bytes) -> Any:
    """The value of JSON without NaN, in which no key comes twice."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if twice := [key for key, n in Counter(key for key, _ in pairs).items() if n > 1]:
            raise ValueError(f"the key {twice[0]!r} comes twice")
        return dict(pairs)

    def constant(text: str) -> Any:
        raise ValueError(f"{text} is no JSON")

    return json.loads(data.decode("utf-8"), object_pairs_hook=once, parse_constant=constant)


# ---------------------------------------------------------------------- files
def _left(given: Given, outcome: Outcome, before: Mapping[str, bytes]) -> Iterator[str]:
    outputs = {name for option in OUTPUTS for name in given.options.get(option, [])}
    folders = tuple(f"{name}/" for name in given.options.get("--charts", []))
    for name, data in before.items():
        if name not in outputs and not name.startswith(folders or ("\0",)) and outcome.files.get(name) != data:
            yield f"the input {name!r} was changed"
    for name in outcome.files:
        if name not in before and name not in outputs and not (folders and name.startswith(folders)):
            yield f"the file {name!r} is left behind"


def _files(given: Given, outcome: Outcome) -> Iterator[str]:
    """What was written holds together as a file of its kind, and is safe to open."""
    if outcome.code not in (0, 1):
        return
    for option in OUTPUTS:
        for name in given.options.get(option, []):
            data = outcome.files.get(name)
            if data is None:
                yield f"{option} {name} was not written"
                continue
            kind = _kind(given, option, name)
            yield from (f"{option}: {fault}" for fault in CHECKS[kind](data, "--raw-csv" in given.options))
    for name, data in outcome.files.items():
        if any(name.startswith(f"{folder}/") for folder in given.options.get("--charts", [])):
            yield from (f"{name}: {fault}" for fault in CHECKS[name.rpartition(".")[2]](data, False))


def _kind(given: Given, option: str, name: str) -> str:
    fixed = {"--html": "html", "--junit": "xml", "--summary": "md", "--disagreements": "csv"}
    if option in fixed:
        return fixed[option]
    if option in ("--replicates", "--sweep"):
        return "csv"
    return name.rpartition(".")[2].lower() if given.name == "curve" else given.format or "table"


def _text_fault(data: bytes, raw: bool) -> Iterator[str]:
    yield from _unsafe("the file", data)


def _html_fault(data: bytes, raw: bool) -> Iterator[str]:
    yield from _unsafe("the page", data, steering=False)
    if b"<b id=fuzz>" in data:
        yield "a label is markup in the page"


def _xml_fault(data: bytes, raw: bool) -> Iterator[str]:
    yield from _unsafe("the file", data, steering=False)
    try:
        ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        yield f"not XML: {error}"


def _csv_fault(data: bytes, raw: bool) -> Iterator[str]:
    text = data.decode("utf-8")
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    if rows and any(len(row) != len(rows[0]) for row in rows):
        yield "the rows of the CSV differ in length"
    if raw:
        return
    yield from _unsafe("the file", data)
    for cell in (cell for row in rows for cell in row):
        if FORMULA.match(cell) and not NUMBER.fullmatch(cell):
            yield f"a spreadsheet may run the cell {cell[:60]!r}"


def _png_fault(data: bytes, raw: bool) -> Iterator[str]:
    if not data.startswith(b"\x89PNG\r\n"):
        yield "not PNG"


def _json_fault(data: bytes, raw: bool) -> Iterator[str]:
    yield from _unsafe("the file", data)
    yield from _strict("the file", data)


CHECKS: Mapping[str, Callable[[bytes, bool], Iterator[str]]] = {
    "table": _text_fault,
    "md": _text_fault,
    "latex": _text_fault,
    "html": _html_fault,
    "xml": _xml_fault,
    "svg": _xml_fault,
    "csv": _csv_fault,
    "png": _png_fault,
    "json": _json_fault,
}


# ---------------------------------------------------------------------- counts
def _counted(given: Given, outcome: Outcome, wanted: Expected) -> Iterator[str]:
    said = outcome.err.decode("utf-8", "replace")
    if isinstance(wanted, Refused):
        if outcome.code in (0, 1):
            yield f"read what it must refuse: {wanted.why}"
        return
    if wanted is None:
        return
    if outcome.code == 3 and given.plain and not legitimate(said):
        yield f"refused what Python reads: {said.strip()[:400]}"
    if outcome.code not in (0, 1) or given.format != "json":
        return
    data = outcome.files.get(given.one("--out") or "") if "--out" in given.options else outcome.out
    try:
        found = strict_json(data or b"")
    except ValueError:
        return  # said already
    yield from {"tally": _tally, "merge": _tally, "evaluate": _report, "compare": _report}[given.name](found, wanted)


def _differs(what: str, found: object, wanted: object) -> Iterator[str]:
    if found != wanted:
        yield f"{what} is {str(found)[:300]}, and Python counts {str(wanted)[:300]}"


def _tally(found: Any, wanted: Count) -> Iterator[str]:
    yield from _differs("skipped", found["skipped"], wanted.skipped)
    yield from _differs("unanswered", found["unanswered"], wanted.unanswered)
    yield from _differs("the systems", sorted(found["systems"]), sorted(wanted.cells))
    for name, cells in wanted.cells.items():
        held = found["systems"].get(name, {}).get("confusion")
        if held is not None:
            yield from _differs(f"the table of {name!r}", _cells(held), _shown(cells))
    if len(found["slices"]) == 1:
        groups = found["slices"][0]["groups"]
        for group, systems in wanted.groups.items():
            for name, cells in systems.items():
                held = groups.get(group, {}).get(name, {}).get("confusion")
                if held is not None:
                    yield from _differs(f"the table of {name!r} in {group!r}", _cells(held), _shown(cells))


def _cells(tally: Any) -> dict[tuple[str, str | None], int]:
    names = [*tally["labels"], None]
    units = zip(tally["units"]["gold"], tally["units"]["pred"], tally["counts"], strict=True)
    return {(names[gold], names[pred]): n for gold, pred, n in units if n}


def _shown(cells: Cells) -> dict[tuple[str, str | None], int]:
    return {key: n for key, n in cells.items() if n}


def _report(found: Any, wanted: Count) -> Iterator[str]:
    facts = found["provenance"]
    yield from _differs("n", facts.get("n"), wanted.n)
    yield from _differs("skipped", facts.get("skipped", 0), wanted.skipped)
    for row in found["rows"]:
        cells = wanted.cells.get(row["system"])
        plain = row["class"] is None and row["slice"] is None and row["versus"] is None and row["quantity"] == "value"
        if plain and cells is not None and row["measure"] in MEASURES and row["value"] is not None:
            value = _value(row["measure"], row["system"], wanted)
            if value is not None and not math.isclose(row["value"], value, rel_tol=1e-9, abs_tol=1e-12):
                yield f"{row['measure']} of {row['system']!r} is {row['value']}, and Python makes it {value}"
    for system in found["systems"]:
        yield from _errors(system, wanted)
    for each in (found.get("contest") or {}).get("comparisons", []):
        yield from _comparison(each, wanted)


def _value(measure: str, system: str, wanted: Count) -> float | None:
    right, whole = wanted.weighted.get(system, (0.0, 0.0))
    cells = wanted.cells[system]
    unit = not wanted.weighted or whole == cells.total()
    if measure == "accuracy":
        return right / whole if wanted.weighted else MEASURES[measure](cells)
    seen = {label for pair in cells for label in pair if label is not None and cells[pair]}
    return MEASURES[measure](cells) if unit and seen == wanted.labels else None


def _errors(system: Any, wanted: Count) -> Iterator[str]:
    """The table of errors, in the order of the labels' bytes."""
    cells = wanted.cells.get(system["name"])
    table = next((each for each in system["tables"] if each["title"] == "errors"), None)
    if table is None or cells is None or wanted.weighted.get(system["name"], (0, cells.total()))[1] != cells.total():
        return
    numbers = [value for row in table["rows"].values() for value in row]
    yield from _differs(f"the sum of the errors of {system['name']!r}", sum(numbers), cells.total())
    labels = sorted(wanted.labels, key=str.encode)
    if all(re.fullmatch(r"-?[0-9]+", label) for label in labels) or len(table["rows"]) != len(labels):
        return
    answers: list[str | None] = [*labels, *([None] * (len(table["columns"]) - len(labels)))]
    expected = [[cells[gold, pred] for pred in answers] for gold in labels]
    yield from _differs(f"the errors of {system['name']!r}", [list(row) for row in table["rows"].values()], expected)


def _comparison(each: Any, wanted: Count) -> Iterator[str]:
    pair = wanted.pairs.get(tuple(each["names"]))
    swapped = pair is None
    pair = pair or wanted.pairs.get(tuple(reversed(each["names"])))
    if pair is None:
        return
    name = " and ".join(each["names"])
    yield from _differs(f"n of {name}", each["n"], wanted.n)
    if each["disagreements"] is not None:
        yield from _differs(f"the disagreements of {name}", each["disagreements"], pair["apart"])
    effect = each.get("effect") or {}
    sides = {"only_a": "only_b", "only_b": "only_a"} if swapped else {}
    for key in ("only_a", "only_b", "both", "neither"):
        if effect.get(key) is not None and each["measure"] == "accuracy":
            yield from _differs(f"{key} of {name}", effect[key], pair[sides.get(key, key)])
