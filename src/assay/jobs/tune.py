"""A threshold chosen on some rows and judged on others, which must not be those it was chosen on."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from assay.errors import DataError, OptionError, listed, plural, written
from assay.jobs.answers.results import Report, Row, System
from assay.jobs.answers.tuned import Tuned
from assay.jobs.count import counted
from assay.jobs.question import Question
from assay.measures.declare.catalogue import default_measures, titled
from assay.measures.labels.costs import break_even_threshold
from assay.measures.scores.choices import Choice, choice_of, label_measure
from assay.measures.scores.sweep import sweep
from assay.notes import after
from assay.options.option import part_of, takes, with_defaults
from assay.options.thresholds import TUNE, ScoredColumns, Sought, Steadied, Tuning
from assay.sources.columns import ALIASES, called, find
from assay.sources.frames import count_rows, table_of
from assay.tally.contract.base import Tally
from assay.tally.contract.joint import Joint
from assay.tally.count.counts import Counts
from assay.tally.labels import Confusion
from assay.tally.scores import HALF, Scored
from assay.texts import numeral
from assay.uncertainty.curves.targets import search_for
from assay.uncertainty.curves.thresholds import steadiness
from assay.uncertainty.one.estimate import check_drawing, estimate
from assay.uncertainty.results import Comparison, Estimate
from assay.uncertainty.two.compare import compare_joint
from assay.uncertainty.two.pair import How

DISTINCT = 20  # scores; with fewer, different rows are often alike
FIX = "Check a threshold on rows it was not chosen on; if there are none, treat the result as too optimistic."


def refuse_same_data(dev: Any, check: Any) -> None:
    """Stop where both are one file, or one object."""
    named = [isinstance(data, str | os.PathLike) for data in (dev, check)]
    if all(named):
        a, b = Path(dev), Path(check)
        same = str(dev) == str(check) or (a.exists() and b.exists() and a.samefile(b))
    else:
        same = dev is check
    if same:
        raise OptionError(f"the rows to choose on and the rows to check on are the same. {FIX}")


Columns = tuple[str, str]  # of the labels and of the scores


def shared_ids(dev: Any, check: Any, id: str | None, columns: tuple[Columns, Columns]) -> list[str]:
    """Stop where rows are in both tables by their ids; a note where ids are shared by rows that differ.

    `columns` are those of the labels and the scores of each: ids that nobody named may be mere row numbers, which two
    files can share without sharing rows.
    """
    here, there = _id_column(dev, id), _id_column(check, id)
    if here is None or there is None:
        return []
    both = sorted(_ids(dev, here) & _ids(check, there))
    if not both:
        return []
    shared = f"{plural(len(both), 'id')} of column '{there}' {'is' if len(both) == 1 else 'are'} in both"
    alike_too = {str(row[0]) for row in _rows(dev, here, columns[0]) & _rows(check, there, columns[1])}
    if id is not None or alike_too == set(both):
        raise DataError(f"{shared} {dev.name} and {check.name} (first: {listed(both[:3])}). {FIX}")
    return [
        f"{shared} files, {len(alike_too):,} of them with the same score and label; they were taken for row numbers: "
        "name the column with --id if they are ids"
    ]


def _id_column(table: Any, given: str | None) -> str | None:
    if given is not None:
        return find("id", table.columns, given, source=table.name)
    usual = called(ALIASES["id"], table.columns)
    return usual[0] if len(usual) == 1 else None


def _ids(table: Any, column: str) -> set[str]:
    texts, _ = count_rows(table, [column])
    return {str(text) for text in texts[column] if text is not None}


def _rows(table: Any, id: str, columns: Columns) -> set[tuple[Any, ...]]:
    """Every row's id, label and score."""
    texts, _ = count_rows(table, [id, *columns])
    return set(zip(*(texts[column].tolist() for column in (id, *columns)), strict=True))


def alike(dev: Scored, check: Scored) -> list[str]:
    """Stop where both have the same scores and labels throughout; a note where one has those of the other.

    A few distinct scores can agree by chance, so then there is only a note.
    """
    a, b = dev.collected(), check.collected()
    if not np.isin(_units(b), _units(a)).all():
        return []
    many = len(b.scores) >= DISTINCT
    same = np.array_equal(_units(a), _units(b)) and np.array_equal(a.counts, b.counts)
    if same and many:
        raise DataError(f"the rows to check on have the same scores and labels as the rows to choose on. {FIX}")
    if same or many:
        return [
            "every score and label of the rows to check on also occurs among those to choose on: if they are the same "
            "rows, the values are flattered"
        ]
    return []


def _units(tally: Scored) -> Any:
    """The distinct pairs of score and label, as values that can be compared."""
    return tally.keys["score"].astype(np.complex128) + 1j * tally.keys["positive"]


def shared_clusters(dev: Scored, check: Scored) -> list[str]:
    """A note where clusters have rows on both sides."""
    if dev.clusters is None or check.clusters is None:
        return []
    both = sorted(set(dev.clusters.names) & set(check.clusters.names))
    if not both:
        return []
    return [
        f"{plural(len(both), 'cluster')} {'has' if len(both) == 1 else 'have'} rows on both sides "
        f"(first: {listed(both[:3])}): rows of one cluster are alike, so the values are flattered"
    ]


UNNAMED = ("data", "counts as given", "a stored tally")  # the names of sources that have none of their own


@dataclass(frozen=True, eq=False)
class Sample:
    """The scores of some rows, and where they came from."""

    name: str
    system: str
    scores: Scored
    facts: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    table: Any = None  # the rows themselves, where they are at hand

    @property
    def columns(self) -> tuple[str, str]:
        """The columns of the labels and of the scores, in a table that is at hand."""
        return str(self.facts["gold"]), str(self.facts["score"][self.system])


@takes(*TUNE)
def tune(
    dev: Any,
    *,
    score: str | None = None,
    check: Any = None,
    against: float | None = None,
    id: str | None = None,
    **options: Unpack[Tuning],
) -> Tuned:
    """Choose a threshold of scores on `dev` and judge it on `check`: files, frames, or tallies of scores.

    It is chosen for one thing: the costs of a false alarm and a miss, a target such as "recall=0.9", a measure to
    maximize, or Youden's index. With a target in addition to one of the others, only thresholds that meet it compete:
    by their estimate, or by the whole interval (`target_on`). Without `check`, the values are those of `dev` itself,
    and are marked as flattered. On `check`, it is compared with the threshold `against`; where scores are
    probabilities, the default is the break-even threshold of the costs, or 0.5 without costs.
    """
    drawing = with_defaults(options, Steadied)
    check_drawing(**drawing)
    choice = choice_of(**with_defaults(options, Sought), level=drawing["level"])
    asked = Question(**part_of(options, ScoredColumns))
    if check is not None:
        refuse_same_data(dev, check)
    chosen_on = _sample(dev, score, asked, "dev")
    _refuse_one_class(chosen_on)
    judged_on = None if check is None else _sample_to_check(check, score, asked, chosen_on)
    apart = [] if judged_on is None else _apart(chosen_on, judged_on, id)
    search = search_for(chosen_on.scores, choice, **drawing)
    made = Tuned(
        choice=choice,
        found=search.found(),
        steadiness=steadiness(search, **drawing),
        if_calibrated=search.if_calibrated(),
        dev=_described(chosen_on),
        check=None if judged_on is None else _described(judged_on),
        scores=chosen_on.scores,
        warnings=(*apart, *_counting_notes(chosen_on, judged_on)),
    )
    if made.threshold is None:
        return made
    other = _other(chosen_on.scores, choice, judged_on, against)
    if judged_on is not None and other is not None:
        made = replace(made, against=other, comparisons=_compared(judged_on.scores, made, other, How(**drawing)))
    return _judged(made, judged_on or chosen_on, drawing)


# ---------------------------------------------------------------------- rows
def _sample(data: Any, score: str | None, asked: Question, role: str) -> Sample:
    """The scores of a file, a frame, or a tally."""
    table = None
    if not _is_stored(data):
        table = table_of(data)
        name, column = _named(score, table.columns)
        column = find("score", table.columns, column, source=table.name)
        asked = replace(asked, scores={name or column: column})
    found = counted(data if table is None else table, asked)
    scored = {name: tally for name, tally in found.scored.items() if isinstance(tally, Scored)}
    if len(scored) != 1:
        by = written("--score", "score=")
        raise DataError(f"a threshold is chosen for one column of scores; got {listed(scored) or 'none'} ({by}).")
    ((system, scores),) = scored.items()
    name = str(found.provenance["source"])
    facts = {key: value for key, value in found.provenance.items() if key != "threshold"}
    return Sample(role if name in UNNAMED else name, system, scores, facts, found.notes, table)


def _named(score: str | None, columns: Sequence[str]) -> tuple[str | None, str | None]:
    """NAME=COL as a name and a column, and COL alone; a column may have an equals sign in its own name."""
    if score is None or score in columns or "=" not in score:
        return None, score
    name, _, column = score.partition("=")
    return name or None, column


def _sample_to_check(data: Any, score: str | None, asked: Question, dev: Sample) -> Sample:
    """The scores of other rows, with the classes of the rows it was chosen on, whichever of them occur."""
    positive, labels = dev.scores.positive, dev.scores.labels
    if _is_stored(data):
        made = _sample(data, score, Question(), "check")
    elif dev.scores.negative == f"not {positive}":
        made = _sample(data, score, replace(asked, positive=positive), "check")
    else:
        data = table_of(data)
        _refuse_other_classes(data, find("gold", data.columns, asked.gold, source=data.name), dev)
        made = _sample(data, score, replace(asked, positive=positive, labels=labels), "check")
    if made.scores.positive != positive:
        other = made.scores.positive
        raise DataError(f"the scores of {dev.name} are for “{positive}”, those of {made.name} for “{other}”.")
    return made


def _is_stored(data: Any) -> bool:
    """Whether these are counts already, in memory or in a file."""
    return isinstance(data, Tally | Counts) or (isinstance(data, str | Path) and Path(data).suffix.lower() == ".json")


def _refuse_other_classes(table: Any, gold: str, dev: Sample) -> None:
    labels = {str(text) for text in count_rows(table, [gold])[0][gold] if text is not None}
    strangers = sorted(labels - {*dev.scores.labels})
    if strangers:
        raise DataError(
            f"{table.name}: column '{gold}' has {listed(strangers, 3)}, but {dev.name} has only "
            f"{listed(dev.scores.labels)}; the rows to check on must have the same classes."
        )


def _refuse_one_class(dev: Sample) -> None:
    seen = set(dev.scores.keys["positive"].tolist())
    if len(seen) < 2:
        only = dev.scores.positive if True in seen else dev.scores.negative
        raise DataError(f"{dev.name}: every row is “{only}”; choosing a threshold needs rows of both classes.")


def _apart(dev: Sample, check: Sample, id: str | None) -> list[str]:
    """Reasons to doubt that the two samples are different rows of one kind."""
    notes = [*alike(dev.scores, check.scores), *shared_clusters(dev.scores, check.scores)]
    if dev.table is not None and check.table is not None:
        notes += shared_ids(dev.table, check.table, id, (dev.columns, check.columns))
    if dev.scores.probabilities and not check.scores.probabilities:
        notes.append(
            f"the scores of {dev.name} lie between 0 and 1 and those of {check.name} do not: are they of one system?"
        )
    return notes


def _counting_notes(dev: Sample, check: Sample | None) -> list[str]:
    """Notes on reading the rows, with the name of the sample where there are two."""
    if check is None:
        return list(dev.notes)
    return [after(f"{sample.name}: ", note) for sample in (dev, check) for note in sample.notes]


def _described(sample: Sample) -> dict[str, Any]:
    """The facts of a sample, in JSON's own types."""
    scores = sample.scores
    told = {
        "source": sample.name,
        "score": sample.system,
        "n": scores.n,
        "positive": scores.positive,
        "negative": scores.negative,
        "positives": scores.positives,
        "thresholds": len(scores.scores) + 1,
        "probabilities": scores.probabilities,
        "gold fingerprint": scores.fingerprint,
    }
    return told if scores.clusters is None else {**told, "clusters": len(scores.clusters.names)}


# ---------------------------------------------------------------------- values
def _judged(made: Tuned, here: Sample, drawing: Mapping[str, Any]) -> Tuned:
    """Add what the threshold gives on these rows: measures, errors, and what other thresholds would give."""
    assert made.threshold is not None
    tally = here.scores.at(made.threshold)
    estimates = _estimates(tally, made.choice, drawing)
    rows = tuple(Row.of(e, here.system, class_) for e, class_ in estimates)
    shown = {name: titled(name) for name in (*made.choice.measures, "precision", "recall", "f1")}
    shown |= {made.choice.objective: "cost"} if made.choice.costs is not None else {}
    table = sweep(made.scores, list(shown)).section("threshold", shown, made.threshold)
    system = System(
        here.system,
        tallies=(replace(tally, threshold=None),),  # the threshold is named already, and in full
        lead=f"{here.name}{' (flattered)' if made.flattered else ''}: ",
        rows="gold",
        tables=(table,),
        counting=made.notes,
        remarks=tuple(after(f"{titled(e.measure)}: ", note) for e, _ in estimates for note in e.notes),
    )
    drawn = any("|seed:" in row.signature for row in rows)
    more = {"resamples": drawing["n_resamples"], "seed": drawing["random_state"]} if drawn else {}
    report = Report(rows, (system,), {**here.facts, **more, "flattered": made.flattered})
    return replace(made, estimates=tuple(e for e, _ in estimates), report=report, labels=tally)


def _estimates(tally: Confusion, choice: Choice, drawing: Mapping[str, Any]) -> list[tuple[Estimate, str | None]]:
    """The objective, the target and the default measures, each with its class."""
    out = []
    for spelling in dict.fromkeys([*choice.measures, *default_measures(tally)]):
        measure, options = label_measure(spelling)
        for settled, class_ in measure.cases(tally, options):
            out.append((estimate(measure, tally, **drawing, **settled), class_))
    return out


# ---------------------------------------------------------------------- against another threshold
def _other(dev: Scored, choice: Choice, check: Sample | None, against: float | None) -> float | None:
    """The threshold that would have been used without tuning."""
    if against is not None:
        if not math.isfinite(against):
            raise OptionError(f"against is {against}; it must be a finite threshold to compare with, such as 0.5.")
        return float(against)
    if check is None or not (dev.probabilities and check.scores.probabilities):
        return None
    return HALF if choice.costs is None else break_even_threshold(*choice.costs)


def _compared(scores: Scored, made: Tuned, other: float, how: How) -> tuple[Comparison, ...]:
    """The tuned threshold and another one on the same rows; with a target there is no better or worse to test."""
    assert made.threshold is not None
    names = ("the tuned threshold", numeral(other, ".6g"))
    joint = Joint(scores.unmerged_at(made.threshold), scores.unmerged_at(other), names).collected()
    if made.choice.target is not None:
        how = replace(how, test="none")
    out = []
    for spelling in reversed(made.choice.measures):
        measure, options = label_measure(spelling)
        out.append(compare_joint(joint, measure, options, how))
    return tuple(out)
