"""Symmetric Hessians from ordered second derivatives along q."""

from __future__ import annotations

from typing import Any

import numpy as np

from derivatives.StructureConstants import StructureConstants
from spatial_v2.arrays import Array, alike, constant, namespace
from spatial_v2.arrays.checks import as_numbers, check_leads
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["symmetrize"]


def symmetrize(d2: Any, d1: Any, model: Model) -> Array:
    """Convert ordered second derivatives along q to the Hessian in the increment dq.

    Parameters
    ----------
    d2 : array, shape (..., NV, NV)
        Ordered second derivatives: ``d2[..., j, k]`` is the derivative along k of the derivative
        along j. For example `d2tau_dq` of `ID_SO_derivatives`, shape (..., NV, NV, NV).
    d1 : array, shape (..., NV)
        First derivatives along q of the same function, for example `dtau_dq`.
    model : Model
        The model, which defines which degrees of freedom do not commute.

    Returns
    -------
    array, shape of `d2`
        Symmetric in the last two indices: the second derivatives at ``dq = 0`` of
        ``f(configurationAddition(model, q, dq))``.

    Raises
    ------
    ArrayShapeError
        Arrays whose last axes are not NV, or whose leading axes do not broadcast.

    Notes
    -----
    The ordered derivatives obey ``d2[j, k] - d2[k, j] = sum_l d1[l] c[l, k, j]`` with the
    `StructureConstants` of the second kind; half of the right-hand side is subtracted. A method
    that steps by ``q (+) dq`` and uses a second-order model of its cost in dq (Newton, SQP, DDP)
    needs this form. Ordered derivatives are derivatives of first derivatives, as in the rate of
    `dtau_dq` along a motion. The two forms differ only within joints with several degrees of
    freedom.

    Examples
    --------
    >>> from spatial_v2 import ID_derivatives, ID_SO_derivatives
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(1).replace(jtype=["S"])
    >>> state = [1, 0, 0, 0], [1, 2, 3], [3, 2, 1]
    >>> ordered = ID_SO_derivatives(model, *state).d2tau_dq
    >>> H = symmetrize(ordered, ID_derivatives(model, *state).dtau_dq, model)
    >>> np.allclose(H, np.swapaxes(H, 1, 2)), np.allclose(ordered, np.swapaxes(ordered, 1, 2))
    (True, False)
    """
    check_model(model)
    d2, d1 = alike(as_numbers(d2, "d2"), as_numbers(d1, "d1"))
    n = model.NV
    if tuple(d2.shape[-2:]) != (n, n) or d1.shape[-1:] != (n,):
        raise ArrayShapeError(
            f"symmetrize: want d2 (..., {n}, {n}) and d1 (..., {n}), with NV = {n}; "
            f"got {tuple(d2.shape)} and {tuple(d1.shape)}"
        )
    check_leads("symmetrize", d2=d2.shape[:-2], d1=d1.shape[:-1])
    brackets = np.swapaxes(StructureConstants(model), 1, 2).reshape(n, n * n)
    order = d1 @ constant(brackets, d1) / 2
    return d2 - namespace(d1).reshape(order, (*order.shape[:-1], n, n))
