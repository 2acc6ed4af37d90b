"""Gradient of lambda . FDab in O(N), without matrices.

The gradient is minus that of mu . ID at the accelerations of forward dynamics, with
mu = H^-1 lambda constant. mu and the accelerations use the same articulated-body inertias.
"""

from spatial_v2.engine.algorithms.FDab import accelerate
from spatial_v2.engine.algorithms.modID_derivatives import inward_gradient, weigh
from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.articulate import new_articulated, new_motion, respond
from spatial_v2.engine.parts.external import external, stationary_gradient
from spatial_v2.engine.parts.joint_terms import add_product
from spatial_v2.engine.parts.rotors import links, row_count
from spatial_v2.engine.parts.sweep import forward_pass, new_sweep, rest
from spatial_v2.engine.tree import Floats, Tree


@inline
def spread_to_rotors(tree: Tree, x: Floats, rows_of_x: Floats) -> None:
    """Copy a vector x (nv,) to one entry for each row of S; a rotor has the entry of its joint."""
    for k in range(x.size):
        rows_of_x[k] = x[k]
    for b in range(links(tree), tree.parent.size):
        rows_of_x[tree.joint[b, 3]] = x[tree.joint[tree.joint[b, 5], 3]]


@inline
def sum_drivers(tree: Tree, rows_of_x: Floats, x: Floats) -> None:
    """Set x[k] to minus the sum of the entries of `rows_of_x` that belong to variable k.

    A joint has one entry, and one for each rotor that it drives.
    """
    for k in range(x.size):
        x[k] = -rows_of_x[k]
    for b in range(links(tree), tree.parent.size):
        x[tree.joint[tree.joint[b, 5], 3]] -= rows_of_x[tree.joint[b, 3]]


@jit
def modFD_derivatives(
    tree: Tree, q: Floats, qd: Floats, tau: Floats, lam: Floats, f_ext: Floats, f_body: Floats,
    dq: Floats, dqd: Floats, mu: Floats,
) -> None:  # fmt: skip
    """Compute the gradients dq, dqd and mu (B, nv) of ``lam . FDab`` by q, qd and tau."""
    nb, nv, m = tree.parent.size, qd.shape[1], row_count(tree)
    sweep, body, motion = new_sweep(q, nb, m), new_articulated(q, nb, m), new_motion(q, nb, nv)
    w, L, P = empty(q, nb + 1, 6), empty(q, nb + 1, 3), empty(q, nb + 1, 6)
    qdd, weight, by_q, by_qd = empty(q, nv), empty(q, m), empty(q, m), empty(q, m)
    e = empty(q, (nb + 1) * (f_ext.size > 0), 6)
    for b in range(q.shape[0]):
        rest(tree, motion.v, motion.a)
        accelerate(tree, q, qd, tau, f_ext, f_body, b, body, motion, qdd)
        motion.a[-1, :] = 0.0
        motion.c[:, :] = 0.0
        motion.pA[:, :] = 0.0
        respond(tree, body, motion, lam[b], mu[b])
        o = forward_pass(tree, q[b], qd[b], qdd, sweep)
        external(f_ext, f_body, b, o, sweep, e)
        spread_to_rotors(tree, mu[b], weight)
        weigh(tree, weight, sweep.S, w)
        inward_gradient(tree, weight, sweep, w, L, P, by_q, by_qd)
        if f_ext.size:
            stationary_gradient(tree, weight, sweep.S, e, P, by_q)
        add_product(tree.stiffness, mu[b], by_q)
        sum_drivers(tree, by_q, dq[b])
        add_product(tree.damping, mu[b], by_qd)
        sum_drivers(tree, by_qd, dqd[b])
