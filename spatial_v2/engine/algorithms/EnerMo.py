"""Energy, momentum, inertia and centre of mass of the whole tree."""

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import add, add_into, dot6, shift_force, six, store
from spatial_v2.engine.parts.inertia import apply_inertia, dense_inertia, place_inertia
from spatial_v2.engine.parts.joint_terms import add_spring_energy
from spatial_v2.engine.parts.velocities import Velocities, new_velocities, velocities
from spatial_v2.engine.tree import Floats, Tree


@inline
def totals(
    tree: Tree, qd: Floats, bodies: Velocities, I: Floats, h: Floats, total: Floats
) -> float:
    """Return twice the kinetic energy; set h to the momentum of the tree, total to its inertia."""
    R, p, v, T = bodies.R, bodies.p, bodies.v, 0.0
    h[:] = 0.0
    total[:] = 0.0
    for i in range(tree.parent.size):
        place_inertia(tree.I[i], R[i], p[i], I)
        f = apply_inertia(I, six(v[i]))
        T += dot6(six(v[i]), f)
        add(f, h)
        add_into(I, total)
    for k in range(tree.armature.size):
        T += tree.armature[k] * qd[k] * qd[k]
    return T


@jit
def EnerMo(
    tree: Tree, q: Floats, qd: Floats, KE: Floats, PE: Floats, htot: Floats, Itot: Floats,
    mass: Floats, cm: Floats, vcm: Floats,
) -> None:  # fmt: skip
    """Compute the fields of the named tuple of `EnerMo` for a batch (B, n) of states.

    q and qd are arguments; the results are the energies KE and PE, the momentum htot and inertia
    Itot of the robot, its mass, and position cm and velocity vcm of its centre of mass.
    The sums are formed about a point o of the robot; the whole tree, as one rigid body, is then
    shifted to the ground's origin.
    """
    nb, nv = tree.parent.size, qd.shape[1]
    bodies, I, total = new_velocities(q, nb, nv), empty(q, 10), empty(q, 10)
    R, p, h, o = bodies.R, bodies.p, empty(q, 6), empty(q, 3)
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], bodies)
        KE[b] = 0.5 * totals(tree, qd[b], bodies, I, h, total)
        m = mass[b] = total[0]
        PE[b] = 0.0
        add_spring_energy(tree, q[b], b, PE)
        for c in range(3):
            o[c] = -p[-1, c]
            PE[b] -= (total[1 + c] + m * o[c]) * tree.gravity[c]
            cm[b, c], vcm[b, c] = o[c] + total[1 + c] / m, h[3 + c] / m
        store(shift_force(o, six(h)), htot[b])
        dense_inertia(total, Itot[b])
        place_inertia(Itot[b], R[-1], o, total)
        dense_inertia(total, Itot[b])
