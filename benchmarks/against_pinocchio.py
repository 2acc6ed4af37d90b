"""Dynamics and derivatives side by side with Pinocchio's C++, on one thread.

For each robot and function: Pinocchio per call from Python, this library per call, and this library
per state of a batch. Second derivatives, which Pinocchio has no Python function for, are compared
with central differences of its first derivatives, the way its users get them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pinocchio as pin
from rich.console import Console
from rich.table import Table
from timing import interleaved

sys.path.insert(0, str(Path(__file__).parents[1] / "unit_tests"))
from pinocchio_map import pinocchio_model

import derivatives as dv
import spatial_v2 as sv

ROBOTS = {"ur5": False, "panda": False, "hyq": True, "talos": True}


def differences(model: pin.Model, data: pin.Data, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> None:
    """Second derivatives along q by central differences of computeRNEADerivatives."""
    h = 1e-5
    for k in range(model.nv):
        step = np.zeros(model.nv)
        for step[k] in (h, -h):
            pin.computeRNEADerivatives(model, data, pin.integrate(model, q, step), v, a)


def cases(
    model: sv.Model, batch: int, rng: np.random.Generator
) -> dict[str, tuple[Callable[[], object], Callable[[], object], Callable[[], object]]]:
    """Name -> (Pinocchio, one call, a batch)."""
    p = pinocchio_model(model)
    data = p.createData()
    pq, pv, pa = pin.neutral(p), rng.normal(size=p.nv), rng.normal(size=p.nv)
    q = sv.random_configuration(model, rng, (batch,))
    qd, x = rng.normal(size=(2, batch, model.NV))
    lam = rng.normal(size=(batch, model.NV))

    def ours(f: Callable[..., object], *args: np.ndarray) -> list[Callable[[], object]]:
        one = [a[0] for a in args]
        return [lambda: f(model, *one), lambda: f(model, *args)]

    def second() -> None:
        differences(p, data, pq, pv, pa)

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
        "ID_SO_derivatives": (second, *ours(dv.ID_SO_derivatives, q, qd, x)),
        "modID_second_derivatives": (second, *ours(dv.modID_second_derivatives, q, qd, x, lam)),
        "FD_SO_derivatives": (second, *ours(dv.FD_SO_derivatives, q, qd, x)),
    }  # type: ignore[return-value]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("robots", nargs="*", default=list(ROBOTS))
    parser.add_argument("--batch", type=int, default=16)
    args = parser.parse_args()
    for name in args.robots:
        model = sv.load_model(name, floating_base=ROBOTS.get(name, False))
        table = Table(title=f"{name}: {model.NB} bodies, NV = {model.NV}; microseconds, one thread")
        for heading in ("function", "Pinocchio", "one call", "per state", "per state / Pinocchio"):
            table.add_column(heading, justify="left" if heading == "function" else "right")
        for function, calls in cases(model, args.batch, np.random.default_rng(0)).items():
            times = interleaved(dict(zip(("pin", "one", "batch"), calls, strict=True)))
            state = times["batch"] / args.batch
            row = (times["pin"], times["one"], state, state / times["pin"])
            table.add_row(function, *(f"{x:.3g}" for x in row))
        Console().print(table)


if __name__ == "__main__":
    main()
