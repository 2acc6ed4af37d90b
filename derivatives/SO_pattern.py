"""Sparsity patterns of the second derivatives of inverse dynamics."""

from __future__ import annotations

from typing import NamedTuple

from derivatives.ID_SO_derivatives import IDSODerivatives
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.engine.tensors.runs import ID_SO
from spatial_v2.model import Model
from spatial_v2.model.state import check_model
from spatial_v2.packed import TensorPattern
from spatial_v2.packed.gears import patterns_of

__all__ = ["IDSOPattern", "SO_pattern"]


@shown_in_notebooks
class IDSOPattern(NamedTuple):
    """Sparsity patterns of the four tensors of `ID_SO_derivatives`."""

    d2tau_dq: TensorPattern
    d2tau_dqd: TensorPattern
    d2tau_cross: TensorPattern
    dM_dq: TensorPattern

    def zeros(self, lead: int | tuple[int, ...] = ()) -> IDSODerivatives:
        """Allocate zero tensors for repeated use as ``out=``; see `TensorPattern.zeros`."""
        return IDSODerivatives(*(pattern.zeros(lead) for pattern in self))


def SO_pattern(model: Model) -> IDSOPattern:
    """Return the sparsity patterns of the second derivatives of inverse dynamics.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.

    Returns
    -------
    IDSOPattern
        The indices i, j, k of all entries that can be other than zero, in the order of the values
        of ``ID_SO_derivatives(..., packed=True)``. Computed once for each tree and reused.

    Raises
    ------
    TypeError
        `model` is not a `Model`.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> SO_pattern(autoTree(12, 2)).dM_dq
    <TensorPattern: 151 of 12x12x12 entries>
    """
    check_model(model)
    model.checked()
    return IDSOPattern(*patterns_of(model, ID_SO))
