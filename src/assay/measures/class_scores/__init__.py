"""Measures of classifiers, from a score for each class."""
