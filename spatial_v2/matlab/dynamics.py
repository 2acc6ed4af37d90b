"""Functions of MATLAB's folder ``dynamics`` with other arguments or results."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

import derivatives
import spatial_v2
from spatial_v2.matlab.arguments import body, cells, columns, from_one
from spatial_v2.model import Model

__all__ = [
    "CMM",
    "ID",
    "BodyJacobian",
    "BodyJacobianTimeDerivative",
    "Christoffel",
    "HandC",
    "apply_external_forces",
    "fbanim",
]


def ID(model: Model, q: Any, qd: Any, qdd: Any, f_ext: Any = None, *, nargout: int = 1) -> Any:
    """``[tau,out] = ID(model,q,qd,qdd,f_ext)``: see `spatial_v2.ID`."""
    if nargout == 1:
        return spatial_v2.ID(model, q, qd, qdd, f_ext)
    tau, info = spatial_v2.ID(model, q, qd, qdd, f_ext, return_info=True)
    return tau, SimpleNamespace(tau=tau, **info._asdict())


def HandC(model: Model, q: Any, qd: Any, f_ext: Any = None, *, nargout: int = 2) -> Any:
    """``[H,C,info] = HandC(model,q,qd,f_ext)``: see `spatial_v2.HandC`."""
    if nargout < 3:
        return spatial_v2.HandC(model, q, qd, f_ext)
    (H, C), info = spatial_v2.HandC(model, q, qd, f_ext, return_info=True)
    return H, C, info


def CMM(model: Model, q: Any, qd: Any = None, *, nargout: int = 1) -> Any:
    """``[A,Ad_qd] = CMM(model,q,qd)``: see `spatial_v2.CMM`."""
    A = spatial_v2.CMM(model, q)
    return A if nargout == 1 else (A, spatial_v2.CMMTimeDerivative(model, q, qd) @ np.asarray(qd))


def Christoffel(model: Model, q: Any, *, nargout: int = 1) -> Any:
    """``[Gamma,out] = Christoffel(model,q)``: see `derivatives.Christoffel`.

    ``out.S`` has the motion subspaces of the joints in base coordinates, ``out.IC`` the inertias of
    their subtrees.
    """
    Gamma = derivatives.Christoffel(model, q)
    if nargout == 1:
        return Gamma
    rest = np.zeros(model.NV)
    g = spatial_v2.GlobalDynamics(model, q, rest, rest)
    return Gamma, SimpleNamespace(S=[g.S[:, k] for k in model.vinds], IC=g.IC)


def BodyJacobian(model: Model, q: Any, body_num: int, Xend: Any) -> Any:
    """``J = BodyJacobian(model,q,body_num,Xend)``: see `spatial_v2.BodyJacobian`."""
    return spatial_v2.BodyJacobian(model, q, body(model, body_num, "body_num"), Xend)


def BodyJacobianTimeDerivative(
    model: Model, q: Any, qd: Any, body_num: int, Xend: Any = None, Xend_dot: Any = None
) -> Any:
    """``Jdot = BodyJacobianTimeDerivative(model,q,qd,body_num,Xend,Xend_dot)``.

    See `spatial_v2.BodyJacobianTimeDerivative`.
    """
    i = body(model, body_num, "body_num")
    return spatial_v2.BodyJacobianTimeDerivative(model, q, qd, i, Xend, Xend_dot)


def apply_external_forces(parent: Any, Xup: Any, f_in: Any, f_ext: Any) -> list[np.ndarray]:
    """``f_out = apply_external_forces(parent,Xup,f_in,f_ext)``, lists with one entry per body."""
    forces = cells(f_ext)
    Xa: list[np.ndarray] = []
    left = [np.asarray(f).reshape(-1) for f in f_in]
    for i, p in enumerate(from_one(parent)):
        Xa.append(np.asarray(Xup[i]) if p < 0 else Xup[i] @ Xa[p])
        if forces is not None:
            left[i] = left[i] - np.linalg.solve(Xa[i].T, forces[i])
    return left


def fbanim(X: Any, Qr: Any = None) -> np.ndarray:
    """``Q = fbanim(X,Qr)``: see `spatial_v2.fbanim`; one column per instant, or (7, 1, N)."""
    X, Qr = (x if x is None else np.asarray(x).reshape(len(x), -1).T for x in (X, Qr))
    return np.asarray(columns(spatial_v2.fbanim(X, Qr)))
