"""Functions of symbols, by SymPy: arrays whose entries are expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spatial_v2.matlab.runtime.functions import numeric
from spatial_v2.matlab.runtime.making import whole
from spatial_v2.matlab.runtime.value_types import Array, Cell, Text, copy, objects, string, value

__all__ = ["derivative", "symbol"]


def symbol(name: str, *assumptions: str) -> Array:
    """Return a symbol, as ``syms`` makes it."""
    import sympy

    known = {a: True for a in assumptions if a in ("real", "positive", "integer")}
    return Array(objects([sympy.Symbol(name, **known)]))


def _each(f: Callable[[Any], Any], x: Any) -> Array:
    return Array(objects(map(f, x.a.ravel(order="F")), x.a.shape))


@numeric("sym")
def sym(x: Any, *args: Any) -> Any:
    import sympy

    if isinstance(x, Text):
        words = [string(a) for a in args if isinstance(a, Text)]
        sizes = [int(n) for a in args if not isinstance(a, Text) for n in a.a.ravel()]
        if not sizes:
            text = string(x)
            if text.isidentifier():
                return symbol(text, *words)
            return Array(objects([sympy.sympify(text.replace("^", "**"))]))
        r, c = (sizes * 2)[:2]
        names = [
            [
                f"{string(x)}{i + 1}_{j + 1}" if min(r, c) > 1 else f"{string(x)}{i + j + 1}"
                for j in range(c)
            ]
            for i in range(r)
        ]
        return Array(
            np.array([[symbol(n, *words).a.item() for n in row] for row in names], dtype=object)
        )
    if x.a.dtype == object:
        return copy(x)
    return _each(lambda y: sympy.nsimplify(float(y), rational=True), x)


def derivative(x: Any, *by: Any) -> Any:
    """Return the derivative of expressions."""
    import sympy

    times, variables = 1, []
    for b in by:
        if b is None:
            continue
        if b.a.dtype == object:
            variables += list(b.a.ravel())
        else:
            times = whole(b)
    if not variables:
        free = sorted(set().union(*(sympy.sympify(y).free_symbols for y in x.a.ravel())), key=str)
        variables = free[:1]
    for _ in range(times):
        for v in variables:
            x = Array(objects((sympy.diff(y, v) for y in x.a.ravel(order="F")), x.a.shape))
    return x


@numeric()
def jacobian(f: Any, x: Any) -> Any:
    import sympy

    return Array(
        np.array(
            [[sympy.diff(a, b) for b in x.a.ravel(order="F")] for a in f.a.ravel(order="F")],
            dtype=object,
        )
    )


@numeric()
def hessian(f: Any, x: Any, nargout: int = 1) -> Any:
    import sympy

    v = list(x.a.ravel(order="F"))
    return Array(np.array(sympy.hessian(f.a.item(), v), dtype=object))


for _name in ("simplify", "expand", "factor", "collect"):

    @numeric(_name)
    def _shaped(x: Any, *_: Any, name: str = _name) -> Any:
        import sympy

        if name == "factor" and x.a.dtype != object:
            powers = sympy.factorint(whole(x)) or {1: 1}
            return Array(np.array([[float(p) for p, n in powers.items() for _ in range(n)]]))

        return _each(lambda y: getattr(sympy, name)(y), x)


@numeric()
def subs(x: Any, old: Any = None, new: Any = None) -> Any:
    import sympy

    if old is None:
        return copy(x)
    before = (
        old.a.ravel(order="F")
        if not isinstance(old, Cell)
        else [y.a.item() for y in old.a.ravel(order="F")]
    )
    after = (
        new.a.ravel(order="F")
        if not isinstance(new, Cell)
        else [y.a.item() for y in new.a.ravel(order="F")]
    )
    if isinstance(old, Text):
        before = [sympy.Symbol(string(old))]
    if len(after) == 1:
        after = list(after) * len(before)
    pairs = [
        (a, sympy.nsimplify(b, rational=True) if isinstance(b, float) else b)
        for a, b in zip(before, after, strict=True)
    ]
    return _each(lambda y: sympy.sympify(y).subs(pairs, simultaneous=True), x)


@numeric("int")
def int_(f: Any, *by: Any) -> Any:
    import sympy

    given = [b.a.item() for b in by]
    if len(given) == 3:
        return _each(lambda y: sympy.integrate(y, tuple(given)), f)
    free = sorted(sympy.sympify(f.a.item()).free_symbols, key=str)
    v = given[0] if len(given) == 1 else free[0]
    if len(given) == 2:
        return _each(lambda y: sympy.integrate(y, (free[0], *given)), f)
    return _each(lambda y: sympy.integrate(y, v), f)


@numeric()
def solve(*args: Any, nargout: int = 1) -> Any:
    import sympy

    equations = list(args[0].a.ravel())
    unknown = [
        v for a in args[1:] if isinstance(a, Array) and a.a.dtype == object for v in a.a.ravel()
    ]
    found = sympy.solve(equations, unknown, dict=True)
    columns = [Array(objects([s[v] for s in found], (len(found), 1))) for v in unknown]
    return tuple(columns) if len(columns) > 1 else columns[0]


@numeric("vpa")
def vpa(x: Any, digits: Any = None) -> Any:
    import sympy

    return _each(lambda y: sympy.N(y, 32 if digits is None else whole(digits)), x)


@numeric("assume", "assumeAlso")
def assume(*_: Any) -> Any:
    return None


@numeric("matlabFunction")
def matlabFunction(f: Any, *options: Any) -> Any:
    import sympy

    names = [string(o).lower() if isinstance(o, Text) else "" for o in options]
    if "vars" in names:
        given = options[names.index("vars") + 1]
        groups = (
            list(given.a.ravel(order="F"))
            if isinstance(given, Cell)
            else [Array(objects([v])) for v in given.a.ravel(order="F")]
        )
    else:
        free = sorted(set().union(*(sympy.sympify(y).free_symbols for y in f.a.ravel())), key=str)
        groups = [Array(objects([v])) for v in free]
    flat = [v for g in groups for v in g.a.ravel(order="F")]
    g = sympy.lambdify(flat, list(f.a.ravel(order="F")), "numpy")

    def call(*args: Any) -> Any:
        numbers = [x for a in args for x in value(a).a.ravel(order="F")]
        return np.array(g(*numbers)).reshape(f.a.shape, order="F")

    return call
