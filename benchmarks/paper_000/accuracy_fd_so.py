"""Accuracy of second derivatives of forward dynamics versus size (paper 000, Fig. 20).

Run from the root of the repository: ``python -m benchmarks.paper_000.accuracy_fd_so``.
"""

from __future__ import annotations

from benchmarks import study
from benchmarks.paper_000.second_order import draw, measure

LABELS = {
    "analytic": "FDSVA-SO",
    "chain-rule": "ABA chain rule",
    "finite-diff-1": "Finite-Diff-1",
    "finite-diff-2": "Finite-Diff-2",
}


def main() -> None:
    args = study.options(__doc__, sizes=[2, 5, 10, 20, 40, 60, 80, 100, 150], states=3)
    rows = study.table("accuracy_fd_so", args, lambda args: measure(args, "FD", LABELS))
    draw(args, "FD", LABELS, rows)


if __name__ == "__main__":
    main()
