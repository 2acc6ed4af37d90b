"""Dynamics and derivatives side by side with Pinocchio's C++, on one thread.

For each robot and function: Pinocchio per call from Python, this library per call, and this library
per state of a batch. Second derivatives, which Pinocchio has no Python function for, are compared
with central differences of its first derivatives, the way its users get them. ``--write`` keeps the
times in benchmarks/results/against_pinocchio.csv, from which the documentation prints its table.
"""

from __future__ import annotations

import argparse
import csv
import platform
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numba
import numpy as np
import pinocchio as pin
from rich.console import Console
from rich.table import Table
from timing import interleaved

sys.path.insert(0, str(Path(__file__).parents[1] / "unit_tests"))
from pinocchio_map import pinocchio_model, position

import derivatives as dv
import spatial_v2 as sv

ROBOTS = {"ur5": False, "panda": False, "hyq": True, "talos": True}


def differences(
    function: Callable[..., object], model: pin.Model, data: pin.Data, *state: np.ndarray
) -> None:
    """Second derivatives along q by central differences of first ones: the calls alone."""
    h = 1e-5
    q, *rest = state
    for k in range(model.nv):
        step = np.zeros(model.nv)
        for step[k] in (h, -h):
            function(model, data, pin.integrate(model, q, step), *rest)


def cases(
    model: sv.Model, batch: int, rng: np.random.Generator
) -> dict[str, tuple[Callable[[], object], Callable[[], object], Callable[[], object]]]:
    """Name -> (Pinocchio, one call, a batch)."""
    p = pinocchio_model(model)
    data = p.createData()
    q = sv.random_configuration(model, rng, (batch,))
    pq, pv, pa = position(model, p, q[0]), rng.normal(size=p.nv), rng.normal(size=p.nv)
    qd, x = rng.normal(size=(2, batch, model.NV))
    lam = rng.normal(size=(batch, model.NV))

    def ours(f: Callable[..., object], *args: np.ndarray) -> list[Callable[[], object]]:
        one = [a[0] for a in args]
        return [lambda: f(model, *one), lambda: f(model, *args)]

    def second_id() -> None:
        differences(pin.computeRNEADerivatives, p, data, pq, pv, pa)

    def second_fd() -> None:
        differences(pin.computeABADerivatives, p, data, pq, pv, pa)

    def forward() -> None:
        pin.computeABADerivatives(p, data, pq, pv, pa)

    def h_and_c() -> None:
        pin.crba(p, data, pq)
        pin.nonLinearEffects(p, data, pq, pv)

    return {
        "ID": (lambda: pin.rnea(p, data, pq, pv, pa), *ours(sv.ID, q, qd, x)),
        "HandC": (h_and_c, *ours(sv.HandC, q, qd)),
        "FDab": (lambda: pin.aba(p, data, pq, pv, pa), *ours(sv.FDab, q, qd, x)),
        "Hinverse": (lambda: pin.computeMinverse(p, data, pq), *ours(sv.Hinverse, q)),
        "ID_derivatives": (
            lambda: pin.computeRNEADerivatives(p, data, pq, pv, pa),
            *ours(dv.ID_derivatives, q, qd, x),
        ),
        "FD_derivatives": (forward, *ours(dv.FD_derivatives, q, qd, x)),
        "ID_SO_derivatives": (second_id, *ours(dv.ID_SO_derivatives, q, qd, x)),
        "modID_second_derivatives": (
            second_id,
            *ours(dv.modID_second_derivatives, q, qd, x, lam),
        ),
        "FD_SO_derivatives": (second_fd, *ours(dv.FD_SO_derivatives, q, qd, x)),
        "modFD_second_derivatives": (
            second_fd,
            *ours(dv.modFD_second_derivatives, q, qd, x, lam),
        ),
    }  # type: ignore[return-value]


RESULTS = Path(__file__).parent / "results" / "against_pinocchio.csv"
COLUMNS = ("robot", "bodies", "NV", "function", "pinocchio", "one call", "per state")


def measure(name: str, batch: int) -> Iterator[tuple[str, int, int, str, float, float, float]]:
    """Rows of the table of one robot; times in microseconds."""
    model = sv.load_model(name, floating_base=ROBOTS.get(name, False))
    for function, calls in cases(model, batch, np.random.default_rng(0)).items():
        times = interleaved(dict(zip(("pin", "one", "batch"), calls, strict=True)))
        state = times["batch"] / batch
        yield name, model.NB, model.NV, function, times["pin"], times["one"], state


def show(rows: list[tuple[str, int, int, str, float, float, float]]) -> None:
    name, bodies, nv, *_ = rows[0]
    table = Table(title=f"{name}: {bodies} bodies, NV = {nv}; microseconds, one thread")
    table.add_column("function", no_wrap=True, min_width=24)
    for heading in (*COLUMNS[4:], "ratio"):
        table.add_column(heading, justify="right")
    for *_, function, peer, one, state in rows:
        table.add_row(function, *(f"{x:.3g}" for x in (peer, one, state, state / peer)))
    Console().print(table)


def machine() -> str:
    """Processor and versions, for the head of the results."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    cpu = models[0] if models else platform.processor()
    return (
        f"{cpu}; Python {platform.python_version()}, NumPy {np.__version__}, "
        f"Numba {numba.__version__}, Pinocchio {pin.__version__}; spatial_v2 {sv.__version__}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("robots", nargs="*", default=list(ROBOTS))
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--write", action="store_true", help=f"keep the times in {RESULTS.name}")
    args = parser.parse_args()
    warnings.simplefilter("ignore", sv.InertiaWarning)
    rows = []
    for name in args.robots:
        rows.append(list(measure(name, args.batch)))
        show(rows[-1])
    if args.write:
        with RESULTS.open("w", newline="") as file:
            file.write(f"# {machine()}; batches of {args.batch}\n")
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(COLUMNS)
            for *head, peer, one, state in (row for robot in rows for row in robot):
                writer.writerow([*head, *(f"{x:.3g}" for x in (peer, one, state))])


if __name__ == "__main__":
    main()
