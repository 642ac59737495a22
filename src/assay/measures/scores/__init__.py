"""Measures of classifiers, from scores of the positive class."""

from assay.measures.scores import hull, order, probabilities

__all__ = ["hull", "order", "probabilities"]
