"""What comes through streams is kept within bounds and left nowhere, and what has no end is refused."""

from __future__ import annotations

import gc
import gzip
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.errors import DataError, OptionError
from assay.sources.read.files import read
from assay.sources.read.table import renamed
from tests.engines.reading import counted
from tests.engines.test_streams_and_patterns import CSV, JSON_LINES, ROWS, parquet_bytes, stdin_of, zipped

COUNTING = """
import os, pathlib, sys, time
import assay.sources.read.spool as spool
from assay.sources.read.files import read
from assay.sources.read.table import renamed
from assay.sources.frames import count_rows
if "named" in sys.argv:
    spool.HELD = pathlib.Path("/nowhere")
table = read("-")
print(count_rows(table, ["gold"])[1].sum(), len(os.listdir(sys.argv[1])), flush=True)
if "wait" in sys.argv:
    time.sleep(60)
if "fail" in sys.argv:
    raise SystemError
"""


def counting(folder: Path, *how: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "TMPDIR": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        [sys.executable, "-c", COUNTING, str(folder), *how],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )


@pytest.mark.parametrize("end", ["", "fail"])
@pytest.mark.parametrize(("name", "files"), [("", b"0"), ("named", b"1")])
def test_what_was_kept_of_standard_input_is_removed_at_the_end(
    tmp_path: Path, end: str, name: str, files: bytes
) -> None:
    # On Linux the file has no name from the start; elsewhere it has one, which is removed.
    with counting(tmp_path, end, name) as program:
        assert program.communicate(zipped(CSV))[0].split() == [b"3", files]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", "named"])
@pytest.mark.parametrize("sign", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_what_was_kept_of_standard_input_is_removed_when_a_signal_ends_the_program(
    tmp_path: Path, sign: str, name: str
) -> None:
    with counting(tmp_path, "wait", name) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write(CSV)
        program.stdin.close()
        assert program.stdout.readline().split()[0] == b"3"
        program.send_signal(getattr(signal, sign))
        assert program.wait() != 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="files without a name cannot be read here")
def test_what_is_being_kept_is_gone_even_when_the_program_is_killed(tmp_path: Path) -> None:
    with counting(tmp_path) as program:
        assert program.stdin is not None
        program.stdin.write(b"gold,pred\n" + b"a,b\n" * 2_000_000)
        program.stdin.flush()
        program.kill()
    assert list(tmp_path.iterdir()) == []


def write_slowly(path: Path) -> None:
    time.sleep(0.4)
    with path.open("wb", buffering=0) as pipe:
        for part in (JSON_LINES[:1], JSON_LINES[1:20], JSON_LINES[20:]):
            time.sleep(0.4)
            pipe.write(part)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_slow_writer_of_a_named_pipe_is_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=write_slowly, args=[tmp_path / "pipe"])
    writer.start()
    assert counted(tmp_path / "pipe", "gold", "pred") == ROWS
    writer.join()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_named_pipe_that_nothing_writes_to_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.sources.read.spool.PATIENCE", 0.3)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DataError, match=r"nothing writes to the pipe '.*pipe'; start the program that fills it first"):
        read(tmp_path / "pipe")


# Streams and files without end


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (
            CSV * 100,
            "standard input is longer than 200 bytes; save it in a file and name that file, or allow more with",
        ),
        (zipped(CSV * 100), "standard input is longer than 200 bytes; save it in a file"),
        (parquet_bytes(), "standard input is longer than 200 bytes; save it in a file"),
    ],
)
def test_a_stream_is_kept_up_to_a_limit_that_can_be_raised(
    monkeypatch: pytest.MonkeyPatch, data: bytes, words: str
) -> None:
    monkeypatch.setenv("ASSAY_SPOOL_LIMIT", "200")
    stdin_of(monkeypatch, data)
    with pytest.raises(DataError) as caught:
        read("-")
    assert words in str(caught.value)
    monkeypatch.setenv("ASSAY_SPOOL_LIMIT", "1m")
    stdin_of(monkeypatch, data)
    assert read("-").columns == ("gold", "pred")


def test_a_limit_that_is_no_number_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_SPOOL_LIMIT", "much")
    stdin_of(monkeypatch, CSV)
    with pytest.raises(OptionError, match="ASSAY_SPOOL_LIMIT is 'much'; expected a number of bytes, such as 100G"):
        read("-")


def test_streams_are_kept_in_the_folder_that_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("assay.sources.read.spool.HELD", Path("/nowhere"))
    monkeypatch.setenv("ASSAY_SPOOL_DIR", str(tmp_path))
    stdin_of(monkeypatch, CSV)
    assert counted("-", "gold", "pred") == ROWS
    assert len(list(tmp_path.iterdir())) == 1
    monkeypatch.setenv("ASSAY_SPOOL_DIR", str(tmp_path / "none"))
    stdin_of(monkeypatch, CSV)
    with pytest.raises(
        DataError, match=r"cannot be kept in '.*none': No such file .*; name another folder with ASSAY_S"
    ):
        read("-")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_disk_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: object) -> tuple[int, str]:
        return os.open("/dev/full", os.O_WRONLY), "/dev/full"

    monkeypatch.setattr("assay.sources.read.spool.HELD", Path("/nowhere"))
    monkeypatch.setattr("assay.sources.read.spool.tempfile.mkstemp", full)
    monkeypatch.setattr("assay.sources.read.spool._remove_at_exit", lambda _: None)
    monkeypatch.setattr(Path, "unlink", lambda *_, **__: None)
    stdin_of(monkeypatch, CSV * 100_000)
    with pytest.raises(DataError, match=r"standard input cannot be kept in .*: No space left on device; name another"):
        read("-")


ENDLESS = """
import resource, sys
from assay.errors import DataError
from assay.sources.read.files import read
from assay.sources.read.table import renamed
base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    read(sys.argv[1])
    print("read")
except DataError as error:
    print(error)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - base) // 1024)
"""


def zeros(path: Path) -> None:
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(300):
            file.write(bytes(1_000_000))


def many(before: bytes, part: bytes) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        with path.open("wb") as file:
            file.write(before)
            for _ in range(300):
                file.write(part * (1_000_000 // len(part)))

    return write


@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured otherwise here")
@pytest.mark.parametrize(
    ("name", "write", "words"),
    [
        ("zeros.csv.gz", zeros, "zeros.csv.gz, line 1 is longer than 32,000,000 bytes"),
        ("zeros.jsonl.gz", zeros, "zeros.jsonl.gz, line 1 is longer than 16,777,216 bytes"),
        ("line.csv", many(b"gold,pred", b"x;y,"), "line.csv, line 1 is longer than 32,000,000 bytes"),
        ("name.csv", many(b'"gold,pred\n', b"x,y\n"), "name.csv has a line break inside the name of a column"),
        ("later.csv", many(b"gold,pred\na,b\n", b"x y "), "later.csv, line 3 is longer than 32,000,000 bytes"),
        ("quote.csv", many(b'gold,pred\na,"b', b"x,y\n"), "quote.csv, line 2 has a quoted value that does not end"),
        ("later.jsonl", many(b'{"gold": "a"}\n{"gold": "', b"x y "), "later.jsonl, line 2 is longer than 16,777,216"),
        ("/dev/zero", None, "/dev/zero, line 1 is longer than 32,000,000 bytes"),
        ("/dev/urandom", None, "/dev/urandom, line 1 is not UTF-8 text"),
    ],
)
def test_what_has_no_end_is_refused_in_little_memory(
    tmp_path: Path, name: str, write: Callable[[Path], None] | None, words: str
) -> None:
    if write is not None:
        write(tmp_path / name)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", ENDLESS, str(tmp_path / name)]
    said = subprocess.run(command, capture_output=True, env=environment, timeout=100, text=True).stdout.splitlines()
    (tmp_path / name).unlink(missing_ok=True) if write else None
    assert said[0].startswith(words)
    assert int(said[1]) < 280  # MiB; each of them has 300 MB, and the rows of two threads take some


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files are not listed here")
@pytest.mark.parametrize("data", [CSV, b"\xef\xbb\xbf" + JSON_LINES, parquet_bytes(), zipped(CSV)])
def test_a_stream_is_kept_as_long_as_any_part_of_its_table_and_no_longer(
    monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    def opened() -> int:
        gc.collect()
        return sum(1 for _ in Path("/proc/self/fd").iterdir())

    stdin_of(monkeypatch, data)
    assert counted("-", "gold", "pred") == ROWS  # what is opened once, by libraries
    before = opened()
    parts: list[Any] = []
    for _ in range(5):
        stdin_of(monkeypatch, data)
        parts.append(renamed(read("-"), ["pred"]))
    assert opened() >= before + 5
    assert [part.frame.lazy().collect()["c0"].to_list() for part in parts] == [["b", None, "b"]] * 5
    del parts
    assert opened() == before
