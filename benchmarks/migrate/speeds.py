"""Time of translated scripts to that of GNU Octave, for scripts that take Octave at least a second.

``python -m benchmarks.migrate.speeds FOLDER ... [--users REPOSITORIES]``, or with the folders in
SPATIAL_V2_MATLAB and SPATIAL_V2_USERS. Times are the processor's, the least of interleaved runs,
without the start of Octave and Python. A row has the counts and the median; names of files are not
kept.
"""

from __future__ import annotations

import argparse
import os
import resource
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from benchmarks import results_file
from benchmarks.migrate.corpus import Case, cases
from benchmarks.migrate.users import users
from spatial_v2.exceptions import SpatialError
from spatial_v2.migrate import translate
from spatial_v2.migrate.check import python
from spatial_v2.migrate.octave import octave
from spatial_v2.migrate.parse import read

__all__ = ["main", "ratio"]

LEAST = 1.0
"""Octave's seconds from which a script counts."""
RUNS = 2
LONGEST = 240


def _octave(script: Path, folders: list[Path], draws: list[tuple[str, Any]]) -> tuple[float, str]:
    """Run a script in Octave; return its seconds and its error."""
    before = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    _, error = octave(script, folders, LONGEST, draws)
    return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - before, error


def ratio(case: Case, start: float) -> tuple[float, float] | None:
    """Return the seconds of Octave, without the time `start` in which it starts, and of Python;
    None for a file that is no script, or that either does not run for long enough or stops.
    """
    folders = [*case.library, case.root]
    if all(n.type == "comment" for n in read(case.path).body):
        return None
    seconds, error = _octave(case.path, folders, [])
    if error or seconds - start < LEAST:
        return None
    with TemporaryDirectory() as folder:
        for each in translate(case.path, folders):
            (Path(folder) / f"{each.path.stem}.py").write_text(each.python)
        theirs, ours = [], []
        for _ in range(RUNS):
            draws: list[tuple[str, Any]] = []
            begin = process_time()
            _, error = python(Path(folder) / f"{case.path.stem}.py", draws, case.path.parent)
            ours.append(process_time() - begin)
            if error:
                return None
            theirs.append(_octave(case.path, folders, draws)[0])
    return min(theirs) - start, min(ours)


def _found(chosen: list[Case]) -> Iterator[tuple[float, float]]:
    with TemporaryDirectory() as folder:
        empty = Path(folder) / "empty_script.m"
        empty.write_text("x = 1;\n")
        start = min(_octave(empty, [], [])[0] for _ in range(RUNS))
    for case in chosen:
        try:
            found = ratio(case, start)
        except (SpatialError, OSError, TimeoutError) as error:
            print(f"{case.path}: {error}")
            continue
        if found is not None:
            print(f"{case.path}: Octave {found[0]:.2f} s, Python {found[1]:.3f} s")
            yield found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path, help="by default in SPATIAL_V2_MATLAB")
    there = os.environ.get("SPATIAL_V2_USERS", "")
    parser.add_argument("--users", type=Path, default=there or None, help="of repositories")
    parser.add_argument("--only", default="", help="files whose path has one of these parts, by |")
    for ignored in ("--fast", "--redraw", "--dry"):
        parser.add_argument(ignored, action="store_true")
    args = parser.parse_args()
    if args.redraw:
        return
    named = os.environ.get("SPATIAL_V2_MATLAB", "").split(os.pathsep)
    args.folders = args.folders or [Path(x) for x in named if x]
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sources = {"library": list(cases(args.folders))}
    if args.users:
        sources["users"] = users(args.users, tuple(args.folders))
    rows: list[results_file.Row] = []
    every: list[tuple[float, float]] = []
    for source, chosen in sources.items():
        parts = args.only.split("|")
        found = list(_found([c for c in chosen if any(x in str(c.path) for x in parts)]))
        every += found
        rows += [_row(source, found)] if found else []
    rows.append(_row("all", every))
    for line in rows:
        print(line)
    if not args.dry:
        results_file.write("migrate_speeds", rows, {"fast": False}, results_file.FOLDER)


def _row(source: str, found: list[tuple[float, float]]) -> results_file.Row:
    ratios = [ours / theirs for theirs, ours in found]
    return {"source": source, "scripts": len(found), "median": median(ratios), "most": max(ratios)}


if __name__ == "__main__":
    main()
