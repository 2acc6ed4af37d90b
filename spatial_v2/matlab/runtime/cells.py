"""Functions that call functions: ``cellfun``, ``arrayfun``, ``deal``; conversion of cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.matlab.runtime.functions import matlab
from spatial_v2.matlab.runtime.making import join
from spatial_v2.matlab.runtime.value_types import (
    Array,
    Cell,
    Handle,
    MatlabError,
    Struct,
    Text,
    copy,
    objects,
    string,
    value,
)

__all__ = ["called", "function_named"]


def function_named(name: Any) -> Any:
    """Return a function as handle: of a handle itself, or by its name."""
    if isinstance(name, Handle):
        return name
    text = string(name)
    if text.startswith("@"):
        raise MatlabError("text with the code of a function is not run; write a handle")
    from spatial_v2.matlab import runtime

    return Handle(getattr(runtime, text), text)


def _options(args: tuple[Any, ...]) -> tuple[list[Any], bool, Any]:
    given, uniform, failing = list(args), True, None
    while (
        len(given) > 2
        and isinstance(given[-2], Text)
        and string(given[-2]) in ("UniformOutput", "uniformoutput", "ErrorHandler")
    ):
        x, name = given.pop(), string(given.pop())
        if name == "ErrorHandler":
            failing = x
        else:
            uniform = bool(x)
    return given, uniform, failing


def _mapped(f: Any, rows: list[Any], shape: Any, uniform: bool, failing: Any, nargout: int) -> Any:
    n = max(nargout, 1)
    results: list[list[Any]] = [[] for _ in range(n)]
    for row in rows:
        try:
            found = f(*row, nargout=nargout)
        except Exception:
            if failing is None:
                raise
            found = failing(Struct(message="", identifier="", index=1.0), *row, nargout=nargout)
        if found is None and nargout <= 1:
            continue
        for k, x in enumerate(found if n > 1 else (found,)):
            results[k].append(value(x))
    made: list[Any] = []
    for xs in results:
        if not uniform:
            made.append(Cell(objects(map(copy, xs), shape)))
            continue
        if any(x.a.size != 1 or isinstance(x, (Cell, Struct)) for x in xs):
            raise MatlabError(
                "cellfun: all values must be scalars when UniformOutput = true; use the "
                "'UniformOutput', false option"
            )
        if not xs:
            made.append(Array(np.zeros(shape)) if not len(rows) else None)
            continue
        joined = np.array([x.a.item() for x in xs])
        kind = xs[0].__class__
        made.append(
            kind(joined.astype(float) if kind is Text else joined).__class__(
                (joined.astype(float) if kind is Text else joined).reshape(shape, order="F")
            )
        )
    return tuple(made) if n > 1 else made[0]


@matlab()
def cellfun(f: Any, *args: Any, nargout: int = 1) -> Any:
    given, uniform, failing = _options(args)
    f = function_named(
        {"size": "size", "isclass": "isa"}.get(str(f), f) if isinstance(f, Text) else f
    )
    for c in given:
        if not isinstance(c, Cell):
            raise MatlabError("cellfun: C must be a cell array")
    if any(c.a.shape != given[0].a.shape for c in given):
        raise MatlabError("cellfun: all the input arguments must have the same size and shape")
    rows = list(zip(*(c.a.ravel(order="F") for c in given), strict=True))
    return _mapped(f, rows, given[0].a.shape, uniform, failing, nargout)


@matlab()
def arrayfun(f: Any, *args: Any, nargout: int = 1) -> Any:
    given, uniform, failing = _options(args)
    f = function_named(f)
    if any(c.shape != given[0].shape for c in given):
        raise MatlabError("arrayfun: all the input arguments must have the same size and shape")
    n = int(np.prod(given[0].shape))
    rows = [tuple(c(k + 1) for c in given) for k in range(n)]
    return _mapped(f, rows, given[0].shape, uniform, failing, nargout)


@matlab()
def structfun(f: Any, s: Any, *args: Any, nargout: int = 1) -> Any:
    _, uniform, failing = _options((f, s, *args))
    rows = [(v,) for v in s.a.item().values()]
    found = _mapped(f, rows, (len(rows), 1), uniform, failing, nargout)
    if uniform or nargout > 1:
        return found
    return Struct(objects([dict(zip(s.names, found.a.ravel(), strict=True))]))


@matlab()
def feval(f: Any, *args: Any, nargout: int = 1) -> Any:
    return called(function_named(f), args, nargout)


def called(f: Any, args: Any, nargout: int = 1) -> Any:
    """Call a function for `nargout` results."""
    return f(*args, nargout=nargout)


@matlab()
def deal(*x: Any, nargout: int = 1) -> Any:
    if len(x) == 1:
        return tuple(copy(x[0]) for _ in range(max(nargout, 1)))
    if len(x) != max(nargout, 1):
        raise MatlabError("deal: nargin > 1 and nargin != nargout")
    return tuple(x)


@matlab()
def func2str(f: Any) -> Any:
    found = f.text or getattr(f.f, "__name__", "")
    if found == "<lambda>":
        raise MatlabError("func2str: the text of an anonymous function is not kept")
    return found


@matlab()
def str2func(name: Any) -> Any:
    return function_named(name)


@matlab()
def num2cell(x: Any) -> Any:
    if isinstance(x, Cell):
        return Cell(objects((Cell(objects([copy(y)])) for y in x.a.ravel(order="F")), x.a.shape))
    return Cell(objects((x.__class__(np.array([[y]])) for y in x.a.ravel(order="F")), x.a.shape))


@matlab()
def cell2mat(c: Any) -> Any:
    if not c.a.size:
        return np.zeros((0, 0))
    if len({(type(x), x.a.dtype.kind == "b") for x in c.a.flat}) > 1:
        raise MatlabError("cell2mat: all entries must be of one type")
    return join([join(list(row), 1) for row in c.a], 0)


@matlab()
def mat2cell(x: Any, *sizes: Any) -> Any:
    if len(sizes) < 2:
        sizes = (*sizes, Array(np.array([[float(x.a.shape[1])]])))
    ends = [np.cumsum([0, *s.a.ravel().astype(int)]) for s in sizes[:2]]
    parts = [
        x.__class__(x.a[ends[0][i] : ends[0][i + 1], ends[1][j] : ends[1][j + 1]].copy())
        for j in range(len(ends[1]) - 1)
        for i in range(len(ends[0]) - 1)
    ]
    return Cell(objects(parts, (len(ends[0]) - 1, len(ends[1]) - 1)))


@matlab()
def bsxfun(f: Any, x: Any, y: Any) -> Any:
    return function_named(f)(x, y)


@matlab("tic")
def tic(nargout: int = 0) -> Any:
    import time

    _START.append(time.perf_counter())
    return float(_START[-1])


@matlab("toc")
def toc(start: Any = None, nargout: int = 1) -> Any:
    import time

    begun = float(start) if start is not None else _START[-1] if _START else time.perf_counter()
    return time.perf_counter() - begun


_START: list[float] = []


@matlab()
def clock() -> Any:
    import time

    t = time.localtime()
    return np.array([[*map(float, t[:6])]])


@matlab()
def etime(a: Any, b: Any) -> Any:
    return float((b.a - a.a).ravel() @ np.array([31536000, 2592000, 86400, 3600, 60, 1.0]))


@matlab("cputime", "now")
def cputime() -> Any:
    import time

    return time.process_time()
