"""Values that were measured elsewhere: paired by item, fold or data set."""
