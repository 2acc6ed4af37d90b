"""Typed wrappers of Numba's extension interface, which has no type hints."""

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

import numba
import numba.extending
from numba import types as _types
from numba.core import cgutils as _cgutils

from spatial_v2.engine.compile.private import arrayobj, castgraph, imputils, templates

F = TypeVar("F", bound=Callable[..., Any])

AbstractTemplate: Any = templates.AbstractTemplate
Conversion: Any = castgraph.Conversion
NativeValue: Any = numba.extending.NativeValue
OpaqueModel: Any = numba.extending.models.OpaqueModel
PrimitiveModel: Any = numba.extending.models.PrimitiveModel
Type: Any = _types.Type
types: Any = _types
cgutils: Any = _cgutils
config: Any = numba.config
carray: Any = numba.carray  # type: ignore[attr-defined]
typeof: Any = numba.typeof
make_array: Any = arrayobj.make_array
populate_array: Any = arrayobj.populate_array
impl_ret_borrowed: Any = imputils.impl_ret_borrowed
impl_ret_new_ref: Any = imputils.impl_ret_new_ref
signature: Any = templates.signature
infer_global: Any = templates.infer_global
intrinsic: Callable[[Callable[..., Any]], Any] = numba.extending.intrinsic
lower_builtin: Callable[..., Callable[[F], F]] = numba.extending.lower_builtin
lower_cast: Callable[..., Callable[[F], F]] = numba.extending.lower_cast
register_model: Callable[..., Callable[[F], F]] = numba.extending.register_model
box: Callable[..., Callable[[F], F]] = numba.extending.box
unbox: Callable[..., Callable[[F], F]] = numba.extending.unbox


def overload(function: Any, **options: Any) -> Callable[[F], F]:
    """Call Numba's `overload` for functions with any annotations, which Numba would compare.

    So the implementation for some types of arguments may be `function` itself.
    """

    def decorate(choose: F) -> F:
        @functools.wraps(choose)
        def chosen(*args: Any, **kw: Any) -> Any:
            choice = choose(*args, **kw)
            return choice and FunctionType(
                choice.__code__, choice.__globals__, choice.__name__, None, choice.__closure__
            )

        chosen.__annotations__ = choose.__annotations__ = {}
        numba.extending.overload(function, **options)(chosen)
        return choose

    return decorate
