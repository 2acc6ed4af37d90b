"""Models for which functions of the MATLAB library are called."""

from typing import Any

import numpy as np
import zoo

import spatial_v2 as sv
from spatial_v2 import Model

RNG = np.random.default_rng(18)


def _codes() -> Model:
    """Make a tree with joint codes that only MATLAB's extended library has, and with a helical
    joint.
    """
    model = zoo.build("chain")
    return model.replace(jtype=["Rx-", "Py-", zoo.SCREW, "Rz-"])


def _legs() -> Model:
    """Make a floating base at the origin, with legs on spherical joints."""
    model = zoo.build("spherical")
    X = np.concatenate([np.eye(6)[None], model.Xtree[1:]])
    return model.replace(jtype=["Fb", *model.jtype[1:]], Xtree=X)


TREES = {
    **{name: zoo.build(name) for name in ("branched", "prismatic", "spherical", "floating")},
    **{name: zoo.build(name) for name in ("SE3", "SO3", "one_Fb")},
    "codes": _codes(),
    "legs": _legs(),
}
GEARED = {name: zoo.build(name) for name in ("rotors", "floating_rotors")}
PLANAR = {"planar_chain": zoo.build("planar_chain"), "planar_arm": sv.planar(3)}
DISC = sv.rollingdisc(4)
BASES = {"onbase": sv.floatbase(sv.autoTree(3, 1, 0.3)), "disc": DISC, "box": sv.singlebody()}
ARMS = {
    "puma": sv.Puma560_model().replace(has_rotor=None),
    "scara": sv.Scara_model().replace(has_rotor=None),
    "tree": sv.autoTree(4, 1.5, 0.7),
}
MOTORS = {"puma_motors": sv.Puma560_model(), "scara_motors": sv.Scara_model()}
MODELS = TREES | GEARED | PLANAR | BASES | ARMS | MOTORS
"""The models, by the names used in calls."""


def vectors(n: int, count: int = 3) -> list[np.ndarray]:
    return [RNG.normal(size=n) for _ in range(count)]


def forces(model: Model) -> list[Any]:
    """Draw a force on each body; the second body has none, which is an empty array in MATLAB."""
    d = len(model.I[0])
    return [RNG.normal(size=d) if i != 1 else np.zeros((0, 0)) for i in range(model.NB)]
