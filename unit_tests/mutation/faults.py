"""Small faults as data, a copy of the tree into which they are put, and the verdicts of
the tests.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
ENGINE = "spatial_v2/engine/"
THRESHOLDS = "thresholds.toml"
"""Name of the file that lists numbers that decide, see `thresholds.py`."""
LIMIT = 600
"""Seconds that the tests of one fault may take."""
_NO_CODE = re.compile(
    r"\b(ImportError|ModuleNotFoundError|SyntaxError|IndentationError|NameError|"
    r"UnboundLocalError|TypingError|LoweringError|NumbaWarning)\b"
)


class Fault(NamedTuple):
    """A small fault.

    Attributes
    ----------
    file : str
        Path of the file to change, relative to the root of the tree.
    what : str
        Description of the fault.
    find, replace : str
        The text to replace, which occurs once in the file, and the faulty text.
    tests : tuple of str
        The tests that find the fault, relative to the folder of the tests.
    compiled : bool
        True if only compiled kernels are affected.
    """

    file: str
    what: str
    find: str
    replace: str
    tests: tuple[str, ...]
    compiled: bool = False

    def put_into(self, text: str) -> str:
        """Return the text of the file with the fault."""
        count = text.count(self.find)
        if count != 1:
            raise LookupError(f"{self.file}: {self.what}: found {count} times: {self.find!r}")
        return text.replace(self.find, self.replace)


def both_texts(pattern: str) -> tuple[str, str]:
    """Return the text to replace and the faulty text of a pattern.

    Examples
    --------
    >>> both_texts("KE[b] = «0.5»«1.0» *")
    ('KE[b] = 0.5 *', 'KE[b] = 1.0 *')
    """
    before, old, between, new, after = re.split("[«»]", pattern, maxsplit=4)
    if between:
        raise ValueError(f"want two texts side by side, «old»«new», got {pattern}")
    return before + old + after, before + new + after


def read_faults(path: Path) -> list[Fault]:
    """Read the faults in a TOML file, which has a table for each file with faults."""
    tables, compiled = tomllib.loads(path.read_text()), path.stem == "compiled"
    return [
        Fault(file, what, *both_texts(pattern), tuple(tests), compiled)
        for file, faults in tables.items()
        for what, (pattern, *tests) in faults.items()
    ]


def path_of(test: str) -> str:
    """Return the path of a test that is named by its file alone, such as ``test_x.py::test_y``.

    Paths that begin with ``../`` are those of doctests, relative to the folder of the tests.
    """
    file, mark, rest = test.partition("::")
    beside = (ROOT / "unit_tests").glob(f"*/{file}") if "/" not in file else ()
    path = next((x.relative_to(ROOT).as_posix() for x in beside), f"unit_tests/{file}")
    return os.path.normpath(path) + mark + rest


def all_faults() -> list[Fault]:
    """Read every fault in the lists beside this file."""
    lists = sorted(x for x in Path(__file__).parent.glob("*.toml") if x.name != THRESHOLDS)
    return [fault for path in lists for fault in read_faults(path)]


class Verdict(NamedTuple):
    """Outcome of a fault."""

    killed: bool
    why: str


def verdict(returncode: int, output: str) -> Verdict:
    """Return the verdict on a fault from the exit status and the output of pytest.

    A fault is killed if tests run and fail or crash, but not if the code cannot run.

    Examples
    --------
    >>> verdict(1, "test_x.py:3: AssertionError: 1 != 2").killed
    True
    >>> verdict(1, "test_x.py:3: NameError: name 'vv' is not defined")
    Verdict(killed=False, why='the code cannot run: NameError')
    >>> verdict(0, "1 passed")
    Verdict(killed=False, why='SURVIVED')
    >>> verdict(-11, "").why
    'killed'
    >>> verdict(4, "not found").why
    'the tests did not run (pytest ended with 4)'
    """
    if returncode == 0:
        return Verdict(False, "SURVIVED")
    if returncode < 0:
        return Verdict(True, "killed")
    if returncode != 1:
        return Verdict(False, f"the tests did not run (pytest ended with {returncode})")
    broken = _NO_CODE.search(output)
    return Verdict(not broken, f"the code cannot run: {broken[0]}" if broken else "killed")


class Copy:
    """A copy of the tree in a separate folder: all files that git does not ignore, and compiled
    kernels.
    """

    def __init__(self, folder: Path) -> None:
        self.root = folder / "tree"
        shutil.rmtree(self.root, ignore_errors=True)
        git = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(git, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        kernels = (ROOT / ENGINE).rglob("*.nb[ic]")
        names = [*listed.split("\0"), *(str(x.relative_to(ROOT)) for x in kernels)]
        for name in filter(None, names):
            if (ROOT / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, self.root / name)

    def write(self, file: str, text: str) -> None:
        """Replace the contents of a file, and remove its bytecode, which Python might consider
        current.
        """
        path = self.root / file
        path.write_text(text)
        Path(importlib.util.cache_from_source(os.fspath(path))).unlink(missing_ok=True)

    @contextmanager
    def having(self, fault: Fault) -> Iterator[None]:
        """Put a fault into the copy of the tree for the duration of a ``with`` block."""
        text = (self.root / fault.file).read_text()
        self.write(fault.file, fault.put_into(text))
        try:
            yield
        finally:
            self.write(fault.file, text)

    def run(
        self, tests: tuple[str, ...], kernels: Path | None = None, compiled: bool = False
    ) -> tuple[int, str]:
        """Run tests up to the first that fails; return exit status and output."""
        options = [
            "-xq",
            "--tb=line",
            "--color=no",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
        ]
        env = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
        env |= {"PYTHONPATH": str(self.root)}
        if kernels:
            env["NUMBA_CACHE_DIR"] = str(kernels)
        if compiled:
            env["NUMBA_DISABLE_JIT"] = "0"
        if any("::" in test for test in tests):
            options += ["-m", "slow or not slow"]  # tests that are named run with all parameters
        command = [sys.executable, "-m", "pytest", *options, *map(path_of, tests)]
        done = subprocess.run(
            command, cwd=self.root, env=env, timeout=LIMIT, capture_output=True, text=True
        )
        return done.returncode, done.stdout + done.stderr

    def judge(self, fault: Fault) -> tuple[Verdict, str]:
        """Run the tests of a fault; return verdict and output. Kernels with a fault have a separate
        cache.
        """
        with self.having(fault), tempfile.TemporaryDirectory(dir=self.root.parent) as folder:
            kernels = Path(folder) if fault.file.startswith(ENGINE) else None
            returncode, output = self.run(fault.tests, kernels, fault.compiled)
        return verdict(returncode, output), output
