"""The `assay` command: its subcommands are loaded only when they are called."""

from __future__ import annotations

import os
import sys

from cyclopts import App, CycloptsError

from assay.cli import interruption, streams
from assay.cli.files import own_claims
from assay.cli.other_words import meant
from assay.cli.streams import typed
from assay.errors import AssayError, DataError, at_a_shell

COMMANDS = (
    "evaluate",
    "compare",
    "prefer",
    "rank",
    "curve",
    "tune",
    "plan",
    "check",
    "advise",
    "tally",
    "merge",
    "verify",
    "measures",
    "demo",
)
USAGE, BAD_DATA, BUG, NO_OUTPUT = 2, 3, 70, 74


def _version() -> str:
    from assay.uncertainty.results import version

    return version()


app = App(
    name="assay",
    help="How good is this system, how sure are we, and is it really better than that one?",
    help_epilogue="Start with: assay demo",
    version=_version,
    help_format="plaintext",
    suppress_keyboard_interrupt=False,  # handled here, with a message
)
app.command(
    "assay.cli.commands.evaluate:evaluate",
    name="evaluate",
    help="Evaluate the predictions in a file, or four counts, with an interval for every number.",
    help_epilogue="""Examples:
  assay evaluate preds.csv --gold label --pred model --positive spam
  assay evaluate preds.csv --gold label --pred old=v1 --pred new=v2 --measure 'f1(average=macro)'
  assay evaluate gold.csv --system old=v1.csv --system new=v2.csv --id id
  assay evaluate preds.csv --positive spam --slice country --cost-fp 1 --cost-fn 20
  assay evaluate --tp 80 --fp 30 --fn 20 --tn 70""",
)
app.command(
    "assay.cli.commands.compare:compare",
    name="compare",
    help="Compare systems: the difference with its interval, the test, and a verdict in words.",
    help_epilogue="""Examples:
  assay compare preds.csv --gold label --pred old=v1 --pred new=v2 --positive spam
  assay compare preds.csv --gold label --pred a --pred b --pred c --baseline a --primary mcc
  assay compare --system old=v1.csv --system new=v2.csv --gold label --pred label_pred --id id
  assay compare preds.csv --pred old=v1 --pred new=v2 --no-worse-than old:0.01 --junit gate.xml
  assay compare folds.csv --value old=f1_old --value new=f1_new --folds fold""",
)
app.command(
    "assay.cli.commands.prefer:prefer",
    name="prefer",
    help="Estimate which systems are preferred, from judgments of two answers at a time.",
    help_epilogue="""Examples:
  assay prefer arena.csv --item prompt --a model_a --b model_b --winner winner
  assay prefer arena.csv --judge annotator --cluster judge
  assay prefer arena.csv --first shown_first --html page.html""",
)
app.command(
    "assay.cli.commands.rank:rank",
    name="rank",
    help="Evaluate rankings by relevance judgments, and compare several runs query by query.",
    help_epilogue="""Examples:
  assay rank qrels.txt bm25.run
  assay rank qrels.txt old=v1.run new=v2.run --primary ndcg@10 --per-query values.csv
  assay rank qrels.txt bm25.run dense.run hybrid.run --baseline bm25 --html page.html
  assay rank qrels.csv run.csv --query-attributes topics.csv --slice kind --cluster user
  assay rank qrels.txt bm25.run --format trec -q""",
)
app.command(
    "assay.cli.commands.curve:curve",
    name="curve",
    help="Draw how systems perform at every threshold: ROC, precision–recall, calibration, cost.",
    help_epilogue="""Examples:
  assay curve preds.csv --gold label --score model=p_spam --positive spam
  assay curve preds.csv --gold label --score old=p1 --score new=p2 --positive spam --out roc.svg
  assay curve preds.csv --gold label --score p_spam --positive spam --kind pr --out pr.png
  assay curve preds.csv --gold label --score p_spam --positive spam --kind cost --cost-fp 1 --cost-fn 20""",
)
app.command(
    "assay.cli.commands.tune:tune",
    name="tune",
    help="Choose a score threshold on one file, evaluate it on another, and state how certain the choice is.",
    help_epilogue="""Examples:
  assay tune dev.csv --score p --positive spam --maximize f1 --check test.csv
  assay tune dev.csv --score p --positive spam --cost-fp 1 --cost-fn 20 --check test.csv
  assay tune dev.csv --score p --positive spam --target recall=0.9 --check test.csv --sweep all.csv
  assay tune dev.csv --score p --positive spam --youden""",
)
app.command(
    "assay.cli.commands.plan:plan",
    name="plan",
    help="Plan how many items to label: for an interval, or to find a difference that would matter.",
    help_epilogue="""Examples:
  assay plan --half-width 0.05
  assay plan --difference 0.02 --disagreement 0.1
  assay plan --difference 0.02 --disagreement 0.1 --items 1000
  assay plan --difference 0.05 --pilot preds.csv --gold label --pred A=new --pred B=old --measure f1""",
)
app.command(
    "assay.cli.commands.check:check",
    name="check",
    help="Show what is in a file before evaluating it.",
    help_epilogue="""Examples:
  assay check preds.csv
  assay check preds.csv --gold label --pred model
  gzip -dc preds.csv.gz | assay check - --format json""",
)
app.command(
    "assay.cli.commands.advise:advise",
    name="advise",
    help="Advise which measures to report for a file, why, and what each of them hides.",
    help_epilogue="""Examples:
  assay advise preds.csv
  assay advise preds.csv --gold label --pred model --positive spam --cost-fp 1 --cost-fn 20
  assay advise clusters.csv --format json""",
)
app.command(
    "assay.cli.commands.tally:tally",
    name="tally",
    help="Count a file once; the stored counts are small, can be merged, and can be evaluated later.",
    help_epilogue="""Example:
  assay tally monday.csv --gold label --pred model --out monday.json""",
)
app.command(
    "assay.cli.commands.tally:merge",
    name="merge",
    help="Merge the stored counts of several shards.",
    help_epilogue="""Example:
  assay merge monday.json tuesday.json --out both.json
  assay evaluate both.json""",
)
app.command(
    "assay.cli.commands.verify:verify",
    name="verify",
    help="Recompute the numbers of a report from its file, and report whether they match (exit code 0) or not (1).",
    help_epilogue="""Example:
  assay evaluate preds.csv --gold label --pred model --format json --out result.json
  assay verify result.json preds.csv""",
)
app.command("assay.cli.commands.measures:measures", name="measures", help="List the measures, or explain one.")
app.command(
    "assay.cli.commands.demo:demo",
    name="demo",
    help="Evaluate real models on an included file; given a folder, write all example files and a page there first.",
)


def run(arguments: list[str] | None = None) -> None:
    """Run the command line; bad input ends in one plain message, never a traceback."""
    streams.prepare()
    try:
        interruption.answer_interruptions()
        code = exit_code(sys.argv[1:] if arguments is None else arguments)
        interruption.ignore_interruptions()
    except KeyboardInterrupt:
        code = _say(interruption.words(), interruption.code())
    sys.exit(code)


def exit_code(arguments: list[str]) -> int:
    """Run the command that the arguments name and return its exit code.

    0 is success; 1 a failed gate, a target that no threshold meets, or a report that does not match; 2 wrong usage,
    3 bad data, 70 a bug in assay, 74 an output that cannot be written, 130 an interruption, 143 termination by another
    program.
    """
    try:
        with typed(arguments), at_a_shell(), own_claims():
            code = app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
        streams.finish()
    except KeyboardInterrupt:
        return _say(interruption.words(), interruption.code())
    except Exception as error:  # the last line of defense: users never see a traceback
        return _answered(error, arguments)
    return code if isinstance(code, int) else 0


def _answered(error: Exception, arguments: list[str]) -> int:
    """Report what went wrong, and return the exit code for it."""
    if interruption.interrupted() or _is_interruption(error):
        return _say(interruption.words(), interruption.code())
    if isinstance(error, CycloptsError):
        return _say(f"{meant(error)}\nFor help, run 'assay {_command(arguments)}--help'.", USAGE)
    if isinstance(error, AssayError):
        return _say(str(error), BAD_DATA if isinstance(error, DataError) else USAGE)
    if isinstance(error, streams.OutputLost):
        return _say(str(error), NO_OUTPUT)
    if isinstance(error, MemoryError):
        return _say(
            f"this needs more memory than is available ({error}); ask for less, such as fewer resamples.", BAD_DATA
        )
    if os.environ.get("ASSAY_TRACEBACK"):
        raise error
    what = f"{type(error).__name__}: {error}"
    return _say(f"this is a bug in assay, not a problem with your data: {what} (ASSAY_TRACEBACK=1 shows where)", BUG)


def _is_interruption(error: Exception) -> bool:
    """Whether this is DuckDB's own error for an interruption."""
    return not isinstance(error, AssayError | CycloptsError) and "interrupted" in str(error).lower()


def _command(arguments: list[str]) -> str:
    return f"{arguments[0]} " if arguments and arguments[0] in COMMANDS else ""


def _say(message: str, code: int) -> int:
    streams.say(f"assay: {message}")
    return code
