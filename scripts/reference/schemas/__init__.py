"""The JSON schemas of everything that assay writes as JSON."""
