"""Tables counted by hand, for worked examples and for what measures cannot tell apart."""

from __future__ import annotations

import numpy as np

from assay.measures.declare.facts import Hides
from assay.sources.rankings.matched import Judgments, Matched
from assay.tally.class_scores import ClassScored
from assay.tally.clusterings import Contingency
from assay.tally.guesses import Guessed
from assay.tally.labels import Confusion
from assay.tally.rankings import Ranked
from assay.tally.ratings import Rated
from assay.tally.scores import Scored

SCREENING = Confusion.from_counts(tp=80, fp=30, fn=20, tn=70)
FRAUD = Confusion.from_counts(tp=24, fp=100, fn=6, tn=9870)
NEVER_ALARMS = Confusion.from_counts(tp=0, fp=0, fn=100, tn=999_900)
SENTIMENT = Confusion.from_matrix([[100, 20, 10], [330, 120, 20], [15, 25, 95]], ("pos", "neut", "neg"), rows="gold")
ONE_TAG = Confusion.from_matrix([[90, 10], [0, 0]], ("NN", "VBP"), rows="pred")
NONE_RIGHT = Confusion.from_matrix([[0, 4], [0, 0]], ("NN", "VBP"), rows="gold")
FIVE_SCORES = Scored.from_scores([0, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.6, 0.9])
FIVE_CLASS_SCORES = ClassScored.from_class_scores(
    list("abbcc"), [[0.7, 0.2, 0.1], [0.2, 0.6, 0.2], [0.5, 0.3, 0.2], [0.1, 0.3, 0.6], [0.3, 0.4, 0.3]]
)
SIX_ITEMS = Contingency.from_labels(list("aaabbb"), [1, 1, 2, 2, 2, 2])
THREE_QUERIES = Ranked.from_rankings({"q1": [1, 0, 0], "q2": [0, 0, 1], "q3": [0, 0, 0]})
GRADED_QUERY = Ranked.from_rankings({"q": [3, 2, 3, 0, 1, 2]})
TEN_GRADES = Ranked.from_rankings({"q": [0, 0, 2, 0, 3, 0, 1, 0, 0, 1]})
# Four documents, of which the third has no judgment; a relevant and a nonrelevant one were not found.
POOLED = Ranked.from_matched(
    Judgments(("q",), np.zeros(5, np.int64), np.array([1.0, 1, 1, 0, 0])),
    Matched(
        retrieved=np.array([4]),
        found_query=np.zeros(3, np.int64),
        found_rank=np.array([1, 2, 4]),
        found_grade=np.array([1.0, 0, 1]),
        tied_query=np.zeros(0, np.int64),
        tied_first=np.zeros(0, np.int64),
        tied_number=np.zeros(0, np.int64),
    ),
)
FOUR_UNITS = Rated.from_ratings(
    [
        ["NN", "NN", "NN", None],
        ["NN", "VBP", "VBP", "NN"],
        ["VBP", "VBP", "VBP", "NN"],
        ["VBP", "NN", "NN", "VBP"],
    ]
)

# Pairs of tables that some measure cannot tell apart, though one system is clearly better than the other.
NEVER = Confusion.from_counts(tp=0, fp=0, fn=10, tn=990)
FINDS_MOST = Confusion.from_counts(tp=8, fp=8, fn=2, tn=982)
ALWAYS = Confusion.from_counts(tp=100, fp=900, fn=0, tn=0)
FINDS_ALL = Confusion.from_counts(tp=100, fp=0, fn=0, tn=900)
ONE_SURE_HIT = Confusion.from_counts(tp=1, fp=0, fn=99, tn=900)
NO_NEGATIVES = Confusion.from_counts(tp=80, fp=20, fn=20, tn=0)
MANY_NEGATIVES = Confusion.from_counts(tp=80, fp=20, fn=20, tn=9880)
HALF_ILL = Confusion.from_counts(tp=9000, fp=500, fn=1000, tn=9500)
FEW_ILL = Confusion.from_counts(tp=360, fp=980, fn=40, tn=18620)
MISSES = Confusion.from_counts(tp=60, fp=0, fn=40, tn=900)
ALARMS = Confusion.from_counts(tp=60, fp=40, fn=0, tn=900)
HALF_CALLED = Confusion.from_counts(tp=9000, fp=1000, fn=500, tn=9500)
FEW_CALLED = Confusion.from_counts(tp=360, fp=40, fn=980, tn=18620)
SILENT_RIGHTLY = Confusion.from_counts(tp=90, fp=10, fn=9, tn=891)
GRADES = Confusion.from_matrix([[20, 5, 0], [10, 30, 5], [5, 0, 25]], ("1", "2", "3"))
FIRST_GUESS = Guessed.from_guesses(list("abab"), [list("ab"), list("ba"), list("ab"), list("ba")])
SECOND_GUESS = Guessed.from_guesses(list("abab"), [list("ba"), list("ab"), list("ba"), list("ab")])

# Rankings: the same documents in another order, or with other grades.
RELEVANT_FIRST = Ranked.from_rankings({"q": [1, 1, 0, 0]})
RELEVANT_LAST = Ranked.from_rankings({"q": [0, 0, 1, 1]})
FIRST_ONLY = Ranked.from_rankings({"q": [1, 0, 0, 0, 0]})
LAST_ONLY = Ranked.from_rankings({"q": [0, 0, 0, 0, 1]})
BEST_FIRST = Ranked.from_rankings({"q": [9, 0, 1]})
BEST_LAST = Ranked.from_rankings({"q": [1, 0, 9]})
BARELY_FOUND = Ranked.from_rankings({"q": [1, 0, 0]})
WELL_FOUND = Ranked.from_rankings({"q": [3, 0, 0]})

# Scores: the same order of a few items, among few or many negatives, tied or not, confident or not.
ONE_SCORE = Scored.from_scores([0, 0, 0, 1, 1], [0.4] * 5)
COIN = Scored.from_scores([0, 1], [0.5, 0.5])
SHORT_LIST = Scored.from_scores([0, 1, 0, 0], [0.9, 0.9, 0.1, 0.1])
FEW_NEGATIVES = Scored.from_scores([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1])
FULL_OF_NEGATIVES = Scored.from_scores([1, *[0] * 50, 1, *[0] * 50], [0.9, *[0.6] * 50, 0.4, *[0.1] * 50])
NO_LOW_NEGATIVES = Scored.from_scores([1, 0, 1], [0.9, 0.8, 0.7])
WITH_LOW_NEGATIVES = Scored.from_scores([1, 0, 1, *[0] * 97], [0.9, 0.8, 0.7, *[0.1] * 97])
RARE_UNSEEN = Scored.from_scores([1, *[0] * 9], [0.1] * 10)
RARE_FOUND = Scored.from_scores([1, *[0] * 9], [1 - 0.9**0.5, *[0.0] * 9])
UNDECIDED = Scored.from_scores([0, 0, 1, 1], [0.5] * 4)
TOLD_APART = Scored.from_scores([0, 0, 1, 1], [1 / 6, 1 / 6, 0.3, 0.3])
ALWAYS_SURE = Scored.from_scores([0, 0, 1, 1], [0.0, 0.0, 1.0, 1.0])
HARDLY_SURE = Scored.from_scores([0, 0, 0, 1, 1, 0, 0, 1, 1, 1], [0.4] * 5 + [0.6] * 5)
RIGHTLY_SURE = Scored.from_scores([1, *[0] * 9, 0, *[1] * 9], [0.1] * 10 + [0.9] * 10)
OVERSURE = Scored.from_scores([0, 0, 0, 1, 1, 0, 0, 1, 1, 1], [0.2] * 5 + [0.8] * 5)
TOO_LOW = Scored.from_scores([0, 1, 1, 1], [0.5] * 4)


ALL_CALLED = Hides((ALWAYS, FINDS_ALL), "predicting the class every time finds all of it", "precision")
ONE_CALLED = Hides((ONE_SURE_HIT, FINDS_ALL), "predicting the class once, when certain, is never wrong", "recall")
NONE_CALLED = Hides((NEVER, FINDS_ALL), "never predicting the class raises no false alarm", "recall")
NEGATIVES = Hides(
    (NO_NEGATIVES, MANY_NEGATIVES), "it ignores the true negatives, and so how hard they were", "specificity"
)
BASE_RATE = Hides(
    (HALF_ILL, FEW_ILL), "it says nothing about how rare the class is, and so about what an alarm is worth", "precision"
)
FEW_NAMED = Hides((FEW_CALLED, HALF_CALLED), "it says nothing about how much of the class is missed", "recall")
RARE = Hides((NEVER, SILENT_RIGHTLY), "if the class is rare, ignoring it is nearly always right", "recall")
RARE_POSITIVES = Hides((NEVER, FINDS_MOST), "if positives are rare, never finding any is nearly always right", "recall")
WHICH_ERROR = Hides((MISSES, ALARMS), "forty misses count as much as forty false alarms", "recall")
