"""Errors of the optimality conditions of motions, and sizes of their costs, in one pass each."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.parts.stage_equations import larger
from spatial_v2.engine.tree import Floats

__all__ = ["cost_scales", "motion_errors"]


@jit
def motion_errors(
    slope: Floats, u: Floats, lower: Floats, upper: Floats, bounded: bool, c: Floats,
    of_control: Floats, of_state: Floats, errors: Floats,
) -> None:  # fmt: skip
    """Compute four errors (4, B) of each problem: the largest entry of the gradient `slope`
    (B, S, m) with respect to the controls u and of the defects c (B, S, n), as they are and in
    units `of_control` (B, m) and `of_state` (B, n), of which those of zero count as one.

    If `bounded`, gradients are projected on the bounds (S, m) of the controls. NaN is larger than
    any number.
    """
    B, S, m = slope.shape
    for b in range(B):
        gradient, defect, step, gap = 0.0, 0.0, 0.0, 0.0
        for k in range(S):
            for i in range(m):
                x, unit = slope[b, k, i], of_control[b, i]
                dx = unit**2 * x
                if bounded:
                    low, high, at = lower[k, i], upper[k, i], u[b, k, i]
                    x, dx = at - min(max(at - x, low), high), at - min(max(at - dx, low), high)
                gradient = larger(gradient, x)
                step = larger(step, dx / (unit if unit > 0.0 else 1.0))
            for i in range(c.shape[2]):
                unit = of_state[b, i]
                defect = larger(defect, c[b, k, i])
                gap = larger(gap, c[b, k, i] / (unit if unit > 0.0 else 1.0))
        errors[0, b], errors[1, b], errors[2, b], errors[3, b] = gradient, defect, step, gap


@jit
def cost_scales(
    moved: Floats, q: Floats, qd: Floats, u: Floats, g: Floats, Q: Floats, scales: Floats
) -> None:
    """Compute two scales (2, B) of each problem: by how much the costs with gradients g
    (B, S + 1, z) change over the range of a motion in one of its variables, and the sum of the
    curvatures on the diagonal of Q times the squares of these.

    `moved` (B, S + 1, NV) are the displacements of q from those of the first instant, which say the
    range; q are those from the neutral configuration, which say the size.
    """
    (B, S, n), z = moved.shape, g.shape[2]
    ranges, sums, low, high = np.empty(z), np.empty(z), np.empty(n), np.empty(n)
    for b in range(B):
        size, most = 0.0, 0.0
        ranges[:], sums[:] = 0.0, 0.0
        for i in range(n):
            low[i] = high[i] = moved[b, 0, i]
        for k in range(S):
            for i in range(z):
                sums[i] += abs(g[b, k, i])
            for i in range(n):
                low[i], high[i] = min(low[i], moved[b, k, i]), max(high[i], moved[b, k, i])
                ranges[n + i] = larger(ranges[n + i], qd[b, k, i])
                size += abs(Q[b, k, i, i]) * q[b, k, i] ** 2
                size += abs(Q[b, k, n + i, n + i]) * qd[b, k, i] ** 2
            for i in range(z - 2 * n if k < u.shape[1] else 0):
                j = 2 * n + i
                ranges[j] = larger(ranges[j], u[b, k, i])
                size += abs(Q[b, k, j, j]) * u[b, k, i] ** 2
        for i in range(n):
            ranges[i] = high[i] - low[i]
        for i in range(z):
            most = larger(most, sums[i] * ranges[i])
        scales[0, b], scales[1, b] = most, size
