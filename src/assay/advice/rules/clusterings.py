"""Which measures of clusterings to report, from what their data are like."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from assay.advice.commands import Piece, Ways, counted, known, measured, perhaps, share
from assay.advice.facts import Costs, Sizes, sizes_of, summed
from assay.errors import plural
from assay.sources.read.table import Table
from assay.sources.recognize import Recognized
from assay.tally.clusterings import Contingency
from assay.tally.contract.base import Tally

NOISE = ("-1", "noise", "outlier", "outliers")  # how clusterings label items that belong to no group


@dataclass(frozen=True)
class GroupFacts:
    """A clustering's data: items of each gold class and of each group, or how many memberships each item has."""

    family: ClassVar[str] = "clusterings"

    classes: Sizes
    groups: Sizes = ()
    memberships: int = 0  # columns of a soft clustering
    systems: int = 1

    @property
    def n(self) -> int:
        """Items with a gold class."""
        return sum(rows for _, rows in self.classes)

    @property
    def noise(self) -> tuple[str, int] | None:
        """The group of items that belong to none, by its name."""
        return next(((name, rows) for name, rows in self.groups if name.strip().lower() in NOISE), None)


def from_table(table: Table, known: Recognized, positive: object | None = None, costs: Costs = None) -> GroupFacts:
    """The facts about a table with clusterings."""
    gold, cluster = known.column("gold"), known.column("cluster")
    assert gold is not None
    groups = () if cluster is None else sizes_of(table, cluster)
    systems = max(len(known.columns("cluster")), 1)
    return GroupFacts(sizes_of(table, gold), groups, len(known.columns("membership")), systems)


def from_tally(tally: Tally, costs: Costs = None, systems: int = 1) -> GroupFacts | None:
    """The same facts from a tally."""
    if not isinstance(tally, Contingency):
        return None
    classes = summed(tally.classes, tally.keys["gold"], tally)
    return GroupFacts(classes, summed(tally.groups, tally.keys["group"], tally), systems=systems)


def pieces(facts: GroupFacts, ways: Ways) -> list[Piece]:
    """Advice for a clustering, hard or soft."""
    rules = (_soft, _largest_shares) if facts.memberships else (_hard, _noise, _by_item)
    return [piece for rule in rules for piece in rule(facts, ways)]


def told(facts: GroupFacts) -> str:
    """How the items divide into classes and groups."""
    (first, most), classes = facts.classes[0], len(facts.classes)
    gold = f"{facts.n:,} items in {classes:,} {'class' if classes == 1 else 'classes'}"
    hard = f"are divided into {plural(len(facts.groups), 'group')}"
    into = f"have shares in {facts.memberships:,} groups" if facts.memberships else hard
    return f"{gold}, the largest “{first}” with {counted(most, facts.n, 'item')}, {into}."


def _hard(facts: GroupFacts, ways: Ways) -> Iterator[Piece]:
    pairs = facts.n * (facts.n - 1) // 2
    why = (
        f"it compares {pairs:,} pairs of items, needs no mapping between {len(facts.classes):,} classes and "
        f"{plural(len(facts.groups), 'group')}, and is 0 on average by chance, whatever their sizes."
    )
    if len(facts.groups) in (1, facts.n) and len(facts.classes) not in (1, facts.n):
        trivial = "all items are in one group" if len(facts.groups) == 1 else "every item is a group of its own"
        why += f" Here {trivial}, which scores 0; purity or its inverse would be 1."
    yield measured("adjusted_rand", why, ways.clustering("adjusted_rand"), _large_groups(facts))


def _large_groups(facts: GroupFacts) -> str:
    within = [rows * (rows - 1) // 2 for _, rows in facts.groups]
    if not sum(within):
        return "large groups have most of the pairs, so small ones hardly count"
    name, rows = facts.groups[0]
    size = counted(rows, sum(n for _, n in facts.groups), "item")
    return (
        f"large groups count most: “{name}” with {size} has {share(within[0], sum(within))} of the pairs within groups"
    )


def _noise(facts: GroupFacts, ways: Ways) -> Iterator[Piece]:
    if facts.noise is None:
        return
    name, rows = facts.noise
    why = (
        f"“{name}” has {counted(rows, sum(n for _, n in facts.groups), 'item')} and usually means no group at all; "
        "counting it as a group treats them as alike. Report both values, and this share."
    )
    hides = "leaving noise out flatters a clustering that calls every difficult item noise"
    yield Piece("with and without noise", why, None, hides)


def _by_item(facts: GroupFacts, ways: Ways) -> Iterator[Piece]:
    spelling = known(Contingency, "b_cubed_f1", "bcubed_f1", "b_cubed")
    if spelling is not None:
        why = f"it averages over {facts.n:,} items, not over pairs, so a large group counts only by its items."
        yield measured(spelling, why, ways.clustering(spelling), "it is not corrected for chance")


def _soft(facts: GroupFacts, ways: Ways) -> Iterator[Piece]:
    shares = f"every item has shares in {facts.memberships:,} groups, and it uses them to measure how far"
    nmpu = known(None, "nmpu", "normalized_modified_purity")
    hides = "splitting a class into several pure groups costs nothing"
    why = f"{shares} each group consists of one class, without counting groups of a single item as pure."
    yield perhaps("nmPU, normalized modified purity", nmpu, why, hides, None)
    nipu = known(None, "nipu", "normalized_inverse_purity")
    hides = "putting everything into one group costs nothing, so read it together with nmPU"
    yield perhaps(
        "niPU, normalized inverse purity", nipu, f"{shares} each class is gathered in one group.", hides, None
    )


def _largest_shares(facts: GroupFacts, ways: Ways) -> Iterator[Piece]:
    why = "computed from each item's largest share, it can be compared with that of hard clusterings."
    hides = "it discards what makes this clustering soft"
    yield Piece("Adjusted Rand index of the largest shares", why, "adjusted_rand", hides)
