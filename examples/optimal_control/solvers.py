"""One problem, four solvers: `solve`, IPOPT, the SQP of acados, with exact Hessians or without.

An arm reaches for a configuration within 1 s; torques are small and have limits, which the motion
touches. IPOPT and acados call the forward dynamics in C that `export_casadi` writes; its first
and second derivatives are exact. IPOPT also takes the dynamics as an expression of CasADi, of which
it derives derivatives itself. acados takes part where its Python package is, for instance by
`pip install comma-deps-acados`; a C compiler is needed. Run it:

    python examples/optimal_control/solvers.py
"""

from __future__ import annotations

import ctypes
import os
import tempfile
import time
from contextlib import chdir
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, NamedTuple

import casadi
import numpy as np

from spatial_v2 import load_model
from spatial_v2.control import ControlCost, ShootingProblem, StateCost, solve
from spatial_v2.export import build_library, export_casadi
from spatial_v2.interop.casadi import to_casadi

MODEL = load_model("puma560")
NAME = "puma560_FDab"
START = np.array([0, -1.6, 0.3, 0, 0, 0])
GOAL = np.array([1.2, -0.4, -0.2, 0.5, -0.3, 0.3])
LIMIT = np.array([8.0, 45, 12, 0.3, 0.3, 0.2])
STEPS, H = 40, 0.025
EFFORT, PLACE, SPEED = 1 / LIMIT**2, 1e2, 1e1
"""Weights of squared torques, and of the squared distance and velocities at the end."""
MOST = 300
REST = np.append(START, np.zeros(6))
PROBLEM = ShootingProblem(
    MODEL, START, np.zeros(6), np.full(STEPS, H),
    running=[ControlCost(EFFORT)], terminal=[StateCost(MODEL, GOAL, PLACE, SPEED)],
    lower=-LIMIT, upper=LIMIT,
)  # fmt: skip


class Row(NamedTuple):
    """Result of a solver."""

    solver: str
    hessian: str
    iterations: int
    seconds: float
    """Processor time."""
    cost: float
    status: str
    errors: list[float]
    """Largest error of the optimality conditions before each iteration, and after the last one."""


def library(folder: Path) -> Path:
    """Export the dynamics of the arm for CasADi, and return the shared library."""
    export_casadi(folder, MODEL, level="native")
    return build_library(folder)[0]


def symbols(dynamics: casadi.Function) -> tuple[Any, Any, Any, Any, Any]:
    """State and torques, the state after a step, the cost of a step and that of the end."""
    x, u = casadi.MX.sym("x", 12), casadi.MX.sym("u", 6)
    qd = x[6:] + H * dynamics(x[:6], x[6:], u)
    end = casadi.vertcat(x[:6] + H * qd, qd)
    weights = casadi.DM(np.repeat([PLACE, SPEED], 6))
    missing = x - casadi.DM(np.append(GOAL, np.zeros(6)))
    return x, u, end, H * (u.T @ (casadi.DM(EFFORT) * u)) / 2, missing.T @ (weights * missing) / 2


def by_solve(method: Literal["newton", "ddp", "ilqr"]) -> Row:
    """Solve the problem by this library."""
    solve(PROBLEM, method=method)  # kernels are loaded, or compiled
    begin = time.process_time()
    found = solve(PROBLEM, method=method)
    seconds = time.process_time() - begin
    kind = "Gauss-Newton" if method == "ilqr" else "exact"
    errors = [max(x.stationarity, x.infeasibility) for x in found.log]
    return Row(
        f"solve, {method}", kind, found.iterations, seconds, float(found.cost), str(found.status),
        errors,
    )  # fmt: skip


def by_ipopt(dynamics: casadi.Function, exact: bool, name: str = "IPOPT") -> Row:
    """Solve it with all states and torques as unknowns, by IPOPT."""
    x, u, end, running, terminal = symbols(dynamics)
    step = casadi.Function("step", [x, u], [end, running])
    X, U = casadi.MX.sym("X", 12, STEPS), casadi.MX.sym("U", 6, STEPS)
    ends, costs = step.map(STEPS)(casadi.horzcat(casadi.DM(REST), X[:, :-1]), U)
    last = casadi.Function("last", [x], [terminal])(X[:, -1])
    nlp = {"x": casadi.veccat(X, U), "f": casadi.sum2(costs) + last, "g": casadi.vec(ends - X)}
    options: dict[str, Any] = {"print_level": 0, "tol": 1e-8, "max_iter": MOST}
    if not exact:
        options["hessian_approximation"] = "limited-memory"
    solver = casadi.nlpsol("solver", "ipopt", nlp, {"ipopt": options, "print_time": False})
    free, bound = np.full(12 * STEPS, np.inf), np.tile(LIMIT, STEPS)
    guess = np.append(np.tile(REST, STEPS), 0 * bound)
    begin = time.process_time()
    found = solver(x0=guess, lbx=np.append(-free, -bound), ubx=np.append(free, bound), lbg=0, ubg=0)
    seconds, stats = time.process_time() - begin, solver.stats()
    kind, log = "exact" if exact else "limited-memory BFGS", stats["iterations"]
    errors = [max(x) for x in zip(log["inf_pr"], log["inf_du"], strict=True)]
    return Row(
        name, kind, stats["iter_count"], seconds, float(found["f"]), stats["return_status"], errors
    )


def by_acados(dynamics: casadi.Function, shared: Path, exact: bool) -> Row:
    """Solve it by the SQP method of acados, which compiles a solver around the dynamics."""
    import acados

    os.environ["ACADOS_PYTHON_INTERFACE_PATH"] = acados.TEMPLATE_DIR
    os.environ["TERA_PATH"] = acados.TERA_PATH
    for name in ("libblasfeo.so", "libhpipm.so", "libqpOASES_e.so.3.1"):
        ctypes.CDLL(str(Path(acados.LIB_DIR, name)), ctypes.RTLD_GLOBAL)
    ctypes.CDLL(str(shared), ctypes.RTLD_GLOBAL)
    from acados.acados_template import AcadosOcp, AcadosOcpSolver

    x, u, end, running, terminal = symbols(dynamics)
    ocp = AcadosOcp(acados_path=acados.DIR)
    model, cost, options = ocp.model, ocp.cost, ocp.solver_options
    model.name, model.x, model.u, model.p = "arm", x, u, []
    model.disc_dyn_expr = end
    cost.cost_type = cost.cost_type_e = "EXTERNAL"
    model.cost_expr_ext_cost, model.cost_expr_ext_cost_e = running / H, terminal
    ocp.dims.N, options.tf = STEPS, STEPS * H
    ocp.constraints.x0, ocp.constraints.idxbu = REST, np.arange(6)
    ocp.constraints.lbu, ocp.constraints.ubu = -LIMIT, LIMIT
    options.integrator_type, options.nlp_solver_type = "DISCRETE", "SQP"
    options.qp_solver, options.nlp_solver_max_iter = "PARTIAL_CONDENSING_HPIPM", MOST
    options.globalization, options.print_level = "MERIT_BACKTRACKING", 0
    options.hessian_approx = "EXACT"
    options.exact_hess_dyn = int(exact)
    options.regularize_method = "PROJECT" if exact else "NO_REGULARIZE"
    ocp.acados_lib_path, ocp.acados_include_path = acados.LIB_DIR, acados.INCLUDE_DIR
    with tempfile.TemporaryDirectory() as place, chdir(place):
        ocp.code_export_directory = f"{place}/code"
        solver = AcadosOcpSolver(ocp, json_file=f"{place}/ocp.json")
        for k in range(STEPS + 1):
            solver.set(k, "x", REST)
        begin = time.process_time()
        status = solver.solve()
        seconds, iterations = time.process_time() - begin, solver.get_stats("sqp_iter")
        errors = solver.get_stats("statistics")[1:5].max(axis=0).tolist()
    kind, count = "exact" if exact else "Gauss-Newton", int(iterations[0])
    said = "converged" if status == 0 else f"status {status}"
    return Row("acados, SQP", kind, count, seconds, solver.get_cost(), said, errors)


def main() -> list[Row]:
    """Solve the problem by all solvers that are here, and print a table."""
    with tempfile.TemporaryDirectory() as folder:
        shared = library(Path(folder))
        dynamics = casadi.external(NAME, str(shared))
        methods: tuple[Literal["newton", "ddp", "ilqr"], ...] = "newton", "ddp", "ilqr"
        rows = [by_solve(method) for method in methods]
        rows += [by_ipopt(dynamics, exact) for exact in (True, False)]
        rows.append(by_ipopt(to_casadi(MODEL, "FDab"), True, "IPOPT, SX"))
        if find_spec("acados"):
            rows += [by_acados(dynamics, shared, exact) for exact in (True, False)]
    for row in rows:
        print(
            f"{row.solver:14s} {row.hessian:20s} {row.iterations:5d} iterations "
            f"{1e3 * row.seconds:9.1f} ms  cost {row.cost:.9f}  {row.status}"
        )
    return rows


if __name__ == "__main__":
    main()
