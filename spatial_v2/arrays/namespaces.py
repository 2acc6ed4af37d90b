"""One formula for every kind of array: the namespace of the arguments, and constants that fit it.

Textbook forms are written with the operations of the Python array API standard, found through
`namespace`. They therefore run on real, complex and object NumPy arrays and on any other array
that follows the standard (JAX, PyTorch, CuPy, and number types such as bicomplex arrays).
"""

from __future__ import annotations

from typing import Any

import array_api_compat as _compat
import array_api_compat.numpy as _numpy
import numpy as np

__all__ = [
    "Array",
    "alike",
    "as_array",
    "constant",
    "is_foreign",
    "namespace",
    "real_part",
]

Array = Any
"""Any array of the array API standard; shapes and dtypes are stated in the docstrings."""


def is_foreign(x: Any) -> bool:
    """Whether `x` is an array of the standard, but not NumPy's."""
    return not isinstance(x, (np.ndarray, np.generic)) and (
        hasattr(x, "__array_namespace__") or _compat.is_array_api_obj(x)
    )


def namespace(*xs: Any) -> Any:
    """The array namespace shared by `xs`; NumPy when they are plain numbers, lists or NumPy arrays.

    Constants of a model are NumPy arrays; they never decide: one array of another kind does.

    Examples
    --------
    >>> namespace(1.0, [2.0, 3.0]).__name__
    'array_api_compat.numpy'
    """
    foreign = [x for x in xs if is_foreign(x)]
    return _compat.array_namespace(*foreign) if foreign else _numpy


def as_array(x: Any) -> Array:
    """`x` as an array of its own kind; numbers and lists become NumPy arrays, integers floats.

    Examples
    --------
    >>> as_array([1, 2])
    array([1., 2.])
    """
    if is_foreign(x):
        return x
    x = np.asarray(x)
    return x.astype(np.float64) if x.dtype.kind in "iub" else x


def constant(x: np.ndarray, like: Array) -> Array:
    """The NumPy constant `x` as the kind of array (and dtype, device) of `like`.

    Examples
    --------
    >>> constant(np.eye(2), np.zeros(3, dtype=complex)).dtype
    dtype('float64')
    """
    if is_foreign(x) or not is_foreign(like):
        return x
    xp = _compat.array_namespace(like)
    try:
        return xp.asarray(x, dtype=like.dtype, device=_compat.device(like))
    except TypeError:
        return xp.asarray(x)


def alike(*xs: Any) -> tuple[Array, ...]:
    """`xs` as arrays of one kind: where one is not NumPy, the NumPy ones follow it.

    Examples
    --------
    >>> alike(1, [2, 3])
    (array(1.), array([2., 3.]))
    """
    arrays = [as_array(x) for x in xs]
    foreign = next((x for x in arrays if is_foreign(x)), None)
    if foreign is None:
        return tuple(arrays)
    xp, device = _compat.array_namespace(foreign), _compat.device(foreign)
    return tuple(x if is_foreign(x) else xp.asarray(x, device=device) for x in arrays)


def real_part(x: Array) -> Array:
    """The real part, for choosing a branch or a point of reference: complex steps must not decide.

    Examples
    --------
    >>> real_part(np.array([1 + 1e-20j]))
    array([1.])
    """
    if hasattr(x, "real"):
        return x.real
    xp = namespace(x)
    return xp.real(x) if xp.isdtype(x.dtype, "complex floating") else x
