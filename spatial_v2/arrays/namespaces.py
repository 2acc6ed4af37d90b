"""One formula for every kind of array: the namespace of the arguments, and constants that fit it.

Reference implementations are written with the operations of the Python array API standard, found
through `namespace`. They therefore run on real, complex and object NumPy arrays (SymPy, mpmath,
CasADi) and on any other array that follows the standard (JAX, PyTorch, CuPy, and number types such
as bicomplex arrays).
"""

from __future__ import annotations

import sys
from typing import Any

import array_api_compat as _compat
import numpy as np

from spatial_v2.arrays import objects

__all__ = [
    "Array",
    "alike",
    "as_array",
    "constant",
    "is_foreign",
    "is_real",
    "namespace",
    "real_part",
]

Array = Any
"""Any array of the array API standard; shapes and dtypes are stated in the docstrings."""


def is_foreign(x: Any) -> bool:
    """Return whether `x` is an array of the standard, but not NumPy's."""
    return not isinstance(x, (np.ndarray, np.generic)) and (
        hasattr(x, "__array_namespace__") or _compat.is_array_api_obj(x)
    )


def _has_objects(x: Any) -> bool:
    return isinstance(x, np.ndarray) and x.dtype.kind == "O"


def namespace(*xs: Any) -> Any:
    """The array namespace shared by `xs`; NumPy when they are plain numbers, lists or NumPy arrays.

    Constants of a model are NumPy arrays; they never decide: one array of another kind does, or one
    of objects.

    Examples
    --------
    >>> namespace(1.0, [2.0, 3.0]).__name__
    'numpy'
    """
    foreign = [x for x in xs if is_foreign(x)]
    if foreign:
        return _compat.array_namespace(*foreign)
    return objects if any(map(_has_objects, xs)) else np


def as_array(x: Any) -> Array:
    """`x` as an array of its own kind, of numbers with at least the digits of a double.

    Numbers and lists become NumPy arrays; integers and single precision become double, whole
    numbers of other kinds their library's floats. Objects become those of one library (see
    `spatial_v2.arrays.objects`), a CasADi column a vector of its elements.

    Examples
    --------
    >>> as_array([1, 2])
    array([1., 2.])
    >>> as_array(np.float32(0.1) * 1j).dtype
    dtype('complex128')
    """
    if type(x) is np.ndarray and x.dtype == np.float64:
        return x
    if is_foreign(x):
        return _floating(x)
    masked = sys.modules.get("numpy.ma")
    if masked and isinstance(x, masked.MaskedArray) and masked.is_masked(x):
        raise ValueError("some entries are masked; fill them first, x.filled(...)")
    x = np.asarray(objects.elements(x))
    if x.dtype.kind == "O":
        return objects.uniform(x)
    if x.dtype.kind in "iub" or (x.dtype.kind == "f" and x.dtype.itemsize < 8):
        return x.astype(np.float64)
    return x.astype(np.complex128) if x.dtype == np.complex64 else x


def _floating(x: Array) -> Array:
    """An array that is not NumPy's, its integers as floating-point numbers."""
    xp = _compat.array_namespace(x)
    if not xp.isdtype(x.dtype, ("bool", "integral")):
        return x
    return xp.astype(x, xp.asarray(np.zeros(1)).dtype)


def constant(x: Any, like: Array) -> Array:
    """The NumPy constant `x` as the kind of array (and dtype, device) of `like`.

    An `x` of another kind stays as it is.

    Examples
    --------
    >>> constant(np.eye(2), np.zeros(3, dtype=complex)).dtype
    dtype('float64')
    """
    if is_foreign(like) and not is_foreign(x):
        xp, device = _compat.array_namespace(like), _compat.device(like)
        dtype = None if np.iscomplexobj(x) else like.dtype
        return xp.asarray(np.require(x, requirements="W"), dtype=dtype, device=device)
    return objects.lifted(x, like) if _has_objects(like) and not is_foreign(x) else x


def alike(*xs: Any) -> tuple[Array, ...]:
    """`xs` as arrays of one kind: where one is not NumPy's or has objects, the others follow it.

    Examples
    --------
    >>> alike(1, [2, 3])
    (array(1.), array([2., 3.]))
    """
    arrays = [as_array(x) for x in xs]
    foreign = [x for x in arrays if is_foreign(x)]
    if not foreign:
        like = next((x for x in arrays if _has_objects(x)), None)
        return tuple(arrays if like is None else (constant(x, like) for x in arrays))
    arrays = [x if is_foreign(x) else constant(x, foreign[0]) for x in arrays]
    xp = _compat.array_namespace(*arrays)
    dtype = xp.result_type(*arrays)
    return tuple(x if x.dtype == dtype else xp.astype(x, dtype) for x in arrays)


def real_part(x: Array) -> Array:
    """The real part, for choosing a branch or a point of reference: complex steps must not decide.

    Examples
    --------
    >>> real_part(np.array([1 + 1e-20j]))
    array([1.])
    """
    if _has_objects(x):
        return objects.real(x)
    if hasattr(x, "real"):
        return x.real
    xp = namespace(x)
    return xp.real(x) if xp.isdtype(x.dtype, "complex floating") else x


def settled(condition: Array, generic: bool) -> Array:
    """Evaluate a condition that selects a formula; `generic` where SymPy cannot decide it.

    Examples
    --------
    >>> settled(np.array([True, False]), generic=True)
    array([ True, False])
    """
    return objects.settled(condition, generic) if _has_objects(condition) else condition


def is_real(x: Array) -> bool:
    """Return whether the numbers of `x` have no imaginary parts; symbols are taken as real.

    Examples
    --------
    >>> is_real(np.ones(2)), is_real(1j * np.ones(2))
    (True, False)
    """
    if _has_objects(x):
        return not objects.is_complex(x)
    return not namespace(x).isdtype(x.dtype, "complex floating")


def digits(x: Array) -> float:
    """Number of decimal digits that a series for `x` must give; infinity for symbols.

    Examples
    --------
    >>> digits(np.ones(2))
    16
    """
    return objects.digits(x) if _has_objects(x) else 16
