"""Sizes up to which pivots of the joint-space inertia matrix are rounding errors, from poses."""

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.numbers.vectors import shift_motion, six, turn
from spatial_v2.engine.parts.pivots import carry, least_pivot
from spatial_v2.engine.parts.rotors import links
from spatial_v2.engine.tree import Floats, Tree


@inline
def least_pivots(tree: Tree, R: Floats, p: Floats, S: Floats, C: Floats, least: Floats) -> None:
    """Compute `pivots.least_pivot` of each velocity variable (nv,).

    R, p and S are results of `about_robot`; C (nb + 1, 5) is scratch space, for moments about the
    bodies' own origins.
    """
    real = links(tree)
    for i in range(tree.parent.size):
        I = tree.I[i]
        C[i, 0], C[i, 4] = I[5, 5], 0.5 * (I[0, 0] + I[1, 1] + I[2, 2])
        C[i, 1], C[i, 2], C[i, 3] = turn(R[i], I[2, 4], I[0, 5], I[1, 3])
    for i in range(tree.parent.size - 1, -1, -1):
        par, v0 = tree.parent[i], tree.joint[i, 3]
        for k in range(v0, v0 + tree.joint[i, 4] if i < real else v0):
            least[k] = least_pivot(C[i], shift_motion(p[i], six(S[k])))
        if par >= 0:
            for c in range(3):
                C[-1, c] = p[i, c] - p[par, c]
            carry(C[-1], C[i], C[par])
