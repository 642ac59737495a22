"""What assay writes as JSON fits the schemas of the reference, and nothing else does."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from scripts.reference import methods
from scripts.reference.schemas import files
from tests import documents

FOLDER = methods.FOLDER / "schemas"
SCHEMAS = {path.name.partition(".")[0]: json.loads(path.read_text(encoding="utf-8")) for path in FOLDER.iterdir()}
FULLEST = {  # one document of each schema that has most of its parts
    "report": "comparison: folds of data sets",
    "estimate": "a share",
    "comparison": "less",
    "curves": "calibration",
    "tune": "a target",
    "plan": "a difference",
    "check": "odd labels",
    "advise": "labels",
    "per_class": "three classes",
    "verify": "changed",
    "tally": "clusters and weights",
    "counts": "groups",
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, documents.Document]:
    return documents.documents(tmp_path_factory.mktemp("documents"))


def fits(schema: str, document: Any) -> bool:
    return bool(Draft202012Validator(SCHEMAS[schema]).is_valid(document))


def test_the_files_are_what_the_code_declares() -> None:
    assert {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()} == files.written(), (
        "run: python -m scripts.reference.schemas"
    )


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_is_a_schema(name: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[name])


def test_everything_that_is_written_fits_its_schema(written: dict[str, documents.Document]) -> None:
    wrong = {
        name: [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in errors]
        for name, (schema, document) in written.items()
        if (errors := list(Draft202012Validator(SCHEMAS[schema]).iter_errors(document)))
    }
    assert wrong == {}


def test_every_schema_has_documents(written: dict[str, documents.Document]) -> None:
    assert {schema for schema, _ in written.values()} == set(SCHEMAS) == set(FULLEST)


def _places(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every object, the first one of each list."""
    if isinstance(document, dict):
        yield path
        for key, value in document.items():
            yield from _places(value, (*path, key))
    if isinstance(document, list) and document:
        yield from _places(document[0], (*path, 0))


def _at(document: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        document = document[key]
    return document


@pytest.mark.parametrize("name", FULLEST)
def test_a_key_too_few_a_key_too_many_and_another_type_are_found(
    name: str, written: dict[str, documents.Document]
) -> None:
    schema, document = written[f"{name}: {FULLEST[name]}"]
    assert fits(schema, document)
    for key in document:
        less = {other: value for other, value in document.items() if other != key}
        optional = key not in SCHEMAS[name].get("required", document) or key in ("clusters", "weights", "strata")
        assert optional or not fits(schema, less), f"without {key}"
        assert not fits(schema, {**document, key: {"another": ["type"]}}), f"another type of {key}"
    assert not fits(schema, {**document, "another": 1})
    assert not fits(schema, [document])


# Objects whose keys are names from the data: they may have any keys.
NAMED = {
    "pred",
    "score",
    "threshold",
    "values",
    "rows",
    "mean ranks",
    "sd over folds",
    "unanswered",
    "systems",
    "groups",
}


@pytest.mark.parametrize("name", FULLEST)
def test_a_key_too_many_is_found_at_any_depth(name: str, written: dict[str, documents.Document]) -> None:
    schema, document = written[f"{name}: {FULLEST[name]}"]
    checked = 0
    for path in _places(document):
        if path and (path[-1] in NAMED or (len(path) > 1 and path[-2] in NAMED and isinstance(path[-1], str))):
            continue
        changed = copy.deepcopy(document)
        _at(changed, path)["a key that no schema has"] = 1
        assert not fits(schema, changed), path
        checked += 1
    assert checked


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("report", ("rows", 0, "method"), "magic"),
        ("report", ("rows", 0, "test"), "magic"),
        ("report", ("rows", 0, "level"), 95),
        ("report", ("rows", 0, "n"), 1.5),
        ("report", ("rows", 0, "value"), "0.5"),
        ("report", ("rows", 0, "quantity"), "guess"),
        ("report", ("schema",), 2),
        ("report", ("contest", "comparisons", 0, "outcome"), "great"),
        ("report", ("contest", "comparisons", 0, "p_value"), 1.2),
        ("report", ("asked", "level"), "high"),
        ("comparison", ("alternative",), "more"),
        ("comparison", ("both_sides",), [0.1]),
        ("comparison", ("statistic", "name"), "u"),
        ("estimate", ("signature",), "no signature"),
        ("estimate", ("value",), "infinite"),
        ("tune", ("steadiness", "misses"), 2),
        ("plan", ("plans",), []),
        ("counts", ("schema",), 1),
        ("tally", ("counts",), [-1]),
        ("tally", ("kind",), "another"),
        ("curves", ("points", 0, "part"), "line"),
    ],
)
def test_a_value_that_cannot_be_is_found(
    name: str, path: tuple[Any, ...], value: Any, written: dict[str, documents.Document]
) -> None:
    schema, document = written[f"{name}: {FULLEST[name]}"]
    changed = copy.deepcopy(document)
    _at(changed, path[:-1])[path[-1]] = value
    assert not fits(schema, changed)


def test_the_page_has_the_fields_as_they_are() -> None:
    text = files.PAGE.read_text(encoding="utf-8")
    assert files.renewed(text) == text, "run: python -m scripts.reference.schemas"
    assert [name for _, name, _ in files.TABLES.findall(text)] == list(files.schemas())


def test_every_field_has_a_description() -> None:
    def bare(schema: Any, place: str) -> Iterator[str]:
        if isinstance(schema, dict):
            for name, field in schema.get("properties", {}).items() if "required" in schema else ():
                if not field.get("description"):
                    yield f"{place}.{name}"
            for key, value in schema.items():
                yield from bare(value, f"{place}.{key}")
        if isinstance(schema, list):
            for value in schema:
                yield from bare(value, place)

    assert [place for name, schema in SCHEMAS.items() for place in bare(schema, name)] == []
