"""Optimal control by the scripts in ``examples/optimal_control``: iterations, times, convergence.

``python -m benchmarks optimal_control`` runs the scripts in full and draws their convergence.
"""

from __future__ import annotations

import argparse
import runpy
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks import study
from benchmarks.results_file import Row
from derivatives import FD_derivatives, ID_derivatives
from spatial_v2 import CRBA, ID, FDab, autoTree, puma560, random_configuration

FOLDER = study.ROOT / "examples" / "optimal_control"
NAMES = {True: "exact Hessian", False: "limited-memory BFGS"}


def example(name: str) -> dict[str, Any]:
    """Run a script of `examples/optimal_control`; return the names that it defines."""
    return runpy.run_path(str(FOLDER / f"{name}.py"), run_name="study")


def transcription(quick: bool) -> Iterator[Row]:
    """Yield rows for the swing of an arm by IPOPT: results of each method, and its iterations."""
    e = example("transcription")
    for knots in (10,) if quick else (25, 100):
        for exact, method in NAMES.items():
            for _ in range(2):
                program, s = e["solve"](e["START"], e["GOAL"], e["LIMIT"], knots=knots, exact=exact)
            key = {"example": "transcription", "method": method, "knots": knots}
            yield key | {
                "iterations": s.iterations,
                "seconds": s.seconds,
                "objective": s.objective,
                "missing": float(np.abs(program.constraints(s.x)).max()),
                "status": s.status,
            }
            for k, x in enumerate(s.history["inf_du"]):
                yield key | {"iteration": k, "infeasibility": x}


def reports(quick: bool) -> Iterator[Row]:
    """Yield the results of the other scripts."""
    for name in ("balance", "whole_body"):
        begin = time.perf_counter()
        for quantity, value in example(name)["main"](quick).items():
            yield {"example": name, "quantity": quantity, "value": value}
        yield {"example": name, "quantity": "seconds", "value": time.perf_counter() - begin}


def callbacks(quick: bool) -> Iterator[Row]:
    """Yield times of kernels called by CasADi and called directly, and errors of
    their derivatives.
    """
    import casadi

    from spatial_v2.interop.casadi import to_casadi

    rng, count = np.random.default_rng(0), 16 if quick else 256
    arm, tree = puma560(), autoTree(4, 2).replace(jtype=["Fb", "S", "Rx", "Ry"])
    alone: dict[str, tuple[Any, Any]] = {
        "ID": (ID, lambda *s: (*ID_derivatives(*s), CRBA(*s[:2]))),
        "FDab": (FDab, FD_derivatives),
    }
    for name, functions in alone.items():
        states = list(rng.normal(size=(3, count, arm.NV)))
        f = to_casadi(arm, name, kernel=True, states=count)
        zero = np.zeros(f.numel_out(0))
        for order, (inside, outside) in enumerate(zip((f, f.jacobian()), functions, strict=True)):
            trigger, _kept = buffered(inside, [*states, zero][: inside.n_in()])
            times = [least(trigger), least(partial(outside, arm, *states))]
            yield {"example": "callback", "function": name, "order": f"order {order}"} | dict(
                zip(("inside", "outside"), (1e6 * t for t in times), strict=True)
            )
        q, (qd, x) = random_configuration(tree, rng), rng.normal(size=(2, tree.NV))
        values = []
        for kernel in (True, False):
            y = casadi.MX.sym("y", tree.NQ + 2 * tree.NV)
            parts = casadi.vertsplit(y, [0, tree.NQ, tree.NQ + tree.NV, y.numel()])
            z = to_casadi(tree, name, kernel=kernel)(*parts)
            J = casadi.jacobian(z, y)
            H = casadi.jacobian(casadi.jacobian(casadi.sum1(casadi.sin(z)), y).T, y)
            g = casadi.Function("g", [y], [z, J, H])
            values.append([np.asarray(b) for b in g(np.concatenate([q, qd, x]))])
        error = [float(np.abs(a - b).max() / np.abs(b).max()) for a, b in zip(*values, strict=True)]
        for order, e in enumerate(error):
            yield {"example": "callback", "function": name, "order": f"error {order}", "error": e}


def buffered(function: Any, arrays: list[np.ndarray]) -> tuple[Any, Any]:
    """Return a call of a CasADi function on preallocated memory, and objects that must stay
    referenced.
    """
    buffer, trigger = function.buffer()
    results = [np.zeros(function.nnz_out(i)) for i in range(function.n_out())]
    for i, array in enumerate(arrays):
        buffer.set_arg(i, memoryview(np.ascontiguousarray(array)))  # type: ignore[arg-type]
    for i, array in enumerate(results):
        buffer.set_res(i, memoryview(array))  # type: ignore[arg-type]
    return trigger, (buffer, arrays, results)


def least(call: Any, rounds: int = 100) -> float:
    """Return the shortest time of a call [s]."""
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times)


def measure(args: argparse.Namespace) -> Iterator[Row]:
    for part in (callbacks, transcription, reports):
        yield from part(args.fast)


def draw(rows: list[Row], args: argparse.Namespace) -> None:
    """Draw the convergence of each method on the swing of an arm."""
    fig, (axes,) = study.figure(1)
    swing = [row for row in rows if row["example"] == "transcription"]
    knots = max(row["knots"] for row in swing)
    kept = [row for row in swing if row["knots"] == knots and row.get("infeasibility")]
    for colour, method in zip(study.COLOURS, NAMES.values(), strict=False):
        points = [(r["iteration"], r["infeasibility"]) for r in kept if r["method"] == method]
        axes.semilogy(*zip(*points, strict=True), "o-", color=colour, label=method)
    axes.set(title="Swing of an arm: dual infeasibility", xlabel="iteration")
    axes.legend(frameon=False, fontsize=8)
    study.save(fig, args, "optimal_control")


def main() -> None:
    args = study.options(__doc__)
    draw(study.table("optimal_control", args, measure), args)


if __name__ == "__main__":
    main()
