"""Semi-implicit Euler and Runge-Kutta on the configuration space, with their derivatives.

The variables of a step are z = [q, qd, tau, h], 3 NV + 1 entries in all, with h the time step.
``y_z`` is the Jacobian of an intermediate result y with respect to z. Weighted second derivatives
are computed by reverse accumulation: from the result back to z.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np

from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.configuration import (
    configurationAddition,
    configurationAddition_derivatives,
    modConfigurationAddition_second_derivatives,
)
from spatial_v2.configuration.by_joint import matrix_by_joint
from spatial_v2.control.accelerations import Accelerations
from spatial_v2.joints.tangent import bracket, bracket_form
from spatial_v2.model import Model

__all__ = ["EulerStep", "RK4Step"]


class _Step:
    """One time step of length h (..., 1) from positions q (..., NQ) and velocities v (..., NV) with
    joint forces tau (..., NV).
    """

    def __init__(
        self, model: Model, a: Accelerations, q: Array, v: Array, tau: Array, h: Array
    ) -> None:
        self.model, self.a = model, a
        self.q, self.v, self.tau, self.h = q, v, tau, h
        n = model.NV
        one = np.eye(3 * n + 1)
        self.by_q, self.by_v, self.by_tau, self.by_h, self.by_state = (
            constant(x, q) for x in (one[:n], one[n : 2 * n], one[2 * n : -1], one[-1:], one[:-1])
        )
        self.T = namespace(q, v, tau, h).matrix_transpose

    def times_h(self, y: Array, y_z: Array) -> Array:
        """Compute the Jacobian of the product ``h y`` from that of y, with h the time step."""
        return column(self.h) * y_z + column(y) * self.by_h

    def bend_of_h(self, p: Array, y_z: Array) -> Array:
        """Compute the second derivatives of ``p . h y``, with h the time step, without the part
        that comes from second derivatives of y.
        """
        row = p[..., None, :] @ y_z
        half = self.T(self.by_h) * row
        return half + self.T(half)

    def add(self, x: Array) -> Array:
        """Compute ``q (+) x``, the configuration displaced by x."""
        return configurationAddition(self.model, self.q, x)

    def add_rows(self, x: Array, x_z: Array) -> Array:
        """Compute the Jacobian of the configuration ``q (+) x`` from the Jacobian `x_z` of x."""
        X, J = configurationAddition_derivatives(self.model, self.q, x)
        return X @ self.by_q + J @ x_z

    def add_bend(self, x: Array, x_z: Array, p: Array) -> tuple[Array, Array]:
        """Compute the second derivatives of ``p . (q (+) x)``, without the part that comes from
        second derivatives of x, and the costate of x.
        """
        cross, twice = modConfigurationAddition_second_derivatives(self.model, self.q, x, p)
        J = configurationAddition_derivatives(self.model, self.q, x).dnew_ddq
        return (self.T(self.by_q) @ cross + self.T(x_z) @ twice) @ x_z, times(self.T(J), p)


def times(A: Array, x: Array) -> Array:
    """Multiply matrices by vectors."""
    return uncolumn(A @ column(x))


class EulerStep(_Step):
    """Step of semi-implicit Euler, ``v' = v + h a(q, v, tau)`` and ``q' = q (+) h v'``, with a the
    accelerations and h the time step.
    """

    @cached_property
    def _values(self) -> tuple[Array, Array]:
        acceleration = self.a(self.q, self.v, self.tau)
        return acceleration, self.v + self.h * acceleration

    @cached_property
    def _rows(self) -> tuple[Array, Array, Array]:
        acceleration, v1 = self._values
        a_z = self.a.jacobian(self.q, self.v, self.tau) @ self.by_state
        v1_z = self.by_v + self.times_h(acceleration, a_z)
        return a_z, v1_z, self.times_h(v1, v1_z)

    def values(self) -> tuple[Array, Array]:
        """Compute the next state."""
        _, v1 = self._values
        return self.add(self.h * v1), v1

    def jacobian(self) -> tuple[Array, Array]:
        """Compute the Jacobians of the next positions q' and velocities v', each (..., NV, 3 NV +
        1).
        """
        (_, v1), (_, v1_z, x_z) = self._values, self._rows
        return self.add_rows(self.h * v1, x_z), v1_z

    def hessian(self, p_q: Array, p_v: Array) -> Array:
        """Compute the ordered second derivatives of ``p_q . q' + p_v . v'``, the next positions and
        velocities weighted by costates p_q and p_v.
        """
        (_, v1), (a_z, v1_z, x_z) = self._values, self._rows
        bend, p_x = self.add_bend(self.h * v1, x_z, p_q)
        p_v1 = p_v + self.h * p_x
        bend = bend + self.bend_of_h(p_x, v1_z) + self.bend_of_h(p_v1, a_z)
        inner = self.a.hessian(self.q, self.v, self.tau, self.h * p_v1)
        return bend + self.T(self.by_state) @ inner @ self.by_state


class _Stage:
    """One stage of a Runge-Kutta step: the rate ``r = K(x) v`` of the displacement x from q, and
    the acceleration ``a(q (+) x, v, tau)``.
    """

    def __init__(self, step: RK4Step, x: Array, v: Array) -> None:
        self.step, self.x, self.v, self.q = step, x, v, step.add(x)
        self.a = step.a(self.q, v, step.tau)
        self.ad, self.ad_v = (matrix_by_joint(step.model, bracket, 0.0, y) for y in (x, v))
        self.K = constant(np.eye(step.model.NV), x) + self.ad / 2 + self.ad @ self.ad / 12
        self.r = times(self.K, v)

    def rows(self, x_z: Array, v_z: Array) -> tuple[Array, Array]:
        """Compute the Jacobians of acceleration and rate from those of x and v; intermediate
        Jacobians are stored for `bend`.
        """
        step, xp = self.step, namespace(self.x, x_z)
        self.x_z, self.v_z = x_z, v_z
        turned = matrix_by_joint(step.model, bracket, 0.0, times(self.ad, self.v))
        self.r_x = -(self.ad_v / 2 + (turned + self.ad @ self.ad_v) / 12)
        state = [step.add_rows(self.x, x_z), v_z, step.by_tau + 0 * v_z]
        self.state_z = xp.concat(state, axis=-2)
        self.a_state = step.a.jacobian(self.q, self.v, step.tau)
        return self.a_state @ self.state_z, self.r_x @ x_z + self.K @ v_z

    def bend(self, p_a: Array, p_r: Array) -> tuple[Array, Array, Array]:
        """Compute second derivatives of ``p_a . a + p_r . r``, the acceleration and rate weighted
        by costates, and the costates of x and v.

        The parts that come from second derivatives of x and v are not included.
        """
        step, T, n = self.step, self.step.T, self.step.model.NV
        inner = step.a.hessian(self.q, self.v, step.tau, p_a)
        p_state = times(T(self.a_state), p_a)
        of_sum, p_x = step.add_bend(self.x, self.x_z, p_state[..., :n])
        B, C = (
            matrix_by_joint(step.model, bracket_form, 0.0, y) for y in (p_r, times(T(self.ad), p_r))
        )
        xv = T(self.x_z) @ (B / 2 + (B @ self.ad + C) / 12) @ self.v_z
        xx = T(self.x_z) @ (B @ self.ad_v / -12) @ self.x_z
        bend = T(self.state_z) @ inner @ self.state_z + of_sum + xv + T(xv) + xx + T(xx)
        p_v = p_state[..., n : 2 * n] + times(T(self.K), p_r)
        return bend, p_x + times(T(self.r_x), p_r), p_v


class RK4Step(_Step):
    """Step of the classical Runge-Kutta method for displacement x and velocity v:
    ``x' = K(x) v, v' = a(q (+) x, v, tau)``, with a the accelerations.
    """

    nodes = (0.5, 0.5, 1.0)
    weights = (1 / 6, 1 / 3, 1 / 3, 1 / 6)

    @cached_property
    def _stages(self) -> list[_Stage]:
        stages = [_Stage(self, 0 * self.v, self.v)]
        for c in self.nodes:
            last = stages[-1]
            stages.append(_Stage(self, c * self.h * last.r, self.v + c * self.h * last.a))
        return stages

    @cached_property
    def _rows(self) -> list[tuple[Array, Array]]:
        first = self._stages[0]
        rows = [first.rows(0 * column(self.v) * self.by_h, self.by_v + 0 * column(self.v))]
        for c, last, stage in zip(self.nodes, self._stages, self._stages[1:], strict=False):
            a_z, r_z = rows[-1]
            x_z, v_z = c * self.times_h(last.r, r_z), c * self.times_h(last.a, a_z)
            rows.append(stage.rows(x_z, self.by_v + v_z))
        return rows

    def _mean(self, parts: Iterable[Array]) -> Array:
        """Compute the weighted mean over the stages."""
        return sum(w * y for w, y in zip(self.weights, parts, strict=True))

    @cached_property
    def _result(self) -> tuple[Array, Array]:
        return self._mean(s.r for s in self._stages), self._mean(s.a for s in self._stages)

    @cached_property
    def _result_rows(self) -> tuple[Array, Array]:
        return self._mean(r for _, r in self._rows), self._mean(a for a, _ in self._rows)

    def values(self) -> tuple[Array, Array]:
        """Compute the next state."""
        r, a = self._result
        return self.add(self.h * r), self.v + self.h * a

    def jacobian(self) -> tuple[Array, Array]:
        """Compute the Jacobians of the next positions q' and velocities v', each (..., NV, 3 NV +
        1).
        """
        (r, a), (r_z, a_z) = self._result, self._result_rows
        return self.add_rows(self.h * r, self.times_h(r, r_z)), self.by_v + self.times_h(a, a_z)

    def hessian(self, p_q: Array, p_v: Array) -> Array:
        """Compute the ordered second derivatives of ``p_q . q' + p_v . v'``, the next positions and
        velocities weighted by costates p_q and p_v.
        """
        (r, _), (r_z, a_z), rows = self._result, self._result_rows, self._rows
        bend, p_x = self.add_bend(self.h * r, self.times_h(r, r_z), p_q)
        bend = bend + self.bend_of_h(p_x, r_z) + self.bend_of_h(p_v, a_z)
        p_r, p_a = ([w * self.h * p for w in self.weights] for p in (p_x, p_v))
        for i in reversed(range(4)):
            part, p_x, p_v = self._stages[i].bend(p_a[i], p_r[i])
            bend = bend + part
            if i:
                c, (a_z, r_z) = self.nodes[i - 1], rows[i - 1]
                bend = bend + c * (self.bend_of_h(p_x, r_z) + self.bend_of_h(p_v, a_z))
                p_r[i - 1] = p_r[i - 1] + c * self.h * p_x
                p_a[i - 1] = p_a[i - 1] + c * self.h * p_v
        return bend
