"""Functions that ask for class, size and contents of values."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.matlab.runtime import arithmetic
from spatial_v2.matlab.runtime.functions import matlab
from spatial_v2.matlab.runtime.making import whole
from spatial_v2.matlab.runtime.value_types import (
    Array,
    Cell,
    Handle,
    MatlabError,
    Struct,
    Text,
    class_of,
    copy,
    objects,
    string,
    value,
)

__all__ = ["named_options", "nargin"]


def nargin(*args: Any) -> int:
    """Return the number of arguments that are given."""
    return sum(x is not None for x in args)


def named_options(given: Any, **defaults: Any) -> Any:
    """Return the struct of an ``arguments`` block with names: defaults, and what a call gives."""
    from spatial_v2.matlab.runtime.value_types import Struct

    found = {n: value(x) for n, x in defaults.items() if x is not None}
    for name, x in zip(given[::2], given[1::2], strict=True):
        if string(name) not in defaults:
            known = ", ".join(defaults)
            raise MatlabError(f"{string(name)}: no such argument; want one of {known}")
        found[string(name)] = value(x)
    return Struct(objects([found]))


@matlab("class")
def class_(x: Any) -> Any:
    return class_of(x)


@matlab()
def isa(x: Any, name: Any) -> Any:
    found, asked = class_of(x), string(name)
    groups = {
        "float": ("double", "single"),
        "numeric": (
            "double",
            "single",
            *(f"{u}int{n}" for u in ("", "u") for n in (8, 16, 32, 64)),
        ),
        "integer": tuple(f"{u}int{n}" for u in ("", "u") for n in (8, 16, 32, 64)),
    }
    return (
        found == asked
        or found in groups.get(asked, ())
        or asked in getattr(x, "matlab_classes", ())
    )


@matlab()
def size(x: Any, axis: Any = None, *more: Any, nargout: int = 1) -> Any:
    shape = x.shape
    if more:
        axis = Array(np.array([[float(whole(k)) for k in (axis, *more)]]))
    if axis is not None:
        asked = [int(k) - 1 for k in axis.a.ravel()]
        found = [float(shape[k]) if k < len(shape) else 1.0 for k in asked]
        if nargout > 1:
            return tuple(found)
        return np.array(found)[None, :]
    if nargout <= 1:
        return np.array(shape, float)[None, :]
    sizes = [float(n) for n in shape] + [1.0] * (nargout - len(shape))
    return (*sizes[: nargout - 1], float(np.prod(sizes[nargout - 1 :])))


@matlab("numel")
def numel(x: Any, *_: Any) -> Any:
    return float(np.prod(x.shape))


@matlab("length")
def length(x: Any) -> Any:
    return float(max(x.shape)) if np.prod(x.shape) else 0.0


@matlab()
def ndims(x: Any) -> Any:
    return float(len(x.shape))


@matlab()
def rows(x: Any) -> Any:
    return float(x.shape[0])


@matlab()
def columns(x: Any) -> Any:
    return float(x.shape[1])


@matlab()
def nnz(x: Any) -> Any:
    return float(np.count_nonzero(x.a))


@matlab()
def isempty(x: Any) -> Any:
    return 0 in x.shape


def _is(name: str, test: Any) -> None:
    matlab(name)(lambda x, *_: bool(test(x)))


_NUMERIC = ("f", "c", "i", "u")
for _name, _test in {
    "iscell": lambda x: isinstance(x, Cell),
    "isstruct": lambda x: isinstance(x, Struct) and not hasattr(type(x), "matlab_class"),
    "ischar": lambda x: isinstance(x, Text),
    "isstring": lambda x: False,
    "is_function_handle": lambda x: isinstance(x, Handle),
    "islogical": lambda x: class_of(x) == "logical",
    "isbool": lambda x: class_of(x) == "logical",
    "isnumeric": lambda x: type(x) is Array and x.a.dtype.kind in _NUMERIC,
    "isfloat": lambda x: type(x) is Array and x.a.dtype.kind in "fc",
    "isinteger": lambda x: type(x) is Array and x.a.dtype.kind in "iu",
    "isreal": lambda x: (
        isinstance(x, Array) and not (x.a.dtype.kind == "c" and np.any(x.a.imag != 0))
    ),
    "iscomplex": lambda x: isinstance(x, Array) and x.a.dtype.kind == "c",
    "isscalar": lambda x: np.prod(x.shape) == 1,
    "isvector": lambda x: len(x.shape) == 2 and 1 in x.shape and np.prod(x.shape) >= 1,
    "isrow": lambda x: len(x.shape) == 2 and x.shape[0] == 1,
    "iscolumn": lambda x: len(x.shape) == 2 and x.shape[1] == 1,
    "ismatrix": lambda x: len(x.shape) == 2,
    "issquare": lambda x: len(x.shape) == 2 and x.shape[0] == x.shape[1],
    "issparse": lambda x: False,
    "isobject": lambda x: hasattr(type(x), "matlab_class"),
    "ishandle": lambda x: False,
    "ishghandle": lambda x: False,
    "isdiag": lambda x: np.count_nonzero(x.a) == np.count_nonzero(np.diag(x.a)),
    "issymmetric": lambda x: x.a.shape[0] == x.a.shape[1] and np.array_equal(x.a, x.a.T),
    "ishermitian": lambda x: x.a.shape[0] == x.a.shape[1] and np.array_equal(x.a, x.a.conj().T),
    "iscellstr": lambda x: isinstance(x, Cell) and all(isinstance(y, Text) for y in x.a.ravel()),
    "isdeployed": lambda x: False,
}.items():
    _is(_name, _test)


@matlab()
def isspace(x: Any) -> Any:
    return Array(np.isin(x.a, [32, 9, 10, 11, 12, 13]))


@matlab()
def isfield(x: Any, names: Any) -> Any:
    if isinstance(names, Cell):
        have = x.names if isinstance(x, Struct) else []
        return Array(np.array([string(n) in have for n in names.a.ravel()]).reshape(names.a.shape))
    return isinstance(x, Struct) and string(names) in x.names


@matlab()
def isprop(x: Any, name: Any) -> Any:
    return isinstance(x, Struct) and string(name) in x.names


def same(x: Any, y: Any) -> bool:
    """Test if two values are equal, as ``isequal`` does."""
    x, y = value(x), value(y)
    if tuple(x.shape) != tuple(y.shape):
        return False
    if isinstance(x, Struct) or isinstance(y, Struct):
        if not (isinstance(x, Struct) and isinstance(y, Struct)):
            return False
        if set(x.names) != set(y.names):
            return False
        pairs = zip(x.a.ravel(), y.a.ravel(), strict=True)
        return all(same(a[n], b[n]) for a, b in pairs for n in a)
    if isinstance(x, Cell) or isinstance(y, Cell):
        if not (isinstance(x, Cell) and isinstance(y, Cell)):
            return False
        return all(same(a, b) for a, b in zip(x.a.ravel(), y.a.ravel(), strict=True))
    if isinstance(x, Handle) or isinstance(y, Handle):
        return x is y
    return bool(np.all(arithmetic.number(x.a) == arithmetic.number(y.a)))


@matlab()
def isequal(x: Any, *others: Any) -> Any:
    return all(same(x, y) for y in others)


@matlab()
def ismember(x: Any, of: Any, *_: Any, nargout: int = 1) -> Any:
    if isinstance(of, Cell):
        names = [string(y) for y in of.a.ravel(order="F") if isinstance(y, Text) or not y.a.size]
        if isinstance(x, Cell):
            given = [string(y) for y in x.a.ravel(order="F")]
            found = np.array([n in names for n in given]).reshape(x.a.shape, order="F")
            at = np.array([names.index(n) + 1.0 if n in names else 0.0 for n in given])
            return Array(found), Array(at.reshape(x.a.shape, order="F"))
        here = isinstance(x, Text) and string(x) in names
        return here, float(names.index(string(x)) + 1) if here else 0.0
    flat = of.a.ravel(order="F")
    found = np.isin(x.a, flat)
    at = np.array([np.flatnonzero(flat == y)[0] + 1.0 if y in flat else 0.0 for y in x.a.ravel()])
    return Array(found), Array(at.reshape(x.a.shape))


@matlab()
def fieldnames(s: Any) -> Any:
    return Cell(objects(map(Text, s.names), (len(s.names), 1)))


@matlab()
def numfields(s: Any) -> Any:
    return float(len(s.names))


@matlab()
def rmfield(s: Any, names: Any) -> Any:
    gone = [string(n) for n in (names.a.ravel() if isinstance(names, Cell) else [names])]
    for n in gone:
        if n not in s.names:
            raise MatlabError(f"rmfield: structure does not contain remove field {n}")
    return Struct(
        objects(
            ({n: copy(v) for n, v in d.items() if n not in gone} for d in s.a.ravel(order="F")),
            s.a.shape,
        )
    )


@matlab()
def setfield(s: Any, name: Any, v: Any) -> Any:
    from spatial_v2.matlab.runtime.assigning import put

    return put(copy(s), v, string(name))


@matlab()
def getfield(s: Any, name: Any) -> Any:
    from spatial_v2.matlab.runtime.value_types import field

    return field(s, name)


@matlab()
def orderfields(s: Any) -> Any:
    return Struct(
        objects(({n: copy(d[n]) for n in sorted(d)} for d in s.a.ravel(order="F")), s.a.shape)
    )


@matlab()
def struct2cell(s: Any) -> Any:
    return Cell(objects(map(copy, s.a.item().values()), (len(s.names), 1)))


@matlab()
def cell2struct(c: Any, names: Any, axis: Any = None) -> Any:
    listed = [string(n) for n in (names.a.ravel() if isinstance(names, Cell) else [names])]
    a = c.a if (1 if axis is None else whole(axis)) == 1 else c.a.T
    return Struct(
        objects(
            ({n: copy(a[k, j]) for k, n in enumerate(listed)} for j in range(a.shape[1])),
            (a.shape[1], 1),
        )
    )


@matlab()
def validateattributes(*_: Any) -> Any:
    return None


@matlab("logical")
def logical(x: Any) -> Any:
    return Array(arithmetic.truth(x.a))


@matlab("double")
def double(x: Any) -> Any:
    if x.a.dtype == object:
        return Array(np.vectorize(float)(x.a))
    return Array(x.a.astype(complex if x.a.dtype.kind == "c" else float))


@matlab("single")
def single(x: Any) -> Any:
    return Array(x.a.astype(np.float32))


for _kind in [f"{u}int{n}" for u in ("", "u") for n in (8, 16, 32, 64)]:
    matlab(_kind)(
        lambda x, k=_kind: Array(arithmetic.limited(arithmetic.number(x.a).astype(float), k))
    )


@matlab()
def cast(x: Any, kind: Any) -> Any:
    from spatial_v2.matlab.runtime.functions import FUNCTIONS

    return FUNCTIONS[string(kind)](x)


@matlab("complex")
def complex_(x: Any, y: Any = 0) -> Any:
    return Array(x.a + 1j * getattr(y, "a", y))
