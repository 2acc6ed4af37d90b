"""Edits of models whose joints follow others: those of the tree, and of the matrix G."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from spatial_v2.arrays.checks import as_vector
from spatial_v2.couplings.coupled_model import CoupledModel, CoupledModelError
from spatial_v2.couplings.free import free_tree
from spatial_v2.couplings.linear import Linear
from spatial_v2.exceptions import ModelError
from spatial_v2.model import Model

__all__ = ["coupled_as_before", "locked"]


def coupled_as_before(model: Model, part: Model | None, tree: Model) -> Model:
    """Return the tree of a model and a part behind it, with the couplings of both.

    Parameters
    ----------
    model : Model
        The model to which something was attached.
    part : Model or None
        The part, if it has joints.
    tree : Model
        The tree of both.
    """
    both = [x for x in (model, part) if x is not None]
    if not any(isinstance(x, CoupledModel) for x in both):
        return tree
    from scipy.linalg import block_diag  # here, since SciPy takes long to open

    matrices: list[np.ndarray] = []
    offsets: list[np.ndarray] = []
    follow: set[int] = set()
    bodies = 0
    for x in both:
        if isinstance(x, CoupledModel):
            c = _linear("attach", x)
            follow |= {bodies + i for i in c.follow}
            matrices, offsets = [*matrices, c.matrix], [*offsets, c.offset]
        else:
            matrices, offsets = [*matrices, np.eye(x.NV)], [*offsets, np.zeros(x.NV)]
        bodies += free_tree(x).NB
    return CoupledModel(tree, block_diag(*matrices), np.concatenate(offsets), frozenset(follow))


def locked(
    model: CoupledModel, joints: Mapping[Any, ArrayLike], lock: Callable[..., Model]
) -> Model:
    """Return the model in which variables are held, and with them the joints that follow.

    Parameters
    ----------
    model : CoupledModel
        The model.
    joints : mapping
        Positions of variables to hold, by their names or numbers.
    lock : callable
        The function `lock` of trees.
    """
    c, tree = _linear("lock", model), model.tree
    space, y, locked_joints = c.space, np.zeros(c.space.NQ), set()
    for name, x in joints.items():
        if name in tree.joint_names and name not in space.joint_names:
            raise ModelError(
                f"lock: joint {name!r} follows others; hold one of the variables "
                f"{', '.join(space.joint_names)}, or take model.tree"
            )
        k = space.joint(name)
        y[space.qinds[k]] = as_vector(np.atleast_1d(x), f"lock: joints[{name!r}]", space.nq[k])
        locked_joints.add(k)
    if len(locked_joints) == space.NB:
        raise ModelError("lock: all joints are held; want a model in which some move")
    free = [v for v in range(space.NV) if space.body_of_v[v] not in locked_joints]
    kept = [i for i in range(tree.NB) if c.matrix[tree.vinds[i]][:, free].any()]
    q = c.positions @ y + c.shift
    rest = lock(tree, {i: q[tree.qinds[i]] for i in range(tree.NB) if i not in kept})
    rows = [v for i in kept for v in range(tree.NV)[tree.vinds[i]]]
    G, offset = c.matrix[np.ix_(rows, free)], np.zeros(len(rows))
    for i, there in zip(kept, rest.vinds, strict=True):
        if tree.nq[i] == 1:
            offset[there] = q[tree.qinds[i]]
    if np.array_equal(G, np.eye(len(rows))) and not offset.any():
        return rest
    return CoupledModel(rest, G, offset, frozenset(kept.index(i) for i in c.follow & {*kept}))


def _linear(name: str, model: CoupledModel) -> Linear:
    if not model.is_linear:
        raise CoupledModelError(
            f"{name}: takes trees, and models whose joints follow others linearly; edit "
            "model.tree, and couple it again"
        )
    return model.coupling
