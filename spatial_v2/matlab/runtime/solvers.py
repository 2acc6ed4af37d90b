"""Solvers: differential equations, equations, minima, integrals, by SciPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy

from spatial_v2.matlab.runtime.cells import function_named
from spatial_v2.matlab.runtime.functions import matlab, numeric
from spatial_v2.matlab.runtime.making import whole
from spatial_v2.matlab.runtime.values import (
    Array,
    Handle,
    MatlabError,
    Struct,
    Text,
    copy,
    empty,
    objects,
    string,
    value,
)

__all__: list[str] = []

SCIPY: Any = scipy
"""SciPy, which imports its packages when they are first used; its types do not know MATLAB's."""


def _flat(x: Any) -> np.ndarray:
    return np.asarray(value(x).a, float).ravel(order="F")


def options_of(args: tuple[Any, ...]) -> dict[str, Any]:
    """Return options given as structs and as names with values, by names in small letters."""
    found: dict[str, Any] = {}
    rest = list(args)
    while rest:
        x = rest.pop(0)
        if isinstance(x, Struct):
            given = x.a.item().items()
            found |= {n.lower(): v for n, v in given if np.size(getattr(v, "a", 1)) > 0}
        elif isinstance(x, Text) and rest:
            found[string(x).lower()] = rest.pop(0)
    return found


def _struct(args: tuple[Any, ...]) -> Struct:
    d: dict[str, Any] = {}
    rest = list(args)
    while rest:
        x = rest.pop(0)
        if isinstance(x, Struct):
            d |= {n: copy(v) for n, v in x.a.item().items()}
        elif isinstance(x, Text) and rest:
            d[string(x)] = copy(rest.pop(0))
        elif isinstance(x, Text):
            d["Solver"] = x
    return Struct(objects([d]))


for _name in ("optimset", "optimoptions", "sdpsettings"):
    matlab(_name)(lambda *args: _struct(args))
ODE_OPTIONS = (
    "AbsTol", "BDF", "Events", "InitialSlope", "InitialStep", "Jacobian", "JConstant", "JPattern",
    "Mass", "MassSingular", "MaxOrder", "MaxStep", "MStateDependence", "MvPattern", "NonNegative",
    "NormControl", "OutputFcn", "OutputSel", "Refine", "RelTol", "Stats", "Vectorized",
)  # fmt: skip


@matlab()
def odeset(*args: Any) -> Any:
    given = _struct(args).a.item()
    known = {n.lower(): n for n in ODE_OPTIONS}
    named = {known.get(n.lower(), n): x for n, x in given.items()}
    return Struct(objects([{n: empty() for n in ODE_OPTIONS} | named]))


@matlab()
def optimget(options: Any, name: Any, default: Any = None) -> Any:
    found = options_of((options,)).get(string(name).lower())
    return found if found is not None else default if default is not None else empty()


# Dormand and Prince's formulas of orders 5 and 4, and their interpolation
C = np.array([0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1])
A = [
    [],
    [1 / 5],
    [3 / 40, 9 / 40],
    [44 / 45, -56 / 15, 32 / 9],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
]
B4 = np.array([5179 / 57600, 0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40])
MIDDLE = np.array([6025192743 / 30085553152, 0, 51252292925 / 65400821598,
                   -2691868925 / 45128329728, 187940372067 / 1594534317056,
                   -1776094331 / 19743644256, 11237099 / 235043384]) / 2  # fmt: skip
# Bogacki and Shampine's of orders 3 and 2
C3 = np.array([0, 1 / 2, 3 / 4, 1])
A3 = [[], [1 / 2], [0, 3 / 4], [2 / 9, 1 / 3, 4 / 9]]
B2 = np.array([7 / 24, 1 / 4, 1 / 3, 1 / 8])


class _Ode:
    """A differential equation, and what its solver was asked for."""

    def __init__(self, f: Any, span: Any, start: Any, more: tuple[Any, ...]) -> None:
        self.f = function_named(f)
        self.span = _flat(span)
        self.x0 = _flat(start) if not np.iscomplexobj(start.a) else start.a.ravel(order="F")
        self.options = options_of(more[:1]) if more else {}
        self.more = more[1:]
        self.rtol = float(self._option("reltol", 1e-3))
        self.atol = np.asarray(value(self._option("abstol", 1e-6)).a, float).ravel()
        self.sign = 1.0 if self.span[-1] >= self.span[0] else -1.0

    def _option(self, name: str, default: Any) -> Any:
        found = self.options.get(name)
        return default if found is None or np.size(getattr(found, "a", 1)) == 0 else found

    def __call__(self, t: float, x: np.ndarray) -> np.ndarray:
        found = self.f(Array(np.array([[t]])), Array(x[:, None].copy()), *self.more)
        return np.asarray(found.a).ravel(order="F")

    def norm(self, x: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
        scale = np.maximum(self.atol, self.rtol * np.maximum(np.abs(a), np.abs(b)))
        return float(np.max(np.abs(x) / scale, initial=0.0))

    def first_step(self, order: int) -> float:
        """Choose a first step as in section II.4 of Hairer, Norsett, Wanner."""
        given = self._option("initialstep", None)
        if given is not None:
            return float(given)
        x0, t0 = self.x0, self.span[0]
        f0 = self(t0, x0)
        d0, d1 = self.norm(x0, x0, x0), self.norm(f0, f0, f0)
        h0 = 1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1
        f1 = self(t0 + self.sign * h0, x0 + self.sign * h0 * f0)
        d2 = self.norm(f1 - f0, f1 - f0, f1 - f0) / h0
        most = max(d1, d2)
        h1 = max(1e-6, h0 * 1e-3) if most <= 1e-15 else (0.01 / most) ** (1 / (order + 1))
        return min(100 * h0, h1)


def _runge_kutta(
    name: str, nodes: np.ndarray, rows: Any, low: np.ndarray, order: int, refine: int
) -> None:
    @numeric(name)
    def solver(f: Any, span: Any, start: Any, *more: Any, nargout: int = 1) -> Any:
        ode = _Ode(f, span, start, more)
        return _integrated(ode, nodes, rows, low, order, refine, nargout, name)


def _integrated(
    ode: _Ode, nodes: Any, rows: Any, low: Any, order: int, refine: int, nargout: int, name: str
) -> Any:
    t, x, end = ode.span[0], ode.x0, ode.span[-1]
    most = float(ode._option("maxstep", 0.1 * abs(end - t)))
    step = min(abs(ode.first_step(order)), most)
    wanted = ode.span if len(ode.span) > 2 else None
    refine = whole(ode._option("refine", refine))
    events = ode._option("events", None)
    times, states = [t], [x]
    found: dict[str, list[Any]] = {"t": [], "x": [], "i": []}
    k1, at, stop = ode(t, x), 1, False
    before = _event(events, t, x, ode) if events is not None else None
    while ode.sign * (end - t) > 1e-14 * abs(end) and not stop:
        step = min(step, ode.sign * (end - t))
        h = ode.sign * step
        ks = [k1]
        for c, row in zip(nodes[1:], rows[1:], strict=True):
            ks.append(ode(t + c * h, x + h * sum(a * k for a, k in zip(row, ks, strict=True))))
        K = np.array(ks)
        new = x + h * (np.array(rows[-1]) @ K[:-1])
        rough = x + h * (low @ K)
        err = ode.norm(new - rough, new, x)
        if not np.all(np.isfinite(new)):
            err = np.inf
        if err <= 1:
            t1 = end if ode.sign * (end - t - h) <= 0 else t + h

            def between(
                s: float, t: float = t, x: Any = x, h: float = h, K: Any = K, new: Any = new
            ) -> Any:
                return _between(s, x, h, K, new, order)

            if events is not None and before is not None:
                t1, new, stop, before = _crossed(ode, events, before, t, t1, h, new, between, found)
            if wanted is None:
                for n in range(1, refine):
                    s = n / refine
                    times.append(t + s * (t1 - t))
                    states.append(between(s * (t1 - t) / h))
                times.append(t1)
                states.append(new)
            else:
                while at < len(wanted) and ode.sign * (wanted[at] - t1) <= 0:
                    last = wanted[at] == t1
                    times.append(wanted[at])
                    states.append(new if last else between((wanted[at] - t) / h))
                    at += 1
                if stop and times[-1] != t1:
                    times.append(t1)
                    states.append(new)
            t, x, k1 = t1, new, ks[-1] if len(ks) == len(low) else ode(t1, new)
            if stop:
                break
        factor = 0.38 ** (1 / (order + 1)) * (1 / max(err, 1e-300)) ** (1 / (order + 1))
        step = min(step * min(1.5, max(0.8, factor)), most)
        if step < 1e-14 * max(abs(t), 1e-300):
            import warnings

            warnings.warn(f"{name}: the step became too small at t = {t:g}", stacklevel=4)
            break
    T, X = np.array(times)[:, None], np.array(states)
    if nargout <= 1:
        return Struct(x=Array(T.T), y=Array(X.T), solver=name)
    e = [
        np.array(found["t"])[:, None],
        np.array(found["x"]).reshape(-1, len(ode.x0)),
        np.array(found["i"], float)[:, None],
    ]
    return (T, X, *e)


def _between(s: float, x: np.ndarray, h: float, K: np.ndarray, new: np.ndarray, order: int) -> Any:
    """Interpolate in a step: s goes from 0 to 1."""
    if order == 5:
        middle = x + h * (MIDDLE @ K)
        # quartic through both ends with their slopes, and through the middle
        d0, d1 = h * K[0], h * K[-1]
        base = x * (1 - 3 * s**2 + 2 * s**3) + d0 * (s - 2 * s**2 + s**3)
        base = base + new * (3 * s**2 - 2 * s**3) + d1 * (s**3 - s**2)
        half = 0.5 * (x + new) + 0.125 * (d0 - d1)
        made: np.ndarray = base + 16 * s**2 * (1 - s) ** 2 * (middle - half)
        return made
    d0, d1 = h * K[0], h * K[-1]
    return (
        x * (1 - 3 * s**2 + 2 * s**3)
        + d0 * (s - 2 * s**2 + s**3)
        + new * (3 * s**2 - 2 * s**3)
        + d1 * (s**3 - s**2)
    )


def _event(events: Any, t: float, x: np.ndarray, ode: _Ode) -> tuple[np.ndarray, ...]:
    found = function_named(events)(
        Array(np.array([[t]])), Array(x[:, None].copy()), *ode.more, nargout=3
    )
    return tuple(_flat(y) for y in found)


def _crossed(
    ode: _Ode,
    events: Any,
    before: Any,
    t: float,
    t1: float,
    h: float,
    new: np.ndarray,
    between: Any,
    found: Any,
) -> Any:
    """Look for a zero of the event functions in a step."""
    brentq = SCIPY.optimize.brentq

    after = _event(events, t1, new, ode)
    crossings = []
    for k, (a, b) in enumerate(zip(before[0], after[0], strict=True)):
        rising = b > a
        if a * b < 0 or (a != 0 and b == 0):
            way = after[2][k] if k < len(after[2]) else 0
            if way == 0 or (way > 0) == rising:

                def g(s: float, k: int = k) -> float:
                    return float(_event(events, t + s * h, between(s), ode)[0][k])

                s1 = (t1 - t) / h
                s = brentq(g, 0, s1, xtol=1e-14) if b != 0 else s1
                crossings.append((s, k))
    stop = False
    for s, k in sorted(crossings):
        found["t"].append(t + s * h)
        found["x"].append(between(s))
        found["i"].append(k + 1)
        if after[1][k if k < len(after[1]) else 0]:
            stop = True
            t1, new = t + s * h, between(s)
            break
    return t1, new, stop, after


_runge_kutta("ode45", C, A, B4, 5, 1)
_runge_kutta("ode23", C3, A3, B2, 3, 1)


def _stiff(name: str, method: str) -> None:
    @numeric(name)
    def solver(f: Any, span: Any, start: Any, *more: Any, nargout: int = 1) -> Any:
        solve_ivp = SCIPY.integrate.solve_ivp

        ode = _Ode(f, span, start, more)
        at = ode.span if len(ode.span) > 2 else None
        found = solve_ivp(
            ode,
            (ode.span[0], ode.span[-1]),
            ode.x0,
            method,
            t_eval=at,
            rtol=ode.rtol,
            atol=ode.atol if ode.atol.size > 1 else float(ode.atol[0]),
        )
        T, X = found.t[:, None], found.y.T
        if nargout <= 1:
            return Struct(x=Array(T.T), y=Array(X.T), solver=name)
        return T, X


for _name, _method in {
    "ode15s": "BDF", "ode23s": "Radau", "ode23t": "Radau", "ode23tb": "Radau", "ode113": "LSODA",
    "ode78": "DOP853", "ode89": "DOP853",
}.items():  # fmt: skip
    _stiff(_name, _method)


@numeric()
def deval(sol: Any, t: Any) -> Any:
    CubicSpline = SCIPY.interpolate.CubicSpline

    x, y = _flat(sol.x), sol.y.a
    return CubicSpline(x, y, axis=1)(t.a.ravel())


def _scalar(f: Any, shape: tuple[int, ...], more: tuple[Any, ...] = ()) -> Callable[[Any], float]:
    g = function_named(f)
    return lambda x: float(g(Array(np.reshape(x, shape, order="F")), *more))


@numeric()
def fminsearch(f: Any, x0: Any, options: Any = None, *more: Any, nargout: int = 1) -> Any:
    minimize = SCIPY.optimize.minimize

    asked = options_of((options,)) if options is not None else {}
    tol = float(asked.get("tolx", 1e-4))
    found = minimize(
        _scalar(f, x0.a.shape, more),
        _flat(x0),
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

    found = minimize(_scalar(f, x0.a.shape), _flat(x0), method="BFGS", options={"gtol": 1e-8})
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
        _scalar(f, (1, 1)), bounds=(float(a), float(b)), method="bounded", options={"xatol": 1e-8}
    )
    return float(found.x), float(found.fun), 1.0


@numeric()
def fzero(f: Any, x0: Any, *more: Any, nargout: int = 1) -> Any:
    brentq = SCIPY.optimize.brentq

    g = _scalar(f, (1, 1))
    ends = _flat(x0)
    if len(ends) == 1:
        a = b = ends[0]
        for grow in np.array(
            [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 50, 100, 500, 1000]
        ):
            for sign in (-1, 1):
                b = a + sign * grow * (abs(a) if a else 1) if abs(a) > 0 else sign * grow
                if g(a) * g(b) <= 0:
                    break
            else:
                continue
            break
        ends = np.array([a, b])
    if g(ends[0]) * g(ends[1]) > 0:
        raise MatlabError("fzero: not a valid initial bracketing")
    x = brentq(g, ends[0], ends[1], xtol=1e-15, rtol=8.9e-16) if ends[0] != ends[1] else ends[0]
    return float(x), g(x), 1.0


def _residuals(f: Any, shape: Any) -> Callable[[Any], np.ndarray]:
    g = function_named(f)
    return lambda x: np.asarray(g(Array(np.reshape(x, shape, order="F"))).a, float).ravel(order="F")


@numeric()
def fsolve(f: Any, x0: Any, *more: Any, nargout: int = 1) -> Any:
    root = SCIPY.optimize.root

    g = _residuals(f, x0.a.shape)
    square = len(g(_flat(x0))) == x0.a.size
    found = root(g, _flat(x0), method="hybr" if square else "lm", tol=1e-12)
    value_ = function_named(f)(Array(found.x.reshape(x0.a.shape, order="F")))
    done = float(np.max(np.abs(found.fun), initial=0.0) < 1e-6)
    return found.x.reshape(x0.a.shape, order="F"), value_, done


@numeric()
def lsqnonlin(
    f: Any, x0: Any, low: Any = None, high: Any = None, *more: Any, nargout: int = 1
) -> Any:
    least_squares = SCIPY.optimize.least_squares

    bounds = [
        (-np.inf if k == 0 else np.inf) if b is None or not b.a.size else _flat(b)
        for k, b in enumerate((low, high))
    ]
    found = least_squares(
        _residuals(f, x0.a.shape),
        _flat(x0),
        bounds=tuple(bounds),
        xtol=1e-12,
        ftol=1e-12,
        gtol=1e-12,
    )
    return (found.x.reshape(x0.a.shape, order="F"), float(2 * found.cost), found.fun[:, None], 1.0)


@numeric()
def lsqcurvefit(f: Any, x0: Any, xdata: Any, ydata: Any, *more: Any, nargout: int = 1) -> Any:
    least_squares = SCIPY.optimize.least_squares

    g = function_named(f)

    def off(x: Any) -> Any:
        found = g(Array(np.reshape(x, x0.a.shape, order="F")), xdata)
        return (found.a - ydata.a).ravel(order="F")

    found = least_squares(off, _flat(x0), xtol=1e-12, ftol=1e-12, gtol=1e-12)
    return found.x.reshape(x0.a.shape, order="F"), float(2 * found.cost)


def _given(x: Any) -> bool:
    return x is not None and isinstance(x, Array) and x.a.size > 0


def _linear_rules(A_: Any, b: Any, Aeq: Any, beq: Any) -> list[dict[str, Any]]:
    """Return A x <= b and Aeq x = beq as constraints of `scipy.optimize.minimize`."""
    rules: list[dict[str, Any]] = []
    if _given(A_):
        rules.append({"type": "ineq", "fun": lambda x: _flat(b) - A_.a @ x, "jac": lambda x: -A_.a})
    if _given(Aeq):
        rules.append(
            {"type": "eq", "fun": lambda x: Aeq.a @ x - _flat(beq), "jac": lambda x: Aeq.a}
        )
    return rules


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
            if rule(k, _flat(x0)).size:
                rules.append(
                    {"type": kind, "fun": lambda x, k=k: (-1 if k == 0 else 1) * rule(k, x)}
                )
    lows = _flat(low) if _given(low) else [-np.inf] * x0.a.size
    highs = _flat(high) if _given(high) else [np.inf] * x0.a.size
    found = minimize(
        _scalar(f, shape),
        _flat(x0),
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
    c = _flat(f) if _given(f) else np.zeros(len(Q))
    if not any(map(_given, (A_, low, high))):
        if not _given(Aeq):
            x = np.linalg.solve(Q, -c)
        else:
            m = len(Aeq.a)
            K = np.block([[Q, Aeq.a.T], [Aeq.a, np.zeros((m, m))]])
            x = np.linalg.lstsq(K, np.r_[-c, _flat(beq)], rcond=None)[0][: len(Q)]
        return x[:, None], float(0.5 * x @ Q @ x + c @ x), 1.0
    rules = _linear_rules(A_, b, Aeq, beq)
    lows = _flat(low) if _given(low) else [-np.inf] * len(Q)
    highs = _flat(high) if _given(high) else [np.inf] * len(Q)
    start = _flat(x0) if _given(x0) else np.clip(np.zeros(len(Q)), lows, highs)
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

    n = f.a.size
    lows = _flat(low) if _given(low) else [None] * n
    highs = _flat(high) if _given(high) else [None] * n
    found = solve(
        _flat(f),
        A_.a if _given(A_) else None,
        _flat(b) if _given(A_) else None,
        Aeq.a if _given(Aeq) else None,
        _flat(beq) if _given(Aeq) else None,
        bounds=list(zip(lows, highs, strict=True)),
    )
    if found.x is None:
        return empty(), empty(), -2.0
    return found.x[:, None], float(found.fun), 1.0


@numeric()
def lsqlin(C_: Any, d: Any, *more: Any, nargout: int = 1) -> Any:
    Q, c = C_.a.T @ C_.a, -(C_.a.T @ _flat(d))
    from spatial_v2.matlab.runtime.functions import FUNCTIONS

    return FUNCTIONS["quadprog"](Array(Q), Array(c[:, None]), *more, nargout=nargout)


@numeric("integral", "quad", "quadgk", "quadl", "quadv")
def integral(f: Any, a: Any, b: Any, *more: Any) -> Any:
    quad_vec = SCIPY.integrate.quad_vec

    g = function_named(f)

    def at(x: float) -> Any:
        return g(Array(np.array([[x]]))).a

    found, _ = quad_vec(at, float(a), float(b), epsabs=1e-12, epsrel=1e-12)
    return found


@numeric()
def trapz(x: Any, y: Any = None, axis: Any = None) -> Any:
    from spatial_v2.matlab.runtime.numbers import axis_of

    f = x if y is None else y
    k = axis_of(f.a, axis)
    at = None if y is None else x.a.ravel()
    return np.expand_dims(np.trapezoid(f.a, at, axis=k), k)


@numeric()
def cumtrapz(x: Any, y: Any = None) -> Any:
    cumulative_trapezoid = SCIPY.integrate.cumulative_trapezoid

    from spatial_v2.matlab.runtime.numbers import axis_of

    f = x if y is None else y
    at = None if y is None else x.a.ravel()
    return cumulative_trapezoid(f.a, at, axis=axis_of(f.a), initial=0)


@numeric()
def gradient(f: Any, *steps: Any) -> Any:
    a = f.a
    given = [s.a.item() if s.a.size == 1 else s.a.ravel() for s in steps]
    if 1 in a.shape:
        return np.gradient(a.ravel(), *given).reshape(a.shape)
    dy, dx = np.gradient(a, *(given[::-1] or [1.0]))
    return dx, dy


@numeric()
def polyfit(x: Any, y: Any, n: Any, nargout: int = 1) -> Any:
    return np.polyfit(_flat(x), _flat(y), whole(n))[None, :]


@numeric()
def polyval(p: Any, x: Any) -> Any:
    return Array(np.asarray(np.polyval(p.a.ravel(), x.a)))


@numeric()
def roots(p: Any) -> Any:
    return np.roots(p.a.ravel())[:, None]


@numeric()
def poly(x: Any) -> Any:
    return np.atleast_1d(np.poly(x.a.ravel() if 1 in x.a.shape else x.a))[None, :]


@numeric()
def polyder(p: Any) -> Any:
    return np.polyder(p.a.ravel())[None, :]


@numeric()
def polyint(p: Any) -> Any:
    return np.polyint(p.a.ravel())[None, :]


@numeric()
def conv(a: Any, b: Any, *_: Any) -> Any:
    flat = np.convolve(a.a.ravel(), b.a.ravel())
    return flat[:, None] if a.a.shape[1] == 1 and a.a.size > 1 else flat[None, :]


@numeric("filter")
def filter_(b: Any, a: Any, x: Any) -> Any:
    lfilter = SCIPY.signal.lfilter

    return lfilter(b.a.ravel(), a.a.ravel(), x.a, axis=1 if x.a.shape[0] == 1 else 0)


@numeric()
def interp1(x: Any, y: Any, xi: Any = None, *more: Any) -> Any:
    if xi is None or isinstance(xi, Text):
        more = (xi, *more) if xi is not None else more
        n = y.a.shape[0] if y.a.shape[0] > 1 else y.a.size
        y, xi, x = x, y, Array(np.arange(1.0, n + 1)[:, None])
    words = [string(m) for m in more if isinstance(m, Text)]
    method = next((w.lower() for w in words if w.lower() != "extrap"), "linear")
    extrapolate = any(w.lower() == "extrap" for w in words) or method in (
        "spline",
        "pchip",
        "cubic",
    )
    outside = next((float(m) for m in more if not isinstance(m, Text)), np.nan)
    at, values = x.a.ravel(), y.a.ravel() if 1 in y.a.shape else y.a
    order = np.argsort(at)
    at, values = at[order], values[order]
    q = xi.a.ravel()
    f = _interpolant(method, at, values)
    found = np.asarray(f(q), dtype=complex if np.iscomplexobj(values) else float)
    out = (q < at[0]) | (q > at[-1]) | np.isnan(q)
    if not extrapolate or (
        method in ("pchip", "cubic", "spline")
        and "extrap" not in words
        and method != "spline"
        and method != "pchip"
        and method != "cubic"
    ):
        found[out] = outside
    if not np.isnan(outside):
        found[out] = outside
    if values.ndim == 1:
        return found.reshape(xi.a.shape)
    return found


def _interpolant(method: str, at: np.ndarray, values: np.ndarray) -> Any:
    interpolate = SCIPY.interpolate

    if method == "spline":
        return interpolate.CubicSpline(at, values)
    if method in ("pchip", "cubic"):
        return interpolate.PchipInterpolator(at, values)
    if method == "makima":
        return interpolate.Akima1DInterpolator(at, values, method="makima")
    if method in ("nearest", "previous", "next"):
        kind = {"nearest": "nearest-up"}.get(method, method)
        return interpolate.interp1d(at, values, kind, axis=0, fill_value="extrapolate")
    return interpolate.interp1d(at, values, axis=0, fill_value="extrapolate")


def _nearest(grid: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return the nearest points of a grid, the upper of two; NaN outside."""
    found = grid[np.searchsorted((grid[1:] + grid[:-1]) / 2, at, side="right")]
    return np.where((at >= grid[0]) & (at <= grid[-1]), found, np.nan)


@numeric()
def interp2(*args: Any) -> Any:
    RegularGridInterpolator = SCIPY.interpolate.RegularGridInterpolator

    words = [string(a) for a in args if isinstance(a, Text)]
    *grid, z, xi, yi = (a.a for a in args if not isinstance(a, Text))
    x, y = grid or (np.arange(1.0, n + 1)[None, :] for n in z.shape[::-1])
    gx = x[0] if min(x.shape) > 1 else x.ravel()
    gy = y[:, 0] if min(y.shape) > 1 else y.ravel()
    asked = words[0] if words else "linear"
    method = {"linear": "linear", "nearest": "nearest", "spline": "cubic"}.get(asked)
    if method is None:
        raise MatlabError(f"interp2: want 'linear', 'nearest' or 'spline', got {asked!r}")
    if method == "nearest":
        xi, yi, method = _nearest(gx, xi), _nearest(gy, yi), "linear"
    f = RegularGridInterpolator((gy, gx), z, method, bounds_error=False, fill_value=np.nan)
    if xi.shape != yi.shape:
        xi, yi = np.meshgrid(xi.ravel(), yi.ravel())
    return f(np.stack([yi, xi], -1))


def _piecewise(breaks: np.ndarray, coefficients: np.ndarray, dim: int = 1) -> Struct:
    """Return MATLAB's struct of a piecewise polynomial."""
    pieces = len(breaks) - 1
    return Struct(
        form="pp", breaks=Array(breaks[None, :]), coefs=Array(coefficients),
        pieces=float(pieces), order=float(coefficients.shape[-1]), dim=float(dim),
    )  # fmt: skip


@numeric("spline", "pchip")
def spline(x: Any, y: Any, xi: Any = None) -> Any:
    CubicSpline = SCIPY.interpolate.CubicSpline

    at = x.a.ravel()
    values = y.a.ravel() if 1 in y.a.shape else y.a.T
    ends: Any = "not-a-knot"
    if len(values) == len(at) + 2:
        ends, values = ((1, values[0]), (1, values[-1])), values[1:-1]
    f = CubicSpline(at, values, bc_type=ends)
    if xi is not None:
        found = f(xi.a.ravel())
        return found.reshape(xi.a.shape) if values.ndim == 1 else found.T
    c = f.c  # (4, pieces, ...)
    if c.ndim == 2:
        return _piecewise(at, c.T.copy())
    dim = c.shape[2]
    return _piecewise(at, c.transpose(1, 2, 0).reshape(-1, 4), dim)


@numeric()
def mkpp(breaks: Any, coefficients: Any, dim: Any = None) -> Any:
    d = 1 if dim is None else whole(dim)
    return _piecewise(breaks.a.ravel(), coefficients.a, d)


@numeric()
def ppval(pp: Any, x: Any) -> Any:
    PPoly = SCIPY.interpolate.PPoly

    c, breaks, dim = pp.coefs.a, pp.breaks.a.ravel(), whole(pp.dim)
    pieces = len(breaks) - 1
    shaped = c.reshape(pieces, dim, -1).transpose(2, 0, 1)
    found = PPoly(shaped, breaks)(x.a.ravel())
    return found[:, 0].reshape(x.a.shape) if dim == 1 else found.T


@numeric()
def ppder(pp: Any) -> Any:
    c = pp.coefs.a
    n = c.shape[1]
    return _piecewise(pp.breaks.a.ravel(), c[:, :-1] * np.arange(n - 1, 0, -1), whole(pp.dim))


@numeric()
def fnder(pp: Any, n: Any = None) -> Any:
    for _ in range(1 if n is None else whole(n)):
        c = pp.coefs.a
        pp = _piecewise(
            pp.breaks.a.ravel(), c[:, :-1] * np.arange(c.shape[1] - 1, 0, -1), whole(pp.dim)
        )
    return pp


@numeric()
def fnval(pp: Any, x: Any) -> Any:
    if not isinstance(pp, Struct):
        pp, x = x, pp
    from spatial_v2.matlab.runtime.functions import FUNCTIONS

    return FUNCTIONS["ppval"](pp, x)


@numeric("c2d")
def c2d(a: Any, b: Any, step: Any, *_: Any, nargout: int = 2) -> Any:
    expm = scipy.linalg.expm

    n, m = b.a.shape
    big = np.zeros((n + m, n + m))
    big[:n, :n], big[:n, n:] = a.a, b.a
    found = expm(big * float(step))
    return found[:n, :n], found[:n, n:]
