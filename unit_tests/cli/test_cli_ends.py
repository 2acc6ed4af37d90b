"""End of a command that gets a signal, or whose output is closed or cannot be written."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

WORDS = [sys.executable, "-m", "spatial_v2"]
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and devices of POSIX systems")


def command(*words, **options):
    """Start the command with the given words."""
    words = [*WORDS, *map(str, words)]
    return subprocess.Popen(words, stderr=subprocess.PIPE, text=True, **options)


def started(folder, ignored=()):
    """Start a command that runs for a long time, and wait until its output file exists."""

    def handlers():
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            handler = signal.SIG_IGN if name in ignored else signal.SIG_DFL
            signal.signal(getattr(signal, name), handler)

    words = ("derivatives", "autoTree:30,2", "--samples", 3000, "--out", folder / "a.npz")
    process = command(*words, stdout=subprocess.DEVNULL, preexec_fn=handlers)
    while process.poll() is None and not list(folder.iterdir()):
        time.sleep(0.01)
    return process


@POSIX
@pytest.mark.parametrize(
    ("name", "word", "wait"),
    [("SIGINT", "interrupted", 0.0), ("SIGINT", "interrupted", 2.0),
     ("SIGTERM", "terminated", 0.0), ("SIGTERM", "terminated", 2.0), ("SIGHUP", "hung up", 0.0)],
)  # fmt: skip
@pytest.mark.slow
def test_a_signal_leaves_no_file(tmp_path, name, word, wait):
    """A signal gives one line and exit code 128 plus its number, at the start and during the work;
    no file is left.
    """
    process = started(tmp_path)
    time.sleep(wait)
    process.send_signal(getattr(signal, name))
    assert process.communicate(timeout=120)[1] == f"error: {word}\n"
    assert process.returncode == 128 + getattr(signal, name)
    assert list(tmp_path.iterdir()) == []


@POSIX
def test_an_ignored_signal_stays_ignored(tmp_path):
    """An ignored signal stays ignored, as under nohup."""
    process = started(tmp_path, ignored=("SIGHUP",))
    process.send_signal(signal.SIGHUP)
    time.sleep(0.5)
    assert process.poll() is None
    process.terminate()
    assert process.communicate(timeout=120)[1] == "error: terminated\n"


CALLED_BACK = """
import ctypes, signal, time
from spatial_v2.cli import errors

@ctypes.CFUNCTYPE(None)
def called_by_a_library():
    signal.raise_signal(signal.SIGTERM)

def work(*args, **kw):
    called_by_a_library()
    for _ in range(1000):
        time.sleep(0.01)

errors.TyperGroup.main = work
errors.OneLineErrors().main()
"""


@POSIX
def test_a_signal_in_a_callback_that_drops_exceptions_is_not_lost():
    """A signal during a callback that drops exceptions ends the command, and nothing else is
    printed.

    A compiler calls such callbacks while it loads a kernel.
    """
    words = [sys.executable, "-c", CALLED_BACK]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (128 + signal.SIGTERM, "error: terminated\n")


DERIVATIVES = ("derivatives", "autoTree:2", "--order", "1", "--samples", "1", "--no-check")


@pytest.mark.parametrize(
    ("words", "encoding"),
    [(DERIVATIVES, "ascii"), (DERIVATIVES, "latin-1"), (("info", "autoTree:3,2"), "ascii"),
     (("derivatives", "--help"), "ascii")],
)  # fmt: skip
@pytest.mark.slow
def test_tables_use_characters_that_the_terminal_has(words, encoding):
    """Tables and trees use only characters of the terminal's encoding, and no character is lost."""
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    process = command(*words, stdout=subprocess.PIPE, env=environment, encoding=encoding)
    out, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (0, "")
    assert "?" not in out
    if words == DERIVATIVES:
        assert "\u00b5s" in out if encoding == "latin-1" else " us " in out


def test_names_beyond_the_terminal_encoding_are_printed(tmp_path):
    path = tmp_path / "\N{GREEK SMALL LETTER ALPHA}.urdf"
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    process = command("info", path, stdout=subprocess.PIPE, env=environment)
    line = process.communicate(timeout=120)[1]
    assert line.endswith("?.urdf: cannot be read: No such file or directory\n")
    assert process.returncode == 2


PRINTING = [("info", "planar:2"), DERIVATIVES, ("--help",)]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device of a full disk")
@pytest.mark.parametrize("words", PRINTING, ids=" ".join)
@pytest.mark.slow
def test_a_full_disk_is_told_in_one_line(words):
    with open("/dev/full", "w") as full:
        process = command(*words, stdout=full)
        line = process.communicate(timeout=120)[1]
    assert line == "error: cannot write to standard output: No space left on device\n"
    assert process.returncode == 2


@POSIX
@pytest.mark.parametrize("words", PRINTING, ids=" ".join)
@pytest.mark.slow
def test_a_closed_pipe_ends_silently_with_the_code_of_sigpipe(words, tmp_path):
    """The command ends silently with the exit code of SIGPIPE, as other programs do if `head` ends;
    files are complete.
    """
    read, write = os.pipe()
    os.close(read)
    file = tmp_path / "a.npz"
    out = ("--out", file) if words[0] == "derivatives" else ()
    process = command(*words, *out, stdout=write)
    os.close(write)
    assert process.communicate(timeout=120)[1] == ""
    assert process.returncode == 128 + signal.SIGPIPE
    assert list(tmp_path.iterdir()) == ([file] if out else [])


@POSIX
def test_closed_standard_output_is_no_error():
    process = command("info", "planar:2", preexec_fn=lambda: os.close(1))
    assert process.communicate(timeout=120)[1] == ""
    assert process.returncode == 0
