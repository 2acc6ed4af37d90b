"""Functions of MATLAB's folder ``derivatives`` with other arguments or results."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

import derivatives
import spatial_v2
from spatial_v2.matlab.arguments import body, columns
from spatial_v2.matlab.table import ROWS
from spatial_v2.model import Model

__all__ = [
    "FD_SO_derivatives",
    "GlobalDynamics",
    "ID_SO_derivatives",
    "modID_derivatives",
    "spatial_force_SO_derivs",
    "spatial_force_derivatives",
]

PER_VELOCITY = ("S", "Sd", "psid", "psidd", "vJxS")


def ID_SO_derivatives(model: Model, q: Any, qd: Any, qdd: Any) -> SimpleNamespace:
    """``derivs = ID_SO_derivatives(model,q,qd,qdd)``, with field names of both MATLAB versions."""
    d = derivatives.ID_SO_derivatives(model, q, qd, qdd)
    return SimpleNamespace(**d._asdict(), d2tau_dv=d.d2tau_dqd, d2tau_dqv=d.d2tau_cross)


def FD_SO_derivatives(model: Model, q: Any, qd: Any, qdd: Any) -> SimpleNamespace:
    """``derivs = FD_SO_derivatives(model,q,qd,qdd)``: see `derivatives.FD_SO_derivatives`."""
    d = derivatives.FD_SO_derivatives(model, q, qd, qdd=qdd)
    names = ("d2FD_dq", "d2FD_dv", "d2FD_dqv", "d2FD_dtauq")
    return SimpleNamespace(**dict(zip(names, d, strict=True)))


def modID_derivatives(model: Model, q: Any, qd: Any, qdd: Any, lambda_: Any) -> Any:
    """``[grad_q,grad_qd,total] = modID_derivatives(model,q,qd,qdd,lambda)``, lambda (NV, m)."""
    grads = derivatives.modID_derivatives(model, q, qd, qdd, columns(lambda_))
    grad_q, grad_qd = (columns(x) for x in grads)
    return grad_q, grad_qd, np.concatenate([grad_q, grad_qd])


def spatial_force_derivatives(model: Model, q: Any, qd: Any, qdd: Any, i: int, j: int) -> Any:
    """``[df_dq,dfC_dq,...] = spatial_force_derivatives(model,q,qd,qdd,i,j)``."""
    i, j = body(model, i, "i"), body(model, j, "j")
    d = derivatives.spatial_force_derivatives(model, q, qd, qdd)
    names = ROWS["spatial_force_derivatives"].outputs
    return tuple(getattr(d, name)[i][:, model.vinds[j]] for name in names)


def spatial_force_SO_derivs(model: Model, q: Any, qd: Any, qdd: Any) -> SimpleNamespace:
    """``derivs = spatial_force_SO_derivs(model,q,qd,qdd)``: ``d2fc_dq[i]`` of body i + 1."""
    d = derivatives.spatial_force_SO_derivs(model, q, qd, qdd)
    names = ("d2fc_dav", "d2fc_dva", "d2fc_dav_b", "d2fc_dva_b")
    return SimpleNamespace(**d._asdict(), **{name: np.zeros_like(d.d2fc_dv) for name in names})


def GlobalDynamics(
    model: Model, q: Any, qd: Any, qdd: Any, m6: Any = None, f6: Any = None, *, nargout: int = 1
) -> Any:
    """``[glob,bod] = GlobalDynamics(model,q,qd,qdd,m6,f6)``: see `spatial_v2.GlobalDynamics`.

    glob and bod have fields with an entry for each body; bod is the result of `bodyFrame_dyn`.
    """
    found: Any = spatial_v2.GlobalDynamics(model, q, qd, qdd, m6=m6, f6=f6, return_info=True)
    fields = {**found[0]._asdict(), **found[1]._asdict()}
    fields["iXO"] = fields.pop("X0")
    for name in PER_VELOCITY:
        fields[name] = [fields[name][:, k] for k in model.vinds]
    fields["STf"] = [fields["STf"][k] for k in model.vinds]
    glob = SimpleNamespace(**fields)
    return glob if nargout == 1 else (glob, spatial_v2.bodyFrame_dyn(model, q, qd, qdd))
