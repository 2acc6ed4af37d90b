"""Coriolis matrix, inertia matrix and its rate: Algorithm 1 of Echeandia and Wensing (2021)."""

from typing import NamedTuple

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import add_into, dot6, plus, six, times
from spatial_v2.engine.parts.body_coriolis import apply_coriolis, apply_transpose, coriolis_matrix
from spatial_v2.engine.parts.inertia import apply_inertia, place_inertia
from spatial_v2.engine.parts.joint_terms import add_diagonal
from spatial_v2.engine.parts.velocities import Velocities, new_velocities, velocities
from spatial_v2.engine.tree import Floats, Tree


class Inertias(NamedTuple):
    """Workspace for inertias and doubled Coriolis matrices of bodies and subtrees.

    I (10,) and B (12,) belong to one body, IC (nb + 1, 10) and BC (nb + 1, 12) to subtrees.
    """

    I: Floats
    B: Floats
    IC: Floats
    BC: Floats


@inline
def inward_coriolis(
    tree: Tree, bodies: Velocities, inertias: Inertias, C: Floats, Hdot: Floats, H: Floats
) -> None:
    """Compute the Coriolis matrix C, the rate Hdot of the inertia matrix, and H, each (nv, nv), of
    one state.

    For a joint with one variable k, C_kk includes only the bodies beyond the one that k moves. The
    contribution of that body is zero, but for a fast rotor its rounding errors would be large.
    """
    (R, p, S, Sd, v), (I, B, IC, BC) = bodies, inertias
    parent, joint = tree.parent, tree.joint
    IC[:, :] = 0.0
    BC[:, :] = 0.0
    for i in range(parent.size - 1, -1, -1):
        v0, n = joint[i, 3], joint[i, 4]
        s, ds = six(S[v0]), six(Sd[v0])
        l = apply_transpose(BC[i], s)
        alone = dot6(ds, apply_inertia(IC[i], s)) + 0.5 * (l[0] * s[0] + l[1] * s[1] + l[2] * s[2])
        place_inertia(tree.I[i], R[i], p[i], I)
        coriolis_matrix(I, six(v[i]), B)
        add_into(I, IC[i])
        add_into(B, BC[i])
        for k in range(v0, v0 + n):
            s = six(S[k])
            F1 = plus(apply_inertia(IC[i], six(Sd[k])), times(0.5, apply_coriolis(BC[i], s)))
            F2, (l0, l1, l2) = apply_inertia(IC[i], s), apply_transpose(BC[i], s)
            l0, l1, l2 = 0.5 * l0, 0.5 * l1, 0.5 * l2
            j = i
            while j >= 0:
                for t in range(joint[j, 3], joint[j, 3] + joint[j, 4]):
                    s = six(S[t])
                    up = dot6(s, F1)
                    down = dot6(six(Sd[t]), F2) + l0 * s[0] + l1 * s[1] + l2 * s[2]
                    C[k, t] = down
                    H[k, t] = H[t, k] = dot6(s, F2)
                    Hdot[k, t] = Hdot[t, k] = up + down
                    if j != i:
                        C[t, k] = up
                j = parent[j]
        if n == 1:
            C[v0, v0], Hdot[v0, v0] = alone, 2.0 * alone
        add_into(IC[i], IC[parent[i]])
        add_into(BC[i], BC[parent[i]])


@jit
def CoriolisMatrix(tree: Tree, q: Floats, qd: Floats, C: Floats, Hdot: Floats, H: Floats) -> None:
    """Compute C, the rate Hdot of the inertia matrix, and H, each (B, nv, nv) and zero on entry."""
    nb, nv = tree.parent.size, qd.shape[1]
    I, B, IC, BC = empty(q, 10), empty(q, 12), empty(q, nb + 1, 10), empty(q, nb + 1, 12)
    bodies, inertias = new_velocities(q, nb, nv), Inertias(I, B, IC, BC)
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], bodies)
        inward_coriolis(tree, bodies, inertias, C[b], Hdot[b], H[b])
        add_diagonal(tree.armature, H[b])
