"""What a page shows of rankings: query by query, by cut-off, by recall, and what nobody judged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.jobs.answers.results import Report
from assay.report.charts.lines import Picture
from assay.report.charts.queries.against import Against
from assay.report.charts.queries.bars import MOST, Bars
from assay.report.charts.queries.spread import Strips
from assay.report.contents.blocks import Block, Figure, Page, Part, Table, Wide
from assay.report.contents.opening import Ladder, Split, Told
from assay.report.families.rankings.reader import queries_of_half
from assay.report.page.render import page_html
from assay.tally.rankings import Ranked
from scripts.gallery_rankings import lists, nothing_found, one_query, several, six_runs
from tests.pages import Tags, blocks
from tests.ranked import digits

# Reciprocal ranks: 1, 1/2, 0 and 1 against 1/2, 1/2, 1/4 and 0.
HIGH = {"q1": [1, 0], "q2": [0, 1], "q3": [0, 0, 0, 0], "q4": [1]}
LOW = {"q1": [0, 1], "q2": [0, 1], "q3": [0, 0, 0, 1], "q4": [0]}
HOSTILE = "<script>alert(1)</script>"


def compared(a: dict[str, list[int]], b: dict[str, list[int]], primary: str = "mean_reciprocal_rank") -> Report:
    return assay.evaluate(Ranked.joint(a, b, names=("high", "low"))).compare(primary=primary, n_resamples=499)


def of_digits(judged: float = 0.8) -> Report:
    qrels, runs = digits(judged=judged)
    joint = Ranked.joint(*(Ranked.from_rankings(qrels, run) for run in runs.values()), names=("pca", "pixels"))
    return assay.evaluate(joint).compare(primary="ndcg(k=10)", n_resamples=499)


@pytest.fixture(scope="module")
def small() -> Page:
    made: Page = compared(HIGH, LOW).page()
    return made


@pytest.fixture(scope="module")
def found() -> Report:
    return of_digits()


def part(page: Page, id: str) -> Part:
    return next(part for part in page.parts if part.id == id)


def figure(page: Page, name: str) -> Figure:
    return next(each for each in page.figures if each.name == name)


def opened(page: Page, kind: type[Block]) -> Block:
    return next(block for block in page.opening if isinstance(block, kind))


def named(report: Report) -> Report:
    return replace(report, asked={**report.asked, "show_queries": True})


# ---------------------------------------------------------------------- the opening
def test_the_opening_says_where_the_first_relevant_result_stands_and_how_many_queries_find_nothing(small: Page) -> None:
    told = opened(small, Told)
    assert isinstance(told, Told)
    assert told.caption == "For a reader of four results"
    (said,) = ("".join(text for text, _ in pieces) for pieces in told.paragraphs)
    # (1 · 2 · 1)^(1/3) and (2 · 2 · 4)^(1/3)
    assert said == (
        "The first relevant result is at rank 1.3 with high, 2.5 with low (geometric mean, where there is one). "
        "Of 4 queries, 1 finds nothing with high and 1 with low."
    )


def test_the_opening_says_who_is_higher_where_and_how_few_queries_make_the_difference(small: Page) -> None:
    split = opened(small, Split)
    assert isinstance(split, Split)
    assert [(piece.items, piece.text) for piece in split.pieces] == [
        (2, "high higher 2"),
        (1, "same 1"),
        (1, "low higher 1"),
    ]
    # Differences of 1, 1/2, 0 and −1/4: half of 1.25 is less than the first; without it, they have a mean of 0.083.
    assert (
        split.note == "Half of the net gain of high comes from 1 query; without its best query the difference is +0.1."
    )


@pytest.mark.parametrize(
    ("gains", "few"), [([1, 0.5, 0, -0.25], 1), ([0.5, 0.5, 0.5, 0.5], 2), ([0.3, 0.2, -0.4], 1), ([2, 2, 1, 1, -1], 2)]
)
def test_the_queries_that_make_half_of_the_gain_are_counted_from_the_largest(gains: list[float], few: int) -> None:
    assert queries_of_half(np.array(gains, np.float64)) == few


# ---------------------------------------------------------------------- query by query
def test_bars_are_the_differences_in_order_with_the_mean_and_its_interval(small: Page) -> None:
    wide = figure(small, "queries-differences")
    assert isinstance(wide, Wide)
    assert isinstance(wide.drawing, Bars)
    assert wide.drawing.values.tolist() == [1, 0.5, 0, -0.25]
    assert wide.drawing.mean == pytest.approx(0.3125)
    assert part(small, "queries").title == "high gains on 2 queries and loses on 1"
    assert "high is better on 2, low on 1, and 1 are the same" in wide.drawing.description


def test_the_mean_and_the_band_of_the_bars_are_those_of_the_comparison(found: Report) -> None:
    bars = figure(found.page(), "queries-differences").drawing
    assert isinstance(bars, Bars)
    (c,) = found.contest.tested if found.contest is not None else ()
    assert (bars.low, bars.high) == (c.low, c.high)
    assert bars.mean == pytest.approx(c.difference, rel=1e-12)


def test_the_first_relevant_results_are_counted_by_rank(small: Page) -> None:
    (table,) = (b for b in blocks(small) if isinstance(b, Table) and b.section.title.startswith("First relevant"))
    shown = {name: [cell.text for cell in cells] for name, cells in table.section.rows}
    assert table.section.columns == ("1", "2", "3", "4–5", "6–10", "later", "none")
    assert shown == {"high": ["2", "1", "0", "0", "0", "0", "1"], "low": ["0", "2", "0", "1", "0", "0", "1"]}


def test_a_page_has_no_names_of_queries_unless_they_are_asked_for(found: Report) -> None:
    assert "digit " not in page_html(found.page())
    shown = figure(named(found).page(), "queries-differences").drawing
    assert isinstance(shown, Bars)
    assert len(shown.gains) == len(shown.losses) == 3
    assert all(each.name.startswith("digit ") for each in (*shown.gains, *shown.losses))


def test_a_hostile_name_of_a_query_is_only_text() -> None:
    a, b = ({f"{HOSTILE} {query}": grades for query, grades in run.items()} for run in (HIGH, LOW))
    text = page_html(named(compared(a, b)).page())
    assert HOSTILE not in text
    assert "&lt;script&gt;alert(1)" in text
    tags = Tags(text)
    assert tags.scripts == 1
    assert not tags.wrong


def test_with_more_systems_the_best_is_drawn_against_the_runner_up() -> None:
    page = six_runs()
    against = figure(page, "queries-against").drawing
    assert isinstance(against, Against)
    ladder = opened(page, Ladder)
    assert isinstance(ladder, Ladder)
    best, second = ladder.rungs[:2]
    assert against.names == (best.name, second.name)
    assert against.places == (best.place, second.place)
    assert f"against {second.name}, the runner-up," in part(page, "queries").title


def test_values_of_queries_are_drawn_at_what_they_are(small: Page) -> None:
    against, strips = (figure(small, f"queries-{name}").drawing for name in ("against", "spread"))
    assert isinstance(against, Against)
    assert sorted(zip(against.first.tolist(), against.second.tolist(), strict=True)) == [
        (0, 0.25),
        (0.5, 0.5),
        (1, 0),
        (1, 0.5),
    ]
    assert isinstance(strips, Strips)
    assert [strip.mean for strip in strips.systems] == pytest.approx([0.625, 0.3125])


def test_one_run_has_no_bars_but_shows_how_its_queries_spread() -> None:
    page: Page = assay.evaluate({"high": Ranked.from_rankings(HIGH)}).page()
    assert [each.name for each in page.figures] == ["queries-spread", "queries-cutoffs", "queries-recall"]
    assert part(page, "queries").title == "2 of 4 queries have a relevant result at rank 1"


@pytest.mark.parametrize("make", [nothing_found, one_query])
def test_pages_without_differences_or_with_a_single_query_can_be_written(make: object) -> None:
    assert callable(make)
    tags = Tags(page_html(make()))
    assert "NaN" not in tags.text
    assert not tags.wrong


def test_runs_that_are_equal_have_no_bars() -> None:
    page: Page = compared(HIGH, HIGH).page()
    assert part(page, "queries").title == "high and low are equal on all 4 queries"
    assert all(each.name != "queries-differences" for each in page.figures)


# ---------------------------------------------------------------------- many queries
def test_thousands_of_queries_are_drawn_in_part_and_in_cells_and_the_page_says_so() -> None:
    report = compared(lists(5000, 0.5, 1, 10), lists(5000, 0.45, 2, 10), "ndcg(k=10)")
    page: Page = report.page()
    text = page_html(page)
    assert len(text.encode()) <= 300_000
    assert f"{MOST} of 5,000 queries, evenly spaced in order." in part(page, "queries").lead[0]
    assert "5,000 queries in cells" in figure(page, "queries-against").subtitle
    assert text.count("query 4") == 0


def test_a_page_of_two_thousand_queries_is_small_enough() -> None:
    page: Page = compared(lists(2000, 0.5, 1, 10), lists(2000, 0.45, 2, 10), "ndcg(k=10)").page()
    assert len(page_html(page).encode()) <= 300_000


def test_a_page_of_six_runs_is_small_enough() -> None:
    assert len(page_html(six_runs()).encode()) <= 300_000


# ---------------------------------------------------------------------- cut-offs and recall
def test_the_line_and_its_band_at_the_tested_cut_off_are_the_value_and_interval_of_the_report(found: Report) -> None:
    picture = figure(found.page(), "queries-cutoffs").drawing
    assert isinstance(picture, Picture)
    assert picture.reference is not None
    assert picture.reference.name == "@10 is tested"
    for line in picture.lines:
        row, at = found["ndcg(k=10)", line.name], int(np.abs(line.x - 1).argmin())  # the logarithm of 10
        assert line.limits is not None
        assert line.y[at] == pytest.approx(row.value, rel=1e-12)
        assert (line.limits[1][at], line.limits[2][at]) == pytest.approx((row.low, row.high), rel=1e-12)


def test_every_cut_off_has_the_value_that_the_measure_has_there(found: Report) -> None:
    picture = figure(found.page(), "queries-cutoffs").drawing
    assert isinstance(picture, Picture)
    qrels, runs = digits()
    tally = Ranked.from_rankings(qrels, runs["pca"])
    wanted = [assay.ndcg.of(tally, k=k) for k in (1, 2, 3, 5, 10, 20, 30, 50, 100)]
    assert picture.lines[0].y.tolist() == pytest.approx(wanted, rel=1e-12)


def test_cut_offs_end_where_the_lists_do() -> None:
    page: Page = compared(lists(20, 0.5, 1, 7), lists(20, 0.4, 2, 7), "ndcg(k=5)").page()
    picture = figure(page, "queries-cutoffs").drawing
    assert isinstance(picture, Picture)
    assert np.round(10 ** picture.lines[0].x).tolist() == [1, 2, 3, 5, 7]


def test_charts_say_in_words_what_they_show(found: Report) -> None:
    told = {each.name: each.drawing.description for each in found.page().figures}
    assert {"queries-differences", "queries-against", "queries-spread", "queries-cutoffs"} <= set(told)
    assert {"queries-recall", "queries-unjudged"} <= set(told)
    assert all(len(text) > 80 and "pca" in text and "pixels" in text for text in told.values())


# ---------------------------------------------------------------------- judgments
def shares_counted_by_hand(k: int = 10) -> list[float]:
    qrels, runs = digits()
    top = [
        [(q, d) for q, docs in run.items() for d in sorted(docs, key=lambda d: -docs[d])[:k]] for run in runs.values()
    ]
    return [sum(d not in qrels[q] for q, d in each) / len(each) for each in top]


def test_unjudged_results_are_those_that_have_no_judgment(found: Report) -> None:
    page: Page = found.page()
    first, second = shares_counted_by_hand()
    whole = f"{100 * (first + second) / 2:.2g}% of the top 10 results are unjudged"
    assert part(page, "pool").title.startswith(whole)
    assert any(caution.title == f"{whole}." for caution in page.cautions)
    (table,) = (b for b in part(page, "pool").blocks[0].blocks if isinstance(b, Table))  # type: ignore[attr-defined]
    assert [cells[0].value for _, cells in table.section.rows] == [round(500 * first), round(500 * second)]


def test_a_page_of_judged_results_has_no_part_about_the_pool() -> None:
    page: Page = of_digits(judged=1.0).page()
    assert all(each.id != "pool" for each in page.parts)
    assert not any("unjudged" in caution.title for caution in page.cautions)


def test_a_system_that_made_the_pool_is_said_to_be_favored() -> None:
    qrels, runs = digits(judged=1.0)
    pooled = {q: {d: grade for d, grade in held.items() if d in runs["pixels"][q]} for q, held in qrels.items()}
    joint = Ranked.joint(*(Ranked.from_rankings(pooled, run) for run in runs.values()), names=("pca", "pixels"))
    page: Page = assay.evaluate(joint).compare(primary="ndcg(k=10)", n_resamples=499).page()
    (caution,) = (each for each in page.cautions if each.title == "The judgments favor pixels.")
    assert caution.text == "pca has more unjudged results; it may be better than it looks."
    assert caution.of == "pool"


def test_few_queries_are_said_to_miss_small_differences(found: Report) -> None:
    (caution,) = (each for each in found.page().cautions if "small differences" in each.title)
    (c,) = found.contest.tested if found.contest is not None else ()
    assert caution.title == "50 queries miss small differences."
    assert caution.text == f"A true difference of {c.mde:.2g} is found 4 times in 5."


def test_two_runs_on_different_queries_are_not_paired() -> None:
    a, b = Ranked.from_rankings(HIGH), Ranked.from_rankings({f"other {q}": grades for q, grades in LOW.items()})
    page: Page = assay.evaluate({"high": a, "low": b}).page()
    assert all(each.name not in ("queries-differences", "queries-against") for each in page.figures)


def test_systems_that_were_evaluated_but_not_compared_are_drawn_without_an_interval_of_their_difference() -> None:
    runs = {"high": Ranked.from_rankings(HIGH), "low": Ranked.from_rankings(LOW)}
    bars = figure(
        assay.evaluate(several(runs), measures=["mean_reciprocal_rank"]).page(), "queries-differences"
    ).drawing
    assert isinstance(bars, Bars)
    assert bars.low is None
    assert bars.note == "mean +0.312"


def test_the_head_says_how_many_documents_were_judged_and_how(found: Report) -> None:
    qrels, _ = digits()
    judged = sum(map(len, qrels.values()))
    assert found.page().subtitle.startswith(f"50 queries, {judged:,} judgments, grades 0 to 1")


def test_a_run_that_lacks_queries_is_said_not_to_have_answered_them() -> None:
    grades = {q: {"a": 1, "b": 0} for q in ("q1", "q2", "q3", "q4")}
    full = {q: {"a": 0.5, "b": i / 4} for i, q in enumerate(grades)}
    short = {q: {"a": 0.1, "b": 0.3} for q in ("q1", "q2", "q3")}
    page: Page = assay.rank(grades, {"full": full, "short": short}, measures="rr").page()
    assert "short answers 3 of 4 queries" in page.subtitle
    assert "the same queries" not in page.subtitle
    (caution,) = (each for each in page.cautions if "answers" in each.title)
    assert (caution.title, caution.text) == ("short answers 3 of 4 queries.", "The others count as 0.")
    left_out: Page = assay.rank(grades, {"full": full, "short": short}, measures="rr", missing="skip").page()
    assert "both systems answered the same queries" in left_out.subtitle
    assert "short answers 3 of 4 queries; " in assay.rank(grades, {"short": short}).systems[0].headline


def test_intervals_are_said_to_be_about_queries_over_the_same_documents(found: Report) -> None:
    said = "intervals describe other queries like these, over the same documents."
    assert said in found.page().standing
    assert "what people click" in found.page().standing
