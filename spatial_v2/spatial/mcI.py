"""mcI: rigid-body inertia from mass, centre of mass and rotational inertia, and back."""

from __future__ import annotations

from typing import Any, NamedTuple, overload

import numpy as np

from spatial_v2.arrays import Array, alike, block, column, constant, namespace, uncolumn
from spatial_v2.arrays.checks import as_matrix, as_numbers, as_vector, check_leads, is_matrix
from spatial_v2.arrays.namespaces import copied
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.three_d.inv_skew import inv_skew
from spatial_v2.three_d.skew import TURN, cross_matrix

__all__ = ["InertiaParts", "inertia_from", "inertia_parts", "mcI"]


@shown_in_notebooks
class InertiaParts(NamedTuple):
    """Mass, centre of mass, and rotational inertia about the centre of mass.

    Parameters
    ----------
    m : array, shape (...)
        Mass [kg].
    c : array, shape (..., 3) or planar (..., 2)
        Centre of mass in body coordinates [m].
    I : array, shape (..., 3, 3) or planar (...)
        Rotational inertia about the centre of mass [kg m^2].

    Examples
    --------
    >>> from spatial_v2 import inertia_parts
    >>> import numpy as np
    >>> inertia_parts(np.diag([1.0, 2, 3, 4, 4, 4])).I.diagonal()
    array([1., 2., 3.])
    """

    m: Array
    c: Array
    I: Array


def _lever(c: Array) -> Array:
    """Return the matrix skew(c) of spatial vectors, or the row [-c_y, c_x] of planar vectors."""
    if c.shape[-1] == 3:
        return cross_matrix(c)
    return namespace(c).matrix_transpose(constant(TURN, c) @ column(c))


def inertia_from(m: Any, c: Any, I: Any) -> Array:
    """Compute the rigid-body inertia [I + m C C^T, m C; m C^T, m 1] with C = skew(c).

    Parameters
    ----------
    m : array, shape (...)
        Mass [kg].
    c : array, shape (..., 3) or planar (..., 2); columns are accepted
        Centre of mass in body coordinates [m].
    I : array, shape (..., 3, 3) or planar (...)
        Rotational inertia about the centre of mass [kg m^2].

    Returns
    -------
    array, shape (..., 6, 6) or planar (..., 3, 3)
        Rigid-body inertias about the origin of the body frame.

    Raises
    ------
    ArrayShapeError
        If `c` does not hold 3- or 2-vectors, or `I` does not fit `c`.

    Examples
    --------
    >>> inertia_from(2, [1, 2], 3)
    array([[13., -4.,  2.],
           [-4.,  2.,  0.],
           [ 2.,  0.,  2.]])
    """
    c = as_vector(c, "mcI: c", 3, 2)
    n = c.shape[-1]
    m = as_numbers(m, "mcI: m")[..., None, None]
    I = as_matrix(I, "mcI: I", 3) if n == 3 else _planar(I, max(m.ndim - 2, c.ndim - 1))
    m, c, I = alike(m, c, I)
    check_leads("mcI", m=m.shape[:-2], c=c.shape[:-1], I=I.shape[:-2])
    C, transpose = _lever(c), namespace(c).matrix_transpose
    corner = I + m * (C @ transpose(C))
    batch = namespace(c).zeros_like(corner[..., :1, :1])
    mC = m * C + batch
    return block((corner, mC), (transpose(mC), m * constant(np.eye(n), c) + batch))


def _planar(I: Any, batch: int) -> Array:
    """Convert planar rotational inertias to 1x1 matrices; m and c have `batch` leading axes."""
    I = as_numbers(I, "mcI: I")
    if is_matrix(I, 3) and batch < 2:
        raise ArrayShapeError(
            f"mcI: I of a planar body is a number, got shape {tuple(I.shape)}; of a spatial one, "
            "with a 3x3 matrix I, c has three coordinates"
        )
    return I[..., None, None]


def inertia_parts(rbi: Any) -> InertiaParts:
    """Compute mass, centre of mass and rotational inertia about it from a rigid-body inertia.

    For a massless body (m = 0 and m c = 0) the centre of mass is set to the origin, so that
    `inertia_from` restores every rigid-body inertia; MATLAB returns NaN.

    Parameters
    ----------
    rbi : array, shape (..., 6, 6) or planar (..., 3, 3)
        Rigid-body inertias.

    Returns
    -------
    m : array, shape (...)
        Mass [kg].
    c : array, shape (..., 3) or planar (..., 2)
        Centre of mass in body coordinates [m].
    I : array, shape (..., 3, 3) or planar (...)
        Rotational inertia about the centre of mass [kg m^2].

    Raises
    ------
    ArrayShapeError
        If `rbi` does not hold 6x6 or 3x3 matrices.

    Examples
    --------
    >>> from spatial_v2 import inertia_from
    >>> inertia_parts(inertia_from(2, [1, 2], 3)).c
    array([1., 2.])
    """
    rbi = as_matrix(rbi, "mcI: rbi", 6, 3)
    xp, spatial = namespace(rbi), rbi.shape[-1] == 6
    n = 3 if spatial else 1
    corner, mC = rbi[..., :n, :n], rbi[..., :n, n:]
    h = inv_skew(mC) if spatial else uncolumn(constant(-TURN, rbi) @ xp.matrix_transpose(mC))
    m = copied(rbi[..., -1:, -1])
    c = h / xp.where(xp.equal(m, 0), xp.where(xp.equal(h, 0), m + 1, m), m)
    C = _lever(c)
    I = corner - m[..., None] * (C @ xp.matrix_transpose(C))
    return InertiaParts(m[..., 0], c, I if spatial else I[..., 0, 0])


@overload
def mcI(m: Any, c: Any, I: Any) -> Array: ...
@overload
def mcI(m: Any) -> InertiaParts: ...
def mcI(m: Any, c: Any = None, I: Any = None) -> Array | InertiaParts:
    """``rbi = mcI(m, c, I)`` or ``m, c, I = mcI(rbi)``: inertia and its parts (MATLAB ``mcI``).

    Three arguments call `inertia_from`, one argument calls `inertia_parts`; spatial and planar.

    Parameters
    ----------
    m : array, shape (...)
        Mass [kg]; or, as the only argument, inertias (..., 6, 6) or planar (..., 3, 3).
    c : array, shape (..., 3) or planar (..., 2), optional
        Centre of mass in body coordinates [m].
    I : array, shape (..., 3, 3) or planar (...), optional
        Rotational inertia about the centre of mass [kg m^2].

    Returns
    -------
    array or (m, c, I)
        Rigid-body inertias about the origin of the body frame, or their parts.

    Raises
    ------
    ArrayShapeError
        If the shapes fit neither form, or one of `c` and `I` is missing.

    Notes
    -----
    Featherstone, Rigid Body Dynamics Algorithms (2008), Section 2.13, planar 2.16.

    Examples
    --------
    >>> import numpy as np
    >>> m, c, I = mcI(mcI(2, [1, 2, 3], np.eye(3)))
    >>> c
    array([1., 2., 3.])
    """
    return inertia_parts(m) if c is None and I is None else inertia_from(m, c, I)
