"""Simulate how often every default interval contains the truth.

    make coverage

This writes docs/reference/coverage.md, and a summary of it for `assay measures` to src/assay/data/coverage.json. The
populations stand in `coverage_families.py`. Every measure of the catalogue is simulated on every family of populations
that fits it, so a new measure appears in the table by itself. A first look, which is printed and not written:

    python scripts/coverage_grid.py --quick --only f1,mcc
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from assay.measures.declare import Measure
from assay.uncertainty.results import version
from scripts.coverage_counting import DRAWS, SEED, Coverage, Family, count
from scripts.coverage_families import PAIRED, SINGLE
from scripts.coverage_populations import Population, in_clusters

ROOT = Path(__file__).resolve().parents[1]
TARGET, DATA = ROOT / "docs" / "reference" / "coverage.md", ROOT / "src" / "assay" / "data" / "coverage.json"
SAMPLES, QUICK = 2_000, 200
SLOW = ("bca", "percentile")  # thousands of tables are drawn for every sample
MEAN, LOWEST = (0.94, 0.97), 0.92  # what a default is meant to reach: mean over populations, and the lowest of them

BASIS = {
    "wilson": "Wilson's score interval: theory.",
    "midp": "exact binomial limits with half of the observed outcome: theory.",
    "jaccard": "Wilson's interval for tp / (tp + fp + fn), carried to F1: theory, given that denominator.",
    "dirichlet": "quantiles over Dirichlet(cells + ½): a posterior by theory, its coverage by simulation.",
    "effective_n": "Wilson's interval with an effective number of items: **by simulation, not by theory**.",
    "smoothed_log": "errors on the logarithm, half an item more of either class: **by simulation, not by theory**.",
    "robust": "the larger of the regression's error and that of leaving items out: theory for large samples; to take "
    "the larger of the two **by simulation, not by theory**.",
    "bca": "bias-corrected and accelerated bootstrap over units: theory for large samples.",
    "percentile": "quantiles of the bootstrap over units: theory for large samples.",
    "jackknife": "leave one unit out, with Student's t; single values on the logit of the position within the range: "
    "theory for large samples; its degrees of freedom **by simulation, not by theory**.",
    "cluster_factor": "the interval of independent rows, on counts divided by what clusters add to the variance: "
    "theory for many clusters; its degrees of freedom and the little of a cluster that is added in every cell **by "
    "simulation, not by theory**.",
    "cluster_jackknife": "leave one cluster out, with Student's t on the logit of the position within the range: "
    "theory for many clusters; its degrees of freedom **by simulation, not by theory**.",
    "smoothed": "Wilson's interval with an effective number of items, its variance half from the jackknife and half "
    "from the delta method with one item spread over all cells; where the range has no top, that delta method on the "
    "log: **by simulation, not by theory**.",
    "logit_delta": "delta method on the logit of the position within the range, or on the log where that has no top: "
    "theory for large samples.",
    "smoothed_delta": "half an item in every joint cell, then the delta method: theory for differences of accuracy "
    "(Bonett and Price), **by simulation, not by theory**, for other measures.",
    "mover": "two single intervals put together: theory, but the shrinking of their correlation is supported **by "
    "simulation, not by theory**.",
}


@dataclass(frozen=True)
class Case:
    """One measure on one family of populations."""

    family: Family
    measure: Measure
    options: dict[str, Any]
    found: list[tuple[Population, Coverage]]

    @property
    def spelling(self) -> str:
        """The measure with its options."""
        return self.measure.spelled(self.options)

    @property
    def methods(self) -> list[str]:
        """The methods that were chosen, the most frequent first."""
        total: Counter[str] = Counter()
        for _, coverage in self.found:
            total += coverage.methods
        return [name for name, _ in total.most_common()]

    @property
    def shares(self) -> list[float]:
        """Coverage by population."""
        return [coverage.share for _, coverage in self.found]

    @property
    def verdict(self) -> str:
        """What is missed of what a default is meant to reach."""
        mean, lowest = float(np.mean(self.shares)), min(self.shares)
        faults = ["one below 92"] * (lowest < LOWEST)
        faults += ["mean below 94"] * (mean < MEAN[0]) + ["mean above 97"] * (mean > MEAN[1])
        return ", ".join(faults) or "–"


def simulate(samples: int, only: tuple[str, ...] = ()) -> list[Case]:
    """Every measure on every family of populations that fits it, or those of these names and spellings."""
    cases = []
    for family in (*SINGLE, *PAIRED):
        for measure, options in family.cases():
            if only and not {measure.name, measure.spelled(options)} & set(only):
                continue
            start = time.perf_counter()
            found = [
                (each, count(each, measure, _size(each, family, measure, options, samples), **options))
                for each in family.populations
            ]
            case = Case(family, measure, options, found)
            cases.append(case)
            shares = " ".join(f"{100 * share:.1f}" for share in case.shares)
            took = time.perf_counter() - start
            print(f"{family.title}: {case.spelling} ({', '.join(case.methods)}) {shares}  {took:.0f} s", flush=True)
    return cases


def _size(population: Population, family: Family, measure: Measure, options: dict[str, Any], samples: int) -> int:
    """Fewer samples where each takes long, so that the grid stays a matter of minutes."""
    first = count(population, measure, 1, **options)
    if set(first.methods + first.parts) & set(SLOW):
        return samples // 10
    return samples // 2 if family in PAIRED or in_clusters(population) else samples


@dataclass(frozen=True)
class Found:
    """The coverage of one measure's interval in one population."""

    spelling: str
    methods: tuple[str, ...]
    clustered: bool
    n: int
    share: float


def singles(cases: list[Case]) -> list[Found]:
    """What was found for single systems."""
    return [
        Found(case.spelling, tuple(case.methods), in_clusters(each), each.n, coverage.share)
        for case in cases
        if case.family not in PAIRED
        for each, coverage in case.found
    ]


def summary(found: list[Found]) -> dict[str, list[dict[str, Any]]]:
    """For each measure and each way its default interval is made: coverage in percent over how many populations."""
    together: dict[tuple[str, frozenset[str], bool], list[Found]] = {}
    for each in found:
        together.setdefault((each.spelling, frozenset(each.methods), each.clustered), []).append(each)
    out: dict[str, list[dict[str, Any]]] = {}
    for (spelling, _, clustered), group in together.items():
        shares = [100 * each.share for each in group]
        row = {
            "methods": list(group[0].methods),
            "clusters": clustered,
            "mean": round(float(np.mean(shares)), 1),
            "lowest": round(min(shares), 1),
            "populations": len(group),
            "smallest_n": min(each.n for each in group),
        }
        out.setdefault(spelling, []).append(row)
    return out


def as_json(measures: dict[str, list[dict[str, Any]]], samples: int) -> str:
    """The summary with a line for each measure, so that changes can be read."""
    facts = {"assay": version(), "level": 0.95, "samples": samples, "seed": SEED}
    lines = [f"  {json.dumps(name)}: {json.dumps(rows)}" for name, rows in measures.items()]
    return json.dumps(facts)[:-1] + ', "measures": {\n' + ",\n".join(lines) + "\n}}\n"


def page(cases: list[Case], samples: int) -> str:
    """The reference page."""
    used = sorted({method for case in cases for method in case.methods})
    return "\n".join(
        [
            "# How often the intervals contain the truth",
            "",
            "Made by `make coverage`; do not edit. From each population below, samples were drawn, and the default 95% "
            "interval of each measure was made for every sample. *Coverage* is the percentage of those intervals that "
            "contain the value in the population; *width* is their mean width. Both are given that there is an "
            "interval: *undefined* is the percentage of samples in which the measure has no value, *refused* that of "
            "samples in which it has a value and no interval.",
            "",
            f"assay {version()}, NumPy {np.__version__}, seed {SEED}. {samples:,} samples for each population, half "
            "as many for clusters and for two systems, and a tenth where each sample is bootstrapped; "
            f"*samples* says how many. Methods that draw used {DRAWS:,} draws in place of the usual 9,999. "
            f"With {samples:,} samples the Monte-Carlo error of a coverage near 95% is ±{_error(samples):.1f} points "
            f"(two standard errors), with {samples // 2:,} it is ±{_error(samples // 2):.1f}, and with "
            f"{samples // 10:,} ±{_error(samples // 10):.1f}.",
            "",
            "A default is meant to reach a mean of 94 to 97 over its populations and none below 92. Where it does not, "
            "the last column of the summary says so. Intervals that are always right are no good either: they are "
            "wider than the data justify.",
            "",
            "## The populations",
            "",
            "- *Classes*: items fall independently into the cells of the table. A system labels an item of a class "
            "right with that class's recall; its errors are spread evenly over the other classes unless it is said "
            "otherwise. Of five classes, *easy* has recalls of 97, 96, 95, 93 and 90%, *middling* 85, 75, 70, 60 and "
            "50%, *poor* 60, 40, 35, 30 and 20%, from the most frequent class to the rarest. “70% / 10%” is the "
            "recall and the share of false alarms among negatives.",
            "- *Two systems*: B repeats the answer of A with the stated chance and otherwise gives its own. "
            "A row names the method that it was simulated with; where the default has become another since "
            "(`tango` for shares, `delong` for areas), `docs/intervals.md` has its figures.",
            "- *Clusters*: each cluster has its own cell shares, drawn from a Dirichlet distribution around those of "
            "the population with the stated intraclass correlation; sizes of clusters are geometric.",
            "- *Scores*: a sign of each item is N(0, 1) or Gamma(2) for negatives, and N(shift, 1) or Gamma(2 + shift) "
            "for positives; the score is the probability of a positive given the sign (*calibrated*), or that with its "
            "log-odds doubled (*too sure*) or halved (*too unsure*). How many items are positive varies from sample to "
            "sample. In clusters, both the normal signs and the classes have the stated intraclass correlation. For "
            "two systems, scores are the normal signs themselves. True values are those of 20,000 quantiles of each "
            "class; the area is then exact to 1e-6.",
            "- *Rankings*: of ten ranks each is the first relevant one with a fixed chance, as long as none before it "
            "was; some queries have no relevant document.",
            "- *Raters*: each names the true category of a unit with the stated chance and otherwise one of the "
            "others, independently of the other raters.",
            "- *Clusterings*: items of a class fall into its own group with the stated chance, otherwise into one of "
            "the other three.",
            "",
            "For all but scores the true value is the formula itself on the exact shares of the population, with no "
            "simulation.",
            "",
            "## What supports each method",
            "",
            *(f"- `{name}`: {BASIS.get(name, 'not described yet.')}" for name in used),
            "",
            "Whatever theory says, the figures below are the evidence for samples of these sizes, at the level of 95%. "
            "Other levels use the same formulas and were not simulated.",
            "",
            "## Summary",
            "",
            "| populations | measure | method | mean | lowest | highest | outside the aim |",
            "|---|---|---|--:|--:|--:|---|",
            *(_summary(case) for case in cases),
            "",
            *(line for case in cases for line in _details(case)),
        ]
    )


def _error(samples: int) -> float:
    return float(200 * np.sqrt(0.95 * 0.05 / samples))


def _summary(case: Case) -> str:
    figures = (float(np.mean(case.shares)), min(case.shares), max(case.shares))
    numbers = " | ".join(f"{100 * x:.1f}" for x in figures)
    methods = ", ".join(f"`{name}`" for name in case.methods)
    return f"| {case.family.title} | `{case.spelling}` | {methods} | {numbers} | {case.verdict} |"


def _width(x: float) -> str:
    return f"{x:.3f}" if x < 10 else f"{x:,.0f}"


def _details(case: Case) -> list[str]:
    rows = [
        f"| {population.name} | {population.n} | {100 * c.share:.1f} | {_width(c.mean_width)} "
        f"| {100 * c.undefined / c.samples:.1f} | {100 * c.refused / c.samples:.1f} | {c.samples} |"
        for population, c in case.found
    ]
    return [
        f"### {case.spelling}: {case.family.title.lower()}",
        "",
        "| population | n | coverage % | width | undefined % | refused % | samples |",
        "|---|--:|--:|--:|--:|--:|--:|",
        *rows,
        "",
    ]


def main() -> None:
    """Simulate, and write each file beside its place before it takes it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--samples", type=int, default=SAMPLES, help="samples for each population")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} samples for each population")
    parser.add_argument("--only", default="", help="names or spellings of measures, with commas between them")
    parser.add_argument("--output", type=Path, help="where the page is written; a first look is only printed")
    parser.add_argument("--data", type=Path, help="where the summary is written; a first look is only printed")
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
