"""Check Coriolis matrices: valid, admissible, consistent with the Christoffel symbols."""

from __future__ import annotations

from typing import Any

import numpy as np

from derivatives.Christoffel import Christoffel
from derivatives.H_derivatives import H_derivatives
from spatial_v2.arrays.checks import as_real
from spatial_v2.arrays.numbers import check_tolerance
from spatial_v2.dynamics import CRBA, ID
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.model import Model
from spatial_v2.model.joint_terms import without_joint_terms
from spatial_v2.model.state import check_model, check_vector, common_lead

__all__ = ["is_admissible_factorization", "is_christoffel_consistent", "is_valid_factorization"]


def is_valid_factorization(
    model: Model, q: Any, qd: Any, C: Any, rtol: float = 1e-10
) -> np.ndarray:
    """Return whether ``C qd`` is the velocity-product force, for each given state.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q, qd : array_like, shapes (..., NQ), (..., NV)
        States, real.
    C : array_like, shape (..., NV, NV)
        Coriolis matrices, one for each state.
    rtol : float, optional
        Largest allowed error of C, relative to the largest entry of H times the largest of qd.

    Returns
    -------
    numpy.ndarray of bool, shape (...)
        One answer for each state.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        `rtol` is not a number from 0 on.

    Notes
    -----
    Echeandia, Wensing (2021), Definition 2: ``C qd = ID(q, qd, 0) - ID(q, 0, 0)``.

    Examples
    --------
    >>> from spatial_v2 import CoriolisMatrix
    >>> from spatial_v2.models import autoTree
    >>> model, q, qd = autoTree(2), [0, 1], [1, 2]
    >>> bool(is_valid_factorization(model, q, qd, CoriolisMatrix(model, q, qd, 1).C))
    True
    """
    check_model(model)
    q, qd, C = _state(model, q, qd, C, rtol)
    model = without_joint_terms(model)
    rest = np.zeros(model.NV)
    force = ID(model, q, qd, rest) - ID(model, q, rest, rest)
    error = (C @ qd[..., None])[..., 0] - force
    return np.asarray(_largest(error, 1) <= rtol * _scale(model, q, qd) * _largest(qd, 1))


def is_admissible_factorization(
    model: Model, q: Any, qd: Any, C: Any, rtol: float = 1e-10
) -> np.ndarray:
    """Return whether C is valid and ``dH/dt - 2 C`` is skew-symmetric, for each given state.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q, qd : array_like, shapes (..., NQ), (..., NV)
        States, real.
    C : array_like, shape (..., NV, NV)
        Coriolis matrices, one for each state.
    rtol : float, optional
        Largest allowed error of C, relative to the largest entry of H times the largest of qd.

    Returns
    -------
    numpy.ndarray of bool, shape (...)
        One answer for each state.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        `rtol` is not a number from 0 on.

    Notes
    -----
    Echeandia, Wensing (2021), Definition 3. The rate of H is computed by `H_derivatives`,
    independently of C.

    Examples
    --------
    >>> from spatial_v2 import CoriolisMatrix
    >>> from spatial_v2.models import autoTree
    >>> model, q, qd = autoTree(2), [0, 1], [1, 2]
    >>> bool(is_admissible_factorization(model, q, qd, CoriolisMatrix(model, q, qd, 1).C))
    True
    """
    check_model(model)
    q, qd, C = _state(model, q, qd, C, rtol)
    Hdot = (H_derivatives(model, q) @ qd[..., None, :, None])[..., 0]
    skew = _largest(C + np.matrix_transpose(C) - Hdot, 2) <= rtol * _scale(model, q, qd)
    return np.asarray(is_valid_factorization(model, q, qd, C, rtol) & skew)


def is_christoffel_consistent(
    model: Model, q: Any, qd: Any, C: Any, rtol: float = 1e-10
) -> np.ndarray:
    """Return whether C is the contraction of the Christoffel symbols with qd, for each state.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q, qd : array_like, shapes (..., NQ), (..., NV)
        States, real.
    C : array_like, shape (..., NV, NV)
        Coriolis matrices, one for each state.
    rtol : float, optional
        Largest allowed error of C, relative to the largest entry of H times the largest of qd.

    Returns
    -------
    numpy.ndarray of bool, shape (...)
        One answer for each state.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        `rtol` is not a number from 0 on.

    Notes
    -----
    Echeandia, Wensing (2021), Definition 1; with the symbols of `Christoffel`, the definition
    extends to joints with several degrees of freedom.

    Examples
    --------
    >>> from spatial_v2 import CoriolisMatrix
    >>> from spatial_v2.models import autoTree
    >>> model, q, qd = autoTree(3, skew=0.5), [0, 1, 2], [1, 2, 3]
    >>> [bool(is_christoffel_consistent(model, q, qd, CoriolisMatrix(model, q, qd, n).C))
    ...  for n in (1, 2, 3)]
    [False, False, True]
    """
    check_model(model)
    q, qd, C = _state(model, q, qd, C, rtol)
    Gamma = Christoffel(model, q, "textbook")
    error = C - (Gamma @ qd[..., None, :, None])[..., 0]
    return np.asarray(_largest(error, 2) <= rtol * _scale(model, q, qd))


def _state(model: Model, q: Any, qd: Any, C: Any, rtol: Any) -> tuple[np.ndarray, ...]:
    """Check the tolerance, states and matrices; broadcast these to common leading axes."""
    check_tolerance("rtol", rtol)
    n = model.NV
    q = as_real(check_vector(model, "q", q, model.NQ, "q"), "q")
    qd = as_real(check_vector(model, "qd", qd, n, "v"), "qd")
    C = as_real(C, "C")
    if C.shape[-2:] != (n, n):
        raise ArrayShapeError(f"C: want shape (..., {n}, {n}), got {C.shape}")
    lead = common_lead({"q": q.shape[:-1], "qd": qd.shape[:-1], "C": C.shape[:-2]})
    return tuple(
        np.broadcast_to(x, lead + core) for x, core in ((q, (model.NQ,)), (qd, (n,)), (C, (n, n)))
    )


def _scale(model: Model, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    """Return the largest entry of H times the largest of qd, the scale of tolerances for C."""
    return np.asarray(_largest(CRBA(model, q), 2) * _largest(qd, 1))


def _largest(x: np.ndarray, axes: int) -> np.ndarray:
    return np.asarray(np.abs(x).max(axis=tuple(range(-axes, 0))))
