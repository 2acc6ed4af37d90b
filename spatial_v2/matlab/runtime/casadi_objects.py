"""CasADi of MATLAB by CasADi of Python: matrices of expressions, functions, ``Opti``, solvers.

``ml.casadi.SX.sym("x", 3)`` is `casadi.SX.sym`; results are values of the runtime. Functions of
MATLAB that are given such a matrix, as ``sin(x)``, are those of CasADi.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from spatial_v2.exceptions import SpatialError
from spatial_v2.matlab.runtime.functions import outputs
from spatial_v2.matlab.runtime.value_types import (
    CONVERSIONS,
    Array,
    Cell,
    Handle,
    MatlabError,
    Struct,
    Text,
    Value,
    items,
    objects,
    value,
)

__all__ = ["Matrix", "Object", "casadi", "converted", "of_entries"]


def _library() -> Any:
    try:
        import casadi as library
    except ImportError:
        raise SpatialError(
            "this script uses CasADi, which is not installed: pip install casadi"
        ) from None
    return library


class Matrix(Value):
    """A matrix of CasADi's classes SX, MX or DM, with MATLAB's subscripts and operators."""

    __slots__ = ()
    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]
    a: Any

    @property
    def matlab_class(self) -> str:
        """Name of the class in MATLAB."""
        return f"casadi.{type(self.a).__name__}"

    def __call__(self, *subscripts: Any, nargout: int = 1) -> Any:
        """Return the entries ``x(i, j)``, counted from 1."""
        if not subscripts:
            return self
        places = self._places(items(subscripts))
        if len(places) == 1 and places[0] == slice(None):
            return Matrix(_library().vec(self.a))
        found = self.a[places[0] if len(places) == 1 else tuple(places)]
        given = getattr(subscripts[0], "shape", (1, 1))
        if len(places) == 1 and 1 not in self.a.shape and found.shape[::-1] == given:
            found = found.T
        return Matrix(found)

    def _places(self, subscripts: list[Any]) -> list[Any]:
        lengths = self.a.shape if len(subscripts) > 1 else (self.a.numel(),)
        return [_places(s, n) for s, n in zip(subscripts, lengths, strict=False)]

    def _put(self, new: Any, steps: tuple[Any, ...]) -> Matrix:
        if len(steps) != 1 or not isinstance(steps[0], tuple):
            raise MatlabError(f"a part of a {self.matlab_class} is assigned by parentheses")
        library = _library()
        entries = _matrix(new)
        kinds = {type(self.a), type(entries)}
        changed = next(k for k in (library.MX, library.SX, library.DM) if k in kinds)(self.a)
        places = self._places(items(steps[0]))
        changed[places[0] if len(places) == 1 else tuple(places)] = entries
        return Matrix(changed)

    def _join(self, parts: list[Any], axis: int) -> Matrix:
        library = _library()
        some = [_matrix(p) for p in parts if not isinstance(p, Array) or p.a.size]
        return Matrix((library.horzcat if axis else library.vertcat)(*some))

    def _call(self, name: str, given: list[Any], nargout: int) -> Any:
        """Return a function of MATLAB's at this matrix; NotImplemented if CasADi has none."""
        return applied(name, given, nargout)

    def _plain(self, name: str) -> Any:
        """Return numbers as an array, for functions that CasADi does not have."""
        numbers = isinstance(self.a, _library().DM) and name not in ("class", "isa", "isobject")
        return Array(np.asarray(self.a.full())) if numbers else self

    @property
    def T(self) -> Matrix:
        """The transpose."""
        return Matrix(self.a.T)

    H = T

    def __neg__(self) -> Matrix:
        return Matrix(-self.a)

    def __pos__(self) -> Matrix:
        return self

    def __invert__(self) -> Matrix:
        return Matrix(_library().logic_not(self.a))

    def __bool__(self) -> bool:
        return bool(np.all(self._numbers() != 0)) and self.a.numel() > 0

    def __float__(self) -> float:
        return float(self._numbers().item())

    __int__ = __index__ = lambda self: int(float(self))

    def _numbers(self) -> np.ndarray:
        constant = _library().evalf(self.a) if self.a.is_constant() else None
        if constant is None:
            raise MatlabError(f"want numbers, got a {self.matlab_class} with symbols")
        return np.asarray(constant.full())

    def __iter__(self) -> Any:
        for k in range(self.a.shape[1]):
            yield Matrix(self.a[:, k])

    def __repr__(self) -> str:
        return str(self.a)


def _both(f: Callable[[Any, Any], Any]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    def there(x: Matrix, y: Any) -> Matrix:
        return Matrix(f(x.a, _matrix(y)))

    def back(x: Matrix, y: Any) -> Matrix:
        return Matrix(f(_matrix(y), x.a))

    return there, back


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "pow": operator.pow,
    "matmul": lambda a, b: _library().mtimes(a, b),
    "and": lambda a, b: _library().logic_and(a, b),
    "or": lambda a, b: _library().logic_or(a, b),
}
for _name, _f in OPERATORS.items():
    _there, _back = _both(_f)
    setattr(Matrix, f"__{_name}__", _there)
    setattr(Matrix, f"__r{_name}__", _back)
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Matrix, f"__{_name}__", _both(getattr(operator, _name))[0])


def _places(s: Any, n: int) -> Any:
    """Return a subscript as CasADi takes it: a number or a list, counted from 0, or a slice."""
    if isinstance(s, Handle) and isinstance(s.f, FunctionType):
        s = value(s.f(n))
    if isinstance(s, Text):
        return slice(None)
    if isinstance(s, Matrix):
        return [int(k) - 1 for k in s._numbers().ravel(order="F")]
    a = s.a.ravel(order="F")
    if a.dtype.kind == "b":
        return [int(k) for k in np.flatnonzero(a)]
    found = [int(k) - 1 for k in a]
    if any(k < 0 for k in found):
        raise IndexError(f"subscripts are positive integers, got {min(found) + 1}")
    return found[0] if len(found) == 1 else found


def _matrix(x: Any) -> Any:
    """Return a value as a matrix of CasADi's."""
    x = value(x)
    if isinstance(x, Matrix):
        return x.a
    if isinstance(x, Text) or not isinstance(x, Array):
        raise MatlabError(f"want numbers or a matrix of CasADi's, got {type(x).__name__}")
    return _library().DM(x.a.astype(float))


def of_entries(x: np.ndarray) -> Matrix | None:
    """Return an array of objects as a matrix if entries are CasADi's, a vector as a column."""
    entries = [e for e in x.ravel() if type(e).__module__.startswith("casadi")]
    if not entries:
        return None
    library = _library()
    kind = library.MX if any(isinstance(e, library.MX) for e in entries) else library.SX
    a = x.reshape(-1, 1) if x.ndim < 2 else x
    rows = [library.horzcat(*(kind(e) for e in row)) for row in a]
    return Matrix(library.vertcat(*rows))


def given_to_casadi(x: Any) -> Any:
    """Convert a value of MATLAB's to what CasADi of Python takes."""
    if isinstance(x, (Matrix, Object)):
        return x.a
    if isinstance(x, Text):
        return str(x)
    if isinstance(x, Array):
        if x.a.size != 1:
            return _library().DM(x.a.astype(float)) if x.a.size else _library().DM(*x.a.shape)
        one = x.a.item()
        if isinstance(one, (bool, np.bool_)):
            return bool(one)
        return int(one) if one == np.trunc(one) and abs(one) < 2**31 else float(one)
    if isinstance(x, Cell):
        return [given_to_casadi(y) for y in x.a.ravel(order="F")]
    if isinstance(x, Struct):
        return {n: given_to_casadi(y) for n, y in x.a.item().items()}
    if isinstance(x, Handle):
        return lambda *args: given_to_casadi(x(*map(converted, args)))
    return x


def converted(x: Any) -> Any:
    """Convert a result of CasADi's to a value of MATLAB's."""
    if x is None or isinstance(x, (bool, int, float, str, Value, Object)):
        return value(x) if x is not None else None
    library = _library()
    if isinstance(x, (library.SX, library.MX, library.DM)):
        return Matrix(x)
    if isinstance(x, dict):
        return Struct(objects([{n: converted(y) for n, y in x.items()}]))
    if isinstance(x, (list, tuple)):
        return Cell(objects(map(converted, x)))
    if isinstance(x, np.ndarray):
        return value(x)
    return Object(x) if type(x).__module__.startswith("casadi") else value(x)


CONVERSIONS["casadi"] = converted


class Object:
    """A function, a problem or another object of CasADi's, with the methods that it has there."""

    def __init__(self, a: Any) -> None:
        self.a = a

    shape = (1, 1)

    @property
    def matlab_class(self) -> str:
        """Name of the class in MATLAB."""
        return f"casadi.{type(self.a).__name__}"

    def __call__(self, *args: Any, nargout: int = 1) -> Any:
        """Call a function of CasADi's: with values in order, or with names and values."""
        given = items(args)
        if given and isinstance(given[0], Text):
            named = zip(given[::2], given[1::2], strict=True)
            found = self.a(**{str(n): given_to_casadi(x) for n, x in named})
            return converted(found)
        found = self.a(*map(given_to_casadi, given))
        results = found if isinstance(found, tuple) else (found,)
        return outputs(tuple(map(converted, results)), nargout, "a function of CasADi's")

    def _field(self, name: str) -> Any:
        found = getattr(self.a, name)
        return Method(self.a, found) if callable(found) else converted(found)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._field(name)

    def __repr__(self) -> str:
        return str(self.a)


class Method:
    """A method of an object of CasADi's; as a value it is its result without arguments."""

    def __init__(self, owner: Any, f: Callable[..., Any]) -> None:
        self.owner, self.f = owner, f

    def __call__(self, *args: Any, nargout: int = 1) -> Any:
        given = items(args)
        found = self.f(*map(given_to_casadi, given))
        if self.f.__name__ == "value" and given and isinstance(given[0], Matrix):
            found = np.asarray(found).reshape(given[0].shape, order="F")
        if nargout > 1:
            return outputs(tuple(map(converted, found)), nargout, self.f.__name__)
        return converted(found)

    def as_value(self) -> Any:
        """Return the result without arguments, as ``f.n_in`` of MATLAB is."""
        return self()


class _Class:
    """A class of CasADi's: called as a constructor, with its static functions as attributes."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, *args: Any, nargout: int = 1) -> Any:
        return converted(getattr(_library(), self._name)(*map(given_to_casadi, items(args))))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return _function(getattr(getattr(_library(), self._name), name), name)


def _function(f: Callable[..., Any], name: str) -> Callable[..., Any]:
    def call(*args: Any, nargout: int = 1) -> Any:
        found = f(*map(given_to_casadi, items(args)))
        if nargout > 1 or (isinstance(found, tuple) and nargout == 1):
            return outputs(tuple(map(converted, found)), nargout, name)
        return converted(found)

    return call


class _Package:
    """The package ``casadi`` of MATLAB."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name == "interpolant":
            return _interpolant
        if name in APPLIED:
            return lambda *args, nargout=1: _of_any(name, items(args), nargout)
        there = getattr(_library(), name, None)
        if there is None:
            raise MatlabError(f"CasADi has no function or class {name!r}")
        return _Class(name) if isinstance(there, type) else _function(there, name)


casadi = _Package()
"""The package: ``ml.casadi.SX`` and its kin."""


def _of_any(name: str, given: list[Any], nargout: int) -> Any:
    """Apply a function of CasADi's to matrices or numbers."""
    return outputs(applied(name, given, nargout), nargout, name)


def _interpolant(name: Any, kind: Any, grid: Any, values: Any, *options: Any, **_: Any) -> Any:
    axes = [x.a.ravel(order="F").tolist() for x in value(grid).a.ravel(order="F")]
    entries = value(values).a.ravel(order="F").tolist()
    more = map(given_to_casadi, items(options))
    return Object(_library().interpolant(str(name), str(kind), axes, entries, *more))


# -- functions of MATLAB, and of CasADi, at matrices


def _numbers(x: Any) -> list[int]:
    return [int(k) for k in np.ravel(getattr(x, "a", x))]


def _reshape(x: Any, *sizes: Any) -> Any:
    lengths = [-1 if not np.size(s.a) else k for s in sizes for k in (_numbers(s) or [0])]
    known = int(np.prod([k for k in lengths if k != -1]))
    total = _matrix(x).numel()
    r, c = (total // known if k == -1 else k for k in lengths)
    return _library().reshape(_matrix(x), r, c)


def _repmat(x: Any, *counts: Any) -> Any:
    n = [k for c in counts for k in _numbers(c)]
    return _library().repmat(_matrix(x), n[0], n[1] if len(n) > 1 else n[0])


def _sum(x: Any, axis: Any = None) -> Any:
    library, a = _library(), _matrix(x)
    down = a.shape[0] != 1 if axis is None else int(float(axis)) == 1
    return library.sum1(a) if down else library.sum2(a)


def _extreme(name: str) -> Callable[..., Any]:
    def f(x: Any, y: Any = None) -> Any:
        if y is None:
            return getattr(_library(), f"mm{name}")(_matrix(x))
        return getattr(_library(), f"f{name}")(_matrix(x), _matrix(y))

    return f


def _norm(x: Any, p: Any = None) -> Any:
    kinds = {
        "1": "norm_1",
        "1.0": "norm_1",
        "inf": "norm_inf",
        "Inf": "norm_inf",
        "fro": "norm_fro",
    }
    return getattr(_library(), kinds.get("" if p is None else str(p), "norm_2"))(_matrix(x))


def _diff(x: Any, *_: Any) -> Any:
    a = _matrix(x)
    return a[0, 1:] - a[0, :-1] if a.shape[0] == 1 else a[1:, :] - a[:-1, :]


def _substituted(f: Any, *pairs: Any) -> Any:
    return _library().substitute(*map(given_to_casadi, (f, *pairs)))


def _split(name: str) -> Callable[..., Any]:
    return lambda x, *more: getattr(_library(), name)(_matrix(x), *map(given_to_casadi, more))


def _same(f: str) -> Callable[..., Any]:
    return lambda *given: getattr(_library(), f)(*map(_matrix, given))


def _left(a: Any, b: Any) -> Any:
    a, b = _matrix(a), _matrix(b)
    return b / a if a.is_scalar() else _library().solve(a, b)


def _right(a: Any, b: Any) -> Any:
    a, b = _matrix(a), _matrix(b)
    return a / b if b.is_scalar() else _library().solve(b.T, a.T).T


def _matrix_power(a: Any, n: Any) -> Any:
    a, n = _matrix(a), _matrix(n)
    return a**n if a.is_scalar() else _library().mpower(a, n)


SAME = (
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
    "exp", "log", "log10", "sqrt", "sign", "floor", "ceil", "atan2", "det", "inv", "pinv", "trace",
    "cross", "dot", "kron", "tril", "triu", "diag", "transpose", "expm", "fmin", "fmax", "if_else",
    "sumsqr", "sum1", "sum2", "norm_1", "norm_2", "norm_inf", "norm_fro", "vec", "mtimes", "skew",
    "logic_and", "logic_or", "logic_not", "mmin", "mmax", "fabs", "densify", "fmod", "hypot",
    "cumsum", "bilin", "rank1", "nullspace", "evalf", "simplify", "jtimes", "gradient", "jacobian",
    "inv_skew",
)  # fmt: skip
"""Functions of matrices that have the same name in both."""
APPLIED: dict[str, Callable[..., Any]] = {
    **{n: _same(n) for n in SAME},
    **{
        theirs: _same(ours)
        for theirs, ours in {
            "abs": "fabs", "mod": "fmod", "rem": "remainder", "plus": "plus", "minus": "minus",
            "times": "times", "rdivide": "rdivide", "power": "power", "eq": "eq", "ne": "ne",
            "lt": "lt", "le": "le", "gt": "gt", "ge": "ge", "and": "logic_and", "or": "logic_or",
            "not": "logic_not", "ctranspose": "transpose", "uminus": "minus",
        }.items()
    },
    "reshape": _reshape,
    "repmat": _repmat,
    "sum": _sum,
    "mean": lambda x, *axis: _sum(x, *axis) / (
        _matrix(x).numel() / max(1, _sum(x, *axis).numel())
    ),
    "max": _extreme("max"),
    "min": _extreme("min"),
    "norm": _norm,
    "diff": _diff,
    "mldivide": _left,
    "mrdivide": _right,
    "mpower": _matrix_power,
    "substitute": _substituted,
    "subs": _substituted,
    "vertsplit": _split("vertsplit"),
    "horzsplit": _split("horzsplit"),
    "hessian": lambda f, x: _library().hessian(_matrix(f), _matrix(x)),
    "vertcat": lambda *parts: _library().vertcat(*map(_matrix, parts)),
    "horzcat": lambda *parts: _library().horzcat(*map(_matrix, parts)),
    "full": lambda x: x if not hasattr(x, "_numbers") else x._numbers(),
    "double": lambda x: x._numbers(),
    "sparse": lambda x: x,
    "isequal": lambda a, b: _library().is_equal(_matrix(a), _matrix(b), 2),
    "isreal": lambda x: True,
    "isvector": lambda x: 1 in x.shape,
    "isnumeric": lambda x: False,
    "isnan": lambda x: np.zeros(x.shape, bool),
    "isempty": lambda x: 0 in x.shape,
}  # fmt: skip
"""Function of MATLAB's or CasADi's -> that of matrices of CasADi's."""


def applied(name: str, given: list[Any], nargout: int) -> Any:
    """Return a function at values of which some are CasADi's; NotImplemented if there is none."""
    f = APPLIED.get(name)
    if f is None:
        return NotImplemented
    found = f(*given)
    return tuple(map(converted, found)) if isinstance(found, tuple) else converted(found)
