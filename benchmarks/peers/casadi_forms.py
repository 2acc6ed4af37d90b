"""Timed calls of CasADi: the reference implementation on SX symbols, its derivatives, and generated
C code.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.cpp.build import compiler
from benchmarks.timing import Round, round_of
from derivatives import FD_derivatives, ID_derivatives
from spatial_v2 import ID, FDab, Model

__all__ = ["FLAGS", "compiled", "functions", "rounds", "second_of_inverse", "seconds_of"]

FLAGS = ("-march=native", "-fPIC", "-shared")
SECONDS = 600
"""Longest time that a compiler may take [s]."""


def functions(model: Model, *, second: bool = True) -> dict[str, Any]:
    """Return SX functions of q, v and the third argument x, under the names of this library.

    First derivatives are Jacobians of the algorithm; second ones are Jacobians of our first
    derivatives, as in paper 000, Sec. V-B. Joints must therefore have as many positions as
    velocities.
    """
    import casadi

    n = model.NV
    q, v, x = (casadi.SX.sym(letter, n) for letter in "qvx")

    def function(name: str, results: list[Any]) -> Any:
        return casadi.Function(name, [q, v, x], results)

    tau, qdd = (casadi.vertcat(*f.reference(model, q, v, x)) for f in (ID, FDab))
    found = {
        "ID": function("ID", [tau]),
        "FDab": function("FDab", [qdd]),
        "ID_derivatives": function("dID", [casadi.jacobian(tau, y) for y in (q, v)]),
        "FD_derivatives": function("dFD", [casadi.jacobian(qdd, y) for y in (q, v, x)]),
    }
    for name, first in (("ID_SO", ID_derivatives), ("FD_SO", FD_derivatives)) if second else ():
        dq, dv, *dx = (
            casadi.SX(casadi.blockcat(D.tolist())) for D in first.reference(model, q, v, x)
        )
        dx = dx or [casadi.jacobian(tau, x)]
        pairs = ((dq, q), (dv, v), (dq, v), (dx[0], q))
        tensors = [casadi.jacobian(casadi.vec(D), y) for D, y in pairs]
        found[name] = function(name, tensors)
    return found


def second_of_inverse(model: Model) -> Any:
    """Return the function ``ID_SO`` of `functions`, without the others."""
    import casadi

    q, v, x = (casadi.SX.sym(letter, model.NV) for letter in "qvx")
    dq, dv = (
        casadi.SX(casadi.blockcat(D.tolist())) for D in ID_derivatives.reference(model, q, v, x)
    )
    dx = casadi.jacobian(casadi.vertcat(*ID.reference(model, q, v, x)), x)
    pairs = ((dq, q), (dv, v), (dq, v), (dx, q))
    return casadi.Function(
        "ID_SO", [q, v, x], [casadi.jacobian(casadi.vec(D), y) for D, y in pairs]
    )


def compiled(function: Any, folder: Path, level: str = "-O3") -> Any:
    """Return the same function from generated C code; None if the compiler takes too long."""
    import casadi

    name = function.name()
    code, library = folder / f"{name}.c", folder / f"{name}.so"
    generator = casadi.CodeGenerator(code.name)
    generator.add(function)
    generator.generate(f"{folder}/")
    try:
        subprocess.run(
            ["gcc", level, *FLAGS, str(code), "-o", str(library)], check=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return None
    return casadi.external(name, str(library))


def seconds_of(function: Any, state: list[np.ndarray]) -> Round:
    """Return the timed call of a function on buffers that are allocated once, so that no conversion
    is timed.
    """
    buffer, trigger = function.buffer()
    arguments = [np.ascontiguousarray(x) for x in state]
    results = [np.zeros(function.nnz_out(i)) for i in range(function.n_out())]
    for i, array in enumerate(arguments):
        buffer.set_arg(i, memoryview(array))  # type: ignore[arg-type]
    for i, array in enumerate(results):
        buffer.set_res(i, memoryview(array))  # type: ignore[arg-type]
    kept: list[object] = [function, buffer, arguments, results]
    run = round_of(trigger)
    return lambda count: run(count) if kept else 0.0


def rounds(
    name: str, model: Model, states: dict[str, np.ndarray]
) -> Iterator[tuple[str, str, int, Round]]:
    """Yield function, form, number of states, and timed call: interpreted, and compiled where gcc
    is installed.
    """
    if model.NQ != model.NV:
        return
    state = [states[key][0] for key in "qvx"]
    with tempfile.TemporaryDirectory() as folder:
        for ours, function in functions(model, second=model.NV <= 7).items():
            yield ours, "CasADi, interpreted", 1, seconds_of(function, state)
            fast = compiled(function, Path(folder)) if compiler() else None
            if fast is not None:
                yield ours, "CasADi, compiled C", 1, seconds_of(fast, state)
