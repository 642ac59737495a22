"""From a file with the answers of several systems to a report that says which of them differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any, Unpack

import numpy as np

from assay.errors import DataError, OptionError, a_type, in_plural, joined, listed, plural, written
from assay.jobs.answers.contest import Contest, Standing
from assay.jobs.answers.results import Report, Row, System, next_to_differences
from assay.jobs.comparison.match import Case, Compare, Match, read_of, repeated_match, tally_of
from assay.jobs.comparison.slices import Grouped, grouped
from assay.jobs.count import Counted, counted
from assay.jobs.evaluate import Asked, beside_guesses, repeated
from assay.jobs.question import Question
from assay.lazily import shown
from assay.measures.declare.catalogue import default_measures, primary_measure, resolve, single_case, titled
from assay.measures.declare.measure import Measure
from assay.notes import Aside, after, note_of
from assay.options.evaluating import COMPARE, COMPARISON, Columns, Comparing
from assay.options.option import options_of, part_of, refuse_unknown, takes
from assay.sources.columns import as_columns
from assay.tables import Cell, Section
from assay.tally.contract.base import Tally
from assay.tally.contract.systems import Systems
from assay.texts import p_number
from assay.uncertainty.many.standings import cochrans_q, letters, rank_ranges, tie_groups
from assay.uncertainty.one.estimate import estimate
from assay.uncertainty.results import Comparison, Estimate
from assay.uncertainty.two.pair import How


def with_own_gold(asked: Question, *, unpaired: bool) -> Counted:
    """Count systems that came without a file of gold labels."""
    if not asked.systems or len(asked.systems) < 2:
        raise OptionError(
            written(
                "what should be compared? Name a file with the answers of two systems, as in 'assay compare preds.csv "
                "--gold label --pred old=v1 --pred new=v2', or a file for each: --system old=v1.csv --system "
                "new=v2.csv.",
                "what should be compared? Give data with the answers of two systems, as in compare_systems(data, "
                "gold='label', pred={'old': 'v1', 'new': 'v2'}), or a table for each: systems={'old': 'v1.csv', "
                "'new': 'v2.csv'}.",
            )
        )
    if unpaired:
        return _apart(asked)
    first = next(iter(asked.systems.values()))
    _refuse_other_gold(first, asked)
    return counted(first, asked)


def _apart(asked: Question) -> Counted:
    """Each system counted on its own rows, over the classes of all of them."""
    assert asked.systems is not None
    if asked.slices:
        raise OptionError(
            f"systems on separate samples have no groups in common, so {written('--slice', 'slices=')} does not apply "
            f"to {written('--unpaired', 'unpaired=True')} with a file for each; evaluate each file by itself to see "
            "its groups."
        )
    each: dict[str, Counted] = {}
    for name, data in asked.systems.items():
        column = asked.pred.get(name) if isinstance(asked.pred, Mapping) else asked.pred
        own = replace(asked, systems=None, pred=None if column is None else {name: str(column)})
        each[name] = counted(data, own, part=True)
    done = [found.relabeled for found in each.values() if found.relabeled is not None]
    if done:
        reduce(add, done).refuse_unused(asked.relabeling)
    tallies = {name: next(iter(found.systems.values())) for name, found in each.items()}
    whole = next(iter(tallies.values()))
    for tally in tallies.values():
        whole = whole.aligned(tally)[0]
    source = " + ".join(str(found.provenance["source"]) for found in each.values())
    facts = {"source": source, "n": sum(tally.n for tally in tallies.values())}
    notes = tuple(after(f"{name}: ", note) for name, found in each.items() for note in found.notes)
    return Counted(Systems({name: tally.aligned(whole)[0] for name, tally in tallies.items()}), (), facts, notes)


def _refuse_other_gold(first: Any, asked: Question) -> None:
    """The gold labels of every file must be those of the first; the error says which rows differ."""
    from assay.sources.columns import find
    from assay.sources.frames import count_rows, table_of
    from assay.sources.join import pair_systems

    assert asked.systems is not None
    gold = table_of(first)
    column = find("gold", gold.columns, asked.gold, source=gold.name)
    tables = {name: table_of(data) for name, data in list(asked.systems.items())[1:]}
    theirs = {name: find("gold", table.columns, asked.gold, source=table.name) for name, table in tables.items()}
    paired = pair_systems(gold, tables, id=asked.id, pred=theirs, missing=asked.missing, by_position=asked.by_position)
    for name, other in paired.preds.items():
        texts, counts = count_rows(paired.table, [column, other], labels=[column, other])
        texts = {name: asked.relabeling.texts(of) for name, of in texts.items()}
        apart = [a is not None and b is not None and a != b for a, b in zip(texts[column], texts[other], strict=True)]
        n = int(counts[apart].sum())
        if n:
            i = apart.index(True)
            rows = "1 row differs" if n == 1 else f"{n:,} rows differ"
            raise DataError(
                f"{tables[name].name} has different gold labels from {gold.name}: {rows}, such as "
                f"'{texts[other][i]}' where the other has '{texts[column][i]}'. Systems are compared on the same gold; "
                f"fix the files, or treat them as separate samples with {written('--unpaired', 'unpaired=True')}."
            )


NO_GROUPS = Aside("groups are left out: these are separate samples, each with groups of its own")


@takes(*COMPARE)
def compare_systems(
    data: Any = None,
    y_pred: Any = None,
    *,
    measures: Asked = None,
    primary: str | Measure | None = None,
    **options: Unpack[Comparing],
) -> Report:
    """Compare two or more systems on the same rows of a file, a data frame, a mapping of columns, or arrays.

    `compare_systems(y_true, {"old": …, "new": …})` takes arrays, as `evaluate` does.

    Columns, files and how rows count are named as for `evaluate`. One measure, the `primary` one, is tested, with a
    correction where there are several comparisons; the intervals of the others are not corrected. With `costs`, it is
    the expected cost unless another is named. With `baseline`, every other system is compared with that one. With
    `slices`, every system is also shown by group, and two systems with their difference in each group, which is not
    tested.
    """
    match = Match.of({"measures": measures, "primary": primary, **options})
    data, named = as_columns(data, y_pred, part_of(options, Columns))
    asked = Question(**named)
    found = with_own_gold(asked, unpaired=match.unpaired) if data is None else counted(data, asked)
    return contested(found, match, {**repeated(asked), **repeated_match(match)})


def compare_reports(report: Report, other: Report | None, options: Mapping[str, Any]) -> Report:
    """The systems of one report compared with each other, or with those of another as separate samples."""
    refuse_unknown(options, options_of(*COMPARISON), where=" in .compare()")
    match = Match.of({"measures": report.asked.get("measures"), **options})
    found = report.counted
    if not isinstance(other, Report | None):
        raise OptionError(f"compare() takes another report or none; got {a_type(other)}.")
    if found is None or (other is not None and other.counted is None):
        raise OptionError("this report no longer has its counts; compare those that evaluate() returned.")
    if other is not None:
        found = _both(found, other.counted, unpaired=match.unpaired)
    # How the report's own intervals were made, and what else it showed, is not an option of the comparison.
    return contested(found, match, {**part_of(report.asked, Columns), **repeated_match(match)})


def contested(found: Counted, match: Match, asked: Mapping[str, Any]) -> Report:
    """Every comparison of the match, and the report of them."""
    _refuse_silence(found)
    held = [found.systems.held(name) for name in found.systems]
    match, costs = match.priced(held[0])
    primary, cases = _cases(held, match, costs)
    estimates = {
        (name, i): estimate(case.measure, tally_of(found, name, case), **match.how.drawing, **case.options)
        for name in found.systems
        for i, case in enumerate(cases)
    }
    pairs = match.pairs(list(found.systems))
    compare = Compare(found, match, cases, estimates)
    at = cases.index(primary)
    tested = compare.tested(pairs, at)
    # With many systems the differences of further measures are shown where those were asked for.
    further = [i for i in range(len(cases)) if i != at] if len(pairs) == 1 or match.measures is not None else []
    others = [compare(pair, i, tested=False) for i in further for pair in pairs]
    groups = grouped(found, match, pairs, tested[0].a.measure)
    contest = Contest(
        primary=tested[0].a.measure,
        tested=tuple(tested),
        others=tuple(others),
        standings=standings_of(tested, {name: estimates[name, at] for name in found.systems}),
        correction=match.correction if len(tested) > 1 else "none",
        baseline=match.baseline,
        contrast=_contrast(found, pairs),
        sections=(*_together(found), *groups.differences),
        notes=_notes(found, tested, others, match),
    )
    rows = [Row.of(estimates[name, i], name, case.class_) for name in found.systems for i, case in enumerate(cases)]
    classes = [cases[at].class_] * len(tested) + [cases[i].class_ for i in further for _ in pairs]
    rows += [Row.of_difference(c, class_) for c, class_ in zip(contest.comparisons, classes, strict=True)]
    rows += groups.rows
    systems = tuple(_system(found, name, contest.primary, groups, estimates, cases) for name in found.systems)
    facts = {**found.provenance, **_drawing(rows, match.how, tested)}
    return Report(next_to_differences(rows), systems, facts, asked, contest, found)


# ---------------------------------------------------------------------- measures
def _cases(systems: Sequence[Sequence[Tally]], match: Match, costs: Sequence[str]) -> tuple[Case, list[Case]]:
    """The case that is tested, and all that are shown, in order; from the tallies of every system."""
    asked = [match.measures] if isinstance(match.measures, str | Measure) else match.measures
    tallies = systems[0]
    shown: list[Any] = _usual(systems) if asked is None else list(asked)
    usual = primary_measure(tallies[0])
    first_shown = usual if asked is None and usual in shown else shown[0]
    wanted = first_shown if match.primary is None else match.primary
    found, options = resolve(wanted, {})
    tally = read_of(tallies, found)
    if found.reads_from(tally):
        single_case(found, tally, options, "primary", ", but only one is tested")
    cases = [case for spelling in shown for case in _of_measure(tallies, spelling)]
    cases += [case for spelling in costs for case in _of_measure(tallies, spelling) if case not in cases]
    ((settled, class_),) = found.cases(tally, options)
    first = Case(found, settled, class_)
    same = [case for case in cases if case == first]
    return (same[0], cases) if same else (first, [first, *cases])


def _usual(systems: Sequence[Sequence[Tally]]) -> list[str]:
    """The default measures of the first system that are defaults for all of them: scores may have no labels."""
    first, *others = [[spelling for tally in held for spelling in default_measures(tally)] for held in systems]
    return [spelling for spelling in first if all(spelling in other for other in others)] or first


def _of_measure(tallies: Sequence[Tally], spelling: Any) -> list[Case]:
    found, options = resolve(spelling, {})
    return [Case(found, settled, class_) for settled, class_ in found.cases(read_of(tallies, found), options)]


# ---------------------------------------------------------------------- words
def standings_of(tested: Sequence[Comparison], estimates: Mapping[str, Estimate]) -> tuple[Standing, ...]:
    """The systems by value, with the ranks that the comparisons leave open; only where all pairs were compared.

    A system without a value has no rank.
    """
    m = len(estimates)
    if len(tested) < m * (m - 1) // 2 or m < 3:
        return ()
    lower = next(iter(estimates.values())).higher_is_better is False
    known = [name for name, e in estimates.items() if e.value is not None]
    order = sorted(known, key=lambda name: float(estimates[name]) * (1 if lower else -1))
    better = [c.names if c.outcome == "better" else c.names[::-1] for c in tested if c.outcome in ("better", "worse")]
    ranks, groups = rank_ranges(order, better), letters(tie_groups(order, better))
    return tuple(Standing(name, estimates[name], *ranks[name], groups[name]) for name in order)


def _together(found: Counted) -> tuple[Section, ...]:
    """Whether all systems are right equally often, in one test, where there are more than two."""
    tallies = [] if found.together is None else list(found.together.systems.values())
    right = [tally.right for tally in tallies if tally.right is not None]
    if len(right) < max(len(tallies), 3) or tallies[0].clusters is not None or tallies[0].weights is not None:
        return ()
    q = cochrans_q(np.stack(right, axis=1), tallies[0].counts)
    cells = (
        Cell(f"{q.value:.2f}", value=q.value),
        Cell(str(q.df), value=q.df),
        Cell(p_number(q.p_value), value=q.p_value),
    )
    told = "tests whether all systems are right equally often; it does not say which differ"
    return (Section("all systems at once", ("statistic", "df", "p"), (("Cochran's Q", cells),), told),)


def _contrast(found: Counted, pairs: Sequence[tuple[str, str]]) -> str | None:
    if len(pairs) > 1:
        return None
    a, b = (found.systems[name] for name in pairs[0])
    text: str | None = shown(a, "contrast", b=b, names=pairs[0])
    return text


# Corrections whose bound is proved for independent or positively dependent tests.
NEEDS_INDEPENDENCE = {"hochberg": "Hochberg's correction", "benjamini_hochberg": "Benjamini–Hochberg"}


def _notes(found: Counted, tested: Sequence[Comparison], others: Sequence[Comparison], match: Match) -> tuple[str, ...]:
    out = list(found.notes)
    own = {name: f"{name}: " for name in found.systems}
    for c in tested:
        of = f"{c.names[0]} and {c.names[1]}: " if len(tested) > 1 else ""
        out += [after(of, note) for note in c.notes if not note.startswith(tuple(own.values()))]
    if len(tested) > 1:
        out += _unranked(tested)
    if match.correction in NEEDS_INDEPENDENCE and len(tested) > 1:
        name = NEEDS_INDEPENDENCE[match.correction]
        out.append(f"{name} is approximate here: comparisons that share a system are not independent")
    asked = match.how.method
    unfit = dict.fromkeys(c.a.measure for c in others if asked not in ("auto", c.method) and c.low is not None)
    if unfit:
        out.append(Aside(f"{asked} does not apply to {joined(list(unfit))}; the default methods were used there"))
    if others:
        shown = plural(len({c.a.measure for c in (*tested, *others)}), "measure")
        rows = sum(c.names == tested[0].names for c in (*tested, *others))
        if rows != len({c.a.measure for c in (*tested, *others)}):
            shown = f"{plural(rows, 'value')} of {shown}"  # some have one for each class
        if any(c.p_value is not None for c in tested):
            told = f"1 tested (--primary {tested[0].a.measure}); the other intervals are not corrected"
        else:
            some = any(c.interval is not None for c in (*tested, *others))
            told = "none tested" + ("; the intervals are not corrected" if some else "")
        out.append(Aside(f"{shown} shown, {told}"))
    return tuple(dict.fromkeys(out))


def _unranked(tested: Sequence[Comparison]) -> list[str]:
    """Systems without a value by the measure that was tested, and why; those with the same reason together."""
    of: dict[str | None, dict[str, None]] = {}
    for c in tested:
        for name, e in zip(c.names, (c.a, c.b), strict=True):
            if e.value is None:
                of.setdefault(e.reason, {})[name] = None
    if len(of) == 1 and all(e.value is None for c in tested for e in (c.a, c.b)):
        return []  # the first sentence says so
    why, are = f"not ranked: {titled(tested[0].a.measure)} is undefined, because", {1: "is"}
    return [f"{joined(list(names))} {are.get(len(names), 'are')} {why} {reason}" for reason, names in of.items()]


def _system(
    found: Counted,
    name: str,
    primary: str,
    groups: Grouped,
    estimates: Mapping[tuple[str, int], Estimate],
    cases: Sequence[Case],
) -> System:
    remarks = (*_system_notes(found, name, estimates, cases), *groups.notes.get(name, ()))
    return System(name, primary, found.systems.held(name), tables=groups.tables.get(name, ()), remarks=remarks)


def _system_notes(
    found: Counted, name: str, estimates: Mapping[tuple[str, int], Estimate], cases: Sequence[Case]
) -> list[str]:
    made = [(estimates[name, i], case.class_) for i, case in enumerate(cases)]
    of_values = [note_of([titled(e.measure)], note) for e, _ in made for note in e.notes]
    return [*found.notes_of(name), *beside_guesses(made, "behind"), *of_values]


def _drawing(rows: Sequence[Row], how: How, tested: Sequence[Comparison]) -> dict[str, Any]:
    if not any("|seed:" in row.signature for row in rows):
        return {}
    drawn = [c.draws for c in tested if c.draws is not None and c.extreme is not None]
    return {"resamples": max([how.n_resamples, *drawn]), "seed": how.random_state}


# ---------------------------------------------------------------------- what is refused
def _refuse_silence(found: Counted) -> None:
    """A system without a single answer is not compared, however clearly it differs from the others."""
    for name, n in found.provenance.get("unanswered", {}).items():
        if n >= found.systems[name].n:
            raise DataError(f"'{name}' has no predictions at all; there is nothing to compare. Leave it out.")


def _both(a: Counted, b: Counted, *, unpaired: bool) -> Counted:
    """The systems of two reports, as separate samples."""
    twice = [name for name in a.systems if name in b.systems]
    if twice:
        raise OptionError(f"both reports have a system called {listed(twice)}; use different names when evaluating.")
    item = next(iter(a.systems.values())).item
    prints = [next(iter(each.systems.values())).fingerprint for each in (a, b)]
    if not unpaired:
        if prints[0] != prints[1]:
            raise DataError(
                f"the two reports have different gold labels (fingerprints {prints[0]} and {prints[1]}), so they are "
                f"not about the same {in_plural(item)}. If they are separate samples, compare them "
                "with unpaired=True."
            )
        raise OptionError(
            f"two reports do not say which answers belong to the same {item}; evaluate both systems together, as in "
            "evaluate(file, pred={'old': ..., 'new': ...}).compare(), or treat them as separate samples: unpaired=True."
        )
    left_out = (NO_GROUPS,) if a.slices or b.slices else ()
    both = Systems({**a.systems, **b.systems})
    return Counted(both, (), {**b.provenance, **a.provenance}, (*a.notes, *b.notes, *left_out))
