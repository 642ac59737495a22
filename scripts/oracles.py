"""The figures of other libraries that tests compare with, computed anew: make oracles.

Runs in an environment of its own (requirements-oracles.lock), without assay. Writes
tests/oracles/figures/rankings.json: judgments and a run made from a seed, the values of each query by ir_measures,
which asks trec_eval, gdeval and cwl-eval, and by ranx, and the versions of all of them.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import ir_measures
from ranx import Qrels, Run, evaluate

FILE = Path(__file__).parents[1] / "tests" / "oracles" / "figures" / "rankings.json"
LIBRARIES = ("ir_measures", "ranx", "cwl-eval", "pytrec_eval-terrier")
QUERIES, DOCUMENTS, JUDGED = 12, 30, 18
GRADES = (0, 0, 0, 1, 1, 2, 3)
ROUNDED = {"gdeval": 5}  # decimals that a program writes; others give floats
EXACT = 12

# What assay calls a measure, and what ir_measures calls it.
BY_IR_MEASURES = {
    "p@5": "P@5",
    "r@5": "R@5",
    "success@5": "Success@5",
    "rr": "RR",
    "rr@3": "RR@3",
    "ap": "AP",
    "ap@5": "AP@5",
    "ndcg": "nDCG",
    "ndcg@5": "nDCG@5",
    "ndcg@5(gain=exponential)": "nDCG(dcg='exp-log2')@5",
    "ndcg@20(gain=exponential)": "nDCG(dcg='exp-log2')@20",
    "r_precision": "Rprec",
    "bpref": "Bpref",
    "inf_ap": "infAP",
    "judged@5": "Judged@5",
    "judged@20": "Judged@20",
    "set_p": "SetP",
    "set_r": "SetR",
    "set_f": "SetF",
    "rbp": "RBP(rel=1)",
    "rbp(p=0.5)": "RBP(rel=1,p=0.5)",
    "err@5(max_grade=4)": "ERR@5",
    "err@20(max_grade=4)": "ERR@20",
    "iprec(recall=0.1,rule=trec_eval)": "IPrec@0.1",
    "iprec(recall=0.5,rule=trec_eval)": "IPrec@0.5",
    "p@5(judged_only=True)": "P(judged_only=True)@5",
    "ndcg@5(judged_only=True)": "nDCG(judged_only=True)@5",
    "ap(judged_only=True)": "AP(judged_only=True)",
}
BY_RANX = {
    "ndcg@5(gain=exponential)": "ndcg_burges@5",
    "ndcg(gain=exponential)": "ndcg_burges",
    "dcg@5": "dcg@5",
    "dcg": "dcg",
    "dcg@5(gain=exponential)": "dcg_burges@5",
    "dcg(gain=exponential)": "dcg_burges",
    "bpref": "bpref",
    "success@5": "hit_rate@5",
    "ap@5": "map@5",
    "r_precision": "r-precision",
    "p@5": "precision@5",
    "r@5": "recall@5",
}

Grades = dict[str, dict[str, int]]
Scores = dict[str, dict[str, float]]


def data() -> tuple[Grades, Scores]:
    """Judgments of some of the documents, and a run of some of them, without ties."""
    rng = random.Random(1)
    qrels: Grades = {}
    run: Scores = {}
    documents = [f"d{i:02d}" for i in range(DOCUMENTS)]
    for query in map(str, range(1, QUERIES + 1)):
        qrels[query] = {document: rng.choice(GRADES) for document in rng.sample(documents, JUDGED)}
        returned = rng.sample(documents, rng.randint(3, 25))
        scores = rng.sample(range(1000), len(returned))
        run[query] = {document: float(score) for document, score in zip(returned, scores, strict=True)}
    return qrels, run


def figures(qrels: Grades, run: Scores) -> Iterator[dict[str, Any]]:
    """The values of each measure, by query."""
    for ours, theirs in BY_IR_MEASURES.items():
        measure = ir_measures.parse_measure(theirs)
        by = next(p.NAME for p in ir_measures.providers.registry.values() if p.is_available() and p.supports(measure))
        values = {found.query_id: found.value for found in ir_measures.iter_calc([measure], qrels, run)}
        yield figure(ours, "ir_measures", theirs, by, [values[query] for query in qrels])
    judgments, ranking = Qrels(qrels), Run(run)
    for ours, theirs in BY_RANX.items():
        found = evaluate(judgments, ranking, theirs, return_mean=False)
        by_query = dict(zip(ranking.keys(), found.tolist(), strict=True))
        yield figure(ours, "ranx", theirs, "ranx", [by_query[query] for query in qrels])


def figure(measure: str, library: str, called: str, by: str, values: list[float]) -> dict[str, Any]:
    """One measure of one library."""
    digits = ROUNDED.get(by, EXACT)
    return {"measure": measure, "library": library, "called": called, "by": by, "digits": digits, "values": values}


def by_line(table: Mapping[str, Any]) -> str:
    """A mapping with a line for each of its entries."""
    return ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in table.items())


def main() -> int:
    """Write the figures, and say whether they are the ones that are committed."""
    qrels, run = data()
    versions = json.dumps({name: version(name) for name in LIBRARIES})
    found = list(figures(qrels, run))
    each = ",\n".join(map(json.dumps, found))
    parts = {"qrels": f"{{\n{by_line(qrels)}\n}}", "run": f"{{\n{by_line(run)}\n}}", "figures": f"[\n{each}\n]"}
    text = f'{{\n"versions": {versions},\n' + ",\n".join(f'"{name}": {part}' for name, part in parts.items()) + "\n}\n"
    before = FILE.read_text(encoding="utf-8") if FILE.exists() else ""
    FILE.write_text(text, encoding="utf-8")
    state = "as before" if text == before else "changed: read the difference before you commit it"
    print(f"{FILE.name}: {len(found)} figures, {state}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
