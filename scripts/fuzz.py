"""Try assay on files and options that nobody would write, for some minutes, and keep every case that goes wrong.

Cases are numbered, and each depends on the seed and its number alone. They run in a child process, so that a case that
brings the whole process down is noticed and kept too. Findings are kept in tests/fuzz/found/, where `make test` runs
them again from then on.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]
FEW = 400  # cases of one child, whose memory is then released
KILLING = 0.1  # the share of the time for commands that are killed
EVERY = 15.0  # seconds between two lines of progress


def main() -> int:
    """Fuzz until the time is over; 1 if something was found."""
    asked = _arguments()
    from tests.fuzz.case import FOUND
    from tests.fuzz.commands import case

    folder = Path(asked.keep) if asked.keep else FOUND
    seed = asked.seed if asked.seed is not None else time.time_ns() % 1_000_000
    if asked.case is not None:
        return _one(f"{seed}:{asked.case}")
    print(f"seed {seed}, {asked.minutes:g} minutes; what goes wrong is kept in {folder}", flush=True)
    began, number, known = time.monotonic(), asked.start, set(folder.glob("*.json"))
    until = began + 60 * asked.minutes * (1 - KILLING)
    while time.monotonic() < until:
        child = os.fork()
        if not child:
            _leave_after(partial(_work, seed, number, until, began, folder))
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        if code > 0:
            return code
        reached = _reached()
        if code < 0:
            path = case(f"{seed}:{reached}").keep(folder, f"the process died: {signal.Signals(-code).name}")
            print(f"case {reached}: the process died; kept in {path}", flush=True)
        number = reached + 1
    wrong = _kill(seed, 60 * asked.minutes * KILLING)
    new = sorted(set(folder.glob("*.json")) - known)
    print(f"{number - asked.start:,} cases, {len(new)} kept", *(f"  {path}" for path in new), sep="\n", flush=True)
    return 1 if new or wrong else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, help="seed of the cases; different each time unless given")
    parser.add_argument("--start", type=int, default=0, help="number of the first case")
    parser.add_argument("--case", type=int, help="run this case alone, and show it")
    parser.add_argument("--keep", help="folder for what goes wrong (default: tests/fuzz/found)")
    return parser.parse_args()


def _one(seed: str) -> int:
    from tests.fuzz.commands import case
    from tests.fuzz.replay import judged

    made = case(seed)
    for name, data in made.files.items():
        print(f"{name}: {data[:2000]!r}")
    for command in made.commands:
        print(command)
    found = judged(made)
    print(*found, sep="\n")
    return 1 if found else 0


# ---------------------------------------------------------------------- the child
STATE = Path(os.environ.get("TMPDIR", "/tmp")) / f"assay-fuzz-{os.getpid()}"


def _reached() -> int:
    try:
        return int(STATE.read_text())
    finally:
        STATE.unlink(missing_ok=True)


def _leave_after(work: Callable[[], None]) -> NoReturn:
    """Do the work and end the process, whatever happens."""
    code = 9
    try:
        work()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)


def _work(seed: int, first: int, until: float, began: float, folder: Path) -> None:
    """Run some cases."""
    from tests.fuzz.commands import case
    from tests.fuzz.replay import judged

    said, known = time.monotonic(), {_sort(_why(path)) for path in folder.glob("*.json")}
    for number in _numbers(first, until):
        made = case(f"{seed}:{number}")
        for fault in judged(made):
            if (sort := _sort(fault)) not in known:
                known.add(sort)
                print(f"case {number}, kept in {made.keep(folder, fault)}:\n{fault}", flush=True)
        if time.monotonic() - said > EVERY:
            said = time.monotonic()
            print(f"{said - began:5.0f} s  case {number:,}", flush=True)


def _why(path: Path) -> str:
    from tests.fuzz.case import Case

    return Case.from_json(path.read_text(encoding="utf-8")).why


def _sort(fault: str) -> str:
    """What a fault has in common with others of its sort: the words, without names and numbers."""
    return re.sub(r"'[^']*'|\"[^\"]*\"|[\w*]*\.\w+|\d+", "", fault.rpartition("\n  ")[2])[:160]


def _numbers(first: int, until: float) -> Iterator[int]:
    for number in range(first, first + FEW):
        STATE.write_text(f"{number}")
        yield number
        if time.monotonic() > until:
            return


def _kill(seed: int, seconds: float) -> int:
    """Kill and interrupt commands at random times; return how often that went wrong."""
    from tests.fuzz.killing import killed

    with tempfile.TemporaryDirectory(prefix="assay-fuzz-") as folder:
        rounds = list(killed(Path(folder), f"{seed}", seconds))
    found = [fault for each in rounds for fault in each]
    print(f"{len(rounds):,} commands killed or interrupted, {len(found)} faults", *found, sep="\n", flush=True)
    return len(found)


if __name__ == "__main__":
    sys.exit(main())
