"""Models of paper 001, which gives no masses and lengths; here they are 1 kg, 1 m and 1 kg m^2."""

from __future__ import annotations

import numpy as np

from spatial_v2 import ConstraintSet, FrameConstraint, Model, PointConstraint, autoTree, mcI

__all__ = ["FREE", "cart_pendulum", "constrained_cart_pendulum", "multipendulum"]

FREE = np.array([0, 3])
"""Velocity variables of x and theta in the constrained model."""


def bodies() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the inertias of the cart and of the pendulum, a rod, and the transform to
    its hinge.
    """
    rod = mcI(1.0, [0.0, 0.0, -0.5], np.diag([1.0, 1.0, 0.0]) / 12)
    return mcI(1.0, [0.0, 0.0, 0.0], np.eye(3)), rod, np.eye(6)


def cart_pendulum() -> Model:
    """Make the model with two degrees of freedom: the cart moves along x, the pendulum about y."""
    cart, rod, hinge = bodies()
    return Model(parent=[-1, 0], jtype=["Px", "Ry"], Xtree=[np.eye(6), hinge], I=[cart, rod])


def constrained_cart_pendulum() -> tuple[Model, ConstraintSet]:
    """Make the model with four degrees of freedom and two constraints: the cart neither rotates nor
    rises.
    """
    cart, rod, hinge = bodies()
    none, one = np.zeros((6, 6)), np.eye(6)
    model = Model(
        parent=[-1, 0, 1, 2],
        jtype=["Px", "Pz", "Ry", "Ry"],
        Xtree=[one, one, one, hinge],
        I=[none, none, cart, rod],
    )
    return model, ConstraintSet(model, [FrameConstraint(2, rows=[1, 5], axes="body1")])


def multipendulum(links: int = 10) -> tuple[Model, ConstraintSet]:
    """Make a planar pendulum with the given number of links, whose tip is held by two constraint
    rows.
    """
    model = autoTree(links).replace(gravity=[0.0, -9.81, 0.0])
    tip = PointConstraint(links - 1, [1.0, 0.0, 0.0], directions=np.eye(3)[:2])
    return model, ConstraintSet(model, [tip])
