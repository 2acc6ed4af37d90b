"""Error of the pose of a frame, weighted, with its Jacobian; see `tasks.PoseTask`."""

from spatial_v2.engine.algorithms.inverse_kinematics import error_map, new_work
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.parts.frame_view import new_frame_path, see
from spatial_v2.engine.tree import Floats, Ints, View


@jit
def PoseTask(
    view: View, weights: Floats, targets: Floats, which: Ints, q: Floats, e: Floats, J: Floats
) -> None:
    """Compute residuals e (B, 6) and their derivatives J (B, 6, NV) at configurations q (B, NQ).

    The target of state i is the transform ``targets[which[i]]``.
    """
    path, w = new_frame_path(view, q, J.shape[2]), new_work(0)
    J[:] = 0.0
    for i in range(len(q)):
        n = see(view, q[i], path)
        error_map(targets[which[i]], path, False, w)
        for r in range(6):
            e[i, r] = weights[r] * w.e[r]
            for x in range(n):
                total = 0.0
                for k in range(6):
                    total += w.M[r, k] * path.J[x, k]
                J[i, r, path.var[x]] = weights[r] * total
