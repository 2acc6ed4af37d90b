"""The linear system that errors of a motion obey."""

from __future__ import annotations

from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from derivatives.FD_derivatives import FD_derivatives
from derivatives.KKT_FO_derivatives import KKT_FO_derivatives
from spatial_v2.arrays import Array, alike, assemble, block, constant, namespace
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set
from spatial_v2.constraints.options import Rank
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.model import Model
from spatial_v2.model.state import check_state
from spatial_v2.spatial import motion_cross_matrix
from spatial_v2.three_d import cross_matrix

__all__ = ["Linearization", "linearize", "on_group"]


@shown_in_notebooks
class Linearization(NamedTuple):
    """``d eps/dt = A eps + B du``."""

    A: Array
    """Shape (..., 2 NV, 2 NV)."""
    B: Array
    """Shape (..., 2 NV, number of inputs)."""


def linearize(
    model: Model,
    q: Array,
    qd: Array,
    tau: Array,
    actuation: Array | None = None,
    *,
    constraints: Constraints = (),
    damping: float = 0.0,
    baumgarte: tuple[float, float] | None = None,
    rank: Rank = "raise",
) -> Linearization:
    """The linearisation of forward dynamics about a motion, along the freedoms of the joints.

    Parameters
    ----------
    model : Model
        The rigid-body tree, with any joints; geared rotors and planar models too.
    q, qd, tau : array, shapes (..., NQ), (..., NV), (..., NV)
        State and joint forces of the motion [rad or m, per second, N m or N].
    actuation : array, shape (..., NV, m), optional
        S of ``tau = S u``; the input is tau itself by default.
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet, optional
        What holds the bodies: the dynamics are those of `KKT_FD`.
    damping, baumgarte, rank : optional
        As of `KKT_FD`; without constraints they have no effect.

    Returns
    -------
    A, B : array, shapes (..., 2 NV, 2 NV), (..., 2 NV, m)
        Named tuple. The error eps of a neighbouring motion is ``configurationDifference(model, q,
        q~)``, then ``qd~ - qd``; the input is that of u.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that the model cannot have.
    SpatialError
        Rows of constraints that depend on each other.

    Notes
    -----
    ``A = [-ad(qd), 1; dqdd_dq, dqdd_dqd]``, ``B = [0; dqdd_dtau S]``. The error of q is measured in
    a frame that moves, whence ``-ad(qd)``: for a joint ``Fb`` or ``SE3`` minus the motion cross
    product of its twist, for ``S`` or ``SO3`` that of its angular velocity, else zero. What LQR and
    Kalman filters of floating robots want; no angles, no singularity. Bos, Traversaro, Pucci,
    Saccon, "Efficient geometric linearization of moving-base rigid robot dynamics" (2022).

    With constraints, whose dqdd are those of `KKT_FO_derivatives`, errors of neighbours that keep
    them obey ``e_q dq = 0, w_q dq + G dqd = 0``; LQR wants A and B between bases of these.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2).replace(jtype=["Fb", "Rz"])
    >>> q, qd = np.array([1, 0, 0, 0, 0, 0, 0, 0.5]), np.ones(7)
    >>> A, B = linearize(model, q, qd, np.zeros(7), actuation=np.eye(7)[:, 6:])
    >>> A.shape, B.shape
    ((14, 14), (14, 1))
    """
    q, qd, tau = check_state(model, q=q, qd=qd, tau=tau)
    held = constraint_set(model, constraints)
    if not held.m:
        return on_group(model, qd, *FD_derivatives(model, q, qd, tau), actuation)
    d = KKT_FO_derivatives(model, q, qd, tau, held, damping=damping, baumgarte=baumgarte, rank=rank)
    return on_group(model, qd, d.dqdd_dq, d.dqdd_dqd, d.dqdd_dtau, actuation)


def on_group(
    model: Model,
    qd: Array,
    dqdd_dq: Array,
    dqdd_dqd: Array,
    dqdd_dtau: Array,
    actuation: Any = None,
) -> Linearization:
    """A and B from derivatives (..., NV, NV) of the accelerations, free or constrained."""
    xp, n = namespace(qd, dqdd_dq), model.NV
    if actuation is not None:
        dqdd_dtau, S = alike(dqdd_dtau, as_numbers(actuation, "actuation"))
        if S.ndim < 2 or S.shape[-2] != n:
            raise ArrayShapeError(
                f"actuation: want shape (..., {n}, m), a row for each velocity variable of the "
                f"model; got {tuple(S.shape)}"
            )
        dqdd_dtau = dqdd_dtau @ S
    minus_ad = -_brackets(model, qd)
    one = xp.broadcast_to(constant(np.eye(n), dqdd_dq), tuple(dqdd_dq.shape))
    A = block((minus_ad, one), (dqdd_dq, dqdd_dqd))
    return Linearization(A, xp.concat([0 * dqdd_dtau, dqdd_dtau], axis=-2))


def _brackets(model: Model, qd: Array) -> Array:
    """ad(qd), shape (..., NV, NV): the blocks of joints that turn, zeros elsewhere."""
    cross = {6: motion_cross_matrix, 3: cross_matrix}
    blocks: dict[tuple[int, int], Array] = {}
    sizes: list[int] = []
    for single, run in groupby(model.nv, lambda nv: nv == 1):
        for nv in [len(list(run))] if single else run:
            if not single:
                at = sum(sizes)
                blocks[len(sizes), len(sizes)] = cross[nv](qd[..., at : at + nv])
            sizes.append(nv)
    none = {(0, 0): constant(np.zeros((sizes[0], sizes[0])), qd)}
    return assemble(blocks or none, sizes, sizes, like=qd)
