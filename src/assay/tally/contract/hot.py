"""Sums by code, and rows that hold a single 1 for each code."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.tally.contract.sampling import Floats, Ints, add_up


def one_hot(codes: Ints, size: int) -> Floats:
    """A row for each code with a single 1."""
    out = np.zeros((len(codes), size))
    out[np.arange(len(codes)), codes] = 1
    return out


@dataclass(frozen=True, eq=False)
class Hot:
    """Such rows for several codes side by side, each of so many, without their zeros; a code below 0 has no 1."""

    fields: tuple[tuple[Ints, int], ...]

    def times(self, columns: Floats) -> Floats:
        """The matrix product with columns that have a number for each feature."""
        out, start = np.zeros((len(self.fields[0][0]), *columns.shape[1:])), 0
        for codes, size in self.fields:
            part = columns[start : start + size]
            out += part[codes] if codes.min(initial=0) >= 0 else np.concatenate([part, np.zeros_like(part[:1])])[codes]
            start += size
        return out


def sum_by(codes: Ints, size: int, w: Floats) -> Floats:
    """Sums of w over the last axis for each code: shape (..., size)."""
    if w.ndim == 1:
        return add_up(codes, w, size)
    if len(codes) * size <= 1 << 18:
        return w @ one_hot(codes, size)
    from scipy.sparse import csr_array

    hot = csr_array((np.ones(len(codes)), codes, np.arange(len(codes) + 1)), shape=(len(codes), size))
    flat = np.asarray(w.reshape(-1, len(codes)) @ hot, np.float64)
    return flat.reshape(*w.shape[:-1], size)
