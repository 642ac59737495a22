"""Where predictions come from: arrays, files and frames, all read as text labels."""
