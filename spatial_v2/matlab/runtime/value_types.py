"""MATLAB's values: arrays, texts, cells, structs, function handles.

A value is assigned whole or by `put`; both leave other variables as they are. Where two variables
may hold one object, `copy` marks it as held twice, and `put` then changes a new one.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import MethodType, SimpleNamespace
from typing import Any, TypeGuard

import numpy as np

from spatial_v2.exceptions import SpatialError
from spatial_v2.matlab.runtime import arithmetic
from spatial_v2.matlab.runtime.subscripts import taken

__all__ = [
    "Array",
    "Cell",
    "CommaList",
    "Handle",
    "MatlabError",
    "Struct",
    "Text",
    "Value",
    "array",
    "copy",
    "empty",
    "handle",
    "is_model",
    "items",
    "numbers",
    "objects",
    "own",
    "raw",
    "string",
    "value",
]


CONVERSIONS: dict[str, Callable[[Any], Any]] = {}
"""Library of Python's -> conversion of its objects to MATLAB's values."""


class MatlabError(SpatialError):
    """Error that MATLAB raises too, with an identifier."""

    def __init__(self, message: str, identifier: str = "") -> None:
        super().__init__(message)
        self.identifier = identifier


class CommaList(list[Any]):
    """Several values in a row, as ``c{:}`` and ``s.x`` of an array of structs stand for."""


class Value:
    """A value of MATLAB's; `twice` is True if two variables may hold it."""

    __slots__ = ("a", "twice")

    def __init__(self, a: Any) -> None:
        self.a: np.ndarray = a
        self.twice = False

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of rows, of columns, of pages."""
        return self.a.shape

    def __call__(self, *subscripts: Any) -> Any:
        """Return the entries ``x(i, j)``, counted from 1."""
        if any(isinstance(s, CommaList) for s in subscripts):
            subscripts = tuple(items(subscripts))
        return self.__class__(own(taken(self.a, subscripts))) if subscripts else self

    @property
    def T(self) -> Any:
        """The transpose ``x.'``."""
        return self.__class__(own(_flat(self.a).T.copy()))

    @property
    def H(self) -> Any:
        """The transpose ``x'``."""
        return self.T


def _flat(a: np.ndarray) -> np.ndarray:
    if a.ndim > 2:
        raise MatlabError("transpose: want a matrix, got an array of more than two axes")
    return a


def own(a: np.ndarray) -> np.ndarray:
    """Return entries for a second array: values among them are held twice, structs copied."""
    if a.dtype == object:
        for k in np.ndindex(a.shape):
            entry = a[k]
            if isinstance(entry, dict):
                a[k] = {n: copy(x) for n, x in entry.items()}
            elif isinstance(entry, Value):
                entry.twice = True
    return a


def _reflected(f: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return f(other, self)

    return method


def _operator(f: Callable[[Any, Any], np.ndarray]) -> Callable[[Any, Any], Any]:
    """Make an operator of arrays from a function of NumPy's arrays and numbers."""

    def method(x: Any, y: Any) -> Any:
        if hasattr(y, "_call"):
            return NotImplemented
        return Array(f(raw(x), raw(y)))

    return method


class Array(Value):
    """Numbers, logical values or symbols, with at least two axes.

    Operators are MATLAB's: ``*`` and ``/`` entry by entry as ``.*`` and ``./``, ``@`` as ``*``.
    """

    __slots__ = ()
    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, a: np.ndarray) -> None:
        self.a = a
        self.twice = False

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.asarray(self.a, dtype)

    __add__ = _operator(arithmetic.add)
    __sub__ = _operator(arithmetic.subtract)
    __mul__ = _operator(arithmetic.times)
    __truediv__ = _operator(arithmetic.divide)
    __pow__ = _operator(arithmetic.power)
    __matmul__ = _operator(arithmetic.product)
    __eq__ = _operator(arithmetic.equal)
    __ne__ = _operator(arithmetic.unequal)
    __lt__ = _operator(arithmetic.less)
    __le__ = _operator(arithmetic.less_equal)
    __gt__ = _operator(arithmetic.greater)
    __ge__ = _operator(arithmetic.greater_equal)
    __and__ = _operator(arithmetic.both)
    __or__ = _operator(arithmetic.either)
    __radd__ = _reflected(__add__)
    __rsub__ = _reflected(__sub__)
    __rmul__ = _reflected(__mul__)
    __rtruediv__ = _reflected(__truediv__)
    __rpow__ = _reflected(__pow__)
    __rmatmul__ = _reflected(__matmul__)
    __rand__ = _reflected(__and__)
    __ror__ = _reflected(__or__)

    def __neg__(self) -> Array:
        return Array(-arithmetic.number(self.a))

    def __pos__(self) -> Array:
        return Array(+arithmetic.number(self.a))

    def __invert__(self) -> Array:
        return Array(~arithmetic.truth(self.a))

    @property
    def H(self) -> Array:
        """The conjugate transpose ``x'``."""
        a = _flat(self.a).T
        return self.__class__(a.conj() if a.dtype.kind == "c" else a.copy())

    def __bool__(self) -> bool:
        return bool(self.a.size and np.all(arithmetic.truth(self.a)))

    def __float__(self) -> float:
        return float(self._one().real)

    def __int__(self) -> int:
        return int(self.__float__())

    __index__ = __int__

    def __complex__(self) -> complex:
        return complex(self._one())

    def _one(self) -> Any:
        if self.a.size != 1:
            raise MatlabError(f"want a single number, got an array of size {sized(self.a.shape)}")
        return self.a.item()

    def __iter__(self) -> Any:
        """Yield the columns, as a loop goes through them."""
        for k in range(self.a.shape[1]):
            yield self.__class__(self.a[:, k : k + 1].copy())

    def __repr__(self) -> str:
        return str(self.a.item()) if self.a.size == 1 else str(self.a)


def sized(shape: tuple[int, ...]) -> str:
    """Return a size in words, as ``2x3``."""
    return "x".join(map(str, shape))


class Text(Array):
    """Text: an array of character codes."""

    __slots__ = ()

    def __init__(self, a: np.ndarray | str) -> None:
        if isinstance(a, str):
            a = np.array([[float(ord(c)) for c in a]]).reshape(min(1, len(a)), len(a))
        super().__init__(a)

    def __str__(self) -> str:
        return "".join(chr(int(x)) for x in self.a.ravel())

    __repr__ = __str__


class Cell(Value):
    """A cell: ``c[i, j]`` is an entry, as ``c{i, j}``; ``c(i, j)`` a cell of entries."""

    __slots__ = ()

    def __init__(self, a: np.ndarray) -> None:
        self.a = a
        self.twice = False

    def __getitem__(self, at: Any) -> Any:
        subscripts = at if isinstance(at, tuple) else (at,)
        found = taken(self.a, subscripts)
        if found.size == 1:
            return copy(found.item())
        return CommaList(copy(x) for x in found.ravel(order="F"))

    def __iter__(self) -> Any:
        for k in range(self.a.shape[1]):
            yield Cell(own(self.a[:, k : k + 1].copy()))

    def __repr__(self) -> str:
        return "{" + "; ".join(", ".join(map(repr, row)) for row in self.a) + "}"


class Struct(Value):
    """A struct, or an array of structs: entries are dictionaries with the same keys."""

    __slots__ = ("model",)

    def __init__(self, a: Any = None, **fields: Any) -> None:
        if a is None:
            a = objects([{n: value(x) for n, x in fields.items()}])
        self.a = a
        self.twice = False
        self.model: Any = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return field(self, name)

    @property
    def T(self) -> Any:
        """A field of this name, or the transpose."""
        return field(self, "T") if "T" in self.names else super().T

    @property
    def H(self) -> Any:
        """A field of this name, or the transpose."""
        return field(self, "H") if "H" in self.names else super().T

    @property
    def names(self) -> list[str]:
        """Names of the fields."""
        first = self.a.flat[0] if self.a.size else {}
        return list(first)

    def __iter__(self) -> Any:
        for k in range(self.a.shape[1]):
            yield Struct(own(self.a[:, k : k + 1].copy()))

    def __repr__(self) -> str:
        return f"struct of size {sized(self.a.shape)} with fields {', '.join(self.names)}"


def field(s: Any, name: Any) -> Any:
    """Return the field ``s.(name)``: of several structs all values."""
    name = str(name)
    if hasattr(s, "_field"):
        return s._field(name)
    if not isinstance(s, Struct):
        raise MatlabError(f"`.{name}`: want a struct, got {class_of(s)}")
    if s.a.size == 1:
        d = s.a.item()
        if name not in d:
            raise MatlabError(f"the struct has no field {name!r}; it has {', '.join(d)}")
        return copy(d[name])
    return CommaList(copy(d[name]) for d in s.a.ravel(order="F"))


class Handle(Value):
    """A function handle: called with MATLAB's values, for ``nargout`` results."""

    __slots__ = ("counts", "f", "text")

    def __init__(self, f: Callable[..., Any], text: str = "") -> None:
        self.f, self.text = f, text
        self.twice = False
        self.a = objects([None])
        self.counts = counts(f)

    def __call__(self, *args: Any, nargout: int = 1) -> Any:
        given = items(args)
        if self.counts:
            return self.f(*given, nargout=nargout)
        found = self.f(*given)
        if nargout > 1:
            raise MatlabError(f"{self.text or 'the function'} has one result, not {nargout}")
        return value(found)


def counts(f: Callable[..., Any]) -> bool:
    """Test if a function has an argument for the number of results."""
    try:
        return "nargout" in inspect.signature(f).parameters
    except (TypeError, ValueError):
        return False


def handle(f: Any, text: str = "") -> Handle:
    """Return the handle of a function."""
    return f if isinstance(f, Handle) else Handle(f, text)


def class_of(x: Any) -> str:
    """Return the class of a value, as ``class(x)``."""
    x = value(x)
    named = {Cell: "cell", Struct: "struct", Handle: "function_handle", Text: "char"}
    if type(x) in named:
        return named[type(x)]
    if isinstance(x, Array):
        kind = x.a.dtype
        if kind.kind in "iu":
            return str(kind)
        return {"b": "logical", "O": "sym"}.get(
            kind.kind, "single" if kind.itemsize == 4 * (1 + (kind.kind == "c")) else "double"
        )
    return str(getattr(x, "matlab_class", type(x).__name__))


def objects(found: Any, shape: tuple[int, ...] | None = None) -> np.ndarray:
    """Return an array that holds the given objects as they are; a row by default."""
    found = list(found)
    a = np.empty(len(found), dtype=object)
    for k, x in enumerate(found):
        a[k] = x
    return a.reshape(shape or (1, len(found)), order="F")


def empty() -> Array:
    """Return ``[]``."""
    return Array(np.zeros((0, 0)))


def copy(x: Any) -> Any:
    """Return a value for a second variable: whichever is changed first becomes a new object."""
    if isinstance(x, Value):
        x.twice = True
        return x
    return None if x is None else value(x)


def value(x: Any) -> Any:
    """Convert a value of Python's: a vector becomes a column, a list a row of cells."""
    if isinstance(x, (Value, CommaList)) or hasattr(type(x), "matlab_class"):
        return x
    if hasattr(x, "as_value"):
        return x.as_value()
    if isinstance(x, (bool, np.bool_)):
        return Array(np.array([[bool(x)]]))
    if isinstance(x, (int, float, np.integer, np.floating)):
        return Array(np.array([[float(x)]]))
    if isinstance(x, (complex, np.complexfloating)):
        return Array(np.array([[complex(x)]]))
    if isinstance(x, str):
        return Text(x)
    if x is None:
        return empty()
    if isinstance(x, np.ndarray):
        return array(x)
    if isinstance(x, (list, tuple)):
        return Cell(objects(value(y) for y in x))
    if isinstance(x, dict):
        return Struct(objects([{str(n): value(y) for n, y in x.items()}]))
    if isinstance(x, SimpleNamespace):
        return value(vars(x))
    if hasattr(x, "free_symbols") or hasattr(x, "is_Number"):
        return Array(objects([x]))
    if (of := CONVERSIONS.get(type(x).__module__.partition(".")[0])) is not None:
        return of(x)
    if isinstance(x, MethodType) and isinstance(x.__self__, Value):
        return x()  # a method that is called without parentheses
    if callable(x) and not hasattr(x, "NB"):
        return Handle(x)
    return x


def array(x: np.ndarray, row: bool = False) -> Any:
    """Convert an array of NumPy's; a vector to a column, or to a row."""
    if x.dtype.kind in "iu" and x.dtype.itemsize == 8:
        x = x.astype(float)
    if x.ndim < 2:
        x = x.reshape((1, -1) if row else (-1, 1))
    while x.ndim > 2 and x.shape[-1] == 1:
        x = x[..., 0]
    return Array(x)


def raw(x: Any) -> Any:
    """Return the numbers of an operand."""
    if isinstance(x, Array):
        return x.a
    if isinstance(x, str):
        return Text(x).a
    if isinstance(x, (Cell, Struct, Handle)):
        raise MatlabError(f"no operator is defined for a {class_of(x)}")
    if isinstance(x, CommaList):
        return raw(x[0])
    return x


def string(x: Any) -> str:
    """Return the text of a value."""
    if isinstance(x, str):
        return x
    if isinstance(x, Text) or (isinstance(x, Array) and x.a.size == 0):
        return str(Text(x.a))
    if isinstance(x, Cell) and x.a.size == 1:
        return string(x.a.item())
    raise MatlabError(f"want text, got {class_of(x)}")


def items(x: Any) -> list[Any]:
    """Return the values that a list of arguments stands for, each converted."""
    found: list[Any] = []
    for y in x:
        if isinstance(y, CommaList):
            found += y
        else:
            found.append(value(y))
    return found


def numbers(x: Any) -> list[Any]:
    """Return what `items` returns; logical values are numbers."""
    return [
        Array(y.a.astype(float)) if isinstance(y, Array) and y.a.dtype.kind == "b" else y
        for y in items(x)
    ]


def is_model(x: Any) -> TypeGuard[Struct]:
    """Test if a value is a struct that describes a robot."""
    return isinstance(x, Struct) and x.a.size == 1 and {"parent", "jtype"} <= x.a.item().keys()
