"""The explorer: its thresholds are round and close enough, and its numbers are those of the labels they make."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.metrics import confusion_matrix, precision_recall_fscore_support

import assay
from assay.jobs.answers.results import Report
from assay.jobs.answers.row_texts import interval, value_text
from assay.report.contents.blocks import Caution, Page, Part, Prose
from assay.report.families.explorer import COARSE, FINE, Explorer, Fineness, explorer, places_of, stops_of, ticks_of
from assay.report.families.view import Material, parts_of
from assay.report.page.render import fragment_html, page_html
from assay.tally.scores import Scored

DATA = Path(assay.__file__).parent / "data"
RATES = ("precision", "recall", "f1")
MOST = 220  # stops
HOSTILE = "</script><script>document.title=1337</script>"


def made(n: int, seed: int = 0) -> dict[str, Any]:
    """Items with the probabilities of two systems, in six decimals, and how they count."""
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.3
    drawn = {name: 3 * rng.normal(size=n) + lift * truth - 1 for name, lift in (("a", 5), ("b", 2))}
    scores = {name: np.round(1 / (1 + np.exp(-x)), 6) for name, x in drawn.items()}
    counting = {"clinic": rng.integers(0, 40, n).astype(str), "weight": np.round(rng.random(n) * 3, 2)}
    return {"gold": np.where(truth, "ill", "well"), **scores, **counting}


def evaluated(data: Any, systems: tuple[str, ...] = ("a", "b"), **options: Any) -> Report:
    scores = {name: name for name in systems}
    asked = {"gold": "gold", "positive": "ill", "measures": list(RATES), **options}
    return assay.evaluate(data, **({"scores": scores} | asked))


def part_of(report: Report) -> Part:
    """The part of the page, alone: the others take longer to make."""
    (part,) = explorer(Material(report))
    return part


def explorer_of(report: Report) -> Explorer:
    (block,) = part_of(report).blocks
    assert isinstance(block, Explorer)
    return block


def html_of(report: Report) -> str:
    return page_html(Page("scores", "", (), (), (part_of(report),)))


def scored(scores: Any) -> Scored:
    truth = np.arange(len(scores)) % 3 == 0
    return Scored.from_scores(truth, scores, pos_label=True)


def shares_between(stops: tuple[str, ...], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Which share of the items lies between each two neighbors."""
    return np.diff([(scores < float(stop)).mean() for stop in stops])


# ---------------------------------------------------------------------- thresholds
SHAPES = {
    "even": lambda rng: rng.random(5000),
    "almost all small": lambda rng: rng.beta(0.3, 60, 5000),
    "at both ends": lambda rng: 1 / (1 + np.exp(-6 * rng.normal(size=5000))),
    "margins": lambda rng: 3 * rng.normal(size=5000) - 1,
    "heavy tails": lambda rng: rng.standard_cauchy(5000),
    "over many powers of ten": lambda rng: np.exp(10 * rng.normal(size=5000)),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("fineness", [FINE, COARSE], ids=["fine", "coarse"])
def test_no_more_than_a_small_share_of_the_items_lies_between_two_stops(shape: str, fineness: Fineness) -> None:
    scores = SHAPES[shape](np.random.default_rng(1))
    stops = stops_of(scored(scores), None, fineness)
    assert shares_between(stops, scores).max() <= fineness.gap + 1e-9
    assert len(stops) <= MOST
    values = [float(stop) for stop in stops]
    assert values == sorted(set(values))


@pytest.mark.parametrize("shape", SHAPES)
def test_the_first_stop_calls_every_item_and_the_last_one_none(shape: str) -> None:
    scores = SHAPES[shape](np.random.default_rng(2))
    stops = stops_of(scored(scores), None, FINE)
    assert float(stops[0]) <= scores.min()
    assert float(stops[-1]) > scores.max()


@pytest.mark.parametrize("top", [2.3, 1.4, -0.1, 7.0, 1e300, 1 + 2.22e-16])
def test_the_last_stop_is_above_a_top_score_that_rounds_to_a_stop(top: float) -> None:
    stops = stops_of(scored([top, top - abs(top) / 3, top - abs(top) / 2, top]), None, FINE)
    assert float(stops[-1]) > top


def test_probabilities_have_every_hundredth() -> None:
    stops = stops_of(scored(np.random.default_rng(3).random(500)), None, FINE)
    assert set(stops) >= {f"{i / 100:.2f}" for i in range(101)}
    assert "1.01" not in stops


def test_a_certain_item_is_called_by_1_and_left_out_by_the_stop_after_it() -> None:
    assert stops_of(scored(np.array([0.0, 0.5, 1.0])), None, FINE)[-2:] == ("1.00", "1.01")


@pytest.mark.parametrize("spread", [0.3, 6.0])
def test_no_further_stop_is_a_score_that_was_seen(spread: float) -> None:
    rng = np.random.default_rng(4)
    scores = np.unique(np.round(1 / (1 + np.exp(-spread * rng.normal(size=3000))), 6))
    stops = stops_of(scored(scores), None, FINE)
    further = {float(stop) for stop in stops} - {i / 100 for i in range(102)}
    assert further
    assert not further & set(scores.tolist())


def test_further_stops_are_short_although_the_scores_are_long() -> None:
    scores = np.random.default_rng(5).beta(0.5, 40, 20000)
    stops = stops_of(scored(scores), None, FINE)
    assert max(len(Decimal(stop).normalize().as_tuple().digits) for stop in stops) <= 4


@pytest.mark.parametrize(
    "scores",
    [
        [0.5] * 20,
        [0.0] * 20,
        [7.3] * 20,
        [-3.0] * 20,
        [0.1, 0.3, 0.3, 0.7, 0.9],
        [-1e308, 0.0, 1e308],
        [1.7e308, 0.0, 1.0],
        [1e-300, 2e-300, -1e-300],
        (1e9 + np.arange(50) * 1e-7).tolist(),
        np.nextafter(0.3, 1, dtype=float) + np.arange(100) * 1e-16,
    ],
    ids=["half", "nothing", "constant", "negative", "five", "huge", "largest", "tiny", "close", "neighbors"],
)
def test_scores_of_any_sort_have_stops_and_an_axis(scores: Any) -> None:
    stops = np.array(stops_of(scored(np.array(scores)), None, FINE), np.float64)
    assert 2 <= len(stops) <= MOST
    assert np.isfinite(stops).all()
    assert all(0 <= place <= 1 for place, _ in ticks_of(stops))
    assert (np.diff(places_of(stops)) >= 0).all()


def test_the_named_threshold_is_a_stop() -> None:
    assert "0.123456789" in stops_of(scored(np.random.default_rng(6).random(100)), 0.123456789, FINE)


def test_numbers_at_an_axis_stand_where_their_threshold_is_on_the_slider() -> None:
    stops = np.array([0, 0.001, 0.002, 0.005, 0.01, 0.1, 0.25, 0.5, 0.75, 1])
    placed = {text: place for place, text in ticks_of(stops)}
    assert placed == {text: pytest.approx(float(text)) for text in ("0", "0.2", "0.4", "0.6", "0.8", "1")}
    beyond = dict(ticks_of(np.array([-3.2, 0.0, 8.0])))
    assert list(beyond.values()) == ["-2", "0", "2", "4", "6", "8"]
    assert list(beyond) == pytest.approx([(x + 3.2) / 11.2 for x in (-2, 0, 2, 4, 6, 8)])


def test_stops_stand_on_an_even_axis_however_many_lie_together() -> None:
    stops = np.array([-2.0, -1.9, -1.89, 0, 3])
    assert places_of(stops).tolist() == pytest.approx([0, 0.02, 0.022, 0.4, 1])


def test_where_no_axis_holds_the_range_stops_stand_at_even_distances() -> None:
    assert places_of(np.array([-1e308, 0.0, 1.0, 1e308])).tolist() == pytest.approx([0, 1 / 3, 2 / 3, 1])


# ---------------------------------------------------------------------- numbers
@pytest.fixture(scope="module")
def plain() -> tuple[dict[str, Any], Explorer]:
    data = made(500)
    return data, explorer_of(evaluated(data))


def test_counts_are_those_of_labels_made_by_the_threshold(plain: tuple[dict[str, Any], Explorer]) -> None:
    data, block = plain
    truth = data["gold"] == "ill"
    for system in block.systems:
        for stop, tp, fp in zip(system["stops"], system["tp"], system["fp"], strict=True):
            called = data[system["name"]] >= float(stop)
            tn_, fp_, fn_, tp_ = confusion_matrix(truth, called, labels=[False, True]).ravel()
            assert (tp, fp) == (tp_, fp_)
            assert (system["positives"] - tp, system["negatives"] - fp) == (fn_, tn_)


def test_rates_are_those_of_scikit_learn_in_the_digits_shown(plain: tuple[dict[str, Any], Explorer]) -> None:
    data, block = plain
    truth = data["gold"] == "ill"
    for system in block.systems:
        for i, stop in enumerate(system["stops"]):
            called = data[system["name"]] >= float(stop)
            values = precision_recall_fscore_support(truth, called, average="binary", zero_division=np.nan)[:3]
            for rate, value in zip(RATES, values, strict=True):
                text, more = system[rate][i]
                if rate == "precision" and not called.any():
                    assert (text, more) == ("–", "no item was predicted as this class")
                else:
                    assert text == f"{value:.{len(text) - 2}f}"


def rows_at(data: Any, system: str, stop: str, **options: Any) -> dict[str, list[str]]:
    """What an evaluation at this threshold prints."""
    report = evaluated(data, (system,), threshold=float(stop), **options)
    return {row.measure: [value_text(row), row.reason or interval(row)] for row in report.rows}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"level": 0.8},
        {"weight": "weight"},
        {"cluster": "clinic"},
        {"weight": "weight", "cluster": "clinic"},
        {"method": "jackknife"},
        {"method": "percentile", "n_resamples": 199, "random_state": 3},
    ],
    ids=lambda options: " ".join(f"{value}" for value in options.values()) or "plain",
)
def test_every_text_is_what_an_evaluation_at_that_threshold_prints(options: dict[str, Any]) -> None:
    data = made(200, seed=7)
    (system,) = explorer_of(evaluated(data, ("a",), **options)).systems
    for i in range(3, len(system["stops"]), len(system["stops"]) // 5):
        printed = rows_at(data, "a", system["stops"][i], **options)
        assert {rate: system[rate][i] for rate in RATES} == printed


def test_weighted_counts_are_sums_of_weights() -> None:
    data = made(200, seed=8)
    block = explorer_of(evaluated(data, ("a",), weight="weight"))
    system, ill = block.systems[0], data["gold"] == "ill"
    for i in (0, 40, 90):
        called = data["a"] >= float(system["stops"][i])
        assert system["tp"][i] == pytest.approx(data["weight"][called & ill].sum(), rel=1e-8)
        assert system["fp"][i] == pytest.approx(data["weight"][called & ~ill].sum(), rel=1e-8)
    assert block.notes == ("Counts are sums of weights.",)


def test_in_a_comparison_the_method_of_the_difference_is_not_that_of_the_systems() -> None:
    data = made(200, seed=9)
    how: dict[str, Any] = {"method": "percentile", "n_resamples": 199, "measures": ["f1"]}
    compared = assay.compare_systems(data, gold="gold", scores={"a": "a", "b": "b"}, positive="ill", **how)
    system = explorer_of(compared).systems[0]
    i = system["stops"].index("0.20")
    assert system["f1"][i] == rows_at(data, "a", "0.20")["f1"]


# ---------------------------------------------------------------------- where the slider starts, and with which costs
def test_the_slider_starts_at_the_threshold_of_the_labels() -> None:
    for options, start in (({}, "0.50"), ({"threshold": 0.3}, "0.30"), ({"threshold": {"a": 0.4321}}, "0.4321")):
        system = explorer_of(evaluated(made(60), ("a",), **options)).systems[0]
        assert system["stops"][system["start"]] == start


def test_without_any_threshold_it_starts_where_about_as_many_are_called_as_are_positive() -> None:
    data = made(400, seed=10)
    data["a"] = 10 * data["a"] - 3
    system = explorer_of(evaluated(data, ("a",), measures=None)).systems[0]
    called = system["tp"][system["start"]] + system["fp"][system["start"]]
    assert called == pytest.approx(system["positives"], abs=0.02 * 400)


def test_the_costs_of_the_report_are_those_to_begin_with() -> None:
    given = explorer_of(evaluated(made(60), ("a",), costs={"fp": 2, "fn": 50}))
    assert (given.alarm, given.miss) == (2, 50)
    usual = explorer_of(evaluated(made(60), ("a",)))
    assert (usual.alarm, usual.miss) == (1, 1)


# ---------------------------------------------------------------------- what a page holds of it
def stored(text: str) -> tuple[str, Any]:
    found = re.search(r'<script type="application/json" id="explorer-data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return found[1], json.loads(found[1], parse_constant=pytest.fail)  # NaN and the infinities are constants


def test_the_data_of_two_systems_are_small_even_where_every_stop_has_its_own_numbers() -> None:
    rng = np.random.default_rng(11)
    n = 100_000
    truth = rng.random(n) < 0.1
    data = {"gold": np.where(truth, "ill", "well"), **{name: rng.beta(0.4 + truth, 30, n) for name in ("a", "b")}}
    raw, _ = stored(html_of(evaluated(data, measures=["f1"])))
    assert len(raw.encode()) <= 60_000


def test_names_in_the_data_cannot_end_it() -> None:
    data = made(60)
    data[HOSTILE] = data["a"]
    raw, data = stored(html_of(evaluated(data, (HOSTILE,))))
    assert "<" not in raw
    assert data["systems"][0]["name"] == "</script><script>document.title=1337</s…"


def test_no_score_of_an_item_is_in_the_page() -> None:
    data = made(300, seed=12)
    text = html_of(evaluated(data))
    seen = {f"{score:.6f}" for name in ("a", "b") for score in data[name]} - {"0.000000", "1.000000"}
    assert not [score for score in seen if score in text]


def test_what_the_script_looks_for_is_in_the_page() -> None:
    text = html_of(evaluated(made(60)))
    for name in ("tp", "fp", "fn", "tn", *RATES, "cost", "threshold", "cheapest", "summary"):
        assert f'data-show="{name}"' in text
    for name in ("threshold", "miss", "alarm", "data", "off"):
        assert f'id="explorer-{name}"' in text
    assert text.count('name="explorer-system"') == 2
    assert 'name="explorer-system"' not in html_of(evaluated(made(60), ("a",)))


def test_with_clusters_there_are_fewer_stops_and_the_page_says_so() -> None:
    data = made(300)
    many, few = (explorer_of(evaluated(data, ("a",), **options)) for options in ({}, {"cluster": "clinic"}))
    assert len(few.systems[0]["stops"]) < len(many.systems[0]["stops"]) / 2
    assert any("fewer stops" in note for note in few.notes)


def test_intervals_that_would_take_minutes_are_left_out_and_the_page_says_so() -> None:
    block = explorer_of(evaluated(made(100), ("a",), cluster="clinic", method="percentile", n_resamples=199))
    assert block.systems[0]["recall"][0] == ["1.000", "no interval here"]
    assert any("left out" in note for note in block.notes)


def test_a_notebook_has_no_explorer_and_no_link_to_it() -> None:
    other = Part("method", "Method", "Method", (Prose(("As usual.",)),))
    caution = Caution("Flattered.", "The threshold was chosen here.", of="threshold")
    page = Page("scores", "", (), (caution,), (part_of(evaluated(made(60), ("a",))), other, other))
    assert 'href="#threshold"' in page_html(page)
    text = fragment_html(page)
    assert "explorer-data" not in text
    assert "#threshold" not in text
    assert "Flattered." in text
    assert "As usual." in text


def test_labels_without_scores_have_no_explorer() -> None:
    report = assay.evaluate(DATA / "breast_cancer.csv", gold="gold", pred="tree", positive="malignant")
    assert "threshold" not in [part.id for part in parts_of(Material(report))]
