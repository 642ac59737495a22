"""Measures of classifiers, from scores of the positive class."""
