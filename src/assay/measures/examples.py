"""Tables counted by hand, for worked examples."""

from __future__ import annotations

from assay.tally.confusion import Confusion
from assay.tally.contingency import Contingency
from assay.tally.ranked import Ranked
from assay.tally.rated import Rated
from assay.tally.scored import Scored

SCREENING = Confusion.from_counts(tp=80, fp=30, fn=20, tn=70)
NEVER_ALARMS = Confusion.from_counts(tp=0, fp=0, fn=100, tn=999_900)
SENTIMENT = Confusion.from_matrix([[100, 20, 10], [330, 120, 20], [15, 25, 95]], ("pos", "neut", "neg"), rows="gold")
ONE_TAG = Confusion.from_matrix([[90, 10], [0, 0]], ("NN", "VBP"), rows="pred")
FIVE_SCORES = Scored.from_scores([0, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.6, 0.9])
SIX_ITEMS = Contingency.from_labels(list("aaabbb"), [1, 1, 2, 2, 2, 2])
THREE_QUERIES = Ranked.from_rankings({"q1": [1, 0, 0], "q2": [0, 0, 1], "q3": [0, 0, 0]})
FOUR_UNITS = Rated.from_ratings(
    [
        ["NN", "NN", "NN", None],
        ["NN", "VBP", "VBP", "NN"],
        ["VBP", "VBP", "VBP", "NN"],
        ["VBP", "NN", "NN", "VBP"],
    ]
)
