"""All measures by name, the one spelling of each, what people call it, and those shown when nobody asks."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from assay.errors import DataError, OptionError, UnknownMeasure, a_type, did_you_mean, listed, written
from assay.families import place_of
from assay.lazily import load_families
from assay.measures.declare.family import family_of
from assay.measures.declare.measure import CATALOGUE, Measure
from assay.options import AVERAGES
from assay.tally.contract.base import Tally

CONSTANTS: dict[str, object] = {"None": None, "True": True, "False": False, "true": True, "false": False}


@cache
def catalogue() -> dict[str, Measure]:
    """Every declared measure, by family and in the order of declaration, whichever family was loaded first."""
    load_families("measures")
    ordered = sorted(CATALOGUE.items(), key=lambda item: place_of(item[1].formula.__module__, "measures"))
    CATALOGUE.clear()
    CATALOGUE.update(ordered)
    return CATALOGUE


def find(name: str) -> Measure:
    """The measure of this name or alias."""
    known = catalogue()
    lower = name.lower()
    if lower in known:
        return known[lower]
    for each in known.values():
        if lower in each.aliases:
            return each
    raise UnknownMeasure(f"no measure is called {name!r}.{hint(name)} 'assay measures' lists all of them.")


def find_variant(name: str, kind: str) -> Measure:
    """How the measure of this name is computed from a kind of tally."""
    return next(each for each in find(name).variants.values() if each.kind.kind == kind)


def parse(text: str) -> tuple[Measure, dict[str, Any]]:
    """The measure and options named by a spelling such as `f1(average=macro)`; `ndcg@10` is `ndcg(k=10)`."""
    match = re.fullmatch(r"\s*([A-Za-z_]\w*)\s*(@[^@()]*)?(?:\((.*)\))?\s*", text)
    if match is None:
        meant = _ranked_hint(text)
        if meant:
            raise UnknownMeasure(f"no measure is called {text.strip()!r}.{meant}")
        raise OptionError(f"{text!r} does not name a measure; write it like f1 or f1(average=macro).")
    found = find(match[1])
    options: dict[str, Any] = {} if match[2] is None else {"k": _cut(found, match[2][1:].strip(), text)}
    for part in filter(None, (p.strip() for p in (match[3] or "").split(","))):
        name, given, value = (each.strip() for each in part.partition("="))
        if not given:
            raise OptionError(f"{part!r} in {text!r} is not an option; write it like average=macro.")
        if name in options:
            raise OptionError(f"{text!r} gives {name} twice; once is enough.")
        options[name] = _value(value)
    return found, options


def _cut(measure: Measure, rank: str, text: str) -> int:
    """The k after the @ of a spelling."""
    if not _has_cut(measure):
        some = [name for name, each in catalogue().items() if _has_cut(each)]
        raise UnknownMeasure(
            f"no measure is called {text.strip()!r}: @ sets the option k, which {measure.name} does not take."
            + (_ranked_hint(text) or f" Measures with one are {listed(some)}.")
        )
    if not re.fullmatch(r"[0-9]{1,9}", rank) or not int(rank):
        raise OptionError(f"{text!r} has {rank!r} after @; expected a whole number of at least 1, as in ndcg@10.")
    return int(rank)


def _has_cut(measure: Measure) -> bool:
    return any("k" in each.options for each in (measure, *measure.variants.values()))


def resolve(measure: str | Measure, options: dict[str, Any]) -> tuple[Measure, dict[str, Any]]:
    """A measure by name, spelling or object, with options from the spelling and from keywords."""
    if not isinstance(measure, str | Measure):
        raise OptionError(f"{a_type(measure)} is not a measure; name one, such as 'f1(average=macro)'.")
    if isinstance(measure, Measure):
        return measure, options
    found, spelled = parse(measure)
    return found, {**spelled, **options}


def single_case(
    measure: Measure, tally: Tally, options: Mapping[str, Any], option: str, why: str = ""
) -> tuple[dict[str, Any], str | None]:
    """The options and the class of the only value that the measure has for a tally; `option` would name another."""
    cases = measure.cases(tally, options)
    if len(cases) > 1:
        raise OptionError(
            f"{measure.name} has a value for each of {len(cases)} classes{why}: average them, as in "
            f"{written(f'--{option} ', f'{option}=')}'{measure.name}(average=macro)', or name the class with "
            f"{written('--positive', 'positive=')}."
        )
    return cases[0]


def check_measures(measures: object) -> None:
    """Refuse anything but a measure or a list of measures; None means the default measures."""
    if measures is None or isinstance(measures, str | Measure):
        return
    if not isinstance(measures, Collection) or isinstance(measures, Mapping):
        raise OptionError(f"measures is {measures!r}; name a measure, or several in a list.")
    if not len(measures):
        raise OptionError("measures is empty; name one, such as 'f1', or leave it out for the default measures.")


def reference(measure: Measure) -> str:
    """The publication a measure comes from: looked up by key, or as the declaration spells it out."""
    return citations().get(measure.cite, measure.cite)


def cited(measure: Measure) -> str:
    """The citation in short: Cohen 1960, Deeks and Altman 2004, Brodersen et al. 2010."""
    authors, _, rest = reference(measure).partition(" (")
    first, *others = re.split(r", | and ", authors.removesuffix(" et al.").removesuffix(" and others"))
    alone = not others and first == authors
    name = first if alone else f"{first} and {others[0]}" if len(others) == 1 else f"{first} et al."
    return f"{name} {rest[:4]}"


@cache
def citations() -> dict[str, str]:
    """References that several measures share, by key."""
    import tomllib

    text = Path(__file__).with_name("citations.toml").read_text(encoding="utf-8")
    return {key: str(value) for key, value in tomllib.loads(text).items()}


def _value(text: str) -> object:
    if " " in text or ";" in text:
        try:
            return tuple(tuple(float(x) for x in row.split()) for row in text.removesuffix(";").split(";"))
        except ValueError:
            return text
    if text in CONSTANTS:
        return CONSTANTS[text]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _named(known: Mapping[str, Measure]) -> dict[str, Measure]:
    """The measures by their names and aliases."""
    return {name: each for each in known.values() for name in (each.name, *each.aliases)}


# Names of scikit-learn for what is called otherwise here, or is another thing here.
INSTEAD: Mapping[str, str] = {
    "precision_recall_curve": "Use assay.pr_curve.",
    "precision_recall_fscore_support": "Use assay.classification_report, or assay.precision.per_class and its like.",
    "hamming_loss": "For one label per item it is assay.error_rate.",
    "fowlkes_mallows_score": "In scikit-learn it compares clusterings by pairs of items; assay.fowlkes_mallows is the "
    "geometric mean of precision and recall of labels. For clusterings, use assay.adjusted_rand.",
    "rand_score": "For clusterings, use assay.adjusted_rand.",
    "r2_score": "assay does not evaluate regression.",
    "get_scorer": "Use assay.scorers.",
    "class_likelihood_ratios": "Use assay.lr_plus and assay.lr_minus.",
}


# What rankings' measures with a cut-off are called by trec_eval and others.
RANKED: Mapping[str, str] = {
    "ndcg": "ndcg", "ndcg_cut": "ndcg", "map": "ap", "map_cut": "ap", "p": "p", "precision": "p", "recall": "r",
    "success": "success",
}  # fmt: skip


def _ranked_hint(text: str) -> str:
    """What a measure with a cut-off is called here, such as recall@100 and P_10, as a question; empty for others."""
    match = re.fullmatch(r"\s*([A-Za-z_]+?)[_.@]([1-9][0-9]{0,8})\s*", text)
    name = None if match is None else RANKED.get(match[1].lower())
    return "" if match is None or name is None else f" Did you mean '{name}@{match[2]}'?"


def hint(name: str, others: Sequence[str] = ()) -> str:
    """The nearest measure, or the nearest of `others`, as a question; empty where none is near."""
    if name in INSTEAD:
        return f" {INSTEAD[name]}"
    ranked = _ranked_hint(name)
    if ranked:
        return ranked
    known = catalogue()
    for average in AVERAGES:
        bare = name.removesuffix(f"_{average}").removeprefix(f"{average}_")
        found = _named(known).get(bare)
        if bare != name and found is not None and "average" in found.options:
            return f" Did you mean '{bare}' with average='{average}'?"
    names = [*known, *(alias for each in known.values() for alias in each.aliases)]
    return did_you_mean(name, [*others, *names])


def parse_known(spelling: str) -> tuple[Measure, dict[str, Any]] | None:
    """The measure and its options, or None for values that have a name of their own."""
    try:
        return parse(spelling)
    except UnknownMeasure:
        return None


COSTS = {"fp": "false alarm", "fn": "miss"}  # options that are costs, and of what


def titled(spelling: str) -> str:
    """The measure's name for people: F1, macro."""
    found = parse_known(spelling)
    if found is None:
        return spelling
    measure, options = found
    if "k" in measure.options:
        # A cut-off is part of the name, even the default one.
        k = options.pop("k", measure.options["k"])
        cut = measure.title if k is None else f"{measure.title}@{k}"
        title = measure.title.replace("-k ", f"-{k} ") if "-k " in measure.title else cut
        return ", ".join([title, *(_option(*pair) for pair in options.items())])
    return ", ".join([measure.title, *(_option(*pair) for pair in options.items())])


def _option(key: str, value: object) -> str:
    if key in ("average", "of", "weights"):
        return str(value)
    if key == "prevalence" and isinstance(value, float):
        return f"at {100 * value:.4g}% prevalence"
    if key == "judged_only":
        return "judged documents only" if value else "all documents"
    if isinstance(value, bool):
        return f"{'with' if value else 'without'} {key}"
    if key == "matrix":
        return "by table"
    if key in COSTS and isinstance(value, int | float):
        return f"{value:g} per {COSTS[key]}"
    return f"{key} {value:g}" if isinstance(value, int | float) else f"{key} {value}"


def default_measures(tally: Tally) -> tuple[str, ...]:
    """Spellings for this tally; a measure of classes without an average is shown for every class."""
    every = catalogue()  # importing it declares every family
    declared = family_of(tally)
    if declared is not None and declared.usual is not None:
        return tuple(declared.usual(tally))
    shown = tuple(name for name, measure in every.items() if measure.reads_from(tally))
    if not shown:
        raise DataError(f"no measure is computed from a {tally.kind} tally; declare one that reads its evidence.")
    return shown


def slice_measures(tally: Tally) -> tuple[str, ...]:
    """The measures compared between groups."""
    usual, declared = default_measures(tally), family_of(tally)
    return usual if declared is None or declared.sliced is None else tuple(declared.sliced(tally))


def primary_measure(tally: Tally) -> str:
    """The measure named in the first sentence."""
    usual, declared = default_measures(tally), family_of(tally)
    return usual[0] if declared is None or declared.primary is None else declared.primary(tally)
