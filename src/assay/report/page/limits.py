"""What no report of recorded answers can show, whatever its numbers are."""

from __future__ import annotations

from assay.errors import plural
from assay.report.page.blocks import Caution

LEFT = "errors in the gold labels, other populations, what people do with the answers"
# By what was sampled, where that is no row: what intervals allow for, and what was not measured.
COVERED = {
    "fold": "They allow for training again on other parts of these data. They do not allow for other data, for errors "
    "in the gold labels, or for other populations.",
    "data set": "They allow for other data sets such as these, as far as these are a fair choice of them, and not for "
    "errors in the gold labels.",
}
UNMEASURED = {"fold": f"Other data, {LEFT}.", "data set": f"{LEFT[0].upper()}{LEFT[1:]}."}
OFFLINE = Caution(
    "This is offline evaluation.",
    "It judges recorded answers; what people do with them, and what comes of it, shows only in use.",
)


def covered(unit: str = "row", *, clustered: bool = False) -> Caution:
    """What intervals are about, and what they leave out."""
    things = plural(2, "cluster" if clustered else unit).removeprefix("2 ")
    usual = (
        f"They allow for having drawn these {things} and not others. They do not allow for training again, for errors "
        "in the gold labels, or for other populations."
    )
    return Caution(f"The intervals are about other {things} like these.", COVERED.get(unit, usual), "method")


def not_measured(unit: str = "row") -> str:
    """What a reader might take for measured and is not."""
    return UNMEASURED.get(unit, f"What training again would change, {LEFT}.")
