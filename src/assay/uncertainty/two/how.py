"""How a comparison is made, checked once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.errors import OptionError, choose
from assay.options import ALTERNATIVES, LEVEL, PAIRED_METHODS, RESAMPLES, SEED, STATISTICS, TESTS, VALUE_TESTS
from assay.uncertainty.one.estimate import check_drawing
from assay.uncertainty.two.equivalence import check_margin, check_side


def check_two_names(names: object) -> None:
    """Refuse what does not tell two systems apart."""
    if not isinstance(names, list | tuple) or len(names) != 2 or names[0] == names[1]:
        raise OptionError(f"names is {names!r}; it gives two different names, one for each system.")


@dataclass(frozen=True)
class How:
    """How a comparison is made."""

    level: float = LEVEL
    method: str = "auto"
    test: str = "auto"
    statistic: str = "auto"
    alternative: str = "two-sided"
    margin: float | None = None
    strict: bool = False
    raw_p: bool = False
    n_resamples: int = RESAMPLES
    random_state: int = SEED
    family: int = 1  # how many comparisons are corrected for together

    def __post_init__(self) -> None:
        check_drawing(self.level, self.n_resamples, self.random_state)
        choose(self.method, PAIRED_METHODS, "method")
        if self.test in VALUE_TESTS and self.test not in TESTS:
            raise OptionError(
                f"the test {self.test} is for values of folds or data sets; name those with --folds or --datasets "
                "(compare_values and compare_repeated in Python)."
            )
        choose(self.test, ("auto", *TESTS), "test")
        choose(self.statistic, STATISTICS, "statistic")
        choose(self.alternative, ALTERNATIVES, "alternative")
        check_side(self.level, self.alternative)
        if self.margin is not None:
            check_margin(self.margin)
        if (self.strict or self.raw_p) and self.test != "bootstrap":
            option = "strict" if self.strict else "raw_p"
            raise OptionError(f"'{option}' says how bootstrap draws are counted; it goes with the test bootstrap.")
        if self.statistic != "auto" and self.test not in ("auto", "randomization"):
            raise OptionError("a statistic is chosen for the test randomization only; other tests have their own.")

    @property
    def drawing(self) -> dict[str, Any]:
        """The options of a single estimate."""
        return {"level": self.level, "n_resamples": self.n_resamples, "random_state": self.random_state}
