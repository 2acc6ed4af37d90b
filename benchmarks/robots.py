"""The models that benchmarks use, by name, and random states of them."""

from __future__ import annotations

import os
import re
import warnings
from pathlib import Path

import numpy as np

from spatial_v2 import InertiaWarning, LoaderWarning, Model, load_model, random_configuration
from spatial_v2.models import autoTree
from spatial_v2.spatial import rotz

__all__ = ["ATLAS", "ROBOTS", "legged", "loaded", "robot", "states", "there"]

ROBOTS = {
    "ur3": False, "ur5": False, "panda": False, "baxter": False,
    "hyq": True, "anymal": True, "g1": True, "talos": True,
}  # fmt: skip
"""Robots of the package example-robot-data: True for a floating base."""
ATLAS = "SPATIAL_V2_ATLAS"
"""Environment variable with the path of a URDF file of ATLAS, which no package has."""
LEGS = {"biped": 2, "quadruped": 4}
BRANCHING = {"chain": 1, "tree": 2, "bush": 5}
SKEW, TAPER = 1.0, 0.95


def robot(name: str) -> Model:
    """Return a robot by its name, or a generated tree: ``chain36``, ``tree100``, ``biped20``.

    Every body of a ``chain``, ``tree`` or ``bush`` has 1, 2 or 5 children; the number counts
    bodies. ``biped`` and ``quadruped`` have a floating body with two or four legs; the number
    counts the joints of all legs.
    """
    if name in ROBOTS:
        return loaded(name, ROBOTS[name])
    if name == "atlas" and there(name):
        return load_model(os.environ[ATLAS], floating_base=True, couplings="free")
    found = re.fullmatch(r"([a-z]+)(\d+)", name)
    if not found or found[1] not in BRANCHING | LEGS:
        raise ValueError(f"no robot {name!r}; there are {', '.join([*ROBOTS, *BRANCHING, *LEGS])}")
    family, number = found[1], int(found[2])
    return legged(LEGS[family], number) if family in LEGS else tree(family, number)


def loaded(name: str, floating: bool) -> Model:
    """Return a robot of example-robot-data, all joints free, without warnings about its file."""
    with warnings.catch_warnings():
        for kind in (InertiaWarning, LoaderWarning):
            warnings.simplefilter("ignore", kind)
        return load_model(name, floating_base=floating, couplings="free")


def there(name: str) -> bool:
    """Return False for ATLAS if its file is missing, so that studies leave it out; True for other
    robots.
    """
    return name != "atlas" or Path(os.environ.get(ATLAS, "")).is_file()


def tree(family: str, number: int) -> Model:
    """Return an `autoTree` whose bodies are numbered depth first.

    Pinocchio's algorithms assume that the bodies of a subtree have consecutive numbers; with bodies
    numbered breadth first, as by `autoTree`, their results are silently wrong.
    """
    model = autoTree(number, BRANCHING[family], SKEW, TAPER)
    order, waiting = [], [0]
    while waiting:
        order.append(waiting.pop())
        waiting += reversed(np.flatnonzero(model.parent == order[-1]).tolist())
    new = {old: i for i, old in enumerate(order)} | {-1: -1}
    parent = [new[int(model.parent[old])] for old in order]
    return Model(parent=parent, jtype=["R"] * number, Xtree=model.Xtree[order], I=model.I[order])


def legged(legs: int, joints: int) -> Model:
    """Return a floating body with equal legs, which are chains of revolute joints.

    `joints` is the number of joints of all legs.
    """
    length, rest = divmod(joints, legs)
    if rest or not length:
        raise ValueError(f"want a multiple of {legs} joints for {legs} legs, got {joints}")
    chain = autoTree(length + 1, 1, SKEW, TAPER)
    parent, Xtree, I = [-1], [np.eye(6)], [chain.I[0]]
    for leg in range(legs):
        first = len(parent)
        parent += [0, *range(first, first + length - 1)]
        Xtree += [chain.Xtree[1] @ rotz(2 * np.pi * leg / legs), *chain.Xtree[2:]]
        I += list(chain.I[1:])
    jtype = ["Fb", *["R"] * joints]
    return Model(parent=parent, jtype=jtype, Xtree=np.stack(Xtree), I=np.stack(I))


def states(model: Model, count: int, seed: int = 0) -> dict[str, np.ndarray]:
    """Return random q, velocities v, accelerations or forces x, and weights l, by these letters.

    The shape of each is (count, NQ) or (count, NV).
    """
    rng = np.random.default_rng([seed, model.NV])
    q = random_configuration(model, rng, (count,))
    v, x, weights = rng.normal(size=(3, count, model.NV))
    return {"q": q, "v": v, "x": x, "l": weights}
