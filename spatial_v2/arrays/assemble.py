"""Assembly of a matrix from blocks, without writing in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from spatial_v2.arrays.checks import common_shape
from spatial_v2.arrays.namespaces import Array, constant, namespace

__all__ = ["assemble"]


def assemble(
    blocks: Mapping[tuple[int, int], Array], rows: Sequence[int], cols: Sequence[int], like: Array
) -> Array:
    """Assemble a matrix (..., sum(rows), sum(cols)) from blocks (..., rows[i], cols[j]).

    Blocks that are None stand for zeros. Leading axes are broadcast from those of the blocks and of
    `like`.

    Examples
    --------
    >>> assemble({(1, 0): np.ones((2, 1))}, [1, 2], [1, 1], like=np.ones(1))
    array([[0., 0.],
           [1., 0.],
           [1., 0.]])
    """
    xp = namespace(like, *blocks.values())
    leads = (tuple(b.shape[:-2]) for b in blocks.values())
    lead = common_shape(tuple(like.shape[:-1]), *leads)
    some = next(iter(blocks.values()))

    def block(i: int, j: int) -> Array:
        shape = (*lead, rows[i], cols[j])
        if (i, j) in blocks:
            return xp.broadcast_to(blocks[i, j], shape)
        return xp.broadcast_to(constant(np.zeros((rows[i], cols[j])), some), shape)

    return xp.concat(
        [xp.concat([block(i, j) for j in range(len(cols))], axis=-1) for i in range(len(rows))],
        axis=-2,
    )
