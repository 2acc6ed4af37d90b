"""Functions with MATLAB's values where NumPy's differ, imported by translations."""

from __future__ import annotations

import operator
from types import SimpleNamespace
from typing import Any

import numpy as np

__all__ = [
    "acos", "ascending", "asin", "blocks_of_columns", "by_columns", "colon", "descending", "eig",
    "eigenvectors", "entry", "grown", "mod", "null", "numel", "orth", "put", "rem", "shared", "svd",
    "with_entries", "with_entry", "without", "without_fields",
]  # fmt: skip


class _Shared(SimpleNamespace):
    """MATLAB's global variables, which are empty before they are assigned."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return np.zeros(0)


shared = _Shared()
"""Global variables of all files."""


def asin(x: Any) -> Any:
    """Compute the arc sine as MATLAB does: complex if |x| > 1, conjugate to NumPy's if x > 1."""
    if isinstance(x, float) and -1 <= x <= 1:
        return np.arcsin(x)
    y = np.emath.arcsin(x)
    return np.where(np.real(x) > 1, np.conj(y), y)[()] if np.isrealobj(x) else y


def acos(x: Any) -> Any:
    """Compute the arc cosine as MATLAB does: complex if |x| > 1, conjugate to NumPy's if x > 1."""
    if isinstance(x, float) and -1 <= x <= 1:
        return np.arccos(x)
    y = np.emath.arccos(x)
    return np.where(np.real(x) > 1, np.conj(y), y)[()] if np.isrealobj(x) else y


def colon(first: float, step: float, last: float) -> np.ndarray:
    """Return the numbers of MATLAB's ``first:step:last``; none if the step is 0."""
    if not step or not np.all(np.isfinite([first, step, last])):
        return np.zeros(0)
    count = np.floor((last - first) / step * (1 + 4 * np.finfo(float).eps))
    return np.asarray(first + step * np.arange(max(int(count) + 1, 0)))


def by_columns(x: Any) -> np.ndarray:
    """Return a number, a column or a matrix as a matrix."""
    x = np.asarray(x)
    return np.reshape(x, x.shape if x.ndim == 2 else (-1, 1))


def with_entries(x: Any, at: int | slice, values: Any) -> np.ndarray:
    """Return a copy of an array with other entries at places that MATLAB counts by columns.

    Raises
    ------
    IndexError
        A place is beyond the end.
    """
    x = np.array(x, float, ndmin=1)
    last = (at.stop or 0) if isinstance(at, slice) else at + 1
    if last > x.size:
        raise IndexError(f"want at most {x.size} entries, got place {last}")
    flat = x.ravel(order="F")
    flat[at] = np.ravel(values, order="F") if isinstance(at, slice) else np.squeeze(values)
    return np.reshape(flat, x.shape, order="F")


def grown(x: np.ndarray, *counts: int) -> np.ndarray:
    """Pad an array with zeros so that axis k has at least ``counts[k]`` entries."""
    if len(counts) <= x.ndim and all(map(operator.le, counts, x.shape)):
        return x
    if len(counts) > x.ndim:
        if x.ndim < 2:
            x = np.atleast_2d(x).T if x.size else x.reshape(0, 0)
        x = x.reshape(*x.shape, *[min(x.size, 1)] * (len(counts) - x.ndim))
    wanted = [*counts, *[0] * (x.ndim - len(counts))]
    sizes = [max(int(n), m) for n, m in zip(wanted, x.shape, strict=True)]
    made = np.zeros(sizes, x.dtype)
    made[tuple(map(slice, x.shape))] = x
    return made


def ascending(x: np.ndarray) -> np.ndarray:
    """Sort a vector; complex numbers by magnitude, and those of equal magnitude by angle."""
    if np.isrealobj(x):
        return np.sort(x)
    return np.asarray(x[np.lexsort((np.angle(x), np.abs(x)))])


def without(c: list[Any], places: Any) -> list[Any]:
    """Return the entries of a cell except those at some places: indices, or a logical vector."""
    kept = np.ones(len(c), dtype=bool)
    kept[places] = False
    return [x for x, keep in zip(c, kept, strict=True) if keep]


def put(c: list[Any], k: int, x: Any) -> None:
    """Assign entry k of a cell, which grows by empty entries where it is shorter.

    Raises
    ------
    IndexError
        The place is before the first.
    """
    if k < 0:
        raise IndexError(f"want a place from 0 on, got {k}")
    c += [np.zeros(0)] * (k + 1 - len(c))
    c[k] = x


def with_entry(x: Any, k: int, value: Any) -> np.ndarray:
    """Return a vector with another entry k, which may lie beyond the end: zeros come between.

    Raises
    ------
    IndexError
        The place is before the first.
    """
    if k < 0:
        raise IndexError(f"want a place from 0 on, got {k}")
    found = np.append(x, np.zeros(max(k + 1 - np.size(x), 0)))
    found[k] = value
    return found


def entry(c: list[Any], k: int) -> Any:
    """Return the struct in an entry of a cell, which grows by empty entries where it is shorter; an
    empty entry becomes a struct.
    """
    c += [np.zeros(0)] * (k + 1 - len(c))
    if isinstance(c[k], np.ndarray):
        c[k] = SimpleNamespace()
    return c[k]


def without_fields(s: SimpleNamespace, *names: str) -> SimpleNamespace:
    """Return a struct with the fields of another, but some."""
    return SimpleNamespace(**{n: x for n, x in vars(s).items() if n not in names})


def blocks_of_columns(x: np.ndarray, widths: Any) -> list[np.ndarray]:
    """Return the blocks of columns of a matrix, of the given widths, as a cell."""
    ends = np.cumsum(np.asarray(widths).astype(int))
    if ends[-1] != x.shape[1]:
        raise ValueError(f"mat2cell: want widths of {x.shape[1]} columns, got {ends[-1]}")
    return [block.copy() for block in np.split(x, ends[:-1], axis=1)]


def descending(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sort a vector in descending order; return it and the indices of its entries in `x`.

    As in MATLAB, NaN comes first, and equal entries stay in order.
    """
    places = np.argsort(np.where(np.isnan(x), -np.inf, -x), kind="stable")
    places = np.concatenate([places[np.isnan(x[places])], places[~np.isnan(x[places])]])
    return x[places], places


def eig(x: np.ndarray) -> Any:
    """Eigenvalues in MATLAB's order: ascending for symmetric matrices; real if all are real."""
    if np.array_equal(x, np.conj(x.T)):
        return np.linalg.eigvalsh(x)
    return np.linalg.eigvals(x)


def eigenvectors(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvectors as columns, and the diagonal matrix of eigenvalues, in MATLAB's order."""
    symmetric = np.array_equal(x, np.conj(x.T))
    found, vectors = np.linalg.eigh(x) if symmetric else np.linalg.eig(x)
    return vectors, np.diag(found)


def svd(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Singular value decomposition ``x = U @ S @ V.conj().T`` with a matrix S of the shape of x."""
    from scipy.linalg import svd as decompose

    u, s, vh = decompose(x, lapack_driver="gesvd")
    sizes = np.zeros(x.shape)
    np.fill_diagonal(sizes, s)
    return u, sizes, vh.conj().T


def _rank(x: np.ndarray, sizes: np.ndarray) -> int:
    s = np.diag(sizes)
    limit = max(x.shape) * s.max(initial=0.0) * np.finfo(float).eps
    return int(np.count_nonzero(s > limit))


def null(x: np.ndarray) -> np.ndarray:
    """Orthonormal basis of the nullspace, as columns."""
    _, sizes, v = svd(x)
    basis = v[:, _rank(x, sizes) :]
    return np.where(np.abs(basis) < np.finfo(float).eps, 0.0, basis)


def orth(x: np.ndarray) -> np.ndarray:
    """Orthonormal basis of the range, as columns."""
    u, sizes, _ = svd(x)
    return u[:, : _rank(x, sizes)]


def mod(x: Any, y: Any) -> Any:
    """Return the remainder of x / y with the sign of y: 0 if the quotient is an integer up to
    rounding, x if y is 0.
    """
    return _remainder(np.floor, x, y)


def numel(x: Any) -> int:
    """Return the number of entries of an array or cell, or of the characters of a text."""
    return len(x) if isinstance(x, (str, list)) else int(np.size(x))


def rem(x: Any, y: Any) -> Any:
    """Return the remainder of x / y with the sign of x: 0 if the quotient is an integer up to
    rounding, NaN if y is 0.
    """
    found = _remainder(np.trunc, x, y)
    return np.where(np.asarray(y) == 0, np.nan, found)[()]


def _remainder(rounded: Any, x: Any, y: Any) -> Any:
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        q = x / y
        near = np.rint(q)
        whole = (np.rint(y) != y) & (np.abs((q - near) / near) < np.finfo(float).eps)
        found = np.where(whole, 0.0, x - y * rounded(q))
    return np.where(y == 0, x, found)[()]
