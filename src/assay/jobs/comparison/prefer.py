"""From judgments of two answers at a time to a report: which are preferred, and which cannot be told apart."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.errors import choose, plural
from assay.jobs.answers.contest import ALL_PAIRS, Contest
from assay.jobs.answers.results import Report, Row
from assay.jobs.answers.row_texts import interval, value_text
from assay.jobs.comparison.match import Match
from assay.jobs.comparison.systems import contested
from assay.jobs.count import Counted
from assay.jobs.judgments import Columns, counted, names_of
from assay.measures.preference_fit import fit
from assay.measures.preferences import pair_views
from assay.options import LEVEL
from assay.options.option import takes, with_defaults
from assay.options.preferring import CLUSTERS, MISSING_WINNERS, PREFER
from assay.sources.frames import table_of
from assay.tables import Cell, Section
from assay.tally.contract.systems import Systems
from assay.tally.count.counts import Together
from assay.tally.preferences import Meetings, Preferences
from assay.texts import p_number, percent
from assay.uncertainty.many.standings import cycles, pair_tests
from assay.uncertainty.one.estimate import estimate as estimated
from assay.uncertainty.one.inversion import Against, value_test
from assay.uncertainty.results import Estimate
from assay.uncertainty.two.pair import How


@takes(*PREFER)
def prefer(
    data: Any,
    *,
    item: str | None = None,
    a: str | None = None,
    b: str | None = None,
    winner: str | None = None,
    judge: str | None = None,
    first: str | None = None,
    cluster: str = "item",
    missing: str = "error",
    without: str | Sequence[str] = (),
    ignore_place: bool = False,
    level: float = LEVEL,
) -> Report:
    """Say which systems are preferred, from a file, a data frame or a mapping of columns with a row for each judgment.

    `a` and `b` name the columns of the two systems, and `winner` the column of the winner: its name, "a" or "b", or a
    word for a tie. `first` names the column of the system shown first, by default that of `a`. Judgments of the same
    `item` belong together, or with cluster="judge" those by the same `judge`; with cluster="judgment" all judgments are
    independent. A missing winner is an error, unless such rows are left out (missing="skip") or counted as ties
    (missing="tie"). Judgments that involve a system in `without` are left out. With `ignore_place`, strengths do not
    allow for which answer was shown first.
    """
    choose(cluster, CLUSTERS, "cluster")
    choose(missing, MISSING_WINNERS, "missing")
    table = table_of(data)
    given = {"item": item, "a": a, "b": b, "winner": winner, "judge": judge, "first": first}
    columns = Columns.of(table, given, cluster)
    left_out = names_of(without)
    every, facts, said = counted(table, columns, cluster, missing, left_out)
    how = How(level=level)
    primary = "bradley_terry(places=False)" if ignore_place else "bradley_terry"
    views = Systems({name: every.about(name) for name in _by_strength(every, places=not ignore_place)})
    found = Counted(views, (), facts, together=Together(views))
    asked: dict[str, Any] = {role: column for role, column in vars(columns).items() if column is not None}
    more = {"cluster": cluster, "missing": missing, "without": left_out, "ignore_place": ignore_place}
    more |= {"level": level}
    usual = with_defaults({}, *PREFER)
    asked |= {name: value for name, value in more.items() if value != usual[name]}
    report = contested(found, Match([primary], None, None, "holm", False, how), asked)
    return _with_preferences(report, every, said, level, places=not ignore_place)


def _by_strength(every: Preferences, *, places: bool) -> list[str]:
    """The systems from the strongest to the weakest; in their listed order where no strengths can be fitted."""
    strengths = fit(Meetings.of(every, every.mass), places).strengths
    return [every.systems[i] for i in np.argsort(-strengths, kind="stable")]


# ---------------------------------------------------------------------- what it adds to a comparison
def _with_preferences(report: Report, every: Preferences, said: Sequence[str], level: float, *, places: bool) -> Report:
    """Add the win rates of each system and each pair, and the effect of being shown first."""
    assert report.contest is not None
    order = [system.name for system in report.systems]
    rates = {name: estimated("win_rate", every.about(name), level=level) for name in order}
    met = sorted(sorted(order.index(name) for name in pair) for pair in pair_views(every))
    views = {(a, b): every.about((a, b)) for a, b in ((order[i], order[j]) for i, j in met)}
    pairs = pair_tests("win_rate", views, 0.5, level=level)
    place = Place(
        value_test("first_place_share", every, 0.5, level=level),
        value_test("first_place_effect", every, 0.0, level=level),
        allowed=places,
        balanced=_is_balanced(every),
    )
    ties = estimated("tie_share", every, level=level)
    sections = [_rates({name: Row.of(e, name) for name, e in rates.items()}, every)]
    sections += [_head_to_head(pairs, order)] if len(order) > 2 else []
    contest = replace(
        report.contest,
        contrast=" ".join([*_cycles(pairs), *_scale(report.contest, places=places)]) or None,
        sections=(*report.contest.sections, *sections, place.section(ties)),
        notes=(*([place.sentence] if place.found else []), *report.contest.notes, *said),
    )
    rows = [Row.of(e, name) for name, e in rates.items()]
    rows += [_row(each, *(each.names or ("", "")), "head to head") for each in pairs]
    rows += [_row(each, "", None, "overall") for each in (place.share, place.effect)]
    rows.append(replace(Row.of(ties, ""), quantity="overall"))
    systems = tuple(replace(s, remarks=(*s.remarks, *rates[s.name].notes)) for s in report.systems)
    return replace(report, rows=(*report.rows, *rows), systems=systems, contest=contest)


def _row(found: Against, system: str, versus: str | None, quantity: str) -> Row:
    row = Row.of(found.estimate, system)
    test = None if found.p_value is None else "interval"
    return replace(row, versus=versus, quantity=quantity, p=found.p_value, p_adjusted=found.p_adjusted, test=test)


def _scale(contest: Contest, *, places: bool) -> Iterator[str]:
    """What a strength means, in a sentence; for two systems, what theirs mean."""
    if all(c.difference is None for c in contest.tested):
        return
    scale = "Strengths are log odds and add up to 0"
    aside = "leaving aside ties and which answer is shown first" if places else "leaving ties aside"
    c = contest.tested[0]
    if len(contest.tested) > 1 or c.difference is None:
        one, two = (f"{_chance(lead):.0%}" for lead in (1, 2))
        means = f"a lead of 1 means winning {one} of the judgments and a lead of 2 means {two}"
    else:
        ahead = c.names[0] if c.difference >= 0 else c.names[1]
        means = f"at this difference {ahead} would win {_chance(abs(c.difference)):.0%} of the judgments"
    yield f"{scale}: {means}, {aside}."


def _chance(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))


# ---------------------------------------------------------------------- tables
def _rates(rates: Mapping[str, Row], every: Preferences) -> Section:
    """How often each system won, tied and lost, and how often it was shown first."""
    rows = []
    for name, row in rates.items():
        points = every.about(name).points
        won, tied, lost = (int(every.counts[points == each].sum()) for each in (1, 0.5, 0))
        first = int(every.counts[every.keys["first"] == every.systems.index(name)].sum())
        counts = (Cell.of(each) for each in (won, tied, lost))
        rows.append((name, (_value(row), *counts, Cell(f"{first / row.n:.0%}" if row.n else "–"))))
    columns = ("win rate", "won", "tied", "lost", "shown first")
    title = "against all others" if len(rates) > 2 else "against each other"
    return Section(title, columns, tuple(rows), "a tie counts as half a win")


def _head_to_head(pairs: Sequence[Against], order: Sequence[str]) -> Section:
    """How often each system won against each other one, the stronger system first."""
    rows, near = [], []
    for i, found in enumerate(pairs):
        a, b = found.names or ("", "")
        p = "–" if found.p_adjusted is None else p_number(found.p_adjusted)
        row = Row.of(found.estimate, a)
        rows.append((f"{a} vs. {b}", (_value(row), Cell.of(row.n), Cell(p))))
        if order.index(b) - order.index(a) == 1:
            near.append(i)
    note = (
        "null hypothesis: the win rate is one half; p is corrected over all pairs (Holm); a win rate rests on the "
        "judgments of its pair alone, and so finds less than strengths, which rest on all judgments"
    )
    brief = tuple(near) if len(order) > ALL_PAIRS else None
    return Section("head to head", ("win rate", "n", "p, Holm"), tuple(rows), note, brief=brief)


def _value(row: Row) -> Cell:
    if row.value is None:
        return Cell("undefined")
    return Cell(value_text(row), "" if row.low is None else interval(row), value=row.value)


# ---------------------------------------------------------------------- notes
@dataclass(frozen=True)
class Place:
    """The effect of being shown first: the share that was won there, and the log odds that it adds in the model.

    The share also depends on which systems were shown first; the model allows for that.
    """

    share: Against
    effect: Against
    allowed: bool  # whether the strengths of the report allow for it
    balanced: bool  # whether every two systems were shown as often one way round as the other

    @property
    def found(self) -> bool:
        """Whether being shown first matters by more than chance would explain."""
        p = self._judged.p_value
        return p is not None and p <= 1 - self._judged.estimate.level

    @property
    def _judged(self) -> Against:
        """The share by itself shows the effect of being shown first only where the design is balanced."""
        return self.share if self.effect.p_value is None and self.balanced else self.effect

    def section(self, ties: Estimate) -> Section:
        """The share won by the answer shown first, what being shown first adds to log odds, and the share of ties."""
        rows = []
        for name, found in (
            ("won by the answer shown first", self.share),
            ("being shown first, in log odds", self.effect),
        ):
            p = Cell("–" if found.p_value is None else p_number(found.p_value))
            rows.append((name, (_value(Row.of(found.estimate, "")), p)))
        rows.append(("ties", (_value(Row.of(ties, "")), Cell(""))))
        return Section("all judgments", ("value", "p"), tuple(rows), "" if self.found else self.sentence)

    @property
    def sentence(self) -> str:
        """Whether being shown first matters, by the model where it can be fitted."""
        found = self._judged
        e, modeled = found.estimate, found is self.effect
        if found.p_value is None or e.value is None or e.low is None or e.high is None:
            return f"whether being shown first matters cannot be told: {e.reason or 'there is no interval'}"
        value, low, high = (_chance(x) if modeled else x for x in (e.value, e.low, e.high))
        who = "of two equally strong systems, the one shown first wins" if modeled else "the answer shown first won"
        aside = "leaving ties aside" if modeled else "with ties counted as half"
        sign = "" if p_number(found.p_value).startswith("<") else "= "
        limits = f"{percent(e.level)} {low:.0%} to {high:.0%}, p {sign}{p_number(found.p_value)}"
        won = f"{who} {value:.0%} of the judgments, {aside} ({limits})"
        if not self.found:
            return f"no significant effect of being shown first was found: {won}"
        if not modeled:
            return f"being shown first matters: {won}"
        allowed = "strengths allow for that, win rates do not" if self.allowed else "no other number allows for that"
        return f"being shown first matters: {won}; {allowed}"


def _is_balanced(every: Preferences) -> bool:
    """Whether every two systems were shown as often one way round as the other."""
    shown = Counter[tuple[int, int]]()
    for first, second, n in zip(
        every.keys["first"].tolist(), every.keys["second"].tolist(), every.counts.tolist(), strict=True
    ):
        shown[first, second] += n
    return all(n == shown[second, first] for (first, second), n in shown.items())


def _cycles(pairs: Sequence[Against]) -> list[str]:
    """Triples that no ranking of the systems fits; each pair can be told apart after correction."""
    found = cycles(each.better for each in pairs if each.better is not None)
    return [
        f"Head to head, {a} beats {b}, {b} beats {c} and {c} beats {a}, each by more than chance would explain (Holm "
        f"over {plural(len(pairs), 'pair')}): no ranking of the three fits."
        for a, b, c in found
    ]
