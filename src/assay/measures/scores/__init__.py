"""Measures of classifiers, from scores of the positive class."""

from assay.measures.scores import order, probabilities

__all__ = ["order", "probabilities"]
