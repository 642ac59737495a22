"""An option is declared once: what has to repeat it for a reader's or a type checker's sake says the same."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable
from typing import Any, get_type_hints

import pytest

import assay
from assay.cli.commands import compare as compare_command
from assay.cli.commands import curve as curve_command
from assay.cli.commands import evaluate as evaluate_command
from assay.cli.commands import plan as plan_command
from assay.cli.commands import prefer as prefer_command
from assay.cli.commands import rank as rank_command
from assay.cli.commands import tune as tune_command
from assay.cli.options import Intervals, Listing, Noting, Rows, SlicedRows, keywords
from assay.errors import OptionError
from assay.jobs.comparison.match import Match
from assay.jobs.question import Question
from assay.measures.declare.catalogue import catalogue
from assay.measures.declare.settings import OPTIONS
from assay.options import evaluating as groups
from assay.options import planning, preferring, ranking, showing, thresholds
from assay.options.option import options_of, types_of
from assay.tally.contract.base import Tally
from assay.uncertainty.two.pair import How
from scripts.reference.options import page as options_page

LABELS = assay.Confusion.from_counts(tp=8, fp=3, fn=2, tn=7)
SCORES = assay.Scored.from_scores([0, 1, 1, 0, 1], [0.1, 0.9, 0.4, 0.5, 0.8])
# Every public function that takes declared options, and which.
TAKES: dict[str, tuple[type, ...]] = {
    "evaluate": groups.EVALUATE,
    "compare_systems": groups.COMPARE,
    "compare_repeated": groups.COMPARE_REPEATED,
    "prefer": preferring.PREFER,
    "rank": ranking.RANK,
    "curves": thresholds.CURVES_OF,
    "tune": thresholds.TUNE,
    "plan": planning.PLAN,
    "disagreements": (groups.Columns,),
}
# Flags of each command, and the declared options that they are to cover.
COMMANDS: dict[str, tuple[tuple[type, ...], tuple[type, ...]]] = {
    "evaluate": ((SlicedRows, evaluate_command.Showing, Listing, Intervals), (*groups.EVALUATE, showing.Listed)),
    "compare": (
        (SlicedRows, compare_command.Compared, Listing, compare_command.Values, Intervals),
        (*groups.COMPARE, groups.Repeated, showing.Listed),
    ),
    "prefer": ((prefer_command.Judgments, prefer_command.Showing), preferring.PREFER),
    "rank": (
        (rank_command.Judgments, rank_command.Compared, Noting, Intervals),
        (*ranking.RANK, showing.Noted),
    ),
    "curve": ((Rows, curve_command.Drawing), thresholds.CURVES_OF),
    "tune": ((tune_command.Choice, tune_command.Scores, tune_command.Showing), thresholds.TUNE),
    "plan": ((Rows, plan_command.Wanted), planning.PLAN),
}
REQUIRED = {("assert_no_worse", "margin")}  # what has no default there, because nobody else can know it


def public_functions() -> dict[str, Callable[..., Any]]:
    return {name: getattr(assay, name) for name in dir(assay) if inspect.isfunction(getattr(assay, name))}


@pytest.mark.parametrize("name", TAKES)
def test_a_public_function_takes_the_declared_options_with_their_defaults(name: str) -> None:
    declared = options_of(*TAKES[name])
    parameters = inspect.signature(getattr(assay, name)).parameters
    options = {each.name: each.default for each in parameters.values() if each.kind is each.KEYWORD_ONLY}
    assert options == {name: option.default for name, option in declared.items()}
    assert not [each for each in parameters.values() if each.kind is each.VAR_KEYWORD]


@pytest.mark.parametrize("name", TAKES)
def test_what_a_function_writes_out_for_type_checkers_is_as_declared(name: str) -> None:
    written = inspect.unwrap(getattr(assay, name))
    declared, types = options_of(*TAKES[name]), types_of(*TAKES[name])
    own = list(inspect.signature(written, follow_wrapped=False).parameters.values())
    explicit = {each.name: each.default for each in own if each.kind is each.KEYWORD_ONLY}
    assert {option: declared[option].default for option in explicit} == explicit
    hints = get_type_hints(written)
    # A measure's type belongs to a higher layer than the declarations, which leave it open.
    assert {option: types[option] for option in explicit if types[option] is not Any} == {
        option: hints[option] for option in explicit if types[option] is not Any
    }
    handed_on = [hints[each.name].__args__[0] for each in own if each.kind is each.VAR_KEYWORD]
    assert {*explicit, *options_of(*handed_on)} == set(declared)


def test_an_option_of_one_name_has_one_default_in_every_other_public_function() -> None:
    usual = {name: option.default for name, option in options_of(*groups.COMPARE_REPEATED, *groups.EVALUATE).items()}
    apart = [
        (name, each.name, each.default)
        for name, function in public_functions().items()
        if name not in TAKES
        for each in inspect.signature(function).parameters.values()
        if each.name in usual and each.kind is each.KEYWORD_ONLY and (name, each.name) not in REQUIRED
        and each.default != usual[each.name]
    ]  # fmt: skip
    assert apart == []


@pytest.mark.parametrize(
    ("keeps", "declared"),
    [
        (Question, (groups.Columns,)),
        (How, (groups.Tested, groups.Drawing)),
        (Match, (groups.Measured, groups.Primary, groups.Priced, groups.Matched)),
    ],
)
def test_what_keeps_options_has_a_field_for_each_with_its_default(keeps: type, declared: tuple[type, ...]) -> None:
    kept = {field.name: field.default for field in dataclasses.fields(keeps)}
    options = {name: option.default for name, option in options_of(*declared).items()}
    assert {name: kept[name] for name in options} == options
    hints, types = get_type_hints(keeps), types_of(*declared)
    assert {n: hints[n] for n in options if types[n] is not Any} == {n: t for n, t in types.items() if t is not Any}


def test_a_question_has_no_other_options_than_those_declared() -> None:
    assert [field.name for field in dataclasses.fields(Question)] == list(options_of(groups.Columns))


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_a_flag_for_every_option_and_its_default(command: str) -> None:
    classes, declared = COMMANDS[command]
    given = {name: value for flags in classes for name, value in keywords(flags()).items()}
    options = {name: option.default for name, option in options_of(*declared).items()}
    # Groups of rows are shown and compared; nothing is drawn, planned or tuned by group.
    lacking = {"slices", "crossed"} if command in ("curve", "plan") else set()
    assert given == {name: default for name, default in options.items() if name not in lacking}


@pytest.mark.parametrize("name", TAKES)
def test_help_says_what_every_option_is_in_the_words_of_python(name: str) -> None:
    text = (inspect.getdoc(getattr(assay, name)) or "").partition("Options\n-------\n")[2]
    told = [line.partition(": ")[0] for line in text.splitlines() if not line.startswith(" ")]
    assert told == list(options_of(*TAKES[name]))
    assert not re.search(r"--|\brepeat for\b|[A-Z]=", text)


@pytest.mark.parametrize("name", TAKES)
def test_an_option_that_does_not_exist_is_refused_with_the_nearest(name: str) -> None:
    nearest, first = {"tune": "missing"}.get(name, "cluster"), {"tune": "dev", "rank": "qrels"}
    with pytest.raises(OptionError, match=f"there is no option {nearest[:-1]}=. Did you mean {nearest}=?"):
        getattr(assay, name)(**({} if name == "plan" else {first.get(name, "data"): {}}), **{nearest[:-1]: "g"})


def test_a_report_is_compared_with_options_of_comparisons_only() -> None:
    report = assay.evaluate({"a": assay.Confusion.from_counts(tp=3, fp=1, fn=1, tn=3)}, n_resamples=99)
    with pytest.raises(OptionError, match=r"there is no option family= in \.compare\(\)"):
        report.compare(family=3)


def test_the_reference_page_lists_every_option_of_every_function() -> None:
    page = options_page()
    for name, declared in TAKES.items():
        if name != "disagreements":
            section = page.partition(f"## {name}\n")[2].partition("\n## ")[0]
            assert [line.split("`")[1] for line in section.splitlines() if line.startswith("| `")] == list(
                options_of(*declared)
            )


def test_every_option_of_a_measure_says_what_it_is_for_and_what_it_may_be() -> None:
    measures = [each for measure in catalogue().values() for each in (measure, *measure.variants.values())]
    assert {name for each in measures for name in each.options} == set(OPTIONS)


@pytest.mark.parametrize(
    ("spelling", "tally"),
    [
        ("f_beta(beta=two,alpha=.3)", LABELS),
        ("f_beta(beta=True)", LABELS),
        ("f_beta(beta=inf)", LABELS),
        ("f_beta(alpha=none)", LABELS),
        ("roc_auc(standardized=maybe)", SCORES),
        ("roc_auc(standardized=None)", SCORES),
        ("roc_auc(max_fpr=nan)", SCORES),
    ],
)
def test_an_option_of_a_measure_that_cannot_be_is_refused_by_its_name(spelling: str, tally: Tally) -> None:
    name, _, value = spelling.partition("(")[2].rstrip(")").partition(",")[0].partition("=")
    with pytest.raises(OptionError, match=rf"^{name} is '?{value}'?; it is .*: {OPTIONS[name].help}\.$"):
        assay.estimate(spelling, tally)
