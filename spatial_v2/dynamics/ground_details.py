"""Quantities in ground coordinates that MATLAB's struct has in addition to `GroundFrame`."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays import Array, alike, column, namespace, uncolumn
from spatial_v2.dynamics.robot_frame import GroundFrame, motion_inverse, shift
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.model import Model
from spatial_v2.model.state import check_state
from spatial_v2.spatial import crf, crm

__all__ = ["ground_details"]


def ground_details(
    model: Model, g: GroundFrame, o: Array, qdd: Array, m6: Array | None, f6: Array | None
) -> tuple[Array, ...]:
    """Compute the fields of `GlobalDynamicsInfo`, in order, from a `GroundFrame` g whose origin is
    at o.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    g, o : GroundFrame and array, shape (..., 3)
        Result of `robot_frame`: quantities about a point o near the robot, so that no digits are
        lost.
    qdd : array, shape (..., NV)
        Joint accelerations.
    m6, f6 : array or None, shape (..., 6)
        A motion and a force vector in base coordinates; None stands for zero.

    Raises
    ------
    ArrayShapeError
        `m6` or `f6` has the wrong number of entries.

    Notes
    -----
    Singh, Russell, Wensing (2022), Sec. III: ``a_i = -a_grav + gamma_i + xi_i``.
    """
    d = g.v.shape[-1]
    pair = [np.zeros(d) if x is None else x for x in (m6, f6)]
    (qdd,) = check_state(model, qdd=qdd)
    _, m, f = alike(g.v, *pair)
    for name, x in (("m6", m), ("f6", f)):
        if not x.ndim or x.shape[-1] != d:
            raise ArrayShapeError(f"{name}: want shape (..., {d}), got {tuple(x.shape)}")
    xp = namespace(g.v)
    gamma, xi, vlam, vJxS = {}, {}, {}, {}
    zero = 0 * g.v[..., 0, :]
    gamma[-1] = xi[-1] = zero
    for i, p in enumerate(model.parent.tolist()):
        S, vJ = g.S[..., model.vinds[i]], g.vJ[..., i, :]
        vlam[i] = g.v[..., p, :] if p >= 0 else zero
        vJxS[i] = crm(vJ) @ S
        gamma[i] = gamma[p] + uncolumn(S @ column(qdd[..., model.vinds[i]]))
        xi[i] = xi[p] + uncolumn(crm(g.v[..., i, :]) @ column(vJ))

    def bodies(x: dict[int, Array]) -> Array:
        return xp.stack([x[i] for i in range(model.NB)], axis=-2)

    T, X, back = xp.matrix_transpose, shift(o), shift(-o)

    def times(x: Array) -> Array:
        return uncolumn(g.I @ column(x))

    def motions(x: Array) -> Array:
        return uncolumn(back[..., None, :, :] @ column(x))

    def forces(x: Array) -> Array:
        return uncolumn(T(X)[..., None, :, :] @ column(x))

    m, along, f = (uncolumn(A @ column(x))[..., None, :] for A, x in ((X, m), (X, f), (T(back), f)))
    STf = uncolumn(T(g.S) @ column(f[..., 0, :]))
    return (
        back[..., None, :, :] @ motion_inverse(g.X0),
        motions(bodies(vlam)),
        back @ xp.concat([vJxS[i] for i in range(model.NB)], axis=-1),
        motions(bodies(gamma)),
        motions(bodies(xi)),
        forces(times(g.a)),
        forces(times(g.v)),
        forces(times(m)),
        forces(times(along)),
        forces(uncolumn(crf(g.v) @ column(f))),
        xp.broadcast_to(STf, (*g.S.shape[:-2], model.NV)),
    )
