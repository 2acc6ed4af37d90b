"""Forward dynamics: the articulated-body algorithm."""

from __future__ import annotations

from typing import Any, Literal, Unpack

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.arrays.linear import solve
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.apply_external_forces import apply_external_forces
from spatial_v2.dynamics.get_gravity import get_gravity
from spatial_v2.dynamics.HandC import HandC
from spatial_v2.dynamics.moved_bodies import moved_bodies
from spatial_v2.dynamics.pivots import least_pivots, regular
from spatial_v2.dynamics.singular_joints import singular_joints
from spatial_v2.dynamics.smallest_pivots import solve_coupled
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.model.joint_terms import joint_diagonal, joint_forces
from spatial_v2.spatial import crf, crm

__all__ = ["FDab"]


def _of_coupled(
    model: Model, q: Array, qd: Array, tau: Array, f_ext: Any = None, frame: Any = "base"
) -> Array:
    """Compute the accelerations of the independent variables of a coupled model."""
    H, C = HandC(model, q, qd, f_ext, frame=frame)
    return uncolumn(solve_coupled(model, H, column(tau - C)))


@accelerated(
    "FDab",
    "(q),(v),(v)->(v)",
    rotors="own",
    joint_terms=True,
    singular=singular_joints,
    coupled=_of_coupled,
    coupled_kernel="FDab_coupled",
)
def FDab(
    model: Model,
    q: Array,
    qd: Array,
    tau: Array,
    f_ext: Array | None = None,
    *,
    frame: Literal["base", "body"] = "base",
    **options: Unpack[Options],
) -> Array:
    """Compute joint accelerations from joint forces by the articulated-body algorithm.

    MATLAB: ``qdd = FDab(model,q,qd,tau,f_ext)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models and geared rotors too.
    q, qd, tau : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and forces [rad or m, per second, N m or N].
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces [couple; force] on the bodies; see `ID`.
    frame : {"base", "body"}, optional
        Coordinates of the external forces: those of the base or of the bodies.

    Returns
    -------
    qdd : array, shape (..., NV)
        Joint accelerations.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        An unknown `frame`; a joint that moves no inertia of its own in this configuration.

    Warns
    -----
    SingularWarning
        The inertia matrix is singular in some states of a batch, whose results are NaN.

    Notes
    -----
    The inverse of `ID` with respect to the last argument: ``FDab(ID(qdd)) = qdd``. Featherstone
    (2008), Table 7.1, with sums over the bodies b that a joint moves: its link and, if the joint is
    geared, its rotor, which moves by ``gear q`` and carries no body. Link and rotor share one joint
    force, so Ia and pa are those of both, in coordinates of the parent, where the table has those
    of the link: ``Ia = IA - U D^-1 U^T``, ``pa = pA + Ia c + U D^-1 u``, here with ``Ia c = IA c -
    U D^-1 (U^T c)``. D is a matrix for joints with several degrees of freedom. Armature is added to
    the diagonal of D; damping, friction and the forces of springs are subtracted from tau at the
    beginning.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model, q, qd = autoTree(2), [0.1, 0.2], [0.3, 0.4]
    >>> from spatial_v2 import ID
    >>> import numpy as np
    >>> np.round(FDab(model, q, qd, ID(model, q, qd, [1.0, 2.0])), 12)
    array([1., 2.])
    """
    xp = namespace(q, qd, tau, f_ext)
    T = xp.matrix_transpose
    bodies, moved = moved_bodies(model)
    Xup, S, v, c, IA, pA, D, u = {}, {}, {}, {}, {}, {}, {}, {}
    U: dict[int, Array] = {}

    v[-1] = column(constant(0 * get_gravity(model), q))
    for b, (i, p, jtype, Xtree, I, gear) in enumerate(bodies):
        XJ, Sb = jcalc(jtype, gear * q[..., model.qinds[i]])
        S[b] = constant(gear * Sb, q)
        vJ = S[b] @ column(qd[..., model.vinds[i]])
        Xup[b] = XJ @ constant(Xtree, q)
        v[b] = Xup[b] @ v[p] + vJ
        c[b] = crm(v[b]) @ vJ
        IA[b] = constant(I, q)
        pA[b] = crf(v[b]) @ (IA[b] @ v[b])
    pA |= apply_external_forces(model, Xup, pA, f_ext, frame)
    tau = tau - joint_forces(model, q, qd)
    least = least_pivots(bodies, Xup, S)

    for i, p in reversed(list(enumerate(model.parent.tolist()))):
        U |= {b: IA[b] @ S[b] for b in moved[i]}
        D[i] = joint_diagonal(model, "armature", q, model.vinds[i])
        D[i] = D[i] + sum(T(S[b]) @ U[b] for b in moved[i])
        D[i] = regular(D[i], least[i])
        u[i] = column(tau[..., model.vinds[i]]) - sum(T(S[b]) @ pA[b] for b in moved[i])
        if p >= 0:
            Up = sum(T(Xup[b]) @ U[b] for b in moved[i])
            uc = u[i] - sum(T(U[b]) @ c[b] for b in moved[i])
            Ia = sum(T(Xup[b]) @ IA[b] @ Xup[b] for b in moved[i]) - Up @ solve(D[i], T(Up))
            pa = sum(T(Xup[b]) @ (pA[b] + IA[b] @ c[b]) for b in moved[i]) + Up @ solve(D[i], uc)
            IA[p], pA[p] = IA[p] + Ia, pA[p] + pa

    a, qdd = {-1: column(constant(-get_gravity(model), q))}, {}
    for i, p in enumerate(model.parent.tolist()):
        a |= {b: Xup[b] @ a[p] + c[b] for b in moved[i]}
        qdd[i] = solve(D[i], u[i] - sum(T(U[b]) @ a[b] for b in moved[i]))
        a[i] = a[i] + S[i] @ qdd[i]
    return uncolumn(xp.concat([qdd[i] for i in range(model.NB)], axis=-2))
