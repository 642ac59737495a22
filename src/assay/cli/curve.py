"""The command `assay curve`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from assay.cli.files import claim, write_bytes, write_text
from assay.cli.options import FileName, RawCsv, Rows, whole
from assay.cli.pages import Pages
from assay.cli.show import WIDTH, working
from assay.cli.streams import say, tell
from assay.errors import OptionError
from assay.options import LEVEL

if TYPE_CHECKING:
    from assay.jobs.curves import Curves

ENDINGS = (".svg", ".png", ".csv")


@Parameter(name="*", group="What is drawn")
@dataclass(frozen=True)
class Drawn:
    """Which curve, with which band."""

    kind: Annotated[
        Literal["roc", "pr", "calibration", "cost", "envelope"],
        Parameter(
            help="ROC; precision–recall; calibration; cost per item by threshold, for two costs; or the cost curve of "
            "Drummond and Holte, for all costs at once."
        ),
    ] = "roc"
    cost_fp: Annotated[float | None, Parameter(help="What a false alarm costs, with --kind cost.")] = None
    cost_fn: Annotated[float | None, Parameter(help="What a miss costs, with --kind cost.")] = None
    bins: Annotated[int, Parameter(help="Bins of a calibration curve.", converter=whole)] = 10
    binning: Annotated[
        Literal["mass", "width"],
        Parameter(help="Bins with about as many items each, or bins that are equally wide."),
    ] = "mass"
    band: Annotated[bool, Parameter(help="Draw what chance could do to each point.", negative="--no-band")] = True
    level: Annotated[float, Parameter(help="Confidence level of the limits at each point.")] = LEVEL

    def options(self) -> dict[str, Any]:
        """The options of `curves` that these stand for."""
        return dict(vars(self))


def curve(
    file: FileName,
    /,
    *,
    rows: Rows = Rows(),  # noqa: B008  # a frozen value, and how cyclopts takes defaults
    drawn: Drawn = Drawn(),  # noqa: B008
    out: Annotated[
        str | None,
        Parameter(help="File to write: .svg or .png for a picture, .csv for all points. Without it: words."),
    ] = None,
    raw_csv: RawCsv = False,
    pages: Pages = Pages(),  # noqa: B008
) -> None:
    """Draw how a system does at every threshold, and say what the curve shows."""
    from assay.jobs.curves import curves

    question = rows.question()
    ending = _ending(out)
    claim([file, *(question["systems"] or {}).values()], {"--out": out, **pages.outputs()})
    with working(f"reading {file}"):
        found = curves(file, **drawn.options(), **question)
    if out is None:
        tell(found.to_text(WIDTH))
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
        raise OptionError(f"--out {out} is neither a picture (.svg, .png) nor a table of points (.csv).")
    return ending
