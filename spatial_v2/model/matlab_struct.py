"""Reading of MATLAB's model struct, from a file or from the result of `scipy.io.loadmat`."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from spatial_v2.exceptions import ModelFileError, SpatialError
from spatial_v2.files.matlab_field import MatlabField
from spatial_v2.files.matlab_file import read_variables
from spatial_v2.files.matlab_values import describe, fields
from spatial_v2.files.wording import listed
from spatial_v2.model.matlab_fields import NEEDED, ROTOR, check_derived, model_fields
from spatial_v2.version_1 import explain_version_1

if TYPE_CHECKING:
    from spatial_v2.model.model import Model

__all__ = ["read_struct"]


def read_struct(new: Callable[..., Model], source: Any, name: str | None = None) -> Model:
    """Read the model that a MATLAB struct describes; see `read_matlab`.

    Parameters
    ----------
    new : callable
        `Model`, or another callable with its arguments.
    source : path or struct
        A .mat file, a struct as `scipy.io.loadmat` returns it, or the dict of variables.
    name : str, optional
        Variable to read, where there are several model structs.
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
    record = MatlabField(where, struct).struct()
    arguments = model_fields(record, where)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = new(**arguments)
    except SpatialError as error:
        raise ModelFileError(f"{where}: {_in_matlab(str(error))}") from error
    for warning in caught:
        text = _in_matlab(str(warning.message))
        warnings.warn(f"{where}: {text}", warning.category, stacklevel=3)
    check_derived(model, record, where)
    return model


def _in_matlab(message: str) -> str:
    """Convert indices in a message to MATLAB's: ``I[0]`` becomes ``I{1}``."""
    field = rf"\b({'|'.join((*NEEDED, *ROTOR))})\[(\d+)\]"
    return re.sub(field, lambda m: f"{m[1]}{{{int(m[2]) + 1}}}", message)


def _is_model(value: Any) -> bool:
    struct = value if isinstance(value, Mapping) else fields(value)
    return struct is not None and {"parent", "jtype"} <= set(struct)


def _choose(variables: Mapping[str, Any], name: str | None, where: str) -> str:
    """Return the name of the variable that is the model."""
    if name is not None and name in variables and _is_model(variables[name]):
        return name
    models = [key for key in variables if _is_model(variables[key])]
    if name is None and len(models) == 1:
        return models[0]
    asked = ""
    if name is not None:
        there = name in variables
        what = f"is not a model struct but {describe(variables[name])}" if there else "is not there"
        asked = f"variable {name!r} {what}; "
    if models:
        asked = asked or "there are several model structs; "
        raise ModelFileError(f"{where}: {asked}want one of these as name=: {listed(models)}")
    if "pitch" in variables and "parent" in variables:
        raise ModelFileError(f"{where}: the field 'jtype' is missing{explain_version_1('pitch')}")
    contents = listed([f"{key} ({describe(value)})" for key, value in variables.items()])
    raise ModelFileError(
        f"{where}: {asked}it holds {contents or 'no variables'}; a model is a struct with the "
        f"fields {', '.join(NEEDED)}"
    )
