"""What a Coriolis matrix can be: valid, admissible, that of the Christoffel symbols."""

from __future__ import annotations

from typing import Any

import numpy as np

from derivatives.Christoffel import Christoffel
from derivatives.H_derivatives import H_derivatives
from spatial_v2.dynamics import ID
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.model import Model

__all__ = ["is_admissible", "is_christoffel_consistent", "is_valid"]


def is_valid(model: Model, q: Any, qd: Any, C: Any, rtol: float = 1e-10) -> np.ndarray:
    """Whether ``C qd`` is the velocity-product force: Definition 2 at the given states.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q, qd : array_like, shapes (..., NQ), (..., NV)
        States, real.
    C : array_like, shape (..., NV, NV)
        Coriolis matrices, one for each state.
    rtol : float, optional
        Largest error, relative to the largest entry compared.

    Returns
    -------
    numpy.ndarray of bool, shape (...)
        One answer for each state.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    Echeandia, Wensing (2021), Definition 2: ``C qd = ID(q, qd, 0) - ID(q, 0, 0)``.

    Examples
    --------
    >>> from derivatives import CoriolisMatrix
    >>> from spatial_v2.models import autoTree
    >>> model, q, qd = autoTree(2), [0, 1], [1, 2]
    >>> bool(is_valid(model, q, qd, CoriolisMatrix(model, q, qd, 1).C))
    True
    """
    q, qd, C = _state(model, q, qd, C)
    rest = np.zeros(model.NV)
    force = ID(model, q, qd, rest) - ID(model, q, rest, rest)
    return _equal((C @ qd[..., None])[..., 0], force, 1, rtol)


def is_admissible(model: Model, q: Any, qd: Any, C: Any, rtol: float = 1e-10) -> np.ndarray:
    """Whether C is valid and ``dH/dt - 2 C`` is skew: Definition 3 at the given states.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q, qd : array_like, shapes (..., NQ), (..., NV)
        States, real.
    C : array_like, shape (..., NV, NV)
        Coriolis matrices, one for each state.
    rtol : float, optional
        Largest error, relative to the largest entry compared.

    Returns
    -------
    numpy.ndarray of bool, shape (...)
        One answer for each state.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    Echeandia, Wensing (2021), Definition 3. The rate of H comes from `H_derivatives`, hence not
    from C.

    Examples
    --------
    >>> from derivatives import CoriolisMatrix
    >>> from spatial_v2.models import autoTree
    >>> model, q, qd = autoTree(2), [0, 1], [1, 2]
    >>> bool(is_admissible(model, q, qd, CoriolisMatrix(model, q, qd, 1).C))
    True
    """
    q, qd, C = _state(model, q, qd, C)
    Hdot = (H_derivatives(model, q) @ qd[..., None, :, None])[..., 0]
    skew = _equal(C + np.matrix_transpose(C), Hdot, 2, rtol)
    return np.asarray(is_valid(model, q, qd, C, rtol) & skew)


def is_christoffel_consistent(
    model: Model, q: Any, qd: Any, C: Any, rtol: float = 1e-10
) -> np.ndarray:
    """Whether C is the contraction of the Christoffel symbols: Definition 1 at the given states.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q, qd : array_like, shapes (..., NQ), (..., NV)
        States, real.
    C : array_like, shape (..., NV, NV)
        Coriolis matrices, one for each state.
    rtol : float, optional
        Largest error, relative to the largest entry compared.

    Returns
    -------
    numpy.ndarray of bool, shape (...)
        One answer for each state.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    Echeandia, Wensing (2021), Definition 1; with the symbols of `Christoffel`, the definition
    extends to joints of several freedoms.

    Examples
    --------
    >>> from derivatives import CoriolisMatrix
    >>> from spatial_v2.models import autoTree
    >>> model, q, qd = autoTree(3, skew=0.5), [0, 1, 2], [1, 2, 3]
    >>> [bool(is_christoffel_consistent(model, q, qd, CoriolisMatrix(model, q, qd, n).C))
    ...  for n in (1, 2, 3)]
    [False, False, True]
    """
    q, qd, C = _state(model, q, qd, C)
    Gamma = Christoffel(model, q, "textbook")
    return _equal(C, (Gamma @ qd[..., None, :, None])[..., 0], 2, rtol)


def _state(model: Model, q: Any, qd: Any, C: Any) -> tuple[np.ndarray, ...]:
    q, qd, C = (np.asarray(x, dtype=np.float64) for x in (q, qd, C))
    if C.shape[-2:] != (model.NV, model.NV):
        raise ArrayShapeError(f"C: want shape (..., {model.NV}, {model.NV}), got {C.shape}")
    return q, qd, C


def _equal(x: np.ndarray, y: np.ndarray, axes: int, rtol: float) -> np.ndarray:
    last = tuple(range(-axes, 0))
    scale = np.maximum(np.abs(x).max(axis=last), np.abs(y).max(axis=last))
    return np.asarray(np.abs(x - y).max(axis=last) <= rtol * scale)
