"""Output of the example in README.md, with times.

``python -m benchmarks readme`` runs the example, stores its times, and writes its output into
README.md.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator

from benchmarks import study
from benchmarks.results_file import Row

PAGE = study.ROOT / "README.md"
BLOCK = re.compile(r"(?<=```text\n)puma560:.*?(?=```)", re.S)
TIME = re.compile(r"^ (\S+) .*? ([\d.]+) (µs|ms)", re.M)
UNITS = {"µs": 1.0, "ms": 1e3}


def times(text: str) -> list[Row]:
    """Return the quantities and their times, from the lines of output that have a time."""
    return [{"quantity": q, "us": float(x) * UNITS[unit]} for q, x, unit in TIME.findall(text)]


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Run the command twice, the first time for compilation, and yield the times of the second run.

    The output replaces that in README.md.
    """
    code = "from spatial_v2.cli import app; app(['derivatives'])"
    for _ in range(2):
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = [line.rstrip() for line in done.stdout.strip().splitlines()]
    text = "\n".join(lines[: next(i for i, x in enumerate(lines) if x.startswith(" dM_dq")) + 1])
    page = PAGE.read_text(encoding="utf-8")
    if not args.dry:
        PAGE.write_text(BLOCK.sub(lambda _: text + "\n", page), encoding="utf-8")
    yield from times(text)


def main() -> None:
    study.table("readme", study.options(__doc__), measure)


if __name__ == "__main__":
    main()
