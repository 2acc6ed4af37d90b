"""The answer of every public function to a coupled model: compared with the tree, or a refusal."""

import importlib
import inspect
import re
from pathlib import Path

import numpy as np
import pytest
from helpers import near
from mechanisms import four_bar, walker
from public_functions import arguments, functions_of_state, suits
from test_couplings import mimic
from zoo import build

import derivatives
import spatial_v2
from derivatives import reference
from spatial_v2 import (
    CRBA,
    ID,
    FDab,
    ModelError,
    ShootingProblem,
    StateCost,
    autoTree,
    confVecToCell,
    couple,
    forward_kinematics,
    mcI,
    neutral,
    random_configuration,
    rollout,
    rollout_gradient,
    rollout_hessian_product,
    show,
    showmotion,
    simulate,
    xlt,
)
from spatial_v2.calls.coupled import answer
from spatial_v2.control import ContactForce, Instants, solve
from spatial_v2.model.rotors import _gears, expand

MODULES = (
    "spatial_v2", "derivatives", "derivatives.reference", "spatial_v2.control", "spatial_v2.export",
    "spatial_v2.identification", "spatial_v2.io", "spatial_v2.show", "spatial_v2.plots",
    "spatial_v2.simulation", "spatial_v2.typed", "spatial_v2.interop.casadi",
    "spatial_v2.interop.structured",
)  # fmt: skip
"""Packages whose functions are called; those of `spatial_v2.matlab` call these in turn."""

TESTED = {
    "neutral", "random_configuration", "show", "showmotion", "simulate", "linearize", "rollout",
    "FunctionCost", "FunctionQuantity", "StateCost", "JointPositions", "JointVelocities",
    "symmetrize", "plot_motion", "rollout_gradient", "rollout_hessian_product", "ShootingProblem",
    "ComputeSampledRegressor", "bicomplex_step_q", "christoffel_loops", "complexStepForce",
    "complex_step_q", "coriolis_by_jacobians", "finite_diff_1", "finite_diff_2",
    "first_order_complex", "first_order_difference", "idsva_so", "perturbIndex_q", "perturbIndex_v",
    "second_order_bicomplex", "verify", "CoupledModel", "operational_space_inertia", "to_urdf",
    "to_mjcf", "inverse_kinematics", "inverse_kinematics_of_tasks",
    "differential_inverse_kinematics", "ConstraintSet", "ContactForce", "to_casadi", "identify",
    "identify_payload", "ComputeBases",
    "getModelInertialParams", "setModelInertialParams", "excitation_trajectory", "model_bytes",
    "write_model", "write_matlab", "attach", "lock", "weightless", "CentreOfMass", "FramePosition",
    "FramePlacementCost", "FrameVelocityCost",
}  # fmt: skip
"""Functions, not of a state alone, that take coupled models: by the tests below, or because they
hold the model's sizes and names only, or call a function that is given to them.
"""


def values(model):
    """Return values for the names of arguments that functions of other things than a state have."""
    y, yd = np.array([0.1]), np.array([0.3])
    motion = (np.zeros((3, 1)), np.zeros((3, 1)), np.zeros((2, 1)))
    return {
        **dict.fromkeys(("q", "q0", "q1", "x"), y),
        **dict.fromkeys(("qd", "qdd", "tau", "u", "dq", "dqd", "dtau", "p_q", "p_qd", "xfb"), yd),
        "rng": np.random.default_rng(0), "frame": 2, "X_target": np.eye(6),
        **dict.fromkeys(("path", "folder"), "unwritten"),
        "t": np.array([0.0, 0.1, 0.2]), "x0": (y, yd), "state": (y, yd), "FDfun": FDab,
        "fd": np.zeros(1), "h": np.array([0.01]), "running": [], "terminal": [], "constraints": [],
        "body": 0, "part": autoTree(2), "X": np.eye(6), "N": [np.eye(10)],
        "M": [np.eye(10)], "V": [], "C": [], "i": 0, "j": 0, "k": 0, "names": (), "weight": 1.0,
        "target": np.eye(6), "function": "ID", "motion": motion, "g_q": np.zeros((3, 1)),
        "g_qd": np.zeros((3, 1)), "cost_product": None, "free_base": False, "samples": 3,
        "period": 1.0, "harmonics": 2, "a": np.zeros(30), "directions": np.eye(1), "f": len,
        "func": len, "variable": "q", "velocity": "body", "xfb_": None, "model": model,
        "robot": model, "f_ext": np.zeros((3, 6)), "f_in": [], "Xup": [], "points": [],
        "d1": np.zeros((1, 1)), "d2": np.zeros((1, 1, 1)), "states": 1, "parameters": np.zeros(30),
        "order": 1, "methods": (), "orders": (1,), "mimic": {}, "name": "ID", "r": 1, "mask": None,
        "step": 1e-20, "tasks": [spatial_v2.PoseTask(2, np.eye(6))],
        "viscous": (), "coulomb": (), "offset": (), "armature": (), "factors": [1, 1, 2],
    }  # fmt: skip


def others():
    """Yield the functions of a model that `functions_of_state` does not have."""
    known = {f for _, f, _ in functions_of_state()}
    seen = set()
    for module in map(importlib.import_module, MODULES):
        for name in module.__all__:
            function = getattr(module, name)
            if not callable(function) or function in known or id(function) in seen:
                continue
            try:
                parameters = list(inspect.signature(function).parameters.values())
            except ValueError:
                continue
            if any(p.name in ("model", "robot") for p in parameters):
                seen.add(id(function))
                yield name, function, parameters


OTHERS = {name: (function, parameters) for name, function, parameters in others()}


LINEAR_ONLY = {"attach", "excitation_trajectory", "lock", "write_matlab"}
"""Functions, not of a state alone, that take coupled models without loops and functions."""

BESIDE = {"couple", "gcFD", "Identification", "Payload"}
"""Functions with a test of their own, and results that hold a model."""


@pytest.mark.parametrize("name", sorted({*OTHERS} - TESTED - BESIDE))
@pytest.mark.parametrize("make", [mimic, four_bar])
def test_other_functions_refuse_by_name(name, make):
    function, parameters = OTHERS[name]
    model = make()
    given = values(model) | {"joints": {model.joint_names[0]: 0.1}}
    needed = [p for p in parameters if p.default is p.empty and p.kind < p.VAR_POSITIONAL]
    needed += [p for p in parameters if p.default is p.empty and p.kind == p.KEYWORD_ONLY]
    arguments = {p.name: given[p.name] for p in needed}
    with pytest.raises(ModelError, match=f"^{name}: takes no coupled model"):
        function(**arguments)


def refusing(model):
    """Return the names of the functions of a state that refuse a coupled model."""
    names, rng = set(), np.random.default_rng(0)
    start = model.start + 0.2
    for _, function, required in functions_of_state():
        if not suits(function, model.tree):
            continue
        given = arguments(model.coupling.space, required, rng, ())
        given |= {k: start for k in ("q", "q0") if k in given}
        given |= {"frame": 2} if "frame" in given else {}
        given |= {"weight": np.ones(6)} if "weight" in given else {}
        if "constraints" in given:
            tip = spatial_v2.PointConstraint(2, point1=[0.3, 0.1, 0], directions=[[0.3, 1, 0.2]])
            given["constraints"] = [tip]
            given |= {k: np.zeros(1) for k in ("forces", "nu") if k in given}
        given |= {"S": np.eye(model.NV)} if "S" in given else {}
        try:
            function(model, **given)
        except spatial_v2.SpatialError as error:  # others are answers, such as rows that are zero
            if str(error).startswith(f"{function.__name__}: takes no coupled model"):
                names.add(function.__name__)
    return names


def test_the_page_lists_the_functions_that_refuse():
    page = (Path(__file__).parents[2] / "docs" / "couplings.md").read_text()
    page = page.split("## Functions without coupled models")[1].split("[Theory]")[0]
    listed = [set(re.findall(r"`(\w+)`", x)) for x in page.split("| subject | functions |")[1:]]
    linear, loops = (
        refusing(one()) | refusing(floating())
        for one, floating in ((mimic, gripper), (four_bar, walker))
    )
    assert listed[0] == {*OTHERS} - TESTED - BESIDE | {"gcFD"} | linear
    assert listed[1] == loops - linear | LINEAR_ONLY


def test_functions_beside_the_others_refuse():
    model, y = mimic(), np.array([0.1])
    with pytest.raises(ModelError, match="coupled already"):
        couple(model, mimic={})
    with pytest.raises(ModelError, match="^gcFD: takes no coupled model"):
        spatial_v2.gcFD(model, FDab, y, y, y, np.zeros((0, 2)))
    with pytest.raises(ModelError, match="^BodyJacobian: takes no coupled model"):
        spatial_v2.BodyJacobian(model, y, 1)


def test_accelerated_functions_answer_alike_bound_and_into_arrays():
    """Every function that takes coupled models does so by `bind`, `out=`, `workers=` too."""

    model, rng, bound = mimic(), np.random.default_rng(1), 0
    for _, function, required in functions_of_state():
        if not hasattr(function, "work") or answer(function.work) == "refuses":
            continue
        if not suits(function, model.tree):
            continue
        others = "frame", "weight", "constraints", "forces", "nu"
        given = arguments(model, [x for x in required if x not in others], rng, (2,))
        if "constraints" in required:
            tip = spatial_v2.PointConstraint(2, point1=[0.3, 0.1, 0], directions=[[0, 1, 0]])
            given["constraints"] = [tip]
        given |= {x: rng.normal(size=(2, 1)) for x in ("forces", "nu") if x in required}
        if "frame" in required:
            given["frame"] = 2
        if "weight" in required:
            given["weight"] = rng.normal(size=(2, 6))
        given = {x: given[x] for x in required}
        wanted = function(model, **given)
        parts = wanted if isinstance(wanted, tuple) else (wanted,)
        out = tuple(np.full(np.shape(x), np.nan) for x in parts)
        function(model, **given, out=out if isinstance(wanted, tuple) else out[0])
        again = function.bind(model)(*given.values())
        several = function(model, **given, workers=2)
        for other in (out, again, several):
            other = other if isinstance(other, tuple) else (other,)
            for x, y in zip(parts, other, strict=True):
                near(x, y, 1e-14)
        bound += 1
    assert bound > 40


def same(function, model, given, moved):
    """Check that results are those of the tree, each axis of velocity variables times G."""
    results = function(model, *given), function(model.tree, *moved), function.work.results
    for found, wanted, dims in zip(*results, strict=True):
        for k in [k - len(dims) for k, axis in enumerate(dims) if axis == "v"]:
            wanted = np.moveaxis(np.moveaxis(wanted, k, -1) @ model.coupling.matrix, -1, k)
        near(found, wanted)


def test_forces_bodies_and_points_of_the_tree():
    model, rng = mimic(), np.random.default_rng(2)
    tree, (y, yd) = model.tree, rng.normal(size=(2, 4, 1))
    q, qd = model.coupling.configuration(y), model.coupling.motion(yd)
    for found, wanted in zip(
        forward_kinematics(model, y, yd), forward_kinematics(tree, q, qd), strict=True
    ):
        near(found, wanted)
    near(forward_kinematics(model, y, frame=2).p, forward_kinematics(tree, q, frame=2).p)
    same(spatial_v2.ground_kinematics, model, [y, yd], [q, qd])
    cells, speeds = confVecToCell(model, y[0], yd[0])
    near(cells, y[0][None])
    near(speeds, yd[0][None])
    for name in ("RegressorClassical", "RegressorMomentum", "RegressorEnergy", "RegressorHandG"):
        function = getattr(spatial_v2, name)
        given = [y, yd, yd][: function.signature.split("->")[0].count("(")]
        moved = [q, qd, qd][: len(given)]
        same(function, model, given, moved)
    Y = spatial_v2.ComputeSampledRegressor(model, 3, rng=np.random.default_rng(0))
    assert Y.shape == (3, 30)


def gripper():
    """Return a floating hand with a turned wrist and two fingers that close together."""
    X = [xlt([0, 0, 0]), xlt([0, 0, 0.1]), xlt([0.05, 0, 0.1]), xlt([-0.05, 0, 0.1])]
    I = [mcI(m, [0.01, 0.02, 0.05], np.diag([0.01, 0.02, 0.015])) for m in (3.0, 1.0, 0.4, 0.5)]
    tree = spatial_v2.Model(
        parent=[-1, 0, 1, 1], jtype=["Fb", "Rz", "Px", "Px"], Xtree=X, I=I, damping=0.3,
        joint_names=["base", "wrist", "left", "right"], limits={"left": (-9, 0.4)},
    )  # fmt: skip
    return couple(tree, mimic={"right": ("left", -1.0, 0.02)})


def test_simulated_motions_conserve_energy_and_follow_the_constrained_tree():
    model = gripper()
    q = neutral(model)
    qd = np.r_[np.linspace(-0.5, 0.5, 6), 0.7, 0.2]
    push = {2: [0.1, 0.2, 0.1, 1.0, 0.0, 2.0]}
    motion = simulate(model, (q, qd), [0, 0.2, 0.4], np.r_[np.zeros(6), 0.1, 0.2], f_ext=push)
    assert np.abs(motion.energy.drift).max() < 1e-8 and np.ptp(motion.energy.KE) > 0.1
    dry = model.replace(damping=None, friction=np.r_[np.zeros(7), 0.3, 0.5])
    slowed = simulate(dry, (q, qd), [0, 0.2, 0.4], np.zeros(8))
    # both fingers rub: (0.3 + 0.5) N times the distance
    path = np.abs(slowed.q[-1, -1] - q[-1])
    ideal = simulate(model.replace(damping=None), (q, qd), [0, 0.2, 0.4], np.zeros(8))
    lost = ideal.energy.KE + ideal.energy.PE - slowed.energy.KE - slowed.energy.PE
    near(lost[-1], 0.8 * path, 1e-3)
    assert np.abs(slowed.energy.drift).max() < 1e-6


def test_inertia_of_a_frame_of_a_gripper():
    model, rng = gripper(), np.random.default_rng(5)
    y = random_configuration(model, rng)
    G, q = model.coupling.matrix, model.coupling.configuration(y)
    J = spatial_v2.FrameJacobian(model.tree, q, 3) @ G
    H = G.T @ CRBA(model.tree, q) @ G
    wanted = np.linalg.inv(J @ np.linalg.solve(H, J.T))
    near(spatial_v2.operational_space_inertia(model, y, 3), wanted, 1e-10)


def test_inverse_kinematics_moves_joints_together():
    model, rng = gripper(), np.random.default_rng(1)
    finger = model.tree.NB - 1
    wanted = random_configuration(model, rng, 4)
    X = forward_kinematics(model, wanted, frame=finger).X0
    start = spatial_v2.configurationAddition(model, wanted, 0.3 * rng.normal(size=(4, model.NV)))
    found = spatial_v2.inverse_kinematics(model, finger, X, start)
    assert found.converged.all() and (found.q[:, -1] <= 0.4).all()
    near(forward_kinematics(model, found.q, frame=finger).X0, X, 1e-8)
    tasks = [spatial_v2.PoseTask(finger, X), spatial_v2.PostureTask(start, weight=1e-3)]
    both = spatial_v2.inverse_kinematics_of_tasks(model, tasks, start)
    near(forward_kinematics(model, both.q, frame=finger).X0, X, 1e-3)
    y = start
    for _ in range(40):
        yd = spatial_v2.differential_inverse_kinematics(model, tasks[:1], y, 0.1)
        y = spatial_v2.configurationAddition(model, y, 0.1 * yd)
    near(forward_kinematics(model, y, frame=finger).X0, X, 1e-6)
    cm = spatial_v2.EnerMo(model, wanted, np.zeros((4, model.NV))).cm
    tasks = [spatial_v2.CentreOfMassTask(cm), spatial_v2.PostureTask(start, weight=1e-3)]
    moved = spatial_v2.inverse_kinematics_of_tasks(model, tasks, start).q
    near(spatial_v2.EnerMo(model, moved, np.zeros((4, model.NV))).cm, cm, 1e-3)
    J = spatial_v2.centre_of_mass_jacobian(model, wanted)
    rate = rng.normal(size=model.NV)
    near(J @ rate, spatial_v2.EnerMo(model, wanted, np.tile(rate, (4, 1))).vcm)
    # far away: restarts move joints that follow, too
    arm = couple(autoTree(6), mimic={4: (3, 0.5, 0.1)})
    X = forward_kinematics(arm, [0.5, -0.4, 0.3, 0.8, 0.2], frame=5).X0
    far = spatial_v2.inverse_kinematics(arm, 5, X, np.full(5, 2.5), restarts=20)
    assert far.converged
    near(forward_kinematics(arm, far.q, frame=5).X0, X, 1e-8)


def test_steps_and_linearisation_agree_with_complex_steps():
    model = mimic()
    y, yd, tau = np.array([0.3]), np.array([0.4]), np.array([0.5])
    A, B = derivatives.linearize(model, y, yd, tau)
    step = 1e-30j
    near(A[1], [FDab(model, y + step, yd, tau).imag[0] / 1e-30,
                FDab(model, y, yd + step, tau).imag[0] / 1e-30])  # fmt: skip
    near(B[:, 0], [0, 1 / CRBA(model, y)[0, 0]])
    d = reference.first_order_complex(model, y, yd, np.array([0.2]), "ID")
    wanted = derivatives.ID_derivatives(model, y, yd, [0.2])
    near(d.dq, wanted.dtau_dq)
    near(d.dqd, wanted.dtau_dqd)
    motion = rollout(model, y, yd, np.full((3, 1), 0.5), 0.01)
    near(motion.qd[1], yd + 0.01 * FDab(model, y, yd, tau))
    near(motion.q[1], y + 0.01 * motion.qd[1])


def test_optimal_control_of_a_geared_robot_is_that_of_its_coupled_tree():
    geared = build("rotors")
    coupled = couple(expand(geared), matrix=_gears(geared, np.zeros(1)))
    n, rng = geared.NV, np.random.default_rng(4)
    q, qd, tau = rng.normal(size=(3, n))
    found = []
    for model in (geared, coupled):
        motion = rollout(model, q, qd, np.tile(tau, (3, 1)), 0.02)
        g = np.ones((4, n)), np.ones((4, n))
        gradient = rollout_gradient(model, motion, *g)
        product = rollout_hessian_product(
            model, motion, *g, lambda dq, dqd, dtau: (dq, dqd, dtau),
            np.ones(n), np.ones(n), np.ones((3, n)),
        )  # fmt: skip
        cost = [StateCost(model, np.zeros(n), 1.0, 0.1)]
        problem = ShootingProblem(model, q, 0 * qd, np.full(4, 0.02), cost, cost)
        solution = solve(problem)
        found.append([*motion, *gradient, *product, solution.trajectory.u])
    for x, y in zip(*found, strict=True):
        near(x, y, 1e-8)


def test_contact_forces_of_coupled_models_have_exact_derivatives():
    tree, rng = autoTree(4), np.random.default_rng(0)
    model = couple(tree, matrix=np.eye(4)[:, :3] + 0.5 * np.eye(4)[:, [3, 3, 2]])
    tip = spatial_v2.PointConstraint(3, directions=[[0, 1, 0]])
    force = ContactForce(model, [tip])
    x, n, step = rng.normal(size=9), model.NV, 1e-6

    def at(x):
        return Instants(x[:n], x[n : 2 * n], x[2 * n :])

    def by_steps(f):
        return np.stack([(f(x + e) - f(x - e)) / (2 * step) for e in step * np.eye(9)], axis=-1)

    kkt = spatial_v2.KKT_FD(model, *at(x)[:3], [tip])
    near(force.value(at(x)), kkt[1], 1e-10)
    near(force.jacobian(at(x)), by_steps(lambda z: force.value(at(z))), 1e-6)
    hessian = np.zeros((9, 9))
    force.add_hessian(at(x), np.ones(1), hessian)
    near(hessian, by_steps(lambda z: force.jacobian(at(z))[0]), 1e-6)


def test_drawn_motions_are_those_of_all_joints():
    model = mimic()
    y = np.linspace(0, 0.5, 5)[:, None]
    drawn = showmotion(model, np.arange(5.0), y)
    wanted = showmotion(model.tree, np.arange(5.0), model.coupling.configuration(y))
    assert drawn.html == wanted.html
    near(show(model, [0.2]).scene.motion.q[0], model.coupling.configuration(np.array([0.2])))
    near(drawn.scene.motion.q, model.coupling.configuration(y))
    assert ID(model, [0.1], [0.0], [0.0]).shape == (1,)
