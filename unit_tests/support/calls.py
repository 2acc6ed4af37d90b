"""Every public function that takes arrays, with an example of its arguments.

Functions of a model are found by `public_functions`. All others get example arguments by the names
of their parameters. If a new function has a parameter with a new name, the tests over all functions
fail until this file has an example for it, or `NO_ARRAYS` a reason.
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from parameters import chosen
from public_functions import arguments, functions_of_state, suits

import derivatives
import derivatives.reference as reference
import spatial_v2
import spatial_v2 as sv
import tensor_sva

PACKAGES = spatial_v2, derivatives, tensor_sva, reference
CHOSEN = {
    "CRBA", "CoriolisMatrix", "EnerMo", "FDab", "FD_SO_derivatives", "FrameJacobian", "HandC", "ID",
    "ID_SO_derivatives", "ID_derivatives", "KKT_FD", "RegressorHqd", "centre_of_mass_jacobian",
    "configurationDifference", "crm_t", "forward_kinematics", "jcalc", "manipulability",
    "modFD_second_derivatives", "plux", "rotToQuat",
}  # fmt: skip
"""Functions of every kind, of which costly laws are tried by default."""
HOW = ["get_compilation", "get_workers", "keep_memory", "set_compilation", "set_workers"]
NO_ARRAYS = {
    **dict.fromkeys(HOW, "says how to work, not on what"),
    "SO_pattern": "takes a model alone",
    "christoffel_loops": "takes joints with one degree of freedom alone",
    "simulate": "integrates real numbers",
    **dict.fromkeys(["rollout", "rollout_gradient", "rollout_hessian_product"], "takes many steps"),
    **dict.fromkeys(["show", "showmotion"], "is for pictures of real motions"),
    "fbanim": "is for pictures of real motions",
    "apply_external_forces": "takes dictionaries that a sweep leaves behind",
    "inverse_kinematics": "iterates on real numbers",
    "inverse_kinematics_of_tasks": "iterates on real numbers",
    "differential_inverse_kinematics": "searches the bounds of real numbers",
    "contract": "takes subscripts",
    "excitation_trajectory": "searches a motion for a model",
    **dict.fromkeys(["lqr", "dlqr"], "solves a Riccati equation of real matrices"),
    **dict.fromkeys(
        ["cubic_motion", "quintic_motion", "trapezoidal_motion"], "makes a function of time"
    ),
    "operational_space_inertia": "wants frames that can accelerate in every direction",
    **dict.fromkeys(
        ["attach", "change_base", "lock", "remove", "resize"], "takes a model and makes another"
    ),
    "rightJacobianOfExp": "a series for doubles; tried in test_utility",
    **dict.fromkeys(
        [f for f in spatial_v2.utility.__all__ if f[:6] == "random"], "takes no arrays"
    ),
    **dict.fromkeys(
        [f for f in spatial_v2.utility.__all__ if f[:8] == "symbolic"], "makes symbols"
    ),
    **dict.fromkeys(["complexStepForce", "complexStepHessian"], "takes a function"),
    **dict.fromkeys(["perturbIndex_q", "perturbIndex_v"], "takes a function"),
    "expandLambda": "takes whole numbers",
    "optimal_step": "takes a method",
    "verify": "gives a table",
    **dict.fromkeys(["mae", "mre", "rmsae", "rmsre", "errors"], "gives one float for all"),
    **dict.fromkeys(["bicomplex_step", "bicomplex_step_q"], "takes a function"),
    **dict.fromkeys(["complex_step", "complex_step_q", "complexStepJacobian"], "takes a function"),
    **dict.fromkeys(["finiteDiff", "finiteDiffJacobian"], "takes a function"),
    **dict.fromkeys(["autoTree", "autoTree_rotor", "planar", "puma560"], "makes a model"),
    **dict.fromkeys(
        [
            "floatbase",
            "free_base",
            "lock",
            "attach",
            "remove",
            "couple",
            "weightless",
            "setModelInertialParams",
        ],
        "makes a model of a model",
    ),
    **dict.fromkeys(
        [
            "load_mjcf",
            "load_model",
            "load_sdf",
            "load_urdf",
            "read_matlab",
            "to_mjcf",
            "to_urdf",
            "write_matlab",
        ],
        "is about files",
    ),
    **dict.fromkeys(["example_robots", "model_names", "Puma560_model"], "takes nothing"),
    "getModelInertialParams": "takes a model alone",
    **dict.fromkeys(["doubleElbow", "singlebody", "scissor", "rollingdisc"], "makes a model"),
    **dict.fromkeys(["gfxExample", "build_quadruped_model", "Panda_model"], "makes a model"),
    **dict.fromkeys(["Scara_model", "TX40_model", "CheetahLeg_model"], "takes nothing"),
    **dict.fromkeys(["Test_model", "get_miniCheetah_params"], "takes nothing"),
    **dict.fromkeys(["weld", "hinge_loop", "ball_loop", "loop_constraints"], "makes a constraint"),
    **dict.fromkeys(["point_contact", "surface_contact"], "makes a constraint"),
    "identify": "iterates on real numbers",
    "identify_payload": "iterates on real numbers",
    "whole_body_problem": "makes matrices for one state of real numbers",
    **dict.fromkeys(["RPNA", "RPNA_rotor"], "takes a model alone"),
    **dict.fromkeys(
        ["ComputeBases", "IsIdentifiable", "IsUnidentifiable", "PrintParameterSummary"],
        "takes what RPNA has found",
    ),
    "ComputeSampledRegressor": "draws its states",
    "symmetric_rotor": "takes a word",
    **dict.fromkeys(
        ["SwitchedControllabilityMatrix", "SwitchedObservabilityMatrix"], "takes lists of matrices"
    ),
    **dict.fromkeys(
        ["CleanMat", "OutputMatrix", "RangeBasis", "UnitVectorComplementarySubspace"],
        "decides ranks of one real matrix; tried in test_rpna",
    ),
    **dict.fromkeys(["get_gravity", "neutral", "random_configuration"], "takes a model alone"),
    **dict.fromkeys(["jinfo", "joint_type"], "takes a joint type alone"),
    "jcalc": "is tried for every joint type",
    **dict.fromkeys(["quatToSU2", "SU2toQuat"], "makes complex numbers of real ones, or back"),
}
"""Public functions that are not called because they take no arrays, and the reasons."""


REAL_ALONE = {
    **dict.fromkeys(reference.__all__, "a method on real numbers"),
    "actuation_forces": "least squares",
    "project_configuration": "iterates",
    **dict.fromkeys([f for f in derivatives.__all__ if f[:3] == "is_"], "a question about numbers"),
    "isEqualModSign": "a question about numbers",
    "manipulability_derivatives": "singular values are those of numbers",
    "affineInvariantDistance": "eigenvalues are those of numbers",
}
"""Public functions that accept only real NumPy arrays, and the reasons."""
for _page in [f for f in REAL_ALONE if hasattr(getattr(reference, f, None), "reference")]:
    del REAL_ALONE[_page]


class Call(NamedTuple):
    """A public function and arrays to call it with: ``function(*arrays)``."""

    name: str
    function: Callable[..., Any]
    arrays: tuple[np.ndarray, ...]


@functools.cache
def public() -> dict[str, Callable[..., Any]]:
    """Return all public functions by name, without aliases."""
    members = {name: getattr(package, name) for package in PACKAGES for name in package.__all__}
    return {name: f for name, f in members.items() if inspect.isroutine(f) and f.__name__ == name}


def of_model(model: sv.Model, seed: int = 5, shape: tuple[int, ...] = ()) -> list[Call]:
    """Return calls, at random states, of all functions of a model and q that support the model."""
    return [c for c in _about_trees(model, seed, shape) if suits(public()[c.name], model)]


def _about_trees(model: sv.Model, seed: int, shape: tuple[int, ...]) -> list[Call]:
    calls = []
    for full_name, function, required in functions_of_state(PACKAGES):
        name, rng = full_name.rpartition(".")[2], np.random.default_rng(seed)
        if function.__name__ != name:
            continue
        args = arguments(model, required or ["q"], rng, shape)
        fixed = {x: args.pop(x) for x in ("body", "frame", "constraints") if x in args}
        calls.append(Call(name, _with(model, name, **fixed), tuple(map(np.asarray, args.values()))))
    return calls


def _with(model: sv.Model, name: str, **fixed: Any) -> Callable[..., Any]:
    function = public()[name]
    if not fixed:
        return lambda *arrays: function(model, *arrays)
    names = [p for p in inspect.signature(function).parameters if p not in ("model", *fixed)]
    return lambda *arrays: function(model, **dict(zip(names, arrays, strict=False)), **fixed)


def chosen_calls(calls: list[Call]) -> list[Any]:
    """Return calls as parameters; a default run tries those of the functions in `CHOSEN`."""
    made = [pytest.param(call, id=call.name) for call in calls]
    return chosen(made, lambda call: call.name.split(" ")[0] in CHOSEN)


def without_model(seed: int = 5) -> list[Call]:
    """Return calls of the functions without a model; a conversion in both directions is called for
    each.
    """
    calls = [
        Call(name if k == 0 else f"{name} ({k})", BOUND.get(name, f), tuple(map(np.array, arrays)))
        for name, f in public().items()
        if name not in _functions_of_trees() and name not in NO_ARRAYS
        for k, arrays in enumerate(_examples(name, f, seed))
    ]
    rng = np.random.default_rng(seed)
    for code, row in sv.JOINT_TYPES.items():
        jtype = {"code": code, "pars": {"pitch": 3.0}} if code.startswith("H") else code
        q = row.group.random(rng, ())
        calls.append(Call(f"jcalc {code}", lambda q, j=jtype: spatial_v2.jcalc(j, q)[0], (q,)))
    return calls


@functools.cache
def _functions_of_trees() -> set[str]:
    return {c.name for c in of_model(FLOATING)}


def _of_branches(name: str, A: Any, *x: Any) -> Any:
    return getattr(spatial_v2, name)(A, LAMBDA, *x)


LAMBDA = [-1, 0, 1, 1, 0, -1]
FLOATING = spatial_v2.autoTree(2).replace(jtype=["Fb", "R"])
SIX_JOINTS = spatial_v2.floatbase(spatial_v2.autoTree(2))
ELBOW, DISC = spatial_v2.doubleElbow(), spatial_v2.rollingdisc(1)
BOUND: dict[str, Callable[..., Any]] = {
    **{f: functools.partial(_of_branches, f) for f in spatial_v2.sparsity.__all__ if f[0] in "Lm"},
    "FDfb": lambda *arrays: spatial_v2.FDfb(SIX_JOINTS, *arrays),
    "IDfb": lambda *arrays: spatial_v2.IDfb(SIX_JOINTS, *arrays),
    "FDgq": lambda *arrays: spatial_v2.FDgq(ELBOW, *arrays),
    "gcPosVel": lambda *arrays: spatial_v2.gcPosVel(DISC, *arrays),
    "gcFD": lambda *arrays: spatial_v2.gcFD(DISC, spatial_v2.FDfb, *arrays),
    "HD": lambda *arrays: spatial_v2.HD(ELBOW, [1, 0, 1], *arrays),
    "symmetrize": lambda d2, d1: derivatives.symmetrize(d2, d1, FLOATING),
    "transform_coordinates": lambda A, A_dot, M, C, g, tau, Gamma, dA: (
        derivatives.transform_coordinates(A, A_dot, M=M, C=C, g=g, tau=tau, Gamma=Gamma, dA=dA)
    ),
}
"""Public functions, some of whose arguments are fixed because they are no arrays or are
keywords.
"""
WITH_CONSTRAINTS = {
    name for name, f in public().items() if "constraints" in inspect.signature(f).parameters
}
WITH_MODEL = WITH_CONSTRAINTS | {"FDfb", "IDfb", "FDgq", "HD", "gcFD", "gcPosVel"}
"""Functions in `BOUND` whose fixed arguments include a model or constraints."""


def _sparse(rng: np.random.Generator) -> np.ndarray:
    """Return a positive definite matrix whose entries between branches of the tree with parents
    `LAMBDA` are zero.
    """
    L = np.where(spatial_v2.LTL(np.eye(6) + 0.1, LAMBDA) != 0, rng.normal(size=(6, 6)), 0)
    return L.T @ L + 5 * np.eye(6)


def _examples(name: str, f: Any, seed: int) -> list[tuple[np.ndarray, ...]]:
    special, named = _arguments(seed)
    if name in special:
        return special[name]
    named = named | ({"I": named["Ic"]} if name == "inertia_from" else {})
    parameters = inspect.signature(f).parameters.values()
    return [tuple(named[p.name] for p in parameters if p.default is p.empty)]


@functools.cache
def _arguments(seed: int) -> tuple[dict[str, list[tuple[np.ndarray, ...]]], dict[str, np.ndarray]]:
    """Return arguments of some functions, and those of all others by the names of parameters."""
    rng = np.random.default_rng(seed)
    theta, m = np.array(0.7), np.array(1.5)
    v3, r3, c3 = rng.normal(size=(3, 3))
    v6, f6 = rng.normal(size=(2, 6))
    q, Q = rng.normal(size=(2, 4))
    E, E2 = sv.rq(Q), sv.plnr(theta, [0, 0])[1:, 1:]
    X, X3, Ic = sv.plux(E, r3), sv.plnr(theta, r3[:2]), E @ np.diag([0.3, 0.4, 0.5]) @ E.T
    I, I3 = sv.mcI(m, 0.2 * c3, Ic), sv.mcI(m, 0.2 * c3[:2], 0.4)
    a, b = spatial_v2.inertiaMatToVec(I), spatial_v2.inertiaMatToVec(sv.mcI(2 * m, r3, 2 * Ic))
    P = spatial_v2.inertiaVecToPinertia(a)
    H = _sparse(rng)
    U, V = rng.normal(size=(2, 6, 2))
    A, B, C = rng.normal(size=(6, 6, 2)), rng.normal(size=(6, 6)), rng.normal(size=(6, 6))
    ground = 0.1 * C[:, 3:] - [0, 0, 1], 0.1 * B[:, :3], 0.1 * C[:, :2]
    base = rng.normal(size=13), theta[None], m[None], theta[None]
    d1, d2 = rng.normal(size=(7, 7)), rng.normal(size=(7, 7, 7))
    special: dict[str, list[tuple[np.ndarray, ...]]] = {
        "rq": [(q,), (E,)], "rv": [(v3,), (E,)], "skew": [(v3,), (B[:3, :3],)],
        "rqd": [(q, v3), (v3, q)], "crm": [(v6,), (v3,), (sv.crm(v6),)],
        "plux": [(E, r3), (E2, r3[:2]), (X,), (X3,)], "plnr": [(theta, r3[:2]), (X3,)],
        "pluho": [(X,), (sv.pluho(X),)], "mcI": [(m, c3, Ic), (m, c3[:2], theta), (I,), (I3,)],
        "Xpt": [(X, c3), (X3, c3[:2])], "Vpt": [(v6, c3), (v3, c3[:2])],
        "Fpt": [(v3, c3), (v3[:2], c3[:2])], "factorFunctions": [(I, v6), (I3, v3)],
        "individualRegressor": [(v6, f6), (v3, r3)],
        "Output_InnerProduct": [(v6, f6), (np.append(v6, f6), np.append(f6, v6))],
        "inv_skew": [(B[:3, :3],)], "crmExtract": [(B,)], "Tm": [(A, B)], "mT": [(B, A)],
        "mTm": [(B, A, C)], "page": [(B,)], "unpage": [(A[..., :1],)],
        "se3toVec": [(spatial_v2.vecTose3(v6),)], "vee": [(spatial_v2.vecTose3(v6),)],
        "planar_transform_from": [(theta, r3[:2])], "planar_transform_parts": [(X3,)],
        "cross_matrix": [(v3,)], "rotation_vector_to_rotation": [(v3,)],
        "S_ring": [(v3, r3)], "dSm_dq": [(v3, r3)], "dSTf_dq": [(v3, f6)],
        "s_ring_v_deriv": [(v3, r3)], "sphericalZYXSubspace": [(v3,)],
        "inertiaMatToVec": [(I,)], "inertiaMatToPinertia": [(I,)],
        "LTL": [(H,)], "LTDL": [(H,)], "mpyH": [(H, v6)],
        **{f: [(spatial_v2.LTL(H, LAMBDA), v6)] for f in ("mpyL", "mpyLt", "mpyLi", "mpyLit")},
        "symmetrize": [(d2, d1)], "isEqualModSign": [(q, -q)],
        "FDfb": [base], "IDfb": [base], "FDgq": [(v3, r3, c3)], "HD": [(v3, r3, c3, v3)],
        "gcPosVel": [base[:1], (v6, f6)], "gcFD": [(base[0], *np.zeros((3, 0)), U.T)],
        "gcontact": [(np.array(4.0), theta, m, *ground)],
        "fbkin": [(v6, f6, V[:, 0]), (base[0], np.concatenate(base)[:13])],
        "floating_base_state": [(v6, f6, V[:, 0])], "floating_base_joints": [base[:1]],
        "transform_coordinates": [_equation_of_motion(rng)],
        "pose": [(E, r3)], "pose_error": [(sv.pluho(X), sv.pluho(sv.plux(sv.rq(Q), c3)))],
    }  # fmt: skip
    named = {
        "theta": theta, "q": q, "E": E, "r": r3, "wA": v3, "wB": v3, "v": v6, "f": f6, "X": X,
        "T": sv.pluho(X), "m": m, "c": c3, "I": I, "Ic": Ic, "rbi": I,
        "A": A, "U": U, "V": V, "F": U, "u": v6, "xi": v6,
        "R": E, "phi": v3, "rpy": v3, "mrp": v3, "w": r3, "q1": q, "q2": Q, "c1": v3, "c2": r3,
        "m1": v3, "m2": r3, "a": a, "b": b, "p": spatial_v2.inertiaVecToPinocchio(a),
        "J": P, "P": P, "Q": spatial_v2.inertiaVecToPinertia(b),
    }  # fmt: skip
    return special, named


def _equation_of_motion(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Return the arguments A, A_dot, M, C, g, tau, Gamma, dA of `transform_coordinates`, for an
    equation of motion in three coordinates that is transformed to two.
    """
    A, A_dot = rng.normal(size=(2, 3, 2))
    M, C = rng.normal(size=(2, 3, 3))
    g, tau = rng.normal(size=(2, 3))
    return A, A_dot, M, C, g, tau, rng.normal(size=(3, 3, 3)), rng.normal(size=(3, 2, 2))
