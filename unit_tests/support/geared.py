"""Trees whose joints have geared rotors, in every place and of every kind."""

from collections.abc import Callable
from typing import Any

import numpy as np
import zoo

from spatial_v2 import Model


def geared(
    parent: list[int],
    jtype: list[Any],
    rotors: dict[int, tuple[Any, float]],
    *,
    planar: bool = False,
) -> Model:
    """Make a tree of random bodies, some of which have rotors.

    ``rotors[i]`` is a pair, joint type and gear ratio, for the rotor of joint i.
    """
    rng = np.random.default_rng(len(parent) + 10 * len(rotors))
    n, d = len(parent), 3 if planar else 6
    types, ratios = zip(
        *(rotors.get(i, ("r" if planar else "Rz", 1.0)) for i in range(n)), strict=True
    )
    return Model(
        parent=parent,
        jtype=jtype,
        Xtree=[zoo.random_transform(rng, d) for _ in range(n)],
        I=[zoo.random_inertia(rng, d) for _ in range(n)],
        gravity=[1.0, -9.0] if planar else [2.0, -3.0, -9.0],
        has_rotor=[i in rotors for i in range(n)],
        jtype_rotor=types,
        Xrotor=[zoo.random_transform(rng, d) for _ in range(n)],
        I_rotor=[0.2 * zoo.random_inertia(rng, d) for _ in range(n)],
        gr=ratios,
    )


TREE = [-1, 0, 0, 2, 1, 2]
GEARED: dict[str, Callable[[], Model]] = {
    "one body": lambda: geared([-1], ["Rz"], {0: ("Rx", 9.0)}),
    "one rotor at the root": lambda: geared([-1, 0, 1], ["Rx", "Ry", "Rz"], {0: ("Ry", 7.0)}),
    "one rotor at the tip": lambda: geared([-1, 0, 1], ["Rx", "Py", "Rz"], {2: ("Rz", 50.0)}),
    "all joints": lambda: geared(
        [-1, 0, 1, 1],
        ["Rz", "Ry", "Px", "Rx"],
        {
            i: (t, g)
            for i, (t, g) in enumerate([("Rx", 6.0), ("Ry", 2.5), ("Rz", 30.0), ("R", 1.0)])
        },
    ),
    "negative and zero ratios": lambda: geared(
        [-1, 0, 1, 1],
        ["Rz", "Ry-", "Px", "Rx"],
        {0: ("Rx", -6.0), 1: ("Ry", 0.0), 2: ("Rz-", -3.0), 3: ("Rx", 4.0)},
    ),
    "floating tree": lambda: geared(
        TREE,
        ["Fb", "Rx", "Ry", "Rz", "Px", "Rx-"],
        {1: ("Rx", 5.0), 2: ("Rz", -8.0), 3: ("Ry", 3.0), 5: ("Rx", 12.0)},
    ),
    "SE3 and spherical joints between": lambda: geared(
        TREE,
        ["SE3", "S", "Rx", "Ry", "SO3", "Rz"],
        {2: ("Ry", 5.0), 3: ("Rz", 4.0), 5: ("Rx", 3.0)},
    ),
    "rotors that slide and screw": lambda: geared(
        [-1, 0, 1, 0],
        ["Rx", zoo.SCREW, "Pz", "Ry"],
        {0: ("Px", 0.5), 1: (zoo.LEFT_SCREW, 3.0), 2: (zoo.SCREW, -2.0), 3: ("P-", 0.3)},
    ),
    "planar": lambda: geared(
        [-1, 0, 0], ["r", "px", "r-"], {0: ("r", 4.0), 1: ("r", -3.0), 2: ("py", 2.0)}, planar=True
    ),
}
