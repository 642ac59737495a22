"""The one list of families. Each stage has a module for each of these names, unless the stage is optional.

The order is that of the catalogue: measures of labels come first, those of preferences last.
"""

FAMILIES = ("labels", "guesses", "scores", "class_scores", "clusterings", "rankings", "ratings", "preferences")


def place_of(module: str, room: str) -> int:
    """The position in the list of the family whose module of this room it is; the end if it belongs to none."""
    inside, _, rest = module.partition(f"assay.{room}.")
    family = rest.partition(".")[0]
    return FAMILIES.index(family) if not inside and family in FAMILIES else len(FAMILIES)
