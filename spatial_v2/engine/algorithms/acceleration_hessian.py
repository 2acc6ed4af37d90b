"""Hessian of weighted accelerations of forward dynamics, given their first derivatives.

With mu = H^-1 lambda the Hessian of ``lambda . FDab`` is minus that of mu . ID at the accelerations
of forward dynamics, minus products of the first derivatives with N, the derivative of H mu with
respect to q at constant mu.
"""

from spatial_v2.engine.algorithms.ID_derivatives import inward_derivatives as derive
from spatial_v2.engine.algorithms.modFD_derivatives import spread_to_rotors
from spatial_v2.engine.algorithms.modID_derivatives import weigh
from spatial_v2.engine.algorithms.modID_second_derivatives import (
    Hessian,
    inward_hessian,
    new_weighted,
)
from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.external import external, stationary_hessian
from spatial_v2.engine.parts.rotors import links, row_count
from spatial_v2.engine.parts.sweep import forward_pass, inertial, new_sweep
from spatial_v2.engine.tree import Floats, Tree

Three = tuple[Floats, Floats, Floats]
Four = tuple[Floats, Floats, Floats, Floats]


@part
def contract_rotors(tree: Tree, A: Floats) -> None:
    """Add the rows and columns of rotors in A to those of the variables that drive them."""
    for b in range(links(tree), tree.parent.size):
        row, v0 = tree.joint[b, 3], tree.joint[tree.joint[b, 5], 3]
        for c in range(A.shape[1]):
            A[v0, c] += A[row, c]
        for r in range(A.shape[0]):
            A[r, v0] += A[r, row]


@part
def combine_blocks(blocks: Four, first: Three, X: Floats, out: Four) -> None:
    """Compute the blocks (nv, nv) of the Hessian; X (nv, nv) is scratch space.

    `blocks` are N and the blocks A, B and C of the Hessian of mu . ID with respect to q, to qd, and
    mixed; `first` are the first derivatives P, Q and H^-1.
    """
    (N, A, B, C), (P, Q, Minv), (qq, vv, vq, tq) = blocks, first, out
    n = X.shape[0]
    X[:, :] = 0.0
    vq[:, :] = 0.0
    tq[:, :] = 0.0
    for i in range(n):
        for j in range(n):
            p, d, m = P[i, j], Q[i, j], Minv[i, j]
            for k in range(n):
                X[j, k] += p * N[i, k]
                vq[j, k] -= d * N[i, k]
                tq[j, k] -= m * N[i, k]
    for j in range(n):
        for k in range(n):
            qq[j, k] = -(A[j, k] + X[j, k] + X[k, j])
            vv[j, k] = -B[j, k]
            vq[j, k] -= C[k, j]


@jit
def acceleration_hessian(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, lam: Floats, first: Three, f_ext: Floats,
    f_body: Floats, out: Four,
) -> None:  # fmt: skip
    """Compute the Hessian of ``lam . FDab``, the blocks qq, vv, vq and tq (B, nv, nv) with v for qd
    and t for tau.

    qdd are the accelerations; `first` are their derivatives dqdd_dq, dqdd_dqd and H^-1.
    """
    (P, Q, Minv), (qq, vv, vq, tq) = first, out
    nb, nv, m = tree.parent.size, qd.shape[1], row_count(tree)
    sweep, sums = new_sweep(q, nb, m), new_weighted(q, nb, m)
    most = (nb + 1) * (f_ext.size > 0)
    e, K, weight, rest = empty(q, most, 6), empty(q, most, 18), empty(q, m), empty(q, nv)
    N, A, B, C = empty(q, m, m), empty(q, m, m), empty(q, m, m), empty(q, m, m)
    X, none, mu = empty(q, nv, nv), empty(q, 1, 0), empty(q, nv)
    light = inertial(tree)
    rest[:] = 0.0
    for b in range(q.shape[0]):
        for i in range(nv):
            mu[i] = 0.0
            for j in range(nv):
                mu[i] += Minv[b, i, j] * lam[b, j]
        N[:, :] = 0.0
        forward_pass(light, q[b], rest, mu, sweep)
        derive(tree, sweep, N, A)
        A[:, :] = 0.0
        B[:, :] = 0.0
        C[:, :] = 0.0
        o = forward_pass(tree, q[b], qd[b], qdd[b], sweep)
        external(f_ext, f_body, b, o, sweep, e)
        spread_to_rotors(tree, mu, weight)
        weigh(tree, weight, sweep.S, sums.w)
        inverse = Hessian(none[0], none[0], A, B, C, none, none)
        inward_hessian(tree, weight, sweep, sums, inverse)
        if f_ext.size:
            stationary_hessian(tree, weight, sweep.S, e, K, A)
        contract_rotors(tree, N)
        contract_rotors(tree, A)
        contract_rotors(tree, B)
        contract_rotors(tree, C)
        results = qq[b], vv[b], vq[b], tq[b]
        combine_blocks((N, A, B, C), (P[b], Q[b], Minv[b]), X, results)
