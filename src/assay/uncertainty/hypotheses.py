"""The null hypothesis of a test and its alternative, as sentences made from what was asked."""

from __future__ import annotations

from dataclasses import dataclass

from assay.errors import in_plural

FOLD_TESTS = ("corrected_t", "5x2cv", "5x2cv_f")
OF_RANKS = ("wilcoxon", "sign")  # tests that read no mean
NO_TEST = "no test was made."


@dataclass(frozen=True)
class Hypotheses:
    """What a test is about: who is compared, by which test, and whether each unit has a value of its own."""

    names: tuple[str, str]
    test: str
    alternative: str
    item: str  # what one of the compared things is called
    unit: str  # what is exchanged: an item, or a whole cluster
    ranked: bool = False  # whether each system's scores become ranks before they are exchanged
    of_values: bool = False  # whether a value of each item is compared, and not one value of all items

    @property
    def swapped(self) -> str:
        """What the two systems exchange."""
        return "values" if self.of_values else "ranks" if self.ranked else "answers"

    def sentences(self, measure: str) -> tuple[str, str]:
        """H0 and H1, with the measure called by this name."""
        if self.test == "none":
            return NO_TEST, NO_TEST
        return self._of_values(measure) if self.of_values else self._of_measure(measure)

    def _of_measure(self, measure: str) -> tuple[str, str]:
        a, b = self.names
        claim = {
            "two-sided": f"{measure} differs between {a} and {b}.",
            "greater": f"{measure} is higher for {a} than for {b}.",
            "less": f"{measure} is lower for {a} than for {b}.",
        }[self.alternative]
        if self.test == "randomization":
            same = f"{a} and {b} are exchangeable {self.unit} by {self.unit}"
            if self.ranked:
                same += ", each system's scores replaced by their ranks among its own"
            return f"{same}: swapping their {self.swapped} would make no difference.", claim
        if self.test == "permutation":
            same = f"the {in_plural(self.item)} of {a} and {b} come from one population"
            return f"{same}: which system each belongs to makes no difference.", claim
        same = {
            "two-sided": f"{measure} is the same for {a} and {b} in the population.",
            "greater": f"{measure} is no higher for {a} than for {b} in the population.",
            "less": f"{measure} is no lower for {a} than for {b} in the population.",
        }[self.alternative]
        return same, claim

    def _of_values(self, measure: str) -> tuple[str, str]:
        a, b = self.names
        population = f"in the population of {in_plural(self.item)}"
        side = {"two-sided": "not 0", "greater": "above 0", "less": "below 0"}[self.alternative]
        zero = {"two-sided": "0", "greater": "at most 0", "less": "at least 0"}[self.alternative]
        who, higher = {
            "two-sided": (f"one of {a} and {b}", "higher"),
            "greater": (a, f"higher than {b}"),
            "less": (a, f"lower than {b}"),
        }[self.alternative]
        if self.test == "randomization":
            return (
                f"{a} and {b} are exchangeable {self.unit} by {self.unit}, so their differences are symmetric about 0.",
                f"the differences are not symmetric about 0: their mean is {side}.",
            )
        if self.test == "wilcoxon":
            return (
                f"the differences between {a} and {b} are symmetric about 0 {population}.",
                f"the pseudo-median of the differences (the median of all pairwise means) is {side}: "
                f"{who} tends to be {higher}. This is not about their mean.",
            )
        if self.test == "sign":
            return (
                f"where they differ, {a} and {b} are higher equally often {population}.",
                f"{who} is {higher} more often. This is not about how much higher, nor about the mean.",
            )
        of = "" if measure == "mean" else f" in {measure}"
        if self.test in FOLD_TESTS:
            what, where = (
                f"the expected difference{of} ({a} minus {b})",
                "when both are trained on similar data",
            )
        else:
            what, where = f"the mean difference{of} ({a} minus {b})", population
        return f"{what} is {zero} {where}.", f"{what} is {side} {where}."
