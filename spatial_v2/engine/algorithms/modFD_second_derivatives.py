"""Hessian of lambda . FDab, and first derivatives of FDab, without tensors."""

from spatial_v2.engine.algorithms.acceleration_hessian import (
    Four,
    Three,
    acceleration_hessian,
)
from spatial_v2.engine.algorithms.FD_derivatives import FD_derivatives
from spatial_v2.engine.algorithms.FDab import FDab
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.tree import Floats, Tree


@jit
def modFD_second_derivatives(
    tree: Tree, q: Floats, qd: Floats, tau: Floats, lam: Floats, f_ext: Floats, f_body: Floats,
    first: Three, hessian: Four,
) -> None:  # fmt: skip
    """Compute first derivatives of FDab, and the Hessian of ``lam . FDab``, each (B, nv, nv).

    `first` are dqdd_dq, dqdd_dqd and H^-1; for the blocks of the Hessian see
    `acceleration_hessian`.
    """
    P, Q, Minv = first
    qdd = empty(q, q.shape[0], qd.shape[1])
    FD_derivatives(tree, q, qd, tau, f_ext, f_body, P, Q, Minv)
    FDab(tree, q, qd, tau, f_ext, f_body, qdd)
    acceleration_hessian(tree, q, qd, qdd, lam, first, f_ext, f_body, hessian)
