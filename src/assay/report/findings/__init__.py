"""What is found in a report, for text and page alike: its head, what to watch, its end."""
