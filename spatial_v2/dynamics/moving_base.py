"""Trees on a moving base, and three representations (charts) of the base velocity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from spatial_v2.arrays import Array, column, constant, uncolumn
from spatial_v2.arrays.numbers import is_one_of
from spatial_v2.calls.blocks import fill_up
from spatial_v2.dynamics.robot_frame import motion_inverse
from spatial_v2.exceptions import ModelError, SpatialError
from spatial_v2.model import Model
from spatial_v2.spatial import motion_cross_matrix, transform_from

__all__ = [
    "BaseChart",
    "BaseMotion",
    "Velocity",
    "at_states",
    "base_chart",
    "base_motion",
    "base_pose",
    "base_twist",
    "check_moving_base",
    "check_velocity",
]

Velocity = Literal["inertial", "body", "mixed"]
"""Representation of the base velocity, also called its chart."""

_TURNS = {
    "inertial": np.eye(6),
    "body": np.zeros((6, 6)),
    "mixed": np.diag([1.0, 1.0, 1.0, 0.0, 0.0, 0.0]),
}


class BaseChart(NamedTuple):
    """A representation v of the base velocity at a configuration, such that ``A v`` is the body
    twist.

    If the base moves with body twist u, the rate of A is ``-(P u) x A``. With the body twist
    ``x = A v``, the acceleration of the base in body coordinates is ``A dv/dt - crm(P x) x``.
    """

    A: Array
    """Matrix that maps the velocity v of the chart to the body twist, shape (..., 6, 6)."""
    P: Array
    """Matrix (6, 6) that selects the part of the body twist with which A changes: all of it
    (inertial), its angular part (mixed), or nothing (body).
    """

    def inverse(self) -> Array:
        """Return the inverse of A, which maps the body twist to the velocity in the chart."""
        return motion_inverse(self.A)

    def acceleration(self, x: Array, vd: Array) -> Array:
        """Compute the rate (..., 6) of the body twist x, given `vd`, the rate of the velocity in
        the chart.
        """
        return uncolumn(
            self.A @ column(vd) - motion_cross_matrix(uncolumn(self.P @ column(x))) @ column(x)
        )

    def bend(self, x: Array) -> Array:
        """Compute the derivative (..., 6, 6) of ``crm(P x) x`` with respect to the body twist x."""
        return motion_cross_matrix(uncolumn(self.P @ column(x))) - motion_cross_matrix(x) @ self.P


class BaseMotion(NamedTuple):
    """Twist and acceleration of the base in body coordinates, and their derivatives."""

    v: Array
    """Body twist of the base, shape (..., 6)."""
    a: Array
    """Acceleration of the base: the rate of its body twist, shape (..., 6)."""
    v_H: Array
    """Left-trivialised derivative of v with respect to the pose, shape (..., 6, 6)."""
    a_H: Array | None
    """Left-trivialised derivative of a with respect to the pose; None stands for zero."""
    v_v: Array
    """Derivative of v with respect to the velocity in its chart, shape (..., 6, 6)."""
    a_v: Array | None
    """Derivative of a with respect to the velocity in its chart; None stands for zero."""


def check_moving_base(name: str, model: Model) -> None:
    """Raise an error unless body 0 carries all others and its joint has six degrees of freedom.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> check_moving_base("EIDAmb", autoTree(1))
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.ModelError: EIDAmb: want a moving base: body 0 on the fixed base by ...
    """
    code, roots = model.layout.joints[0].code, np.flatnonzero(model.parent < 0).tolist()
    if model.layout.joints[0].nv != 6 or len(roots) > 1:
        got = f"joint 0 is {code!r}" if len(roots) == 1 else f"bodies {roots} are on it"
        raise ModelError(
            f"{name}: want a moving base: body 0 on the fixed base by a joint 'Fb' or 'SE3', and "
            f"all other bodies on body 0; got a model of which {got}. To let joint 0 float: "
            f"model.replace(jtype=['Fb', *model.jtype[1:]])"
        )


def check_velocity(velocity: object) -> None:
    """Raise an error for an invalid representation of the base velocity.

    Examples
    --------
    >>> check_velocity("body")
    """
    if not is_one_of(velocity, *get_args(Velocity)):
        raise SpatialError(f"velocity: want 'inertial', 'body' or 'mixed', got {velocity!r}")


def base_pose(model: Model, q: Array) -> Array:
    """Return the transform (..., 6, 6) from base coordinates to body 0."""
    return model.layout.joints[0].X_J(q[..., model.qinds[0]]) @ constant(model.Xtree[0], q)


def base_chart(model: Model, q: Array, velocity: Velocity) -> BaseChart:
    """Return the representation of the base velocity at q.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(1).replace(jtype=["Fb"])
    >>> base_chart(model, np.array([1.0, 0, 0, 0, 0, 2, 0]), "inertial").A[3:, :3]
    array([[ 0.,  0., -2.],
           [ 0.,  0.,  0.],
           [ 2.,  0.,  0.]])
    """
    check_velocity(velocity)
    X, P = base_pose(model, q), constant(_TURNS[velocity], q)
    if velocity == "inertial":
        return BaseChart(X, P)
    if velocity == "mixed":
        return BaseChart(transform_from(X[..., :3, :3], 0 * X[..., 0, :3]), P)
    return BaseChart(0 * X + constant(np.eye(6), q), P)


def base_twist(
    model: Model, q: Array, qd: Array, qdd: Array, velocity: Velocity
) -> tuple[BaseChart, Array, Array]:
    """Return the chart, and base twist and acceleration (..., 6) in body coordinates.

    `qd` has the base velocity in the chart. `qdd` has the base acceleration in body coordinates; in
    the mixed chart it is the rate of `qd`.
    """
    chart = base_chart(model, q, velocity)
    v = uncolumn(chart.A @ column(qd[..., :6]))
    return chart, v, chart.acceleration(v, qdd[..., :6]) if velocity == "mixed" else qdd[..., :6]


def base_motion(model: Model, q: Array, qd: Array, qdd: Array, velocity: Velocity) -> BaseMotion:
    """Return twist and acceleration of the base, as `base_twist` does, and their derivatives."""
    chart, v, a = base_twist(model, q, qd, qdd, velocity)
    v_H = motion_cross_matrix(v) @ chart.P
    if velocity != "mixed":
        return BaseMotion(v, a, v_H, None, chart.A, None)
    w = motion_cross_matrix(uncolumn(chart.A @ column(qdd[..., :6])))
    bend = chart.bend(v)
    return BaseMotion(v, a, v_H, w @ chart.P - bend @ v_H, chart.A, -bend @ chart.A)


def at_states(
    function: Callable[..., Any], model: Model, arrays: Sequence[np.ndarray], batched: bool
) -> list[np.ndarray]:
    """Call an accelerated function for a batch, or by the fast path for a single state.

    If states are computed in SIMD batches (`batched`), the last one is padded, so that the rounding
    of a result does not depend on the number of states.
    """
    if len(arrays[0]) == 1 and not batched:
        out = function(model, *(x[0] for x in arrays))
        return [x[None] for x in out] if isinstance(out, tuple) else [out[None]]
    states = len(arrays[0])
    out = function(model, *fill_up(arrays, batched), workers=1)
    return [x[:states] for x in out] if isinstance(out, tuple) else [out[:states]]
