"""expandLambda: parents of velocity variables from the parents of bodies."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.exceptions import SpatialError
from spatial_v2.sparsity.branchwise import as_parents

__all__ = ["expandLambda"]


def expandLambda(lambda_: Any, nf: Any) -> np.ndarray:
    """Compute the parents of velocity variables from those of bodies (MATLAB ``expandLambda``).

    Within a joint, the parent of a variable is the previous variable. The parent of the first
    variable is the last variable of the parent joint.

    Parameters
    ----------
    lambda_ : sequence of int, length NB
        Parent of each body, counted from 0, -1 for the base.
    nf : sequence of int, length NB
        Number of degrees of freedom of each joint, one or more.

    Returns
    -------
    numpy.ndarray of int, shape (sum(nf),)
        Parent of each variable, -1 for none.

    Raises
    ------
    SpatialError
        If `lambda_` is not an array of parents, or `nf` does not fit it.

    Notes
    -----
    Featherstone, Rigid Body Dynamics Algorithms (2008), Section 6.5.

    Examples
    --------
    >>> expandLambda([-1, 0, 0, 2], [6, 1, 3, 2]).tolist()
    [-1, 0, 1, 2, 3, 4, 5, 5, 7, 8, 9, 10]
    """
    parents, sizes = as_parents(lambda_, "expandLambda: lambda_"), np.asarray(nf)
    whole = sizes.dtype.kind in "iuf" and np.all(sizes == np.floor(sizes))
    if sizes.shape != (len(parents),) or not whole or np.any(sizes < 1):
        raise SpatialError(
            f"expandLambda: nf must be {len(parents)} whole numbers, one or more; got {nf!r}"
        )
    last = np.cumsum(sizes.astype(int)) - 1
    expanded = np.arange(-1, int(sizes.sum()) - 1)
    for i, parent in enumerate(parents):
        expanded[last[i] - int(sizes[i]) + 1] = last[parent] if parent >= 0 else -1
    return expanded
