"""Derivatives of the inertia matrix as products of few vectors.

The bodies beyond joint k rotate rigidly when the joint moves. Let a be the acceleration of the
parent and f the force through the joint, both linear in joint accelerations x. Then the joint
forces H x change only by the rotation of f, and of a relative to the joint. Multiplied by H^-1, for
columns x of H^-1 or other accelerations,

    (H^-1 dH/dq_k x)[i] = a[i] . (s_k x* f(x)) - f[i] . (s_k x a(x)),

with a[i] and f[i] for a unit force at joint i. Only four components of a, and four of f, occur in
these products: those across the axis of the joint.
"""

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.numbers.vectors import Three, cross, dot6, plus, six, store, times
from spatial_v2.engine.parts.inertia import apply_inertia
from spatial_v2.engine.parts.poses import has_axis
from spatial_v2.engine.parts.rotors import links
from spatial_v2.engine.tree import Floats, Tree
from spatial_v2.joints.table import REVOLUTE

FACTORS = 8
"""Number of factors for each joint (or rotor) and column: four are of the force, four of the
acceleration.
"""


@inline
def axis_rows(t: Three, origin: Three, turns: bool, g: float, h: float, c: int, G: Floats) -> None:
    """Compute rows c, c + 2, c + 4 and c + 6 of `across`, for a direction t across the axis."""
    t0, t1, t2 = t
    m0, m1, m2 = cross(origin[0], origin[1], origin[2], t0, t1, t2)
    store((g * t0, g * t1, g * t2, 0.0, 0.0, 0.0), G[c + 4])
    if turns:
        store((t0, t1, t2, m0, m1, m2), G[c])
        store((0.0, 0.0, 0.0, t0, t1, t2), G[c + 2])
        m0, m1, m2 = m0 + h * t0, m1 + h * t1, m2 + h * t2
        store((g * m0, g * m1, g * m2, g * t0, g * t1, g * t2), G[c + 6])
    else:
        store((0.0, 0.0, 0.0, t0, t1, t2), G[c])
        G[c + 2, :] = 0.0
        G[c + 6, :] = 0.0


@part
def across(tree: Tree, R: Floats, p: Floats, G: Floats) -> None:
    """Compute G (rows, 8, 6): for each joint, four rows that project a force, and four an
    acceleration, on the components perpendicular to the joint's axis.

    The products a[i] . (s_k x* f) - f[i] . (s_k x a) have no others.
    """
    for i in range(tree.parent.size):
        kind, v0, E = tree.joint[i, 0], tree.joint[i, 3], R[i]
        origin = p[i, 0], p[i, 1], p[i, 2]
        for k in range(tree.joint[i, 4]):
            axis, g, h, turns = tree.joint[i, 1], tree.par[i, 0], tree.par[i, 1], kind == REVOLUTE
            if not has_axis(kind):
                axis, g, h, turns = k % 3, 1.0, 0.0, k < 3
            b, c = (axis + 1) % 3, (axis + 2) % 3
            axis_rows((E[0, b], E[1, b], E[2, b]), origin, turns, g, h, 0, G[v0 + k])
            axis_rows((E[0, c], E[1, c], E[2, c]), origin, turns, g, h, 1, G[v0 + k])


@part
def factors(
    tree: Tree, S: Floats, I: Floats, G: Floats, X: Floats, a: Floats, f: Floats, width: int,
    V: Floats,
) -> None:  # fmt: skip
    """Compute V (batches, FACTORS width), the factors for the columns of X, as SIMD batches.

    The factors of rotors come after those of links. a and f (nb + 1, 6) are scratch space.
    """
    nb, real = tree.parent.size, links(tree)
    for c in range(X.shape[1]):
        for r in range(6):
            a[-1, r] = 0.0
        for i in range(nb):
            row, v0 = tree.joint[i, 3], tree.joint[i, 3]
            if i >= real:
                v0 = tree.joint[tree.joint[i, 5], 3]
            x = six(a[tree.parent[i]])
            for k in range(tree.joint[i, 4]):
                x = plus(x, times(X[v0 + k, c], six(S[row + k])))
            store(x, a[i])
            store(apply_inertia(I[i], x), f[i])
        for i in range(nb - 1, -1, -1):
            par, row, v0, first = tree.parent[i], tree.joint[i, 3], tree.joint[i, 3], 0
            if i >= real:
                v0, first = tree.joint[tree.joint[i, 5], 3], FACTORS
            force, motion = six(f[i]), six(a[par])
            for k in range(tree.joint[i, 4]):
                place = first * width + v0 + k
                for r in range(4):
                    V[c, place + r * width] = dot6(six(G[row + k, r]), force)
                    V[c, place + (r + 4) * width] = dot6(six(G[row + k, r + 4]), motion)
            if par >= 0:
                store(plus(six(f[par]), force), f[par])
