"""Options that other tools have, and what to type here instead."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from cyclopts import Argument, CycloptsError
from cyclopts.exceptions import MissingArgumentError, UnknownOptionError, UnusedCliTokensError, ValidationError

from assay.cli.options import NO_OPTION
from assay.errors import listed, nearest

INSTEAD: Mapping[str, str] = {
    "average": "Name the average with the measure: --measure 'f1(average=macro)'.",
    "zero-division": "Averages count 0/0 as 0; leave it out with --measure 'f1(average=macro,undefined=exclude)'.",
    "beta": "Name it with the measure: --measure 'f_beta(beta=2)'.",
    "k": "Name it with the measure: --measure 'top_k_accuracy(k=5)' or --measure ndcg@10.",
    "weights": "Name them with the measure: --measure 'cohen_kappa(weights=quadratic)'.",
    "max-fpr": "Name it with the measure: --measure 'roc_auc(max_fpr=0.1)'.",
    "multi-class": "Name it with the measure: --measure 'roc_auc(multi_class=ovo)'.",
    "metric": "Use --measure.",
    "metrics": "Use --measure, once for each.",
    "scoring": "Use --measure.",
    "pos-label": "Use --positive.",
    "sample-weight": "Use --weight COL.",
    "y-true": "Use --gold COL.",
    "y-pred": "Use --pred COL.",
    "y-score": "Use --score COL.",
    "y-proba": "Use --score COL.",
    "group": "Use --cluster COL for rows that belong together, or --slice COL for groups to compare.",
    "random-state": "Use --seed.",
    "n-resamples": "Use --resamples.",
    "confidence-level": "Use --level.",
    "confidence": "Use --level.",
    "alpha": "Use --level, which is 1 minus it: 0.95 for 5%.",
    "output": "Use --out FILE.",
}


def meant(error: CycloptsError) -> str:
    """What to type in place of an option that other tools have; the error's own words for any other error."""
    if isinstance(error, MissingArgumentError) and (error.command_chain or ("",))[0] == "verify":
        return "'assay verify' takes two files: RESULT, a report written with --format json, and FILE, its data."
    if isinstance(error, UnusedCliTokensError):
        return _unused(error)
    if isinstance(error, ValidationError) and error.exception_message.startswith(NO_OPTION) and error.app is not None:
        return _no_option(error.exception_message.removeprefix(NO_OPTION), error.app.assemble_argument_collection())
    if not isinstance(error, UnknownOptionError):
        return _NO_NUMBER.sub(_a_number, str(error))
    return _no_option(error.token.keyword or error.token.value or "", error.argument_collection)


def _no_option(given: str, arguments: Iterable[Argument]) -> str:
    """What to type in place of this option."""
    typed = given.partition("=")[0]
    word = typed.lstrip("-").replace("_", "-").lower()
    if word in INSTEAD:
        return f"there is no option {typed}. {INSTEAD[word]}"
    known = {name.lstrip("-"): name for argument in arguments if argument.parse for name in argument.names}
    close = nearest(word, known)
    return f"there is no option {typed}.{'' if close is None else f' Did you mean {known[close]}?'}"


_NO_NUMBER = re.compile(r'Invalid value for (\S+): unable to convert "(.*)" into (float|int)\.')


def _a_number(found: re.Match[str]) -> str:
    return f"{found[1]} is {found[2]!r}; expected a {'whole ' if found[3] == 'int' else ''}number."


def _unused(error: UnusedCliTokensError) -> str:
    """What to do with words that no option takes, such as a file before a command that has none."""
    command, left = (error.command_chain or ("",))[0], error.unused_tokens or []
    if command == "plan":
        return f"'assay plan' takes no file by itself: name a pilot with --pilot {left[0]}."
    return f"'assay {command}' does not take {listed(left, 3)} here."
