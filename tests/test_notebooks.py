from __future__ import annotations

import json
import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from scripts.notebooks import FOLDER, NOTEBOOKS, Code, outputs
from tests.pages import Tags

MOST = 600_000  # bytes
LINES = {"type": "array", "items": {"type": "string"}}
COMMON = {"id": {"type": "string", "pattern": "^[a-zA-Z0-9-_]{1,64}$"}, "metadata": {"type": "object"}, "source": LINES}
COUNT = {"type": "integer", "minimum": 1}


def closed(kind: str, named: str | int, **fields: Any) -> dict[str, Any]:
    """An object that has exactly these fields, and this value in the field that says what it is."""
    properties = {kind: {"const": named}, **fields}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


# The part of nbformat's schema for version 4.5 (github.com/jupyter/nbformat) that these notebooks use.
PRINTED = closed("output_type", "stream", name={"enum": ["stdout", "stderr"]}, text=LINES)
SHOWN = closed(
    "output_type",
    "execute_result",
    execution_count=COUNT,
    metadata={"type": "object"},
    data={"type": "object", "additionalProperties": LINES, "required": ["text/plain"]},
)
RUN = {"type": "array", "items": {"oneOf": [PRINTED, SHOWN]}}
CELLS = [
    closed("cell_type", "markdown", **COMMON),
    closed("cell_type", "code", **COMMON, execution_count=COUNT, outputs=RUN),
]
SCHEMA = closed(
    "nbformat",
    4,
    nbformat_minor={"const": 5},
    metadata={"type": "object", "required": ["kernelspec", "language_info"]},
    cells={"type": "array", "items": {"oneOf": CELLS}},
)


def stored(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))


def unversioned(text: str) -> str:
    return re.sub(r"(assay[: ])\d[\w.]*\d", r"\1", text)


def read(output: dict[str, Any]) -> list[str]:
    """What a person reads of an output: text as it is, and the words of a page."""
    texts = ["".join(output.get("text", ()))]
    for kind, text in sorted(output.get("data", {}).items()):
        texts.append(Tags("".join(text)).text if kind == "text/html" else "".join(text))
    return [unversioned(text) for text in texts]


def test_every_notebook_has_its_cells_in_the_script() -> None:
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(NOTEBOOKS)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_is_valid_and_no_larger_than_it_may_be(name: str) -> None:
    Draft202012Validator(SCHEMA).validate(stored(name))
    ids = [cell["id"] for cell in stored(name)["cells"]]
    assert len(ids) == len(set(ids))
    assert (FOLDER / f"{name}.ipynb").stat().st_size < MOST


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_has_the_cells_of_the_script(name: str) -> None:
    kinds = [("code" if isinstance(cell, Code) else "markdown", cell.source.strip()) for cell in NOTEBOOKS[name]]
    assert [(cell["cell_type"], "".join(cell["source"])) for cell in stored(name)["cells"]] == kinds


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_cells_of_a_notebook_give_what_it_shows(name: str) -> None:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    code = [cell for cell in stored(name)["cells"] if cell["cell_type"] == "code"]
    for count, cell in enumerate(code, 1):
        found = outputs("".join(cell["source"]), namespace, count)
        assert cell["execution_count"] == count
        assert [(each["output_type"], read(each)) for each in cell["outputs"]] == [
            (each["output_type"], read(each)) for each in found
        ], "run: python scripts/notebooks.py"


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_shows_one_page_without_scripts_and_names_no_folder(name: str) -> None:
    shown = [each["data"] for cell in stored(name)["cells"] for each in cell.get("outputs", ()) if "data" in each]
    pages = ["".join(data["text/html"]) for data in shown if "text/html" in data]
    assert len(pages) == 1
    assert Tags(pages[0]).scripts == 0
    assert not re.search(r"/(home|tmp|work|usr|Users)/", json.dumps(stored(name)))
