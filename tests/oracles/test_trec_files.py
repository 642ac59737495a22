"""Files in trec_eval's format against pytrec-eval-terrier 0.5.11, and against reading one line at a time."""

from __future__ import annotations

import gzip
import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

from assay.sources.rankings import ids
from assay.sources.rankings.matched import Judgments, Matched
from assay.sources.rankings.read import judged

Grades = dict[str, dict[str, int]]
Scores = dict[str, dict[str, str]]
SEEDS = range(60)


@dataclass
class Files:
    """Random judgments and a random run: what is in them, and how it is written."""

    grades: Grades = field(default_factory=dict)
    scores: Scores = field(default_factory=dict)
    qrels: bytes = b""
    run: bytes = b""


SPELLINGS = (
    lambda rng: f"{rng.normal(10, 3):.4f}",
    lambda rng: f"{rng.integers(-3, 4)}",
    lambda rng: f"{rng.random() * 10 - 5:.1f}",
    lambda rng: repr(rng.random()),
    lambda rng: repr(float(1 + rng.integers(0, 9) * 2.0**-25)),  # the same in single precision, or not
    lambda rng: f"{rng.normal():.17g}",
    lambda rng: f"{rng.normal() * 1e9:e}",
    lambda rng: f"{rng.normal():.{rng.integers(0, 18)}e}".replace("e", "eE"[rng.integers(0, 2)]),
    lambda rng: f"{rng.integers(0, 10**16)}e{rng.integers(-25, 25):+03d}",
    lambda rng: f"-{rng.random() * 1e12:.3f}",
    lambda rng: str(rng.integers(10**14, 9 * 10**18)),
    lambda rng: f"{rng.integers(0, 10**15)}.{rng.integers(0, 10**9)}",
    lambda rng: str(rng.choice(["0", "-0", "0.0", "-0.000", ".5", "5.", "+2", "1E+2", "1e-46", "1e39", "-inf", "Inf"])),
    lambda rng: str(rng.choice(["infinity", "-INFINITY", "00012.50000000000000000000000001", "1e400"])),
)


def an_id(rng: np.random.Generator, style: int) -> str:
    n = int(rng.integers(0, 60))
    return [
        f"D{n}",
        f"#{n}#",
        f"doc-with-a-rather-long-prefix-{n:03d}-{'x' * (n % 9)}",
        "é" * (n % 7 + 1) + "文書" * (n // 7 % 5) + "\U0001f600" * (n // 30),
        ("ab" * (n % 20 + 1)) + "\x01" * (n % 2),
        "z" * (250 + n),
        f"{n:08d}",
    ][style]


def random_files(seed: int) -> Files:
    rng = np.random.default_rng(seed)
    styles = [int(each) for each in rng.integers(0, 7, rng.integers(1, 4))]
    spellings = [SPELLINGS[i] for i in rng.integers(0, len(SPELLINGS), rng.integers(1, 4))]
    queries = list(dict.fromkeys(an_id(rng, int(rng.choice(styles))) for _ in range(rng.integers(1, 20))))
    made = Files()
    for query in queries:
        part = rng.random()
        documents = list(dict.fromkeys(an_id(rng, int(rng.choice(styles))) for _ in range(rng.integers(1, 50))))
        if part < 0.85 or query == queries[0]:
            made.grades[query] = {each: int(rng.integers(-2, 4)) for each in documents if rng.random() < 0.6}
            made.grades[query] = made.grades[query] or {documents[0]: 1}
        if part > 0.15 or query == queries[0]:
            kept = [each for each in documents if rng.random() < 0.7] or documents[:1]
            made.scores[query] = {each: str(rng.choice(spellings)(rng)) for each in kept}  # type: ignore[arg-type]
    return written(made, rng)


def written(made: Files, rng: np.random.Generator) -> Files:
    blanks = [b" ", b"\t", b"   ", b" \t ", b" \x0b\x0c"]
    blanks = [blanks[i] for i in rng.integers(0, 5, rng.integers(1, 3))]
    end = [b"\n", b"\r\n", b" \n", b"\n\n", b"\n \t\n"][rng.integers(0, 5)]
    shuffled = rng.random() < 0.4
    made.qrels, made.run = b"", b""
    for is_run, data in ((False, made.grades), (True, made.scores)):
        lines = []
        for query, documents in data.items():
            for at, (document, number) in enumerate(documents.items()):
                texts = [query, "Q0", document, str(at), str(number), "a#tag"] if is_run else [query, "0", document]
                texts = texts if is_run else [*texts, str(number)]
                fields = [text.encode() for text in texts]
                between = [blanks[i] for i in rng.integers(0, len(blanks), len(fields))]
                start = between[-1] if rng.random() < 0.05 else b""
                lines.append(start + b"".join(a + b for a, b in zip(fields, [*between[:-1], b""], strict=True)))
        lines = [lines[i] for i in rng.permutation(len(lines))] if shuffled else lines
        text = end.join(lines) + (end if rng.random() < 0.7 else b"")
        made.run, made.qrels = (text, made.qrels) if is_run else (made.run, text)
    return made


# ---------------------------------------------------------------------- one line at a time
def single(score: str) -> float:
    """The score in single precision, as C converts it: infinite if it is too large."""
    try:
        return float(struct.unpack("f", struct.pack("f", float(score)))[0])
    except OverflowError:
        return math.copysign(math.inf, float(score))


def ranked(documents: Mapping[str, str], *, float32: bool = True) -> list[tuple[str, float]]:
    """Documents with their scores: highest score first, then highest id by its bytes."""
    scores = {name: single(score) if float32 else float(score) for name, score in documents.items()}
    by_id = sorted(scores.items(), key=lambda item: item[0].encode(), reverse=True)
    return sorted(by_id, key=lambda item: -item[1])


Expected = dict[str, tuple[int, list[tuple[int, int]], list[tuple[int, int]]]]


def expected(made: Files, *, float32: bool = True) -> Expected:
    """By query: how many documents were retrieved, ranks with grades, and where scores are tied and how many."""
    out: Expected = {}
    for query, grades in made.grades.items():
        order = ranked(made.scores.get(query, {}), float32=float32)
        found = [(at, grades[name]) for at, (name, _) in enumerate(order, start=1) if name in grades]
        scores = [score for _, score in order]
        ties = [(scores.index(score) + 1, scores.count(score)) for score in dict.fromkeys(scores)]
        out[query] = len(order), found, [(first, number) for first, number in ties if number > 1]
    return out


def observed(judgments: Judgments, matched: Matched) -> Expected:
    out: Expected = {}
    for number, query in enumerate(judgments.queries):
        found, tied = matched.found_query == number, matched.tied_query == number
        out[query] = (
            int(matched.retrieved[number]),
            list(zip(matched.found_rank[found].tolist(), matched.found_grade[found].tolist(), strict=True)),
            list(zip(matched.tied_first[tied].tolist(), matched.tied_number[tied].tolist(), strict=True)),
        )
    return out


@pytest.mark.parametrize("block", [64, 4096, 1 << 20])
@pytest.mark.parametrize("seed", SEEDS)
def test_every_line_is_read_as_one_reads_it_alone(seed: int, block: int, tmp_path: Path) -> None:
    made = random_files(seed)
    (tmp_path / "q").write_bytes(made.qrels)
    (tmp_path / "r").write_bytes(made.run)
    judgments = judged(tmp_path / "q")
    matched = judgments.match(tmp_path / "r", block=block)
    assert observed(judgments.judgments, matched) == expected(made)
    assert matched.strangers == len(set(made.scores) - set(made.grades))
    assert matched.tag == "a#tag"
    for first, other in ((matched.found_query, matched.found_rank), (matched.tied_query, matched.tied_first)):
        assert list(zip(first, other, strict=True)) == sorted(zip(first, other, strict=True))
    kept = sorted(zip(judgments.judgments.query.tolist(), judgments.judgments.grade.tolist(), strict=True))
    number = {query: at for at, query in enumerate(judgments.judgments.queries)}
    assert kept == sorted((number[q], grade) for q, each in made.grades.items() for grade in each.values())
    precisely = judgments.match(tmp_path / "r", block=block, float32=False)
    assert observed(judgments.judgments, precisely) == expected(made, float32=False)


# ---------------------------------------------------------------------- pytrec_eval
def measures(judgments: Judgments, matched: Matched, number: int) -> dict[str, float]:
    """Some measures of one query, from what is left of the run."""
    grades = judgments.grade[judgments.query == number]
    found = matched.found_query == number
    hits = [(rank, grade) for rank, grade in zip(matched.found_rank[found], matched.found_grade[found], strict=True)]
    relevant = [rank for rank, grade in hits if grade > 0]
    gains = sorted((grade for grade in grades if grade > 0), reverse=True)
    ideal = sum(gain / math.log2(at + 2) for at, gain in enumerate(gains))
    gained = sum(grade / math.log2(rank + 1) for rank, grade in hits if grade > 0)
    of = max(len(gains), 1)
    return {
        "P_5": sum(rank <= 5 for rank in relevant) / 5,
        "map": sum(at / rank for at, rank in enumerate(relevant, start=1)) / of,
        "recip_rank": 1 / relevant[0] if relevant else 0.0,
        "ndcg": gained / ideal if ideal else 0.0,
        "num_ret": float(matched.retrieved[number]),
        "num_rel_ret": float(len(relevant)),
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_measures_are_those_of_trec_eval(seed: int, tmp_path: Path) -> None:
    made = random_files(seed)
    (tmp_path / "q").write_bytes(made.qrels)
    (tmp_path / "r").write_bytes(made.run)
    judgments = judged(tmp_path / "q")
    matched = judgments.match(tmp_path / "r")
    scores = {query: {name: float(text) for name, text in each.items()} for query, each in made.scores.items()}
    # It reads outside its arrays if all grades of a query are negative.
    grades = {query: each for query, each in made.grades.items() if max(each.values()) >= 0}
    theirs = pytrec_eval.RelevanceEvaluator(grades, {"P", "map", "recip_rank", "ndcg", "num_ret", "num_rel_ret"})
    for query, their in theirs.evaluate(scores).items():
        ours = measures(judgments.judgments, matched, judgments.judgments.queries.index(query))
        assert ours == pytest.approx({name: their[name] for name in ours}, abs=1e-12), query


def test_it_compares_scores_in_single_precision() -> None:
    theirs = pytrec_eval.RelevanceEvaluator({"1": {"a": 1, "b": 0}}, {"recip_rank"})
    run = {"1": {"a": 1.0 + 1e-12, "b": 1.0}}
    assert theirs.evaluate(run)["1"]["recip_rank"] == 0.5
    ours = judged({"1": {"a": 1, "b": 0}})
    assert ours.match(run).found_rank.tolist() == [1, 2]
    assert ours.match(run, float32=True).found_grade.tolist() == [0, 1]


# ---------------------------------------------------------------------- what is rare
def matched_text(tmp_path: Path, qrels: bytes, run: bytes, **options: int) -> Matched:
    (tmp_path / "q").write_bytes(qrels)
    (tmp_path / "r").write_bytes(run)
    return judged(tmp_path / "q").match(tmp_path / "r", **options)  # type: ignore[arg-type]


def test_the_tag_is_that_of_the_last_line(tmp_path: Path) -> None:
    matched = matched_text(tmp_path, b"1 0 a 1\n", b"1 Q0 a 1 2 first\n2 Q0 a 1 2 last\n \n\n")
    assert matched.tag == "last"
    assert matched_text(tmp_path, b"1 0 a 1\n", b"1 Q0 a 1 2 " + b"x" * 5000).tag == "x" * 5000


def test_ids_that_are_not_utf8_differ_where_their_bytes_do(tmp_path: Path) -> None:
    qrels, run = b"1 0 \xff 1\n1 0 \xfe 2\n", b"1 Q0 \xfe 1 2 t\xff\n1 Q0 \xfd 1 3 t\xff\n"
    matched = matched_text(tmp_path, qrels, run)
    assert (matched.found_rank.tolist(), matched.found_grade.tolist(), matched.tag) == ([2], [2.0], "t\\xff")


def test_a_byte_order_mark_is_no_part_of_an_id(tmp_path: Path) -> None:
    mark = b"\xef\xbb\xbf"
    assert matched_text(tmp_path, mark + b"1 0 a 1\n", mark + b"1 Q0 a 1 2 t\n").found_rank.tolist() == [1]


def test_ids_that_differ_only_in_a_nul_are_different(tmp_path: Path) -> None:
    qrels, run = b"1 0 a\0 1\n1 0 a 2\n", b"1 Q0 a\0 1 2 t\n1 Q0 a 1 2 t\n"
    matched = matched_text(tmp_path, qrels, run)
    assert matched.found_grade.tolist() == [1, 2]


@pytest.mark.parametrize("kept", [0, 0xFF, 1 << 40])
def test_ids_whose_hashes_are_the_same_are_told_apart(
    kept: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = ids.hashes
    for module in ("ids", "read", "ranked"):
        monkeypatch.setattr(f"assay.sources.rankings.{module}.hashes", lambda *each: original(*each) & np.uint64(kept))
    for seed in range(8):
        test_every_line_is_read_as_one_reads_it_alone(seed, 4096, tmp_path)


def test_a_query_larger_than_a_block_is_read_in_one_piece(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    scores = [f"{each:.2f}" for each in rng.normal(size=5000)]
    made = Files({"1": {f"d{i}": 1 for i in range(0, 5000, 7)}, "2": {"d1": 1}})
    made.scores = {"1": {f"d{i}": score for i, score in enumerate(scores)}, "2": {"d1": "1"}}
    lines = [f"{q} Q0 {d} 1 {s} t\n" for q, each in made.scores.items() for d, s in each.items()]
    qrels = [f"{q} 0 {d} {g}\n" for q, each in made.grades.items() for d, g in each.items()]
    for name, text in (("q", qrels), ("r", lines)):
        (tmp_path / name).write_bytes(gzip.compress("".join(text).encode(), mtime=0))
    judgments = judged(tmp_path / "q")
    for block in (1, 1000, 1 << 20):
        assert observed(judgments.judgments, judgments.match(tmp_path / "r", block=block)) == expected(made)


def test_a_run_grouped_by_query_is_never_held_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    queries = [f"q{i}" for i in (5, 3, 11, 1, 7, 9)]
    made = Files({query: {f"d{i}": i % 3 for i in range(20)} for query in queries})
    made.scores = {query: {f"d{i}": str(i * 7 % 13) for i in range(9 + at)} for at, query in enumerate(queries)}
    (tmp_path / "q").write_text("".join(f"{q} 0 {d} {g}\n" for q, each in made.grades.items() for d, g in each.items()))
    (tmp_path / "r").write_text(
        "".join(f"{q} Q0 {d} 1 {s} t\n" for q, each in made.scores.items() for d, s in each.items())
    )
    judgments = judged(tmp_path / "q")
    monkeypatch.delattr("assay.sources.rankings.trec.TrecFile.whole")
    for block in range(1, 400, 7):
        assert observed(judgments.judgments, judgments.match(tmp_path / "r", block=block)) == expected(made)


def numbers() -> Sequence[str]:
    rng = np.random.default_rng(11)
    texts = [str(rng.choice(list(SPELLINGS))(rng)) for _ in range(20_000)]  # type: ignore[arg-type]
    for places in range(1, 26):
        texts += [f"{value:.{places}f}" for value in rng.normal(size=200) * 10.0 ** rng.integers(-9, 9, 200)]
    middle = [(np.float32(value), np.nextafter(np.float32(value), np.float32(9e9))) for value in rng.random(500)]
    return [*texts, *(repr((float(low) + float(high)) / 2) for low, high in middle), "9" * 16, "9007199254740993"]


@pytest.mark.parametrize("float32", [True, False])
def test_every_number_is_rounded_as_c_rounds_it(float32: bool) -> None:
    from assay.sources.rankings.numerals import floats

    texts = numbers()
    ours = floats(ids.ids_of([*texts, "x"]).only(slice(None, -1)), single=float32)
    theirs = [single(text) if float32 else float(text) for text in texts]
    assert ours.tolist() == theirs


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "+",
        ".",
        "-.",
        "1e",
        "1e+",
        "e5",
        "1.2.3",
        "1_0",
        "0x1p3",
        "nan",
        "-nan",
        "1,5",
        "\u0661",
        "--1",
        "1/2",
        "1e-1x",
        "1f-10",
        "1.2345678.9",
        "0.12345678901234567890123456x",
        "0.1234567890123456x",
        "1e 10",
        "e+10",
    ],
)
def test_what_is_no_number_is_not_read_as_one(text: str) -> None:
    from assay.sources.rankings.numerals import floats, whole_numbers

    for wrong in (text, f"{text}{'0' * 20}e" if text else "-"):
        tokens = ids.ids_of([wrong, "x"]).only(slice(None, 1))
        assert np.isnan(floats(tokens, single=True)).all()
        assert np.isnan(floats(tokens, single=False)).all()
        assert np.isnan(whole_numbers(tokens)).all()


def test_grades_are_whole_numbers_of_any_length() -> None:
    from assay.sources.rankings.numerals import whole_numbers

    texts = ["0", "-1", "+3", "12345678", "-12345678", "1234567890123", "007", "1.0", "1e3", "inf", "2.", "-"]
    found = whole_numbers(ids.ids_of([*texts, "x"]).only(slice(None, -1)))
    assert found[:7].tolist() == [0, -1, 3, 12345678, -12345678, 1234567890123, 7]
    assert np.isnan(found[7:]).all()
