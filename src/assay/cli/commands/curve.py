"""The command `assay curve`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from assay.cli.files import claim, write_bytes, write_text
from assay.cli.options import OUTPUT, FileName, RawCsv, Rows, declared, flags, keywords
from assay.cli.show import Pages, prose_width, working
from assay.cli.streams import say, tell
from assay.errors import OptionError
from assay.options.thresholds import Drawn

if TYPE_CHECKING:
    from assay.jobs.curves import Curves

ENDINGS = (".svg", ".png", ".csv")


@flags("Curve", Drawn)
class Drawing:
    """Which curve, with which band."""

    kind: str = declared()
    cost_fp: float | None = declared()
    cost_fn: float | None = declared()
    bins: int = declared()
    binning: str = declared()
    band: bool = declared(negative="--no-band")
    level: float = declared()


def curve(
    file: FileName,
    /,
    *,
    rows: Rows = Rows(),
    drawn: Drawing = Drawing(),
    out: Annotated[
        str | None,
        Parameter(
            help="Write a chart (.svg, .png) or all points (.csv) to this file instead of describing the curve.",
            group=OUTPUT,
        ),
    ] = None,
    raw_csv: RawCsv = False,
    pages: Pages = Pages(),
) -> None:
    """Draw how systems perform at every threshold, and state what the curve shows."""
    from assay.jobs.curves import curves

    question = rows.question()
    ending = _ending(out)
    claim([file, *rows.files()], {"--out": out, **pages.outputs()})
    with working(f"reading {file}"):
        found = curves(file, **keywords(drawn), **question)
    if out is None:
        tell(found.to_text(prose_width()))
    else:
        _write(found, out, ending, raw=raw_csv)
    pages.write(found)


def _write(found: Curves, out: str, ending: str, *, raw: bool) -> None:
    with working(f"drawing {out}"):
        if ending == ".png":
            write_bytes(out, found.to_png())
        else:
            write_text(out, found.to_svg() if ending == ".svg" else found.to_csv(raw=raw))
    say(f"wrote {out}")


def _ending(out: str | None) -> str:
    ending = "" if out is None else Path(out).suffix.lower()
    if out is not None and ending not in ENDINGS:
        raise OptionError(f"--out {out} is neither a chart (.svg, .png) nor a table of points (.csv).")
    return ending
