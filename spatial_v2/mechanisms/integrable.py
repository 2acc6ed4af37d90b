"""Rows that close a loop: those that are velocities of conditions on the configuration."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from derivatives.StructureConstants import StructureConstants
from spatial_v2.configuration import configurationAddition, random_configuration
from spatial_v2.constraints import ConstraintSet, FrameConstraint
from spatial_v2.exceptions import InertiaWarning, ModelError
from spatial_v2.model import Model

__all__ = ["check_closure"]

_FREE = ["Px", "Py", "Pz", "S"]
_PLANE = ["px", "py", "r"]
LARGEST = 1e-9
"""Size up to which numbers of the test are rounding errors."""


def check_closure(constraint: FrameConstraint, fixed: bool, planar: bool, name: str) -> None:
    """Raise an error unless the rows of a frame constraint are velocities of a condition.

    Two free bodies are closed at two configurations. The motions N that the rows allow must keep
    the condition, and so must motions along their brackets.
    """
    model, one, two = _bodies(fixed, planar)
    rows = ConstraintSet(model, [_between(constraint, one, two)])
    rng, c = np.random.default_rng(0), StructureConstants(model)
    for _ in range(2):
        q = _closed(model, rows, rng)
        x = rows.rows_at_rest(model, q)
        J, e_q, J_q = np.asarray(x.G), np.asarray(x.e_q), np.asarray(x.G_q)
        s, V = np.linalg.svd(J)[1:]
        N = V[int((s > 1e-10 * s[0]).sum()) :].T
        bent = np.einsum("ckl,ka,lb->cab", J_q, N, N)
        bracket = bent - bent.swapaxes(1, 2) - np.einsum("ci,ikl,kb,la->cab", J, c, N, N)
        if max(np.abs(e_q @ N).max(initial=0), np.abs(bracket).max(initial=0)) > LARGEST:
            raise ModelError(
                f"{name}.rows: these rows in axes={constraint.axes!r} restrict velocities, and are "
                "no closure of a loop. In axes of a body these are: all rows (weld); 0, 1, 3, 4, 5 "
                "(hinge); 0-4 (slider); 0, 1, 3, 4 (cylinder); 0, 1, 5 (plane); 0, 1, 2 with any "
                "linear rows; 3, 4, 5 (ball). For a universal joint write a PointConstraint and a "
                "DistanceConstraint between points of its two axes; for a point on a line, a "
                "massless body on a prismatic joint"
            )


def _between(constraint: FrameConstraint, one: int, two: int) -> FrameConstraint:
    c = constraint
    return FrameConstraint(two, c.frame2, one, c.frame1, rows=c.rows, axes=c.axes, error=c.error)


def _bodies(fixed: bool, planar: bool) -> tuple[Model, int, int]:
    """Return a model of one or two free bodies, and their numbers (-1: the base)."""
    joints, size = (_PLANE, 3) if planar else (_FREE, 6)
    n, bodies = len(joints), 1 if fixed else 2
    parent = [-1 if k == 0 else n * b + k - 1 for b in range(bodies) for k in range(n)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InertiaWarning)
        model = Model(
            parent=parent,
            jtype=joints * bodies,
            Xtree=[np.eye(size)] * (n * bodies),
            I=[np.zeros((size, size))] * (n * bodies),
        )
    return model, -1 if fixed else n - 1, n * bodies - 1


def _closed(model: Model, rows: ConstraintSet, rng: np.random.Generator) -> np.ndarray:
    """Return a random configuration at which the rows hold."""
    for _ in range(20):
        q: Any = random_configuration(model, rng)
        for _ in range(30):
            x = rows.rows_at_rest(model, q)
            if np.abs(x.e).max() < 1e-13:
                return np.asarray(q)
            step = np.linalg.lstsq(np.asarray(x.e_q), np.asarray(x.e)[:, 0], rcond=1e-8)[0]
            q = configurationAddition(model, q, -step)
    raise ModelError("constraints: no configuration of two free bodies satisfies the rows")
