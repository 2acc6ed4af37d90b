"""Products with the matrices of the loops of a tree: G, and the inverses of their Jacobians."""

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.loop import Followers, Linkage, Products
from spatial_v2.engine.tree import Floats


@inline
def dependents(of: Linkage, W: Floats, X: Floats, out: Floats) -> None:
    """Compute ``-J_d^-1 X`` (loop entries,) for rows X (m, nv) by the independents of each loop."""
    e = 0
    for l in range(of.begin.shape[0] - 1):
        r0, r1, u0, u1 = of.begin[l, 0], of.begin[l + 1, 0], of.begin[l, 1], of.begin[l + 1, 1]
        for j in range(r0, r1):
            for k in range(u0, u1):
                x = 0.0 * W[j, 0]
                for i in range(r0, r1):
                    x -= W[j, i - r0] * X[of.rows[i], of.u[k]]
                out[e] = x
                e += 1


@inline
def from_loops(of: Products, constant: float, E: Floats, out: Floats) -> None:
    """Compute entries of `Followers` from those E of loops, with `constant` times those of G."""
    for e in range(out.size):
        out[e] = constant * of.constant[e]
    for k in range(of.into.size):
        out[of.into[k]] += of.factor[k] * E[of.of[k]]


@inline
def move(of: Followers, G: Floats, y: Floats, out: Floats) -> None:
    """Compute ``out = G y``."""
    for i in range(out.size):
        out[i] = 0.0
    for k in range(of.own.size):
        out[of.own[k]] = y[k]
    for e in range(of.row.size):
        out[of.row[e]] += G[e] * y[of.column[e]]


@inline
def pulled_force(of: Followers, G: Floats, tau: Floats, out: Floats) -> None:
    """Compute ``out = G^T tau``."""
    for k in range(out.size):
        out[k] = tau[of.own[k]]
    for e in range(of.row.size):
        out[of.column[e]] += G[e] * tau[of.row[e]]


@inline
def add_through(of: Linkage, X: Floats, entries: Floats, out: Floats) -> None:
    """Add the products of rows X (m, nv) with a matrix, whose rows of dependents have the entries,
    to the columns of independents of out (m, nv).
    """
    e = 0
    for l in range(of.begin.shape[0] - 1):
        r0, r1, u0, u1 = of.begin[l, 0], of.begin[l + 1, 0], of.begin[l, 1], of.begin[l + 1, 1]
        for j in range(r0, r1):
            for k in range(u0, u1):
                for i in range(r0, r1):
                    out[of.rows[i], of.u[k]] += X[of.rows[i], of.d[j]] * entries[e]
                e += 1


@inline
def through(of: Linkage, X: Floats, G: Floats, out: Floats) -> None:
    """Compute the products of rows X (m, nv) with G in the columns of independents."""
    for i in range(of.rows.size):
        for k in range(of.u.size):
            out[of.rows[i], of.u[k]] = X[of.rows[i], of.u[k]]
    add_through(of, X, G, out)


@inline
def multipliers(of: Linkage, W: Floats, z: Floats, out: Floats) -> None:
    """Compute multipliers of the rows (m,) whose forces on the dependents are those of z (nv,):
    ``J_d^T out = z_d``, zero for rows that are not selected.
    """
    for k in range(out.size):
        out[k] = 0.0
    for l in range(of.begin.shape[0] - 1):
        for j in range(of.begin[l, 0], of.begin[l + 1, 0]):
            for i in range(of.begin[l, 0], of.begin[l + 1, 0]):
                out[of.rows[i]] += W[j, i - of.begin[l, 0]] * z[of.d[j]]


@inline
def subtract(of: Linkage, X: Floats, out: Floats) -> None:
    """Subtract a matrix X of the loops' variables from one of the tree's."""
    for i in range(of.v.size):
        for j in range(of.v.size):
            out[of.v[i], of.v[j]] -= X[i, j]


@inline
def weigh_forces(of: Linkage, b: Floats, X: Floats, z: Floats) -> None:
    """Compute the products z (nv,) of b with the columns of X (NV, NV) for the loops' variables,
    with those of rotors that dependents turn.
    """
    gears = of.gears
    for i in range(of.v.size):
        z[i] = 0.0 * b[0]
        for j in range(b.size):
            z[i] += b[j] * X[j, of.v[i]]
    for k in range(gears.of.size):
        for j in range(b.size):
            z[of.d[gears.of[k]]] += gears.factor[k] * (b[j] * X[j, gears.row[k]])


@inline
def less(weight: Floats, X: Floats, z: Floats) -> None:
    """Subtract ``weight X`` from z (nv,) for rows X (m, nv)."""
    for k in range(weight.size):
        for i in range(z.size):
            z[i] -= weight[k] * X[k, i]
