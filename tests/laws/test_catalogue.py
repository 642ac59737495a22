"""Laws of declarations: every fact is there, every example comes out, and a new measure needs no other edit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import assay
from assay.errors import OptionError, UnknownMeasure
from assay.measures.declare import average, examples, facts
from assay.measures.declare import measure as declare
from assay.measures.declare.average import ratio
from assay.measures.declare.catalogue import catalogue, citations, find, parse
from assay.measures.declare.examples import SCREENING
from assay.measures.declare.facts import Worked
from assay.measures.declare.forms import Jackknife
from assay.measures.declare.measure import Measure
from assay.options import AVERAGES, UNDEFINED
from assay.tally.contract.sampling import Floats
from assay.tally.labels import Confusion
from assay.tally.margins import Margins, OneVsRest
from assay.tally.scores import ByScore, Scored
from assay.uncertainty.one.estimate import estimate
from assay.uncertainty.results import Signature
from assay.uncertainty.two.compare import compare
from tests.laws import test_intervals as intervals
from tests.laws import test_pairs as pairs
from tests.laws import test_values as values
from tests.laws.tallies import SOME, Case, Count, Rows

every_measure = pytest.mark.parametrize("measure", catalogue().values(), ids=lambda m: str(m.name))
EVERY = [each for m in catalogue().values() for each in (m, *m.variants.values())]
every_variant = pytest.mark.parametrize("measure", EVERY, ids=lambda m: f"{m.name}-{m.kind.kind}")
WORKED = [pytest.param(m, w, id=f"{m.name}-{m.kind.kind}-{i}") for m in EVERY for i, w in enumerate(m.worked)]


@every_variant
def test_every_fact_of_a_measure_is_there(measure: Measure) -> None:
    # A key that is listed, or the reference written out.
    assert measure.cite in citations() or " " in measure.cite
    assert measure.worked
    assert measure.hides is not None or measure.kind is not Confusion
    assert measure.range[0] < measure.range[1]
    assert measure.best is None or measure.best in measure.range
    assert measure.title
    assert measure.undefined
    assert not measure.undefined.endswith(".")
    assert measure.summary.endswith(".")
    assert measure.written
    # The first sentence tells what the number tells, without the measure's own name.
    assert not re.search(rf"\b{measure.name}\b", measure.summary)


@pytest.mark.parametrize(("measure", "worked"), WORKED)
def test_every_worked_example_comes_out(measure: Measure, worked: Worked) -> None:
    # The hand-counted values are exact up to the digits written in the declaration.
    assert measure.of(worked.tally, **worked.options) == pytest.approx(worked.value, abs=1e-9)
    found = estimate(measure, worked.tally, n_resamples=99, **worked.options)
    assert found.value == pytest.approx(worked.value, abs=1e-9)


@pytest.mark.parametrize("measure", [m for m in catalogue().values() if m.hides], ids=lambda m: str(m.name))
def test_two_tables_that_fool_a_measure_have_one_value_and_another_measure_tells_them(measure: Measure) -> None:
    assert measure.hides is not None
    one, other = measure.hides.tables
    assert measure.of(one) == pytest.approx(measure.of(other), abs=1e-12)
    told, options = parse(measure.hides.told_by)
    assert abs(told.of(one, **options) - told.of(other, **options)) > 0.25


def test_no_name_and_no_alias_stands_for_two_measures() -> None:
    names = Counter(name for m in catalogue().values() for name in (m.name, *m.aliases))
    assert [name for name, times in names.items() if times > 1] == []


def test_no_citation_is_left_without_a_measure() -> None:
    assert set(citations()) <= {measure.cite for measure in EVERY}


@every_measure
def test_a_measure_is_found_by_its_name_and_its_aliases(measure: Measure) -> None:
    for name in (measure.name, *measure.aliases):
        assert find(name) is measure
        assert parse(name) == (measure, {})


@every_measure
def test_the_spelling_of_a_measure_parses_back(measure: Measure) -> None:
    choices: list[dict[str, Any]] = [{}]
    if measure.averaged:
        choices = [{"average": a, "undefined": u} for a in AVERAGES for u in UNDEFINED]
    for options in choices:
        found, read = parse(measure.spelled({**measure.options, **options}))
        assert found is measure
        assert {**measure.options, **read} == {**measure.options, **options}
        assert measure.spelled({**measure.options, **read}) == measure.spelled({**measure.options, **options})


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownMeasure, match=r"Did you mean 'f1' with average='macro'\?"):
        find("f1_macro")
    with pytest.raises(UnknownMeasure, match=r"Did you mean 'accuracy'\?"):
        find("acuracy")
    with pytest.raises(OptionError, match="write it like f1"):
        parse("f1(")


@every_measure
def test_a_number_behind_an_at_sign_is_k_of_every_measure_that_has_one(measure: Measure) -> None:
    if "k" in measure.options:
        for name in (measure.name, *measure.aliases):
            assert parse(f"{name}@3") == parse(f" {name} @ 3 ") == (measure, {"k": 3})
            assert parse(f"{name}@3()") == parse(f"{name}(k=3)")
    else:
        with pytest.raises(UnknownMeasure, match=f"'{measure.name}@3': .*, which {measure.name} does not take"):
            parse(f"{measure.name}@3")


def test_a_measure_that_is_cut_is_shown_by_its_one_spelling() -> None:
    run = assay.Ranked.from_rankings({"q1": [0, 2, 1], "q2": [1, 0, 0]})
    report = assay.evaluate(run, measures=["ndcg@2", "ndcg"])
    assert [row.measure for row in report.rows] == ["ndcg@2", "ndcg"]
    assert report.systems[0].primary == "ndcg@2"
    assert "nDCG@2 " in report.to_text()
    joint = assay.Ranked.joint({"q1": [0, 2, 1], "q2": [1, 0]}, {"q1": [2, 0, 1], "q2": [0, 1]})
    assert assay.compare(joint, measure="ndcg@2").a.measure == "ndcg@2"


@pytest.mark.parametrize(
    "spelling", ["ndcg@", "ndcg@0", "ndcg@-1", "ndcg@ten", "ndcg@1.5", "ndcg@²", "ndcg@" + "9" * 99]
)
def test_what_is_no_rank_behind_an_at_sign_is_refused(spelling: str) -> None:
    with pytest.raises(OptionError, match="expected a whole number of at least 1, as in ndcg@10"):
        parse(spelling)


def test_an_option_that_is_given_twice_is_refused() -> None:
    for spelling in ("ndcg@3(k=4)", "f1(average=macro,average=micro)"):
        with pytest.raises(OptionError, match=r"gives \w+ twice"):
            parse(spelling)


# ---------------------------------------------------------------------- signatures
@given(st.lists(st.tuples(st.from_regex(r"[a-z_]+", fullmatch=True), st.text()), min_size=1))
def test_a_signature_parses_back_whatever_it_holds(parts: list[tuple[str, str]]) -> None:
    signature = Signature(tuple(parts))
    assert Signature.parse(str(signature)) == signature
    assert str(Signature.parse(str(signature))) == str(signature)
    assert "\n" not in str(signature)


@given(st.text(), st.text())
def test_the_signature_of_a_number_names_the_class_however_it_is_spelled(label: str, other: str) -> None:
    assume(label != other)
    tally = Confusion.from_matrix([[5, 1], [2, 4]], [label, other])
    signature = Signature.parse(estimate("f1", tally, pos_label=label).signature)
    assert signature.get("class") == label
    assert signature.get("measure") == "f1"
    assert signature.get("gold") == tally.fingerprint
    assert signature.get("n") == "12"


def test_the_seed_is_in_the_signature_only_where_something_was_drawn() -> None:
    closed = Signature.parse(estimate("accuracy", SCREENING).signature)
    drawn = Signature.parse(estimate("mcc", SCREENING, n_resamples=199, random_state=5).signature)
    assert closed.get("seed") is None
    assert (drawn.get("seed"), drawn.get("draws")) == ("5", "199")


# ---------------------------------------------------------------------- declaring
FACTS: dict[str, Any] = {
    "reads": Margins,
    "range": (0, 1),
    "best": 1,
    "undefined": "no class has gold items",
    "no_skill": "no model",
    "worked": (Worked(SCREENING, {}, 0.7, "the smaller of 80/100 and 70/100"),),
    "cite": "brodersen2010",
    "aliases": ("worst_recall",),
}


def least_found(m: Margins) -> Floats:
    """Share found of the class of which least was found.

    min TP / gold over the classes with gold items
    """
    shares = np.where(m.gold > 0, ratio(m.hit, m.gold), np.inf).min(-1)
    return np.asarray(np.where(np.isinf(shares), np.nan, shares))


@pytest.fixture
def declared() -> Iterator[Measure]:
    made = declare.measure(**FACTS)(least_found)
    yield made
    del declare.CATALOGUE["least_found"]


@pytest.mark.parametrize("fact", ["reads", "range", "best", "undefined", "no_skill", "worked", "cite"])
def test_a_declaration_that_lacks_a_fact_says_which(fact: str) -> None:
    facts = {name: value for name, value in FACTS.items() if name != fact}
    with pytest.raises(TypeError, match=f"^the declaration of measure 'least_found' lacks: {fact}\\.$"):
        declare.measure(**facts)(least_found)
    assert "least_found" not in catalogue()


def test_a_declaration_without_a_sentence_and_a_formula_says_so() -> None:
    def silent(m: Margins) -> Floats:
        return m.n

    with pytest.raises(TypeError, match="'silent' lacks: a docstring with a sentence and a formula"):
        declare.measure(**FACTS)(silent)


def test_a_fact_that_belongs_to_a_group_is_told_where() -> None:
    with pytest.raises(TypeError, match=r"declares quick=, an unknown fact; write shortcuts=Shortcuts\(quick=…\)\.$"):
        declare.measure(**FACTS, quick=min)(least_found)
    with pytest.raises(TypeError, match=r"^measure 'least_found' declares colour=, an unknown fact\.$"):
        declare.measure(**FACTS, colour="red")(least_found)
    assert "least_found" not in catalogue()


def test_a_variant_takes_over_what_is_common_and_nothing_that_holds_for_one_kind_of_tally(declared: Measure) -> None:
    groups: dict[str, Any] = {
        "averages": facts.Averages(of_one_class=True),
        "shortcuts": facts.Shortcuts(left_out=least_found),
        "paired": facts.Paired(as_they_are=True),
        "notes": facts.Notes(because=lambda _: "no class has gold items"),
    }
    whole = replace(declared, interval=Jackknife(), **groups)
    made = declare.variant(whole, reads=ByScore, undefined="there are no scores")(least_found)
    assert made.variant_of is whole
    assert whole.variants == {Scored: made}
    assert (made.name, made.range, made.cite, made.worked) == (whole.name, whole.range, whole.cite, whole.worked)
    assert (made.interval, made.named) == (None, ())
    assert all(getattr(made, name) == type(group)() != group for name, group in groups.items())


def test_the_best_value_is_an_end_of_the_range() -> None:
    with pytest.raises(TypeError, match=r"measure 'least_found' has best=0\.5, which is not an end of its range"):
        declare.measure(**{**FACTS, "best": 0.5})(least_found)


def test_a_measure_declared_here_is_known_estimated_and_compared_without_another_edit(declared: Measure) -> None:
    assert catalogue()["least_found"] is declared
    assert find("worst_recall") is declared
    assert parse("least_found") == (declared, {})
    found = estimate("least_found", SCREENING, n_resamples=999)
    assert found.value == pytest.approx(0.7)
    assert found.interval is not None
    assert float(found) in found.interval
    assert found.no_skill == 0.5  # guesses in proportion to two equally frequent classes find half of each
    gold, a, b = list("aabbab") * 4, list("aabbbb") * 4, list("abbaab") * 4
    compared = compare(gold, a, b, measure="least_found", n_resamples=199)
    # A finds 8 of 12 and 12 of 12; B finds 8 of 12 and 8 of 12.
    assert compared.difference == pytest.approx(0)
    assert compared.p_value is not None
    assert compared.low is not None


@pytest.fixture
def contributed() -> Iterator[Measure]:
    """The measure that CONTRIBUTING.md declares, with the imports that every file of measures has."""
    text = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    code = text.split("```python\n")[1].split("```")[0]
    names = {**vars(average), **vars(examples), **vars(facts), "measure": declare.measure, "OneVsRest": OneVsRest}
    exec(compile(code, "CONTRIBUTING.md", "exec"), names)
    yield names["p4"]
    del declare.CATALOGUE["p4"]


def test_the_declaration_in_contributing_is_all_of_it(contributed: Measure) -> None:
    assert find("p4") is contributed
    for worked in contributed.worked:
        assert contributed.of(worked.tally, **worked.options) == pytest.approx(worked.value, abs=1e-12)
    assert contributed([1, 1, 0, 0, 0], [1, 0, 0, 0, 1]) == pytest.approx(4 / (2 + 2 + 3 / 2 + 3 / 2))
    gold, a, b = [1, 1, 0, 0] * 6, [1, 1, 0, 1] * 6, [1, 0, 0, 1] * 6
    found = compare(gold, a, b, measure="p4", n_resamples=199)
    assert found.low is not None
    assert found.p_value is not None
    assert contributed.hides is not None
    one, other = contributed.hides.tables
    assert contributed.of(one) == pytest.approx(contributed.of(other))


def mirrored(case: Case, rows: Rows, _: Count) -> None:
    pairs.the_other_way_round_mirrors(case, rows[:8])


def held(case: Case, rows: Rows, _: Count) -> None:
    pairs.the_interval_holds_the_difference(case, rows[:8])


LAWS: list[Callable[[Case, Rows, Count], None]] = [
    values.names_mean_nothing,
    values.values_stay_in_range,
    values.perfect_output_is_best,
    values.undefined_is_null_with_the_declared_reason,
    intervals.the_interval_holds_its_estimate,
    intervals.names_change_no_limits,
    mirrored,
    held,
]


@pytest.mark.usefixtures("declared")
@pytest.mark.parametrize("law", LAWS, ids=lambda law: str(law.__name__))
def test_a_measure_declared_here_is_under_the_laws(law: Callable[[Case, Rows, Count], None]) -> None:
    case = Case(catalogue()["least_found"])

    @SOME
    @given(case.rows(), case.ways())
    def obeyed(rows: Rows, count: Count) -> None:
        law(case, rows, count)

    obeyed()


def test_the_measure_declared_here_is_gone_again() -> None:
    assert "least_found" not in catalogue()
    with pytest.raises(UnknownMeasure):
        find("least_found")
