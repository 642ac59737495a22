"""What jobs return: reports, their rows and sections, contests of systems, and thresholds that were chosen."""
