"""Cases for the fuzz: files and the commands that are run on them, made from one seed."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

from tests.fuzz.breaking import broken, json_broken
from tests.fuzz.case import Case
from tests.fuzz.made import Made, Rows, Written, csv_of, json_lines_of, table, written
from tests.fuzz.options import (
    Words,
    columns,
    compared,
    costs,
    drawn,
    maybe,
    number,
    planned,
    shown,
    sought,
    usually,
    whole,
)
from tests.fuzz.running import run_here
from tests.fuzz.words import WHOLE

# Columns that a command cannot do without.
NEEDED = {
    "compare": ("gold", "pred", "pred"),
    "plan": ("gold", "pred", "pred"),
    "curve": ("gold", "score"),
    "tune": ("gold", "score"),
}


def case(seed: str) -> Case:
    """The case of this seed."""
    rng = Random(seed)
    make = rng.choices((counted, shards, joined, anything, stored, numbers, odd_names), (26, 10, 8, 45, 12, 6, 3))[0]
    return make(rng)


# ---------------------------------------------------------------------- what the oracle counts too
def counted(rng: Random) -> Case:
    """One file of text with gold and predictions, whose counts are known."""
    command = rng.choice(("tally", "evaluate", "evaluate", "compare"))
    made = _with(rng, *NEEDED.get(command, ("gold", "pred")))
    file = _file(rng, made, rng.choice((0.0, 0.0, 0.5)))
    name = f"in{file.ending}"
    words = [command, name, *_asked(rng, made), *_counting(rng, command)]
    return _case(rng, {name: file.data}, [words], name)


def _with(rng: Random, *roles: str) -> Made:
    """A table that has columns of these roles, and some rows."""
    for _ in range(1000):
        made = table(rng)
        if made.rows and all(len(made.roles.get(role, ())) >= roles.count(role) for role in roles):
            return made
    raise AssertionError("no table has these columns")


def _file(rng: Random, made: Made, often: float) -> Written:
    """A file of text, which is broken so often."""
    file = rng.choice((csv_of, csv_of, json_lines_of))(rng, made)
    return Written(broken(rng, file.data), file.ending) if rng.random() < often else file


def _asked(rng: Random, made: Made) -> Words:
    """All columns by name."""
    out = ["--gold", made.first("gold")]
    for name in made.roles["pred"]:
        out += ["--pred", name if "=" not in name else f"s={name}"]
    for role in ("count", "weight", "cluster", "slice"):
        if role in made.roles and rng.random() < 0.5:
            out += [f"--{role}", made.first(role)]
    return [*out, *maybe(rng, 0.8, "--missing", lambda: rng.choice(("skip", "skip", "wrong", "wrong", "error")))]


def _counting(rng: Random, command: str) -> Words:
    if command == "tally":
        return maybe(rng, 0.3, "--out", lambda: "counts.json")
    out = ["--format", "json", "--measure", "accuracy", "--resamples", rng.choice(("99", "300"))]
    out += ["--measure", "f1(average=macro)"] if rng.random() < 0.5 else []
    out += maybe(rng, 0.2, "--out", lambda: "result.json")
    return out + maybe(rng, 0.03, "--html", lambda: "page.html")


def shards(rng: Random) -> Case:
    """Several files that are one table: by a pattern, or counted one by one and added up."""
    made = _with(rng, "gold", "pred")
    parts = _parts(rng, made.rows, rng.randint(2, 4))
    files, style = {}, rng.random()
    for at, rows in enumerate(parts):
        names = rng.sample(made.names, len(made.names)) if style < 0.5 else made.names
        file = _file(rng, made.part(names, rows), 0.1)
        ending = file.ending if style > 0.8 else ".csv"
        if ending == ".csv" and file.ending != ".csv":
            file = Written(csv_of(rng, made.part(names, rows), ",").data, ".csv")
            if file.data[:2] == b"\x1f\x8b":
                ending = ".csv.gz"
        files[f"part{at}{ending}"] = file.data
    asked = _asked(rng, made)
    if rng.random() < 0.4:
        words = [rng.choice(("tally", "evaluate", "compare")), "part*", *asked]
        return _case(rng, files, [[*words, *_counting(rng, words[0])]])
    tallies = [f"t{at}.json" for at, _ in enumerate(files)]
    steps = [["tally", file, *asked, "--out", out] for file, out in zip(files, tallies, strict=True)]
    steps.append(["merge", *tallies, *maybe(rng, 0.7, "--out", lambda: "all.json")])
    steps.append(["evaluate", "all.json", "--format", "json", "--measure", "accuracy", "--resamples", "99"])
    return _case(rng, files, steps)


def _parts(rng: Random, rows: Rows, n: int) -> list[Rows]:
    few = 0 if rng.random() < 0.2 or len(rows) < n else 1
    cuts = sorted(rng.randint(few, len(rows) - few) for _ in range(n - 1))
    return [rows[a:b] for a, b in zip([0, *cuts], [*cuts, len(rows)], strict=True)]


def joined(rng: Random) -> Case:
    """Gold in one file and every system in its own, paired by id."""
    made = _with(rng, "id", "gold", "pred")
    id, gold = made.first("id"), made.first("gold")
    first = _file(rng, made.part([id, gold]), 0.1)
    files = {f"gold{first.ending}": first.data}
    words = [rng.choice(("tally", "evaluate", "compare")), *files, "--gold", gold, "--pred", "pred", "--id", id]
    for system in made.roles["pred"]:
        rows = [row for row in made.rows if rng.random() < rng.choice((1.0, 1.0, 0.9))]
        part = made.part([id, system], rng.sample(rows, len(rows)))
        part.names[1] = "pred"
        file = _file(rng, part, 0.1)
        name = f"s{len(files)}{file.ending}"
        files[name] = file.data
        words += ["--system", f"s{len(files)}={name}"]
    words += maybe(rng, 0.8, "--missing", lambda: rng.choice(("skip", "skip", "wrong", "wrong", "error")))
    words += ["--by-position"] if rng.random() < 0.05 else []
    return _case(rng, files, [[*words, *_counting(rng, words[0])]])


# ---------------------------------------------------------------------- anything
def anything(rng: Random) -> Case:
    """Any command with any options on any file."""
    command = rng.choice(
        ("evaluate", "evaluate", "compare", "compare", "curve", "tune", "check", "advise", "tally", "plan")
    )
    made = _with(rng, *NEEDED.get(command, ("gold", "pred"))) if rng.random() < 0.9 else table(rng)
    file = written(rng, made)
    data = broken(rng, file.data) if rng.random() < 0.15 else file.data
    name, files = f"in{file.ending}", {f"in{file.ending}": data}
    words = [command, name] if command != "plan" else ["plan", "--pilot", name, *planned(rng)]
    words += columns(rng, made, command)
    if command in ("evaluate", "compare"):
        words += shown(rng)
    if command == "compare":
        words += compared(rng, made)
    elif command == "curve":
        words += drawn(rng)
    elif command == "tune":
        words += sought(rng)
        if rng.random() < 0.5:
            files["other.csv"] = csv_of(rng, made, ",").data
            words += ["--check", "other.csv"]
    elif command in ("check", "advise", "plan"):
        words += maybe(rng, 0.4, "--format", lambda: "json")
    if command == "evaluate" and rng.random() < 0.1:
        files["costs.csv"] = costs(rng)
        words += ["--costs", "costs.csv"]
    words += maybe(rng, 0.12, "--html", lambda: "page.html")
    steps = [words]
    if command == "evaluate" and rng.random() < 0.15 and "--out" not in words and "--format" not in words:
        steps = [[*words, "--format", "json", "--out", "result.json"], ["verify", "result.json", name]]
    return _case(rng, files, steps, name)


# ---------------------------------------------------------------------- stored files, numbers and names
def stored(rng: Random) -> Case:
    """Tallies and reports as they are stored, changed a little or much."""
    texts = rng.choice(kept_results())
    kept = texts if rng.random() < 0.2 else broken(rng, texts)
    if rng.random() < 0.4:
        kept = json_broken(rng, texts)
    files = {"t.json": kept, "same.json": texts, "in.csv": ROWS}
    words = rng.choice(
        (
            ["evaluate", "t.json", "--format", "json", "--resamples", "99"],
            ["evaluate", "t.json", "--resamples", "99"],
            ["evaluate", "t.json", "--resamples", "99", "--html", "page.html"],
            ["merge", "t.json", "same.json"],
            ["merge", "same.json", "t.json", "--out", "sum.json"],
            ["compare", "t.json", "--resamples", "99"],
            ["curve", "t.json"],
            ["advise", "t.json", "--format", "json"],
            ["check", "t.json"],
            ["verify", "t.json", "in.csv"],
            ["verify", "t.json", "in.csv"],
        )
    )
    return _case(rng, files, [words])


def numbers(rng: Random) -> Case:
    """Commands that need no file."""
    if rng.random() < 0.5:
        options = (
            "--half-width",
            "--share",
            "--difference",
            "--disagreement",
            "--power",
            "--level",
            "--cluster-size",
            "--icc",
        )
        words = ["plan", *maybe(rng, 0.3, "--items", lambda: whole(rng))]
        wanted = rng.choice((["--half-width"], ["--difference", "--disagreement"], []))
        for option in [*wanted, *(each for each in rng.sample(options, rng.randint(0, 2)) if each not in wanted)]:
            words += [option, number(rng)]
        words += maybe(rng, 0.3, "--alternative", lambda: rng.choice(("greater", "less")))
        words += maybe(rng, 0.3, "--format", lambda: "json") + maybe(rng, 0.1, "--html", lambda: "page.html")
        return _case(rng, {}, [words])
    words = ["evaluate"]
    for option in ("--tp", "--fp", "--fn", "--tn"):
        words += maybe(
            rng, 0.97, option, lambda: usually(rng, ("0", "1", "80", "30", "9007199254740992", "1000000"), WHOLE)
        )
    words += shown(rng)
    for option in ("--prevalence", "--cost-fp", "--cost-fn"):
        words += maybe(rng, 0.2, option, lambda: number(rng))
    return _case(rng, {}, [words])


def odd_names(rng: Random) -> Case:
    """Files with odd names."""
    names = (
        "a b.csv",
        "é.csv",
        "-x.csv",
        "in[1].csv",
        "*.csv",
        "a'b.csv",
        'a"b.csv',
        "\x1b[31m.csv",
        "a\nb.csv",
        "::x.csv",
        "a=b.csv",
        "%s.csv",
        "<b id=fuzz>.csv",
        "\u202e.csv",
        "x.CSV",
        ".csv",
        "a.b.c.csv",
    )
    made = _with(rng, "gold", "pred")
    name = rng.choice(names)
    word = rng.choice((name, f"./{name}", name.replace("csv", "c?v"), name + "x"))
    command = rng.choice(("evaluate", "tally", "check", "advise", "compare"))
    words = [
        command,
        word,
        *maybe(rng, 0.2, "--html", lambda: rng.choice(("page.html", name, "\x1b.html", "a\nb.html"))),
    ]
    if command in ("evaluate", "compare"):
        words += [
            "--resamples",
            "99",
            *maybe(rng, 0.5, "--format", lambda: rng.choice(("json", "md", "latex", "csv"))),
        ]
    return _case(rng, {name: csv_of(rng, made, ",").data}, [words])


def _case(rng: Random, files: dict[str, bytes], steps: list[Words], stdin: str | None = None) -> Case:
    """The case; a few run in a process of their own, some of them with the file on standard input."""
    apart = rng.random() < 0.04
    if apart and stdin is not None and rng.random() < 0.4 and len(steps) == 1:
        steps = [["-" if word == stdin else word for word in steps[0]]]
    else:
        stdin = None
    return Case(files, tuple(tuple(words) for words in steps), stdin, apart)


ROWS = b"id,gold,a,b,p,q,w,d,g\n" + b"".join(
    f"{i},{'xy'[i % 2]},{'xyz'[i % 3]},{'xy'[i % 5 % 2]},{i % 7 / 7:.3f},{i % 11 / 11:.3f},".encode()
    + f"{i % 4},d{i % 6},g{i % 3}\n".encode()
    for i in range(60)
)
# Commands whose results are stored files of every kind.
STORING: Sequence[Words] = (
    ["tally", "in.csv", "--gold", "gold", "--pred", "b"],
    ["tally", "in.csv", "--gold", "gold", "--pred", "a", "--pred", "b", "--slice", "g", "--weight", "w"],
    ["tally", "in.csv", "--gold", "gold", "--pred", "b", "--cluster", "d"],
    ["tally", "in.csv", "--gold", "gold", "--score", "p", "--score", "q", "--positive", "x"],
    ["tally", "in.csv", "--gold", "gold", "--score", "p", "--positive", "x", "--score-bins", "20", "--cluster", "d"],
    ["tally", "in.csv", "--gold", "gold", "--pred", "a", "--guess", "a=b"],
    ["evaluate", "in.csv", "--gold", "gold", "--pred", "a", "--format", "json", "--resamples", "99"],
    [
        "evaluate",
        "in.csv",
        "--gold",
        "gold",
        "--pred",
        "b",
        "--positive",
        "x",
        "--slice",
        "g",
        "--format",
        "json",
        "--resamples",
        "99",
    ],
    ["compare", "in.csv", "--gold", "gold", "--pred", "a", "--pred", "b", "--format", "json", "--resamples", "99"],
)


@cache
def kept_results() -> tuple[bytes, ...]:
    """What these commands print."""
    with tempfile.TemporaryDirectory(prefix="assay-fuzz-") as temporary:
        (Path(temporary) / "in.csv").write_bytes(ROWS)
        outcomes = [run_here(words, Path(temporary)) for words in STORING]
    assert all(outcome.code == 0 for outcome in outcomes), outcomes
    return tuple(outcome.out for outcome in outcomes)
