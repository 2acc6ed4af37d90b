"""Linearisation of forward dynamics along a motion."""

from __future__ import annotations

from itertools import groupby
from typing import Any, Literal, NamedTuple, overload

import numpy as np

from derivatives.FD_derivatives import FD_derivatives
from derivatives.KKT_FO_derivatives import KKT_FO_derivatives
from derivatives.reduced import ReducedLinearization, reduced
from spatial_v2.arrays import Array, alike, assemble, block, constant, namespace
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.arrays.numbers import check_switch
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.constraints.ConstraintSet import Constraints
from spatial_v2.constraints.options import Rank, validate_constraints
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.model import Model
from spatial_v2.model.state import check_state, common_lead
from spatial_v2.spatial import motion_cross_matrix
from spatial_v2.three_d import cross_matrix

__all__ = ["Linearization", "linearize", "on_group"]


@shown_in_notebooks
class Linearization(NamedTuple):
    """Matrices of the linearised dynamics ``d eps/dt = A eps + B du``.

    eps is the error of the state, du that of the input.
    """

    A: Array
    """Matrix that multiplies the state error eps, shape (..., 2 NV, 2 NV)."""
    B: Array
    """Matrix that multiplies the input error du, shape (..., 2 NV, number of inputs)."""


@overload
def linearize(
    model: Model, q: Array, qd: Array, tau: Array, actuation: Array | None = None, *,
    f_ext: Any = None, frame: Literal["base", "body"] = "base", constraints: Constraints = (),
    damping: float = 0.0, baumgarte: tuple[float, float] | None = None, rank: Rank = "raise",
    reduce: Literal[False] = False,
) -> Linearization: ...  # fmt: skip


@overload
def linearize(
    model: Model, q: Array, qd: Array, tau: Array, actuation: Array | None = None, *,
    f_ext: Any = None, frame: Literal["base", "body"] = "base", constraints: Constraints = (),
    damping: float = 0.0, baumgarte: tuple[float, float] | None = None, rank: Rank = "raise",
    reduce: Literal[True],
) -> ReducedLinearization: ...  # fmt: skip


def linearize(
    model: Model,
    q: Array,
    qd: Array,
    tau: Array,
    actuation: Array | None = None,
    *,
    f_ext: Any = None,
    frame: Literal["base", "body"] = "base",
    constraints: Constraints = (),
    damping: float = 0.0,
    baumgarte: tuple[float, float] | None = None,
    rank: Rank = "raise",
    reduce: bool = False,
) -> Linearization | ReducedLinearization:
    """Linearise forward dynamics about a motion: compute A and B of ``d eps/dt = A eps + B du``.

    Parameters
    ----------
    model : Model
        The rigid-body tree, with any joints; geared rotors and planar models too.
    q, qd, tau : array, shapes (..., NQ), (..., NV), (..., NV)
        State and joint forces of the motion [rad or m, per second, N m or N].
    actuation : array, shape (..., NV, m), optional
        The matrix S of ``tau = S u`` for inputs u; by default the input is tau itself.
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces; see `ID`. They are the same for neighbouring motions.
    frame : {"base", "body"}, optional
        Coordinates in which the external forces are given and constant.
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet, optional
        Constraints. If there are any, the accelerations are those of `KKT_FD`.
    damping, baumgarte, rank : optional
        As for `KKT_FD`; without constraints they have no effect.
    reduce : bool, optional
        If True, return the system for errors that satisfy the constraints, ``eps = basis z``, as
        needed for LQR of a robot in contact. Arguments must be real and `damping` zero.

    Returns
    -------
    A, B : array, shapes (..., 2 NV, 2 NV), (..., 2 NV, m)
        Named tuple. For a neighbouring motion q~, qd~, u~, eps consists of
        ``configurationDifference(model, q, q~)`` and ``qd~ - qd``, and ``du = u~ - u``. With
        `reduce`, a `ReducedLinearization`: A (..., 2 r, 2 r), B (..., 2 r, m), basis (..., 2 NV, 2
        r), r the remaining degrees of freedom.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that does not fit the model.
    SpatialError
        Linearly dependent constraint rows; with `reduce`, velocities that violate the constraints,
        damping, or constraint rows that cannot be integrated.

    Notes
    -----
    ``A = [-ad(qd), 1; dqdd_dq, dqdd_dqd]``, ``B = [0; dqdd_dtau S]``. The term ``-ad(qd)`` arises
    because the error of q is measured in a moving frame. ad(qd) is the motion cross-product matrix
    of the twist for a joint ``Fb`` or ``SE3``, the cross-product matrix of the angular velocity for
    ``S`` or ``SO3``, and else zero. This form suits LQR and Kalman filters of floating robots: it
    has no Euler angles and no singularity. Bos, Traversaro, Pucci, Saccon, "Efficient geometric
    linearization of moving-base rigid robot dynamics" (2022).

    With constraints, the derivatives of qdd are those of `KKT_FO_derivatives`. Errors of
    neighbouring motions that satisfy the constraints obey ``G dq = 0, w_q dq + G dqd = 0`` at all
    times, with ``w = G qd``, if the rows are derivatives of position errors. With `reduce`, A and B
    belong to coordinates z of these errors; along a motion, rows that only forbid velocities, as a
    blade or a rolling wheel does, raise an error. At an
    equilibrium ``A basis = basis A_reduced``, so that the poles of A_reduced are poles of A; the
    other poles of A belong to the constraints. Along a motion the basis changes by
    ``dN/dt = -G^+ dG/dt N``, which A_reduced includes. A feedback gain K for z is the gain
    ``K @ pinv(basis)`` for eps.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2).replace(jtype=["Fb", "Rz"])
    >>> q, qd = np.array([1, 0, 0, 0, 0, 0, 0, 0.5]), np.ones(7)
    >>> A, B = linearize(model, q, qd, np.zeros(7), actuation=np.eye(7)[:, 6:])
    >>> A[0].round(3)
    array([ 0.,  1., -1.,  0.,  0.,  0.,  0.,  1.,  0.,  0.,  0.,  0.,  0.,
            0.])

    A fixed foot leaves a robot of three links and a floating base three degrees of freedom:

    >>> from spatial_v2 import surface_contact
    >>> robot, q = autoTree(4).replace(jtype=["Fb", *["Ry"] * 3]), np.r_[1.0, np.zeros(9)]
    >>> rest, S = np.zeros(9), np.eye(9)[:, 6:]
    >>> linearize(robot, q, rest, rest, S, constraints=[surface_contact(3)], reduce=True).A.shape
    (6, 6)
    """
    q, qd, tau = check_state(model, q=q, qd=qd, tau=tau)
    how: Any = {"constraints": constraints, "damping": damping, "baumgarte": baumgarte}
    how["rank"] = rank
    validate_constraints(model, how)
    rows, push = how["constraints"], {"f_ext": f_ext, "frame": frame}
    check_switch("reduce", reduce)
    if reduce and how["damping"]:
        raise SpatialError(
            "damping: reduce=True wants 0, since damped constraints are satisfied only "
            f"approximately; got {damping!r}"
        )
    if rows.m:
        d = KKT_FO_derivatives(model, q, qd, tau, **how, **push)
        A, B = on_group(model, qd, d.dqdd_dq, d.dqdd_dqd, d.dqdd_dtau, actuation)
    else:
        A, B = on_group(model, qd, *FD_derivatives(model, q, qd, tau, **push), actuation)
    return reduced(model, q, qd, rows, A, B, rank != "raise") if reduce else Linearization(A, B)


def on_group(
    model: Model,
    qd: Array,
    dqdd_dq: Array,
    dqdd_dqd: Array,
    dqdd_dtau: Array,
    actuation: Any = None,
    chart: tuple[Array, Array] | None = None,
) -> Linearization:
    """Assemble A and B from derivatives (..., NV, NV) of free or constrained accelerations.

    For velocities nu in another chart, `chart` contains the derivatives of qd(q, nu) with respect
    to q and nu; the accelerations are then rates of nu, and qd remains the velocity in body
    coordinates.
    """
    xp, n = namespace(qd, dqdd_dq), model.NV
    if actuation is not None:
        dqdd_dtau, S = alike(dqdd_dtau, as_numbers(actuation, "actuation"))
        if S.ndim < 2 or S.shape[-2] != n:
            raise ArrayShapeError(
                f"actuation: want shape (..., {n}, m), a row for each velocity variable of the "
                f"model; got {tuple(S.shape)}"
            )
        common_lead({"state": tuple(dqdd_dtau.shape[:-2]), "actuation": tuple(S.shape[:-2])})
        dqdd_dtau = dqdd_dtau @ S
    qd_q, qd_v = chart or (constant(np.zeros((n, n)), dqdd_dq), constant(np.eye(n), dqdd_dq))
    minus_ad = xp.broadcast_to(qd_q - _brackets(model, qd), tuple(dqdd_dq.shape))
    A = block((minus_ad, xp.broadcast_to(qd_v, tuple(dqdd_dq.shape))), (dqdd_dq, dqdd_dqd))
    return Linearization(A, xp.concat([0 * dqdd_dtau, dqdd_dtau], axis=-2))


def _brackets(model: Model, qd: Array) -> Array:
    """Return the matrix ad(qd) (..., NV, NV): cross-product blocks for joints with rotations, else
    zero.
    """
    cross = {6: motion_cross_matrix, 3: cross_matrix}
    blocks: dict[tuple[int, int], Array] = {}
    sizes: list[int] = []
    for single, run in groupby(model.nv, lambda nv: nv == 1):
        for nv in [len(list(run))] if single else run:
            if not single:
                start = sum(sizes)
                blocks[len(sizes), len(sizes)] = cross[nv](qd[..., start : start + nv])
            sizes.append(nv)
    none = {(0, 0): constant(np.zeros((sizes[0], sizes[0])), qd)}
    return assemble(blocks or none, sizes, sizes, like=qd)
