"""Where lines live: no import goes in a circle, what is called by name is there, and no room is crowded."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

import assay

ROOT = Path(assay.__file__).parent
FILES = {path: ".".join(path.relative_to(ROOT.parent).with_suffix("").parts) for path in sorted(ROOT.rglob("*.py"))}
MODULES = {path: name.removesuffix(".__init__") for path, name in FILES.items()}
MOST_LINES = 400
MOST_FILES = 14
MOST_FUNCTION_LINES = 50
# Who calls upwards by name, and what for; everything else imports.
UPWARDS = {
    "assay.result": "formats",
    "assay.measures.declare.measure": "an estimate of a measure, and the measure of a name",
    "assay.uncertainty.results": "a comparison in words and in JSON",
    "assay.uncertainty.many.ranks": "the diagram of mean ranks",
    "assay.jobs.answers.results": "formats, and the next question",
    "assay.jobs.answers.tuned": "formats",
    "assay.jobs.curves": "formats, and what to watch in the scores",
    "assay.jobs.answers.contest": "formats",
    "assay.jobs.comparison.systems": "two systems in natural frequencies",
    "assay.jobs.gates": "the text of a failed assertion",
    "assay.jobs.verify": "the job that made a report",
    "assay.report.formats": "the table of formats",
}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def imported(path: Path) -> frozenset[str]:
    """Every module of assay that a file imports: at its top, within functions, and for types alone."""
    return frozenset(_imported(path))


def _imported(path: Path) -> Iterator[str]:
    known = set(MODULES.values())
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            for name in node.names:
                inner = f"{node.module}.{name.name}"
                yield inner if inner in known else str(node.module)


def test_no_import_goes_in_a_circle_within_functions_and_for_types_either() -> None:
    graph = {module: imported(path) - {module} for path, module in MODULES.items() if module != "assay"}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


def rooms_of(package: str) -> dict[str, set[str]]:
    """Every folder of a package and "" for its own files, with the others of these that the files import from."""

    def room(module: str) -> str:
        place = module.split(".")[2]
        return place if (ROOT / package / place).is_dir() else ""

    rooms: dict[str, set[str]] = {}
    for path, module in MODULES.items():
        if module.startswith(f"assay.{package}."):
            using = {room(name) for name in imported(path) if name.startswith(f"assay.{package}.")}
            rooms.setdefault(room(module), set()).update(using - {room(module)})
    return rooms


PACKAGES = sorted({module.split(".")[1] for path, module in MODULES.items() if path.parent.parent.parent == ROOT})


@pytest.mark.parametrize("package", PACKAGES)
def test_folders_of_a_package_import_one_way(package: str) -> None:
    try:
        TopologicalSorter(rooms_of(package)).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


def test_the_folders_of_every_package_are_seen() -> None:
    rooms = {package: set(rooms_of(package)) for package in PACKAGES}
    assert {"", "rankings", "read"} == rooms["sources"]
    assert {"", "answers", "classes", "comparison", "ranking"} == rooms["jobs"]
    assert {"one", "two", "many", "values", "curves", "planning"} < rooms["uncertainty"]
    assert {"advice", "cli", "measures", "report", "tally"} < set(PACKAGES)


def test_a_circle_would_be_found(tmp_path: Path) -> None:
    text = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from assay.tally import labels\n"
    text += "def later():\n    import assay.errors\n    from assay.options import LEVEL\n"
    path = tmp_path / "late.py"
    path.write_text(text)
    assert imported(path) == {"assay.tally.labels", "assay.errors", "assay.options"}


def names_in_text() -> Iterator[tuple[str, str]]:
    """Every function that is named in text to be loaded later, with the file that names it."""
    from assay.report.formats import EVERY, FORMATS

    for path, module in MODULES.items():
        for place in re.findall(r'\bcall\(\s*"([\w.]+:\w+)"', path.read_text()):
            yield module, f"assay.{place}"
        for place in re.findall(r'app\.command\(\s*"([\w.]+:\w+)"', path.read_text()):
            yield module, place
    for formats in (EVERY, *FORMATS.values()):
        yield from (("assay.report.formats", f"assay.report.{place}") for place in formats.values())


def test_what_is_loaded_by_name_is_there() -> None:
    places = list(names_in_text())
    assert len(places) > 30
    for module, place in places:
        where, _, name = place.partition(":")
        assert callable(getattr(import_module(where), name, None)), f"{module} names {place}"


def test_only_these_call_upwards_by_name() -> None:
    calling = re.compile(r"from assay\.lazily import .*\b(call|shown|found)\b")
    assert {module for path, module in MODULES.items() if calling.search(path.read_text())} == set(UPWARDS)


def test_modules_are_loaded_by_name_in_one_place() -> None:
    loading = {module for path, module in MODULES.items() if "import_module(" in path.read_text()}
    # Public names are loaded when they are first used, and PyArrow where it is installed.
    assert loading == {"assay", "assay.lazily", "assay.sources.read.columnar"}


def test_every_result_with_a_format_is_there() -> None:
    from assay.report.formats import FORMATS

    defined = {node.name for path in MODULES for node in parsed(path).body if isinstance(node, ast.ClassDef)}
    assert set(FORMATS) <= defined


def test_no_file_is_longer_than_one_reads() -> None:
    lines = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in MODULES}
    assert not {name: n for name, n in lines.items() if n > MOST_LINES}


def test_no_function_is_longer_than_one_reads() -> None:
    long = {
        f"{module}.{node.name}": lines
        for path, module in MODULES.items()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (lines := (node.end_lineno or 0) - node.lineno + 1) > MOST_FUNCTION_LINES
    }
    assert not long


def test_no_room_is_crowded() -> None:
    rooms = {path.parent for path in MODULES}
    crowded = {str(room.relative_to(ROOT)): n for room in rooms if (n := len(list(room.glob("*.py"))) - 1) > MOST_FILES}
    assert not crowded
