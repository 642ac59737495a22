"""What the opening of a page says about rankings: what a reader meets first, and who is higher on how many queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from assay.errors import plural
from assay.report.contents.blocks import Block
from assay.report.contents.opening import Piece, Split, Told
from assay.report.families.rankings.values import Pair, cut_of, pair_of, values_of
from assay.report.families.view import Material
from assay.report.names import SHORT, cut_alike
from assay.tally.contract.sampling import Floats
from assay.tally.rankings import Ranked
from assay.texts import decimals, numeral, signed

WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
SMALL = 1e-9  # a mean difference that rounding alone can make


def frequencies(material: Material) -> Iterator[Block]:
    """What a reader of the first results meets, and on how many queries each system is higher."""
    values = values_of(material)
    yield _reader(material.of(Ranked), cut_of(values))
    pair = None if values is None else pair_of(material, values)
    told = pair is not None and pair.comparison is not None and pair.comparison.effect.only_a is not None
    if pair is not None and not told:  # of right and wrong answers, others are told
        yield _split(pair)


def _reader(tallies: dict[str, Ranked], k: int) -> Told:
    cut = cut_alike(list(tallies), SHORT)
    first = {cut[name]: tally.lists.first_relevant[tally.keys["list"]] for name, tally in tallies.items()}
    longest = max(int(tally.lists.retrieved.max(initial=1)) for tally in tallies.values())
    k = min(k, max(longest, 1))
    many = len(first) > 1
    said: list[tuple[str, bool]] = []
    ranks = {name: geometric(ranks[ranks <= k]) for name, ranks in first.items()}
    known = [(name, rank) for name, rank in ranks.items() if rank is not None]
    if known:
        said.append(("The first relevant result is at rank ", False))
        for i, (name, rank) in enumerate(known):
            said += [(", " * (i > 0), False), (numeral(rank, ".1f"), True), (f" with {name}" if many else "", False)]
        said.append((" (geometric mean, where there is one). ", False))
    said += _nothing({name: int((ranks > k).sum()) for name, ranks in first.items()}, len(next(iter(first.values()))))
    words = WORDS[k] if k < len(WORDS) else f"{k:,}"
    return Told(f"For a reader of {words} {'result' if k == 1 else 'results'}", (tuple(said),))


def geometric(ranks: Floats) -> float | None:
    """The geometric mean of some ranks; None if there are none."""
    return float(np.exp(np.log(ranks).mean())) if len(ranks) else None


def _nothing(lost: dict[str, int], n: int) -> list[tuple[str, bool]]:
    """On how many queries there is nothing relevant among these results."""
    if not any(lost.values()):
        return [("Every query finds something." if n > 1 else "The query finds something.", False)]
    out: list[tuple[str, bool]] = [(f"Of {plural(n, 'query')}, ", False)]
    for i, (name, count) in enumerate(lost.items()):
        between = "" if i == 0 else " and " if i == len(lost) - 1 else ", "
        out += [(between, False), (f"{count:,}", True)]
        finds = " finds nothing" if count == 1 else " find nothing"
        out += [(finds if i == 0 else "", False), (f" with {name}" if len(lost) > 1 else "", False)]
    return [*out, (".", False)]


# ---------------------------------------------------------------------- query by query
def _split(pair: Pair) -> Split:
    won, same, lost = pair.wins
    a, b = cut_alike(pair.names, SHORT).values()
    word = "better" if pair.lower else "higher"
    pieces = [Piece(won, f"{a} {word} {won:,}", 0), Piece(lost, f"{b} {word} {lost:,}", 1)]
    if same:
        pieces.insert(1, Piece(same, f"same {same:,}"))
    return Split("Query by query", tuple(pieces), " ".join(_carried(pair, (a, b))))


def _carried(pair: Pair, names: Sequence[str]) -> Iterator[str]:
    """How few queries make up half of the net gain, and what is left without the one that gains most."""
    mean, n = pair.mean, len(pair.gain)
    if abs(mean) <= SMALL or n < 2:
        return
    sign = 1 if mean > 0 else -1
    ahead = names[0 if mean > 0 else 1]
    few = queries_of_half(sign * pair.gain * pair.weight)
    yield f"Half of the net gain of {ahead} comes from {plural(few, 'query')};"
    left = without_best(sign * pair.gain, pair.weight) * sign
    left = -left if pair.lower else left
    yield f"without its best query the difference is {signed(left, decimals(*pair.limits))}."


def queries_of_half(gain: Floats) -> int:
    """The fewest queries whose gains make up half of the sum of all gains and losses."""
    best = np.cumsum(np.sort(gain)[::-1])
    return int(np.searchsorted(best[: int(best.argmax()) + 1], gain.sum() / 2 - SMALL)) + 1


def without_best(gain: Floats, weight: Floats) -> float:
    """The mean without the query that gains most."""
    kept = np.arange(len(gain)) != int(gain.argmax())
    return float(np.average(gain[kept], weights=weight[kept]))
