"""The rows on which systems do not all answer alike, one by one."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.errors import OptionError
from assay.report.counted import Question, table_and_roles

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would run


def disagreements(data: Any, asked: Question) -> list[dict[str, str]]:
    """Id, gold label, every system's answer and who is right, for each row on which the answers differ."""
    from assay.sources.columns import ALIASES, find
    from assay.sources.frames import count_rows

    table, roles, _ = table_and_roles(data, asked)
    preds = dict(roles.preds)
    if asked.id is None and not any(name.casefold() in ALIASES["id"] for name in table.columns):
        raise OptionError("which column tells the rows apart? Name it with --id to list the rows that differ.")
    key = find("id", table.columns, asked.id, source=table.name)
    columns = [key, roles.gold, *dict.fromkeys(preds.values())]
    texts, counts = count_rows(_differing(table, list(preds.values())), columns, labels=[roles.gold, *preds.values()])
    out = []
    for i in range(len(counts)):
        answers = {system: texts[column][i] for system, column in preds.items()}
        if len(set(answers.values())) == 1:
            continue
        gold = texts[roles.gold][i]
        if asked.missing == "skip" and None in (gold, *answers.values()):
            continue  # such rows were not compared
        right = [system for system, answer in answers.items() if answer is not None and answer == gold]
        row = {"id": texts[key][i], "gold": gold, **answers, "right": " ".join(right) or "none"}
        out += [{name: "" if text is None else text for name, text in row.items()}] * int(counts[i])
    return sorted(out, key=lambda row: (len(row["id"]), row["id"]) if row["id"].isdigit() else (1 << 30, row["id"]))


def _differing(table: Any, columns: Sequence[str]) -> Any:
    """The table without most of the rows on which all answers are the same."""
    if isinstance(table.frame, Mapping):
        return table
    import narwhals as nw

    first, *rest = (nw.col(f"c{table.columns.index(column)}") for column in columns)
    apart: Any = None
    for other in rest:
        differs = (first.cast(nw.String) != other.cast(nw.String)) | first.is_null() | other.is_null()
        apart = differs if apart is None else apart | differs
    return replace(table, frame=table.frame.filter(apart))


def listed_as_csv(rows: Sequence[Mapping[str, str]], systems: Sequence[str]) -> str:
    """The rows as CSV that is safe to open in a spreadsheet: text that would run as a formula gets an apostrophe."""
    out = io.StringIO()
    writer = csv.DictWriter(out, ["id", "gold", *systems, "right"], lineterminator="\n")
    writer.writerow({name: harmless(name) for name in writer.fieldnames})
    writer.writerows({name: harmless(text) for name, text in row.items()} for row in rows)
    return out.getvalue()


def harmless(text: str) -> str:
    """The text, with an apostrophe before what a spreadsheet would run; a number stays a number."""
    if not text.startswith(FORMULA):
        return text
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text
