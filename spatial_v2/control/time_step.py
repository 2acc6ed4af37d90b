"""One time step of a motion."""

from __future__ import annotations

from typing import Any, NamedTuple, Unpack

from spatial_v2.arrays import Array
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.control.accelerations import Accelerations
from spatial_v2.control.methods import EulerStep, RK4Step
from spatial_v2.control.options import Dynamics, Method, check_method, check_step
from spatial_v2.model import Model

__all__ = ["TimeStep", "time_step"]


@shown_in_notebooks
class TimeStep(NamedTuple):
    """The state after a step."""

    q: Array
    """Joint positions, shape (..., NQ)."""
    qd: Array
    """Joint velocities, shape (..., NV)."""


def time_step(
    model: Model,
    q: Array,
    qd: Array,
    tau: Array,
    h: Array,
    method: Method = "semi_implicit_euler",
    **dynamics: Unpack[Dynamics],
) -> TimeStep:
    """Compute the state after one time step h, with constant joint forces.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models, geared rotors and every joint type too.
    q, qd, tau : array, shapes (..., NQ), (..., NV), (..., NV)
        State and joint forces [rad or m, per second, N m or N].
    h : array, shape (...)
        Time step [s], a number or one for each state.
    method : {"semi_implicit_euler", "rk4"}, optional
        The first-order method that is common in optimal control and physics engines, or a
        Runge-Kutta method of order four.
    **dynamics : Dynamics
        Options ``constraints``, ``baumgarte`` and ``damping`` of `KKT_FD`, ``f_ext`` and ``frame``
        of `ID`. External forces are constant during the step.

    Returns
    -------
    q, qd : array, shapes (..., NQ), (..., NV)
        Named tuple. Quaternions keep unit length: they need not be normalised.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        An unknown method; a time step that is NaN or infinite.
    TypeError
        An unknown option of the dynamics.

    Notes
    -----
    With ``qdd = a(q, qd, tau)`` semi-implicit Euler is ``qd' = qd + h a``, ``q' = q (+) h qd'``.
    The Runge-Kutta method is that of Munthe-Kaas, "High order Runge-Kutta methods on manifolds"
    (1999): the classical method applied to the displacement x from q, with ``dx/dt = K(x) qd`` and
    ``dqd/dt = a(q (+) x, qd, tau)``. ``K(x) qd = qd + [x, qd] / 2 + [x, [x, qd]] / 12`` is the
    series of the inverse right Jacobian of the exponential map, up to the terms that order four
    needs.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2).replace(jtype=["Fb", "Rz"])
    >>> q, qd = time_step(model, [1, 0, 0, 0, 0, 0, 0, 0], [0] * 7, [0] * 7, 0.1)
    >>> q[6:7], qd[5:6]
    (array([-0.0981]), array([-0.981]))
    """
    return TimeStep(*make_step(model, q, qd, tau, h, method, dynamics)[0].values())


def make_step(
    model: Model, q: Any, qd: Any, tau: Any, h: Any, method: str, dynamics: Dynamics, **more: Any
) -> tuple[EulerStep | RK4Step, tuple[Array, ...]]:
    """Check all arguments; return the time step, and further vectors (..., NV) broadcast to its
    leading axes.
    """
    check_method(method)
    q, qd, tau, h, others = check_step(model, q, qd, tau, h, **more)
    kind = EulerStep if method == "semi_implicit_euler" else RK4Step
    return kind(model, Accelerations(model, **dynamics), q, qd, tau, h), others
