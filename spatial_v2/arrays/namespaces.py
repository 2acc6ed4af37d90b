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
    "FLOAT",
    "Array",
    "alike",
    "as_array",
    "constant",
    "copied",
    "is_foreign",
    "is_real",
    "namespace",
    "real_part",
]

FLOAT = np.dtype(np.float64)
MASKED = "some entries are masked; fill them first, x.filled(...)"

Array = Any
"""Any array of the array API standard; shapes and dtypes are stated in the docstrings."""


def is_foreign(x: Any) -> bool:
    """Return whether `x` is an array of the array API standard that is not NumPy's."""
    return not isinstance(x, (np.ndarray, np.generic)) and (
        hasattr(x, "__array_namespace__") or _compat.is_array_api_obj(x)
    )


def _has_objects(x: Any) -> bool:
    return isinstance(x, np.ndarray) and x.dtype.kind == "O"


def namespace(*xs: Any) -> Any:
    """Return the array namespace of `xs`: NumPy for plain numbers, lists and NumPy arrays.

    If one of `xs` is an array of another library, or an object array, its namespace is used, since
    constants of a model may be NumPy arrays.

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
    """Convert `x` to an array of numbers with at least double precision.

    Numbers and lists become NumPy arrays; integers and single precision become double. Integer
    arrays of other libraries become their default floats. Objects become numbers of one library
    (see `spatial_v2.arrays.objects`), and a column of CasADi or SymPy becomes a vector of its
    elements.

    Examples
    --------
    >>> as_array([1, 2])
    array([1., 2.])
    >>> as_array(np.float32(0.1) * 1j).dtype
    dtype('complex128')
    """
    if type(x) is np.ndarray and x.dtype == FLOAT:
        return x
    if is_foreign(x):
        return _floating(x)
    if is_masked(x):
        raise ValueError(MASKED)
    x = np.asarray(objects.elements(x))
    return objects.uniform(x) if x.dtype.kind == "O" else double(x)


def is_masked(x: Any) -> bool:
    """Return whether `x` is an array of which some entries are masked.

    Examples
    --------
    >>> is_masked(np.ma.masked_array([1.0, 2.0], mask=[False, True]))
    True
    """
    masked = sys.modules.get("numpy.ma")
    return bool(masked and isinstance(x, masked.MaskedArray) and masked.is_masked(x))


def double(x: np.ndarray) -> np.ndarray:
    """Convert NumPy numbers to at least double precision, in the byte order of the processor.

    Examples
    --------
    >>> double(np.ones(2, ">f4")).dtype
    dtype('float64')
    """
    kind, size = x.dtype.kind, x.dtype.itemsize
    if kind in "iub" or (kind == "f" and size < 8):
        return x.astype(np.float64)
    if kind == "c" and size < 16:
        return x.astype(np.complex128)
    return x if x.dtype.isnative else x.astype(x.dtype.newbyteorder("="))


def copied(x: Array) -> Array:
    """Return a copy of a view of a NumPy array, so that edits of a result leave arguments alone.

    Examples
    --------
    >>> x = np.zeros(3)
    >>> copied(x[:2]).base is None
    True
    """
    return x.copy() if isinstance(x, np.ndarray) else x


def _floating(x: Array) -> Array:
    """Convert integers of an array that is not NumPy's to floating-point numbers."""
    xp = _compat.array_namespace(x)
    if not xp.isdtype(x.dtype, ("bool", "integral")):
        return x
    return xp.astype(x, xp.asarray(np.zeros(1)).dtype)


def constant(x: Any, like: Array) -> Array:
    """Convert the NumPy constant `x` to the kind of array (and dtype, device) of `like`.

    An `x` that is not NumPy's is returned unchanged.

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
    """Convert `xs` to arrays of one kind: that of the array among them that is not NumPy's or has
    objects.

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
    """Return the real part, by which branches are chosen, so that complex steps do not affect them.

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
    """Evaluate a condition that selects a formula; return `generic` if SymPy cannot decide it.

    Examples
    --------
    >>> settled(np.array([True, False]), generic=True)
    array([ True, False])
    """
    return objects.settled(condition, generic) if _has_objects(condition) else condition


def is_real(x: Array) -> bool:
    """Return whether the type of the numbers of `x` is real; symbols count as real.

    Examples
    --------
    >>> is_real(np.ones(2)), is_real(1j * np.ones(2))
    (True, False)
    """
    if _has_objects(x):
        return not objects.is_complex(x)
    return not namespace(x).isdtype(x.dtype, "complex floating")


def digits(x: Array) -> float:
    """Return the number of decimal digits that a series must give for numbers like `x`; infinity
    for symbols.

    Examples
    --------
    >>> digits(np.ones(2))
    16
    """
    return objects.digits(x) if _has_objects(x) else 16
