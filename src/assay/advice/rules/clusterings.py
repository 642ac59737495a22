"""Which measures of clusterings to report, from what their data are like."""

from __future__ import annotations

from collections.abc import Iterator

from assay.advice.commands import Piece, Ways, counted, known, measured, perhaps, share
from assay.advice.facts import GroupFacts, summed
from assay.advice.rules.declare import Known, rules
from assay.errors import plural
from assay.sources.recognize import CLUSTERING
from assay.tally.clusterings import Contingency


def group_pieces(facts: GroupFacts, ways: Ways) -> list[Piece]:
    """Advice for a clustering, hard or soft."""
    rules = (_soft, _largest_shares) if facts.memberships else (_hard, _noise, _by_item)
    return [piece for rule in rules for piece in rule(facts, ways)]


def groups_of(facts: GroupFacts) -> str:
    """How the items divide into classes and groups."""
    (first, most), classes = facts.classes[0], len(facts.classes)
    gold = f"{facts.n:,} items of {classes:,} {'class' if classes == 1 else 'classes'}"
    into = f"shares in {facts.memberships:,} groups" if facts.memberships else plural(len(facts.groups), "group")
    return f"{gold}, the largest “{first}” with {counted(most, facts.n, 'item')}, stand against {into}."


def _hard(facts: GroupFacts, ways: Ways) -> Iterator[Piece]:
    pairs = facts.n * (facts.n - 1) // 2
    why = (
        f"it compares {pairs:,} pairs of items, needs no match between the names of {len(facts.classes):,} classes and "
        f"{plural(len(facts.groups), 'group')}, and is 0 by chance whatever their sizes."
    )
    if len(facts.groups) in (1, facts.n) and len(facts.classes) not in (1, facts.n):
        trivial = "all items are in one group" if len(facts.groups) == 1 else "every item is a group of its own"
        why += f" Here {trivial}, which it gives 0; purity or its inverse would give 1."
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
        f"“{name}” has {counted(rows, sum(n for _, n in facts.groups), 'item')} and usually means no group at all; as "
        "a group it takes them for alike. Report both values, and this share."
    )
    hides = "leaving noise out flatters a clustering that calls whatever is difficult noise"
    yield Piece("with and without noise", why, None, hides)


def _by_item(facts: GroupFacts, ways: Ways) -> Iterator[Piece]:
    spelling = known(Contingency, "b_cubed_f1", "bcubed_f1", "b_cubed")
    if spelling is not None:
        why = (
            f"it averages over {facts.n:,} items, not over their pairs, so that a large group counts by its items only."
        )
        yield measured(spelling, why, ways.clustering(spelling), "it is not corrected for chance")


def _soft(facts: GroupFacts, ways: Ways) -> Iterator[Piece]:
    shares = f"every item has shares in {facts.memberships:,} groups, and it weighs"
    nmpu = known(None, "nmpu", "normalized_modified_purity")
    hides = "splitting a class into several pure groups costs nothing"
    why = f"{shares} by them how far each group holds one class, not counting groups of a single item as pure."
    yield perhaps("nmPU, normalized modified purity", nmpu, why, hides, None)
    nipu = known(None, "nipu", "normalized_inverse_purity")
    hides = "putting everything into one group costs nothing, so read it beside nmPU"
    yield perhaps(
        "niPU, normalized inverse purity", nipu, f"{shares} how far one group gathers each class.", hides, None
    )


def _largest_shares(facts: GroupFacts, ways: Ways) -> Iterator[Piece]:
    why = "of each item's largest share, it can be compared with that of hard clusterings."
    hides = "what makes this clustering soft is lost"
    yield Piece("Adjusted Rand index of the largest shares", why, "adjusted_rand", hides)


# ---------------------------------------------------------------------- from a tally
def facts_of(tally: Contingency, known: Known) -> GroupFacts:
    """Items of each class and of each group."""
    classes = summed(tally.classes, tally.keys["gold"], tally)
    return GroupFacts(classes, summed(tally.groups, tally.keys["group"], tally), systems=known.systems)


rules(GroupFacts, CLUSTERING, group_pieces, groups_of, {Contingency: facts_of})
