"""The command `assay evaluate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from cyclopts import Parameter, Token

from assay.cli.show import show_report
from assay.errors import OptionError
from assay.options import LEVEL, RESAMPLES, SEED

Format = Literal["table", "json", "csv", "md"]


def whole(_: type, tokens: Sequence[Token]) -> int:
    """A whole number, where the default would round 8.5 in silence."""
    try:
        return int(tokens[0].value)
    except ValueError:
        raise ValueError(f"{tokens[0].value!r} is not a whole number") from None


def evaluate(
    file: Annotated[str | None, Parameter(help="CSV or Parquet file with a row per item.")] = None,
    /,
    *,
    gold: Annotated[str | None, Parameter(help="Column of the reference labels.")] = None,
    pred: Annotated[
        list[str] | None,
        Parameter(help="Column of a system's labels, as COL or NAME=COL; repeat for more.", negative=()),
    ] = None,
    positive: Annotated[str | None, Parameter(help="The label that counts as positive.")] = None,
    measure: Annotated[
        list[str] | None,
        Parameter(help="A measure such as f1 or f1(average=macro); repeat for more.", negative=()),
    ] = None,
    cluster: Annotated[str | None, Parameter(help="Column that says which rows belong together.")] = None,
    format: Annotated[Format, Parameter(help="How to write the result.")] = "table",
    level: Annotated[float, Parameter(help="Confidence level of the intervals.")] = LEVEL,
    method: Annotated[str, Parameter(help="How to make the intervals; auto chooses what covers.")] = "auto",
    resamples: Annotated[int, Parameter(help="Draws for intervals that need them.", converter=whole)] = RESAMPLES,
    seed: Annotated[int, Parameter(help="Seed of the draws.", converter=whole)] = SEED,
    tp: Annotated[int | None, Parameter(help="True positives, instead of a file.", converter=whole)] = None,
    fp: Annotated[int | None, Parameter(help="False positives.", converter=whole)] = None,
    fn: Annotated[int | None, Parameter(help="False negatives.", converter=whole)] = None,
    tn: Annotated[int | None, Parameter(help="True negatives.", converter=whole)] = None,
) -> None:
    """Judge predictions in a file, or four counts, with an interval on every number."""
    from assay.report.evaluate import evaluate as evaluated
    from assay.tally.confusion import Confusion

    counts = {"tp": tp, "fp": fp, "fn": fn, "tn": tn}
    given = {name: value for name, value in counts.items() if value is not None}
    common: dict[str, Any] = {
        "measures": measure,
        "level": level,
        "method": method,
        "n_resamples": resamples,
        "random_state": seed,
    }
    of_file = {"a file": file, "--gold": gold, "--pred": pred, "--positive": positive, "--cluster": cluster}
    if given and any(of_file.values()):
        named = next(name for name, value in of_file.items() if value)
        raise OptionError(f"the four counts --tp --fp --fn --tn stand for themselves; {named} does not go with them.")
    if given:
        missing = [f"--{name}" for name in counts if name not in given]
        if missing:
            raise OptionError(f"four counts make a table; {' '.join(missing)} is missing.")
        report = evaluated(Confusion.from_counts(**given), **common)
    elif file is None:
        raise OptionError(
            "what should be evaluated? Name a file, as in 'assay evaluate preds.csv --gold label --pred model', "
            "or give four counts: --tp 80 --fp 30 --fn 20 --tn 70."
        )
    else:
        report = evaluated(file, gold=gold, pred=named_columns(pred), positive=positive, cluster=cluster, **common)
    show_report(report, format)


def named_columns(given: Sequence[str] | None) -> dict[str, str] | None:
    """NAME=COL or COL, each name once."""
    if not given:
        return None
    out: dict[str, str] = {}
    for text in given:
        name, equals, column = text.partition("=")
        name, column = (name, column) if equals else (text, text)
        if not name or not column:
            raise OptionError(f"--pred {text} is not COL or NAME=COL.")
        if name in out:
            raise OptionError(f"two systems are called '{name}'; name them apart, as in --pred first={column}.")
        out[name] = column
    return out
