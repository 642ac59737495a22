"""Measures of classifiers, from labels."""
