"""Hybrid dynamics: forces given at some joints, accelerations at the others."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.not_finite import explain_singular, numbers_of
from spatial_v2.dynamics.CRBA import CRBA
from spatial_v2.dynamics.ID import ID
from spatial_v2.dynamics.singular_joints import singular_joints
from spatial_v2.dynamics.smallest_pivots import smallest_pivots, solve_regular
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.model import Model
from spatial_v2.model.state import check_model, check_state, common_lead

__all__ = ["HD", "HDResult"]


@shown_in_notebooks
class HDResult(NamedTuple):
    """Accelerations and forces of all joints; given entries are copied."""

    qdd: Array
    """Joint accelerations, shape (..., NV)."""
    tau: Array
    """Joint forces, shape (..., NV)."""


def HD(
    model: Model,
    fd: ArrayLike,
    q: Array,
    qd: Array,
    qdd: Array,
    tau: Array,
    f_ext: Array | None = None,
) -> HDResult:
    """Compute accelerations of joints whose forces are given, and forces of the other joints.

    MATLAB: ``[qdd_out,tau_out] = HD(model,fd,q,qd,qdd,tau,f_ext)``, for joints with one
    degree of freedom and without rotors; this function supports all joints and rotors.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    fd : array_like of bool, shape (..., NB)
        True for joints whose `tau` is given (forward dynamics), False for joints whose `qdd` is
        given (inverse dynamics).
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].
    qdd, tau : array, shape (..., NV)
        Accelerations and forces; entries that are not given are ignored and may be NaN.
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces in base coordinates; see `ID`.

    Returns
    -------
    qdd, tau : array, shape (..., NV)
        Accelerations and forces of all joints.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        Numbers other than 0 and 1 in `fd`; a joint that moves no inertia of its own in this
        configuration.

    Warns
    -----
    SingularWarning
        The inertia matrix is singular in some states of a batch, whose results are NaN.

    Notes
    -----
    Let f be the variables of forward joints and ``C' = ID(q, qd, qdd)`` with their accelerations
    set to zero. Then ``H_ff qdd_f = tau_f - C'_f``, and the forces are ``C' + H_:f qdd_f``.
    Featherstone (2008), Chapter 9. If all joints are forward, this is `FDab`; if none is, `ID`.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> nan = float("nan")
    >>> qdd, tau = HD(autoTree(2), [True, False], [0, 0], [0, 0], [nan, 2.0], [1.0, nan])
    >>> bool(tau[0] == 1.0 and qdd[1] == 2.0)
    True
    """
    check_model(model)
    forward = np.asarray(fd)
    if forward.shape[-1:] != (model.NB,) or forward.dtype.kind not in "biuf":
        raise ArrayShapeError(
            f"HD: fd must have shape (..., {model.NB}), a truth value for each joint, got {fd!r}"
        )
    if not ((forward == 0) | (forward == 1)).all():
        raise SpatialError(
            f"HD: fd: want True, False, 1 or 0 for each joint, got {fd!r}; it precedes q: "
            "HD(model, fd, q, qd, qdd, tau)"
        )
    q, qd, qdd, tau = check_state(model, q=q, qd=qd, qdd=qdd, tau=tau)
    common_lead({"fd": forward.shape[:-1], "q": tuple(q.shape[:-1])})
    xp = namespace(q)
    is_given = np.repeat(forward != 0, model.nv, axis=-1)
    free, zero = xp.asarray(is_given), constant(np.zeros(model.NV), q)
    both = xp.asarray(is_given[..., :, None] & is_given[..., None, :])
    C = ID(model, q, qd, xp.where(free, zero, qdd), f_ext)
    H = CRBA(model, q)
    one = constant(np.eye(model.NV), q)
    force = xp.where(free, tau - C, zero)
    least = xp.where(free, smallest_pivots(model, q), zero)
    x = solve_regular(xp.where(both, H, one), least, column(force))
    if numbers_of([q, x]):
        explain_singular("HD", singular_joints, model, [q, force], [x], x.shape[:-2])
    return HDResult(xp.where(free, uncolumn(x), qdd), xp.where(free, tau, C + uncolumn(H @ x)))
