"""Measures of classifiers, from labels."""

# isort: off
# In the order of the catalogue.
from assay.measures.labels import usual, all_classes, rates, one_class, costs

__all__ = ["all_classes", "costs", "one_class", "rates", "usual"]
