"""The rows on which systems give different answers, and the draws behind a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

from assay.errors import OptionError, listed, written
from assay.jobs.answers.results import Report
from assay.jobs.question import Question, table_and_roles
from assay.options.evaluating import Columns
from assay.options.option import part_of, takes
from assay.result import Result
from assay.texts import csv_text


class Disagreements(list[dict[str, str]], Result):
    """The rows on which systems give different answers: a list of mappings from column names to text."""

    def to_dict(self) -> dict[str, Any]:
        """The rows in JSON's own types."""
        return {"rows": list(self)}

    def frame_rows(self) -> list[dict[str, Any]]:
        """The rows."""
        return [dict(row) for row in self]

    def __str__(self) -> str:
        return self.to_text()


@takes(Columns)
def disagreements(data: Any, **columns: Unpack[Columns]) -> Disagreements:
    """Id, gold label, every system's answer and who is right, for each row on which the answers differ.

    Columns of scores are listed too, and the rows that a system is surest of come first.
    Columns and files are named as for `evaluate`.
    """
    from assay.sources.frames import count_rows

    asked = Question(**part_of(columns, Columns))
    table, roles, _ = table_and_roles(data, asked)
    if roles.class_scores:
        how = written("--score", "scores=")
        raise OptionError(f"rows that differ are listed by labels, or by scores for one class; name those with {how}.")
    key = _key(asked, table)
    read = list(dict.fromkeys([key, roles.gold, *roles.preds.values(), *roles.scores.values()]))
    lone = [name for name in roles.scores if name not in roles.preds]
    some = table if lone else _differing(table, list(roles.preds.values()))
    texts, counts = count_rows(some, read, labels=[roles.gold, *roles.preds.values()])
    if asked.relabeling:
        texts |= {column: asked.relabeling.texts(texts[column]) for column in (roles.gold, *roles.preds.values())}
    answering = _Answering.of(table, asked, roles)
    rows = []
    for i in range(len(counts)):
        row = answering({column: texts[column][i] for column in read}, key)
        if row is not None:
            rows += [row] * int(counts[i])
    rows.sort(key=lambda row: (len(row["id"]), row["id"]) if row["id"].isdigit() else (1 << 30, row["id"]))
    return Disagreements(sorted(rows, key=lambda row: -answering.surest(row)) if roles.scores else rows)


def _key(asked: Question, table: Any) -> str:
    from assay.sources.columns import ALIASES, called, find

    if asked.id is None and not called(ALIASES["id"], table.columns):
        how = written("--id", "id=")
        raise OptionError(f"which column identifies the rows? Name it with {how} to list the rows that differ.")
    return find("id", table.columns, asked.id, source=table.name)


@dataclass(frozen=True)
class _Answering:
    """What every system answers to a row, by its labels or by its scores."""

    roles: Any
    skip: bool
    classes: tuple[str, str] | None  # of systems that are judged by scores: the negative one, and the positive one
    cuts: Mapping[str, float]

    @classmethod
    def of(cls, table: Any, asked: Question, roles: Any) -> _Answering:
        if not roles.scores:
            return cls(roles, asked.missing == "skip", None, {})
        from assay.jobs.count import counted

        found = counted(table, asked)
        classes = next(iter(found.scored.values())).labels  # type: ignore[attr-defined]
        lone = {
            name: found.provenance.get("threshold", {}).get(name) for name in roles.scores if name not in roles.preds
        }
        lacking = [name for name, cut in lone.items() if cut is None]
        if lacking:
            raise OptionError(
                f"{listed(lacking)} has scores outside [0, 1] and no labels; give "
                f"{written('--threshold', 'threshold=')} to list rows."
            )
        return cls(roles, asked.missing == "skip", classes, lone)

    def __call__(self, row: Mapping[str, str | None], key: str) -> dict[str, str] | None:
        """The row as it is listed, or None where all answers are the same or the row was not compared."""
        answers = {
            name: row[self.roles.preds[name]] if name in self.roles.preds else None for name in self.roles.systems
        }
        for name, cut in self.cuts.items():
            text = row[self.roles.scores[name]]
            assert self.classes is not None
            answers[name] = None if text is None else self.classes[float(text) >= cut]
        gold = row[self.roles.gold]
        if len(set(answers.values())) == 1 or (self.skip and None in (gold, *answers.values())):
            return None
        right = [system for system, answer in answers.items() if answer is not None and answer == gold]
        beside = {f"{system} score": row[column] for system, column in self.roles.scores.items()}
        out = {"id": row[key], "gold": gold, **answers, **beside, "right": " ".join(right) or "none"}
        return {name: "" if text is None else text for name, text in out.items()}

    def surest(self, row: Mapping[str, str]) -> float:
        """How sure the surest system is of its own answer; a system without a score is not sure at all."""
        found = [0.0]
        for system in self.roles.scores:
            text = row[f"{system} score"]
            if text:
                assert self.classes is not None
                score = float(text)
                found.append(score if row[system] == self.classes[1] else 1 - score)
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


def listed_as_csv(rows: Sequence[Mapping[str, str]], systems: Sequence[str], *, raw: bool = False) -> str:
    """The rows as CSV that is safe to open in a spreadsheet, unless text is to stay as it is (`raw`)."""
    names = list(rows[0]) if rows else ["id", "gold", *systems, "right"]
    return csv_text([names, *([row[name] for name in names] for row in rows)], raw=raw)


def replicates(report: Report, *, raw: bool = False) -> str:
    """Every draw of the difference and, where the test drew any, of the null hypothesis, as CSV."""
    rows: list[list[Any]] = [["a", "b", "measure", "of", "draw", "value"]]
    for c in () if report.contest is None else report.contest.tested:
        if c.replicates is None:
            raise OptionError(f"the comparison of {c.names[0]} and {c.names[1]} has no replicates: {c.reason}.")
        for of in ("difference", "null"):
            if of == "null" and c.extreme is None and c.test != "randomization":
                continue
            for i, value in enumerate(c.replicates(of).tolist(), start=1):
                rows.append([*c.names, c.a.measure, of, i, "" if value != value else repr(value)])
    return csv_text(rows, raw=raw)
