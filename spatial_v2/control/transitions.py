"""Transitions: from the states at the beginning of stages to those at their ends.

A transition belongs to s consecutive stages of B problems, with states (B, s, n). It stores the
intermediate results that its derivatives need.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.configuration.by_joint import runs
from spatial_v2.control.accelerations import Accelerations
from spatial_v2.control.displacements import (
    add,
    compiled_spaces,
    difference,
    exponential,
    transport,
    turn_rows,
)
from spatial_v2.control.euler_assembly import (
    Actuation,
    EulerKernels,
    add_acceleration_hessian,
    step_jacobian,
)
from spatial_v2.joints.groups import LINE
from spatial_v2.joints.tangent import bracket_form
from spatial_v2.model import Model
from spatial_v2.packed.memory import allocate

__all__ = ["Charts", "EulerTransition", "Transition", "turned"]

T = np.matrix_transpose


Charts = Sequence[tuple[slice, np.ndarray]]
"""For joints with rotations: their velocity variables, and the derivatives of the defects with
respect to displacements of the end of each stage.
"""


class Transition:
    """Base of transitions of a model, from given states under given controls."""

    model: Model
    charts: Charts = ()

    def values(self, ahead: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Compute positions and velocities at the ends of the stages; if `ahead`, derivatives will
        be needed.
        """
        raise NotImplementedError

    def jacobian(self, F: np.ndarray) -> None:
        """Write the Jacobian of the end [q', qd'] into F (B, s, 2 NV, 2 NV + m)."""
        raise NotImplementedError

    def add_hessian(self, p: np.ndarray, Q: np.ndarray, of_defects: bool = False) -> None:
        """Add to Q the symmetric Hessian of ``p . [q', qd']``, the state at the end weighted by p,
        after a call of `jacobian`; or, after `linearise`, that of the defects weighted by p.
        """
        raise NotImplementedError

    def defects(self, q: np.ndarray, qd: np.ndarray, ahead: bool = False) -> np.ndarray:
        """Compute the displacements (B, s, 2 NV) from the states q and qd to the ends; see
        `values`.
        """
        end, rate = self.values(ahead)
        return np.concatenate([difference(self.model, q, end), rate - qd], axis=-1)

    def linearise(self, c: np.ndarray, F: np.ndarray) -> Charts:
        """Write the Jacobian of the defects c into F; return and keep the charts."""
        self.jacobian(F)
        self.charts = turn_rows(self.model, c, F)
        return self.charts


def turned(charts: Charts, p: np.ndarray) -> np.ndarray:
    """Convert weights p of the defects to weights of displacements of the ends of stages."""
    p = p.copy()
    for vs, K in charts:
        p[..., vs] = (T(K) @ p[..., vs, None])[..., 0]
    return p


class EulerTransition(Transition):
    """Time steps of semi-implicit Euler, ``v' = v + h a(q, v, S u)`` and ``q' = q (+) h v'``, with
    accelerations a, step h, and joint forces S u of the controls u.
    """

    def __init__(
        self, a: Accelerations, q: Any, v: Any, u: Any, S: Actuation, h: np.ndarray
    ) -> None:
        self.model, self.q, self.v, self.S, self.h = a.model, q, v, S, h[:, None]
        self.a = a.at(q, v, u @ S.S.T)
        table = compiled_spaces(a.model)
        self.kernels = None if table is None else EulerKernels(table, S, h)

    def values(self, ahead: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Compute positions and velocities at the ends of the stages; see `Transition`."""
        a = self.a.values(ahead)
        if self.kernels:
            self.x, q, v, _ = self.kernels.ends(self.q, self.v, a)
            return q, v
        v = self.v + self.h * a
        self.x = self.h * v
        return add(self.model, self.q, self.x), v

    def defects(self, q: np.ndarray, qd: np.ndarray, ahead: bool = False) -> np.ndarray:
        """Compute the displacements from the states q and qd to the ends; see `Transition`."""
        if not self.kernels:
            return super().defects(q, qd, ahead)
        self.x, *_, c = self.kernels.ends(self.q, self.v, self.a.values(ahead), (q, qd))
        return c

    def linearise(self, c: np.ndarray, F: np.ndarray) -> Charts:
        """Write the Jacobian of the defects c into F; return the charts."""
        turning = [vs for group, _, vs in runs(self.model) if group is not LINE]
        if not (self.kernels and turning):
            return super().linearise(c, F)
        self.F, self.K = F, np.empty((*self.x.shape, 6))
        self.kernels.jacobian(self.a.blocks(), self.x, F, (c, self.K))
        self.charts = [(vs, self.K[..., vs, : vs.stop - vs.start]) for vs in turning]
        return self.charts

    def jacobian(self, F: np.ndarray) -> None:
        """Compute the derivatives of the ends; see `Transition`."""
        if self.kernels:
            self.F = F
            self.kernels.jacobian(self.a.blocks(), self.x, F)
            return
        q_z = F[..., : self.v.shape[-1], :]
        turning = [vs for group, _, vs in runs(self.model) if group is not LINE]
        line = np.ones(q_z.shape[-2])
        for vs in turning:
            line[vs] = 0.0
        step_jacobian(self.h[:, 0], self.a.blocks(), self.S, line, F)
        self.moved = {}
        for vs in turning:
            x, x_z = self.x[..., vs], q_z[..., vs, :].copy()
            X, (J, _) = transport(x), exponential(x, 0 * x)
            self.moved[vs.start] = vs, x, x_z, X
            q_z[..., vs, :] = J @ x_z
            q_z[..., vs, vs] += X

    def add_hessian(self, p: np.ndarray, Q: np.ndarray, of_defects: bool = False) -> None:
        """Add the second derivatives of ``p . [q', qd']``, the state at the end weighted by p; see
        `Transition`.
        """
        turns = of_defects and len(self.charts) > 0
        if self.kernels:
            w, mu = self.kernels.weights(self.x, p, self.K if turns else None)
            self.kernels.add_hessian(self.a.second(mu), self.x, w, self.F, Q)
            return
        p = turned(self.charts, p) if turns else p
        n = self.v.shape[-1]
        p_q, p_v = p[..., :n], p[..., n:]
        p_x = p_q.copy()
        for vs, x, x_z, X in self.moved.values():
            w = p_q[..., vs]
            J, twice = exponential(x, w)
            p_x[..., vs] = (T(J) @ w[..., None])[..., 0]
            cross = (T(X) @ bracket_form(w) @ J / 2) @ x_z
            bend = (T(twice) + twice) / 2 @ x_z
            Q += np.matmul(T(x_z), bend, out=allocate(Q.shape))
            Q[..., vs, :] += cross
            Q[..., :, vs] += T(cross)
        blocks = self.a.second(self.h * (p_v + self.h * p_x))
        add_acceleration_hessian(blocks, self.S, Q)
