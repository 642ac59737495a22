"""Laws of the doors: arrays that do not pair up, or hold what cannot be judged, never come out as a number."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import assay
from assay.errors import DataError, OptionError
from assay.measures.declare.catalogue import catalogue
from assay.measures.declare.family import FAMILIES as DECLARED
from assay.measures.declare.measure import Measure
from assay.tally.class_scores import ClassScored
from assay.tally.contract.base import Tally
from assay.tally.guesses import Guessed
from assay.tally.preferences import Preferences
from assay.tally.rankings import Ranked
from assay.tally.ratings import Rated
from tests.laws.tallies import FAMILIES

# What is no array of the items.
OPTIONS = {"names", "labels", "positive", "pos_label", "bins", "systems", "focus", "missing", "map", "ignore_case"}
OPTIONS |= {"numeric_labels"}
GOLD, LABELS = [0, 1, 1, 0, 1, 0], [0, 1, 0, 0, 1, 1]
SCORES = [0.1, 0.8, 0.4, 0.3, 0.9, 0.6]
ROWS = [[1 - score, score] for score in SCORES]
GUESSES = [[f"c{label}", f"c{1 - label}"] for label in LABELS]
RATINGS = [["x", "x", "y"], ["y", "y", "y"], ["x", "x", "x"], ["x", "y", "x"], ["y", "y", "x"], ["x", "x", "x"]]
BESIDE: dict[str, list[Any]] = {"sample_weight": [1.0, 2.0, 1.0, 0.5, 1.0, 1.0], "cluster": list("uuvvww")}
BESIDE["strata"] = list("ststst")
JUDGMENTS = {"a": list("AABBAB"), "b": list("BBAABA"), "winner": list("AABABA"), "first": list("ABABAB")}
ANSWERS: dict[type[Tally], list[Any]] = {
    **dict.fromkeys(FAMILIES, LABELS),
    **{kind: SCORES for kind in FAMILIES if kind.kind == "scored"},
    ClassScored: ROWS,
    Guessed: GUESSES,
    Rated: RATINGS,
}


def given(kind: type[Tally], name: str) -> Any:
    """Good data for one parameter of a door."""
    if kind is Preferences and name in JUDGMENTS:
        return JUDGMENTS[name]
    return GOLD if name == "y_true" else BESIDE[name] if name in BESIDE else ANSWERS[kind]


def with_first(value: Any) -> Callable[[list[Any]], list[Any]]:
    """Spoils the first item, or the first of its answers."""

    def spoiled(x: list[Any]) -> list[Any]:
        return [[value, *x[0][1:]], *x[1:]] if isinstance(x[0], list) else [value, *x[1:]]

    return spoiled


SPOILED: dict[str, Callable[[list[Any]], Any]] = {
    "shortened": lambda x: x[:-1],
    "shortened to one": lambda x: x[:1],
    "lengthened": lambda x: [*x, x[0]],
    "twice as long": lambda x: [*x, *x],
    "empty": lambda x: [],
    "an empty array": lambda x: np.array([]),
    "a number": lambda x: np.array(1),
    "nothing like an array": lambda x: 1,
    "with an axis too many": lambda x: np.array([[each] for each in x]),
    "text": lambda x: "010101",
    "a set": lambda x: {0, 1},
    "a generator": lambda x: (each for each in x),
    "by position": lambda x: dict(enumerate(x)),
    "with None": with_first(None),
    "with nan": with_first(float("nan")),
    "with inf": with_first(float("inf")),
    "with a list": lambda x: [[x[0], [x[0]]], *x[1:]],
    "with a complex number": with_first(1j),
    "masked": lambda x: np.ma.masked_array(
        x, mask=[np.ones_like(np.asarray(x[0]), bool), *(np.zeros_like(x[1:], bool))]
    ),
}
# What stands for a missing answer by the docstring, or is no fault in such data.
ALLOWED: dict[type[Tally], set[str]] = {
    Guessed: {"with None", "with nan", "masked"},
    Rated: {
        "with None",
        "with nan",
        "with inf",
        "masked",
        "shortened",
        "shortened to one",
        "lengthened",
        "twice as long",
    },
}


def doors() -> list[Any]:
    """Every array that every door takes, with every way to spoil it."""
    out = []
    for kind in FAMILIES:
        for maker in (DECLARED[kind].builder, "joint"):
            known = inspect.signature(getattr(kind, maker)).parameters
            for name in known:
                if name in OPTIONS or kind is Ranked:
                    continue
                for how in SPOILED:
                    alone = kind is Rated and maker != "joint"
                    harmless = ALLOWED.get(kind, set()) if name not in ("y_true", *BESIDE) else set()
                    if kind is Rated and not alone:
                        harmless = harmless - {how for how in harmless if how.startswith(("short", "length", "twice"))}
                    if name in ("cluster", "strata"):
                        harmless = {"with inf"}  # a name like others
                    if how not in harmless:
                        out.append(pytest.param(kind, maker, name, how, id=f"{kind.kind}-{maker}-{name}-{how}"))
    return out


def arguments(kind: type[Tally], maker: str) -> dict[str, Any]:
    """Good data for all that a door needs."""
    known = inspect.signature(getattr(kind, maker)).parameters
    return {name: given(kind, name) for name, p in known.items() if p.default is p.empty}


@pytest.mark.parametrize("kind", [kind for kind in FAMILIES if kind is not Ranked], ids=lambda kind: kind.kind)
def test_the_data_that_are_spoiled_are_good_before(kind: type[Tally]) -> None:
    for maker in (DECLARED[kind].builder, "joint"):
        known = inspect.signature(getattr(kind, maker)).parameters
        for name in known:
            if name not in OPTIONS:
                assert getattr(kind, maker)(**{**arguments(kind, maker), name: given(kind, name)}).n == len(GOLD)


@pytest.mark.parametrize(("kind", "maker", "name", "how"), doors())
def test_an_array_that_does_not_pair_up_is_refused_in_words(kind: type[Tally], maker: str, name: str, how: str) -> None:
    spoiled = {**arguments(kind, maker), name: SPOILED[how](given(kind, name))}
    with pytest.raises((DataError, OptionError)):
        getattr(kind, maker)(**spoiled)


RANKINGS = {"q1": [1.0, 0.0], "q2": [0.0, 2.0], "q3": []}
BAD_RANKINGS: list[Any] = [
    {},
    [[1, 0], [0, 1]],
    "q1",
    {"q1": 1},
    {"q1": "10"},
    {"q1": {1.0, 0.0}},
    {"q1": {"d1": 1.0}},
    {"q1": [None, 1]},
    {"q1": [float("nan")]},
    {"q1": [float("inf")]},
    {"q1": [[1, 0]]},
    {"q1": np.ma.masked_array([1, 0], mask=[True, False])},
    {None: [1.0]},
    {1: [1.0], "1": [0.0]},
]


def shown(bad: Any) -> str:
    """A short name on one line."""
    return " ".join(repr(bad).split())[:40]


@pytest.mark.parametrize("bad", BAD_RANKINGS, ids=shown)
def test_rankings_that_are_none_are_refused_in_words(bad: Any) -> None:
    with pytest.raises(DataError):
        Ranked.from_rankings(bad)
    for pair in ((RANKINGS, bad), (bad, RANKINGS)):
        with pytest.raises(DataError):
            Ranked.joint(*pair)


def test_a_run_that_lacks_a_query_is_refused() -> None:
    with pytest.raises(DataError, match="1 queries are in one run only"):
        Ranked.joint(RANKINGS, {"q1": [1.0], "q2": [0.0]})


TWO_SIDED = [m for m in catalogue().values() if m.kind not in (Ranked, Rated, Preferences)]


@pytest.mark.parametrize("measure", TWO_SIDED, ids=lambda m: m.name)
@pytest.mark.parametrize("how", ["shortened to one", "lengthened", "empty"])
def test_no_measure_is_of_answers_to_fewer_or_more_items(measure: Measure, how: str) -> None:
    answers = ANSWERS[measure.kind]
    measure(GOLD, answers)  # which is no fault
    for gold, pred in ((GOLD, SPOILED[how](answers)), (SPOILED[how](GOLD), answers)):
        with pytest.raises((DataError, OptionError)):
            measure(gold, pred)
    for a, b in ((answers, SPOILED[how](answers)), (SPOILED[how](answers), answers)):
        with pytest.raises((DataError, OptionError)):
            assay.compare(GOLD, a, b, measure=measure)


def test_a_clustering_of_one_item_is_not_compared_with_four_classes() -> None:
    with pytest.raises(DataError, match="y_true has 4 values and y_pred has 1; both need one for each item"):
        assay.adjusted_rand([0, 0, 1, 1], [0])
    with pytest.raises(DataError, match="y_true has 4 values and B has 1"):
        assay.compare([0, 0, 1, 1], [0, 0, 1, 1], [0], measure="adjusted_rand")


# ---------------------------------------------------------------------- options that are no such thing
door: Any = assay  # through which anything may come
TABLE = {"gold": GOLD, "a": LABELS, "b": GOLD, "s": SCORES}
READ: dict[str, Any] = {"gold": "gold", "pred": ["a", "b"]}
TALLY = door.Confusion.from_predictions(GOLD, LABELS)
WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "evaluate by no measures": (lambda: door.evaluate(TABLE, **READ, measures=[]), "measures is empty"),
    "evaluate by a number": (lambda: door.evaluate(TABLE, **READ, measures=3), "measures is 3; name a measure"),
    "evaluate by numbers": (lambda: door.evaluate(TABLE, **READ, measures=[3]), "an int is not a measure"),
    "compare by no measures": (lambda: door.compare_systems(TABLE, **READ, measures=[]), "measures is empty"),
    "compare by an empty name": (
        lambda: door.compare_systems(TABLE, **READ, primary=""),
        "'' does not name a measure",
    ),
    "repeated by no measures": (
        lambda: door.compare_repeated(TABLE, values=["a", "b"], measures=[]),
        "measures is empty",
    ),
    "a list of systems": (
        lambda: door.compare_systems(None, systems=[LABELS, GOLD], gold="gold"),
        "systems is a list; it must map the name of each system",
    ),
    "a name of a system": (lambda: door.evaluate(TABLE, gold="gold", systems="a"), "systems is a str"),
    "disagreements of a list": (lambda: door.disagreements(TABLE, gold="gold", systems=["a", "b"]), "systems is a"),
    "gold by number": (lambda: door.evaluate(TABLE, gold=3, pred="a"), "3 does not name a column"),
    "gold in a list": (lambda: door.evaluate(TABLE, gold=["gold"], pred="a"), r"\['gold'\] does not name a column"),
    "predictions by number": (lambda: door.evaluate(TABLE, gold="gold", pred=3), "pred is 3; it must name a column"),
    "weights by number": (lambda: door.evaluate(TABLE, **READ, weight=3), "3 does not name a column"),
    "slices by number": (lambda: door.evaluate(TABLE, **READ, slices=3), "slices is 3"),
    "scores by number": (lambda: door.evaluate(TABLE, gold="gold", scores={"m": 3}), "3 does not name a column"),
    "advice on a number": (lambda: door.advise(TABLE, gold="gold", pred=3), "pred is 3; it must name a column"),
    "a threshold in letters": (
        lambda: door.evaluate(TABLE, gold="gold", scores="s", positive=1, threshold="half"),
        "the threshold is 'half'; expected a number",
    ),
    "a baseline by number": (lambda: door.compare_systems(TABLE, **READ, baseline=3), "the baseline '3' is not one"),
    "a margin in letters": (lambda: door.compare(GOLD, GOLD, LABELS, measure="f1", margin="x"), "margin is 'x'"),
    "no level": (lambda: door.estimate("f1", TALLY, level=None), "level is None; expected a number"),
    "draws in letters": (lambda: door.estimate("f1", TALLY, n_resamples="many"), "is 'many'; expected a whole number"),
    "no seed": (lambda: door.estimate("f1", TALLY, random_state=None), "is None; expected a whole number"),
    "two names in a text": (lambda: door.compare(GOLD, GOLD, LABELS, measure="f1", names="ab"), "two different names"),
    "three names": (lambda: door.compare_values([1, 2], [2, 4], names=("a", "b", "c")), "two different names"),
    "no names": (
        lambda: door.assert_no_worse(GOLD, GOLD, LABELS, measure="f1", margin=0.1, names=()),
        "two different names",
    ),
    "a tolerance in letters": (
        lambda: door.assert_no_worse(GOLD, GOLD, LABELS, measure="f1", margin="x"),
        "margin is 'x'; expected a number",
    ),
    "a margin of values in letters": (lambda: door.compare_values([1, 2], [2, 4], margin="x"), "margin is 'x'"),
    "no columns of values": (lambda: door.compare_repeated(TABLE, values=[]), "it must name two or more columns"),
    "one column of values": (lambda: door.compare_repeated(TABLE, values="a"), "it must name two or more columns"),
    "values in place of their names": (lambda: door.compare_repeated(TABLE, values=[GOLD, LABELS]), "compare_values"),
    "folds by number": (lambda: door.compare_repeated(TABLE, values=["a", "b"], folds=3), "does not name a column"),
    "a measure to maximize by number": (
        lambda: door.tune(TABLE, gold="gold", score="s", positive=1, maximize=3),
        "an int is not a measure",
    ),
    "a half-width in letters": (lambda: door.plan(half_width="x"), "is 'x'; expected a number"),
    "a difference in letters": (lambda: door.plan(difference="x", disagreement=0.1), "is 'x'; expected a number"),
    "items in letters": (
        lambda: door.plan(difference=0.1, disagreement=0.2, items="x"),
        "is 'x'; expected a whole number",
    ),
    "ranks of a list": (lambda: door.friedman([[1, 2], [2, 3], [3, 4]]), "values is a list; give a mapping"),
    "post hoc of nothing": (lambda: door.post_hoc({}), "give the result of assay.friedman"),
    "critical difference of nothing": (lambda: door.critical_difference({}), "give the result of assay.friedman"),
    "a number beside a report": (lambda: door.evaluate(TABLE, **READ).compare(3), "takes another report"),
}


@pytest.mark.parametrize("case", WRONG)
def test_an_option_that_is_no_such_thing_is_refused_in_words(case: str) -> None:
    call, words = WRONG[case]
    with pytest.raises(OptionError, match=words):
        call()
