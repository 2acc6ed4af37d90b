"""Composite-rigid-body algorithm and bias force, with their intermediate results."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import dot6, shift_force, six, store, turn_six_back
from spatial_v2.engine.parts.body_sweep import motions, store_bodies, subtree_forces
from spatial_v2.engine.parts.inertia import dense_inertia, ground_inertia, shift_inertia
from spatial_v2.engine.parts.joint_terms import add_diagonal, add_drag
from spatial_v2.engine.parts.poses import about_body
from spatial_v2.engine.parts.sweep import new_moving
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["HandC_info"]


@inline
def composite(tree: Tree, d: Floats, S: Floats, M: Floats, H: Floats) -> None:
    """Compute the inertia matrix H (nv, nv), which must be zero on entry; sum the inertias M over
    subtrees, in place.
    """
    parent, joint = tree.parent, tree.joint
    for i in range(parent.size - 1, -1, -1):
        for k in range(joint[i, 3], joint[i, 3] + joint[i, 4]):
            s = six(S[k])
            F = (
                dot6(six(M[i, 0]), s), dot6(six(M[i, 1]), s), dot6(six(M[i, 2]), s),
                dot6(six(M[i, 3]), s), dot6(six(M[i, 4]), s), dot6(six(M[i, 5]), s),
            )  # fmt: skip
            j = i
            while j >= 0:
                for t in range(joint[j, 3], joint[j, 3] + joint[j, 4]):
                    H[k, t] = H[t, k] = dot6(six(S[t]), F)
                F = shift_force(d[j], F)
                j = parent[j]
        shift_inertia(d[i], M[i], M[parent[i]])
    add_diagonal(tree.armature, H)


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
    J, M, rest = empty(q, 10), empty(q, nb + 1, 6, 6), empty(q, 0)
    for b in range(q.shape[0]):
        about_body(tree, q[b], R, d, S)
        external = f_ext[b] if f_ext.size else none
        carried = f_body[b] if f_body.size else none
        motions(tree, qd[b], rest, external, carried, bodies, p)
        subtree_forces(tree, d, S, F, C[b])
        add_drag(tree, 1.0, qd[b], C[b])
        store_bodies(tree, bodies, Q, x, Xup[b], v[b], avp[b], fvp[b])
        M[-1, :, :] = 0.0
        for i in range(nb):
            ground_inertia(tree.I[i], R[i], d[-1], J)
            dense_inertia(J, M[i])
        composite(tree, d, S, M, H[b])
        for i in range(nb):
            turn_matrix(R[i], M[i], IC[b, i])
