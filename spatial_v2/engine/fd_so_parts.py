"""What the second derivatives of forward dynamics are made of, one kernel after another."""

from __future__ import annotations

from spatial_v2.engine.aba import aba
from spatial_v2.engine.compile import jit
from spatial_v2.engine.fdsva import fdsva
from spatial_v2.engine.idsva_so import idsva_so
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["fd_so_parts"]


@jit
def fd_so_parts(
    tree: Tree, q: Floats, qd: Floats, tau: Floats, f_ext: Floats, f_body: Floats,
    P: Floats, Q: Floats, Minv: Floats, x: Floats, v: Floats, z: Floats, m: Floats,
) -> None:  # fmt: skip
    """What `fdsva` gives, each (B, nv, nv), and `idsva_so`, each (B, values), at its qdd."""
    qdd = empty(q, q.shape[0], qd.shape[1])
    Minv[:, :, :] = 0.0
    fdsva(tree, q, qd, tau, f_ext, f_body, P, Q, Minv)
    aba(tree, q, qd, tau, f_ext, f_body, qdd)
    idsva_so(tree, q, qd, qdd, f_ext, f_body, x, v, z, m)
