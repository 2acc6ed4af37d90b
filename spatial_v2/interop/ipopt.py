"""Nonlinear programs with sparse derivatives, solved by the IPOPT that CasADi installs."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from spatial_v2.exceptions import ArrayShapeError, SpatialError

__all__ = ["Programme", "ProgrammeSolution", "solve_ipopt", "sparsity"]


class Programme(Protocol):
    """A nonlinear program: minimise ``objective(x)`` under bounds on x and ``constraints(x)``.

    The methods have the names that `cyipopt` uses, so that ``cyipopt.Problem(n, m,
    problem_obj=...)`` accepts such an object too. A structure lists the rows and columns of nonzero
    entries, whose values are returned in the same order. A Hessian is the lower triangle of the
    Hessian of ``factor * objective + multipliers . constraints``.
    """

    def objective(self, x: np.ndarray) -> float:
        """Compute the objective to minimise."""

    def gradient(self, x: np.ndarray) -> np.ndarray:
        """Compute the gradient of the objective, shape (n,)."""

    def constraints(self, x: np.ndarray) -> np.ndarray:
        """Compute the constraint functions, shape (m,)."""

    def jacobianstructure(self) -> tuple[np.ndarray, np.ndarray]:
        """Return rows and columns of the entries of `jacobian`."""

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        """Compute the nonzero entries of the Jacobian of the constraints."""

    def hessianstructure(self) -> tuple[np.ndarray, np.ndarray]:
        """Return rows and columns of the entries of `hessian`."""

    def hessian(self, x: np.ndarray, multipliers: np.ndarray, factor: float) -> np.ndarray:
        """Compute the entries of the Hessian of the Lagrangian, lower triangle."""


class ProgrammeSolution(NamedTuple):
    """Solution of a nonlinear program, with the status of IPOPT."""

    x: np.ndarray
    """The minimiser, shape (n,)."""
    objective: float
    """The objective at x."""
    multipliers: np.ndarray
    """Multipliers of the constraints, shape (m,)."""
    iterations: int
    """Number of iterations."""
    success: bool
    """True if IPOPT reached its tolerances."""
    status: str
    """Return status of IPOPT."""
    seconds: float
    """Time of the solution [s]."""
    history: dict[str, list[float]]
    """Objective (``obj``), primal and dual infeasibility (``inf_pr``, ``inf_du``) by iteration."""


def solve_ipopt(
    programme: Programme,
    x0: np.ndarray,
    bounds: tuple[np.ndarray, np.ndarray],
    limits: tuple[np.ndarray, np.ndarray],
    *,
    exact: bool = True,
    **options: Any,
) -> ProgrammeSolution:
    """Solve a nonlinear program by the IPOPT that is installed with CasADi.

    Parameters
    ----------
    programme : Programme
        Objective, constraints and derivatives, as methods.
    x0 : array, shape (n,)
        Initial point.
    bounds : tuple of arrays, shape (n,)
        Least and largest values of x; infinite for variables without bounds.
    limits : tuple of arrays, shape (m,)
        Least and largest values of the constraints; equal values make an equality constraint.
    exact : bool, optional
        If True, use second derivatives; otherwise IPOPT approximates them (limited-memory BFGS).
    **options : object
        Options of IPOPT, such as ``tol=1e-8``, ``max_iter=100``.

    Returns
    -------
    ProgrammeSolution
        The solution, and the history of the iterations.

    Raises
    ------
    ArrayShapeError
        If `bounds` or `limits` is not a pair of vectors.
    SpatialError
        If the structure of the Hessian has entries above the diagonal.

    Examples
    --------
    >>> class Circle:
    ...     objective = staticmethod(lambda x: x[0] + x[1])
    ...     gradient = staticmethod(lambda x: np.ones(2))
    ...     constraints = staticmethod(lambda x: x @ x * np.ones(1))
    ...     jacobianstructure = staticmethod(lambda: ([0, 0], [0, 1]))
    ...     jacobian = staticmethod(lambda x: 2 * x)
    ...     hessianstructure = staticmethod(lambda: ([0, 1], [0, 1]))
    ...     hessian = staticmethod(lambda x, multipliers, factor: 2 * multipliers * np.ones(2))
    >>> free = np.full(2, np.inf)
    >>> one, start = np.ones(1), np.array([-0.5, -1.0])
    >>> found = solve_ipopt(Circle(), start, (-free, free), (one, one))
    >>> found.x.round(6), found.success
    (array([-0.707107, -0.707107]), True)
    """
    try:
        import casadi
    except ModuleNotFoundError as error:
        raise ImportError("solve_ipopt needs CasADi: pip install '.[control]'") from error

    n, m, p = len(x0), len(limits[0]), programme
    for name, pair, size in (("bounds", bounds, n), ("limits", limits, m)):
        if [np.shape(x) for x in pair] != [(size,)] * 2:
            raise ArrayShapeError(
                f"{name}: want two arrays of shape ({size},), least and largest values; "
                f"got shapes {', '.join(str(np.shape(x)) for x in pair)}"
            )
    dense, errors = casadi.Sparsity.dense, list[Exception]()
    pattern, put = sparsity(m, n, *p.jacobianstructure())
    x = [("x", dense(n)), ("p", casadi.Sparsity(0, 0))]
    f, g = ("f", dense(1), p.objective), ("g", dense(m), p.constraints)
    gradient = "grad_f_x", dense(n), p.gradient
    jacobian = "jac_g_x", pattern, lambda x: put(p.jacobian(x))
    nlp = _callback("nlp", x, [f, g], errors)
    functions = {
        "grad_f": _callback("grad_f", x, [f, gradient], errors),
        "jac_g": _callback("jac_g", x, [g, jacobian], errors),
    }
    if exact:
        row, column = p.hessianstructure()
        if np.any(np.asarray(row) < np.asarray(column)):
            raise SpatialError(
                "hessianstructure: want the lower triangle, rows at or below columns; the upper "
                "one is its mirror image"
            )
        upper, put_upper = sparsity(n, n, column, row)

        def hessian(x: np.ndarray, factor: np.ndarray, multipliers: np.ndarray) -> np.ndarray:
            return put_upper(p.hessian(x, multipliers, float(factor[0])))

        inputs = [*x, ("lam_f", dense(1)), ("lam_g", dense(m))]
        result = [("triu_hess_gamma_x_x", upper, hessian)]
        functions["hess_lag"] = _callback("hess_lag", inputs, result, errors)
    else:
        options = options | {"hessian_approximation": "limited-memory"}
    quiet = {"print_level": 0, "sb": "yes"}
    settings = {"print_time": False, "no_nlp_grad": True, "show_eval_warnings": False}
    settings |= {"ipopt": quiet | options} | functions
    solver = casadi.nlpsol("solver", "ipopt", nlp, settings)
    (low, high), (least, most) = bounds, limits
    start = time.perf_counter()
    optimum = solver(x0=x0, lbx=low, ubx=high, lbg=least, ubg=most)
    seconds = time.perf_counter() - start
    if errors:
        raise errors[0]
    stats = solver.stats()
    steps = stats.get("iterations", {})
    return ProgrammeSolution(
        np.asarray(optimum["x"])[:, 0],
        float(optimum["f"]),
        np.asarray(optimum["lam_g"])[:, 0],
        int(stats["iter_count"]),
        bool(stats["success"]),
        str(stats["return_status"]),
        seconds,
        {key: list(steps[key]) for key in ("obj", "inf_pr", "inf_du") if key in steps},
    )


def sparsity(
    rows: int, columns: int, row: Any, column: Any
) -> tuple[Any, Callable[[Any], np.ndarray]]:
    """Return a CasADi sparsity pattern, and a function that sums values of repeated entries."""
    import casadi

    flat = np.asarray(column, dtype=int) * rows + np.asarray(row, dtype=int)
    kept, place = np.unique(flat, return_inverse=True)
    pattern = casadi.Sparsity.triplet(
        rows, columns, (kept % rows).tolist(), (kept // rows).tolist()
    )
    return pattern, lambda values: np.bincount(place, values, minlength=len(kept))


def _callback(
    name: str,
    inputs: list[tuple[str, Any]],
    outputs: list[tuple[str, Any, Callable[..., Any]]],
    errors: list[Exception],
) -> Any:
    """Make a CasADi function from Python functions; append the errors they raise to `errors`."""
    import casadi

    class Values(casadi.Callback):
        def __init__(self) -> None:
            casadi.Callback.__init__(self)
            self.construct(name, {})

        def get_n_in(self) -> int:
            return len(inputs)

        def get_n_out(self) -> int:
            return len(outputs)

        def get_name_in(self, i: int) -> str:
            return inputs[i][0]

        def get_name_out(self, i: int) -> str:
            return outputs[i][0]

        def get_sparsity_in(self, i: int) -> Any:
            return inputs[i][1]

        def get_sparsity_out(self, i: int) -> Any:
            return outputs[i][1]

        def has_eval_buffer(self) -> bool:
            return True

        def eval_buffer(self, arg: Any, res: Any) -> int:
            values = [
                np.frombuffer(x, dtype=float) if x is not None and n else np.zeros(n)
                for x, n in (
                    (x, s.nnz()) for x, (name, s) in zip(arg, inputs, strict=True) if name != "p"
                )
            ]
            try:
                for out, (_, _, function) in zip(res, outputs, strict=True):
                    if out is not None:
                        np.frombuffer(out, dtype=float)[:] = function(*values)
            except Exception as error:
                errors.append(error)
                return 1
            return 0

    return Values()
