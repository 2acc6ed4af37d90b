"""Block-diagonal matrices and tensors of a model, with one block per joint."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import groupby

import numpy as np

from spatial_v2.arrays import Array, assemble, constant, namespace
from spatial_v2.joints.groups import FB, LINE, Group, S
from spatial_v2.model import Model

__all__ = ["Run", "matrix_by_joint", "runs", "spaces", "tensor_by_joint"]

Run = tuple[Group, slice, slice]
"""A configuration space, and the indices of its position and velocity variables."""


def runs(model: Model) -> tuple[Run, ...]:
    """Return the groups of the joints in order, each with its slices of q and of velocities.

    Consecutive joints with one degree of freedom are merged.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> [q for _, q, _ in runs(autoTree(4).replace(jtype=["S", "Rx", "Pz", "Fb"]))]
    [slice(0, 4, None), slice(4, 6, None), slice(6, 13, None)]
    """
    layout = model.layout
    known: tuple[Run, ...] | None = vars(layout).get("runs")
    if known is None:
        known = _runs(tuple((joint.group, joint.nq, joint.nv) for joint in layout.joints))
        vars(layout)["runs"] = known
    return known


def spaces(model: Model) -> np.ndarray | None:
    """Return `runs` as kernels take them, rows of four integers: 1 for a joint with a quaternion or
    0, first indices of q and of velocities, number of velocity variables.

    None if there is a rotation matrix or a homogeneous transform in q.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> spaces(autoTree(4).replace(jtype=["S", "Rx", "Pz", "Fb"]))
    array([[1, 0, 0, 3],
           [0, 4, 3, 2],
           [1, 6, 5, 6]])
    """
    kept = vars(model.layout)
    if "spaces" not in kept:
        joined = runs(model)
        known = all(group in (LINE, S, FB) for group, _, _ in joined)
        rows = [(group is not LINE, a.start, b.start, b.stop - b.start) for group, a, b in joined]
        kept["spaces"] = np.array(rows, dtype=np.int64).reshape(-1, 4) if known else None
    table: np.ndarray | None = kept["spaces"]
    return table


@lru_cache(maxsize=256)
def _runs(joints: tuple[tuple[Group, int, int], ...]) -> tuple[Run, ...]:
    joined: list[Run] = []
    q = v = 0
    for line, same in groupby(joints, lambda joint: joint[0] is LINE):
        parts = list(same)
        for group, nq, nv in [(LINE, len(parts), len(parts))] if line else parts:
            joined.append((group, slice(q, q + nq), slice(v, v + nv)))
            q, v = q + nq, v + nv
    return tuple(joined)


def matrix_by_joint(model: Model, function: Callable[..., Array], line: float, *x: Array) -> Array:
    """Return a block-diagonal matrix (..., NV, NV); each block is a function of a joint's part of
    the vector x.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    function : callable
        Function of the entries (..., n) of each x for one joint, which returns a block
        (..., n, n); n is three or six.
    line : float
        Diagonal entry for joints with one degree of freedom.
    *x : array, shape (..., NV)
        Vectors with the same leading axes.
    """
    blocks, sizes = {}, []
    for i, (group, _, vs) in enumerate(runs(model)):
        n = vs.stop - vs.start
        sizes.append(n)
        parts = [y[..., vs] for y in x]
        blocks[i, i] = constant(line * np.eye(n), x[0]) if group is LINE else function(*parts)
    return assemble(blocks, sizes, sizes, like=x[0])


def tensor_by_joint(model: Model, function: Callable[..., Array], *x: Array) -> Array:
    """Return a block-diagonal tensor (..., NV, NV, NV); each block is a function of a joint's part
    of the vector x.

    Blocks of joints with one degree of freedom are zero. Parameters are those of `matrix_by_joint`.
    """
    xp, slabs = namespace(*x), []
    lead = tuple(x[0].shape[:-1])
    for group, _, vs in runs(model):
        n = vs.stop - vs.start
        if group is LINE:
            slab = constant(np.zeros((n, model.NV, model.NV)), x[0])
        else:
            P = constant(np.eye(model.NV)[vs], x[0])
            slab = xp.matrix_transpose(P) @ function(*(y[..., vs] for y in x)) @ P
        slabs.append(xp.broadcast_to(slab, (*lead, n, model.NV, model.NV)))
    return xp.concat(slabs, axis=-3)
