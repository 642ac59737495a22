"""What is shown of labels: sentences, small tables, and the errors of every system on a page."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from assay.errors import choose, in_plural, listed, plural
from assay.notes import NOT_MEANT, Aside, Note, Urgent
from assay.options import ORIENTATIONS, TABLES
from assay.report.contents.blocks import Block, Part, Prose, Table
from assay.report.contents.opening import Frequencies, Frequency
from assay.report.families.errors import arranged, errors_found, lead_of, ranked
from assay.report.families.matrix import BLOCK, MOST_DRAWN, block_of, largest_error, matrix_of
from assay.report.families.view import Material, view
from assay.report.families.words import with_intervals
from assay.report.names import short
from assay.tables import Cell, Section, count_text
from assay.tally.contract.sampling import Floats
from assay.tally.labels import Confusion
from assay.tally.margins import OneVsRest
from assay.texts import likeness, looks_missing, numeral

MOST_CLASSES = 30  # nobody reads a larger matrix; the pairs confused most are shown instead
MOST_PAIRS = 10
ELSEWHERE, NARROW = 2, 12  # other classes named where a matrix is shown row by row, and letters of each
MOST_COMPARED = 2000  # labels that are searched for look-alikes
MANY_APART = 0.1  # of the rows, with labels that the other side lacks
FEW = 10  # gold rows below which a class says little
LEAST = 50  # rows from which shares are also given per thousand


def headline(tally: Confusion, system: str) -> str:
    """What the system found and missed: in counts, and per thousand rows."""
    m, positive = tally.margins, tally.positive_label()
    n = float(m.n)
    if tally.weights is not None:
        system = f"By weight, {system}"
    if positive is None or tally.k != 2:
        rows = "row" if n == 1 else "rows"
        return (
            f"{system} labels {count_text(float(m.correct))} of {count_text(n)} {rows} correctly{_per_thousand(tally)}."
        )
    i = tally.labels.index(positive)
    found, wanted, alarms = m.hit[i], m.gold[i], m.pred[i] - m.hit[i]
    raised = "no false alarm" if alarms == 0 else f"{count_text(alarms)} false alarm{'' if alarms == 1 else 's'}"
    hits = f"{count_text(found)} of the {count_text(wanted)} “{positive}” rows"
    return f"{system} finds {hits}, with {raised}.{_alarms(tally, i)}"


def described(tally: Confusion) -> str:
    """How many rows there are, and how many are positive; without a positive class, of how many classes."""
    rows, positive = plural(tally.n, tally.item), tally.positive_label()
    if positive is None or tally.k != 2:
        return f"{rows} of {tally.k:,} {'class' if tally.k == 1 else 'classes'}"
    i = tally.labels.index(positive)
    wanted = tally.class_items()[i].gold
    share = f"{wanted / tally.n:.1%}"
    if tally.weights is not None:
        share += f"; {float(tally.margins.gold[i] / tally.margins.n):.1%} by weight"
    return f"{rows}, {wanted:,} of them “{positive}” ({share})"


def contrast(a: Confusion, b: Confusion, names: tuple[str, str]) -> str | None:
    """What the two systems find in a thousand such rows: positives and false alarms, or correct answers."""
    if a.n < LEAST:
        return None
    n, positive = float(a.margins.n), a.positive_label()
    if positive is None or a.k != 2:
        right = (_of_thousand(float(tally.margins.correct), n) for tally in (a, b))
        return (
            "Of 1,000 such rows, "
            + " and ".join(f"{name} labels {x}" for name, x in zip(names, right, strict=True))
            + (" correctly.")
        )
    i = a.labels.index(positive)
    found, alarms = [], []
    for tally in (a, b):
        m = tally.margins
        found.append(_of_thousand(float(m.hit[i]), n))
        alarms.append(_of_thousand(float(m.pred[i] - m.hit[i]), n))
    wanted = _of_thousand(float(a.margins.gold[i]), n)
    return (
        f"Of 1,000 such rows, {wanted} are “{positive}”: {names[0]} finds {found[0]} of them with {alarms[0]} "
        f"false alarms, {names[1]} {found[1]} with {alarms[1]}."
    )


def _per_thousand(tally: Confusion) -> str:
    m = tally.margins
    if tally.n < LEAST:
        return ""
    return f": {_of_thousand(float(m.correct), float(m.n))} of 1,000 such rows"


def _alarms(tally: Confusion, i: int) -> str:
    m, n = tally.margins, float(tally.margins.n)
    if tally.n < LEAST or not m.pred[i]:
        return ""
    called, right = (_of_thousand(float(x), n) for x in (m.pred[i], m.hit[i]))
    missed = _of_thousand(float(m.gold[i] - m.hit[i]), n)
    return (
        f" Of 1,000 such rows, it would call {called} “{tally.labels[i]}”, {right} of them correctly, and miss "
        f"{missed}."
    )


def _of_thousand(x: float, n: float) -> str:
    per = 1000 * x / n
    if 0 < per < 0.5:
        return "fewer than 1"
    if 999.5 <= per < 1000:
        return "all but fewer than 1"
    return f"{math.floor(per + 0.5):,}"


# ---------------------------------------------------------------------- tables
def sections(tally: Confusion, rows: str = "gold", tables: Sequence[str] = ()) -> list[Section]:
    """The matrix, the pairs confused most, and the tables that were asked for."""
    choose(rows, ORIENTATIONS, "rows")
    for name in tables:
        choose(name, TABLES, "tables")
    out = [] if tally.k > MOST_CLASSES else [_matrix(tally, rows)]
    if tally.width > 2:
        out += _confused_most(tally)
    if "one-vs-rest" in tables:
        each = OneVsRest.every(tally.margins)
        counts = np.stack([each.tp, each.fp, each.fn, each.tn], axis=-1)
        names = [f"{label} vs. the rest" for label in tally.labels]
        out.append(_four_counts("one class vs. the rest", names, counts))
    if "pooled" in tables:
        pooled = OneVsRest.pooled(tally.margins)
        counts = np.array([[pooled.tp, pooled.fp, pooled.fn, pooled.tn]])
        out.append(_four_counts("pooled", ["all classes added up"], counts))
    return out


def _matrix(tally: Confusion, rows: str) -> Section:
    """Counts, and the share of each row that they are; the positive one of two classes comes first."""
    order, positive = list(range(tally.k)), tally.positive_label()
    if tally.k == 2 and positive is not None and tally.labels[0] != positive:
        order.reverse()
    gold_names = [f"gold {tally.labels[i]}" for i in order]
    pred_names = [f"called {tally.labels[i]}" for i in order]
    table = tally.table[np.ix_(order, [*order, *range(tally.k, tally.table.shape[1])])]
    if tally.outside:
        pred_names.append(tally.outside)
    names, columns = gold_names, pred_names
    note = "rows are gold, columns predicted"
    if rows == "pred":
        table, names, columns = table.T, pred_names, gold_names
        note = "rows are predicted, columns gold"
    lines = []
    for i, name in enumerate(names):
        total = float(table[i].sum())
        cells = tuple(
            Cell.of(x, f"{x / total:.0%}" if total else "–", ("good" if i == j else "bad") if x else "plain")
            for j, x in enumerate(table[i].tolist())
        )
        lines.append((name, cells))
    shares = "; shares are of the row"
    narrow = _narrow_matrix(table, names, columns, note)
    return Section("errors", tuple(columns), tuple(lines), note, shares, narrow=narrow, role="errors")


def _narrow_matrix(table: Floats, names: Sequence[str], columns: Sequence[str], note: str) -> Section:
    """The same row by row: how many there are, how many are correct, and where most of the others went."""
    heads = [name.removeprefix("called ").removeprefix("gold ") for name in columns]
    lines = []
    for i, name in enumerate(names):
        row = table[i].tolist()
        right = row[i] if i < len(row) else 0.0
        wrong = sorted((j for j, x in enumerate(row) if x and j != i), key=lambda j: -row[j])
        some = [f"“{short(heads[j], NARROW)}” {count_text(row[j])}" for j in wrong[:ELSEWHERE]]
        rest = sum(row[j] for j in wrong[ELSEWHERE:])
        went = ", ".join([*some, *([f"{count_text(rest)} others"] if rest else [])]) or "–"
        lines.append((name, (Cell.of(sum(row)), Cell.of(right, tone="good" if right else "plain"), Cell(went))))
    return Section("errors", ("rows", "right", "most of the others"), tuple(lines), f"{note}, row by row")


def _confused_most(tally: Confusion) -> list[Section]:
    """The errors that occur most often, each with the error the other way round."""
    mass, gold = tally.mass, tally.margins.gold
    off = np.flatnonzero((tally.gold != tally.pred) & (mass > 0))
    if not len(off):
        return []
    count = {(int(tally.gold[u]), int(tally.pred[u])): 0.0 for u in off}
    for u in off:
        count[int(tally.gold[u]), int(tally.pred[u])] += float(mass[u])
    plain = tally.weights is None and tally.clusters is None
    names = [*tally.labels, tally.outside]
    lines = []
    for (i, j), times in sorted(count.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_PAIRS]:
        total = float(gold[i])
        share = Cell(f"{times / total:.1%}", value=times / total, share=(times, total) if plain else None)
        back = count.get((j, i), 0.0)
        mirrored = Cell.of(back) if j < tally.k else Cell("–")
        lines.append((f"{names[i]} called {names[j]}", (Cell.of(times, tone="bad"), share, mirrored)))
    note = f"{plural(len(count), 'kind')} of error in total; shares are of the gold class"
    if tally.k > MOST_CLASSES:
        what = (
            "the table of all of them"
            if tally.k <= MOST_DRAWN
            else f"the table of the {BLOCK} classes with most errors"
        )
        note += f"; a page (--html) draws {what}"
    columns = ("rows", "share of gold", "the other way round")
    return [Section("most confused", columns, tuple(lines), note, role="confused")]


def _four_counts(
    title: str, names: Sequence[str], counts: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
) -> Section:
    lines = tuple((name, tuple(Cell.of(x) for x in four)) for name, four in zip(names, counts.tolist(), strict=True))
    return Section(title, ("TP", "FP", "FN", "TN"), lines)


# ---------------------------------------------------------------------- what to watch for
def _alike(labels: Sequence[str]) -> list[str]:
    """Labels that differ only in blanks, capitals or the encoding of accents."""
    if len(labels) > MOST_COMPARED:
        return []
    groups: dict[str, list[str]] = {}
    for label in labels:
        groups.setdefault(likeness(label), []).append(label)
    return [label for group in groups.values() if len(group) > 1 for label in group]


def warnings(tally: Confusion) -> list[str]:
    """Gold and predictions without a common label, rare classes, and a positive class chosen by convention."""
    out = []
    m = tally.margins
    gold, pred = (np.flatnonzero(side).tolist() for side in (m.gold, m.pred))
    if not set(gold) & set(pred):
        shown = (listed([tally.labels[i] for i in side], 3) or "nothing" for side in (gold, pred))
        out.append("gold has {} and the predictions have {}: they share no label".format(*shown))
    positive = tally.positive_label()
    if tally.k == 2 and positive is None:
        out.append(f"neither “{tally.labels[0]}” nor “{tally.labels[1]}” is named as positive (--positive LABEL)")
    if tally.k == 2 and tally.positive is None and positive is not None:
        share = float(m.gold[1] / m.n)
        out.append(
            f"“{positive}” ({share:.1%} of the rows) is taken as the positive class by convention; "
            "name another with --positive"
        )
    if tally.threshold is not None:
        default = " (the default for probabilities)" if tally.threshold == 0.5 else ""
        cut = numeral(tally.threshold, ".15g")
        out.append(
            Aside(f"labels are derived from scores at threshold {cut}{default}: a score at or above it is “{positive}”")
        )
    alike = _alike(tally.labels)
    if alike:
        out.append(f"labels that look alike are different labels: {listed(alike, 6)}")
    lacking = [label for label in tally.labels if looks_missing(label)]
    if lacking:
        out.append(f"{listed(lacking)} count as classes: if they stand for missing values, leave those fields empty")
    if tally.outside:
        out.append(
            f"{count_text(float(m.outside))} predictions are {tally.outside}: they count as wrong and belong to no "
            "class"
        )
    absent = [f"'{tally.labels[i]}'" for i in np.flatnonzero((m.gold == 0) & (m.pred > 0)).tolist()]
    if absent and set(gold) & set(pred):
        out += _perhaps_the_same(tally)
        so = ", so averages over classes say nothing about performance there"
        out.append(Note(absent, so, before="no gold rows of ", several="{n} classes have no gold rows: "))
    rare = [f"'{tally.labels[i]}'" for i in np.flatnonzero((m.gold < FEW) & (m.gold > 0))]
    if rare:
        few, so = f"fewer than {FEW} gold rows", ", so intervals that rest on them are unreliable"
        out.append(Note(rare, so, before=f"{few} of ", several=f"{{n}} classes have {few}: "))
    return out


def _perhaps_the_same(tally: Confusion) -> list[str]:
    """That many rows have a label that only gold uses, and many one that only the predictions use."""
    m = tally.margins
    only_gold, only_pred = (m.gold > 0) & (m.pred == 0), (m.pred > 0) & (m.gold == 0)
    if min(m.gold[only_gold].sum(), m.pred[only_pred].sum()) < MANY_APART * m.n:
        return []
    gold, pred = (listed([tally.labels[i] for i in np.flatnonzero(some)], 3) for some in (only_gold, only_pred))
    told = f"only gold has {gold}, and only the predictions have {pred}: if these mean the same, use --map"
    return [Urgent(told, NOT_MEANT)]


# ---------------------------------------------------------------------- on the page
def frequencies(material: Material) -> Iterator[Block]:
    """What each system does with a thousand such rows: what it finds, misses, and raises false alarms about."""
    yield from frequencies_of(material.of(Confusion), material.systems)


def frequencies_of(tallies: Mapping[str, Confusion], systems: Sequence[str]) -> Iterator[Block]:
    """The same for these tallies; the places among the systems give them their marks."""
    first = next(iter(tallies.values()))
    positive = first.positive_label() if first.k == 2 else None
    alike = all(
        tally.labels == first.labels and np.allclose(tally.margins.gold, first.margins.gold)
        for tally in tallies.values()
    )
    if any(tally.n < LEAST for tally in tallies.values()):
        return
    rows = tuple(_frequency(tally, name, systems.index(name), positive) for name, tally in tallies.items())
    caption = f"In 1,000 such {in_plural(first.item)}"
    if positive is not None and alike:
        wanted = float(first.margins.gold[first.labels.index(positive)])
        caption += f", {_of_thousand(wanted, float(first.margins.n))} of them “{positive}”"
    yield Frequencies(caption, rows)


def _frequency(tally: Confusion, name: str, place: int, positive: str | None) -> Frequency:
    m, n = tally.margins, float(tally.margins.n)
    if positive is None or positive not in tally.labels:
        right = float(m.correct)
        text = f"right {_of_thousand(right, n)}, wrong {_of_thousand(n - right, n)}"
        return Frequency(place, name, 1000 * right / n, 1000 * (n - right) / n, 0.0, text)
    i = tally.labels.index(positive)
    found, missed, alarms = float(m.hit[i]), float(m.gold[i] - m.hit[i]), float(m.pred[i] - m.hit[i])
    told = [_of_thousand(x, n) for x in (found, missed, alarms)]
    alarm = "false alarm" if told[2] == "1" else "false alarms"
    text = f"finds {told[0]}, misses {told[1]}, {told[2]} {alarm}"
    return Frequency(place, name, 1000 * found / n, 1000 * missed / n, 1000 * alarms / n, text)


FEW_PAIRS = 5  # that are shown of each of several systems


@view(Confusion)
def errors(material: Material) -> Iterator[Part]:
    """The confusion matrix of every system, or the pairs confused most where there are too many classes."""
    turned = material.report.asked.get("rows") == "pred"
    tallies = ranked(material)
    largest = largest_error(tally.table.T if turned else tally.table for tally in tallies.values())
    drawn = [
        (matrix_of if tally.k <= MOST_DRAWN else block_of)(
            tally, name, material.systems.index(name), turned=turned, largest=largest
        )
        for name, tally in tallies.items()
    ]
    many = len(tallies) > 1
    pairs = {
        name: [Table(section, name if many else None) for section in _pairs(tally, material.level, many=many)]
        for name, tally in tallies.items()
    }
    blocks = tuple(arranged(drawn, pairs)) or (Prose(("No system made an error.",)),)
    most = max(tally.k for tally in tallies.values())
    yield Part("errors", errors_found(tallies), "Errors", blocks, lead_of(drawn, most, turned=turned))


def _pairs(tally: Confusion, level: float, *, many: bool) -> list[Section]:
    """The pairs confused most; of several systems only the first few."""
    out = [with_intervals(section, level) for section in sections(tally) if section.role == "confused"]
    return [replace(section, rows=section.rows[:FEW_PAIRS]) for section in out] if many else out
