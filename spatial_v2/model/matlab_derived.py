"""The fields that MATLAB's `postProcessModel` adds to a model struct."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spatial_v2.files.matlab_values import cell

if TYPE_CHECKING:
    from spatial_v2.model.model import Model

__all__ = ["derived_fields"]


def derived_fields(model: Model) -> dict[str, Any]:
    """Return sizes, indices and ancestors as MATLAB stores them: rows and cells that count from 1.

    Parameters
    ----------
    model : Model
        The tree.

    Returns
    -------
    dict
        ``has_rotor nq nv qinds vinds ancestors ancestor_vinds subtree_vinds successor_vinds NV NQ
        NB_rot``, and ``rotor_param_inds`` where there are rotors.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> derived_fields(autoTree(3, 2))["subtree_vinds"][0, 0]
    array([[1., 2., 3.]])
    """
    layout = model.layout
    fields: dict[str, Any] = {
        "has_rotor": model.has_rotor[:, None] + 0.0,
        "nq": np.array([layout.nq], dtype=np.float64),
        "nv": np.array([layout.nv], dtype=np.float64),
        "qinds": _cells(np.arange(s.start, s.stop) for s in layout.qinds),
        "vinds": _cells(np.arange(s.start, s.stop) for s in layout.vinds),
        "ancestors": _cells(layout.ancestors),
        "ancestor_vinds": _cells(layout.ancestor_vinds),
        "subtree_vinds": _cells(layout.subtree_vinds),
        "successor_vinds": _cells(layout.successor_vinds),
        "NV": float(layout.NV),
        "NQ": float(layout.NQ),
        "NB_rot": float(model.n_rotor),
    }
    if model.has_rotors:
        blocks = iter(np.arange(10 * model.n_rotor).reshape(-1, 10))
        inds = [next(blocks) if has else np.empty(0) for has in model.has_rotor]
        fields["rotor_param_inds"] = _cells(inds)
    return fields


def _cells(indices: Any) -> np.ndarray:
    """Convert index arrays that count from 0 to a cell of rows that count from 1."""
    return cell([x[None] + 1.0 if len(x) else np.empty((0, 0)) for x in indices])
