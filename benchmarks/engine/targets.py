"""Targets of the engine: ratios to Pinocchio's C++ on one thread, and the ratios measured.

``python -m benchmarks --quick``. A ratio is the time of this library divided by that of Pinocchio.
Both times are minima of interleaved rounds on one core: for a state in a batch, and for a single
call (of a bound function where possible).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import NamedTuple

from benchmarks import study
from benchmarks.cpp.build import missing
from benchmarks.engine.functions import FUNCTIONS
from benchmarks.engine.measure import measure
from benchmarks.peers.pinocchio_twin import cpp_peer
from benchmarks.results_file import Row
from benchmarks.robots import robot, states

__all__ = ["TARGETS", "Target", "compare"]

ROBOTS = ["ur5", "hyq", "g1", "talos", "chain36", "tree100"]
LEAST_NV = 18
"""Targets of single calls apply to robots with at least this number of degrees of freedom."""


class Target(NamedTuple):
    """Target of a function: largest allowed ratios for a batch, by robot and NV, and for a single
    call.
    """

    batch: Callable[[str, int], float]
    single: float


def up_to_20(small: float, large: float) -> Callable[[str, int], float]:
    return lambda robot, nv: small if nv <= 20 else large


def always(ratio: float) -> Callable[[str, int], float]:
    return lambda robot, nv: ratio


TARGETS = {
    "ID": Target(always(0.16), 0.9),
    "FDab": Target(always(0.30), 1.0),
    "HandC": Target(always(0.25), 0.9),
    "ID_derivatives": Target(up_to_20(0.15, 0.28), 0.8),
    "CoriolisMatrix": Target(up_to_20(0.15, 0.28), 0.8),
    "FD_derivatives": Target(up_to_20(0.45, 0.8), 1.1),
    "Hinverse": Target(up_to_20(0.45, 0.8), 1.1),
    "ID_SO packed": Target(lambda robot, nv: 0.55 if robot == "chain36" else 0.30, 0.6),
    "ID_SO dense, out=": Target(always(0.9), 0.9),
    "ID_SO dense, fresh": Target(always(1.0), 1.2),
    "modID_second_derivatives": Target(always(0.2), 0.35),
    "FD_SO dense": Target(always(1 / 30), 1 / 15),
}


def best(row: Row, *forms: str) -> float | None:
    """Return the time of the first of the given forms that was measured."""
    return next((row[form] for form in forms if row.get(form)), None)


def batch(row: Row) -> float | None:
    """Return the time per state of a batch, with preallocated results, as in C++, if possible."""
    return best(row, "batch, zeros kept", "batch, out=", "batch")


def single(row: Row) -> float | None:
    return best(row, "prepared, zeros kept", "one call, out=", "prepared", "one call")


def compare(rows: list[Row]) -> Iterator[Row]:
    """Yield the rows of one robot with ratios, targets and verdicts.

    A verdict is None if a time was not measured.
    """
    by_name = {row["function"]: row for row in rows}
    for row in rows:
        target, peer = TARGETS[row["function"]], by_name.get(row["peer"])
        mine = {"batch": batch(row), "single": single(row)}
        theirs = {"batch": batch(peer), "single": single(peer)} if peer else row.get("C++")
        bound = {"batch": target.batch(row["robot"], row["NV"]), "single": target.single}
        found: Row = {}
        for form, us in mine.items():
            other = theirs[form] if isinstance(theirs, dict) else theirs
            ratio = us / other if us and other else None
            judged = form == "batch" or row["NV"] >= LEAST_NV
            found |= {f"{form} ratio": ratio, f"{form} target": bound[form] if judged else None}
            found[f"{form} met"] = ratio <= bound[form] if ratio and judged else None
        yield row | found


def line(row: Row) -> str:
    """Format a row as text."""
    cells = []
    for form in ("batch", "single"):
        ratio, target, met = (row[f"{form} {what}"] for what in ("ratio", "target", "met"))
        text = f"{ratio:6.3f}" if ratio else "not yet" if row.get("C++") else "no peer"
        goal = f"<= {target:.3f}" if target else "-"
        cells.append(
            f"{form} {text:>7} {goal:>9} {'' if met is None else 'met' if met else 'MISSED':6}"
        )
    peer = f"C++ {row['C++']:9.2f} us" if row.get("C++") else f"of {row['peer']}"
    return f"{row['robot']:8} {row['function']:25} {peer:16}  " + "  ".join(cells)


def table(args: argparse.Namespace) -> Iterator[Row]:
    """Yield the rows of all robots."""
    if missing():
        print(f"No C++ peer: it needs {missing()}. Times of this library alone.")
    for name in args.robots:
        model = robot(name)
        sample = states(model, 256)
        peer = None if missing() else cpp_peer(model, sample)
        head = {"robot": name, "bodies": model.NB, "NV": model.NV}
        functions = [FUNCTIONS[function] for function in TARGETS]
        rows = [head | row for row in measure(model, sample, functions, peer, **args.effort)]
        if peer:
            peer.close()
        yield from compare(rows)


def main() -> None:
    study.table("targets", study.options(__doc__, robots=ROBOTS), table, line)


if __name__ == "__main__":
    main()
