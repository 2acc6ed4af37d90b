"""Run all benchmarks by one command: ``python -m benchmarks [--quick] [STUDY ...]``.

Each study runs in a process of its own, on one core and one thread, and stores its numbers as JSON
in ``benchmarks/results``, from which the documentation prints tables and figures.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time

from benchmarks.claims import verdicts
from benchmarks.cpp.build import build, missing
from benchmarks.papers import PAPERS
from benchmarks.results_file import FOLDER, is_current
from benchmarks.studies import STUDIES, Study

ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)


def options(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("studies", nargs="*", metavar="STUDY", help="studies to run; default: all")
    parser.add_argument("--quick", action="store_true", help="targets only, in minutes; no files")
    parser.add_argument("--stale", action="store_true", help="only studies with stale results")
    parser.add_argument("--fast", action="store_true", help="fewer and shorter rounds")
    parser.add_argument("--redraw", action="store_true", help="only draw the figures again")
    parser.add_argument("--list", action="store_true", help="list studies, tables and figures")
    args = parser.parse_args(arguments)
    unknown = [name for name in args.studies if name not in STUDIES]
    if unknown:
        parser.error(f"no study {', '.join(unknown)}; there are {', '.join(STUDIES)}")
    return args


def chosen(args: argparse.Namespace) -> dict[str, Study]:
    """Return the studies that the command line asks for, in order."""
    if args.quick:
        return {"targets": STUDIES["targets"]}
    names = args.studies or list(STUDIES)
    return {name: STUDIES[name] for name in names if not (args.stale and is_current(name))}


def command(name: str, study: Study, args: argparse.Namespace) -> list[str]:
    """Return the command line that runs a study."""
    found = [sys.executable, "-m", study.module, "--name", name, *study.arguments]
    found += ["--fast", "--dry"] if args.quick else []
    found += ["--fast"] if args.fast else []
    return found + (["--redraw"] if args.redraw else [])


def state(name: str) -> str:
    """Return "current", "stale" or "none", for the results of a study."""
    if not (FOLDER / f"{name}.json").exists():
        return "none"
    return "current" if is_current(name) else "stale"


def show_papers() -> None:
    """Print the tables and figures of the papers: where each is, and a verdict on each claim."""
    found = verdicts()
    for key, paper in PAPERS.items():
        print(f"\n{paper.cite}")
        for name, item in paper.items.items():
            where = [paper.page_of(name), *(f"{study} ({state(study)})" for study in item.studies)]
            sign = found.get((key, name), "")
            print(f"{key} {name:10} {sign:8} {item.shows}: {', '.join(where)}")
    print("\n✓ a claim holds here, ✗ it does not, ? there is no result yet; see docs/studies.md")


def main() -> int:
    args = options()
    if args.list:
        for name, study in STUDIES.items():
            print(f"{name:22} {state(name):8} {study.shows}")
        show_papers()
        return 0
    todo = chosen(args)
    if not missing() and not args.redraw and any(study.cpp for study in todo.values()):
        build()
    failed = []
    for i, (name, study) in enumerate(todo.items(), 1):
        print(f"\n[{i}/{len(todo)}] {name}: {study.shows}", flush=True)
        start = time.monotonic()
        environment = {**os.environ, **ONE_THREAD, **study.environment}
        if subprocess.run(command(name, study, args), env=environment).returncode:
            failed.append(name)
        print(f"{name}: {time.monotonic() - start:.0f} s", flush=True)
    if failed:
        print(f"\nfailed: {', '.join(failed)}", file=sys.stderr)
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
