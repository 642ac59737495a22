"""Options of the commands at random, most of which go together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from assay.options import CORRECTIONS
from tests.fuzz.breaking import broken
from tests.fuzz.made import Made
from tests.fuzz.words import MEASURES, NOTHING, NUMBERS, PLAIN, WHOLE

Words = list[str]
ODD = 0.08  # how often a value is odd


def usually(rng: Random, usual: Sequence[str], odd: Sequence[str]) -> str:
    """A usual value, and an odd one now and then."""
    return rng.choice(odd if rng.random() < ODD else usual)


def number(rng: Random) -> str:
    """A number between 0 and 1, or an odd one."""
    return usually(rng, ("0.05", "0.5", "0.9", "0.95", "0.99", "0.1", "0.02"), NUMBERS)


def whole(rng: Random) -> str:
    """A whole number, or an odd one."""
    return usually(rng, ("1", "5", "20", "100"), WHOLE)


def measure(rng: Random) -> str:
    """A measure of the catalogue, or something that is none."""
    from assay.measures.declare.catalogue import catalogue

    few = ("accuracy", "f1", "f1(average=macro)", "recall", "mcc", "roc_auc", "brier")
    return usually(rng, few if rng.random() < 0.5 else list(catalogue()), MEASURES)


def maybe(rng: Random, often: float, option: str, value: Callable[[], str]) -> Words:
    return [option, value()] if rng.random() < often else []


def column(rng: Random, made: Made, role: str) -> str:
    if rng.random() < 0.03:
        return rng.choice((*NOTHING, *made.names))
    return rng.choice(made.roles.get(role) or made.names)


def columns(rng: Random, made: Made, command: str) -> Words:
    out: Words = []
    if rng.random() < 0.9:
        out += ["--gold", column(rng, made, "gold")]
    preds, scores = made.roles.get("pred", []), made.roles.get("score", [])
    if command not in ("tune", "curve"):
        preds = preds if command != "plan" else preds[:2]
        for name in [name for name in preds if rng.random() < 0.93]:
            out += ["--pred", rng.choice((name, f"s{len(out)}={name}"))]
    if command != "check":
        some = scores[:1] if command == "tune" else scores
        for name in [name for name in some if rng.random() < (0.95 if command in ("tune", "curve") else 0.3)]:
            out += ["--score", rng.choice((name, f"s{len(out)}={name}", name, "p_{}" if rng.random() < 0.1 else name))]
    if command not in ("check", "plan"):
        often = 0.9 if "--score" in out else 0.4
        out += maybe(rng, often, "--positive", lambda: usually(rng, [_positive(rng, made)], _values(made)))
    if command in ("check", "advise"):
        return out
    for role in ("count", "weight", "cluster"):
        if role in made.roles and (command != "plan" or role == "cluster"):
            out += maybe(rng, 0.4, f"--{role}", lambda role=role: column(rng, made, role))  # type: ignore[misc]
    kinds = ("skip", "skip", "skip", "error", *(("wrong",) if command != "tune" or rng.random() < ODD else ()))
    out += maybe(rng, 0.8, "--missing", lambda: rng.choice(kinds))
    if command in ("evaluate", "compare", "tally"):
        if "slice" in made.roles:
            out += maybe(rng, 0.5, "--slice", lambda: column(rng, made, "slice"))
        out += maybe(rng, 0.03, "--slice", lambda: column(rng, made, "slice"))
        out += maybe(rng, 0.05, "--slice", lambda: column(rng, made, "cluster"))
        out += ["--crossed"] if rng.random() < 0.05 else []
        out += maybe(rng, 0.1, "--threshold", lambda: number(rng))
        out += maybe(rng, 0.1, "--labels", lambda: rng.choice(("gold", "observed", *PLAIN)))
        out += maybe(rng, 0.05, "--labels", lambda: rng.choice(PLAIN))
        out += maybe(
            rng, 0.05, "--map", lambda: usually(rng, [f"{_positive(rng, made)}=a"], ("a", "=", 'a="b', "a=b,a=c"))
        )
        out += [flag for flag in ("--ignore-case", "--numeric-labels") if rng.random() < 0.05]
        out += maybe(rng, 0.05, "--score-bins", lambda: whole(rng))
        out += maybe(rng, 0.05, "--guess", lambda: f"{(preds or ['a'])[0]}={column(rng, made, 'pred')}")
    return out


def _positive(rng: Random, made: Made) -> str:
    at = made.names.index(made.first("gold")) if "gold" in made.roles else 0
    return rng.choice([row[at] or "" for row in made.rows] or ["a"])


def _values(made: Made) -> Words:
    return [value for row in made.rows for value in row if value] or ["a"]


def shown(rng: Random) -> Words:
    out: Words = []
    for _ in range(rng.choice((0, 0, 1, 2))):
        out += ["--measure", measure(rng)]
    out += ["--resamples", usually(rng, ("99", "200", "300"), WHOLE[:-4])]
    out += maybe(rng, 0.15, "--level", lambda: number(rng))
    out += maybe(rng, 0.1, "--seed", lambda: whole(rng))
    out += maybe(
        rng,
        0.2,
        "--method",
        lambda: rng.choice(("bca", "percentile", "wilson", "dirichlet", "jackknife", "midp", "x", "auto")),
    )
    out += maybe(rng, 0.5, "--format", lambda: rng.choice(("json", "json", "csv", "md", "latex", "table")))
    out += maybe(rng, 0.15, "--out", lambda: usually(rng, ("out.txt",), ("no/such.txt", ".", "")))
    out += maybe(rng, 0.1, "--fail-under", lambda: f"{measure(rng)}={number(rng)}")
    out += maybe(rng, 0.05, "--summary", lambda: "summary.md")
    if "--fail-under" in out:
        out += maybe(rng, 0.5, "--junit", lambda: "gates.xml")
    out += maybe(rng, 0.03, "--charts", lambda: "charts")
    for flag in ("--methods", "--raw-csv"):
        out += [flag] if rng.random() < 0.1 else []
    return out


def compared(rng: Random, made: Made) -> Words:
    out = maybe(rng, 0.2, "--primary", lambda: measure(rng))
    out += maybe(rng, 0.15, "--baseline", lambda: column(rng, made, "pred"))
    out += maybe(rng, 0.15, "--correction", lambda: rng.choice(CORRECTIONS))
    tests = (
        "randomization",
        "bootstrap",
        "mcnemar",
        "mcnemar_midp",
        "mcnemar_chi2",
        "sign",
        "interval",
        "none",
        "t",
        "wilcoxon",
        "5x2cv",
    )
    out += maybe(rng, 0.4, "--test", lambda: rng.choice(tests))
    out += maybe(rng, 0.2, "--alternative", lambda: rng.choice(("greater", "less")))
    out += maybe(rng, 0.15, "--margin", lambda: number(rng))
    out += maybe(rng, 0.1, "--statistic", lambda: rng.choice(("studentized", "raw")))
    out += maybe(rng, 0.15, "--disagreements", lambda: "differ.csv")
    out += maybe(rng, 0.1, "--replicates", lambda: "draws.csv")
    out += maybe(rng, 0.05, "--no-worse-than", lambda: f"{column(rng, made, 'pred')}:{number(rng)}")
    if "value" in made.roles and rng.random() < 0.6:
        for name in made.roles["value"]:
            out += ["--value", name]
        out += maybe(
            rng, 0.4, rng.choice(("--folds", "--datasets")), lambda: column(rng, made, rng.choice(("id", "slice")))
        )
    for flag in ("--strict", "--raw-p", "--lower"):
        out += [flag] if rng.random() < 0.03 else []
    return out


def drawn(rng: Random) -> Words:
    out = maybe(rng, 0.8, "--kind", lambda: rng.choice(("roc", "pr", "calibration", "cost", "envelope")))
    if "cost" in out or rng.random() < 0.05:
        out += ["--cost-fp", number(rng), "--cost-fn", number(rng)]
    out += maybe(rng, 0.1, "--bins", lambda: whole(rng)) + maybe(rng, 0.2, "--binning", lambda: "width")
    out += maybe(rng, 0.2, "--level", lambda: number(rng))
    out += ["--no-band"] if rng.random() < 0.1 else []
    return out + maybe(rng, 0.4, "--out", lambda: rng.choice(("c.csv", "c.csv", "c.svg", "c.png", "c.txt")))


def sought(rng: Random) -> Words:
    one: Sequence[Words] = (
        ["--youden"],
        ["--maximize", measure(rng)],
        ["--maximize", "f1"],
        ["--target", f"{rng.choice(('recall', 'precision', 'specificity', 'fpr', 'x'))}={number(rng)}"],
        ["--cost-fp", number(rng), "--cost-fn", number(rng)],
    )
    out = [*rng.choice(one), "--resamples", rng.choice(("99", "150"))]
    out += maybe(rng, 0.2, "--against", lambda: number(rng)) + maybe(rng, 0.2, "--sweep", lambda: "sweep.csv")
    return out + maybe(rng, 0.5, "--format", lambda: rng.choice(("json", "csv", "md", "table")))


def planned(rng: Random) -> Words:
    out = [
        "--difference",
        number(rng),
        "--measure",
        measure(rng),
        "--resamples",
        rng.choice(("99", "200")),
    ]
    return out + maybe(rng, 0.3, "--items", lambda: whole(rng))


def costs(rng: Random) -> bytes:
    labels = rng.sample(PLAIN, 3)
    rows = [",".join(["", *labels]), *(",".join([a, *(number(rng) for _ in labels)]) for a in labels)]
    data = "\n".join(rows).encode()
    return broken(rng, data) if rng.random() < 0.3 else data
