"""Files of every kind as tables: where they are, what they hold, and who reads them."""
