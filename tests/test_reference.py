"""The reference covers everything that users can name."""

from __future__ import annotations

import ast
import builtins
import doctest
import re
import tomllib
import typing
from collections.abc import Callable
from math import log
from pathlib import Path

import numpy as np
import pytest

import assay
import assay.options as options
from assay.cli.main import COMMANDS
from assay.measures.declare.catalogue import catalogue
from assay.uncertainty.one import intervals as one
from assay.uncertainty.two import paired
from assay.uncertainty.values import intervals as values
from scripts.reference import __main__ as reference
from scripts.reference import commands, measures, methods, names, python, results, usage

LONGEST = 300  # lines of a generated page
NO_QUANTITY = {"d", "x", "i"}  # of formulas: d and x of an integral; i also counts ranks


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return reference.pages()


def test_every_public_name_has_a_page(pages: dict[str, str]) -> None:
    assert {f"python/{name}.md" for name in names.public_names()} == {
        name for name in pages if name.startswith("python/") and name != "python/index.md"
    }
    assert {f"measures/{name}.md" for name in catalogue()} <= set(pages)


def test_every_command_has_a_page_with_its_own_help(pages: dict[str, str]) -> None:
    assert set(commands.READ_ON) == set(COMMANDS)
    for name in COMMANDS:
        assert f"Usage: assay {name}" in pages[f"commands/{name}.md"]


def test_every_page_says_what_the_thing_is(pages: dict[str, str]) -> None:
    for name, text in pages.items():
        body = text.split("\n# ", 1)[1].split("\n", 1)[1]
        assert any(line and not line.startswith(("#", "|", "`", "$", ":")) for line in body.splitlines()), name


def test_every_call_that_a_page_shows_is_whole(pages: dict[str, str]) -> None:
    shown = [
        (name, block)
        for name, text in pages.items()
        for block in re.findall(r"```python\n([\w.]+\(.*?)\n```", text, flags=re.DOTALL)
    ]
    assert len(shown) > 150
    for name, block in shown:
        made = ast.parse(re.sub(r"^[\w.]+", "def called", block) + ": ...").body
        assert isinstance(made[0], ast.FunctionDef), name
        back = "" if made[0].returns is None else ast.unparse(made[0].returns)
        known = {*vars(builtins), *vars(typing), *dir(assay), *results.WITHIN, "Self", "array", "Scorer"}
        known |= {kind.__name__ for kinds in results.WITHIN.values() for kind in kinds}
        known |= set(re.findall(r"^`(\w+)`:", pages[name], flags=re.MULTILINE))
        assert set(re.findall(r"\b[A-Z]\w+", back)) <= known, f"{name}: {block}"


def test_every_field_of_a_result_has_a_sentence(pages: dict[str, str]) -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*) \| `.*` \|$", "\n".join(pages.values()), flags=re.MULTILINE)
    assert len(rows) > 200
    lacking = [
        name
        for name, text in pages.items()
        if name.startswith("python/") and re.search(r"^\| `\w+` \|  \|", text, flags=re.MULTILINE)
    ]
    assert lacking == [], "write the sentences in scripts/reference/texts/fields.toml"
    kinds = {kind.__name__ for each in results.WITHIN.values() for kind in each}
    assert set(tomllib.loads(results.FIELDS.read_text(encoding="utf-8"))) <= kinds | set(
        re.findall(r"^(?:# |`)(\w+)(?:`:.*)?$", "\n".join(pages.values()), flags=re.MULTILINE)
    )


def test_no_page_is_a_dump_of_something_else(pages: dict[str, str]) -> None:
    long = {name for name, text in pages.items() if text.count("\n") > LONGEST}
    assert long == {"names.md"}  # a list from A to Z
    assert [name for name, text in pages.items() if "numpy." in text or "array([" in text] == []


def test_the_examples_of_the_pages_run(pages: dict[str, str]) -> None:
    shown = {name: re.findall(r"```python\n(>>>.*?)```", text, flags=re.DOTALL) for name, text in pages.items()}
    assert any(shown.values())
    for name, blocks in shown.items():
        test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, name, 0)
        assert doctest.DocTestRunner(verbose=False).run(test).failed == 0, name


def test_every_test_and_measure_of_compare_is_named_on_its_page(pages: dict[str, str]) -> None:
    assert [
        name
        for name in (*options.TESTS, *options.STATISTICS, *options.ALTERNATIVES)
        if f"`{name}`" not in pages["python/compare.md"]
    ] == []


def test_what_is_added_to_a_page_is_about_a_public_function() -> None:
    assert set(usage.texts()) <= names.public_names()


def test_every_measure_has_a_formula_in_latex_and_no_other_has() -> None:
    assert set(measures.formulas()) == set(catalogue())


@pytest.mark.parametrize("name", catalogue())
def test_every_letter_of_a_formula_is_explained(name: str) -> None:
    left = measures.formulas()[name]
    counted = set(re.findall(r"\\(?:sum|prod|max)_\{?([a-z])([a-z]?)", left))  # what sums run over
    symbols = measures.legend(catalogue()[name])
    for symbol in sorted(symbols, key=len, reverse=True):
        left = re.sub(measures.standing(symbol), " ", left)
    left = re.sub(r"\\(?:mathrm|text)\{\w+\}|\\[A-Za-z]+", " ", left)
    assert set(re.findall(r"[A-Za-z]", left)) <= {letter for pair in counted for letter in pair} | NO_QUANTITY


def test_no_letter_is_explained_that_no_formula_has() -> None:
    known = tomllib.loads(measures.SYMBOLS.read_text(encoding="utf-8"))
    used = {symbol for measure in catalogue().values() for symbol in measures.legend(measure)}
    every = {symbol for family, symbols in known.items() if family not in ("of", "more") for symbol in symbols}
    assert every | {symbol for symbols in known["of"].values() for symbol in symbols} == used
    assert set(known["of"]) | set(known["more"]) <= set(catalogue())


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("name", [name for name, m in catalogue().items() if m.kind is assay.Confusion])
def test_what_a_page_says_about_clusters_is_what_a_result_has(name: str, classes: int, pages: dict[str, str]) -> None:
    every = "abc"[:classes]
    gold = [every[i % classes] for i in range(120)]
    pred = [every[(i + (i % 7 == 0)) % classes] for i in range(120)]
    table = assay.Confusion.from_predictions(gold, pred, cluster=[i // 6 for i in range(120)])
    (told, *more) = re.findall(
        r"^\| \*\*Default interval\*\* \| with clusters(.*) \|$", pages[f"measures/{name}.md"], re.M
    )
    found = assay.estimate(f"{name}(pos_label=a)" if catalogue()[name].averaged else name, table).method
    if catalogue()[name].averaged and not catalogue()[name].averages.of_one_class:
        assert (found, len(more)) == ("cluster_factor", 1)
        macro = assay.estimate(f"{name}(average=macro)", table).method
        assert macro == ("cluster_factor" if classes == 2 else "cluster_jackknife")
    else:
        jackknife = told == ": jackknife over clusters" or (classes == 3 and told.endswith("for more"))
        assert (found, more) == ("cluster_jackknife" if jackknife else "cluster_factor", [])


def test_intervals_of_fewer_classes_come_first(pages: dict[str, str]) -> None:
    for name in catalogue():
        rows = re.findall(r"^\| \*\*(.*interval.*)\*\* \| (.*) \|$", pages[f"measures/{name}.md"], re.M | re.I)
        assert rows, name
        assert [what for what, _ in rows] == sorted(what for what, _ in rows)  # the default before others
        places = {text.rpartition(":")[0]: place for place, (_, text) in enumerate(rows)}
        for where, place in places.items():
            if where.endswith("classes or more"):
                before = where.rpartition("3 classes")[0]
                assert places.get(f"{before}two classes", place - 1) < place, name


def test_every_name_of_python_and_every_term_is_in_the_list_of_names(pages: dict[str, str]) -> None:
    listed = set(re.findall(r"^\| `?(.+?)`? \| (?:function|class|error) \|", pages["names.md"], re.M))
    assert listed == names.public_names()
    terms = re.findall(r"^\| (.+) \| term \|", pages["names.md"], re.M)
    assert len(terms) > 50
    assert {"Stratum", "Cluster", "row", "p-value"} <= set(terms)


def test_every_argument_of_a_measure_has_a_sentence(pages: dict[str, str]) -> None:
    rows = [
        (name, row)
        for name in catalogue()
        for row in re.findall(r"^\| `\w+` \|.*$", pages[f"measures/{name}.md"], re.M)
    ]
    assert len(rows) > 300
    assert [each for each in rows if each[1].endswith("|  |")] == []


# What the pages say of the same score for every item, with the share of positives π.
SAME_SCORE: dict[str, Callable[[float], float]] = {
    "0.5": lambda _: 0.5,
    "π": lambda share: share,
    "(1 + π) / 2": lambda share: (1 + share) / 2,
    "π (1 − π)": lambda share: share * (1 - share),
    "−π ln π − (1 − π) ln(1 − π)": lambda share: -share * log(share) - (1 - share) * log(1 - share),
}


@pytest.mark.parametrize("name", catalogue())
def test_what_a_page_says_about_no_model_is_what_a_result_has(name: str, pages: dict[str, str]) -> None:
    measure = catalogue()[name]
    (told,) = re.findall(r"^\| \*\*No model\*\* \| (.*) \|$", pages[f"measures/{name}.md"], flags=re.MULTILINE)
    gold, pred = ["a"] * 30 + ["b"] * 10, ["a"] * 25 + ["b"] * 5 + ["a"] * 3 + ["b"] * 7
    if measure.no_skill == "base rate":
        found = measure.estimate([0] * 30 + [1] * 10, np.linspace(0.1, 0.9, 40)).no_skill
        assert found == pytest.approx(SAME_SCORE[told.split(", if every item has the ")[0]](0.25))
    elif measure.no_skill == "no model" and measure.averaged:
        one = measure.estimate(gold, pred, pos_label="b").no_skill
        assert (one is None) == told.startswith("none for one class")
        averages = () if measure.averages.of_one_class else ("macro",)
        assert all(measure.estimate(gold, pred, average=each).no_skill is not None for each in averages)
    elif measure.no_skill == "no model":
        assert measure.estimate(gold, pred).no_skill is not None
        assert told.startswith("the best of")
    else:
        start = "none:" if measure.no_skill is None else f"{measure.no_skill:g}, by chance"
        assert told.startswith(start)


def test_a_measure_whose_best_is_infinite_is_not_said_to_reach_it(pages: dict[str, str]) -> None:
    assert [name for name, text in pages.items() if "infinity is perfect" in text] == []


def test_only_costs_range_from_the_cheapest_outcome(pages: dict[str, str]) -> None:
    assert [name for name, text in pages.items() if "from the cheapest" in text] == ["measures/expected_cost.md"]


def test_the_list_of_names_by_purpose_names_each_once() -> None:
    named = [name for names in python.PURPOSES.values() for name in names]
    assert len(named) == len(set(named))
    assert all(hasattr(assay, name) for name in named)


@pytest.mark.parametrize(
    ("folder", "names"), [("intervals", methods.interval_names()), ("tests", methods.test_names())]
)
def test_every_method_and_every_test_has_one_heading_and_no_other_name_has(folder: str, names: set[str]) -> None:
    described = [name for page in methods.headings(folder).values() for name in page]
    again = ["none"] if folder == "tests" else []  # as a test, and as a correction
    assert sorted(described) == sorted([*names, *again])


@pytest.mark.parametrize("folder", ["intervals", "tests"])
def test_every_method_and_every_test_is_also_found_by_what_others_call_it(folder: str, pages: dict[str, str]) -> None:
    described = {name for page in methods.headings(folder).values() for name in page}
    assert set(names.spoken()[folder]) == described
    for ours, others in names.spoken()[folder].items():
        assert others
        for each in (f"`{ours}`", *others):
            assert re.search(rf"^\| {re.escape(each)} \| {names.KINDS[folder]} \| ", pages["names.md"], re.MULTILINE)


def test_the_methods_that_results_name_are_those_of_the_reference() -> None:
    assert {*one.METHODS, *paired.METHODS, *values.METHODS} <= methods.interval_names()


@pytest.mark.parametrize("page", sorted((methods.FOLDER / "intervals").glob("*.md")), ids=lambda page: page.stem)
def test_the_coverage_on_a_page_is_that_of_the_simulation(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert methods.renewed(text) == text, "run: python -m scripts.reference.methods"


def test_every_method_that_was_simulated_as_a_default_shows_its_coverage() -> None:
    pages = [page.read_text(encoding="utf-8") for page in (methods.FOLDER / "intervals").glob("*.md")]
    shown = {name for text in pages for _, name, _ in methods.FIGURES.findall(text)}
    assert {name for name in methods.interval_names() if methods.figures(name)} == shown


def test_the_coverage_page_describes_every_method_that_it_lists() -> None:
    assert "not described yet" not in (methods.FOLDER / "coverage.md").read_text(encoding="utf-8")
