"""The head of a page: who was judged on what, and what was found."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.errors import in_plural, joined, plural
from assay.jobs.answers.results import Report, Row, System, against_guess
from assay.jobs.answers.row_texts import baseline, interval, value_text
from assay.measures.declare.catalogue import titled
from assay.report.families.words import described
from assay.report.findings.answered import answered
from assay.report.words.comparisons import CORRECTION_NAMES
from assay.texts import numeral, percent

NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
GIVEN = "counts as given"
UNNAMED = ("data", GIVEN, "a stored tally", "standard input")  # sources without a name of their own
MOST = 6  # systems that are listed one by one
NOT_COMPARED = "Whether they differ cannot be read off their intervals: “assay compare” tests it."


# ---------------------------------------------------------------------- who, on what
def title(report: Report) -> str:
    """The systems, and the file they were judged on if it has a name."""
    names = [system.name for system in report.systems]
    contest = report.contest
    two = " vs. " if contest is not None else " and "
    who = names[0] if len(names) == 1 else two.join(names) if len(names) == 2 else f"{_many(len(names))} systems"
    if contest is not None and contest.baseline is not None:
        who = f"{_many(len(names) - 1)} systems vs. {contest.baseline}"
    source = report.provenance.get("source")
    if source == GIVEN and names == ["system"]:
        return "The counts as given"
    return who if source is None or source in UNNAMED else f"{who} · {source}"


def subtitle(report: Report) -> str:
    """How many rows of each kind, and how they were counted."""
    return " · ".join(_facts(report))


def _facts(report: Report) -> Iterator[str]:
    facts, paired = report.provenance, _paired(report)
    yield from _described(report, paired)
    if "clusters" in facts:
        by = f" by {facts['cluster']}" if "cluster" in facts else ""
        yield f"{plural(int(facts['clusters']), 'cluster')}{by}"
    if "weight" in facts:
        yield f"weighted by {facts['weight']}"
    cuts = dict.fromkeys(numeral(cut, ".6g") for cut in facts.get("threshold", {}).values())
    if cuts:
        yield f"threshold {joined(list(cuts))}"
    lacking = answered(report)
    if lacking is not None:
        yield lacking
    elif paired and not _shared(report):
        both = "both systems" if len(report.systems) == 2 else f"all {len(report.systems)} systems"
        yield f"{both} {'were measured on' if 'unit' in facts else 'answered'} the same {_items(report)}"


def _described(report: Report, paired: bool) -> Iterator[str]:
    """How many items there are: once if all systems share them, otherwise for each system."""
    tallies = {} if report.counted is None else dict(report.counted.systems)
    if not tallies:
        n = int(report.provenance.get("n", 0))
        yield plural(n, report.item)
    elif len(tallies) == 1 or paired:
        yield described(next(iter(tallies.values())))
    else:
        yield from (f"{system}: {described(tally)}" for system, tally in list(tallies.items())[:MOST])


def _paired(report: Report) -> bool:
    """Whether several systems answered the same items."""
    if len(report.systems) < 2 or report.asked.get("unpaired"):
        return False
    # Values measured several times belong to the same folds, data sets or items.
    return "unit" in report.provenance or getattr(report.counted, "together", None) is not None


def _shared(report: Report) -> bool:
    """Whether one item is about several systems at once, so that none of them answers it alone."""
    return report.counted is not None and any(tally.of_several for tally in report.counted.systems.values())


def _items(report: Report) -> str:
    return in_plural(report.item)


def _many(n: int) -> str:
    return NUMBERS[n] if n < len(NUMBERS) else f"{n:,}"


def facts_line(report: Report) -> str:
    """What a reviewer looks for: how many tests were made of how many measures, the correction, and the seed."""
    contest, facts = report.contest, report.provenance
    rows = [row for row in report.rows if row.quantity == "value" and row.slice is None]
    out = []
    if contest is not None:
        tests = [c for c in contest.tested if c.p_value is not None]
        others = len({row.measure for row in rows}) - 1
        if len(tests) != 1:  # one test is told next to its p
            out.append(f"{plural(len(tests), 'test')} of {titled(contest.primary)}" if tests else "no test")
        if tests and others:
            out.append(f"{plural(others, 'other measure')} {'was' if others == 1 else 'were'} not tested")
        if len(tests) > 1:
            out.append(f"{CORRECTION_NAMES.get(contest.correction, 'no')} correction")
    several = len({row.class_ for row in rows if row.class_ is not None}) > 1
    shown = [row for row in rows if row.class_ is None or not several] or rows  # others are folded away
    guesses = [found for found in map(against_guess, shown) if found is not None]
    if guesses:
        out.append(_better(guesses.count("ahead"), len(guesses), len(shown)))
    if "seed" in facts:
        out.append(f"seed {facts['seed']}")
    return " · ".join(out)


def _better(ahead: int, guesses: int, values: int) -> str:
    """How many of the values that can be had without a model are clearly better than that."""
    are = "is" if ahead == 1 else "are"
    if guesses == values:
        return f"{ahead} of {plural(guesses, 'value')} {are} clearly better than no model"
    some = f"all {guesses}" if 1 < ahead == guesses else f"{ahead} of the {guesses}"
    return f"{some} values with a no-model baseline {are} clearly better than it"


# ---------------------------------------------------------------------- what was found
def verdict(report: Report) -> tuple[str, ...]:
    """The findings: the outcome of a comparison, otherwise what each system did."""
    if report.contest is not None:
        return report.contest.summary
    if len(report.systems) == 1:
        (system,) = report.systems
        first, *rest = sentences(system.headline, system.name)
        return (first, *_primary(report, system, guess=True), *rest)
    shown = report.systems[:MOST]
    each = [" ".join((sentences(s.headline, s.name)[0], *_primary(report, s, guess=False))) for s in shown]
    left = [f"{len(report.systems) - MOST} more are below."] if len(report.systems) > MOST else []
    which = "the same" if _paired(report) else "their"
    judged = f"{_many(len(report.systems))} systems were judged on {which} {_items(report)}."
    return (judged, *each, *left, NOT_COMPARED)


def headed(report: Report, said: tuple[str, ...]) -> tuple[str, ...]:
    """The verdict above an opening that shows its numbers: the finding, and what no picture says."""
    if report.contest is None:
        return (said[0], NOT_COMPARED) if len(report.systems) > 1 else said[:1]
    # How many comparisons were corrected for is said below the opening.
    first = re.sub(r" \((?:[^()]*, )?[^()]* correction over [^()]*\)\.$", ".", said[0])
    return (first,) if len(report.systems) == 2 else (first, *said[1:])


def _primary(report: Report, system: System, *, guess: bool) -> Iterator[str]:
    """The system's first measure with its interval, and the no-model baseline."""
    rows = [row for row in report.rows if row.system == system.name and row.quantity == "value" and row.slice is None]
    row = next((row for row in rows if row.measure == system.primary), next(iter(rows), None))
    if row is not None:
        yield f"{_valued(row)}{_guessed(row) if guess else ''}."


def _valued(row: Row) -> str:
    if row.value is None:
        return f"{titled(row.measure)} is undefined: {row.reason}"
    if row.low is None:
        return f"{titled(row.measure)} is {value_text(row)}"
    return f"{titled(row.measure)} is {value_text(row)} ({percent(row.level)} interval {interval(row, ' to ')})"


def _guessed(row: Row) -> str:
    if row.value is None or row.no_skill is None or row.no_skill_name is None:
        return ""
    return f"; with no model, {row.no_skill_name} gives {baseline(row)}"


def sentences(text: str, system: str) -> list[str]:
    """The sentences of a text about a system; nothing in its name or in quotation marks ends one."""
    end = re.compile(rf"{re.escape(system)}|“[^”]*”|(\. )(?=[A-Z])")
    ends = [found.end() for found in end.finditer(text) if found[1]]
    return [text[a:b].strip() for a, b in zip([0, *ends], [*ends, len(text)], strict=True)]
