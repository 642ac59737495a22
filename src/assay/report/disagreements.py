"""The rows on which systems do not all answer alike, one by one."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.errors import DataError, OptionError, listed
from assay.report.counted import Question, table_and_roles

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would run


def disagreements(data: Any, *, scores: Mapping[str, str] | None = None, **columns: Any) -> list[dict[str, str]]:
    """Id, gold label, every system's answer and who is right, for each row on which the answers differ.

    With columns of scores, these are listed too, and the rows of which a system is surest come first. A score is that
    of the positive class where one is named, and otherwise that of the system's own answer. Columns and files are named
    as for `evaluate`.
    """
    from assay.sources.columns import ALIASES, find
    from assay.sources.frames import count_rows

    asked = Question.of(columns)
    table, roles, _ = table_and_roles(data, asked)
    preds = dict(roles.preds)
    if asked.id is None and not any(name.casefold() in ALIASES["id"] for name in table.columns):
        raise OptionError("which column tells the rows apart? Name it with --id to list the rows that differ.")
    key = find("id", table.columns, asked.id, source=table.name)
    scored = _score_columns(scores or {}, preds, table)
    read = list(dict.fromkeys([key, roles.gold, *preds.values(), *scored.values()]))
    texts, counts = count_rows(_differing(table, list(preds.values())), read, labels=[roles.gold, *preds.values()])
    out = []
    for i in range(len(counts)):
        answers = {system: texts[column][i] for system, column in preds.items()}
        if len(set(answers.values())) == 1:
            continue
        gold = texts[roles.gold][i]
        if asked.missing == "skip" and None in (gold, *answers.values()):
            continue  # such rows were not compared
        right = [system for system, answer in answers.items() if answer is not None and answer == gold]
        beside = {f"{system} score": texts[column][i] for system, column in scored.items()}
        row = {"id": texts[key][i], "gold": gold, **answers, **beside, "right": " ".join(right) or "none"}
        out += [{name: "" if text is None else text for name, text in row.items()}] * int(counts[i])
    out.sort(key=lambda row: (len(row["id"]), row["id"]) if row["id"].isdigit() else (1 << 30, row["id"]))
    positive = None if asked.positive is None else str(asked.positive)
    return sorted(out, key=lambda row: -_surest(row, list(scored), positive)) if scored else out


def _score_columns(scores: Mapping[str, str], preds: Mapping[str, str], table: Any) -> dict[str, str]:
    from assay.sources.columns import find

    strangers = [name for name in scores if name not in preds]
    if strangers:
        raise OptionError(f"--score names {listed(strangers)}; the systems are {listed(preds)}.")
    return {name: find("score", table.columns, column, source=table.name) for name, column in scores.items()}


def _surest(row: Mapping[str, str], scored: Sequence[str], positive: str | None) -> float:
    """How sure the surest system is of its own answer; a system without a score is not sure at all."""
    found = [0.0]
    for system in scored:
        text = row[f"{system} score"]
        if not text:
            continue
        try:
            score = float(text)
        except ValueError:
            raise DataError(f"the score of '{system}' for id '{row['id']}' is {text!r}, which is no number.") from None
        found.append(score if positive is None or row[system] == positive else 1 - score)
    return max(found)


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


def listed_as_csv(rows: Sequence[Mapping[str, str]], systems: Sequence[str], scored: Sequence[str] = ()) -> str:
    """The rows as CSV that is safe to open in a spreadsheet: text that would run as a formula gets an apostrophe."""
    out = io.StringIO()
    names = ["id", "gold", *systems, *(f"{name} score" for name in scored), "right"]
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writerow({name: harmless(name) for name in names})
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
