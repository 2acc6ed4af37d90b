"""Contacts and impacts of mechanisms: constraint rows along variables that loops or functions use.

The judges are the equations with multipliers of the free tree, whose rows are those of the loops
and of the contacts together, and complex steps.
"""

import numpy as np
import pytest
from helpers import near
from mechanisms import STEP, ZOO, four_bar, moved, state, walker

from derivatives import (
    Impact_FO_derivatives,
    Impact_SO_derivatives,
    KKT_FD_directional_derivative,
    KKT_FO_derivatives,
    KKT_ID_derivatives,
    KKT_ID_SO_derivatives,
    KKT_SO_derivatives,
    linearize,
    modKKT_second_derivatives,
)
from spatial_v2 import (
    ID,
    KKT_FD,
    KKT_ID,
    FrameConstraint,
    Impact_dyn,
    PointConstraint,
    SpatialError,
    actuation_forces,
    constraint_bias,
    constraint_derivatives,
    constraint_jacobian,
    constraint_SO_derivatives,
    constraint_velocity,
    position_error,
    project_configuration,
    project_velocity,
    xlt,
)
from spatial_v2.mechanisms import contact_rows, loop_jet
from spatial_v2.mechanisms.closed import Closed

CLOSED = [name for name in ZOO if isinstance(ZOO[name]().coupling, Closed)]


def contacts(model):
    """Return contacts of the body farthest from the base, of rank 1, or 2 where y can move so."""
    tree = model.tree
    if tree.is_planar:
        return [PointConstraint(1, [0.3, 0.1], point1=[0.4, 0.1], directions=[[0.4, 1.0]])]
    body = max(range(tree.NB), key=lambda i: len(tree.ancestor_vinds[i]))
    tip = PointConstraint(body, [0.3, 0.1, 0.2], point1=[0.6, 0.2, 0.4], directions=[[0.4, 1, 0.2]])
    hand = FrameConstraint(0, frame1=np.eye(6), rows=[3])
    return [tip, hand] if model.NV > 2 else [tip]


def by_steps(model, y, f):
    """Return the derivatives along y of the results of a function of y, by complex steps."""
    columns = zip(*(f(moved(model, y, j)) for j in range(model.NV)), strict=True)
    return [np.stack([np.imag(x) / STEP for x in parts], axis=-1) for parts in columns]


def by_velocity(model, yd, f):
    """Return the derivatives of the results of a function of yd, by complex steps."""
    columns = zip(*(f(yd + 1j * STEP * e) for e in np.eye(model.NV)), strict=True)
    return [np.stack([np.imag(x) / STEP for x in parts], axis=-1) for parts in columns]


@pytest.fixture(scope="module", params=ZOO)
def mechanism(request):
    return ZOO[request.param]()


@pytest.mark.parametrize("name", CLOSED)
def test_multipliers_of_loops_and_contacts_give_the_same_motion_and_contact_forces(name):
    model, rng = ZOO[name](), np.random.default_rng(0)
    tree, held = model.tree, contacts(model)
    y, yd, tau = state(model, rng)
    q, qd = model.coupling.configuration(y), model.motion(y, yd)
    forces = np.zeros(tree.NV)
    forces[model.coupling.v_of_y] = tau
    rows = [*model.coupling.constraints.constraints, *held]
    whole = KKT_FD(tree, q, qd, forces, rows, rank="minimum_norm")
    found = KKT_FD(model, y, yd, tau, held)
    jet = model.coupling.jet(q, yd, found.qdd)
    near(jet.qdd, whole.qdd, 1e-10)
    near(found.lambda_, whole.lambda_[-len(found.lambda_) :], 1e-10)
    hit = Impact_dyn(tree, q, qd, rows, 0.0, rank="minimum_norm")
    struck = Impact_dyn(model, y, yd, held)
    near(model.motion(y, struck.qd_plus), hit.qd_plus, 1e-10)
    near(struck.impulse, hit.impulse[-len(struck.impulse) :], 1e-10)


def test_a_leg_of_four_bars_that_stands_has_the_derivatives_of_multipliers():
    """Rows of the loops along two axes of a link are regular, so that those of the tree with
    multipliers exist, and agree along the motion.
    """
    model, rng = walker(), np.random.default_rng(1)
    foot = [PointConstraint(2, [0.9, 0.1, -0.3])]
    pins = [
        FrameConstraint(n + 2, xlt([0.7, 0, 0]), n + 1, xlt([0.9, 0, 0]), rows=[3, 5], axes="body1")
        for n in (1, 4)
    ]
    tree, n = model.tree, model.NV
    y, yd, tau = state(model, rng)
    q, qd = model.coupling.configuration(y), model.motion(y, yd)
    forces = np.zeros(tree.NV)
    forces[model.coupling.v_of_y] = tau
    whole = KKT_FD(tree, q, qd, forces, [*pins, *foot])
    found = KKT_FD(model, y, yd, tau, foot)
    x = model.coupling.jet(q, yd, found.qdd)
    near(x.qdd, whole.qdd, 1e-10)
    near(found.lambda_, whole.lambda_[4:], 1e-10)
    d = KKT_FO_derivatives(model, y, yd, tau, foot)
    w = KKT_FO_derivatives(tree, q, qd, forces, [*pins, *foot])
    u = model.coupling.v_of_y
    near(w.dqdd_dq @ x.G + w.dqdd_dqd @ x.qd_y, x.G @ d.dqdd_dq + x.qdd_y, 1e-10)
    near(w.dqdd_dqd @ x.G, x.G @ d.dqdd_dqd + x.qdd_v, 1e-10)
    near(w.dqdd_dtau[:, u], x.G @ d.dqdd_dtau, 1e-10)
    near((w.dlambda_dq @ x.G + w.dlambda_dqd @ x.qd_y)[4:], d.dlambda_dq, 1e-10)
    near((w.dlambda_dqd @ x.G)[4:], d.dlambda_dqd, 1e-10)
    near(w.dlambda_dtau[4:, u], d.dlambda_dtau, 1e-10)
    hit = Impact_FO_derivatives(tree, q, qd, [*pins, *foot])
    own = Impact_FO_derivatives(model, y, yd, foot)
    near((hit.dimpulse_dq @ x.G + hit.dimpulse_dqd @ x.qd_y)[4:], own.dimpulse_dq, 1e-10)
    near((hit.dqd_dq @ x.G + hit.dqd_dqd @ x.qd_y)[u], own.dqd_dq, 1e-10)
    near((hit.dqd_dqd @ x.G)[u], own.dqd_dqd, 1e-10)
    A, _ = linearize(model, y, yd, tau, constraints=foot)
    near(A[n:, :n], d.dqdd_dq)


def test_derivatives_of_rows(mechanism):
    model, rng = mechanism, np.random.default_rng(2)
    held = contacts(model)
    y, yd, ydd = state(model, rng)
    first = constraint_derivatives(model, y, yd, ydd, held)
    near(first.dw_dqd, constraint_jacobian(model, y, held), 1e-10)
    near(constraint_velocity(model, y, yd, held), first.dw_dqd @ yd, 1e-10)
    bias = constraint_bias(model, y, yd, held)
    near(bias, 0.5 * first.dalpha_dqd @ yd, 1e-9)  # quadratic in yd
    by_y = by_steps(model, y, lambda z: [constraint_velocity(model, z, yd, held),
        constraint_bias(model, z, yd, held) + constraint_jacobian(model, z, held) @ ydd,
        *constraint_derivatives(model, z, yd, ydd, held)])  # fmt: skip
    near(first.dw_dq, by_y[0], 1e-10)
    near(first.dalpha_dq, by_y[1], 1e-9)
    second = constraint_SO_derivatives(model, y, yd, ydd, held)
    near(second.dG_dq, by_y[3], 1e-9)
    near(second.d2alpha_dq, by_y[4], 1e-8)
    near(np.swapaxes(second.d2alpha_cross, -1, -2), by_y[5], 1e-8)
    faster = by_velocity(model, yd, lambda v: constraint_derivatives(model, y, v, ydd, held))
    near(second.d2alpha_dqd, faster[3], 1e-9)


@pytest.mark.parametrize("gains", [None, (4.0, 3.0)])
@pytest.mark.parametrize("name", ["four_bar", "walker", "polynomial", "geared_five_bar"])
def test_derivatives_agree_with_complex_steps(name, gains):
    model, rng = ZOO[name](), np.random.default_rng(3)
    held = contacts(model)
    y, yd, tau = state(model, rng)
    how = {"constraints": held, "baumgarte": gains}
    if model.NV == 1:
        how["damping"] = 0.1  # a contact alone would hold the only variable
    first = KKT_FO_derivatives(model, y, yd, tau, **how)
    second = KKT_SO_derivatives(model, y, yd, tau, **how)
    values = by_steps(model, y, lambda z: KKT_FD(model, z, yd, tau, **how))
    near(first.dqdd_dq, values[0], 1e-9)
    near(first.dlambda_dq, values[1], 1e-9)
    values = by_velocity(model, yd, lambda v: KKT_FD(model, y, v, tau, **how))
    near(first.dqdd_dqd, values[0], 1e-10)
    near(first.dlambda_dqd, values[1], 1e-10)
    turned = by_steps(model, y, lambda z: KKT_FO_derivatives(model, z, yd, tau, **how))
    wanted = turned[0], turned[2], turned[3], turned[5]
    found = second.d2qdd_dq, second.d2qdd_dtauq, second.d2lambda_dq, second.d2lambda_dtauq
    for x, z in zip(found, wanted, strict=True):
        near(x, z, 1e-7)
    near(np.swapaxes(second.d2qdd_cross, -1, -2), turned[1], 1e-7)
    near(np.swapaxes(second.d2lambda_cross, -1, -2), turned[4], 1e-7)
    mu, nu = rng.normal(size=model.NV), rng.normal(size=len(first.dlambda_dq))
    sums = modKKT_second_derivatives(model, y, yd, tau, mu=mu, nu=nu, **how)
    pairs = zip(second[:4], second[4:], strict=True)
    qq, vv, cross, tauq = (np.tensordot(mu, x, 1) + np.tensordot(nu, z, 1) for x, z in pairs)
    for x, z in zip(sums[3:], (qq, vv, cross.T, tauq), strict=True):
        near(x, z, 1e-8)
    dy, dyd, dtau = rng.normal(size=(3, model.NV))
    along = KKT_FD_directional_derivative(model, y, yd, tau, dy, dyd, dtau, **how)
    near(along.dqdd, first.dqdd_dq @ dy + first.dqdd_dqd @ dyd + first.dqdd_dtau @ dtau, 1e-9)
    near(along.dlambda, first.dlambda_dq @ dy + first.dlambda_dqd @ dyd
         + first.dlambda_dtau @ dtau, 1e-9)  # fmt: skip


@pytest.mark.parametrize("name", ["walker", "functions_of_two"])
def test_impacts_and_forces_for_given_motions(name):
    model, rng = ZOO[name](), np.random.default_rng(4)
    held = contacts(model)
    y, yd, ydd = state(model, rng)
    first = Impact_FO_derivatives(model, y, yd, held, 0.3)
    second = Impact_SO_derivatives(model, y, yd, held, 0.3)
    values = by_steps(model, y, lambda z: Impact_dyn(model, z, yd, held, 0.3))
    near(first.dqd_dq, values[0], 1e-9)
    near(first.dimpulse_dq, values[1], 1e-9)
    turned = by_steps(model, y, lambda z: Impact_FO_derivatives(model, z, yd, held, 0.3))
    for x, z in zip((second[0], second[2]), (turned[0], turned[2]), strict=True):
        near(x, z, 1e-8)
    near(np.swapaxes(second[1], -1, -2), turned[1], 1e-8)
    forces = rng.normal(size=2)
    whole = ID(model, y, yd, ydd) - forces @ constraint_jacobian(model, y, held)
    near(KKT_ID(model, y, yd, ydd, forces, held), whole, 1e-10)
    d = KKT_ID_derivatives(model, y, yd, ydd, forces, held)
    s = KKT_ID_SO_derivatives(model, y, yd, ydd, forces, held)

    def at(z):
        own = KKT_ID_derivatives(model, z, yd, ydd, forces, held)
        return [KKT_ID(model, z, yd, ydd, forces, held), *own]

    values = by_steps(model, y, at)
    near(d[0], values[0], 1e-9)
    near(s.d2tau_dq, values[1], 1e-7)
    near(np.moveaxis(s.d2tau_dqforces, -1, -2), values[4], 1e-8)


def test_kernels_and_reference_rows_agree(monkeypatch):
    model, rng = walker(), np.random.default_rng(5)
    held = contacts(model)
    y, yd, tau = state(model, rng, 5)
    how = {"constraints": held, "baumgarte": (4.0, 3.0)}
    found = KKT_SO_derivatives(model, y, yd, tau, **how)
    monkeypatch.setattr(loop_jet, "has_kernels", lambda *names: False)
    for x, z in zip(found, KKT_SO_derivatives(model, y, yd, tau, **how), strict=True):
        near(x, z, 1e-8)
    assert contact_rows.rows_of is loop_jet.rows_of


def test_options_batches_and_projections():
    model, rng = walker(), np.random.default_rng(6)
    held = contacts(model)
    y, yd, tau = state(model, rng, 3)
    many = KKT_FD(model, y, yd, tau, held)
    for k in range(3):
        for x, z in zip(many, KKT_FD(model, y[k], yd[k], tau[k], held), strict=True):
            near(x[k], z, 1e-10)
    none = KKT_FD(model, y[:0], yd[:0], tau[:0], held)
    assert none.qdd.shape == (0, 8) and none.lambda_.shape == (0, 2)
    free = KKT_FD(model, y, yd, tau, [])
    near(ID(model, y, yd, free.qdd), tau, 1e-9)
    twice = KKT_FD(model, y, yd, tau, [*held, *held], rank="minimum_norm")
    near(twice.qdd, many.qdd, 1e-9)
    with pytest.raises(SpatialError, match="their 4 rows have rank 2 only"):
        KKT_FD(model, y, yd, tau, [*held, *held])
    with pytest.raises(SpatialError, match="damping: want a number"):
        KKT_FD(model, y, yd, tau, held, damping=-1.0)
    slowed = project_velocity(model, y[0], yd[0], held)
    near(constraint_velocity(model, y[0], slowed, held), np.zeros(2), 1e-10)
    foot = [PointConstraint(2, [0.9, 0.1, -0.3], point1=[0.1, 0.2, -0.4])]
    placed = project_configuration(model, y[0], foot)
    assert placed.converged and placed.q.shape == (9,)
    near(position_error(model, placed.q, foot), np.zeros(3), 1e-8)
    forces = actuation_forces(model, y[0], yd[0], tau[0], held, np.eye(8))
    near(forces.residual, np.zeros(8), 1e-9)


def test_a_contact_that_no_variable_moves_is_named():
    """A pin of the rocker about the base: the row is zero whatever the crank does."""
    model, y = four_bar(), np.array([0.7])
    fixed = [PointConstraint(2, point1=[1, 0, 0], directions=[[1, 0, 0]])]
    with pytest.raises(SpatialError, match=r"constraints\[0\]"):
        KKT_FD(model, y, y, y, fixed)
    near(KKT_FD(model, y, y, y, fixed, rank="minimum_norm").lambda_, [0.0])
    loop = model.coupling.constraints.constraints
    with pytest.raises(SpatialError, match=r"constraints\[0\]"):  # the loop itself is met already
        KKT_FD(model, y, y, y, loop)
