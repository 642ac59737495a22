"""Before labeling: how many items an interval or a difference needs."""
