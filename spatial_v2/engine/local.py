"""Quantities of each body about its own origin, along the ground's axes.

The articulated-body algorithm divides by what is left of large inertias after projection. About a
distant point they would be larger still, by the square of the distance, and what is left of them
would have fewer digits; so each body's quantities are taken about its origin, and shifted by the
distance d to the parent's origin on their way inward and outward.
"""

from __future__ import annotations

from spatial_v2.engine.compile import inline
from spatial_v2.engine.kin import cross, place, subspace

__all__ = ["poses_local", "shift_force", "shift_inertia", "shift_motion"]


@inline
def poses_local(tree, q, R, d, S, p):
    """Orientations R, distances d from the parents' origins, and S about each body's origin.

    p (nb, 3) is scratch space that ends as zeros.
    """
    nb = tree.parent.size
    for i in range(nb):
        par = tree.parent[i]
        if par >= 0:
            p[par, 0], p[par, 1], p[par, 2] = 0.0, 0.0, 0.0
        place(tree, i, q, R, p)
        d[i, 0], d[i, 1], d[i, 2] = p[i, 0], p[i, 1], p[i, 2]
    p[:, :] = 0.0
    for i in range(nb):
        subspace(tree, i, R, p, S)


@inline
def shift_motion(d, m, out):
    """out = the motion vector m, taken about a point at distance d."""
    a0, a1, a2 = cross(m[0], m[1], m[2], d[0], d[1], d[2])
    out[0], out[1], out[2] = m[0], m[1], m[2]
    out[3], out[4], out[5] = m[3] + a0, m[4] + a1, m[5] + a2


@inline
def shift_force(d, f):
    """The force vector f, about a point at distance d from the wanted one; in place."""
    n0, n1, n2 = cross(d[0], d[1], d[2], f[3], f[4], f[5])
    f[0] += n0
    f[1] += n1
    f[2] += n2


@inline
def shift_inertia(d, I, out):
    """out += the symmetric matrix I of a body at distance d, about the parent's origin."""
    d0, d1, d2 = d[0], d[1], d[2]
    for c in range(3):
        # column c of E = B + d x C, the upper right block
        b0, b1, b2 = I[0, 3 + c], I[1, 3 + c], I[2, 3 + c]
        n0, n1, n2 = cross(d0, d1, d2, I[3, 3 + c], I[4, 3 + c], I[5, 3 + c])
        e0, e1, e2 = b0 + n0, b1 + n1, b2 + n2
        out[0, 3 + c] += e0
        out[1, 3 + c] += e1
        out[2, 3 + c] += e2
        out[3 + c, 0] += e0
        out[3 + c, 1] += e1
        out[3 + c, 2] += e2
        for r in range(3):
            out[3 + r, 3 + c] += I[3 + r, 3 + c]
        # - E d x, column by column of E: E[:, c] times row c of d x
        x0 = 0.0 if c == 0 else d2 if c == 1 else -d1
        x1 = -d2 if c == 0 else 0.0 if c == 1 else d0
        x2 = d1 if c == 0 else -d0 if c == 1 else 0.0
        out[0, 0] -= e0 * x0
        out[0, 1] -= e0 * x1
        out[0, 2] -= e0 * x2
        out[1, 0] -= e1 * x0
        out[1, 1] -= e1 * x1
        out[1, 2] -= e1 * x2
        out[2, 0] -= e2 * x0
        out[2, 1] -= e2 * x1
        out[2, 2] -= e2 * x2
        # A + d x B^T: column c of B^T is row c of B
        n0, n1, n2 = cross(d0, d1, d2, I[c, 3], I[c, 4], I[c, 5])
        out[0, c] += I[0, c] + n0
        out[1, c] += I[1, c] + n1
        out[2, c] += I[2, c] + n2
