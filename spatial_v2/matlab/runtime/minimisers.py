"""Minima, with bounds and constraints, by SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.matlab.runtime.functions import numeric
from spatial_v2.matlab.runtime.solver_options import SCIPY, flat, is_given, options_of, scalar
from spatial_v2.matlab.runtime.value_types import (
    Array,
    Handle,
    Struct,
    empty,
)

__all__: list[str] = []


@numeric()
def fminsearch(f: Any, x0: Any, options: Any = None, *more: Any, nargout: int = 1) -> Any:
    minimize = SCIPY.optimize.minimize

    asked = options_of((options,)) if options is not None else {}
    tol = float(asked.get("tolx", 1e-4))
    found = minimize(
        scalar(f, x0.a.shape, more),
        flat(x0),
        method="Nelder-Mead",
        options={
            "xatol": tol,
            "fatol": float(asked.get("tolfun", 1e-4)),
            "maxiter": 200 * x0.a.size,
            "maxfev": 200 * x0.a.size,
        },
    )
    return found.x.reshape(x0.a.shape, order="F"), float(found.fun), float(found.success)


@numeric()
def fminunc(f: Any, x0: Any, *more: Any, nargout: int = 1) -> Any:
    minimize = SCIPY.optimize.minimize

    found = minimize(scalar(f, x0.a.shape), flat(x0), method="BFGS", options={"gtol": 1e-8})
    return (
        found.x.reshape(x0.a.shape, order="F"),
        float(found.fun),
        1.0,
        Struct(),
        np.atleast_1d(found.jac)[:, None],
    )


@numeric()
def fminbnd(f: Any, a: Any, b: Any, *more: Any, nargout: int = 1) -> Any:
    minimize_scalar = SCIPY.optimize.minimize_scalar

    found = minimize_scalar(
        scalar(f, (1, 1)), bounds=(float(a), float(b)), method="bounded", options={"xatol": 1e-8}
    )
    return float(found.x), float(found.fun), 1.0


def _linear_rules(A_: Any, b: Any, Aeq: Any, beq: Any) -> list[dict[str, Any]]:
    """Return A x <= b and Aeq x = beq as constraints of `scipy.optimize.minimize`."""
    rules: list[dict[str, Any]] = []
    if is_given(A_):
        rules.append({"type": "ineq", "fun": lambda x: flat(b) - A_.a @ x, "jac": lambda x: -A_.a})
    if is_given(Aeq):
        rules.append({"type": "eq", "fun": lambda x: Aeq.a @ x - flat(beq), "jac": lambda x: Aeq.a})
    return rules


def _bounds(low: Any, high: Any, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the bounds of n variables, infinite where none are given."""
    return (
        flat(low) if is_given(low) else np.full(n, -np.inf),
        flat(high) if is_given(high) else np.full(n, np.inf),
    )


@numeric()
def fmincon(
    f: Any,
    x0: Any,
    A_: Any = None,
    b: Any = None,
    Aeq: Any = None,
    beq: Any = None,
    low: Any = None,
    high: Any = None,
    nonlinear: Any = None,
    options: Any = None,
    nargout: int = 1,
) -> Any:
    minimize = SCIPY.optimize.minimize

    shape = x0.a.shape
    rules = _linear_rules(A_, b, Aeq, beq)
    if isinstance(nonlinear, Handle):

        def rule(k: int, x: Any) -> Any:
            found = nonlinear(Array(np.reshape(x, shape, order="F")), nargout=2)[k]
            return np.asarray(found.a, float).ravel()

        for k, kind in ((0, "ineq"), (1, "eq")):
            if rule(k, flat(x0)).size:
                rules.append(
                    {"type": kind, "fun": lambda x, k=k: (-1 if k == 0 else 1) * rule(k, x)}
                )
    lows, highs = _bounds(low, high, x0.a.size)
    found = minimize(
        scalar(f, shape),
        flat(x0),
        method="SLSQP",
        constraints=rules,
        bounds=list(zip(lows, highs, strict=True)),
        options={"ftol": 1e-12, "maxiter": 1000},
    )
    return (
        found.x.reshape(shape, order="F"),
        float(found.fun),
        1.0 if found.success else 0.0,
        Struct(iterations=float(found.nit), message=str(found.message)),
    )


@numeric()
def quadprog(
    H: Any,
    f: Any,
    A_: Any = None,
    b: Any = None,
    Aeq: Any = None,
    beq: Any = None,
    low: Any = None,
    high: Any = None,
    x0: Any = None,
    options: Any = None,
    nargout: int = 1,
) -> Any:
    minimize = SCIPY.optimize.minimize

    Q = 0.5 * (H.a + H.a.T)
    c = flat(f) if is_given(f) else np.zeros(len(Q))
    if not any(map(is_given, (A_, low, high))):
        if not is_given(Aeq):
            x = np.linalg.solve(Q, -c)
        else:
            m = len(Aeq.a)
            K = np.block([[Q, Aeq.a.T], [Aeq.a, np.zeros((m, m))]])
            x = np.linalg.lstsq(K, np.r_[-c, flat(beq)], rcond=None)[0][: len(Q)]
        return x[:, None], float(0.5 * x @ Q @ x + c @ x), 1.0
    rules = _linear_rules(A_, b, Aeq, beq)
    lows, highs = _bounds(low, high, len(Q))
    start = flat(x0) if is_given(x0) else np.clip(np.zeros(len(Q)), lows, highs)
    found = minimize(
        lambda x: float(0.5 * x @ Q @ x + c @ x),
        start,
        jac=lambda x: Q @ x + c,
        method="SLSQP",
        constraints=rules,
        bounds=list(zip(lows, highs, strict=True)),
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    return found.x[:, None], float(found.fun), 1.0 if found.success else -2.0


@numeric()
def linprog(
    f: Any,
    A_: Any = None,
    b: Any = None,
    Aeq: Any = None,
    beq: Any = None,
    low: Any = None,
    high: Any = None,
    *more: Any,
    nargout: int = 1,
) -> Any:
    solve = SCIPY.optimize.linprog

    lows, highs = _bounds(low, high, f.a.size)
    found = solve(
        flat(f),
        A_.a if is_given(A_) else None,
        flat(b) if is_given(A_) else None,
        Aeq.a if is_given(Aeq) else None,
        flat(beq) if is_given(Aeq) else None,
        bounds=list(zip(lows, highs, strict=True)),
    )
    if found.x is None:
        return empty(), empty(), -2.0
    return found.x[:, None], float(found.fun), 1.0


@numeric()
def lsqlin(C_: Any, d: Any, *more: Any, nargout: int = 1) -> Any:
    Q, c = C_.a.T @ C_.a, -(C_.a.T @ flat(d))
    from spatial_v2.matlab.runtime.functions import FUNCTIONS

    return FUNCTIONS["quadprog"](Array(Q), Array(c[:, None]), *more, nargout=nargout)
