"""Laws of formulas: names mean nothing, perfect output is best, and a stack of tables is each table by itself."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assay.measures.declare.catalogue import catalogue
from assay.measures.declare.measure import Measure
from assay.options import UNDEFINED
from assay.tally.class_scores import ClassScored
from assay.tally.clusterings import Contingency
from assay.tally.contract.base import Tally
from assay.tally.contract.sampling import Floats
from assay.tally.labels import Confusion
from assay.tally.rankings import Ranked
from assay.tally.ratings import Rated
from assay.tally.scores import Scored
from assay.uncertainty.one.estimate import estimate
from assay.uncertainty.one.resample import jackknife_values
from tests.laws.tallies import CASES, FAMILIES, FEW, SOME, Case, Count, Rows, hostile, plain, same

every_case = pytest.mark.parametrize("case", CASES, ids=str)


# Measures of rankings that no list reaches the best value of: it ends, and no grade satisfies every reader.
APPROACHED = ("rbp", "err", "pfound", "inf_ap")


def names_mean_nothing(case: Case, rows: Rows, count: Count) -> None:
    one = case.measure.of(count(rows, plain), **case.options(plain))
    other = case.measure.of(count(rows, hostile), **case.options(hostile))
    assert same(one, other)


def values_stay_in_range(case: Case, rows: Rows, count: Count) -> None:
    low, high = case.measure.range
    value = case.measure.of(count(rows, plain), **case.options())
    # A last bit beyond the end of the range is rounding (a mean of ones over weights, say).
    assert math.isnan(value) or low - 1e-12 <= value <= high + 1e-12


def perfect_output_is_best(case: Case, rows: Rows, count: Count) -> None:
    perfect = [case.family.perfect(row) for row in [*rows, *case.family.anchor]]
    tally = count(perfect, plain)
    # A declared class that occurs nowhere has a place in an average, and nothing right.
    value = case.measure.of(as_part(tally, tally, absent=()), **case.options())
    if isinstance(tally, Ranked) and (case.measure.best == math.inf or case.measure.name in APPROACHED):
        assert 0 < value < float(case.measure.best or 0)
    elif case.measure.best == math.inf:
        # Nothing to divide by is left of the errors: no number is the best.
        assert math.isnan(value)
    elif case.measure.best is not None:
        assert same(value, case.measure.best)


def undefined_is_null_with_the_declared_reason(case: Case, rows: Rows, count: Count) -> None:
    tally = count(rows, plain)
    raw = float(case.bound(tally).raw(case.bound(tally).evidence.of(tally, tally.mass)))
    found = estimate(case.measure, tally, n_resamples=99, **case.options())
    convention = case.measure.convention
    told = any(note.startswith("0/0 because") for note in found.notes)
    if not math.isnan(raw):
        assert found.value == raw
        assert not told
    elif convention is None:
        assert found.value is None
        # Where there are several reasons, they are parted like this, and the one that holds is told; names may follow.
        assert found.reason is not None
        assert found.reason.split(": ")[0] in case.measure.undefined.split("; or ")
        assert found.interval is None
        assert math.isnan(case.measure.of(tally, **case.options()))
    else:
        assert found.value == convention.value
        assert told


def a_stack_is_each_table_by_itself(case: Case, rows: Rows, multiplicities: Callable[[int], Floats]) -> None:
    for tally in (case.family.count(rows, plain), case.family.pair(rows, plain).b):
        bound, w = case.bound(tally), multiplicities(len(tally.counts))
        stack = bound.at(tally, w)
        assert stack.shape == w.shape[:-1]
        for place in np.ndindex(stack.shape):
            assert same(stack[place], bound.at(tally, w[place]))


def as_part(tally: Any, whole: Any, absent: tuple[str, ...] | None = None) -> Any:
    """Some rows of a whole: what occurs nowhere is known of the whole."""
    if not isinstance(tally, Confusion):
        return tally
    return dataclasses.replace(tally, absent=whole.absent if absent is None else absent)


def leaving_one_out_is_counting_the_others(case: Case, rows: Rows) -> None:
    # Labels are declared where they can be, so that the last item of a class takes no label with it.
    count = case.family.ways.get("declared labels", case.family.count)
    tally = count(rows, plain)
    values, times = jackknife_values(case.bound(tally), tally)
    others = [as_part(count(rows[:i] + rows[i + 1 :], plain), tally) for i in range(len(rows))]
    expected = [float(case.bound(other).at(other, other.mass)) for other in others]
    assert same(np.sort(np.repeat(values, times.astype(int))), np.sort(expected), 1e-9)


@every_case
@SOME
@given(st.data())
def test_renaming_labels_changes_no_value(case: Case, data: st.DataObject) -> None:
    names_mean_nothing(case, data.draw(case.rows()), data.draw(case.ways()))


@every_case
@SOME
@given(st.data())
def test_values_stay_in_the_declared_range(case: Case, data: st.DataObject) -> None:
    values_stay_in_range(case, data.draw(case.rows()), data.draw(case.ways()))


@every_case
@FEW
@given(st.data())
def test_perfect_output_reaches_the_best_value(case: Case, data: st.DataObject) -> None:
    perfect_output_is_best(case, data.draw(case.rows()), data.draw(case.ways()))


@every_case
@SOME
@given(st.data())
def test_an_undefined_value_is_null_with_the_declared_reason_or_the_declared_convention(
    case: Case, data: st.DataObject
) -> None:
    undefined_is_null_with_the_declared_reason(case, data.draw(case.rows()), data.draw(case.ways()))


def stacks(data: st.DataObject) -> Callable[[int], Floats]:
    seed = data.draw(st.integers(0, 2**32 - 1))
    return lambda units: np.random.default_rng(seed).integers(0, 4, size=(2, 3, units)).astype(np.float64)


@every_case
@SOME
@given(st.data())
def test_the_formula_on_a_stack_of_tables_equals_the_formula_on_each(case: Case, data: st.DataObject) -> None:
    a_stack_is_each_table_by_itself(case, data.draw(case.rows()), stacks(data))


@every_case
@SOME
@given(st.data())
def test_leaving_out_each_item_gives_what_counting_the_others_gives(case: Case, data: st.DataObject) -> None:
    rows = data.draw(case.rows())
    assume(len(rows) > 1)
    leaving_one_out_is_counting_the_others(case, rows)


@pytest.mark.parametrize("case", [case for case in CASES if case.measure.kind in (Confusion, Scored)], ids=str)
@SOME
@given(st.data())
def test_leaving_out_each_cluster_gives_what_counting_the_others_gives(case: Case, data: st.DataObject) -> None:
    rows, count = data.draw(case.rows()), case.family.ways["clusters"]
    clusters = sorted({row[4] for row in rows})
    assume(len(clusters) > 1)
    tally = count(rows, plain)
    values, times = jackknife_values(case.bound(tally), tally)
    others = [as_part(count([row for row in rows if row[4] != cluster], plain), tally) for cluster in clusters]
    expected = [float(case.bound(other).at(other, other.mass)) for other in others]
    assert same(np.sort(np.repeat(values, times.astype(int))), np.sort(expected), 1e-9)


@pytest.mark.parametrize("case", [case for case in CASES if case.measure.kind is Confusion], ids=str)
@FEW
@given(st.data())
def test_rows_of_weight_zero_change_no_value(case: Case, data: st.DataObject) -> None:
    rows, more = data.draw(case.rows()), data.draw(case.rows())
    weights = [row[3] for row in rows] + [0.0] * len(more)
    labels = [plain(i) for i in range(4)]
    gold, pred = ([plain(row[i]) for row in [*rows, *more]] for i in (0, 1))
    n = len(rows)
    without = Confusion.from_predictions(gold[:n], pred[:n], sample_weight=weights[:n], labels=labels)
    with_them = Confusion.from_predictions(gold, pred, sample_weight=weights, labels=labels)
    without = as_part(without, with_them)
    assert same(case.measure.of(with_them, **case.options()), case.measure.of(without, **case.options()))
    found = [estimate(case.measure, t, n_resamples=99, **case.options()) for t in (with_them, without)]
    assert (found[0].low is None) == (found[1].low is None)
    if found[0].low is not None and found[0].method != "dirichlet":
        # Influences are difference quotients, whose step goes by the mean weight of a row.
        assert same([found[0].low, found[0].high], [found[1].low, found[1].high], 1e-6)


# ---------------------------------------------------------------------- where a value is undefined, in so many words
def _class(tally: Tally, options: dict[str, Any]) -> tuple[float, float]:
    """Gold and predicted items that the asked class, or all classes together, have."""
    assert isinstance(tally, Confusion)
    m = tally.margins
    if options.get("average") == "binary":
        i = tally.labels.index(options["pos_label"])
        return float(m.gold[i]), float(m.pred[i])
    return float(m.gold.sum()), float(m.pred.sum())


def _rest(tally: Tally, options: dict[str, Any]) -> tuple[float, float]:
    """Gold and predicted items outside the asked class; of all classes together, each item is outside k - 1 times."""
    assert isinstance(tally, Confusion)
    gold, pred = _class(tally, options)
    times = 1 if options.get("average") == "binary" else tally.k
    return times * tally.n - gold, times * tally.n - pred


def _one_sided(tally: Tally) -> bool:
    assert isinstance(tally, Scored)
    return len(set(tally.keys["positive"].tolist())) < 2


def _one_class(tally: Tally) -> bool:
    assert isinstance(tally, ClassScored)
    return len(set(tally.gold.tolist())) < 2


def _no_positives(tally: Tally) -> bool:
    assert isinstance(tally, Scored)
    return True not in tally.keys["positive"].tolist()


def _no_probabilities(tally: Tally) -> bool:
    assert isinstance(tally, Scored)
    return any(not 0 <= score <= 1 for score in tally.keys["score"].tolist())


def _cannot_disagree(tally: Tally) -> bool:
    assert isinstance(tally, Rated)
    used = [pattern for pattern in tally.pattern.tolist() if sum(pattern) >= 2]
    return len({i for pattern in used for i, times in enumerate(pattern) if times}) < 2


CONDITIONS: dict[str, Callable[[Tally, dict[str, Any]], bool]] = {
    "there are no items": lambda tally, _: tally.n == 0,
    "no class has gold items": lambda tally, _: tally.n == 0,
    "there are no queries": lambda tally, _: tally.n == 0,
    "there are fewer than two items": lambda tally, _: isinstance(tally, Contingency) and tally.n < 2,
    "no item was predicted as this class": lambda tally, options: _class(tally, options)[1] == 0,
    "all items have this gold class": lambda tally, options: _rest(tally, options)[0] == 0,
    "every item was predicted as this class": lambda tally, options: _rest(tally, options)[1] == 0,
    "the class has no gold items, or none was predicted as it": lambda t, o: 0 in _class(t, o),
    "no item has this gold class, or every item has it": lambda t, o: 0 in (_class(t, o)[0], _rest(t, o)[0]),
    "no item was predicted as this class, or every item was": lambda t, o: 0 in (_class(t, o)[1], _rest(t, o)[1]),
    "no item has this gold class": lambda tally, options: _class(tally, options)[0] == 0,
    "the class has neither gold nor predicted items": lambda tally, options: sum(_class(tally, options)) == 0,
    "the items are all positive or all negative": lambda tally, _: _one_sided(tally),
    "all items belong to one class": lambda tally, _: _one_class(tally),
    "there are no positive items": lambda tally, _: _no_positives(tally),
    "scores lie outside [0, 1], so they are not probabilities": lambda tally, _: _no_probabilities(tally),
    "scores lie outside [0, 1], so they are not probabilities; or the items are all positive or all negative": (
        lambda tally, _: _no_probabilities(tally) or _one_sided(tally)
    ),
    "only one category was used, or no unit has two ratings": lambda tally, _: _cannot_disagree(tally),
}


@pytest.mark.parametrize(
    "case", [c for c in CASES if c.measure.undefined in CONDITIONS and c.measure.convention is None], ids=str
)
@given(st.data())
def test_a_value_is_undefined_exactly_where_its_sentence_says(case: Case, data: st.DataObject) -> None:
    count = case.family.ways.get("declared labels", case.family.count)
    tally = count(data.draw(case.family.rows), plain)
    condition = CONDITIONS[case.measure.undefined](tally, case.options())
    assert math.isnan(case.measure.of(tally, **case.options())) == condition


AVERAGED = [m for m in catalogue().values() if m.averaged and not m.averages.of_one_class]


@pytest.mark.parametrize("measure", AVERAGED, ids=lambda m: str(m.name))
@pytest.mark.parametrize("average", ["macro", "weighted"])
@given(st.data())
def test_a_class_without_a_value_counts_as_zero_or_is_left_out_or_makes_the_mean_null(
    measure: Measure, average: str, data: st.DataObject
) -> None:
    family = FAMILIES[Confusion]
    tally = family.ways["declared labels"](data.draw(family.rows), plain)
    assert isinstance(tally, Confusion)
    m = tally.margins
    each = [measure.of(tally, average="binary", pos_label=label) for label in tally.labels if m.n > 0]
    # A declared class that occurs nowhere has a place in a plain mean over classes.
    counts = [g + p > 0 or label in tally.absent for g, p, label in zip(m.gold, m.pred, tally.labels, strict=True)]
    weight = [float(g) if average == "weighted" else float(c) for g, c in zip(m.gold, counts, strict=True)]
    pairs = [(v, w) for v, w in zip(each, weight, strict=True) if w > 0]
    defined = [(v, w) for v, w in pairs if not math.isnan(v)]
    total = sum(v * w for v, w in defined)
    # Of an error rate, none right is all wrong.
    lost = sum(w for v, w in pairs if math.isnan(v))
    expected = {
        "zero": (total + lost * (measure.best == 0)) / sum(w for _, w in pairs),
        "exclude": total / sum(w for _, w in defined) if defined else math.nan,
        "null": math.nan if len(defined) < len(pairs) else total / sum(w for _, w in pairs),
    }
    for undefined in UNDEFINED:
        assert same(measure.of(tally, average=average, undefined=undefined), expected[undefined])
