"""Couplings in MATLAB's model structs: the field ``coupling`` with a matrix and an offset."""

from __future__ import annotations

import warnings

import numpy as np

from spatial_v2.exceptions import LoaderWarning, ModelError, ModelFileError
from spatial_v2.io.impose import Couplings
from spatial_v2.model import Model

__all__ = ["with_coupling"]


def with_coupling(model: Model, couplings: Couplings, where: str) -> Model:
    """Return the coupled model of a struct; a struct without the field gives its tree."""
    field = (model.user or {}).get("coupling")
    if couplings == "free" or not isinstance(field, dict) or "matrix" not in field:
        return model
    from spatial_v2.mechanisms import couple

    tree = model.replace(user={k: x for k, x in model.user.items() if k != "coupling"})
    matrix, offset = np.atleast_1d(field["matrix"]), field.get("offset")
    if matrix.ndim == 1:  # MATLAB has no vectors: a column or, of a single joint, a row
        matrix = matrix.reshape(-1 if model.NV > 1 else 1, 1)
    try:
        return couple(tree, matrix=matrix, offset=None if offset is None else np.ravel(offset))
    except ModelError as e:
        if couplings == "imposed":
            raise ModelFileError(f"{where}: coupling: {e}") from None
        warnings.warn(f"{where}: coupling is not imposed: {e}", LoaderWarning, stacklevel=3)
        return model
