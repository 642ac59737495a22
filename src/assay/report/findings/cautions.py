"""What to know before relying on the numbers of a report, most urgent first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from assay.errors import in_plural, joined, plural
from assay.jobs.answers.results import Report
from assay.jobs.answers.row_texts import CHANCE, interval, reversed_words, value_text
from assay.notes import USUAL, gathered, is_aside, of_system, urgency_of
from assay.report.contents.blocks import Caution, Part
from assay.report.families.labels import FEW
from assay.report.families.scores import by_chance, calibration_error
from assay.report.families.view import Material
from assay.report.findings import cautions_of_groups as groups
from assay.report.findings import cautions_of_numbers as doubts
from assay.report.findings import cautions_of_rankings as ranks
from assay.report.findings.cautions_of_numbers import quoted
from assay.report.findings.ending import titled_notes
from assay.tally.contract.base import ClassItems
from assay.tally.scores import Scored
from assay.texts import numeral

MOST_NAMED = 4  # classes that are named
FEW_CLUSTERS = 30


# ---------------------------------------------------------------------- classes
def no_common_label(material: Material) -> Iterator[Caution]:
    """Systems that have no label in common with gold, which is hardly ever intended."""
    for system, held in _classes(material).items():
        if _strangers(held):
            gold = joined([quoted(each.label) for each in held if each.gold], MOST_NAMED)
            called = joined([quoted(each.label) for each in held if each.called] or ["no class"], MOST_NAMED)
            yield Caution(
                f"Gold and {system} share no label.",
                f"Gold has {gold}; {system} has {called}. Are the columns and the spelling right?",
                "errors",
                (system,),
            )


def classes(material: Material) -> Iterator[Caution]:
    """Classes with few or no gold items, and classes that a system never predicts."""
    every = _classes(material)
    if not every:
        return
    first = next(iter(every.values()))
    # Systems that answered different rows may have other classes than the first.
    rare = [each for of_system in every.values() for each in of_system if 0 < each.gold < FEW]
    few = list({(each.label, each.gold): each for each in rare}.values())
    if few:
        counts = joined([f"{quoted(each.label)} ({each.gold})" for each in few], MOST_NAMED)
        names = joined([quoted(each.label) for each in few], MOST_NAMED)
        title = f"Fewer than {FEW} gold {in_plural(material.report.item)} of {names}."
        yield Caution(title, f"Intervals based on so few are unreliable: {counts}.", "measures")
    absent = [each.label for each in first if not each.gold and each.called]
    if absent and not _strangers(first):
        names = joined([quoted(label) for label in absent], MOST_NAMED)
        yield Caution(f"Gold has no {names}.", "Averages over classes say nothing about it.", "errors")
    for system, held in every.items():
        never = [each for each in held if each.gold and each.called == 0]
        if never and not _strangers(held):
            names, lost = joined([quoted(each.label) for each in never], MOST_NAMED), sum(each.gold for each in never)
            text = f"It misses all {lost:,} of them." if lost > 1 else "It misses the only one."
            yield Caution(f"{system} never predicts {names}.", text, "errors", (system,))


def _classes(material: Material) -> dict[str, tuple[ClassItems, ...]]:
    """The classes of every system, from the first of its tallies that has some."""
    found = {name: next((c for t in held if (c := t.class_items())), ()) for name, held in material.tallies.items()}
    return {name: held for name, held in found.items() if held}


def _strangers(held: tuple[ClassItems, ...]) -> bool:
    """Whether no class has both gold items and items that were called it."""
    known = all(each.called is not None for each in held)
    return known and any(each.called for each in held) and not any(each.gold and each.called for each in held)


# ---------------------------------------------------------------------- rows
def left_out(material: Material) -> Iterator[Caution]:
    """Rows that were left out or counted as wrong, and predictions that belong to no row."""
    facts = material.report.provenance
    skipped, n = int(facts.get("skipped", 0)), int(facts.get("n", 0))
    if skipped:
        whole = f"of {skipped + n:,} " if n else ""
        yield Caution(
            f"{plural(skipped, 'row')} {whole}{_was(skipped)} left out.",
            "Rows with missing values may differ from the rest.",
            "method",
        )
    for system, lacking in facts.get("unanswered", {}).items():
        yield Caution(
            f"{system} has no prediction for {plural(lacking, 'row')}.",
            "A missing prediction counts as wrong; with two classes, as a miss or a false alarm.",
            "method",
            (system,),
        )
    for system, strangers in facts.get("predictions without gold", {}).items():
        yield Caution(
            f"{plural(strangers, 'prediction')} of {system} {_was(strangers)} left out.",
            f"Gold does not have {'its id' if strangers == 1 else 'their ids'}; do the files have the same rows?",
            "method",
        )


def _was(n: int) -> str:
    return "was" if n == 1 else "were"


def clusters(material: Material) -> Iterator[Caution]:
    """Few clusters, or an unused column that may identify rows that belong together."""
    facts = material.report.provenance
    many = facts.get("clusters")
    if many is not None and many < FEW_CLUSTERS:
        yield Caution(
            f"There are only {plural(many, 'cluster')}.",
            f"Intervals are based on them, not on {plural(int(facts.get('n', 0)), material.report.item)}; with fewer "
            f"than {FEW_CLUSTERS} their coverage is less certain.",
            "method",
        )
    possible = facts.get("possible cluster")
    if possible is not None:
        yield Caution(
            "Rows may belong together.",
            f"“{possible['column']}” has {possible['values']:,} values in {possible['rows']:,} rows. If rows that "
            "share a value are alike, these intervals are too narrow; give it as the cluster column.",
            "method",
        )


# ---------------------------------------------------------------------- what the job notes
def watched(material: Material) -> Iterator[Caution]:
    """Warnings of the comparison that no other caution gives; of systems only where no rule knows their tallies."""
    report = material.report
    if report.contest is None:
        return
    counted = () if report.counted is None else report.counted.notes  # told by the cautions about rows
    systems = () if _classes(material) else report.systems
    values = [of_system(s.name, note) for s in systems for note in s.remarks if urgency_of(note) >= USUAL]
    notes = (note for note in gathered((*report.contest.notes, *values)) if not is_aside(note) and note not in counted)
    for title, text in titled_notes(notes):
        yield Caution(title, text, "method")


# ---------------------------------------------------------------------- scores
def flattered(material: Material) -> Iterator[Caution]:
    """A threshold that was chosen on the same rows it is judged on."""
    if material.report.provenance.get("flattered"):
        yield Caution(
            "The threshold was chosen on these rows.",
            "That flatters every value here, and the intervals do not account for it: judge it on other rows.",
            "threshold",
        )


def threshold(material: Material) -> Iterator[Caution]:
    """The threshold between the classes, and whether it is the default or was chosen elsewhere."""
    facts, asked = material.report.provenance, material.report.asked
    cuts = dict.fromkeys(numeral(cut, ".15g") for cut in facts.get("threshold", {}).values())
    if not cuts or "flattered" in facts:
        return
    at = joined(list(cuts), MOST_NAMED)
    if asked.get("threshold") is None:
        text = "No threshold was given, so this is the default; another may suit your costs better."
    else:
        text = "How it was chosen is not known here; if on these rows, the values look better than they are."
    yield Caution(f"A score of {at} or more counts as positive.", text, "threshold")


def reversed_scores(material: Material) -> Iterator[Caution]:
    """Scores that rank worse than chance, by more than chance would explain."""
    for row in material.report.rows:
        if row.measure != "roc_auc" or row.quantity != "value" or row.slice is not None:
            continue
        words = reversed_words(row.value, row.high)
        if words is not None and row.high is not None and row.high < CHANCE:
            shown = f"{value_text(row)} ({interval(row, ' to ')})"
            title = f"{row.system} ranks worse than chance."
            yield Caution(title, f"{words}. It is {shown}.", "curves", (row.system,))


def calibration(material: Material) -> Iterator[Caution]:
    """Probabilities that are further from the outcomes than chance would explain.

    What chance explains is known for independent rows; with clusters there is no caution.
    """
    for system, tally in material.of(Scored).items():
        yield from uncalibrated(system, tally, doubts.beaten_as_probabilities(system, material))


def uncalibrated(system: str, tally: Scored, beaten: str = "") -> Iterator[Caution]:
    """That the probabilities of one system are further from the outcomes than chance would explain."""
    error = calibration_error(tally)
    if error is not None:
        off = (
            f"The probabilities are off by {error.value:.2g} on average; calibrated ones would be off by "
            f"{by_chance(error)} by chance."
        )
        yield Caution(
            f"The scores of {system} are not calibrated.",
            beaten or off,
            "curves",
            (system,),
        )


Rule = Callable[[Material], Iterable[Caution]]
# Each yields what it finds, if anything.
RULES: tuple[Rule, ...] = (
    no_common_label,
    flattered,
    reversed_scores,
    doubts.beaten,
    doubts.undefined,
    doubts.contest,
    ranks.missing,
    ranks.judgments,
    ranks.power,
    watched,
    doubts.untested,
    doubts.close_to_a_guess,
    classes,
    calibration,
    groups.gaps,
    left_out,
    clusters,
    threshold,
    doubts.several,
)


def cautions(report: Report) -> tuple[Caution, ...]:
    """What to know before relying on this report, most urgent first; last, what is only about systems that lost."""
    material = Material(report)
    found = [caution for rule in RULES for caution in rule(material)]
    behind = set() if report.contest is None else report.contest.behind
    return tuple(sorted(found, key=lambda each: bool(each.systems) and behind.issuperset(each.systems)))


def linked(found: Iterable[Caution], parts: Iterable[Part]) -> tuple[Caution, ...]:
    """The same cautions, with links only to parts that exist."""
    there = {part.id for part in parts}
    return tuple(caution if caution.of in there else replace(caution, of=None) for caution in found)
