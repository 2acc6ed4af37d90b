"""Joint-space inertia matrix and bias force.

Spatial vectors are about the origin of each body, with components along the axes of the ground.
"""

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import dot6, shift_force, six
from spatial_v2.engine.parts.body_sweep import inertias_and_bias
from spatial_v2.engine.parts.inertia import add_inertia, apply_inertia
from spatial_v2.engine.parts.joint_terms import add_diagonal
from spatial_v2.engine.parts.sweep import new_moving
from spatial_v2.engine.tree import Floats, Tree


@inline
def mass_matrix(tree: Tree, d: Floats, S: Floats, IC: Floats, H: Floats) -> None:
    """Compute the inertia matrix H (nv, nv) of one state; H must be zero on entry.

    d and S are results of `about_body`; IC (nb + 1, 10) are the inertias of `turn_inertias`, and
    then those of subtrees. These are about each body's own origin: about a distant point, the
    inertia of a small body would be dominated by its mass times the square of the distance, and
    its own digits would be lost to rounding.
    """
    parent, joint = tree.parent, tree.joint
    for i in range(parent.size - 1, -1, -1):
        for k in range(joint[i, 3], joint[i, 3] + joint[i, 4]):
            F = apply_inertia(IC[i], six(S[k]))
            for t in range(joint[i, 3], k + 1):
                H[k, t] = H[t, k] = dot6(six(S[t]), F)
            j = i
            while parent[j] >= 0:
                F = shift_force(d[j], F)
                j = parent[j]
                # Most joints have one variable: a loop for it alone would take longer.
                first = joint[j, 3]
                H[k, first] = H[first, k] = dot6(six(S[first]), F)
                for t in range(first + 1, first + joint[j, 4]):
                    H[k, t] = H[t, k] = dot6(six(S[t]), F)
        if parent[i] >= 0:
            add_inertia(d[i], IC[i], IC[parent[i]])
    add_diagonal(tree.armature, H)


@jit
def HandC(
    tree: Tree, q: Floats, qd: Floats, f_ext: Floats, f_body: Floats, H: Floats, C: Floats
) -> None:
    """Compute the inertia matrix H (B, nv, nv) and the bias force C (B, nv) of ``tau = H qdd + C``;
    H must be zero on entry.
    """
    nb, nv = tree.parent.size, qd.shape[1]
    bodies = new_moving(q, nb, nv)
    IC, p = empty(q, nb + 1, 10), empty(q, nb + 1, 3)
    for b in range(q.shape[0]):
        inertias_and_bias(tree, q, qd, f_ext, f_body, b, bodies, p, IC, C[b])
        mass_matrix(tree, bodies.p, bodies.S, IC, H[b])
