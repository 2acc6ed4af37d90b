"""External forces, and their effect on derivatives.

A force that is constant in a body moves with it, as inertial forces do, and is added to those. A
force that is constant in the base (a stationary force) stays as it is when joints turn the bodies.
Let e be the sum of minus such forces over the bodies that variable k moves. It contributes
``s_k . e`` to tau_k, with the motion subspace s_k. Along a variable t at or above k, only s_k
changes, by ``s_t x s_k``, and the contribution to the derivative is ``s_t . (s_k x* e)``.
"""

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.numbers.vectors import (
    Six,
    Three,
    add,
    add_into,
    crf,
    cross,
    dot6,
    force_at,
    plus,
    shift_force,
    shift_motion,
    six,
    store,
    times,
    turn,
)
from spatial_v2.engine.parts.articulate import Articulated
from spatial_v2.engine.parts.ldl import ldl_solve
from spatial_v2.engine.parts.rotors import links
from spatial_v2.engine.parts.sweep import Sweep
from spatial_v2.engine.tree import Floats, Tree


@inline
def sub_force(f_ext: Floats, o: Three, f: Floats) -> None:
    """Subtract f_ext from f; couples of f_ext are about the ground's origin, those of f about o."""
    n0, n1, n2 = cross(o[0], o[1], o[2], f_ext[3], f_ext[4], f_ext[5])
    add((n0 - f_ext[0], n1 - f_ext[1], n2 - f_ext[2], -f_ext[3], -f_ext[4], -f_ext[5]), f)


@inline
def sub_body_force(f_body: Floats, R: Floats, p: Floats, f: Floats) -> None:
    """Subtract f_body, which is along the axes R of the body and about its origin p, from f."""
    n0, n1, n2 = turn(R, f_body[0], f_body[1], f_body[2])
    f0, f1, f2 = turn(R, f_body[3], f_body[4], f_body[5])
    k0, k1, k2 = cross(p[0], p[1], p[2], f0, f1, f2)
    add((-n0 - k0, -n1 - k1, -n2 - k2, -f0, -f1, -f2), f)


@part
def external(f_ext: Floats, f_body: Floats, b: int, o: Three, sweep: Sweep, e: Floats) -> None:
    """Subtract forces constant in the bodies from fC; set e (nb + 1, 6) to minus those in the base.

    Both are about the point o, a result of `forward_pass`; without forces constant in the base, e
    is empty and stays so.
    """
    if f_body.size:
        for i in range(f_body.shape[1]):
            sub_body_force(f_body[b, i], sweep.R[i], sweep.p[i], sweep.fC[i])
    if f_ext.size:
        e[:, :] = 0.0
        for i in range(f_ext.shape[1]):
            sub_force(f_ext[b, i], o, e[i])


@part
def about_last(tree: Tree, f_ext: Floats, b: int, p: Floats, e: Floats, f: Floats) -> None:
    """Compute e, minus the forces constant in the base, about the last link's origin; add e to f.

    On entry, origins p are relative to the ground's origin; afterwards, to that of the last link.
    The forces f are about the bodies' origins.
    """
    n = links(tree)
    o = p[n - 1, 0], p[n - 1, 1], p[n - 1, 2]
    for i in range(n):
        for c in range(3):
            p[i, c] -= o[c]
        e[i, :] = 0.0
        sub_force(f_ext[b, i], o, e[i])
        add(force_at(p[i], six(e[i])), f[i])


@part
def articulated_stationary(
    tree: Tree, body: Articulated, p: Floats, e: Floats, w: Floats, s: Floats, EA: Floats,
    SE: Floats,
) -> None:  # fmt: skip
    """Compute EA (nb + 1, 6, 6), the force of a free subtree in response to forces ``-crf(x) e``.

    EA has one row for each component of the motion x. SE (nv, 6) is the response of the joints,
    D^-1 S^T EA of the bodies they move. s (nv, 6) are the rows of S about the point that e and p
    are about.
    """
    d, S, U, D = body.d, body.S, body.U, body.D
    for i in range(links(tree)):
        for c in range(3):
            w[c] = -p[i, c]
        for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
            store(shift_motion(w, six(S[k])), s[k])
        for c in range(6):
            w[:] = 0.0
            w[c] = -1.0
            store(force_at(p[i], crf(six(w), six(e[i]))), EA[i, c])
    for i in range(links(tree) - 1, -1, -1):
        v0, n = tree.joint[i, 3], tree.joint[i, 4]
        for c in range(6):
            f = six(EA[i, c])
            for k in range(n):
                w[k] = dot6(six(S[v0 + k]), f)
            ldl_solve(D[i], n, w)
            for k in range(n):
                SE[v0 + k, c] = w[k]
                f = plus(f, times(-w[k], six(U[v0 + k])))
            add(shift_force(d[i], f), EA[tree.parent[i], c])


@part
def stationary_matrix(tree: Tree, S: Floats, e: Floats, dq: Floats) -> None:
    """Add the terms of forces e constant in the base to dtau_dq (nv, nv); sum e over subtrees."""
    parent, joint = tree.parent, tree.joint
    for i in range(parent.size - 1, -1, -1):
        for k in range(joint[i, 3], joint[i, 3] + joint[i, 4]):
            E, j = crf(six(S[k]), six(e[i])), i
            while j >= 0:
                for t in range(joint[j, 3], joint[j, 3] + joint[j, 4]):
                    dq[k, t] += dot6(E, six(S[t]))
                j = parent[j]
        add_into(e[i], e[parent[i]])


@part
def stationary_gradient(
    tree: Tree, lam: Floats, S: Floats, e: Floats, E: Floats, dq: Floats
) -> None:
    """Add the terms of forces e constant in the base to the gradient dq (nv,) of lambda . ID.

    E (nb + 1, 6) is scratch space; e is summed over subtrees in place.
    """
    E[:, :] = 0.0
    for i in range(links(tree) - 1, -1, -1):
        par, v0, v1 = tree.parent[i], tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]
        for k in range(v0, v1):
            add(times(lam[k], crf(six(S[k]), six(e[i]))), E[i])
        for k in range(v0, v1):
            dq[k] += dot6(six(E[i]), six(S[k]))
        add_into(e[i], e[par])
        add_into(E[i], E[par])


@inline
def add_couples(a: float, s: Six, e: Six, K: Floats) -> None:
    """Add a times the 3x3 matrices of the map ``x -> crf(crm(x) s) e`` to K (18,), row by row.

    The function `applied` evaluates the map.
    """
    trace = s[0] * e[3] + s[1] * e[4] + s[2] * e[5]
    other = s[0] * e[0] + s[1] * e[1] + s[2] * e[2] + s[3] * e[3] + s[4] * e[4] + s[5] * e[5]
    for c in range(3):
        K[4 * c] -= a * trace
        K[9 + 4 * c] -= a * other
    f0, f1, f2 = a * e[3], a * e[4], a * e[5]
    n0, n1, n2 = a * e[0], a * e[1], a * e[2]
    K[0] += s[0] * f0
    K[1] += s[0] * f1
    K[2] += s[0] * f2
    K[3] += s[1] * f0
    K[4] += s[1] * f1
    K[5] += s[1] * f2
    K[6] += s[2] * f0
    K[7] += s[2] * f1
    K[8] += s[2] * f2
    K[9] += s[0] * n0 + s[3] * f0
    K[10] += s[0] * n1 + s[3] * f1
    K[11] += s[0] * n2 + s[3] * f2
    K[12] += s[1] * n0 + s[4] * f0
    K[13] += s[1] * n1 + s[4] * f1
    K[14] += s[1] * n2 + s[4] * f2
    K[15] += s[2] * n0 + s[5] * f0
    K[16] += s[2] * n1 + s[5] * f1
    K[17] += s[2] * n2 + s[5] * f2


@inline
def applied(K: Floats, x: Six) -> Six:
    """Return the sum of ``crf(crm(x) s) e`` over the terms that `add_couples` has added to K."""
    a0, a1, a2, b0, b1, b2 = x
    return (
        K[9] * a0 + K[10] * a1 + K[11] * a2 + K[0] * b0 + K[1] * b1 + K[2] * b2,
        K[12] * a0 + K[13] * a1 + K[14] * a2 + K[3] * b0 + K[4] * b1 + K[5] * b2,
        K[15] * a0 + K[16] * a1 + K[17] * a2 + K[6] * b0 + K[7] * b1 + K[8] * b2,
        K[0] * a0 + K[1] * a1 + K[2] * a2,
        K[3] * a0 + K[4] * a1 + K[5] * a2,
        K[6] * a0 + K[7] * a1 + K[8] * a2,
    )


@part
def stationary_hessian(
    tree: Tree, lam: Floats, S: Floats, e: Floats, K: Floats, qq: Floats
) -> None:
    """Add the terms of forces e constant in the base to the Hessian qq (nv, nv) of lambda . ID.

    The term of tau_p along t, at or above p, and r, at or above t, is ``s_r . ((s_t x s_p) x* e)``.
    K (nb + 1, 18) is scratch space.
    """
    parent, joint = tree.parent, tree.joint
    K[:, :] = 0.0
    for i in range(parent.size - 1, -1, -1):
        v0, v1 = joint[i, 3], joint[i, 3] + joint[i, 4]
        for k in range(v0, v1):
            add_couples(lam[k], six(S[k]), six(e[i]), K[i])
        for k in range(v0, v1):
            y, j = applied(K[i], six(S[k])), i
            while j >= 0:
                for t in range(joint[j, 3], joint[j, 3] + joint[j, 4]):
                    x = dot6(y, six(S[t]))
                    qq[k, t] += x
                    if j != i:
                        qq[t, k] += x
                j = parent[j]
        add_into(e[i], e[parent[i]])
        add_into(K[i], K[parent[i]])
