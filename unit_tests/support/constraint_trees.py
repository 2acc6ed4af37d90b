"""Trees that several tests of constraints use, and sets of constraints on them."""

from typing import Any

import numpy as np
import zoo

import spatial_v2 as sv

R1, R2, R3 = [0.2, -0.1, 0.3], [0.1, 0.2, -0.2], [-0.3, 0.1, 0.2]


def tree_of_14(*, depth_first: bool = False) -> sv.Model:
    """Make a branched tree with a floating base, 14 degrees of freedom and tilted gravity.

    Its subtrees have contiguous numbers if it is numbered depth first.
    """
    parent = [-1, 0, 1, 0, 3, 1, 4]
    jtype: list[Any] = ["Fb", "Rx", "Ry", "S", "Px", "Rz", zoo.SCREW]
    rng = np.random.default_rng(14)
    Xtree = [zoo.random_transform(rng) for _ in parent]
    I = [zoo.random_inertia(rng) for _ in parent]
    order = [0, 1, 2, 5, 3, 4, 6] if depth_first else list(range(7))
    number = {-1: -1} | {i: k for k, i in enumerate(order)}
    return sv.Model(
        parent=[number[parent[i]] for i in order],
        jtype=[jtype[i] for i in order],
        Xtree=[Xtree[i] for i in order],
        I=[I[i] for i in order],
        gravity=zoo.TILTED,
        name="tree of 14",
    )


def sets_of_14() -> dict[str, list[Any]]:
    """Return sets of independent constraints on the tree of `tree_of_14`."""
    point, base = sv.PointConstraint(2, R1), sv.PointConstraint(0, R3)
    X5, X6 = sv.rotx(0.3) @ sv.xlt(R1), sv.roty(0.2) @ sv.xlt(R2)
    return {
        "point and loop": [point, sv.PointConstraint(6, R2, 5, R1)],
        "point and hinge": [point, sv.hinge_loop(6, X6, 5, X5)],
        "weld and base": [sv.weld(6, X6), base],
    }


def three_points(body: int) -> list[Any]:
    """Return three point constraints on one body: nine rows of rank six."""
    return [sv.PointConstraint(body, r) for r in (R1, R2, R3)]


def cart_pendulum() -> tuple[sv.Model, sv.Model, sv.FrameConstraint]:
    """Make a pendulum on a cart, once with four coordinates x, z, turn, angle, and once with two: x
    and the angle.

    In the first model the cart, of one kilogram, is carried by two massless bodies, and a
    constraint keeps it level.
    """
    rod = sv.mcI(0.5, [0.0, 0.0, -0.7], np.diag([0.02, 0.02, 0.003]))
    cart, none = sv.mcI(1.0, np.zeros(3), 0.1 * np.eye(3)), np.zeros((6, 6))
    four = sv.Model(
        parent=[-1, 0, 1, 2],
        jtype=["Px", "Pz", "Ry", "Ry"],
        Xtree=[np.eye(6)] * 4,
        I=[none, none, cart, rod],
    )
    two = sv.Model(parent=[-1, 0], jtype=["Px", "Ry"], Xtree=[np.eye(6)] * 2, I=[cart, rod])
    level = sv.FrameConstraint(2, rows=np.eye(6)[:, [1, 5]])
    return four, two, level
