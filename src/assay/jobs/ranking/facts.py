"""What a reader must know about judgments and runs: what is missing, what was never judged, and where ties are cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import plural, written
from assay.jobs.ranking.runs import Runs
from assay.measures.declare.catalogue import resolve, titled
from assay.notes import Aside
from assay.tally.contract.sampling import Floats
from assay.tally.lists.ranked import Lists
from assay.tally.rankings import Ranked
from assay.texts import numeral

DEPTH = 10  # documents at the top of a list that are looked at, if the primary measure has no cut-off
UNEVEN = 0.05  # of the documents at the top: runs whose judged shares differ by more are not on equal terms


@dataclass(frozen=True)
class Top:
    """The documents at the top of a run's lists."""

    unjudged: float | None  # the share of them that nobody judged; None if there are none
    tied: float  # the share of queries in which a tie is cut off there

    @classmethod
    def of(cls, tally: Ranked, depth: int) -> Top:
        """Those up to this rank, over all queries that count."""
        lists, at = tally.lists, tally.keys["list"]
        top, judged = np.minimum(lists.retrieved, depth)[at].sum(), _judged_at(lists, depth)[at].sum()
        cut = float(_cut_ties(lists, depth)[at].mean())
        return cls(float(1 - judged / top) if top else None, cut)


def _judged_at(lists: Lists, depth: int) -> Floats:
    """How many judged documents each list has up to this rank; a negative grade is no judgment, as in trec_eval."""
    return lists.sum_found((lists.rank <= depth) & (lists.grade >= 0))


def _cut_ties(lists: Lists, depth: int) -> Any:
    """The lists in which documents with equal scores are on both sides of this rank."""
    first, number = lists.tied.columns
    cut = (first <= depth) & (first + number - 1 > depth)
    return np.bincount(lists.tied.owner[cut], minlength=len(lists)) > 0


def depth_of(primary: Any) -> int:
    """The rank at which the measure cuts lists off, or the usual one."""
    measure, options = resolve(primary, {})
    k = {**measure.options, **options}.get("k")
    return int(k) if isinstance(k, int) and not isinstance(k, bool) and k > 0 else DEPTH


def facts_of(runs: Runs, tops: Mapping[str, Top], depth: int) -> dict[str, Any]:
    """Where the numbers come from, for programs."""
    first = runs.first
    facts: dict[str, Any] = {
        "source": runs.source,
        "runs": {name: run.file for name, run in runs.every.items()},
        "n": first.n,
    }
    facts |= {"gold fingerprint": first.fingerprint, "queries judged": runs.judged}
    strangers = {name: tally.strangers for name, tally in runs.tallies.items() if tally.strangers}
    for name, value in (
        ("queries missing", {name: n for name, n in runs.missing.items() if n}),
        ("queries without judgments", strangers),
        ("queries without relevant documents", _without_relevant(first)),
        ("queries left out", runs.left_out),
    ):
        if value:
            facts[name] = value
    unjudged = {name: top.unjudged for name, top in tops.items() if top.unjudged is not None}
    return facts | {"depth": depth, "unjudged": unjudged, "tied": {name: top.tied for name, top in tops.items()}}


def _without_relevant(tally: Ranked) -> int:
    """The queries without a relevant document, left out or not."""
    return tally.skipped or int((tally.lists.relevant_judged[tally.keys["list"]] <= 0).sum())


def notes_on(runs: Runs, tops: Mapping[str, Top], depth: int, primary: Any, asked: Mapping[str, Any]) -> list[str]:
    """What a reader should know, each once."""
    said = [*_missing(runs), *_strangers(runs), *_no_relevant(runs), *_unjudged(tops, depth)]
    said += [] if asked["ties"] else _tied(tops, depth)
    out = "unjudged documents were taken out of the lists, so ranks count judged documents alone"
    return [*said, *_by_trec_eval(runs, primary), *([Aside(out)] if asked["judged_only"] else [])]


def _of_runs(values: Mapping[str, str], *, alone: bool) -> str:
    """A value for each run, with its name where there are several runs."""
    return next(iter(values.values())) if alone else ", ".join(f"{value} ({name})" for name, value in values.items())


def _missing(runs: Runs) -> Iterator[str]:
    """Judged queries that a run does not have."""
    lacking = {name: n for name, n in runs.missing.items() if n}
    if not lacking:
        return
    alone = len(runs.missing) == 1
    number = _of_runs({name: f"{n:,}" for name, n in lacking.items()}, alone=alone)
    of, where = f"of {runs.first.n + runs.left_out:,}", "the run" if alone else "a run"
    if runs.left_out:
        yield f"judged queries missing from {where} were left out: {number} {of}; {runs.first.n:,} are in all runs"
    else:
        yield f"judged queries missing from {where} count as 0: {number} {of}"


def _strangers(runs: Runs) -> Iterator[str]:
    """Queries of a run that have no judgments."""
    found = {name: f"{tally.strangers:,}" for name, tally in runs.tallies.items() if tally.strangers}
    if found:
        yield f"queries without judgments were left out: {_of_runs(found, alone=len(runs.tallies) == 1)}"


def _no_relevant(runs: Runs) -> Iterator[str]:
    """Queries for which there is nothing to find."""
    n, skipped = _without_relevant(runs.first), runs.first.skipped
    if n and skipped:
        yield f"{plural(n, 'query')} without a relevant document {'was' if n == 1 else 'were'} left out"
    elif n:
        yield f"{plural(n, 'query')} {'has' if n == 1 else 'have'} no relevant document and {_counts(n)} as 0"


def _counts(n: int) -> str:
    return "counts" if n == 1 else "count"


def _unjudged(tops: Mapping[str, Top], depth: int) -> Iterator[str]:
    """How much of the top of the lists was never judged, and whether that favors a run."""
    shares = {name: top.unjudged for name, top in tops.items() if top.unjudged is not None}
    if not any(shares.values()):
        return
    told = _of_runs({name: f"{share:.1%}" for name, share in shares.items()}, alone=len(tops) == 1)
    text = f"unjudged documents among the first {depth}: {told}; they count as not relevant"
    low, high = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
    if shares[high] - shares[low] > UNEVEN:
        yield f"{text}, which can favor {low}: its documents were judged more often than those of {high}"
    else:
        yield Aside(text)


def _tied(tops: Mapping[str, Top], depth: int) -> Iterator[str]:
    """How often the order of equal scores decides which documents are at the top."""
    shares = {name: f"{top.tied:.1%}" for name, top in tops.items() if top.tied}
    if not shares:
        return
    told = _of_runs(shares, alone=len(tops) == 1)
    yield (
        f"equal scores on both sides of rank {depth}: in {told} of the queries; the document id decides there, as in "
        f"trec_eval ({written('--ties', 'ties=True')} shows what other orders give)"
    )


def _by_trec_eval(runs: Runs, primary: Any) -> Iterator[str]:
    """What trec_eval's own rule gives, if that is another value: queries in both files, all of them."""
    measure, options = resolve(primary, {})
    told: dict[str, str] = {}
    for name, tally in runs.tallies.items():
        theirs = runs.every[name].by_trec_eval
        own, other = (float(measure.of(each, **options)) for each in (tally, theirs))
        if numeral(own, ".4f") != numeral(other, ".4f"):
            told[name] = f"{other:.4f} over {plural(theirs.n, 'query')}, not {own:.4f} over {tally.n:,}"
    if told:
        yield Aside(
            "trec_eval averages over the queries in both files and counts those without a relevant document as 0: "
            f"{titled(measure.spelled({**measure.options, **options}))} is then "
            f"{_of_runs(told, alone=len(runs.tallies) == 1)}"
        )
