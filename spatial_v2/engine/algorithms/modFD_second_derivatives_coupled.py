"""Hessian of weighted accelerations of a coupled model."""

from typing import NamedTuple

from spatial_v2.engine.algorithms.acceleration_hessian import Four, Three, combine_blocks
from spatial_v2.engine.algorithms.FD_derivatives_coupled import (
    Factored,
    accelerate,
    by_inverse_dynamics,
    new_factored,
)
from spatial_v2.engine.algorithms.ID_derivatives import IDFOZA
from spatial_v2.engine.algorithms.modFD_derivatives_coupled import weights
from spatial_v2.engine.algorithms.modID_second_derivatives import Hessian, modID_second_derivatives
from spatial_v2.engine.compile.decorators import jit, within
from spatial_v2.engine.compile.subkernels import subkernel
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.sparse_products import pull_back_matrix, spread
from spatial_v2.engine.spread import Coupled
from spatial_v2.engine.tree import Floats

Pair = tuple[Floats, Floats]


class Curves(NamedTuple):
    """Derivatives of inverse dynamics of the tree for one state and one weight, and of y.

    Attributes
    ----------
    tree : Hessian
        Those of the tree, with one state.
    N : (1, nv, nv)
        Derivatives of H b with respect to q, at constant b.
    weight : (1, nv)
        The weights b of the joint forces.
    blocks : tuple of (n, n)
        N and the blocks of the Hessian, in variables y.
    X : (n, n)
        Scratch space.
    """

    tree: Hessian
    N: Floats
    weight: Floats
    blocks: Four
    X: Floats


@within
def new_curves(of: Coupled, y: Floats, n: int) -> Curves:
    """Allocate `Curves` for n variables, for the kind of number of y."""
    nv = of.v.shift.size
    tree = Hessian(
        empty(y, 1, nv), empty(y, 1, nv), empty(y, 1, nv, nv), empty(y, 1, nv, nv),
        empty(y, 1, nv, nv), empty(y, 1, nv, nv), empty(y, 1, nv, nv),
    )  # fmt: skip
    blocks = empty(y, n, n), empty(y, n, n), empty(y, n, n), empty(y, n, n)
    return Curves(tree, empty(y, 1, nv, nv), empty(y, 1, nv), blocks, empty(y, n, n))


@subkernel
def curve(
    of: Coupled, w: Factored, b: int, qdd: Floats, mu: Floats, forces: Pair, s: Curves
) -> None:
    """Compute s for state b, the accelerations qdd (B, nv) and the weights mu (n,) of forces."""
    t, one = s.tree, slice(b, b + 1)
    spread(of.v, mu, s.weight[0])
    t.qq[:, :, :] = 0.0
    t.vv[:, :, :] = 0.0
    t.qv[:, :, :] = 0.0
    t.dq[:, :, :] = 0.0
    t.dqd[:, :, :] = 0.0
    s.N[:, :, :] = 0.0
    IDFOZA(of.tree, w.q[one], s.weight, s.N)
    modID_second_derivatives(
        of.tree, w.q[one], w.qd[one], qdd[one], s.weight, forces[0][one], forces[1][one], t
    )
    N, A, B, C = s.blocks
    pull_back_matrix(of.v, s.N[0], N)
    pull_back_matrix(of.v, t.qq[0], A)
    pull_back_matrix(of.v, t.vv[0], B)
    pull_back_matrix(of.v, t.qv[0], C)


@jit
def modFD_second_derivatives_coupled(
    of: Coupled, y: Floats, yd: Floats, tau: Floats, lam: Floats, f_ext: Floats, f_body: Floats,
    first: Three, hessian: Four,
) -> None:  # fmt: skip
    """Compute first derivatives of the accelerations of independent variables, and the Hessian of
    their sum with the weights lam (B, n); for the blocks see `acceleration_hessian`.
    """
    (P, Q, Minv), (qq, vv, vq, tq) = first, hessian
    n, nv = yd.shape[1], of.v.shift.size
    ydd, qdd, mu, x = empty(y, y.shape[0], n), empty(y, y.shape[0], nv), empty(y, n), empty(y, n, 1)
    w, s = new_factored(of, y, n), new_curves(of, y, n)
    accelerate(of, y, yd, tau, f_ext, f_body, w, ydd)
    for b in range(y.shape[0]):
        spread(of.v, ydd[b], qdd[b])
        weights(of, w, lam[b], b, x, mu)
        curve(of, w, b, qdd, mu, (f_ext, f_body), s)
        of_y = P[b], Q[b], Minv[b]
        by_inverse_dynamics(of, w, b, s.tree.dq[0], s.tree.dqd[0], of_y)
        combine_blocks(s.blocks, of_y, s.X, (qq[b], vv[b], vq[b], tq[b]))
