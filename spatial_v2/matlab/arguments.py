"""Conversion of MATLAB's arguments: columns, cells, numbers counted from 1."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np

from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.model import Model

__all__ = ["body", "cells", "columns", "counted", "from_one", "matrix", "vector"]


def vector(x: Any) -> Any:
    """Convert a column (n, 1) to a vector (n,); return anything else unchanged.

    Examples
    --------
    >>> vector(np.ones((3, 1))).shape, vector(np.ones((1, 1))).shape
    ((3,), (1, 1))
    """
    if isinstance(x, (memoryview, array)):  # as MATLAB sends its matrices and rows
        x = np.asarray(x)
    column = isinstance(x, np.ndarray) and x.ndim == 2 and x.shape[1] == 1 and len(x) != 1
    return x[:, 0] if column else x


def cells(f_ext: Any) -> Any:
    """Convert external forces from a list with an entry for each body; empty entries are zero.

    Examples
    --------
    >>> cells([[], np.ones((3, 1))])
    array([[0., 0., 0.],
           [1., 1., 1.]])
    """
    if not isinstance(f_ext, (list, tuple)) and not _holds_objects(f_ext):
        return f_ext
    given = [None if x is None or np.size(x) == 0 else np.asarray(x).reshape(-1) for x in f_ext]
    some = [x for x in given if x is not None]
    if not some:
        return None
    if len({len(x) for x in some}) > 1:
        raise ArrayShapeError(
            "f_ext: want vectors of one length, or empty entries, as in MATLAB; got lengths "
            f"{[0 if x is None else len(x) for x in given]}"
        )
    return np.stack([np.zeros_like(some[0]) if x is None else x for x in given])


def _holds_objects(x: Any) -> bool:
    return isinstance(x, np.ndarray) and x.dtype.kind == "O"


def matrix(x: Any) -> np.ndarray:
    """Convert a vector to a matrix with one column, as in MATLAB."""
    x = np.asarray(x)
    return np.asarray(x[:, None] if x.ndim == 1 else x)


def columns(x: Any) -> Any:
    """Transpose vectors given as columns to rows, or rows to columns.

    Examples
    --------
    >>> columns(np.ones((3, 5))).shape, columns([1, 2, 3]).shape
    ((5, 3), (3,))
    """
    x = np.asarray(x)
    return x.T if x.ndim == 2 else x


def body(model: Model, i: Any, name: str, last: int | None = None) -> int:
    """Convert MATLAB's number i of a body, counted from 1, to a number counted from 0.

    Examples
    --------
    >>> from spatial_v2 import autoTree
    >>> body(autoTree(3), 0, "body_num")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: body_num must be from 1 to 3, as in MATLAB; got 0
    """
    last = model.NB if last is None else last
    return counted(i, name, last) - 1


def counted(i: Any, name: str, last: int) -> int:
    """Check a whole number from 1 to `last`.

    Examples
    --------
    >>> counted(np.array([[2.0]]), "num", 3)
    2
    """
    number = np.asarray(i).item() if np.size(i) == 1 else i
    if not isinstance(number, (int, float)) or not 1 <= number <= last or number != int(number):
        raise SpatialError(f"{name} must be from 1 to {last}, as in MATLAB; got {i!r}")
    return int(number)


def from_one(parents: Any) -> np.ndarray:
    """Convert MATLAB's parents, counted from 1 with base 0, to parents from 0 with base -1."""
    parents = np.asarray(parents).reshape(-1)
    if parents.dtype.kind not in "iuf":
        raise SpatialError(f"lambda must be numbers, as in MATLAB; got {parents!r}")
    if (parents < 0).any():
        raise SpatialError("lambda must count from 1, with 0 for the base, as in MATLAB; got -1")
    wrong = np.flatnonzero(~(parents == np.trunc(parents)) | (parents > np.arange(parents.size)))
    if wrong.size:
        i = wrong[0]
        raise SpatialError(
            f"lambda({i + 1}) must be a whole number from 0 to {i}, as in MATLAB; got {parents[i]}"
        )
    return np.asarray(parents.astype(int) - 1)
