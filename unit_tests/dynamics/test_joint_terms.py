"""Every function includes `armature`, `damping`, `friction` and springs, does not depend on them,
or refuses models with them.
"""

import inspect
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import public_functions
import pytest
from joint_term_samples import CLOSE, bare, state, with_terms

import derivatives as d
import spatial_v2 as sv
from derivatives.reference import complex_step, complex_step_q
from spatial_v2.model.fields import JOINT_TERMS

UNCONCERNED = {
    "centre_of_mass_jacobian", "gravity_forces", "manipulability", "manipulability_derivatives",
    "BodyJacobian", "BodyJacobianTimeDerivative", "CMM", "CMMTimeDerivative", "CMM_from_CRBA",
    "Christoffel", "FrameJacobian", "FrameJacobianTimeDerivative", "GlobalDynamics",
    "H_derivatives", "IDFOZA", "ID_SO_derivatives", "KKT_ID_SO_derivatives", "StructureConstants",
    "bodyFrame_dyn", "body_motion_derivatives", "confVecToCell", "configurationAddition",
    "configurationDifference", "configurationRates", "constraint_bias", "constraint_derivatives",
    "constraint_jacobian", "constraint_SO_derivatives", "constraint_velocity",
    "forward_kinematics", "frame_SO_derivatives", "frame_acceleration", "frame_derivatives",
    "frame_velocity", "ground_kinematics", "is_admissible_factorization",
    "is_christoffel_consistent", "is_valid_factorization", "modFrame_second_derivatives",
    "modID_derivatives_simple", "normalizeConfVec", "position_error", "project_configuration",
    "spatial_force_SO_derivatives", "spatial_force_derivatives",
    "configurationAddition_derivatives", "configurationAddition_SO_derivatives",
    "configurationDifference_derivatives", "configurationDifference_SO_derivatives",
    "configurationTransport", "modConfigurationAddition_second_derivatives",
    "modConfigurationDifference_second_derivatives",
}  # fmt: skip
"""Functions that do not depend on the joint terms: motion, momentum, body forces, dH/dq. Regressors
of bodies do not, either."""
HONOURED = {
    "AZA", "CRBA", "CoriolisMatrix", "EnerMo", "FD_SO_derivatives", "FD_derivatives", "FDab",
    "FDcrb", "HamiltonianDynamics", "HandC", "Hinverse", "Hqd_and_CTqd", "ID", "ID_derivatives",
    "Impact_FO_derivatives", "Impact_SO_derivatives", "Impact_dyn", "KKT_FD",
    "KKT_FD_directional_derivative",
    "KKT_FO_derivatives", "KKT_ID", "KKT_ID_derivatives", "KKT_SO_derivatives",
    "actuation_forces", "dMinv_dq", "linearize", "modFD", "modFD_derivatives",
    "modFD_second_derivatives", "modID", "modID_derivatives", "modID_second_derivatives",
    "modKKT_second_derivatives", "modTimeStep_second_derivatives", "project_velocity", "time_step",
    "time_step_derivatives",
}  # fmt: skip
REFUSED = {"EIDAmb", "EIDAmb_derivatives", "ID_SlotineLi", "IMMAmb"}


MODELS = {
    "floating": lambda: sv.autoTree(4, 2, 0.3).replace(jtype=["Fb", "Rx", "S", "Pz-"]),
    "rotors": lambda: sv.autoTree_rotor(3, 2),
    "planar": lambda: sv.planar(3),
}


@pytest.fixture(params=MODELS)
def model(request: pytest.FixtureRequest) -> sv.Model:
    return with_terms(MODELS[request.param]())


def arrays(result: Any) -> Iterator[np.ndarray]:
    for part in result if isinstance(result, tuple) else (result,):
        if isinstance(part, tuple):
            yield from arrays(part)
        elif hasattr(part, "shape"):
            yield np.asarray(part)


def concerned(functions: Iterable[tuple[str, Any, list[str]]]) -> Iterator[tuple[Any, str]]:
    """Yield each function with "same", "changed" or "refused": the effect of joint terms on its
    result.
    """
    free = MODELS["floating"]()
    full = with_terms(free)
    for _, function, required in functions:
        if not public_functions.suits(function, free):
            continue
        given = public_functions.arguments(free, required, np.random.default_rng(1))
        rigid = function(free, **given)
        try:
            result = function(full, **given)
        except sv.ModelError as error:
            assert "model.replace(armature=None" in str(error)
            yield function, "refused"
            continue
        pairs = zip(arrays(rigid), arrays(result), strict=True)
        yield function, "same" if all(np.array_equal(x, y) for x, y in pairs) else "changed"


def test_every_public_function_is_listed_with_its_law() -> None:
    """Every function of a state is listed in the set that matches its results.

    HONOURED functions include armature, damping, friction and springs, UNCONCERNED ones and
    regressors do not depend on them, and REFUSED ones raise an error. A new function that is no
    regressor must be added to one of these sets.
    """
    found: dict[str, set[str]] = {"refused": set(), "same": set(), "changed": set()}
    regressors = set()
    for function, what in concerned(public_functions.functions_of_state()):
        found[what].add(function.__name__)
        if "p" in {*sum(function.work.results if hasattr(function, "work") else (), ())}:
            regressors.add(function.__name__)
    assert "RegressorClassical" in regressors
    wanted = {"refused": REFUSED, "same": UNCONCERNED | regressors, "changed": HONOURED}
    assert found == wanted


def test_every_other_function_of_a_model_is_listed() -> None:
    """Every other function of a model, such as one without q, is listed with its treatment of joint
    terms.
    """
    known = {
        "FDfb": "by FDab", "IDfb": "by ID and CRBA", "HD": "by ID and CRBA", "FDgq": "by HandC",
        "gcFD": "calls what it is given", "gcPosVel": "kinematics",
        "operational_space_inertia": "by Hinverse",
        "simulate": "by FDab and KKT_FD", "show": "draws", "showmotion": "draws",
        "floatbase": "refuses", "free_base": "refuses", "identify": "knows or identifies them",
        "weightless": "keeps them", "to_urdf": "writes or refuses", "write_matlab": "warns",
        "to_mjcf": "writes or refuses",
        "getModelInertialParams": "links alone", "setModelInertialParams": "keeps them",
        "ComputeSampledRegressor": "about bodies", "excitation_trajectory": "about what is unknown",
        **dict.fromkeys(["ComputeBases", "IsIdentifiable", "IsUnidentifiable", "RPNA", "RPNA_rotor",
                         "PrintParameterSummary"], "about parameters of links"),
        **dict.fromkeys(["inverse_kinematics", "inverse_kinematics_of_tasks", "neutral",
                         "random_configuration", "differential_inverse_kinematics"],
                        "about q alone"),
        **dict.fromkeys(["SO_pattern", "symmetrize"], "what they add is not in these tensors"),
        **dict.fromkeys(["apply_external_forces", "get_gravity"], "about bodies"),
        "loop_constraints": "about bodies",
        **dict.fromkeys(["lock", "attach", "remove", "couple", "resize"], "keep them"),
        "change_base": "keeps them", "identify_payload": "by identify",
        "whole_body_problem": "by HandC",
        **dict.fromkeys(["rollout", "rollout_gradient", "rollout_hessian_product"], "by time_step"),
    }  # fmt: skip
    names = set()
    for name in sv.__all__:
        function = getattr(sv, name)
        if inspect.isroutine(function) and "model" in inspect.signature(function).parameters:
            names.add(function.__name__)
    asked = {f.__name__ for _, f, _ in public_functions.functions_of_state()}
    assert names - asked == known.keys()


def test_force_is_the_documented_one(model: sv.Model) -> None:
    q, qd, qdd, _, _ = state(model, shape=(3,))
    more = model.armature * qdd + model.damping * qd + model.friction * np.sign(qd)
    more += spring(model, q)
    for function in (sv.ID, sv.ID.reference):
        tau = function(model, q, qd, qdd)
        np.testing.assert_allclose(tau, sv.ID(bare(model), q, qd, qdd) + more, **CLOSE)
    H, C = sv.HandC(model, q, qd)
    np.testing.assert_allclose((H @ qdd[..., None])[..., 0] + C, tau, **CLOSE)
    np.testing.assert_allclose(sv.CRBA(model, q), H, **CLOSE)
    np.testing.assert_allclose(sv.Hinverse(model, q) @ H, np.eye(model.NV) + 0 * H, **CLOSE)
    np.testing.assert_allclose(d.CoriolisMatrix(model, q, qd).H, H, **CLOSE)
    np.testing.assert_allclose(d.AZA(model, q, (H @ qd[..., None])[..., 0]), qd, **CLOSE)
    momentum = sv.Hqd_and_CTqd(model, q, qd).Hqd
    np.testing.assert_allclose(momentum, (H @ qd[..., None])[..., 0], **CLOSE)
    energy = sv.EnerMo(model, q, qd).KE
    np.testing.assert_allclose(energy, (momentum * qd).sum(-1) / 2, **CLOSE)


def spring(model: sv.Model, q: np.ndarray) -> np.ndarray:
    """Return the forces of the springs, joint by joint."""
    tau = np.zeros((*q.shape[:-1], model.NV))
    for n, place, v in zip(model.nv, model.qinds, model.vinds, strict=True):
        if n == 1:
            tau[..., v] = model.stiffness[v] * (q[..., place] - model.rest[v])
    return tau


def test_forward_dynamics_inverts_inverse_dynamics(model: sv.Model) -> None:
    q, qd, qdd, _, _ = state(model, shape=(2, 3))
    f_ext = np.random.default_rng(0).normal(size=(2, 3, model.NB, 3 if model.is_planar else 6))
    alone = [(name,) for name in JOINT_TERMS]
    for which in ((), *alone, ("damping", "friction")):
        some = model.replace(**dict.fromkeys(which)) if which else model
        tau = sv.ID(some, q, qd, qdd, f_ext, frame="body")
        for function in (sv.FDab, sv.FDab.reference, sv.FDcrb):
            if function is sv.FDcrb:
                got = function(some, q, qd, sv.ID(some, q, qd, qdd))
            else:
                got = function(some, q, qd, tau, f_ext, frame="body")
            np.testing.assert_allclose(got, qdd, **CLOSE)


def test_armature_is_a_wheel_on_the_base(model: sv.Model) -> None:
    """Armature acts like a wheel on the base for each velocity variable, which turns with it."""
    if model.is_planar or model.has_rotors:
        pytest.skip("the wheels are spatial bodies")
    n = model.NV
    wheel = [sv.mcI(0.0, np.zeros(3), np.diag([0, 0, a])) for a in model.armature]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sv.InertiaWarning)
        both = sv.Model(
            parent=[*model.parent, *[-1] * n],
            jtype=[*model.jtype, *["Rz"] * n],
            Xtree=[*model.Xtree, *[np.eye(6)] * n],
            I=[*model.I, *wheel],
        )
    G = np.tile(np.eye(n), (2, 1))
    only = bare(model).replace(armature=model.armature)
    q, qd, qdd, _, _ = state(model)
    wide = np.concatenate([q, np.zeros(n)]), G @ qd, G @ qdd
    np.testing.assert_allclose(G.T @ sv.ID(both, *wide), sv.ID(only, q, qd, qdd), **CLOSE)
    np.testing.assert_allclose(G.T @ sv.CRBA(both, wide[0]) @ G, sv.CRBA(only, q), **CLOSE)
    theirs, ours = d.ID_derivatives(both, *wide), d.ID_derivatives(only, q, qd, qdd)
    for x, y in zip(theirs, ours, strict=True):
        np.testing.assert_allclose(G.T @ x @ G, y, **CLOSE)
    KE = sv.EnerMo(both, *wide[:2]).KE
    np.testing.assert_allclose(KE, sv.EnerMo(only, q, qd).KE, **CLOSE)


def test_constrained_dynamics_includes_joint_terms() -> None:
    """The equation of motion holds with contact forces, and derivatives agree with
    complex steps.
    """
    model = with_terms(MODELS["floating"]())
    q, qd, qdd, tau, w = state(model)
    held = [sv.FrameConstraint(1, rows=np.eye(6)[:, :2])]
    qdd, force = sv.KKT_FD(model, q, qd, tau, held)
    np.testing.assert_allclose(sv.KKT_ID(model, q, qd, qdd, force, held), tau, **CLOSE)
    np.testing.assert_allclose(
        sv.constraint_jacobian(model, q, held) @ qdd,
        -sv.constraint_bias(model, q, qd, held),
        **CLOSE,
    )
    first = d.KKT_FO_derivatives(model, q, qd, tau, held)
    by_q = complex_step_q(model, lambda x: sv.KKT_FD(model, x, qd, tau, held).qdd, q)
    by_qd = complex_step(lambda x: sv.KKT_FD(model, q, x, tau, held).lambda_, qd)
    np.testing.assert_allclose(first.dqdd_dq, by_q, **CLOSE)
    np.testing.assert_allclose(first.dlambda_dqd, by_qd, **CLOSE)
    second = d.KKT_SO_derivatives(model, q, qd, tau, held)
    by_qq = complex_step_q(
        model, lambda x: d.KKT_FO_derivatives(model, x, qd, tau, held).dqdd_dq, q
    )
    np.testing.assert_allclose(second.d2qdd_dq, by_qq, **CLOSE)
    mod = d.modKKT_second_derivatives(model, q, qd, tau, w, 0 * force, held)
    np.testing.assert_allclose(mod.H_qq, np.tensordot(w, by_qq, 1), **CLOSE)
    np.testing.assert_allclose(mod.grad_qd, w @ first.dqdd_dqd, **CLOSE)
    plus, impulse = sv.Impact_dyn(model, q, qd, held)
    G = sv.constraint_jacobian(model, q, held)
    H = sv.CRBA(model, q)
    np.testing.assert_allclose(H @ (plus - qd), G.T @ impulse, **CLOSE)
    np.testing.assert_allclose(sv.project_velocity(model, q, qd, held), plus, **CLOSE)
    by_q = complex_step_q(model, lambda x: sv.Impact_dyn(model, x, qd, held).qd_plus, q)
    np.testing.assert_allclose(d.Impact_FO_derivatives(model, q, qd, held).dqd_dq, by_q, **CLOSE)


def test_hamiltonian_and_lagrangian_motion_agree(model: sv.Model) -> None:
    """The momenta H qd change by ``dH/dt qd + H qdd``, with the accelerations of
    forward dynamics.
    """
    q, qd, tau, _, _ = state(model)
    H = sv.CRBA(model, q)
    rates = sv.HamiltonianDynamics(model, q, H @ qd, tau)
    np.testing.assert_allclose(rates.q_dot, qd, **CLOSE)
    Hdot = np.tensordot(d.H_derivatives(model, q), qd, 1)
    want = Hdot @ qd + H @ sv.FDab(model, q, qd, tau)
    np.testing.assert_allclose(rates.p_dot, want, **CLOSE)


def test_energy_is_lost_to_damping_and_friction() -> None:
    """The power of the joint forces is the rate of the energy plus the power lost to damping and
    friction.
    """
    model = with_terms(sv.autoTree(3, 1, 0.3))
    q, qd, tau, _, _ = state(model)
    qdd = sv.FDab(model, q, qd, tau)
    lost = qd @ (model.damping * qd) + np.abs(qd) @ model.friction
    H = sv.CRBA(model, q)
    Hdot = np.tensordot(d.H_derivatives(model, q), qd, 1)
    weight = sv.ID(bare(model), q, 0 * qd, 0 * qd) + spring(model, q)
    rate = qd @ H @ qdd + qd @ Hdot @ qd / 2 + qd @ weight
    np.testing.assert_allclose(tau @ qd, rate + lost, **CLOSE)


def test_energy_of_a_motion_is_lost_to_damping_and_friction_alone() -> None:
    """The energy of a simulated motion decreases by the work of damping and friction."""
    model = sv.autoTree(2).replace(damping=0.1, friction=0.02, armature=1)
    motion = sv.simulate(model, ([0, 0], [5, 7]), [0, 0.05])
    assert abs(motion.energy.drift).max() < 1e-7 < -motion.energy.work[-1]
