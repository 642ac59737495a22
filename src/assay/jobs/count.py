"""From the user's data to tallies: which columns, which files, and where the numbers came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import DataError, OptionError, plural
from assay.jobs.question import Question
from assay.notes import NOT_MEANT, Aside, Urgent
from assay.tally.contract.base import Tally
from assay.tally.contract.systems import Systems

if TYPE_CHECKING:
    from assay.sources.relabel import Clash, Relabeled
    from assay.tally.count.counts import Counts

MOST_SHOWN = 4  # rewritten labels that a note lists
AS_COUNTED = "Stored counts keep labels as they were written, so count the rows again."


@dataclass(frozen=True)
class Counted:
    """Tallies of every system and group, where they came from, and what a reader must know about the counting."""

    systems: Systems
    slices: Sequence[Any] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    together: Any = None  # the systems over the same units, where the rows themselves were counted
    relabeled: Relabeled | None = None

    def notes_of(self, name: str) -> list[str]:
        """What a reader must know about how one system's answers were counted."""
        out, facts = [], self.provenance
        lacking = facts.get("unanswered", {}).get(name)
        if lacking:
            out.append(f"no prediction for {plural(lacking, 'row')}, counted as wrong")
        columns = facts.get("score", {}).get(name)
        if columns is None or name in facts.get("pred", {}):
            return out
        if not isinstance(columns, str):
            out.append(Aside("each label is the class with the highest score"))
        elif name not in facts.get("threshold", {}):
            out.append(
                "no labels: the scores lie outside [0, 1]; set --threshold, at or above which an item is positive"
            )
        return out

    @property
    def scored(self) -> dict[str, Tally]:
        """The scores of every system that has some."""
        from assay.tally.class_scores import ClassScored
        from assay.tally.scores import Scored

        return {name: tally for name, tally in self.systems.every() if isinstance(tally, Scored | ClassScored)}


def counted(data: Any, asked: Question, *, part: bool = False, judged: bool = True) -> Counted:
    """Count a file, a frame, a mapping of columns or files of several systems; a tally is already counted.

    A `part`, such as one of several files, may lack labels that a map names. Where predicted labels are not `judged`,
    because scores are, it does not matter how they are written.
    """
    from assay.tally.contract.joint import Joint
    from assay.tally.count.counts import Counts, Together

    source = "a stored tally" if isinstance(data, Counts) else "counts as given"
    if isinstance(data, Joint):
        sides = dict(zip(data.names, (data.a, data.b), strict=True))
        data = Counts({name: side.collected() for name, side in sides.items()}, together=Together(Systems(sides)))
    elif isinstance(data, Mapping) and data and all(isinstance(each, Tally) for each in data.values()):
        data = Counts(data)
    elif isinstance(data, Tally):
        data = Counts({"system": data})
    if isinstance(data, Counts):
        _refuse_for_tally(asked)
        return _with_clashes(_of_counts(data, {"source": source}))
    if isinstance(data, str | Path) and Path(data).suffix.lower() == ".json":
        counts = stored_counts(Path(data))
        if asked.positive is not None:
            counts, asked = counts.with_positive(asked.positive), replace(asked, positive=None)
        insisting = asked.labels == "observed"
        _refuse_for_tally(replace(asked, labels=None) if insisting else asked)
        found = _of_counts(counts, {"source": Path(data).name})
        if not insisting:
            refuse_strangers(counts, Path(data).name)
        return _with_clashes(found)
    return _of_table(data, asked, part=part, judged=judged)


def count_file(data: Any, asked: Question) -> Any:
    """The counts of a table, as they are stored."""
    return _counts(data, asked)[0]


def stored_counts(path: Path) -> Any:
    """The counts in a file that 'assay tally' or 'assay merge' wrote."""
    from assay.tally.contract.schema import read_stored
    from assay.tally.count.counts import Counts

    text = read_stored(path)
    if text.lstrip().startswith("["):
        raise DataError(f"'{path}' contains a list; write rows as JSON Lines, one object per line (.jsonl).")
    return Counts.from_json(text, f"'{path}'")


def refuse_strangers(counts: Counts, source: str, before: str = AS_COUNTED) -> None:
    """Refuse counts in which gold and the predictions of a system share no label, unless classes were declared."""
    for name, tally in counts.systems.items():
        clash = _clash(counts.systems, name, tally)
        if clash is not None and clash.strangers and not getattr(tally, "absent", ()):
            raise DataError(f"{source}: {clash.sentence(name, before)}")


def _refuse_for_tally(asked: Question) -> None:
    extra = list(asked.given())
    if extra:
        raise OptionError(f"{extra[0]}= does not apply to a tally, which is counted already.")


def _of_table(data: Any, asked: Question, *, part: bool, judged: bool) -> Counted:
    from assay.sources.inspect import id_like_repeats

    counts, facts, table, roles = _counts(data, asked)
    found = _of_counts(counts, facts)
    if found.relabeled is not None and not part:
        found.relabeled.refuse_unused(asked.relabeling)
    if judged and asked.labels is None:  # an explicit list of classes overrides this check
        found = _with_clashes(found, table.name, list(roles.preds))
    repeats = None if roles.cluster is not None else id_like_repeats(table, roles.used)
    if repeats is None:
        return found
    told = {"column": repeats.column, "values": repeats.distinct, "rows": repeats.rows}
    return replace(found, notes=(*found.notes, str(repeats)), provenance={**found.provenance, "possible cluster": told})


def _with_clashes(found: Counted, source: str | None = None, answering: Sequence[str] | None = None) -> Counted:
    """Add notes on labels that gold and predictions write differently.

    Stop where the rows of a table (`source`) can hardly mean what they say; stored counts cannot be counted again here,
    so they only get a note.
    """
    notes: list[str] = []
    for name, tally in found.systems.items():
        if answering is not None and name not in answering:
            continue
        clash = _clash(found.systems, name, tally, stored=source is None)
        if clash is None:
            continue
        if clash.stops and source is not None:
            raise DataError(f"{source}: {clash.sentence(name)}")
        if clash.stops:
            told = f"in the rows that were counted, {clash.sentence(name).removesuffix('.')}"
            notes.append(Urgent(told, NOT_MEANT))
        elif clash.cases:
            notes.append(clash.note(name))
    return replace(found, notes=(*found.notes, *notes)) if notes else found


def _clash(systems: Systems, name: str, tally: Tally, *, stored: bool = True) -> Clash | None:
    """How gold and the predictions of a system clash, if they do; labels derived from scores do not."""
    from assay.tally.contract.codes import label_clash
    from assay.tally.guesses import Guessed

    clash = label_clash(tally) if getattr(tally, "threshold", None) is None else None
    if clash is None:
        return None
    # With two classes, gold may be all of one and the predictions all of the other.
    if stored and clash.strangers and not clash.flags and len(clash.gold) == len(clash.answers) == 1:
        return None
    further = systems.of(name, Guessed)
    if further is not None and further.keys["place"].any():
        return replace(clash, strangers=False)  # gold may be a further guess instead of the first
    return clash


def _counts(data: Any, asked: Question) -> tuple[Any, dict[str, Any], Any, Any]:
    """The counts of a table, where they came from, the table itself and the roles of its columns."""
    from assay.jobs.question import cuts_of, table_and_roles
    from assay.tally.count.engine import count_predictions

    table, roles, facts = table_and_roles(data, asked)
    how: dict[str, Any] = {"labels": asked.labels, "positive": asked.positive, "missing": asked.missing}
    counts = count_predictions(table, roles, **how, cuts=cuts_of(asked, roles), relabeling=asked.relabeling)
    facts = {"source": table.name, "gold": roles.gold, "pred": dict(roles.preds), **facts}
    if roles.scores or roles.class_scores:
        facts["score"] = {**roles.scores, **{name: list(of.values()) for name, of in roles.class_scores.items()}}
    for role in ("cluster", "weight", "count"):
        if getattr(roles, role) is not None:
            facts[role] = getattr(roles, role)
    return counts, facts, table, roles


def _of_counts(counts: Counts, facts: Mapping[str, Any]) -> Counted:
    """What was counted, with notes on what was left out or counted as wrong."""
    from assay.tally.class_scores import ClassScored
    from assay.tally.count.counts import Together
    from assay.tally.labels import Confusion
    from assay.tally.scores import Scored

    first, notes = counts.first, []
    more: dict[str, Any] = {"n": first.n, "gold fingerprint": first.fingerprint}
    if first.clusters is not None:
        more["clusters"] = len(first.clusters.names)
    if counts.skipped:
        more["skipped"] = counts.skipped
        notes.append(f"{plural(counts.skipped, 'row')} left out because a label, a prediction or a score is missing")
    if counts.unanswered:
        more["unanswered"] = dict(counts.unanswered)
    if counts.relabeled is not None:
        more["labels rewritten"] = {"labels": len(counts.relabeled.changes), "rows": counts.relabeled.rows}
        notes.append(_rewritten(counts.relabeled))
    for system, n in facts.get("predictions without gold", {}).items():
        notes.append(f"{plural(n, 'prediction')} of {system} left out because the id is not in gold")
    for slicing in counts.slices:
        if slicing.without:
            one = slicing.without == 1
            notes.append(
                f"{plural(slicing.without, 'row')} {'has' if one else 'have'} no value in '{slicing.column}' and "
                f"{'is' if one else 'are'} in no group"
            )
    if counts.slices:
        more["slices"] = [slicing.column for slicing in counts.slices]
    labeled = counts.systems.each(Confusion)
    cut = {name: tally.threshold for name, tally in labeled.items() if tally.threshold is not None}
    if cut:
        more["threshold"] = cut
    if counts.systems.each(ClassScored):
        more["kept"] = "every row: the scores of all classes belong together"
    for tally in counts.systems.each(Scored).values():
        more |= {"score bins": tally.bins} if tally.bins else {}
    together = counts.together or Together.by_name(counts.systems)
    return Counted(counts.systems, counts.slices, {**facts, **more}, tuple(notes), together, counts.relabeled)


def _rewritten(done: Relabeled) -> str:
    """Which labels were rewritten, and how."""
    if not done.changes:
        return "no label had to be rewritten before labels were compared"
    shown = ", ".join(f"“{old}” → “{new}”" for old, new in list(done.changes.items())[:MOST_SHOWN])
    left = len(done.changes) - MOST_SHOWN
    more = f" and {left} more" if left > 0 else ""
    was = "was" if len(done.changes) == 1 else "were"
    return (
        f"{plural(len(done.changes), 'label')} in {plural(done.rows, 'row')} {was} rewritten before labels were "
        f"compared: {shown}{more}"
    )
