"""Springs of joints: energy, motion, derivatives, coupled models, errors."""

from typing import Any

import numpy as np
import pytest
import zoo
from joint_term_samples import CLOSE, state, with_terms
from numpy.testing import assert_allclose

import derivatives as d
import spatial_v2 as sv
from derivatives.reference import complex_step_q
from spatial_v2 import Model, ModelError, PointConstraint, autoTree, couple, planar
from spatial_v2.dynamics.weightless import inertial, unsprung
from spatial_v2.models import floatbase
from spatial_v2.spatial import mcI, plnr

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")


def sprung(name: str) -> Model:
    """Return a model of the zoo whose only joint terms are springs."""
    return with_terms(zoo.build(name)).replace(armature=None, damping=None, friction=None)


@pytest.mark.parametrize("name", ["floating", "rotors", "planar_tree", "prismatic", "mixed"])
def test_force_is_the_gradient_of_the_potential_energy(name: str) -> None:
    """At rest the joint forces are the derivative of `EnerMo(...).PE` along q, and their derivative
    is that of the energy.
    """
    model = sprung(name)
    q, qd, _, _, _ = state(model, shape=(3,))
    for function in (sv.EnerMo, sv.EnerMo.reference):
        slope = complex_step_q(model, lambda x: sv.EnerMo.reference(model, x, 0 * qd).PE, q)
        assert_allclose(sv.ID(model, q, 0 * qd, 0 * qd), slope, **CLOSE)
        kinetic = function(unsprung(model), q, qd)
        found = function(model, q, qd)
        assert_allclose(found.KE, kinetic.KE, **CLOSE)
        assert (found.PE > kinetic.PE).all()
    assert_allclose(found.PE, sv.EnerMo(model, q, qd).PE, **CLOSE)


def test_a_mass_on_a_spring_oscillates() -> None:
    """x(t) = rest + A cos(w t) with w^2 = k/m; `linearize` has the poles +-i w."""
    m, k, rest = 2.0, 50.0, 0.3
    model = Model(parent=[-1], jtype=["Px"], Xtree=[np.eye(6)], I=[mcI(m, [0, 0, 0], np.eye(3))],
                  stiffness=k, rest=rest)  # fmt: skip
    t, w = np.linspace(0, 2, 21), np.sqrt(k / m)
    motion = sv.simulate(model, ([0.5], [0.0]), t, rtol=1e-10, atol=1e-12)
    assert_allclose(motion.q[:, 0], rest + 0.2 * np.cos(w * t), atol=1e-8)
    A = d.linearize(model, [rest], [0.0], [0.0]).A
    assert_allclose(np.sort(np.linalg.eigvals(A).imag), [-w, w], rtol=1e-12)


@pytest.mark.parametrize("name", ["floating", "rotors", "planar_tree"])
def test_energy_of_a_free_motion_is_kept(name: str) -> None:
    """Springs exchange energy with the motion, and dissipate none."""
    model = sprung(name)
    model = model.replace(stiffness=30 * model.stiffness)
    q, qd, _, _, _ = state(model)
    motion = sv.simulate(model, (q, qd), [0, 0.3], rtol=1e-10, atol=1e-12)
    e = motion.energy
    assert np.abs(e.drift).max() < 1e-7 * (1 + np.abs(e.PE).max())
    assert np.ptp(e.PE) > 1e-2
    damped = sv.simulate(model.replace(damping=0.1), (q, qd), [0, 0.3], rtol=1e-10, atol=1e-12)
    assert np.abs(damped.energy.drift).max() < 1e-7 * (1 + np.abs(e.PE).max())
    assert damped.energy.work[-1] < -1e-4


def test_springs_at_rest_and_without_stiffness_have_no_effect() -> None:
    model = zoo.build("floating")
    q, qd, qdd, _, _ = state(model)
    none = {"stiffness": np.zeros(model.NV)}
    for fields in ({"rest": sprung("floating").rest}, none):
        same = model.replace(**fields)
        assert_allclose(sv.ID(same, q, qd, qdd), sv.ID(model, q, qd, qdd), rtol=1e-14)
    chain = planar(3).replace(stiffness=5.0, rest=[0.1, 0.2, 0.3])
    assert_allclose(sv.ID(chain, chain.rest, np.zeros(3), np.zeros(3)), np.zeros(3), atol=1e-14)


def test_functions_of_inertia_and_gravity_do_not_see_springs() -> None:
    """Models without gravity and springs are for products with H; `gravity_forces` balances gravity
    alone.
    """
    model = sprung("floating")
    q, _, b, _, _ = state(model)
    assert inertial(model).stiffness is None and unsprung(zoo.build("chain")).stiffness is None
    wanted = sv.gravity_forces(unsprung(model), q)
    np.testing.assert_array_equal(sv.gravity_forces(model, q), wanted)
    for function in (sv.Hinverse, sv.CRBA, d.H_derivatives, d.dMinv_dq):
        assert_allclose(function(model, q), function(unsprung(model), q), **CLOSE)
    for function in (d.IDFOZA, d.IDFOZA.reference, d.AZA, d.AZA.reference):
        assert_allclose(function(model, q, b), function(unsprung(model), q, b), **CLOSE)


@pytest.mark.parametrize("shape", [(), (9,)], ids=["state", "batch"])
def test_coupled_joints_have_springs(shape: tuple[int, ...]) -> None:
    """Linear couplings: functions of y are those of the tree pulled back, with derivatives."""
    tree = with_terms(autoTree(4, 2, 0.3)).replace(friction=None)
    model = couple(tree, mimic={3: (1, -1.5, 0.2)})
    G, c = np.asarray(model.coupling.matrix), np.asarray(model.coupling.offset)
    rng = np.random.default_rng(3)
    y, yd, ydd = rng.normal(size=(3, *shape, 3))
    q, qd, qdd = y @ G.T + c, yd @ G.T, ydd @ G.T
    tau = sv.ID(model, y, yd, ydd)
    assert_allclose(tau, sv.ID(tree, q, qd, qdd) @ G, **CLOSE)
    assert_allclose(sv.FDab(model, y, yd, tau), ydd, **CLOSE)
    assert_allclose(sv.EnerMo(model, y, yd).PE, sv.EnerMo(tree, q, qd).PE, **CLOSE)
    wanted = G.T @ d.ID_derivatives(tree, q, qd, qdd).dtau_dq @ G
    assert_allclose(d.ID_derivatives(model, y, yd, ydd).dtau_dq, wanted, **CLOSE)
    first = d.FD_derivatives(model, y, yd, tau).dqdd_dq
    assert_allclose(first, -sv.Hinverse(model, y) @ wanted, **CLOSE)


def four_bar() -> tuple[Model, Any, np.ndarray]:
    """Return a planar linkage with springs, its closing constraint and a closed configuration."""
    X = [plnr(0, [0, 0]), plnr(0, [0.35, 0]), plnr(0, [1.0, 0])]
    I = [np.diag([0.1, m, m]) for m in (1.3, 2.1, 1.6)]
    tree = Model(parent=[-1, 0, -1], jtype=["r", "r", "r"], Xtree=X, I=I, gravity=[0, -9.81],
                 stiffness=[4.0, 7.0, 5.0], rest=[0.2, -0.4, 1.0], damping=0.1)  # fmt: skip
    held = [PointConstraint(1, [0.7, 0], 2, [0.9, 0])]
    return tree, held, np.array([0.7, -0.1, 1.5])


def test_closed_chains_have_springs() -> None:
    """A closed chain by its crank moves as the tree under its constraint, and its derivatives are
    complex steps.
    """
    tree, held, guess = four_bar()
    model = couple(tree, constraints=held, independent=["joint0"], guess=guess)
    y, yd, tau = np.array([0.75]), np.array([1.3]), np.array([0.4])
    q = model.position(y)
    ydd = sv.FDab(model, y, yd, tau)
    qdd = sv.KKT_FD(
        tree, q, model.motion(q, yd), np.array([0.4, 0, 0]), held, rank="minimum_norm"
    ).qdd
    assert_allclose(ydd, qdd[:1], rtol=1e-9)
    assert_allclose(sv.ID(model, y, yd, ydd), tau, atol=1e-10)
    h = 1e-20
    first = d.FD_derivatives(model, y, yd, tau)
    assert_allclose(first.dqdd_dq[:, 0], sv.FDab(model, y + 1j * h, yd, tau).imag / h, rtol=1e-9)
    found = d.ID_derivatives(model, y, yd, ydd).dtau_dq[:, 0]
    assert_allclose(found, sv.ID(model, y + 1j * h, yd, ydd).imag / h, rtol=1e-9)
    second = d.ID_SO_derivatives(model, y, yd, ydd).d2tau_dq[0, :, 0]
    step = d.ID_derivatives(model, y + 1j * h, yd, ydd).dtau_dq[:, 0].imag / h
    assert_allclose(second, step, rtol=1e-8)


def test_springs_of_other_joints_are_refused() -> None:
    """Joints with several degrees of freedom have no springs; the error names the joint."""
    model = zoo.build("floating")
    for name in ("stiffness", "rest"):
        with pytest.raises(ModelError, match=rf"{name}: .*one degree of freedom; joint 0, 'Fb'"):
            model.replace(**{name: 1.0})
    bar = autoTree(2).replace(stiffness=1.0)
    bar.jtype = {1: "Fb"}
    with pytest.raises(ModelError, match=r"stiffness: want shape \(7,\)"):
        sv.CRBA(bar, np.zeros(8))
    tree = autoTree(3).replace(stiffness=[1.0, 0, 2])
    tree.jtype = ["Px", "S", "Rx"]
    tree.stiffness = [1.0, 0, 0, 0, 2]
    assert sv.CRBA(tree, sv.neutral(tree)).shape == (5, 5)
    tree.jtype = ["S", "Px", "Rx"]
    with pytest.raises(ModelError, match="stiffness: springs act on .* joint 0, 'S', has 3"):
        sv.CRBA(tree, sv.neutral(tree))
    assert (autoTree(2).replace(rest=[-1.0, 2.0]).rest == [-1.0, 2.0]).all()


def test_edits_of_trees_keep_springs() -> None:
    """Springs stay with their joints when joints are held, trees attached and bases changed."""
    tree = autoTree(4).replace(stiffness=[1.0, 2, 3, 4], rest=[0.1, 0.2, 0.3, 0.4])
    kept = sv.lock(tree, {1: 0.5})
    assert kept.stiffness.tolist() == [1, 3, 4] and kept.rest.tolist() == [0.1, 0.3, 0.4]
    both = sv.attach(autoTree(2), 1, tree, prefix="x")
    assert both.stiffness.tolist() == [0, 0, 1, 2, 3, 4]
    np.testing.assert_array_equal(both.rest[2:], tree.rest)
    with pytest.raises(ModelError, match="floatbase: stiffness belongs to a joint that is"):
        floatbase(tree)


def test_known_springs_are_subtracted_in_identification() -> None:
    """`identify` counts springs as known: parameters explain the forces of a sprung arm."""
    model = autoTree(3, 1, 0.3).replace(stiffness=[3.0, 0, 5], rest=[0.5, 0, -1])
    rng = np.random.default_rng(0)
    q, qd, qdd = rng.normal(size=(3, 60, 3))
    result = sv.identify(model, q, qd, qdd, sv.ID(model, q, qd, qdd))
    assert np.abs(result.residual_rms).max() < 1e-9
    again = sv.ID(result.model, *rng.normal(size=(3, 3)))
    rng = np.random.default_rng(0)
    rng.normal(size=(3, 60, 3))
    assert_allclose(again, sv.ID(model, *rng.normal(size=(3, 3))), rtol=1e-6)
