"""Names and numbers as they are shown."""

from __future__ import annotations

from assay.measures.catalogue import parse
from assay.report.report import Row
from assay.uncertainty.words import decimals


def name(spelling: str) -> str:
    """The measure's name for people: F1, macro."""
    measure, options = parse(spelling)
    if "k" in measure.options:
        # A cut-off is part of the name, the usual one too.
        k = options.pop("k", measure.options["k"])
        return ", ".join([measure.title.replace("-k ", f"-{k} "), *(_option(*pair) for pair in options.items())])
    return ", ".join([measure.title, *(_option(*pair) for pair in options.items())])


def title(row: Row) -> str:
    """The measure's name, with an arrow where lower is better."""
    lower = parse(row.measure)[0].higher_is_better is False
    return f"{name(row.measure)} ↓" if lower else name(row.measure)


def _option(key: str, value: object) -> str:
    if key in ("average", "of", "weights"):
        return str(value)
    if key == "prevalence" and isinstance(value, float):
        return f"at {100 * value:.4g}% prevalence"
    if key == "matrix":
        return "by table"
    return f"{key} {value:g}" if isinstance(value, int | float) else f"{key} {value}"


def digits(row: Row) -> int:
    """Decimals that the width of the interval deserves: two digits of it are shown."""
    return decimals(row.low, row.high)


def number(value: float | None, places: int = 3) -> str:
    """A number with so many decimals, or a dash."""
    return "–" if value is None else f"{value:,.{places}f}"


def signed(value: float, places: int) -> str:
    """A difference with its sign; what rounds to nothing has none."""
    text = f"{value:+.{places}f}"
    return text[1:] if float(text) == 0 else text


def estimate(row: Row) -> str:
    """The value, with as many decimals as its interval deserves."""
    return number(row.value, digits(row))


def interval(row: Row, between: str = " – ") -> str:
    """Both limits, or a dash."""
    if row.low is None:
        return "–"
    return between.join(number(limit, digits(row)) for limit in (row.low, row.high))
