"""A robot like that of paper 003, Fig. 4, whose lengths and masses the paper does not give."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2 import Model, mcI, plux, rq

__all__ = ["moving_robot", "perturbed"]

PARENT = [-1, 0, 1, 0, 3, 3, 5]
JOINTS: list[str | dict[str, Any]] = [
    "Fb",
    "Rx",
    "Pz",
    "Ry",
    {"code": "H", "pars": {"pitch": 0.3}},
    "Rz",
    "Px",
]


def moving_robot(seed: int = 0) -> Model:
    """Make a moving base with two branches of revolute, prismatic and helical joints."""
    rng = np.random.default_rng(seed)
    n = len(PARENT)
    transforms = [plux(rq(rng.normal(size=4)), rng.normal(0, 0.4, 3)) for _ in range(n)]
    inertias = []
    for _ in range(n):
        m, r = rng.uniform(0.2, 1.0, 5), rng.normal(0, 0.3, (5, 3))
        c = m @ r / m.sum()
        second = np.einsum("k,ki,kj->ij", m, r - c, r - c)
        inertias.append(mcI(m.sum(), c, np.trace(second) * np.eye(3) - second))
    return Model(
        name="moving robot",
        parent=PARENT,
        jtype=JOINTS,
        Xtree=[np.eye(6), *transforms[1:]],
        I=inertias,
    )


def perturbed(model: Model, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a state with all joints at 0.3 m or rad, as in Fig. 4 (b); pose, velocities and
    accelerations are random.
    """
    rng = np.random.default_rng(seed)
    turn = rng.normal(size=4)
    q = np.concatenate(
        [turn / np.sqrt(turn @ turn), rng.normal(size=3), np.full(model.NB - 1, 0.3)]
    )
    qd, qdd = rng.normal(size=(2, model.NV))
    return q, qd, qdd
