"""Public functions of mechanisms answer alike in all forms of a call, or refuse; motions."""

import numpy as np
import pytest
import sympy
from helpers import near
from mechanisms import (
    PIN,
    ZOO,
    bars,
    by_steps,
    four_bar,
    state,
    walker,
)
from public_functions import arguments, functions_of_state, suits

from derivatives import (
    linearize,
)
from spatial_v2 import (
    CRBA,
    ID,
    ConstraintSet,
    FDab,
    Hinverse,
    ModelError,
    PointConstraint,
    ShootingProblem,
    SpatialError,
    StateCost,
    configurationAddition,
    couple,
    rollout,
    show,
    showmotion,
    simulate,
    to_urdf,
)
from spatial_v2.control import solve


def test_turning_the_base_changes_nothing():
    """Rows are chosen in axes of the body that carries the loops."""
    model, rng = walker(), np.random.default_rng(0)
    y, yd, ydd = state(model, rng)
    light = model.replace(gravity=[0, 0, 0])
    wanted = CRBA(model, y)
    for _ in range(20):
        rotation = rng.normal(size=4)
        turned_y = np.r_[rotation / np.linalg.norm(rotation), rng.normal(size=3), y[7:]]
        near(CRBA(model, turned_y), wanted, 1e-9)
        near(ID(light, turned_y, yd, ydd), ID(light, y, yd, ydd), 1e-9)


REFUSED = {
    "BodyJacobian", "BodyJacobianTimeDerivative", "CMM_from_CRBA", "EIDAmb", "EIDAmb_derivatives",
    "GlobalDynamics", "HamiltonianDynamics", "IMMAmb", "bodyFrame_dyn", "body_motion_derivatives",
    "ground_kinematics", "is_admissible_factorization", "is_valid_factorization",
    "spatial_force_SO_derivatives", "spatial_force_derivatives",
}  # fmt: skip
"""Functions that take no coupling by loops or functions; all others do."""


@pytest.mark.parametrize("name", ["five_bar", "walker", "functions_of_two"])
def test_every_function_answers_or_refuses_by_its_name(name):
    """The law: results are alike for one state and in a batch, for y and the full q, bound, into
    arrays and by several threads; all other functions refuse.
    """
    model, rng = ZOO[name](), np.random.default_rng(10)
    y, _, _ = state(model, rng, 2)
    refused, answered = set(), set()
    for _, function, required in functions_of_state():
        if not suits(function, model.tree):
            continue
        given = arguments(model.coupling.space, required, rng, (2,))
        given |= {k: y for k in ("q", "q0") if k in given}
        given |= {"frame": model.tree.NB - 1} if "frame" in given else {}
        given |= {"weight": rng.normal(size=(2, 6))} if "weight" in given else {}
        if "constraints" in given:
            last = model.tree.NB - 1
            tip = ConstraintSet(model, [PointConstraint(last, directions=[[0.3, 1, 0.2]])])
            given["constraints"] = tip.placed(model, y[0])
            given |= {x: rng.normal(size=(2, 1)) for x in ("forces", "nu") if x in given}
        given |= {"S": np.eye(model.NV)} if "S" in given else {}
        try:
            out = function(model, **given)
        except ModelError as error:
            assert str(error).startswith(f"{function.__name__}: takes no coupled model"), error
            refused.add(function.__name__)
            continue
        answered.add(function.__name__)
        if not hasattr(function, "work"):
            continue
        parts = out if isinstance(out, tuple) else (out,)
        several = {k for k, x in given.items() if isinstance(x, np.ndarray) and k != "S"}
        assert all(np.isfinite(x).all() for x in parts), function
        none = {k: x[:0] if k in several else x for k, x in given.items()}
        empty = function(model, **none)
        for x, z in zip(parts, empty if isinstance(empty, tuple) else (empty,), strict=True):
            assert z.shape == (0, *x.shape[1:]), function
        whole = function(model, **given | {"q": model.coupling.configuration(y)})
        one = function(model, **{k: x[1] if k in several else x for k, x in given.items()})
        bound = function.bind(model)(*given.values())
        into = tuple(np.full(np.shape(x), np.nan) for x in parts)
        function(model, **given, out=into if isinstance(out, tuple) else into[0], workers=2)
        for other in (whole, bound, into):
            other = other if isinstance(other, tuple) else (other,)
            for x, z in zip(parts, other, strict=True):
                near(x, z, 1e-9)
        for x, z in zip(parts, one if isinstance(one, tuple) else (one,), strict=True):
            near(x[1], z, 1e-9)
    assert refused <= REFUSED and not answered & REFUSED
    assert {"FD_SO_derivatives", "linearize", "forward_kinematics", "gravity_forces"} <= answered


def test_steps_and_linearisation():
    model, rng = walker(), np.random.default_rng(11)
    y, yd, ydd = state(model, rng)
    tau, n = ID(model, y, yd, ydd), model.NV
    A, B = linearize(model, y, yd, tau)
    near(A[n:, :n], by_steps(model, y, lambda z: FDab(model, z, yd, tau)), 1e-8)
    near(B[n:], Hinverse(model, y), 1e-9)
    motion = rollout(model, y, yd, np.tile(tau, (2, 1)), 0.01)
    near(motion.qd[1], yd + 0.01 * ydd, 1e-9)
    near(motion.q[1], configurationAddition(model, y, 0.01 * motion.qd[1]), 1e-9)


@pytest.mark.parametrize("name", ["four_bar_by_formula", "four_bar", "walker"])
def test_free_motions_conserve_energy(name):
    model = ZOO[name]()
    c = model.coupling
    y = c.guess[c.q_of_y] if len(c.guess) > model.NQ else c.guess
    start = y, 0.5 * np.ones(model.NV)
    motion = simulate(model, start, [0, 0.05, 0.1], np.zeros(model.NV))
    assert np.abs(motion.energy.drift).max() < 1e-7 and np.ptp(motion.energy.KE) > 0.01
    if name == "four_bar":  # what damping takes is in the balance of energy
        lossy = model.replace(damping=0.3)
        motion = simulate(lossy, start, [0, 0.02], np.zeros(1))
        assert np.abs(motion.energy.drift).max() < 1e-6
        assert sum(x[-1] - x[0] for x in (motion.energy.KE, motion.energy.PE)) < -1e-4


def test_other_functions_answer_or_refuse():
    model, y, yd = four_bar(), np.array([0.8]), np.array([0.3])
    q = model.coupling.configuration(y)
    near(show(model, y).scene.motion.q[0], q)
    drawn = showmotion(model, np.arange(2.0), np.array([[0.7], [0.8]]))
    near(drawn.scene.motion.q[1], q)
    cost = [StateCost(model, np.zeros(1), 1.0, 0.1)]
    problem = ShootingProblem(model, y, 0 * yd, np.full(3, 0.02), cost, cost)
    assert np.isfinite(solve(problem).trajectory.u).all()
    with pytest.raises(ModelError, match="^to_urdf: takes no coupled model"):
        to_urdf(model)
    with pytest.raises(SpatialError, match="takes NumPy arrays of real or complex numbers"):
        ID.reference(model, np.array([sympy.Symbol("y")]), yd, yd)
    with pytest.raises(ModelError, match="coupled already"):
        couple(model, constraints=[PIN])
    with pytest.raises(ModelError, match="does not change"):
        model.gravity = [0, 0, 0]


def test_variables_and_description():
    model = walker()
    assert (model.NQ, model.NV) == (9, 8)
    assert model.joint_names == ("joint0", "joint1", "joint4")
    assert "2 loops closed by 6 rows; independent joints named" in repr(model)
    tree = bars().replace(joint_names=["a", "b", "c"], limits={"a": (-1, 2), "b": (-9, 9)})
    chosen = couple(tree, constraints=[PIN], guess=[0.7, -0.1, 1.5])
    assert chosen.joint_names == ("a",) and "chosen" in repr(chosen)
    near(chosen.limits["a"][:2], [-1, 2])
    with pytest.raises(SpatialError, match="open by.*independent variables"):
        ID(model, model.coupling.guess + 0.1 * (np.arange(13) > 7), np.zeros(8), np.zeros(8))
