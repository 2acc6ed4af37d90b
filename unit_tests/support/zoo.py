"""Small models of every kind, with physically consistent inertias, and states for them.

``build(name)`` makes a model of `NAMES` (or of its parts `SPATIAL`, `PLANAR`, `ROTORS`);
``states(model, rng, shape)`` draws states; ``near_singular(model)`` has the configurations at which
formulas for rotations are singular: identities, tiny angles and half turns.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from parameters import chosen

import spatial_v2 as sv
from spatial_v2.models import autoTree, floatbase

SCREW = {"code": "H", "pars": {"pitch": 0.3}}
LEFT_SCREW = {"code": "H-", "pars": {"pitch": 0.2}}
TILTED = [1.5, -2.0, -9.3]

TREES: dict[str, tuple[list[int], list[Any]]] = {
    "one_R": ([-1], ["Rx"]),
    "one_P": ([-1], ["Py"]),
    "one_H": ([-1], [SCREW]),
    "one_S": ([-1], ["S"]),
    "one_SO3": ([-1], ["SO3"]),
    "one_Fb": ([-1], ["Fb"]),
    "one_SE3": ([-1], ["SE3"]),
    "chain": ([-1, 0, 1, 2], ["Rx", "Ry", "Rz", "R"]),
    "prismatic": ([-1, 0, 1, 2, 3], ["Px", "Py", "Rx", "Pz", "P"]),
    "negative": ([-1, 0, 1, 1, 3, 3], ["Rx-", "Py-", "Rz-", "P-", "R-", LEFT_SCREW]),
    "helical": ([-1, 0, 1, 1], [SCREW, "Rx", LEFT_SCREW, SCREW]),
    "branched": ([-1, 0, 1, 1, 2, 3, 3], ["R", "Ry", "Rx", "Pz", "Ry", "Rz", "Rx"]),
    "forest": ([-1, 0, -1, 2, 2, -1], ["Rz", "Px", "S", "Rx-", "Ry", SCREW]),
    "spherical": ([-1, 0, 1, 1], ["Ry", "S", "S", "Rx"]),
    "SO3": ([-1, 0, 1], ["SO3", "Rx", "SO3"]),
    "floating": ([-1, 0, 1, 0, 3], ["Fb", "Rx", "Ry", "Rz", "Px"]),
    "SE3": ([-1, 0, 0, 2], ["SE3", "Ry", "S", "Rz"]),
    "mixed": ([-1, 0, 0, 1, 1, 3], ["Fb", SCREW, "S", "Px", "Ry-", "SO3"]),
    "two_floating": ([-1, 0, 1, -1], ["Fb", "Rx", "Fb", "SE3"]),
    "planar_chain": ([-1, 0, 1], ["r", "r", "r"]),
    "planar_tree": ([-1, 0, 0, 1, 2, 2], ["r", "px", "r-", "py", "px-", "py-"]),
    "rotors": ([-1, 0, 1, 1], ["Rz", "Ry", "Pz", "Rx"]),
    "floating_rotors": ([-1, 0, 1, 1, 0], ["Fb", "Rx", "Rz", "S", "Ry"]),
    "one_rotor": ([-1, 0, 1], ["Rz", "Ry", "Rx"]),
}
PLANAR = [name for name in TREES if name.startswith("planar")]
ROTORS = [name for name in TREES if "rotor" in name]
SPATIAL = [name for name in TREES if name not in (*PLANAR, *ROTORS)] + ["massless"]
NAMES = [*SPATIAL, *PLANAR, *ROTORS]
CHOSEN = {"mixed", "SE3", "negative", "planar_tree", "floating_rotors"}
"""Models of a default run: joints of every kind, branches, fixed and moving bases, the plane,
rotors.
"""


def over(cases: Iterable[Any]) -> list[Any]:
    """Return cases, which are names of models or begin with one, as parameters of a test: a default
    run tries the models in `CHOSEN`, or, if none is there, the first three.
    """
    cases = list(cases)
    names = [x[0] if isinstance(x, tuple) else getattr(x, "values", [x])[0] for x in cases]
    few = CHOSEN.intersection(names) or {*names[:3]}
    return chosen(cases, few.__contains__)


MODELS = over(NAMES)
ROBOT_FILES = {
    "double_pendulum_continuous",
    "panda",
    "quadrotor_base",
    "solo12",
    "tiago",
    "ur5_robot",
}
"""Names of files of robots that a default run reads."""


class State(NamedTuple):
    """A state, or a batch of states, with joint and external forces."""

    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    f_ext: np.ndarray


def build(name: str) -> sv.Model:
    """Make the model with a name, with the same numbers at every call."""
    if name == "massless":
        return floatbase(autoTree(3, 1, 0.5, 0.9).replace(name="massless"))
    rng = np.random.default_rng(list(name.encode()))
    parent, jtype = TREES[name]
    n, d = len(parent), 3 if name in PLANAR else 6
    return sv.Model(
        name=name,
        parent=parent,
        jtype=jtype,
        Xtree=[random_transform(rng, d) for _ in range(n)],
        I=[random_inertia(rng, d) for _ in range(n)],
        gravity=TILTED[:2] if d == 3 else TILTED if n % 2 else None,
        **(_rotors(rng, jtype, name) if name in ROTORS else {}),
    )


def random_transform(rng: np.random.Generator, d: int = 6) -> np.ndarray:
    """Draw the transform to a frame about half a metre from the origin, with a random rotation."""
    if d == 3:
        return np.asarray(sv.plnr(rng.uniform(-3, 3), rng.normal(0, 0.4, 2)))
    return np.asarray(sv.plux(sv.rq(rng.normal(size=4)), rng.normal(0, 0.4, 3)))


def random_inertia(rng: np.random.Generator, d: int = 6) -> np.ndarray:
    """Draw the inertia of five random point masses, which is physically consistent."""
    n = d // 3 + 1
    m, r = rng.uniform(0.1, 1.0, 5), rng.normal(0, 0.3, (5, n))
    c = m @ r / m.sum()
    second = np.einsum("k,ki,kj->ij", m, r - c, r - c)
    Ic = np.trace(second) * np.eye(n) - second if n == 3 else np.trace(second)
    return np.asarray(sv.mcI(m.sum(), c, Ic))


def _rotors(rng: np.random.Generator, jtype: Sequence[Any], name: str) -> dict[str, Any]:
    n = len(jtype)
    has = [j not in ("Fb", "S") for j in jtype]
    if name == "one_rotor":
        has = [False, True, False]
    return {
        "has_rotor": has,
        "jtype_rotor": ["Rx" if i % 2 else "Rz" for i in range(n)],
        "Xrotor": [random_transform(rng) for _ in range(n)],
        "I_rotor": [0.1 * random_inertia(rng) for _ in range(n)],
        "gr": [5.0 - 2 * i for i in range(n)],
    }


def states(model: sv.Model, rng: np.random.Generator, shape: tuple[int, ...] = ()) -> State:
    """Draw random states of order one."""
    qd, qdd, tau = (rng.normal(size=(*shape, model.NV)) for _ in range(3))
    f_ext = rng.normal(size=(*shape, model.NB, len(model.I[0])))
    return State(sv.random_configuration(model, rng, shape), qd, qdd, tau, f_ext)


def near_singular(model: sv.Model) -> np.ndarray:
    """Return configurations (K, NQ): all joints rotated by 0, nearly 0, nearly pi, and pi about
    four axes.
    """
    angles = [0.0, 1e-160, 1e-9, 1e-4, np.pi - 1e-4, np.pi - 1e-9, np.pi]
    axes = [*np.eye(3), np.array([1.0, 2.0, 3.0]) / np.sqrt(14)]
    steps = []
    for angle in angles:
        for axis in axes:
            turn = {1: [angle], 3: angle * axis, 6: [*(angle * axis), 0.1, -0.2, 0.3]}
            steps.append(np.concatenate([turn[n] for n in model.nv]))
    return np.asarray(sv.configurationAddition(model, sv.neutral(model), np.array(steps)))
