"""The schemas as files, and as tables of fields for people."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from scripts.reference.methods import FOLDER
from scripts.reference.schemas import answers, looking, tallies
from scripts.reference.schemas.parts import Schema

PAGE = FOLDER / "json.md"
TABLES = re.compile(r"(<!-- fields of (\w+) -->\n).*?(<!-- end -->)", re.S)
MOST_NAMES = 8  # that a table lists of an enum


def schemas() -> dict[str, Schema]:
    """Every schema by the name of its file."""
    return {**answers.reports(), **looking.schemas(), **tallies.schemas()}


def written() -> dict[str, str]:
    """The files by name."""
    made = ((name, json.dumps(schema, ensure_ascii=False, indent=2)) for name, schema in schemas().items())
    return {f"{name}.schema.json": text + "\n" for name, text in made}


# ---------------------------------------------------------------------- for people
def tables(name: str) -> str:
    """The fields of one schema: its own, and those of every part that no schema before it has."""
    every = schemas()
    before = list(every)[: list(every).index(name)]
    known = {part: body for each in before for part, body in every[each].get("$defs", {}).items()}
    own = {part: body for part, body in every[name].get("$defs", {}).items() if known.get(part) != body}
    return "\n".join(["", *_tables(every[name], name), *(line for part in own for line in _tables(own[part], part))])


def _tables(schema: Schema, title: str) -> Iterator[str]:
    """The table of an object, then those of the objects in it that have no name."""
    if "properties" not in schema and "patternProperties" not in schema:
        return
    needed = schema.get("required", [])
    yield from (f"`{title}`:", "", "| field | type | what it is |", "|---|---|---|")
    inner = []
    every = {**schema.get("properties", {}), **schema.get("patternProperties", {})}
    for field, about in every.items():
        absent = "" if field in needed or not needed else " *(may be absent)*"
        yield f"| `{field}` | {_type(about, f'{title}.{field}')} | {about.get('description', '')}{absent} |"
        inner += [(_object(about), f"{title}.{field}")]
    yield ""
    for body, place in inner:
        if body is not None:
            yield from _tables(body, place)


def _object(schema: Schema) -> Schema | None:
    """The object with fixed keys that a field holds, maybe in lists; None if it holds none, or one with a name."""
    for body in (schema, *schema.get("anyOf", ())):
        if body.get("properties"):
            return dict(body)
        if isinstance(body.get("items"), dict) and (found := _object(body["items"])) is not None:
            return found
    return None


def _type(schema: Schema, place: str) -> str:
    """What a value may be, in words."""
    if "$ref" in schema:
        return f"`{schema['$ref'].rpartition('/')[2]}`"
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        names = [f"`{json.dumps(each, ensure_ascii=False)}`" for each in schema["enum"]]
        return "a name" if len(names) > MOST_NAMES else " or ".join(names)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(_type(each, place) for each in schema[key]))
    kinds = schema.get("type", "anything")
    return " or ".join(_kind(kind, schema, place) for kind in ([kinds] if isinstance(kinds, str) else kinds))


def _kind(kind: str, schema: Schema, place: str) -> str:
    if kind == "array":
        return f"list of {_type(schema['items'], place)}" if isinstance(schema.get("items"), dict) else "list"
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"object of {_type(values, place)} by name" if isinstance(values, dict) else f"`{place}`"
    return {"string": "text", "integer": "whole number", "boolean": "true or false"}.get(kind, kind)


def renewed(text: str) -> str:
    """The page with its tables as they are now."""
    return TABLES.sub(lambda found: f"{found[1]}{tables(found[2])}\n{found[3]}", text)


def main() -> None:
    """Write the files and the tables."""
    folder = FOLDER / "schemas"
    folder.mkdir(exist_ok=True)
    for name, text in written().items():
        (folder / name).write_text(text, encoding="utf-8")
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"wrote {len(written())} schemas in docs/reference/schemas, and their fields in docs/reference/json.md")
