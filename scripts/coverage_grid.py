"""Simulate how often every default interval covers the true value.

    make coverage

This writes docs/reference/coverage.md, and a summary of it for `assay measures` to src/assay/data/coverage.json. The
populations are in `coverage_families.py`. Every measure of the catalogue is simulated on every family of populations
that fits it, so a new measure appears in the table by itself. For a quick look, printed but not written:

    python scripts/coverage_grid.py --quick --only f1,mcc
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from assay.measures.declare.measure import Measure
from assay.options import LEVEL, LEVELS
from assay.uncertainty.results import version
from scripts.coverage_counting import DRAWS, SEED, Coverage, Family, count
from scripts.coverage_families import PAIRED, SINGLE
from scripts.coverage_populations import Population, in_clusters

ROOT = Path(__file__).resolve().parents[1]
FAMILIES = (*SINGLE, *PAIRED)
TARGET, DATA = ROOT / "docs" / "reference" / "coverage.md", ROOT / "src" / "assay" / "data" / "coverage.json"
SAMPLES, QUICK = 1_000, 200
SLOW = ("bca", "percentile")  # methods that draw thousands of tables for every sample
LOWEST = 0.92  # the coverage that a default should have in every population, at the default level
MADE = 0.05  # populations in which a smaller share of samples has an interval are left out
PROCESSES = 2

BASIS = {
    "wilson": "Wilson's score interval: theory.",
    "midp_draws": "quantiles over tables drawn so that every share they are made of has its mid-P limits: the limits "
    "of each share by theory, those of the table **by simulation, not by theory**. Rows of different weight are first "
    "converted to fewer rows of equal weight.",
    "midp": "exact binomial limits that count the observed outcome half: theory.",
    "jaccard": "mid-P limits of tp / (tp + fp + fn), transformed to F1: theory, given that denominator.",
    "dirichlet": "quantiles over Dirichlet(cells + ½): a posterior by theory, its coverage by simulation.",
    "effective_n": "Wilson's or mid-P limits with an effective number of items: **by simulation, not by theory**.",
    "smoothed_log": "standard errors on the log scale, half an item added to each class: **by simulation, not by "
    "theory**.",
    "robust": "the larger of the regression's standard error and the one from leaving items out: theory for large "
    "samples; taking the larger of the two **by simulation, not by theory**.",
    "bca": "bias-corrected and accelerated bootstrap over units: theory for large samples.",
    "percentile": "quantiles of the bootstrap over units: theory for large samples.",
    "jackknife": "leave one unit out, with Student's t; single values on the logit of the position within the range: "
    "theory for large samples; its degrees of freedom **by simulation, not by theory**.",
    "cluster_factor": "the interval for independent rows, on counts divided by what clusters add to the variance: "
    "theory for many clusters; its degrees of freedom and the fraction of a cluster added to every cell **by "
    "simulation, not by theory**.",
    "cluster_jackknife": "leave one cluster out, with Student's t on the logit of the position within the range: "
    "theory for many clusters; its degrees of freedom **by simulation, not by theory**.",
    "smoothed": "Wilson's interval with an effective number of items, its variance half from the jackknife and half "
    "from the delta method with one item spread over all cells; where the range has no upper end, that delta method on "
    "the log scale: **by simulation, not by theory**.",
    "logit_delta": "delta method on the logit of the position within the range, or on the log scale if the range has "
    "no upper end: theory for large samples.",
    "smoothed_delta": "half an item in every joint cell, then the delta method: theory for differences of accuracy "
    "(after Bonett and Price), **by simulation, not by theory**, for other measures.",
    "tango": "the score interval of the difference of two shares of the same items: theory.",
    "delong_mover": "Wilson's limits of both areas, each with the number of items that gives DeLong's variance, "
    "combined with DeLong's covariance: theory for large samples; the tenth of an item added to each end of each class "
    "**by simulation, not by theory**.",
    "bounded_t": "Wilson's limits with the variance of the values, or Student's t for differences, with a quarter of a "
    "value added at each end of the range: **by simulation, not by theory**. Limits of a share where all are 0 or 1.",
    "mover": "two single intervals combined: theory, but the shrinkage of their correlation **by simulation, not by "
    "theory**.",
}


@dataclass(frozen=True)
class Case:
    """One measure on one family of populations, at every level."""

    family: Family
    measure: Measure
    options: dict[str, Any]
    found: list[tuple[Population, dict[float, Coverage]]]

    @property
    def spelling(self) -> str:
        """The measure with its options."""
        return self.measure.spelled(self.options)

    @property
    def methods(self) -> list[str]:
        """The methods that were chosen, most frequent first."""
        total: Counter[str] = Counter()
        for _, coverage in self.found:
            total += coverage[LEVEL].methods
        return [name for name, _ in total.most_common()]

    def shares(self, level: float) -> list[float]:
        """Coverage in the populations that have an interval often enough."""
        counted = [coverage[level] for _, coverage in self.found]
        return [each.share for each in counted if each.made > MADE * each.samples]

    @property
    def verdict(self) -> str:
        """In how many populations the coverage is lower than a default should have."""
        low = [c[LEVEL] for _, c in self.found if c[LEVEL].made > MADE * c[LEVEL].samples and c[LEVEL].share < LOWEST]
        if not low:
            return "–"
        marked = sum(each.marked for each in low) / sum(each.made for each in low)
        return f"{len(low)} below 92" + (f"; {marked:.0%} of those marked" if marked else "")


def simulate(samples: int, only: tuple[str, ...] = ()) -> list[Case]:
    """Every measure on every family of populations that fits it, or only those with these names or spellings."""
    wanted = [
        (f, c)
        for f, family in enumerate(FAMILIES)
        for c, (measure, options) in enumerate(family.cases())
        if not only or {measure.name, measure.spelled(options), family.title} & set(only)
    ]
    cases = []
    with ProcessPoolExecutor(PROCESSES) as pool:
        for (f, c), found in zip(wanted, pool.map(_counted, [(*each, samples) for each in wanted]), strict=True):
            family = FAMILIES[f]
            case = Case(family, *family.cases()[c], list(zip(family.populations, found, strict=True)))
            cases.append(case)
            shares = " ".join(f"{100 * share:.1f}" for share in case.shares(LEVEL))
            print(f"{family.title}: {case.spelling} ({', '.join(case.methods)}) {shares}", flush=True)
    return cases


def _counted(task: tuple[int, int, int]) -> list[dict[float, Coverage]]:
    """The coverage of one case in each population of its family, at every level; runs in its own process."""
    family, samples = FAMILIES[task[0]], task[2]
    measure, options = family.cases()[task[1]]
    out = []
    for each in family.populations:
        size = _size(each, family, measure, options, samples)
        # Other levels use the same formulas, so fewer samples are enough.
        sizes = {level: size if level == LEVEL else 3 * size // 10 for level in LEVELS}
        out.append({level: count(each, measure, sizes[level], level=level, **options) for level in LEVELS})
    return out


def _size(population: Population, family: Family, measure: Measure, options: dict[str, Any], samples: int) -> int:
    """Fewer samples if each takes long, so that the grid takes only minutes."""
    first = count(population, measure, 1, **options)
    if set(first.methods + first.parts) & set(SLOW):
        return samples // 10
    return samples // 2 if family in PAIRED or in_clusters(population) else samples


@dataclass(frozen=True)
class Found:
    """The coverage of one measure's interval in one population, at every level."""

    spelling: str
    methods: tuple[str, ...]
    rows: str  # the kind of rows: "" for single ones of equal weight, "clusters", "weights"
    n: int
    shares: dict[float, float]


def singles(cases: list[Case]) -> list[Found]:
    """What was found for single systems."""
    return [
        Found(case.spelling, tuple(case.methods), _rows(each), each.n, {x: c.share for x, c in coverage.items()})
        for case in cases
        if case.family not in PAIRED
        for each, coverage in case.found
        if coverage[LEVEL].made > MADE * coverage[LEVEL].samples
    ]


def _rows(population: Population) -> str:
    return "clusters" if in_clusters(population) else "weights" if hasattr(population, "heavy") else ""


def summary(found: list[Found]) -> dict[str, list[dict[str, Any]]]:
    """For each measure and method of its default interval: coverage in percent, and over how many populations."""
    together: dict[tuple[str, frozenset[str], str], list[Found]] = {}
    for each in found:
        together.setdefault((each.spelling, frozenset(each.methods), each.rows), []).append(each)
    out: dict[str, list[dict[str, Any]]] = {}
    for (spelling, _, rows), group in together.items():
        percent = {level: [100 * each.shares[level] for each in group] for level in group[0].shares}
        row = {
            "methods": list(group[0].methods),
            "rows": rows,
            "levels": {f"{x:g}": [round(float(np.mean(s)), 1), round(min(s), 1)] for x, s in percent.items()},
            "populations": len(group),
            "smallest_n": min(each.n for each in group),
        }
        out.setdefault(spelling, []).append(row)
    return out


def as_json(measures: dict[str, list[dict[str, Any]]], samples: int) -> str:
    """The summary with a line for each measure, so that changes are readable."""
    facts = {"assay": version(), "samples": samples, "seed": SEED}
    lines = [f"  {json.dumps(name)}: {json.dumps(rows)}" for name, rows in measures.items()]
    return json.dumps(facts)[:-1] + ', "measures": {\n' + ",\n".join(lines) + "\n}}\n"


# What the populations are, as the page says it.
POPULATIONS = (
    "## The populations",
    "",
    "- *Classes*: items fall independently into the cells of the table. A system labels an item of a class "
    "correctly with the probability given by that class's recall; its errors are spread evenly over the other "
    "classes unless stated otherwise. With five classes, *easy* has recalls of 97, 96, 95, 93 and 90%, "
    "*middling* 85, 75, 70, 60 and 50%, *poor* 60, 40, 35, 30 and 20%, from the most frequent class to the "
    "rarest. “70% / 10%” is the recall and the share of false alarms among negatives.",
    "- *Rows of different weight*: rows fall into the cells of a table; the weights in a cell vary around the "
    "cell's mean weight with a lognormal spread (log sd). The true value is the weighted one.",
    "- *Long tail*: class shares fall as a power of their rank, recall falls evenly with the rank, and errors "
    "go to the large classes. There, and for five classes in clusters, averages over classes are about the "
    "classes that occur in the sample.",
    "- *Two systems*: B repeats A's answer with the stated probability and otherwise gives its own.",
    "- *Clusters*: each cluster has its own cell shares, drawn from a Dirichlet distribution around those of "
    "the population with the stated intraclass correlation; cluster sizes are geometric.",
    "- *Scores*: each item has a signal, N(0, 1) or Gamma(2) for negatives, N(shift, 1) or Gamma(2 + shift) "
    "for positives; the score is the probability of a positive given the signal (*calibrated*), or that with "
    "its log-odds doubled (*too sure*) or halved (*too unsure*). The number of positives varies from sample to "
    "sample. In clusters, both the normal signals and the classes have the stated intraclass correlation. For "
    "two systems, scores are the normal signals themselves. True values are computed from 20,000 quantiles of "
    "each class; the area is then exact to 1e-6.",
    "- *Rankings*: 400 lists of 30 documents were drawn once for each kind, and queries are drawn from them with "
    "replacement. A list is *good*, *middling* or *poor* by the probability that its first document is relevant, "
    "0.95, 0.5 or 0.11 on average and different from query to query; it falls by 5% with each rank. Relevant "
    "documents have grades of 1 to 3, and those that were not returned are in the pool. Run B has the odds of A's "
    "lists for each query, changed by chance (*similar*: three tenths of the ranks hold another document), or by "
    "1.6 times (*better*); of *lost* queries it finds nothing. Topics are clusters of queries.",
    "- *Raters*: each names the true category of a unit with the stated probability and otherwise one of the "
    "others, independently of the other raters.",
    "- *Clusterings*: items of a class fall into its own group with the stated probability, otherwise into one "
    "of the other three.",
    "",
    "Except for scores, the true value is the formula itself on the exact shares of the population, without "
    "simulation.",
    "",
)


def page(cases: list[Case], samples: int) -> str:
    """The reference page."""
    used = sorted({method for case in cases for method in case.methods})
    return "\n".join(
        [
            "# How often the intervals cover the true value",
            "",
            "% Made by `make coverage`; do not edit.\n\n"
            "Samples were drawn from each population below, and the default "
            "interval of each measure was computed for every sample, at levels of 95, 90 and 99%. *Coverage* is the "
            "percentage of those intervals that contain the population value; *width* is their mean width at 95%. "
            "Both are based on the samples that have an interval: *undefined* is the percentage of samples in which "
            "the measure has no value, *refused* that of samples in which it has a value but no interval, and "
            "*marked* that of intervals marked as unreliable or not simulated. Populations in which fewer than 5% of "
            "the samples have an interval are left out of the summary.",
            "",
            *_how(samples),
            *POPULATIONS,
            "## What supports each method",
            "",
            *(f"- `{name}`: {BASIS.get(name, 'not described yet.')}" for name in used),
            "",
            "Whatever the theory, the figures below are the evidence for samples of these sizes.",
            "",
            "## Summary",
            "",
            "| populations | measure | method | mean | lowest | highest | 90%: mean, lowest | 99%: mean, lowest "
            "| below target |",
            "|---|---|---|--:|--:|--:|--:|--:|---|",
            *(_summary(case) for case in cases),
            "",
            *(line for case in cases for line in _details(case)),
        ]
    )


def _how(samples: int) -> list[str]:
    """How many samples were drawn, and what they should show."""
    return [
        f"assay {version()}, NumPy {np.__version__}, seed {SEED}. {samples:,} samples for each population, half "
        "as many for clusters and for two systems, and a tenth where each sample is bootstrapped; "
        "*samples* says how many. The levels of 90 and 99% have three tenths of that. "
        f"Methods that draw used {DRAWS:,} draws instead of the default 9,999. "
        f"With {samples:,} samples the Monte Carlo error of a coverage near 95% is ±{_error(samples):.1f} points "
        f"(two standard errors), with {samples // 2:,} it is ±{_error(samples // 2):.1f}, and with "
        f"{samples // 10:,} ±{_error(samples // 10):.1f}.",
        "",
        "A default should have at least 92% coverage in every population at the 95% level. If it does not, the "
        "last column of the summary says so. Intervals with too much coverage are no good either: they are wider "
        "than the data justify. At 90%, no rule for shares keeps every population above 87%: outcomes are whole "
        "numbers, and mid-P limits of a single share fall to 83% when one or two hits decide.",
        "",
    ]


def _error(samples: int) -> float:
    return float(200 * np.sqrt(0.95 * 0.05 / samples))


def _summary(case: Case) -> str:
    usual, *others = ([100 * share for share in case.shares(level)] for level in (LEVEL, 0.9, 0.99))
    methods = ", ".join(f"`{name}`" for name in case.methods)
    head = f"| {case.family.title} | `{case.spelling}` | {methods} |"
    if not usual:
        return f"{head} – | – | – | – | – | hardly ever an interval |"
    more = " | ".join(f"{np.mean(shares):.1f}, {min(shares):.1f}" for shares in others)
    return f"{head} {np.mean(usual):.1f} | {min(usual):.1f} | {max(usual):.1f} | {more} | {case.verdict} |"


def _width(x: float) -> str:
    return f"{x:.3f}" if x < 10 else f"{x:,.0f}"


def _details(case: Case) -> list[str]:
    rows = []
    for population, coverage in case.found:
        c, shares = coverage[LEVEL], [100 * coverage[level].share for level in (LEVEL, 0.9, 0.99)]
        parts = [100 * part / c.samples for part in (c.undefined, c.refused)]
        rows.append(
            f"| {population.name} | {population.n} | {' | '.join(f'{x:.1f}' for x in shares)} | {_width(c.mean_width)} "
            f"| {parts[0]:.1f} | {parts[1]:.1f} | {100 * c.marked / max(c.made, 1):.1f} | {c.samples} |"
        )
    return [
        f"### {case.spelling}: {case.family.title.lower()}",
        "",
        "| population | n | coverage % | at 90% | at 99% | width | undefined % | refused % | marked % | samples |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
        *rows,
        "",
    ]


def main() -> None:
    """Simulate, and write each file beside its target before replacing it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--samples", type=int, default=SAMPLES, help="samples for each population")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} samples for each population")
    parser.add_argument("--only", default="", help="names or spellings of measures, separated by commas")
    parser.add_argument("--output", type=Path, help="where to write the page; a quick look is only printed")
    parser.add_argument("--data", type=Path, help="where to write the summary; a quick look is only printed")
    asked = parser.parse_args()
    samples = QUICK if asked.quick else asked.samples
    whole = samples >= SAMPLES and not asked.only
    start = time.perf_counter()
    cases = simulate(samples, tuple(filter(None, asked.only.split(","))))
    for path, text in (
        (asked.output or (TARGET if whole else None), page(cases, samples).rstrip() + "\n"),
        (asked.data or (DATA if whole else None), as_json(summary(singles(cases)), samples)),
    ):
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            beside = path.with_suffix(".partial")
            beside.write_text(text, encoding="utf-8")
            beside.replace(path)
    print(f"{len(cases)} measures and families, {(time.perf_counter() - start) / 60:.0f} minutes")


if __name__ == "__main__":
    main()
