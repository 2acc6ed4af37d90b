"""The motion of a closed loop: how its dependent joints follow the independent ones."""

from typing import Annotated, NamedTuple

from spatial_v2.engine.compile.decorators import inline, jit, part
from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.loop import LoopArrays
from spatial_v2.engine.numbers.vectors import combine, crm, plus, six, store
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.parts.constraint_arrays import RowVectors
from spatial_v2.engine.parts.poses import about_robot
from spatial_v2.engine.parts.row_jacobians import jacobian
from spatial_v2.engine.parts.row_vectors import row_vectors
from spatial_v2.engine.parts.sweep import still
from spatial_v2.engine.tree import Floats


class Closing(NamedTuple):
    """Rows in one state of loops of at most r dependents."""

    R: Annotated[Floats, "constraints.tree.parent.size + 1, 3, 3"]  # orientations of the bodies
    p: Annotated[Floats, "constraints.tree.parent.size + 1, 3"]  # origins
    S: Annotated[Floats, "nv, 6"]  # motion subspaces
    v: Annotated[Floats, "constraints.tree.parent.size + 1, 6"]  # velocities
    a: Annotated[Floats, "constraints.tree.parent.size + 1, 6"]  # accelerations
    vJ: Annotated[Floats, "6"]  # velocity across a joint
    rows: Annotated[RowVectors, "q, constraints.T.shape[0], nv"]
    e: Annotated[Floats, "constraints.T.shape[0]"]  # position errors of the rows
    alpha: Annotated[Floats, "constraints.T.shape[0]"]  # accelerations
    J: Annotated[Floats, "constraints.T.shape[0], nv"]  # Jacobian
    qd: Annotated[Floats, "nv"]  # velocities
    A: Annotated[Floats, "r, r"]  # see `inverse`
    U: Annotated[Floats, "r, r"]
    Z: Annotated[Floats, "r, r"]


new_closing = allocator(Closing, "constraints, q, nv, r")


@part
def at_rest(constraints: ConstraintArrays, q: Floats, w: Closing) -> None:
    """Compute position errors and Jacobian of the rows at a configuration."""
    about_robot(constraints.tree, q, w.R, w.p, w.S)
    for i in range(w.v.shape[0]):
        for k in range(6):
            w.v[i, k] = w.a[i, k] = 0.0
    row_vectors(constraints, w.R, w.p, w.v, w.a, w.rows, w.e)
    jacobian(constraints, w.S, w.rows.Y, w.J)


@part
def moving(constraints: ConstraintArrays, w: Closing) -> None:
    """Compute accelerations of the rows at velocities qd, for zero qdd, after `at_rest`."""
    tree = constraints.tree
    still(w.v, w.a)
    for i in range(tree.parent.size):
        v0, v1 = tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]
        vp, ap = six(w.v[tree.parent[i]]), six(w.a[tree.parent[i]])
        w.vJ[:] = 0.0
        combine(w.S, v0, v1, w.qd, w.vJ)
        store(plus(vp, six(w.vJ)), w.v[i])
        store(plus(ap, crm(vp, six(w.vJ))), w.a[i])
    row_vectors(constraints, w.R, w.p, w.v, w.a, w.rows, w.alpha)
    for k in range(w.alpha.size):
        w.alpha[k] -= w.e[k]


@part
def inverse(of: LoopArrays, w: Closing, W: Floats) -> float:
    """Compute the inverse W (r, r) of the selected rows' Jacobian by the dependents.

    Return a lower bound of the square of its smallest singular value by the largest of the selected
    rows' Jacobian by all joints, without units: a single dependent is compared with the
    independents. Columns are made orthogonal, without pivots: A becomes ``Q U`` with ``Q^T Q``
    diagonal.
    """
    A, U, Z, r = w.A, w.U, w.Z, of.d.size
    size = total = 0.0 * w.J[0, 0]
    for i in range(r):
        for j in range(r):
            x = of.row_scale[of.rows[i]] * w.J[of.rows[i], of.d[j]] * of.column_scale[of.d[j]]
            A[i, j] = x
            W[i, j] = 1.0 if i == j else 0.0
            size += x * x
        for k in range(of.u.size):
            x = of.row_scale[of.rows[i]] * w.J[of.rows[i], of.u[k]] * of.column_scale[of.u[k]]
            size += x * x
    for j in range(r):
        d = 0.0 * size
        for i in range(r):
            d += A[i, j] * A[i, j]
        d = 1.0 / d
        for l in range(j + 1, r):
            x = 0.0 * size
            for i in range(r):
                x += A[i, j] * A[i, l]
            U[j, l] = x * d
            for i in range(r):
                A[i, l] -= U[j, l] * A[i, j]
        for k in range(r):
            x = 0.0 * size
            for i in range(r):
                x += A[i, j] * W[i, k]
            Z[j, k] = x * d
            for i in range(r):
                W[i, k] -= Z[j, k] * A[i, j]
    for j in range(r - 1, -1, -1):
        for k in range(r):
            for l in range(j + 1, r):
                Z[j, k] -= U[j, l] * Z[l, k]
            total += Z[j, k] * Z[j, k]
    for j in range(r):
        for k in range(r):
            W[j, k] = of.column_scale[of.d[j]] * Z[j, k] * of.row_scale[of.rows[k]]
    bound: float = 1.0 / (size * total)
    return bound


@inline
def follow(of: LoopArrays, W: Floats, J: Floats, G: Floats) -> None:
    """Compute velocities G (nv, n) of all variables by those of the independents."""
    G[:, :] = 0.0
    for k in range(of.u.size):
        G[of.u[k], k] = 1.0
        for j in range(of.d.size):
            for i in range(of.d.size):
                G[of.d[j], k] -= W[j, i] * J[of.rows[i], of.u[k]]


@jit
def loop_motion(
    of: LoopArrays, q: Floats, yd: Floats, e: Floats, bound: Floats, W: Floats, G: Floats,
    g: Floats,
) -> None:  # fmt: skip
    """Compute the motion of a loop at configurations q (B, NQ) and velocities yd (B, n).

    Results are position errors e (B, m), the `inverse` W (B, r, r) with its bound (B, 1), and
    ``qd = G yd``, ``qdd = G ydd + g``.
    """
    w = new_closing(of.constraints, q, of.u.size + of.d.size, of.d.size)
    for b in range(q.shape[0]):
        at_rest(of.constraints, q[b], w)
        for k in range(w.e.size):
            e[b, k] = w.e[k]
        bound[b, 0] = inverse(of, w, W[b])
        follow(of, W[b], w.J, G[b])
        for i in range(w.qd.size):
            w.qd[i] = 0.0
            for k in range(of.u.size):
                w.qd[i] += G[b, i, k] * yd[b, k]
            g[b, i] = 0.0
        moving(of.constraints, w)
        for j in range(of.d.size):
            for i in range(of.d.size):
                g[b, of.d[j]] -= W[b, j, i] * w.alpha[of.rows[i]]
