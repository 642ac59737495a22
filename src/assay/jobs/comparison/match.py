"""Who is compared with whom, by which measures, and how any two are compared from what was counted."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from assay.errors import OptionError, choose, did_you_mean, listed, written
from assay.jobs.comparison.items import compared_by_item
from assay.jobs.count import Counted
from assay.jobs.evaluate import Asked, plain
from assay.measures.declare.catalogue import check_measures, resolve
from assay.measures.declare.family import lacking
from assay.measures.declare.measure import Measure
from assay.measures.labels.costs import costs_of
from assay.options import CORRECTIONS, COSTS_OF
from assay.options.evaluating import COMPARISON
from assay.options.option import part_of, with_defaults
from assay.progress import told
from assay.tally.contract.base import Tally
from assay.tally.contract.joint import Joint
from assay.uncertainty.many.corrections import adjust_p_values
from assay.uncertainty.results import Comparison, Estimate
from assay.uncertainty.two.compare import compare_joint
from assay.uncertainty.two.pair import How
from assay.uncertainty.two.unpaired import compared_apart

COST = "expected_cost"
DRAWS_PER_TEST = 20  # draws for each comparison and level of error, so that the smallest p can survive a correction
TWO = "pred={'old': 'v1', 'new': 'v2'}"  # how two systems are named in Python


@dataclass(frozen=True)
class Match:
    """Who is compared with whom, by which measures, and how."""

    measures: Asked = None
    primary: str | Measure | None = None
    baseline: str | None = None
    correction: str = "holm"
    unpaired: bool = False
    how: How = field(default_factory=How)
    costs: Any = None
    item_test: str = ""  # a test of the values of single items, in place of that of `how`

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Match:
        """The match that these options of `compare_systems` ask for."""
        own = {f.name for f in fields(cls)}
        how = part_of(options, *COMPARISON)
        return cls(how=How(**{name: how.pop(name) for name in list(how) if name not in own}), **how)

    def __post_init__(self) -> None:
        choose(self.correction, CORRECTIONS, "correction")
        check_measures(self.measures)

    def priced(self, tallies: Sequence[Tally]) -> tuple[Match, list[str]]:
        """The match with expected_cost at the given costs, and the spelling of the cost to show too.

        It is the measure tested, unless another is named.
        """
        if self.costs is None:
            return self, []
        labeled = read_of(tallies, resolve(COST, {})[0])
        spelled = dict(zip(COSTS_OF, costs_of(plain(self.costs)).spellings(labeled), strict=True))

        def at_costs(wanted: str | Measure) -> str | Measure:
            found, options = resolve(wanted, {})
            bare = found.name == COST and set(options) <= {"of"}
            return spelled[str(options.get("of", "mean"))] if bare else wanted

        some = [self.measures] if isinstance(self.measures, str | Measure) else self.measures
        measures = None if some is None else [at_costs(each) for each in some]
        primary = None if self.primary is None else at_costs(self.primary)
        if primary is None and measures is None:
            primary = spelled["mean"]
        return replace(self, measures=measures, primary=primary), [spelled["mean"]]

    def pairs(self, systems: Sequence[str]) -> list[tuple[str, str]]:
        """Every two systems, or every other system against the baseline."""
        if len(systems) < 2:
            raise OptionError(
                f"a comparison needs two systems; got only {listed(systems)}. Name them, as in "
                f"{written('--pred old=v1 --pred new=v2', TWO)}."
            )
        if self.baseline is None:
            return list(itertools.combinations(systems, 2))
        if self.baseline not in systems:
            hint = did_you_mean(self.baseline, systems)
            raise OptionError(f"the baseline '{self.baseline}' is not one of the systems {listed(systems)}.{hint}")
        return [(name, self.baseline) for name in systems if name != self.baseline]


@dataclass(frozen=True)
class Case:
    """A measure with its options settled for these data, and the class it is of."""

    measure: Measure
    options: Mapping[str, Any]
    class_: str | None


@dataclass(frozen=True)
class Compare:
    """Two systems by one measure, from what was counted."""

    found: Counted
    match: Match
    cases: Sequence[Case]
    estimates: Mapping[tuple[str, int], Estimate]

    def __call__(self, pair: tuple[str, str], i: int, *, tested: bool, draws: int | None = None) -> Comparison:
        """The comparison of a pair by the i-th case."""
        how = self.match.how
        if not tested:
            plain: dict[str, Any] = {"test": "none", "statistic": "auto", "alternative": "two-sided"}
            how = replace(how, **plain, strict=False, raw_p=False, margin=None)
        if draws is not None:
            family = 1 if self.match.correction == "none" else len(self.match.pairs(list(self.found.systems)))
            how = replace(how, n_resamples=draws, family=family)
        if tested and self.match.item_test:
            return self._by_item(pair, i, how)
        try:
            return self._made(pair, i, how)
        except OptionError:
            # A method named for the measure tested gives way for the others shown with it.
            if tested or self.match.measures is not None or how.method == "auto":
                raise
        return self._made(pair, i, replace(how, method="auto"))

    def _made(self, pair: tuple[str, str], i: int, how: How) -> Comparison:
        case, (a, b) = self.cases[i], pair
        if self.match.unpaired:
            tallies = tuple(tally_of(self.found, name, case) for name in pair)
            return compared_apart(case.measure, case.options, tallies, pair, how)
        if self.found.together is None:
            raise OptionError(
                "stored counts keep systems separate, and no longer say which answers belong to the same "
                f"{self.found.systems[a].item}; compare the file they were counted from, or treat the systems as "
                f"separate samples with {written('--unpaired', 'unpaired=True')}."
            )
        both = (self.estimates[a, i], self.estimates[b, i])
        return compare_joint(self._joint(pair, case), case.measure, dict(case.options), how, both)

    def _joint(self, pair: tuple[str, str], case: Case) -> Joint[Any]:
        (a, b), together = pair, self.found.together
        kind = case.measure.on(tally_of(self.found, a, case)).kind
        if together.systems.of(b, kind) is None:
            raise lacking(b, kind, together.systems.held(b))
        joint: Joint[Any] = together.joint(a, b, kind)
        return joint

    def _by_item(self, pair: tuple[str, str], i: int, how: How) -> Comparison:
        case, (a, b) = self.cases[i], pair
        joint = self._joint(pair, case)
        made = compared_by_item(joint, case.measure.bind(joint.a, **case.options), self.match.item_test, how)
        return replace(made, a=self.estimates[a, i], b=self.estimates[b, i])

    def tested(self, pairs: Sequence[tuple[str, str]], i: int) -> list[Comparison]:
        """The comparisons that are tested, with p-values corrected for all of them."""
        how = self.match.how
        enough = math.ceil(DRAWS_PER_TEST * len(pairs) / (1 - how.level)) - 1
        draws = max(how.n_resamples, enough) if len(pairs) > 1 else how.n_resamples
        made = (self(pair, i, tested=True, draws=draws) for pair in pairs)
        found = list(told(made, len(pairs), "comparing"))
        return adjusted_for(found, self.match.correction)


def adjusted_for(comparisons: Sequence[Comparison], correction: str) -> list[Comparison]:
    """The comparisons with p-values corrected for all of them."""
    if len(comparisons) == 1 or correction == "none":
        return list(comparisons)
    by_test = adjust_p_values([c.p_value for c in comparisons], correction)
    by_both = adjust_p_values([c.p for c in comparisons], correction)
    return [
        replace(c, p_adjusted=p, p_value_adjusted=q, correction=correction)
        for c, p, q in zip(comparisons, by_both, by_test, strict=True)
    ]


# ---------------------------------------------------------------------- the tallies of a system
def read_of(tallies: Sequence[Tally], measure: Measure) -> Tally:
    """The tally that the measure can be computed from; the first where there is none, which is reported later."""
    return next((tally for tally in tallies if measure.reads_from(tally)), tallies[0])


def tally_of(found: Counted, name: str, case: Case) -> Tally:
    """The system's tally of the kind that the measure reads."""
    tally = read_of(found.systems.held(name), case.measure)
    if found.together is not None and not case.measure.reads_from(tally):
        raise lacking(name, case.measure.on(tally).kind, found.systems.held(name))
    return tally


# ---------------------------------------------------------------------- what reproduces it
def repeated_match(match: Match) -> dict[str, Any]:
    """The options of the comparison that differ from their defaults, in JSON's own types."""
    usual = with_defaults({}, *COMPARISON)
    asked = {**vars(match.how), **vars(match)}
    out = {name: value for name, value in asked.items() if name in usual and value != usual[name]}
    if match.measures is not None:
        spelled = [match.measures] if isinstance(match.measures, str | Measure) else match.measures
        out["measures"] = [m.name if isinstance(m, Measure) else m for m in spelled]
    if match.costs is not None:
        out["costs"] = plain(match.costs)
    if isinstance(match.primary, Measure):
        out["primary"] = match.primary.name
    return out
