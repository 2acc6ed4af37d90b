"""Checks of the shapes of tensor arguments, with messages about rows, columns and pages."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.exceptions import ArrayShapeError

__all__ = ["as_columns", "as_matrix", "as_tensor", "check_leading", "match"]


def as_matrix(x: Any, name: str) -> Array:
    """Convert to matrices (..., rows, columns) of any size.

    Examples
    --------
    >>> as_matrix([1, 2, 3], "Tm: B")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.ArrayShapeError: Tm: B must be a matrix (..., rows, columns), got
    shape (3,); a vector is a matrix of one column, shape (3, 1)
    """
    x = as_numbers(x, name)
    if x.ndim < 2:
        n = x.shape[0] if x.ndim else 1
        raise ArrayShapeError(
            f"{name} must be a matrix (..., rows, columns), got shape {tuple(x.shape)}; "
            f"a vector is a matrix of one column, shape ({n}, 1)"
        )
    return x


def as_columns(x: Any, name: str, kind: str = "motion") -> Array:
    """Convert to matrices (..., 6, n) whose columns are motion or force vectors.

    Examples
    --------
    >>> as_columns([[1, 2, 3, 4, 5, 6]], "crm_t: U")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.ArrayShapeError: crm_t: U must hold motion vectors as columns,
    shape (..., 6, n), got shape (1, 6); transpose it?
    """
    x = as_matrix(x, name)
    if x.shape[-2] != 6:
        hint = "; transpose it?" if x.shape[-1] == 6 else ""
        raise ArrayShapeError(
            f"{name} must hold {kind} vectors as columns, shape (..., 6, n), "
            f"got shape {tuple(x.shape)}{hint}"
        )
    return x


def as_tensor(x: Any, name: str) -> Array:
    """Convert to tensors (..., rows, columns, pages) of any size.

    Examples
    --------
    >>> as_tensor([[1, 2], [3, 4]], "rotR: A")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.ArrayShapeError: rotR: A must be a tensor (..., rows, columns, pages),
    got shape (2, 2); `page` makes a matrix a tensor of one page
    """
    x = as_numbers(x, name)
    if x.ndim < 3:
        raise ArrayShapeError(
            f"{name} must be a tensor (..., rows, columns, pages), got shape {tuple(x.shape)}; "
            "`page` makes a matrix a tensor of one page"
        )
    return x


def match(name: str, left: Array, right: Array, *, columns: int, rows: int) -> None:
    """Check that the left factor has as many columns as the right factor has rows.

    Parameters
    ----------
    name : str
        Name of the product, for the error message.
    left, right : array
        The factors of the product.
    columns, rows : int
        The axes that are summed, counted from the end: -1, -2 or -3.

    Examples
    --------
    >>> import numpy as np
    >>> match("mT(B, A)", np.eye(3), np.ones((6, 6, 2)), columns=-1, rows=-3)
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.ArrayShapeError: mT(B, A): the left factor has 3 columns, the right
    factor 6 rows; shapes (3, 3) and (6, 6, 2)
    """
    c, r = left.shape[columns], right.shape[rows]
    if c != r:
        raise ArrayShapeError(
            f"{name}: the left factor has {c} columns, the right factor {r} rows; "
            f"shapes {tuple(left.shape)} and {tuple(right.shape)}"
        )


def check_leading(name: str, *leads: tuple[int, ...], shapes: str) -> None:
    """Check that leading axes broadcast.

    Examples
    --------
    >>> check_leading("Tm(A, B)", (2,), (3,), shapes="(2, 6, 6, 1), (3, 6, 1)")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.ArrayShapeError: Tm(A, B): the leading axes (2,) and (3,) do not
    broadcast; (2, 6, 6, 1), (3, 6, 1)
    """
    try:
        np.broadcast_shapes(*(tuple(lead) for lead in leads if lead))
    except ValueError:
        said = " and ".join(str(tuple(lead)) for lead in leads)
        raise ArrayShapeError(
            f"{name}: the leading axes {said} do not broadcast; {shapes}"
        ) from None
