"""Block-diagonal matrices and null spaces."""

from __future__ import annotations

import numpy as np

__all__ = ["block_diagonal", "null_space"]


def block_diagonal(*blocks: np.ndarray) -> np.ndarray:
    """Return a block-diagonal matrix; blocks may have no rows or no columns.

    Examples
    --------
    >>> block_diagonal(np.ones((1, 2)), np.ones((1, 1)))
    array([[1., 1., 0.],
           [0., 0., 1.]])
    """
    ends = np.cumsum([[0, 0], *(x.shape for x in blocks)], axis=0)
    whole = np.zeros(ends[-1])
    for x, (i, j) in zip(blocks, ends, strict=False):
        whole[i : i + len(x), j : j + x.shape[1]] = x
    return whole


def null_space(A: np.ndarray, tol: float) -> np.ndarray:
    """Return an orthonormal basis of the null space of a matrix, as columns.

    Examples
    --------
    >>> np.abs(null_space(np.array([[0.0, 2.0]]), 1e-9))
    array([[1.],
           [0.]])
    """
    _, s, Vt = np.linalg.svd(A, full_matrices=True)
    rank = int(np.count_nonzero(s > tol * s.max(initial=0.0)))
    return np.asarray(Vt[rank:].T)
