"""Growth of times with the number of bodies, for chains and trees: Pinocchio's C++ and this
library.

``python -m benchmarks trees``. In the trees each body has one, two or five children, as in paper
002, Figs. 4 and 6. Second derivatives are measured for the first two (paper 000, Table III).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from benchmarks import study
from benchmarks.cpp.build import missing
from benchmarks.engine.functions import FUNCTIONS
from benchmarks.engine.measure import measure
from benchmarks.engine.targets import batch
from benchmarks.peers.pinocchio_twin import cpp_peer
from benchmarks.results_file import Row
from benchmarks.robots import robot, states

FAMILIES = {"serial chain": "chain", "binary tree": "tree", "tree of five": "bush"}
FIRST = ("ID", "FDab", "HandC", "ID_derivatives", "FD_derivatives", "CoriolisMatrix")
SECOND = ("ID_SO packed", "ID_SO dense, out=", "ID_SO dense, fresh", "FD_SO dense")
SIZES = [2, 5, 10, 20, 36, 50, 70, 100]


def functions(family: str, n: int) -> list[str]:
    """Return the functions that are measured on a tree; for the largest trees, second derivatives
    of ID only.
    """
    if n > max(SIZES):
        return [] if family == "tree of five" else list(SECOND[:-1])
    return [*FIRST, *(SECOND if family != "tree of five" else ())]


def table(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each tree and function, with the times per state of this library
    and in C++.
    """
    for n in args.sizes:
        for family, name in FAMILIES.items():
            chosen = [FUNCTIONS[function] for function in functions(family, n)]
            if not chosen:
                continue
            model = robot(f"{name}{n}")
            sample = states(model, 256, args.seed)
            peer = None if missing() else cpp_peer(model, sample)
            for row in measure(model, sample, chosen, peer, **args.effort):
                yield {"family": family, "n": n} | row | {"us": batch(row)}
            if peer:
                peer.close()


def draw(args: argparse.Namespace, rows: list[Row]) -> None:
    """Draw the times per state of this library and of Pinocchio in C++ over the number
    of bodies.
    """
    fig, panels = study.figure(3)
    shown = ("ID_derivatives", "FD_derivatives", "ID_SO dense, fresh")
    names = ["here, of a batch", "Pinocchio, C++"]
    for axes, function in zip(panels, shown, strict=True):
        chosen = [row for row in rows if row["function"] == function]
        both = [
            row | {"who": who, "time": row[key]}
            for row in chosen
            for who, key in zip(names, ("us", "C++"), strict=True)
            if row.get(key)
        ]
        study.curves(axes, both, "time", names, key="who")
        axes.set(title=function)
    panels[0].set_ylabel("time per state [µs]")
    study.legend(fig, names)
    study.save(fig, args, "trees")


def main() -> None:
    args = study.options(__doc__, sizes=[*SIZES, 150])
    draw(args, study.table("trees", args, table))


if __name__ == "__main__":
    main()
