"""Values of queries as pictures: differences in order, one system against another, and how they spread."""
