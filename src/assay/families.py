"""The one list of families. Each stage has a module for each of these names, unless the stage is optional.

The order is that of the catalogue: measures of labels come first, those of preferences last.
"""

FAMILIES = ("labels", "guesses", "scores", "class_scores", "clusterings", "rankings", "ratings", "preferences")
