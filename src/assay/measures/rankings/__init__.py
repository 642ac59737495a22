"""Measures of rankings."""

# isort: off
# In the order of the catalogue.
from assay.measures.rankings import graded, order, found, whole

__all__ = ["found", "graded", "order", "whole"]
