"""Composite-rigid-body algorithm and bias force, with their intermediate results."""

from __future__ import annotations

from spatial_v2.engine.algorithms.HandC import mass_matrix
from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import six, store, turn_six_back
from spatial_v2.engine.parts.body_sweep import motions, store_bodies, subtree_forces
from spatial_v2.engine.parts.inertia import dense_inertia
from spatial_v2.engine.parts.joint_terms import add_drag
from spatial_v2.engine.parts.poses import about_body
from spatial_v2.engine.parts.sweep import new_moving
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["HandC_info"]


@inline
def turn_matrix(R: Floats, M: Floats, out: Floats) -> None:
    """Rotate a symmetric 6x6 matrix M from the ground's axes to the axes of a body."""
    for r in range(6):
        store(turn_six_back(R, six(M[r])), out[r])
    for c in range(6):
        x = turn_six_back(R, (out[0, c], out[1, c], out[2, c], out[3, c], out[4, c], out[5, c]))
        out[0, c], out[1, c], out[2, c], out[3, c], out[4, c], out[5, c] = x


@jit
def HandC_info(
    tree: Tree, q: Floats, qd: Floats, f_ext: Floats, f_body: Floats, H: Floats, C: Floats,
    IC: Floats, Xup: Floats, v: Floats, avp: Floats, fvp: Floats,
) -> None:  # fmt: skip
    """Compute the inertia matrix H, the bias force C and the fields of `HandCInfo`; all must be
    zero on entry.

    Arguments are q, qd and external forces f_ext, f_body; the fields are IC, Xup, v, avp and fvp.
    """
    nb, nv = tree.parent.size, qd.shape[1]
    bodies = new_moving(q, nb, nv)
    R, d, S, F = bodies.R, bodies.p, bodies.S, bodies.f
    p, Q, x, none = empty(q, nb + 1, 3), empty(q, 3, 3), empty(q, 3), empty(q, 0, 6)
    J, M, rest = empty(q, nb + 1, 10), empty(q, 6, 6), empty(q, 0)
    for b in range(q.shape[0]):
        about_body(tree, q[b], R, d, S)
        external = f_ext[b] if f_ext.size else none
        carried = f_body[b] if f_body.size else none
        motions(tree, qd[b], rest, external, carried, bodies, p)
        subtree_forces(tree, d, S, F, C[b])
        add_drag(tree, 1.0, qd[b], C[b])
        store_bodies(tree, bodies, Q, x, Xup[b], v[b], avp[b], fvp[b])
        mass_matrix(tree, R, d, S, J, H[b])
        for i in range(nb):
            dense_inertia(J[i], M)
            turn_matrix(R[i], M, IC[b, i])
