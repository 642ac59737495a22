"""A confusion matrix as an array that knows its labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import DataError, choose, listed
from assay.options import NORMALIZED
from assay.options.option import refusing
from assay.result import Readable, finite
from assay.sources.arrays import encode_together
from assay.tally.contract.codes import checked_weights, class_names, refuse_misspelt, refuse_scores
from assay.tally.contract.sampling import Floats
from assay.tally.labels import places
from assay.texts import json_text


class ConfusionMatrix(np.ndarray[tuple[int, ...], np.dtype[Any]], Readable):
    """Counts of gold labels (rows) and predicted ones (columns): a NumPy array with `labels`.

    Slicing or arithmetic gives an array of the same class without labels.
    """

    labels: tuple[Any, ...]  # of the rows and of the columns, as they were given
    left_out: float  # items (a whole number), or their weight, with a label other than those asked for

    def __array_finalize__(self, made_from: Any) -> None:
        """No labels until they are set: a part of the table has others."""
        self.labels, self.left_out = (), 0

    @property
    def table(self) -> NDArray[Any]:
        """The numbers as a plain array."""
        return np.asarray(self).view(np.ndarray)

    def to_dict(self) -> dict[str, Any]:
        """The matrix as JSON types."""
        return {
            "labels": [str(label) for label in self.labels],
            "table": self.table.tolist(),
            "left_out": self.left_out,
        }

    def to_json(self) -> str:
        """The matrix as JSON text; a share that is undefined is null."""
        made = self.to_dict()
        return json_text({**made, "table": [[finite(x) for x in row] for row in made["table"]]}, indent=2)

    def to_frame(self, backend: str | None = None) -> Any:
        """The matrix as a data frame: a column `gold`, and one for every predicted label."""
        from assay.sources.frames import frame_of

        columns = {str(label): self.table[:, i].tolist() for i, label in enumerate(self.labels)}
        return frame_of({"gold": [str(label) for label in self.labels], **columns}, backend)

    def __str__(self) -> str:
        return self.to_text() if self.labels else str(self.table)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.table, self.labels, self.left_out)

    def __copy__(self) -> ConfusionMatrix:
        return _restored(self.table.copy(), self.labels, self.left_out)

    def __deepcopy__(self, memo: Any) -> ConfusionMatrix:
        return self.__copy__()


def _restored(table: NDArray[Any], labels: tuple[Any, ...], left_out: float) -> ConfusionMatrix:
    made = np.asarray(table).view(ConfusionMatrix)
    made.labels, made.left_out = labels, left_out
    return made


@refusing
def confusion_matrix(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: Sequence[object] | None = None,
    sample_weight: ArrayLike | None = None,
    normalize: str | None = None,
) -> ConfusionMatrix:
    """How many items of each gold label (row) got each predicted one (column): `confusion_matrix(y_true, y_pred)`.

    The result is an array, of whole numbers unless there are weights, and has `.labels`; for two labels
    `tn, fp, fn, tp = confusion_matrix(y_true, y_pred).ravel()`. `labels` names the rows and columns and their order, as
    in scikit-learn: items with another label are left out, and `.left_out` says how many. `normalize` divides by the
    sums of the rows ("true"), of the columns ("pred") or of all ("all"); the shares of a label without items are
    nan. Like every count, it does not stop if the two share no label: a shard of the data may share none.
    """
    if normalize is not None:
        choose(normalize, NORMALIZED, "normalize")
    (gold, pred), seen, originals = encode_together([y_true, y_pred], ["y_true", "y_pred"], classes=True)
    classes = seen if labels is None else class_names(labels)
    if labels is None:
        refuse_scores([seen[i] for i in np.unique(gold)], [seen[i] for i in np.unique(pred)], "y_pred")
    else:
        refuse_misspelt(classes, seen)
    k = len(classes)
    place = places(seen, classes)
    rows, columns = place[gold], place[pred]
    kept = (rows < k) & (columns < k)
    if labels is not None and not (rows < k).any():
        raise DataError(f"no item of y_true has one of the labels {listed(classes)}; its labels are {listed(seen)}.")
    w = None if sample_weight is None else checked_weights(sample_weight, len(gold))
    table = np.bincount(rows[kept] * k + columns[kept], None if w is None else w[kept], minlength=k * k).reshape(k, k)
    own = {**dict(zip(classes, labels or classes, strict=True)), **dict(zip(seen, originals, strict=True))}
    lost = int((~kept).sum()) if w is None else float(w[~kept].sum())
    shares = table if normalize is None else _divided(table, normalize)
    return _restored(shares, tuple(own[label] for label in classes), lost)


def _divided(table: NDArray[Any], by: str) -> Floats:
    """Shares of the rows, of the columns or of all; nan if the divisor is 0."""
    total = {"true": table.sum(1, keepdims=True), "pred": table.sum(0, keepdims=True), "all": table.sum()}[by]
    out = np.full(table.shape, np.nan)
    np.divide(table, total, out=out, where=np.broadcast_to(total > 0, table.shape))
    return out
