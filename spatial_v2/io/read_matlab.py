"""Models from MATLAB: its structs, from a file or as loadmat returns them."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Mapping
from typing import Any

from spatial_v2.exceptions import ModelFileError, SpatialError
from spatial_v2.io.matlab_field import MatlabField
from spatial_v2.io.matlab_file import read_variables
from spatial_v2.io.matlab_model import NEEDED, ROTOR, check_derived, model_fields
from spatial_v2.io.matlab_values import describe, fields
from spatial_v2.io.wording import listed
from spatial_v2.model import Model

__all__ = ["read_matlab"]


def read_matlab(source: str | os.PathLike[str] | Any, name: str | None = None) -> Model:
    """Read a model struct of MATLAB.

    Parameters
    ----------
    source : path or struct
        A .mat file (of version 7.3 if h5py is installed), the struct as `scipy.io.loadmat` returns
        it with any of its options, or the dict of variables that it returns.
    name : str, optional
        Variable to read, where there are several model structs.

    Returns
    -------
    Model
        The model. Bodies count from 0 and the base is -1 in `parent`, `gc` and `camera`, vertices
        count from 0 in `appearance`. Contact points are rows: ``gc["point"]`` has shape (n, 3).

    Raises
    ------
    ModelFileError
        A file that cannot be read, no or several model structs, a field that is missing or wrong;
        the message names file, variable and field, in MATLAB's numbering.

    Warns
    -----
    UserWarning
        A field that is not read, a derived one (`nv`, `vinds`, ...) that does not fit the tree, or
        a rotor that is left out because one of its fields is missing.

    Notes
    -----
    Matrices given as a number s stand for s times the identity, as in MATLAB's products. Derived
    fields are recomputed. Function handles (`gamma_q`) cannot be read from a file. What is given
    for the rotor of a joint without `has_rotor` is kept.

    Examples
    --------
    >>> import numpy as np
    >>> struct = {"parent": [0, 1], "jtype": ["Rx", "Ry"], "Xtree": [1, np.eye(6)],
    ...           "I": [np.eye(6), np.eye(6)]}
    >>> read_matlab(struct).parent
    array([-1,  0])
    """
    path = isinstance(source, (str, os.PathLike))
    where = os.fspath(source) if path else "struct"
    variables = read_variables(source) if path else fields(source)
    if variables is None:
        what = type(source).__name__ if not hasattr(source, "shape") else describe(source)
        raise ModelFileError(f"{where}: want a MATLAB struct or a path, got {what}")
    struct: Any = variables
    if not _is_model(variables):
        key = _choose(variables, name, where)
        where, struct = f"{where}: {key}", variables[key]
    found = MatlabField(where, struct).struct()
    arguments = model_fields(found, where)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = Model(**arguments)
    except SpatialError as error:
        raise ModelFileError(f"{where}: {_in_matlab(str(error))}") from error
    for warning in caught:
        text = _in_matlab(str(warning.message))
        warnings.warn(f"{where}: {text}", warning.category, stacklevel=3)
    check_derived(model, found, where)
    return model


def _in_matlab(message: str) -> str:
    """A message of `Model` with fields of bodies as in MATLAB: ``I[0]`` is ``I{1}``."""
    field = rf"\b({'|'.join((*NEEDED, *ROTOR))})\[(\d+)\]"
    return re.sub(field, lambda m: f"{m[1]}{{{int(m[2]) + 1}}}", message)


def _is_model(value: Any) -> bool:
    struct = value if isinstance(value, Mapping) else fields(value)
    return struct is not None and {"parent", "jtype"} <= set(struct)


def _choose(variables: Mapping[str, Any], name: str | None, where: str) -> str:
    """The variable that is the model."""
    if name is not None and name in variables and _is_model(variables[name]):
        return name
    models = [key for key in variables if _is_model(variables[key])]
    if name is None and len(models) == 1:
        return models[0]
    asked = ""
    if name is not None:
        there = name in variables
        what = f"is no model struct but {describe(variables[name])}" if there else "is not there"
        asked = f"variable {name!r} {what}; "
    if models:
        raise ModelFileError(f"{where}: {asked}name one of the models: {listed(models)}")
    held = listed([f"{key} ({describe(value)})" for key, value in variables.items()])
    raise ModelFileError(
        f"{where}: {asked}it holds {held or 'no variables'}; a model is a struct with the fields "
        f"{', '.join(NEEDED)}"
    )
