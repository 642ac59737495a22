"""What a mean over classes says of classes that the data have no rows of."""

from __future__ import annotations

import numpy as np

from assay.measures.declare import Bound
from assay.tally.base import Tally
from assay.uncertainty.problem import Limits


def unseen_note(bound: Bound, tally: Tally, made: Limits) -> tuple[str, ...]:
    """In how many classes it has no value, and between what limits the mean over all of them lies all the same.

    The limits of the mean over the classes with a value are carried to all classes with those at 0, then at 1.
    """
    if not bound.measure.averaged or bound.options["average"] != "macro" or bound.options["undefined"] == "null":
        return ()
    if made.low is None or made.high is None or bound.range != (0, 1):
        return ()
    each = bound.every_class(tally)
    with_value = int((~np.isnan(bound.formula(each))).sum())
    averaged = with_value if bound.options["undefined"] == "exclude" else int((each.tp + each.fp + each.fn > 0).sum())
    k = len(each.tp)
    if with_value == k:
        return ()
    # Measures that are best at 0 count a class without a value as 1, which is in both limits already.
    counted = averaged - with_value if bound.measure.zero == 1 else 0
    low, high = (made.low * averaged - counted) / k, (made.high * averaged - counted + k - with_value) / k
    return (
        f"there are no {tally.item}s to compute it from in {k - with_value} of {k} classes; whatever it is there, the "
        f"mean over all {k} lies between {max(low, 0.0):.3f} and {min(high, 1.0):.3f}, as surely as the interval holds",
    )
