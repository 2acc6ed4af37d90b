"""Functions of the library that an answer calls."""

from __future__ import annotations

from functools import partial
from types import CodeType, ModuleType
from typing import Any

__all__ = ["library_functions"]

PACKAGES = ("spatial_v2", "derivatives", "tensor_sva")


def library_functions(answer: Any) -> set[str]:
    """Return the names of public functions that an answer is or calls, also by its own functions.

    Examples
    --------
    >>> from spatial_v2 import ID, crm
    >>> library_functions(ID), library_functions(partial(crm))
    ({'ID'}, {'crm'})
    """
    used: set[str] = set()
    seen: set[int] = set()
    waiting = [answer]
    while waiting:
        x = waiting.pop()
        if id(x) in seen:
            continue
        seen.add(id(x))
        if isinstance(x, partial):
            waiting += [x.func, *x.args]
            continue
        x = getattr(x, "__func__", x)
        module = str(getattr(x, "__module__", None))
        if module.split(".")[0] in PACKAGES:
            if not module.startswith("spatial_v2.course"):
                used.add(str(getattr(x, "__name__", "")))
            continue
        code = getattr(x, "__code__", None)
        if isinstance(code, CodeType):
            cells = (cell.cell_contents for cell in x.__closure__ or ())
            names = _names(code)
            values = [x.__globals__[name] for name in names if name in x.__globals__]
            modules = [v for v in values if isinstance(v, ModuleType)]
            waiting += [getattr(v, name) for v in modules for name in names if hasattr(v, name)]
            waiting += [v for v in (*cells, *values) if callable(v)]
    return used - {""}


def _names(code: CodeType) -> set[str]:
    """Return the names that a function uses, with those of functions within it."""
    inner = [_names(x) for x in code.co_consts if isinstance(x, CodeType)]
    return set(code.co_names).union(*inner)
