"""B: the body-Coriolis matrix."""

from __future__ import annotations

from typing import Any, Literal

from spatial_v2.arrays import Array
from spatial_v2.spatial.factorFunctions import factorFunctions

__all__ = ["B"]


def B(I: Any, v: Any, number: Literal[1, 2, 3] = 3) -> Array:
    r"""Compute the body-Coriolis matrix :math:`B(I, v)`.

    MATLAB: ``Bmat(I,v)``. This is `factorFunctions` under the name that the paper uses.

    Parameters
    ----------
    I : array, shape (..., 6, 6)
        Inertias.
    v : array, shape (..., 6), or columns (..., 6, 1)
        Velocities of the bodies.
    number : {3, 1, 2}, optional
        Factorisation of ``crf(v) I v``: 1 is ``crf(v) I``; 2 is ``icrf(I v) - I crm(v)``; 3, used
        in the paper and for the Christoffel symbols, is half the sum of 1 and 2.

    Returns
    -------
    array, shape (..., 6, 6)
        Matrices with ``B v = crf(v) I v`` and ``B + B^T = crf(v) I - I crm(v)``.

    Raises
    ------
    ArrayShapeError, SpatialError
        As for `factorFunctions`.

    Notes
    -----
    Singh, Russell, Wensing (2023), eq. (14). Algorithms in the paper that omit the factor 1/2 use
    ``2 B``.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2.spatial import crf
    >>> I, v = np.diag([1.0, 2, 3, 4, 4, 4]), np.arange(6.0)
    >>> np.allclose(B(I, v) @ v, crf(v) @ I @ v)
    True
    """
    return factorFunctions(I, v, number)
