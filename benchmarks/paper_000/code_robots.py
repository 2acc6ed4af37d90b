"""Second derivatives on robots, and code that CasADi generates for them (paper 000, Figs. 10, 19).

``python -m benchmarks code_robots``. Two kinds of code are generated for each robot: CasADi
differentiates first derivatives ("AD"), or IDSVA-SO and FDSVA-SO are themselves written as code.
Derivatives are along the degrees of freedom, so that floating bases are covered. As in the paper
gcc compiles the code; beyond `LONG` lines with -O1, since -O3 takes hours, and beyond `LONGEST` not
at all: then the size of the code is given alone. With four robots this takes three quarters of an
hour; ``--robots talos`` is another one, which takes as long as ATLAS.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import study
from benchmarks.cpp.build import compiler
from benchmarks.paper_000.code_size import OURS, size
from benchmarks.peers.casadi_forms import compiled, seconds_of
from benchmarks.results_file import Row
from benchmarks.robots import robot, states, there
from benchmarks.timing import least, round_of
from derivatives import FD_derivatives, ID_derivatives
from spatial_v2 import ID, Model, configurationRates

LONG, LONGEST = 50_000, 600_000
"""Lines of code beyond which -O1 is used, and beyond which it is not compiled."""
DOUBLE = "double pendulum"
AD, CODE = "AD", "the algorithm as code"
FIRST: dict[str, Any] = {"ID_SO": ID_derivatives, "FD_SO": FD_derivatives}


def symbols(model: Model) -> tuple[Any, Any, Any]:
    """Return SX symbols of q, v and the third argument."""
    import casadi

    q = casadi.SX.sym("q", model.NQ)
    v, x = (casadi.SX.sym(letter, model.NV) for letter in "vx")
    return q, v, x


def rates(model: Model, q: Any) -> Any:
    """Return the matrix (NQ, NV) that maps velocities to rates of q."""
    import casadi

    one = np.eye(model.NV)
    columns = [casadi.vertcat(*configurationRates(model, q, e, False)) for e in one]
    return casadi.horzcat(*columns)


def by_differentiation(model: Model, name: str) -> Any:
    """Return the second derivatives as Jacobians of first ones, by CasADi."""
    import casadi

    q, v, x = symbols(model)
    dq, dv, *dx = (
        casadi.SX(casadi.blockcat(D.tolist())) for D in FIRST[name].reference(model, q, v, x)
    )
    dx = dx or [casadi.jacobian(casadi.vertcat(*ID.reference(model, q, v, x)), x)]
    E = rates(model, q)

    def along_q(D: Any) -> Any:
        return casadi.mtimes(casadi.jacobian(casadi.vec(D), q), E)

    tensors = [along_q(dq), casadi.jacobian(casadi.vec(dv), v)]
    tensors += [casadi.jacobian(casadi.vec(dq), v), along_q(dx[0])]
    return casadi.Function(name, [q, v, x], tensors)


def by_algorithm(model: Model, name: str) -> Any:
    """Return the second derivatives as the reference implementation computes them."""
    import casadi

    q, v, x = symbols(model)
    function: Any = OURS[name]
    flat = [
        casadi.SX(casadi.vertcat(*T.ravel().tolist())) for T in function.reference(model, q, v, x)
    ]
    return casadi.Function(name, [q, v, x], [casadi.sparsify(T) for T in flat])


KINDS: dict[str, Callable[[Model, str], Any]] = {AD: by_differentiation, CODE: by_algorithm}


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each robot, function and kind of code."""
    for name in filter(there, args.robots):
        model = robot("chain2" if name == DOUBLE else name)
        sample = states(model, 1, 0)
        state = [sample[key][0] for key in "qvx"]
        for method, ours in OURS.items():
            calls = {"here": round_of(partial(ours, model, *state))}
            rows = {}
            for kind, make in KINDS.items():
                rows[kind] = row = {"robot": name, "NV": model.NV, "method": method, "code": kind}
                with tempfile.TemporaryDirectory() as folder:
                    function = make(model, method)
                    row |= size(function, Path(folder))
                    if compiler() and row["lines"] <= LONGEST:
                        begin = time.perf_counter()
                        level = "-O3" if row["lines"] <= LONG else "-O1"
                        fast = compiled(function, Path(folder), level)
                        row |= {"level": level, "seconds to compile": time.perf_counter() - begin}
                        if fast is not None:
                            calls[kind] = seconds_of(fast, state)
            us = least(calls, **args.effort)
            for kind, row in rows.items():
                yield row | {"here": us["here"], "us": us.get(kind)}


def main() -> None:
    args = study.options(__doc__, robots=[DOUBLE, "ur3", "hyq", "atlas"])
    rows = study.table("code_robots", args, measure)
    fig, panels = study.figure(2, height=2.9)
    robots = list(dict.fromkeys(row["robot"] for row in rows))
    for axes, method in zip(panels, OURS, strict=True):
        for colour, kind in zip(study.COLOURS, ("here", AD, CODE), strict=False):
            mine = [r for r in rows if r["method"] == method and r["code"] in (kind, AD)]
            points = {r["robot"]: r["here"] if kind == "here" else r["us"] for r in mine}
            x = [robots.index(name) for name in points]
            axes.semilogy(x, list(points.values()), "o", color=colour, label=kind)
        axes.set(title=f"{method}_derivatives", xticks=range(len(robots)), xticklabels=robots)
    panels[0].set(ylabel="µs")
    study.legend(fig, ("here", AD, CODE), families=())
    study.save(fig, args, "code_robots")


if __name__ == "__main__":
    main()
