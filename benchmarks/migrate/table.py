"""Counts of the MATLAB files that `spatial-v2 migrate` translates, compared with GNU Octave.

``python -m benchmarks.migrate.table FOLDER ...``, or with the folders in SPATIAL_V2_MATLAB. Scripts
run unchanged. Functions are called with arguments that Octave accepts, drawn with a seed.
``--users REPOSITORIES`` takes a folder of repositories in place of all files of the folders: those
of their files that call the library, of which the folders are the first on Octave's path.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterable
from multiprocessing import Pool
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from benchmarks import results_file
from benchmarks.migrate.corpus import OUTCOMES, Case, cases, outcome
from benchmarks.migrate.users import users
from spatial_v2.exceptions import SpatialError
from spatial_v2.migrate import translate

__all__ = ["counted", "main", "speed"]

SCRIPTS = Path(__file__).parents[2] / "unit_tests" / "support" / "migrate_scripts"

RUN = ("agrees", "agrees here", "left", "refused", "stops", "differs, and says so", "differs")
"""Outcomes of files that Octave runs."""


def judged(case: Case) -> dict[str, Any]:
    """Return the row of results of a file.

    If the command `migrate` itself fails, raise an error that names the file, instead of counting
    the failure as an outcome.
    """
    try:
        return outcome(case)
    except (Exception, SystemExit) as error:
        raise SpatialError(f"{case.path}: {type(error).__name__}: {error}") from error


def counted(files: Iterable[dict[str, Any]]) -> list[results_file.Row]:
    """Count the outcomes of the files of each source, and their shares among the files that Octave
    runs.
    """
    by_source: dict[str, Counter[str]] = {}
    for each in files:
        for source in dict.fromkeys((each["root"], "all")):
            by_source.setdefault(source, Counter())[each["outcome"]] += 1
    rows: list[results_file.Row] = []
    for source, found in by_source.items():
        run = sum(found[name] for name in RUN)
        row: results_file.Row = {"source": source, "files": sum(found.values()), "run": run}
        row |= {name: found[name] for name in OUTCOMES}
        fine = found["agrees"] + found["agrees here"]
        rows.append(row | {"percent": 100 * fine / run if run else None})
    return rows


def repositories(files: list[dict[str, Any]]) -> list[results_file.Row]:
    """Count the outcomes of files of users, all together: names of repositories are not kept."""
    (row,) = counted({**each, "root": "all"} for each in files)
    run = [each for each in files if each["outcome"] in RUN and each.get("lines")]
    lines = sum(each["lines"] for each in run)
    by_runtime = sum(each["by_runtime"] for each in run)
    without = sum(not each["by_runtime"] for each in run)
    more = {
        "repositories": len({each["root"] for each in files}),
        "lines": lines,
        "by_runtime": 100 * by_runtime / max(lines, 1),
        "files_without_runtime": 100 * without / max(len(run), 1),
    }
    return [{**row, "source": "users", **more}]


def speed(lines: int = 5000) -> results_file.Row:
    """Return a row with the processor time of the translation of a script with this number of
    lines.
    """
    sources = [(SCRIPTS / f"{name}.m").read_text() for name in ("arrays", "dynamics")]
    text = "".join(sources)
    with TemporaryDirectory() as folder:
        script = Path(folder) / "long.m"
        script.write_text(text * -(-lines // text.count("\n")))
        begin = process_time()
        translate(script)
        seconds = process_time() - begin
        return {"source": "speed", "lines": script.read_text().count("\n"), "seconds": seconds}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--name", default="migrate", help="of the file of results")
    parser.add_argument("--only", default="", help="files whose path has this part")
    parser.add_argument("--each", type=Path, help="a file for one line of JSON for each file")
    there = len(os.sched_getaffinity(0))
    parser.add_argument("--workers", type=int, default=there, help="processes side by side")
    for ignored in ("--fast", "--redraw", "--dry"):
        parser.add_argument(ignored, action="store_true")
    parser.add_argument(
        "--users",
        nargs="?",
        type=Path,
        const=Path(os.environ.get("SPATIAL_V2_USERS", ".")),
        help="a folder of repositories of users; by default that in SPATIAL_V2_USERS",
    )
    args = parser.parse_args()
    named = os.environ.get("SPATIAL_V2_MATLAB", "").split(os.pathsep)
    folders = args.folders or [Path(x) for x in named if x]
    if not folders:
        parser.error("name folders of MATLAB files, or set SPATIAL_V2_MATLAB")
    if args.redraw:
        return
    every = users(args.users, tuple(folders)) if args.users else cases(folders)
    chosen = [c for c in every if args.only in str(c.path)]
    files = []
    with Pool(args.workers, maxtasksperchild=50) as pool:
        for row in pool.imap_unordered(judged, chosen):
            files.append(row)
            print(f"{len(files)}/{len(chosen)} {row['root']}/{row['file']}: {row['outcome']}")
            if args.each:
                with args.each.open("a") as out:
                    out.write(json.dumps(row) + "\n")
    rows = [*(repositories(files) if args.users else counted(files)), speed()]
    for line in rows:
        print(line)
    if not args.dry:
        results_file.write(args.name, rows, {"fast": False}, results_file.FOLDER)


if __name__ == "__main__":
    main()
