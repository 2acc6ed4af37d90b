"""Joint velocities within bounds; see `tasks.differential_inverse_kinematics`.

Bounds of the steps are those of `spatial_v2/engine/parts/step_bounds.py`, and the method is that of
the controls of a stage of optimal control.
"""

import numpy as np

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.parts.control_stage import controls
from spatial_v2.engine.parts.stage_workspace import new_stage
from spatial_v2.engine.parts.step_bounds import LEAST_DAMPING, TINY, StepBounds
from spatial_v2.engine.tree import Floats


@jit
def differential_inverse_kinematics(
    e: Floats, J: Floats, q: Floats, bounds: StepBounds, step: float, rate: float, damping: float,
    qd: Floats,
) -> None:  # fmt: skip
    """Compute the velocities qd (B, NV) for residuals e (B, m) with derivatives J (B, m, NV)."""
    B, m, n = J.shape
    w, low, high = new_stage(J, 0, n), np.empty(n), np.empty(n)
    part, unit = -np.expm1(-rate * step), bounds.unit
    for b in range(B):
        largest = 0.0
        for i in range(n):
            most, at = step * bounds.speed[i], q[b, bounds.place[i]]
            low[i] = min(max(bounds.lower[i] - at, -most), most) / unit[i]
            high[i] = min(max(bounds.upper[i] - at, -most), most) / unit[i]
            w.h[i] = 0.0
            for k in range(m):
                w.h[i] += part * J[b, k, i] * e[b, k] * unit[i]
            for j in range(i, n):
                total = 0.0
                for k in range(m):
                    total += J[b, k, i] * J[b, k, j]
                w.A[i, j] = total * unit[i] * unit[j]
            largest = max(largest, w.A[i, i])
        for i in range(n):
            w.A[i, i] += max(damping, LEAST_DAMPING) * largest + TINY
        found = controls(w, 0, low, high)
        for i in range(n):
            qd[b, i] = unit[i] * w.x[i] / step if found else np.nan
