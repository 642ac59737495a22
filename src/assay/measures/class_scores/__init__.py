"""Measures of classifiers, from a score for each class."""

from assay.measures.class_scores import class_scores

__all__ = ["class_scores"]
