"""From a file, a frame or a tally to a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.errors import DataError, OptionError, choose
from assay.measures.catalogue import resolve
from assay.measures.declare import Measure
from assay.measures.defaults import default_measures, primary_measure
from assay.options import LEVEL, METHODS, RESAMPLES, SEED
from assay.report.report import Report, Row, System
from assay.tally.base import Tally
from assay.uncertainty.estimate import estimate
from assay.uncertainty.results import Estimate


def evaluate(
    data: Any,
    *,
    gold: str | None = None,
    pred: str | Sequence[str] | Mapping[str, str] | None = None,
    positive: object | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None,
    labels: Sequence[object] | None = None,
    cluster: str | None = None,
    level: float = LEVEL,
    method: str = "auto",
    n_resamples: int = RESAMPLES,
    random_state: int = SEED,
) -> Report:
    """Evaluate one or more systems on a file, a data frame, a mapping of columns, or a tally.

    `gold` and `pred` name columns; several predictions are a list of columns, or a mapping of names to columns.
    """
    choose(method, METHODS, "method")
    tallies, provenance = _counted(data, gold, pred, positive, labels, cluster)
    drawing: dict[str, Any] = {
        "level": level,
        "method": method,
        "n_resamples": n_resamples,
        "random_state": random_state,
    }
    rows: list[Row] = []
    systems = []
    for name, tally in tallies.items():
        estimates = _estimates(tally, measures, drawing)
        rows += [Row.of(e, name, class_) for e, class_ in estimates]
        systems.append(_system(name, tally, estimates, measures))
    return Report(tuple(rows), tuple(systems), {**provenance, **_drawing_of(rows, drawing)})


def _drawing_of(rows: Sequence[Row], drawing: Mapping[str, Any]) -> dict[str, Any]:
    """How many draws were made from which seed, if any interval was drawn at random."""
    if not any("|seed:" in row.signature for row in rows):
        return {}
    return {"resamples": drawing["n_resamples"], "seed": drawing["random_state"]}


def _counted(
    data: Any,
    gold: str | None,
    pred: str | Sequence[str] | Mapping[str, str] | None,
    positive: object | None,
    labels: Sequence[object] | None,
    cluster: str | None,
) -> tuple[dict[str, Tally], dict[str, Any]]:
    """A tally for each system, and where it came from."""
    if isinstance(data, Tally):
        given = {"gold": gold, "pred": pred, "labels": labels, "cluster": cluster, "positive": positive}
        extra = [name for name, value in given.items() if value is not None]
        if extra:
            raise OptionError(f"{extra[0]}= does not apply to a tally, which is counted already.")
        return {"system": data}, {"source": "counts as given", "n": data.n, "gold fingerprint": data.fingerprint}
    from assay.sources.columns import find
    from assay.sources.frames import table_of
    from assay.tally.engine import count_predictions

    table = table_of(data)
    gold = find("gold", table.columns, gold, source=table.name)
    preds = _prediction_columns(pred, table.columns, table.name)
    if cluster is not None:
        cluster = find("cluster", table.columns, cluster, source=table.name)
    counted = count_predictions(table, gold=gold, preds=preds, labels=labels, positive=positive, cluster=cluster)
    first = next(iter(counted.values()))
    provenance: dict[str, Any] = {"source": table.name, "n": first.n, "gold": gold, "pred": preds}
    if cluster is not None and first.clusters is not None:
        provenance["cluster"] = cluster
        provenance["clusters"] = len(first.clusters.names)
    return {**counted}, {**provenance, "gold fingerprint": first.fingerprint}


def _prediction_columns(
    pred: str | Sequence[str] | Mapping[str, str] | None, columns: Sequence[str], source: str
) -> dict[str, str]:
    from assay.sources.columns import find

    if pred is None or isinstance(pred, str):
        column = find("pred", columns, pred, source=source)
        return {column: column}
    named = dict(pred) if isinstance(pred, Mapping) else {column: column for column in pred}
    if not named:
        raise DataError("pred names no column; name at least one column of predictions.")
    return {name: find("pred", columns, column, source=source) for name, column in named.items()}


def _estimates(
    tally: Tally, measures: str | Measure | Sequence[str | Measure] | None, drawing: Mapping[str, Any]
) -> list[tuple[Estimate, str | None]]:
    """Every measure asked for; one that needs a class and has none is given for each class."""
    out: list[tuple[Estimate, str | None]] = []
    asked = [measures] if isinstance(measures, str | Measure) else measures
    for wanted in default_measures(tally) if asked is None else dict.fromkeys(asked):
        found, options = resolve(wanted, {})
        for settled, class_ in found.cases(tally, options):
            out.append((estimate(found, tally, **drawing, **settled), class_))
    return out


def _system(
    name: str,
    tally: Tally,
    estimates: Sequence[tuple[Estimate, str | None]],
    measures: str | Measure | Sequence[str | Measure] | None,
) -> System:
    primary = primary_measure(tally) if measures is None else estimates[0][0].measure
    notes = [
        *tally.warnings(),
        *_beaten(estimates),
        *(f"{e.measure}: {note}" for e, _ in estimates for note in e.notes),
    ]
    return System(name, tally.headline(name), primary, tuple(tally.sections()), tuple(dict.fromkeys(notes)))


def _beaten(estimates: Sequence[tuple[Estimate, str | None]]) -> list[str]:
    """Measures that do no better than a guess without a model, in words, by the guess."""
    lost: dict[str, list[str]] = {}
    for e, class_ in estimates:
        worst = resolve(e.measure, {})[0].range[0 if e.higher_is_better else 1]
        if e.value is None or e.no_skill is None or e.no_skill_name is None or e.no_skill == worst:
            continue
        ahead = e.value > e.no_skill + 1e-9 if e.higher_is_better else e.value < e.no_skill - 1e-9
        if not ahead:
            of = "" if class_ is None else f" of “{class_}”"
            lost.setdefault(e.no_skill_name, []).append(f"{e.measure}{of} ({e.value:.4g}, not above {e.no_skill:.4g})")
    return [f"does not beat {guess}: {', '.join(names)}" for guess, names in lost.items()]


def _without_interval(estimates: Sequence[tuple[Estimate, str | None]]) -> list[str]:
    """Why some values have no interval, once for each reason."""
    bare: dict[str, list[str]] = {}
    for e, class_ in estimates:
        if e.value is not None and e.low is None:
            of = "" if class_ is None else f" of “{class_}”"
            bare.setdefault(e.reason or "", []).append(f"{e.measure}{of}")
    return [f"no interval for {', '.join(names)}: {reason}" for reason, names in bare.items()]
