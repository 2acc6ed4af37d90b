"""Composite-rigid-body algorithm and bias force, with their intermediate results."""

from typing import NamedTuple

from spatial_v2.engine.algorithms.HandC import mass_matrix
from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import six, store, turn_six_back
from spatial_v2.engine.parts.body_sweep import motion_and_forces, store_bodies
from spatial_v2.engine.parts.inertia import dense_inertia, turn_inertias
from spatial_v2.engine.parts.sweep import new_moving
from spatial_v2.engine.tree import Floats, Tree


class Info(NamedTuple):
    """The fields of `HandCInfo` for B states."""

    IC: Floats
    Xup: Floats
    v: Floats
    avp: Floats
    fvp: Floats


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
    info: Info,
) -> None:  # fmt: skip
    """Compute the inertia matrix H, the bias force C and the fields of `HandCInfo`; all must be
    zero on entry.

    f_ext and f_body are external forces.
    """
    IC, Xup, v, avp, fvp = info
    nb, nv = tree.parent.size, qd.shape[1]
    bodies = new_moving(q, nb, nv)
    p, Q, x = empty(q, nb + 1, 3), empty(q, 3, 3), empty(q, 3)
    J, M, rest = empty(q, nb + 1, 10), empty(q, 6, 6), empty(q, 0)
    for b in range(q.shape[0]):
        motion_and_forces(tree, q, qd, rest, f_ext, f_body, b, bodies, p, C[b])
        store_bodies(tree, bodies, Q, x, Xup[b], v[b], avp[b], fvp[b])
        turn_inertias(tree, bodies.R, J)
        mass_matrix(tree, bodies.p, bodies.S, J, H[b])
        for i in range(nb):
            dense_inertia(J[i], M)
            turn_matrix(bodies.R[i], M, IC[b, i])
