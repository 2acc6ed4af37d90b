"""Joint forces of passivity-based control, ``H qdd + C qd_r + g``, in O(N).

C is the Coriolis matrix of the Christoffel symbols, g the gravity force.
"""

from spatial_v2.engine.algorithms.ID import inward_forces
from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import (
    Six,
    combine,
    crf,
    crm,
    in_body,
    plus,
    shift_force,
    six,
    store,
    times,
    turn_six,
)
from spatial_v2.engine.parts.inertia import apply_matrix
from spatial_v2.engine.parts.sweep import Moving, new_moving, rest
from spatial_v2.engine.parts.velocities import Velocities, velocities
from spatial_v2.engine.tree import Floats, Tree


@inline
def two_velocity_force(I: Floats, v: Six, w: Six, a: Six) -> Six:
    """Return the force ``I a + B(I, v) w`` with ``2 B w = v x* I w + w x* I v - I (v x w)``."""
    f = plus(crf(v, apply_matrix(I, w)), crf(w, apply_matrix(I, v)))
    return plus(apply_matrix(I, plus(a, times(-0.5, crm(v, w)))), times(0.5, f))


@inline
def reference_forces(
    tree: Tree, qd_r: Floats, qdd: Floats, Sd: Floats, bodies: Moving, w: Floats
) -> None:
    """Compute the forces f of the bodies, in `bodies`, for the reference velocities qd_r.

    w (nb + 1, 6) and a are the velocities and accelerations of the bodies that follow from qd_r.
    """
    R, p, S, v, a, f = bodies
    rest(tree, w, a)
    for i in range(tree.parent.size):
        v0, v1 = tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]
        store(six(w[tree.parent[i]]), w[i])
        store(six(a[tree.parent[i]]), a[i])
        combine(S, v0, v1, qd_r, w[i])
        combine(S, v0, v1, qdd, a[i])
        combine(Sd, v0, v1, qd_r, a[i])
        # quantities below are in coordinates of the body
        vb = in_body(R[i], p[i], six(v[i]))
        wb = in_body(R[i], p[i], six(w[i]))
        ab = in_body(R[i], p[i], six(a[i]))
        fb = two_velocity_force(tree.I[i], vb, wb, ab)
        store(shift_force(p[i], turn_six(R[i], fb)), f[i])


@jit
def ID_SlotineLi(tree: Tree, q: Floats, qd: Floats, qd_r: Floats, qdd: Floats, tau: Floats) -> None:
    """Compute the joint forces tau (B, nv) = H qdd + C qd_r + g, with the gravity force g."""
    nb, nv = tree.parent.size, qd.shape[1]
    bodies, w, Sd = new_moving(q, nb, nv), empty(q, nb + 1, 6), empty(q, nv, 6)
    moving = Velocities(bodies.R, bodies.p, bodies.S, Sd, bodies.v)
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], moving)
        reference_forces(tree, qd_r[b], qdd[b], Sd, bodies, w)
        inward_forces(tree, bodies.S, bodies.f, tau[b])
