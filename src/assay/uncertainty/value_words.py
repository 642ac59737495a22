"""What is said about a comparison of paired values besides its numbers."""

from __future__ import annotations

from assay.errors import plural
from assay.uncertainty.folds import Folds
from assay.uncertainty.pairs_of_values import ValuePairs
from assay.uncertainty.spread import spread_note

FOLD_TESTS = ("corrected_t", "5x2cv", "5x2cv_f")


def hypotheses(pairs: ValuePairs, measure: str, test: str, alternative: str) -> tuple[str, str]:
    """What the test supposes, and what would speak against it, as sentences."""
    (a, b), noun = pairs.names, pairs.noun
    if test == "none":
        return "no test was made.", "no test was made."
    exchanged = "cluster" if pairs.cluster is not None else noun
    supposed = {
        "randomization": f"{a} and {b} are exchangeable {exchanged} by {exchanged}: swapping their values would make "
        "no difference.",
        "wilcoxon": f"the differences between {a} and {b} lie symmetrically around 0 over all {noun}s like these.",
        "sign": f"where they differ, {a} and {b} are higher equally often over all {noun}s like these.",
        **dict.fromkeys(FOLD_TESTS, f"trained on data like these, {a} and {b} have the same expected {measure}."),
    }.get(test, f"{measure} of {a} and of {b} is the same over all {noun}s like these.")
    subject = {"wilcoxon": f"{a} tends to be", "sign": f"{a} is more often"}.get(test, f"{measure} of {a} is")
    than = b if test in ("wilcoxon", "sign") else f"that of {b}"
    if alternative != "two-sided":
        return supposed, f"{subject} {'higher' if alternative == 'greater' else 'lower'} than {than}."
    against = {
        "wilcoxon": f"one of {a} and {b} tends to be higher.",
        "sign": f"one of {a} and {b} is higher more often.",
    }
    return supposed, against.get(test, f"{measure} of {a} and of {b} differ.")


def notes(pairs: ValuePairs, folds: Folds | None, test: str, alternative: str, level: float) -> list[str]:
    """What a reader should know of the values, whichever test was made."""
    out, (a, b) = [], pairs.names
    if test != "sign":
        wins, losses = int((pairs.d > 0).sum()), int((pairs.d < 0).sum())
        ties = pairs.n - wins - losses
        out.append(f"{a} is higher on {plural(wins, pairs.noun)} and {b} on {losses:,}; {ties:,} equal")
    if folds is not None:
        out.append(f"folds: {folds.note}")
    wide = None if pairs.binary else spread_note(pairs.a, pairs.b, pairs.names)
    return out + [note for note in (unreachable(pairs, test, alternative, level), wide) if note is not None]


def unreachable(pairs: ValuePairs, test: str, alternative: str, level: float) -> str | None:
    """A note where no outcome of this test could count as a finding."""
    if test not in ("randomization", "wilcoxon", "sign") or pairs.identical:
        return None
    moved = int((pairs.sums != 0).sum())
    smallest = min((2.0 if alternative == "two-sided" else 1.0) * 0.5**moved, 1.0)
    if smallest <= 1 - level + 1e-12:
        return None
    differ = plural(moved, pairs.noun if pairs.cluster is None else "cluster")
    return f"only {differ} differ{'s' if moved == 1 else ''}: this test cannot give a p-value below {smallest:.3g}"
