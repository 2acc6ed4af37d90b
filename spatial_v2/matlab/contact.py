"""Contact: points as columns, and MATLAB's planar quadruped on a foot."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

import derivatives
import spatial_v2
from spatial_v2.exceptions import SpatialError
from spatial_v2.model import Model

__all__ = [
    "KKT_FD",
    "Impact_FO_derivatives",
    "Impact_SO_derivatives",
    "Impact_dyn",
    "KKT_FO_derivatives",
    "KKT_SO_derivatives",
    "gcFD",
    "gcPosVel",
    "gcontact",
]


def gcPosVel(model: Model, *state: Any) -> np.ndarray:
    """``posvel = gcPosVel(model,xfb,q,qd)``: see `spatial_v2.gcPosVel`; shape (6, n) or (4, n)."""
    p, pd = spatial_v2.gcPosVel(model, *state)
    return np.concatenate([p.T, pd.T])


def gcontact(K: Any, D: Any, mu: Any, p: Any, pd: Any, u: Any, *, nargout: int = 3) -> Any:
    """``[f,ud,fcone] = gcontact(K,D,mu,p,pd,u)``: see `spatial_v2.gcontact`; points are columns.

    With ``nargout=1`` it returns one array with the three results one below the other.
    """
    arrays = [np.asarray(x) for x in (p, pd, u)]
    rows = [x[None] if x.ndim == 1 else x.T for x in arrays]
    if rows[2].shape[::-1] == (len(rows[0]), 1):
        rows[2] = rows[2].T
    f, ud, fcone = spatial_v2.gcontact(K, D, mu, *rows)
    found = f.T, ud.T, fcone[None]
    return np.concatenate(found) if nargout == 1 else found


def gcFD(model: Model, FDfun: Callable[..., Any], u: Any) -> np.ndarray:
    """``y = gcFD(model,FDfun,u)``, with all arguments in one vector u and all results in y.

    See `spatial_v2.gcFD`; u is ``[q;qd;tau;f_gc]``, with FDfb ``[xfb;q;qd;tau;f_gc]``, whose q, qd
    and tau are those of the joints above the base.
    """
    if not model.gc:
        raise SpatialError("gcFD: model: want one with contact points in model.gc, got none")
    u, n = np.asarray(u).reshape(-1), len(model.gc["body"])
    floating = FDfun.__name__ == "FDfb"
    nq, nv = (model.NQ - 6, model.NV - 6) if floating else (model.NQ, model.NV)
    ends = np.cumsum(([13] if floating else []) + [nq, nv, nv])
    *state, f_gc = np.split(u, ends)
    found = spatial_v2.gcFD(model, FDfun, *state, f_gc.reshape(n, -1))
    return np.concatenate(found) if isinstance(found, tuple) else np.asarray(found)


def held(robot: Model, foot: int) -> spatial_v2.ConstraintSet:
    """Return the constraint that fixes foot 1 (front) or 2 (back) of the quadruped in x and z."""
    if robot.NB != 7 or foot not in (1, 2):
        raise SpatialError(
            "robot: MATLAB's KKT and impact functions want the robot of build_quadruped_model "
            f"with foot 1 or 2 in quad_foot; got {robot.NB} bodies and foot {foot!r}; for other "
            "robots call the functions of spatial_v2 and derivatives with constraints"
        )
    point = [0.0, 0.0, -spatial_v2.get_miniCheetah_params().knee_link_length]
    xz = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    contact = spatial_v2.PointConstraint(2 + 2 * foot, point, directions=xz)
    return spatial_v2.ConstraintSet(robot, [contact])


def stacked(x: Any, y: Any) -> np.ndarray:
    """Stack accelerations and minus the multipliers lambda, as MATLAB's functions return them."""
    return np.concatenate([x, -y])


def by_input(x: Any, S: Any) -> np.ndarray:
    """Convert derivatives with respect to joint forces to those with respect to motor torques."""
    return np.asarray(np.einsum("ijk,ju->iuk", x, S))


def KKT_FD(robot: Model, q: Any, qd: Any, tau: Any, S: Any, *, foot: int = 1) -> np.ndarray:
    """``KKT_FD(robot,q,qd,tau,S)``: [qdd; -lambda] with ``robot.quad_foot = foot``."""
    return stacked(*spatial_v2.KKT_FD(robot, q, qd, S @ tau, held(robot, foot)))


def KKT_FO_derivatives(robot: Model, q: Any, qd: Any, tau: Any, S: Any, *, foot: int = 1) -> Any:
    """``[dKKT_dq,dKKT_dv,dKKT_dtau] = KKT_FO_derivatives(robot,q,qd,tau,S)``.

    See `derivatives.KKT_FO_derivatives`; the constraint is foot ``robot.quad_foot``.
    """
    d = derivatives.KKT_FO_derivatives(robot, q, qd, S @ tau, held(robot, foot))
    dq, dv, dtau = (stacked(x, y) for x, y in zip(d[:3], d[3:], strict=True))
    return dq, dv, dtau @ S


def KKT_SO_derivatives(
    robot: Model, q: Any, qd: Any, tau: Any, S: Any, *, foot: int = 1
) -> SimpleNamespace:
    """``derivs = KKT_SO_derivatives(robot,q,qd,tau,S)``, with the fields da_dqq, ..."""
    d = derivatives.KKT_SO_derivatives(robot, q, qd, S @ tau, held(robot, foot))
    qq, vv, qv, uq = (stacked(x, y) for x, y in zip(d[:4], d[4:], strict=True))
    vq, uq = np.swapaxes(qv, 1, 2), by_input(uq, S)
    second = {"da_dqq": qq, "da_dvv": vv, "da_dvq": vq, "da_dqv": qv}
    return SimpleNamespace(**second, da_dtauq=uq, da_dqtau=np.swapaxes(uq, 1, 2))


def Impact_dyn(robot: Model, q: Any, qd: Any, e: float = 0.0, *, foot: int = 1) -> np.ndarray:
    """``Impact_dyn(robot,q,qd_pre,e)``: [qd_plus; -impulse], where the foot rebounds for e > 0."""
    return stacked(*spatial_v2.Impact_dyn(robot, q, qd, held(robot, foot), e))


def Impact_FO_derivatives(robot: Model, q: Any, qd: Any, *, foot: int = 1) -> Any:
    """``[da_dq,da_dv] = Impact_FO_derivatives(robot,q,v_pre)``; see `derivatives`."""
    d = derivatives.Impact_FO_derivatives(robot, q, qd, held(robot, foot))
    return stacked(d.dqd_dq, d.dimpulse_dq), stacked(d.dqd_dqd, d.dimpulse_dqd)


def Impact_SO_derivatives(robot: Model, q: Any, qd: Any, *, foot: int = 1) -> SimpleNamespace:
    """``derivs = Impact_SO_derivatives(robot,q,v_pre)``, fields da_dqq, da_dvv, da_dvq, da_dqv."""
    d = derivatives.Impact_SO_derivatives(robot, q, qd, held(robot, foot))
    qq, qv = stacked(d[0], d[2]), stacked(d[1], d[3])
    vq = np.swapaxes(qv, 1, 2)
    return SimpleNamespace(da_dqq=qq, da_dvv=np.zeros_like(qq), da_dvq=vq, da_dqv=qv)
