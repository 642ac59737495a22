"""The rows of judgments or of a run, wherever they came from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.sources.rankings.ids import Ids
from assay.sources.rankings.matched import Floats


@dataclass(frozen=True, eq=False)
class Lines:
    """The query, the document, and the grade or score of each row; what messages call them; and the tag of a run."""

    queries: Ids
    documents: Ids
    numbers: Floats | NDArray[np.float32]
    name: str
    tag: bytes | None = None
