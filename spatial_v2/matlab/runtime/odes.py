"""Differential equations: Runge-Kutta methods with MATLAB's steps, and methods of SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.matlab.runtime.cells import function_named
from spatial_v2.matlab.runtime.functions import numeric
from spatial_v2.matlab.runtime.making import whole
from spatial_v2.matlab.runtime.solver_options import SCIPY, flat, options_of
from spatial_v2.matlab.runtime.value_types import (
    Array,
    Struct,
    value,
)

__all__: list[str] = []

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
        self.span = flat(span)
        self.x0 = flat(start) if not np.iscomplexobj(start.a) else start.a.ravel(order="F")
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
        first = self._option("initialstep", None)
        if first is not None:
            return float(first)
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
    least = 1e-14 * abs(end)
    while ode.sign * (end - t) > least and not stop:
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
            t1 = end if ode.sign * (end - t - h) <= least else t + h

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
    return tuple(flat(y) for y in found)


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

    x, y = flat(sol.x), sol.y.a
    return CubicSpline(x, y, axis=1)(t.a.ravel())
