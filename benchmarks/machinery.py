"""Size of the code from a call to its kernel, and times of calls, before its redesign and now.

Run by ``python -m benchmarks machinery``, in a clone with the history of git. The code of both
revisions runs in processes of its own, one after the other, with a chain of six hinges; the first
calls compile kernels. Times are microseconds of a call.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import study
from benchmarks.results_file import Row

BEFORE = "793821be6b46"
"""The last revision before the redesign."""
FOLDERS = ("engine", "calls", "packed")
PROGRAM = """
import json, time
import numpy as np
from derivatives import ID_SO_derivatives
from spatial_v2 import ID
from spatial_v2.models import autoTree
try:
    from spatial_v2.engine import objects
except ImportError:
    objects = None
plain = {plain}
if plain and objects:
    objects.LAID_OUT = False
model, rng = autoTree(6), np.random.default_rng(0)
one, many = list(rng.normal(size=(3, 6))), list(rng.normal(size=(3, 32, 6)))
terms, bound, tau = model.replace(armature=0.1), ID.bind(model), np.empty(6)
calls = dict([
    ("contiguous arrays", lambda: ID(model, *one)),
    ("lists", lambda: ID(model, *lists)),
    ("strided arrays", lambda: ID(model, *strided)),
    ("bound", lambda: bound(*one)),
    ("given results", lambda: ID(model, *one, out=tau)),
    ("forces by body", lambda: ID(model, *one, dict([(0, np.zeros(6))]))),
    ("armature", lambda: ID(terms, *one)),
    ("batch of 32", lambda: ID(model, *many)),
    ("batch of 4 x 8", lambda: ID(model, *cubes)),
    ("batch, one q", lambda: ID(model, one[0], *many[1:])),
    ("second derivatives", lambda: ID_SO_derivatives(model, *one)),
    ("second derivatives, packed", lambda: ID_SO_derivatives(model, *one, packed=True)),
])
lists = [x.tolist() for x in one]
strided = [np.repeat(x, 2)[::2] for x in one]
cubes = [x.reshape(4, 8, 6) for x in many]
if plain:
    calls = dict([("unknown layout of objects", calls["contiguous arrays"])])
us = dict()
for name, call in calls.items():
    for _ in range(3):
        call()
    best = 1e9
    for _ in range({rounds}):
        start = time.perf_counter()
        for _ in range(100):
            call()
        best = min(best, time.perf_counter() - start)
    us[name] = best * 1e4
print(json.dumps(us))
"""


def sources(root: Path) -> list[Path]:
    """Return the files between public functions and kernels, and those of kernels."""
    package = root / "spatial_v2"
    found = [path for folder in FOLDERS for path in (package / folder).rglob("*.py")]
    return [*found, package / "accelerated.py"]


def parameters(path: Path) -> list[int]:
    """Return the number of parameters of each function in a file."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    functions = (x.args for x in nodes if isinstance(x, ast.FunctionDef))
    return [len(x.args) + len(x.kwonlyargs) for x in functions]


def sizes(root: Path) -> dict[str, float]:
    """Count lines, files and parameters in the sources of a tree."""
    files = sources(root)
    texts = [path.read_text("utf-8") for path in files]
    lines = [text.count("\n") for text in texts]
    counts = [n for path in files for n in parameters(path)]
    return {
        "lines": sum(lines),
        "files": len(files),
        "lines of the longest file": max(lines),
        "most parameters of a function": max(counts),
        "functions of more than ten parameters": sum(n > 10 for n in counts),
    }


def times(root: Path, rounds: int) -> dict[str, float]:
    """Time the calls with the code of a tree."""
    found: dict[str, float] = {}
    for plain in (False, True):
        direct = "0" if plain else "1"
        environment = {**os.environ, "PYTHONPATH": str(root), "SPATIAL_V2_DIRECT": direct}
        code = PROGRAM.format(plain=plain, rounds=rounds)
        command = [sys.executable, "-c", code]
        made = subprocess.run(
            command, cwd=root, env=environment, check=True, capture_output=True, text=True
        )
        found |= json.loads(made.stdout.splitlines()[-1])
    return found


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each quantity: before the redesign, and now."""
    here, rounds = Path(__file__).parents[1], 300 if args.fast else 3000
    with tempfile.TemporaryDirectory() as folder:
        git = ["git", "-C", str(here), "archive", BEFORE]
        packed = subprocess.run(git, check=True, capture_output=True).stdout
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")
        trees = Path(folder), here
        for kind, read in (("size", sizes), ("us", lambda root: times(root, rounds))):
            before, now = map(read, trees)
            for name, value in before.items():
                yield {"kind": kind, "of": name, "before": value, "now": now[name]}


def main() -> None:
    study.table("machinery", study.options(__doc__), measure)


if __name__ == "__main__":
    main()
