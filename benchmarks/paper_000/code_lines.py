"""Size of the code that CasADi writes for second derivatives (paper 000, Fig. 9), to 50 bodies.

``python -m benchmarks code_lines``. Nothing is compiled or timed: `code_size` does that for small
models.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import study
from benchmarks.paper_000.code_size import size
from benchmarks.peers.casadi_forms import second_of_inverse
from benchmarks.results_file import Row
from spatial_v2.models import autoTree

METHOD = "ID_SO"


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each chain: lines and kilobytes of the code, and the operations in it."""
    for n in args.sizes:
        with tempfile.TemporaryDirectory() as folder:
            counts = size(second_of_inverse(autoTree(n, 1, args.skew)), Path(folder))
        yield {"family": "serial chain", "n": n, "method": METHOD} | counts


def main() -> None:
    args = study.options(__doc__, sizes=[2, 5, 10, 20, 30, 40, 50])
    rows = study.table("code_lines", args, measure)
    fig, (lines, kilobytes) = study.figure(2, height=2.8)
    study.curves(lines, rows, "lines", [METHOD])
    lines.set(title="C code of ID_SO for chains", ylabel="lines")
    study.curves(kilobytes, rows, "KB", [METHOD])
    kilobytes.set(title="its size", ylabel="KB")
    study.save(fig, args, "code_lines")


if __name__ == "__main__":
    main()
