"""How the numbers were computed, as a sentence for a paper."""

from __future__ import annotations

from collections.abc import Sequence

from assay.errors import joined, plural
from assay.jobs.answers.contest import Contest
from assay.jobs.answers.results import Report, Row
from assay.measures.declare.catalogue import parse_known
from assay.report.words.comparisons import CORRECTION_NAMES, sided_test
from assay.texts import numeral, percent
from assay.uncertainty.results import Comparison, version

# The names by which readers of a paper know these methods.
NAMES = {
    "wilson": "Wilson score intervals",
    "midp": "mid-P binomial intervals",
    "wald": "Wald intervals",
    "clopper_pearson": "Clopper–Pearson intervals",
    "agresti_coull": "Agresti–Coull intervals",
    "jeffreys": "Jeffreys intervals",
    "jaccard": "mid-P binomial intervals through the Jaccard index",
    "midp_draws": "quantiles of drawn tables whose shares have mid-P limits",
    "effective_n": "binomial intervals (Wilson or mid-P) with an effective sample size",
    "dirichlet": "quantiles of Dirichlet(cells + ½) draws",
    "percentile": "bootstrap percentile intervals",
    "basic": "basic bootstrap intervals",
    "studentized": "studentized bootstrap intervals",
    "bca": "bias-corrected and accelerated bootstrap intervals",
    "jackknife": "jackknife intervals on the logit scale",
    "cluster_jackknife": "delete-one-cluster jackknife intervals on the logit scale",
    "cluster_factor": "intervals from the table divided by a cluster factor",
    "logit_delta": "delta-method intervals on the logit scale",
    "fisher_z": "Fisher z intervals",
    "smoothed": "Wilson score intervals with a smoothed variance",
    "smoothed_log": "intervals on the log scale, with half an item added to each class",
    "robust": "intervals from the larger of a model's error and the leave-one-out error",
    "delong": "DeLong intervals",
    "delong_mover": "MOVER intervals with DeLong's covariance",
    "logit_delong": "DeLong intervals on the logit scale",
    "hanley_mcneil": "Hanley–McNeil intervals",
    "newcombe_auc": "Newcombe's intervals for an area (method 5 of 2006)",
    "newcombe": "Newcombe's hybrid score intervals (method 10)",
    "smoothed_delong": "DeLong intervals with a tenth of an item added at each end of each class",
    "t": "Student's t intervals",
    "corrected_t": "corrected resampled t intervals",
    "cluster_mover": "MOVER intervals over whole clusters",
    "mover": "MOVER intervals",
    "tango": "Tango score intervals",
    "bounded_t": "t intervals with a quarter of an item added at each end of the range",
    "model_jackknife": "intervals from the larger of a model's variance and the jackknife's",
    "smoothed_delta": "delta-method intervals with half an item in every joint cell",
}


# Means and differences need no logit: their limits are symmetric.
LINEAR = {"jackknife": "jackknife intervals", "cluster_jackknife": "delete-one-cluster jackknife intervals"}

AT_MOST = "relative error of at most "  # of a p-value that was neither counted nor drawn


def method_name(row: Row) -> str:
    """The name by which readers of a paper know the row's interval."""
    linear = not row.is_value or parse_known(row.measure) is None
    return LINEAR[row.method] if linear and row.method in LINEAR else NAMES.get(row.method, row.method)


def methods(report: Report) -> str:
    """Intervals, tests, n, draws, seed and version of this report, in sentences."""
    facts = report.provenance
    rows = [row for row in report.rows if row.has_limits]
    # A paper speaks of items where a file has rows.
    parts = [f"Estimates are from {plural(int(facts.get('n', 0)), 'item' if report.item == 'row' else report.item)}"]
    if "clusters" in facts:
        by = f" (by {facts['cluster']})" if "cluster" in facts else ""
        parts[0] += f" in {plural(int(facts['clusters']), 'cluster')}{by}"
    if "weight" in facts:
        parts[0] += f", weighted by {facts['weight']}"
    if "threshold" in facts:
        cuts = {name: numeral(cut, "g") for name, cut in facts["threshold"].items()}
        each = (
            next(iter(cuts.values()))
            if len(set(cuts.values())) == 1
            else joined([f"{c} ({n})" for n, c in cuts.items()])
        )
        parts.append(f"a score of {each} or more counts as the positive label")
    if rows:
        used: dict[str, list[str]] = {}
        for row in rows:
            names = used.setdefault(method_name(row), [])
            name = row.measure
            if not row.is_value:
                name = "differences and ratios between a group and the rest" if row.versus is None else "differences"
            if name not in names:
                names.append(name)
        each = "; ".join(f"{method} for {joined(names)}" for method, names in used.items())
        parts.append(f"intervals are at the {percent(rows[0].level)} level: {each}")
    text = "; ".join(parts) + "."
    tested = [row for row in report.rows if row.test == "max_gap" and row.p is not None]
    if tested:
        text += (
            " Groups were compared by the largest studentized gap between a group and all groups, relative to groups "
            "shuffled among the items that the measure counts (measures other than shares use each group's own error, "
            "and p is never below Student's with it); p-values are Holm-adjusted over the slicing columns."
        )
    if report.contest is not None:
        text += f" {_tested(report.contest)}"
    if "resamples" in facts:
        text += f" Draws: {facts['resamples']:,} (seed {facts['seed']})."
    return f"{text} Computed with assay {version()}."


def _ways(tested: Sequence[Comparison]) -> str:
    """How p-values were found: once if that is the same for all pairs, otherwise with the pairs that it is true of."""
    pairs: dict[str, list[str]] = {}
    errors: dict[str, list[str]] = {}
    for c in tested:
        how, at_most, error = (f"{c.draws:,} draws" if c.extreme is not None else c.form).partition(AT_MOST)
        pairs.setdefault(how + at_most, []).append(" vs. ".join(c.names))
        errors.setdefault(how + at_most, []).append(error)
    every = {
        f"{how}{max(errors[how], key=lambda text: float(text or 0))}": named for how, named in pairs.items() if how
    }
    if len(pairs) > 1 and every:
        return f" ({'; '.join(f'{how} for {joined(named)}' for how, named in every.items())})"
    return "".join(f" with {how}" if how.endswith(" draws") else f" ({how})" for how in every)


def _tested(contest: Contest) -> str:
    """Which test was made of what, and how several were corrected."""
    c = next((c for c in contest.tested if c.p_value is not None), None)
    if c is None:
        return "No test was made."
    text = f"{contest.primary} was compared by a {sided_test(c)}"
    if c.test == "randomization":
        text += f" of the {'studentized' if c.is_studentized else 'raw'} difference"
    text += _ways([c for c in contest.tested if c.p_value is not None])
    if len(contest.tested) > 1:
        name = CORRECTION_NAMES.get(contest.correction)
        how = f"with {name} correction" if name else "without correction"
        text += f", {how} over {plural(len(contest.tested), 'comparison')}"
    return f"{text}."
