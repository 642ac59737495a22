"""Systems whose files each hold their own gold labels: the same ones, or separate samples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from assay.errors import DataError, OptionError
from assay.report.counted import Counted, Question, counted


def with_own_gold(asked: Question, *, unpaired: bool) -> Counted:
    """Count systems that came without a file of gold labels."""
    if not asked.systems or len(asked.systems) < 2:
        raise OptionError(
            "what should be compared? Name a file with the answers of two systems, as in 'assay compare preds.csv "
            "--gold label --pred old=v1 --pred new=v2', or a file for each: --system old=v1.csv --system new=v2.csv."
        )
    if unpaired:
        return _apart(asked)
    first = next(iter(asked.systems.values()))
    _refuse_other_gold(first, asked)
    return counted(first, asked)


def _apart(asked: Question) -> Counted:
    """Each system counted on its own rows, over the classes of all of them."""
    assert asked.systems is not None
    if asked.slices:
        raise OptionError(
            "systems on separate samples have no groups in common, so --slice (slices= in Python) does not go with "
            "--unpaired and a file for each; evaluate each file by itself to see its groups."
        )
    each: dict[str, Counted] = {}
    for name, data in asked.systems.items():
        column = asked.pred.get(name) if isinstance(asked.pred, Mapping) else asked.pred
        each[name] = counted(data, replace(asked, systems=None, pred=None if column is None else {name: str(column)}))
    tallies = {name: next(iter(found.systems.values())) for name, found in each.items()}
    whole = next(iter(tallies.values()))
    for tally in tallies.values():
        whole = whole.aligned(tally)[0]
    source = " + ".join(str(found.provenance["source"]) for found in each.values())
    facts = {"source": source, "n": sum(tally.n for tally in tallies.values())}
    notes = tuple(f"{name}: {note}" for name, found in each.items() for note in found.notes)
    return Counted({name: tally.aligned(whole)[0] for name, tally in tallies.items()}, (), facts, notes)


def _refuse_other_gold(first: Any, asked: Question) -> None:
    """The gold labels of every file must be those of the first; which rows differ is said."""
    from assay.sources.columns import find
    from assay.sources.frames import count_rows, table_of
    from assay.sources.join import pair_systems

    assert asked.systems is not None
    gold = table_of(first)
    column = find("gold", gold.columns, asked.gold, source=gold.name)
    tables = {name: table_of(data) for name, data in list(asked.systems.items())[1:]}
    theirs = {name: find("gold", table.columns, asked.gold, source=table.name) for name, table in tables.items()}
    paired = pair_systems(gold, tables, id=asked.id, pred=theirs, missing=asked.missing, by_position=asked.by_position)
    for name, other in paired.preds.items():
        texts, counts = count_rows(paired.table, [column, other], labels=[column, other])
        apart = [a is not None and b is not None and a != b for a, b in zip(texts[column], texts[other], strict=True)]
        n = int(counts[apart].sum())
        if n:
            i = apart.index(True)
            rows = "1 row differs" if n == 1 else f"{n:,} rows differ"
            raise DataError(
                f"{tables[name].name} has other gold labels than {gold.name}: {rows}, such as "
                f"'{texts[other][i]}' where the other says '{texts[column][i]}'. Systems are compared on one gold; "
                "mend the files, or take them as separate samples with --unpaired."
            )
