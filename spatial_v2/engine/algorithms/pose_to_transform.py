"""Transforms to frames from their poses; see `poses.pose_to_transform`."""

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.tree import Floats


@jit
def pose_to_transform(T: Floats, X: Floats, error: Floats) -> None:
    """Compute the transforms X (B, 6, 6) to frames with poses T (B, 4, 4), and the largest error of
    each pose, which is 1 or more for a mirror image, and NaN for an entry that is not finite.
    """
    for b in range(len(T)):
        R, r, Y = T[b, :3, :3], T[b, :3, 3], X[b]
        volume, worst = 0.0, abs(T[b, 3, 3] - 1.0)
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            worst = max(worst, abs(T[b, 3, i]))
            volume += R[0, i] * (R[1, j] * R[2, k] - R[1, k] * R[2, j])
            for l in range(3):
                m, n = (l + 1) % 3, (l + 2) % 3
                Y[i, l] = Y[3 + i, 3 + l] = R[l, i]
                Y[i, 3 + l] = 0.0
                Y[3 + i, l] = r[m] * R[n, i] - r[n] * R[m, i]
                product = R[i, 0] * R[l, 0] + R[i, 1] * R[l, 1] + R[i, 2] * R[l, 2]
                worst = max(worst, abs(product - (1.0 if i == l else 0.0)))
        error[b] = max(worst, abs(volume - 1.0))
        for i in range(4):
            for l in range(4):
                error[b] += 0.0 * T[b, i, l]
