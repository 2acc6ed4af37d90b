"""Models from MATLAB: its structs, from a file or as loadmat returns them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from spatial_v2.exceptions import ModelFileError, SpatialError
from spatial_v2.io.matlab_derived import derived_fields
from spatial_v2.io.matlab_values import entries, plain, shift_vertices
from spatial_v2.model import Model

__all__ = ["read_matlab"]

_NEEDED = ("parent", "jtype", "Xtree", "I")
_ROTOR = ("has_rotor", "jtype_rotor", "Xrotor", "I_rotor", "gr")
_NAMES = ("name", "joint_names", "body_names")
_KNOWN = {*_NEEDED, *_ROTOR, *_NAMES, "NB", "gravity", "appearance", "camera", "gc"}


def read_matlab(source: str | os.PathLike[str] | Any, name: str | None = None) -> Model:
    """Read a model struct of MATLAB.

    Parameters
    ----------
    source : path or struct
        A .mat file (version 7 or older), the struct as `scipy.io.loadmat` returns it with any of
        its options, or the dict of variables that it returns.
    name : str, optional
        Variable to read, where the file holds several model structs.

    Returns
    -------
    Model
        The model. Bodies count from 0 and the base is -1 in `parent`, `gc` and `camera`, vertices
        count from 0 in `appearance`. Contact points are rows: ``gc["point"]`` has shape (n, 3).

    Raises
    ------
    ModelFileError
        A file that cannot be read, no or several model structs, a field that is missing or wrong.

    Warns
    -----
    UserWarning
        A field that is not read, or a derived one (`nv`, `vinds`, ...) that does not fit the tree.

    Notes
    -----
    Matrices given as a number s stand for s times the identity, as in MATLAB's products. Derived
    fields are recomputed. Function handles (`gamma_q`) cannot be read from a file.

    Examples
    --------
    >>> struct = {"parent": [0, 1], "jtype": ["Rx", "Ry"], "Xtree": [1, np.eye(6)],
    ...           "I": [np.eye(6), np.eye(6)]}
    >>> read_matlab(struct).parent
    array([-1,  0])
    """
    if isinstance(source, (str, os.PathLike)):
        where, variables = os.fspath(source), _load(os.fspath(source))
    else:
        where, variables = "struct", plain(source)
    if not isinstance(variables, dict):
        raise ModelFileError(
            f"{where}: want a MATLAB struct or a path, got {type(source).__name__}"
        )
    if not _is_model(variables):
        key = _choose(variables, name, where)
        where, variables = f"{where}: {key}", variables[key]
    try:
        model = _model(variables, where)
    except SpatialError as error:
        if isinstance(error, ModelFileError):
            raise
        raise ModelFileError(f"{where}: {error}") from error
    _check_derived(model, variables, where)
    return model


def _load(file: str) -> Any:
    from scipy.io import loadmat

    try:
        return plain(loadmat(file, appendmat=False))
    except OSError as e:
        raise ModelFileError(f"{file}: cannot be read: {e.strerror or e}") from e
    except NotImplementedError as e:
        raise ModelFileError(f"{file}: version 7.3; in MATLAB, save it with the option -v7") from e
    except Exception as e:
        raise ModelFileError(f"{file}: no .mat file, or a damaged one: {e}") from e


def _is_model(value: Any) -> bool:
    return isinstance(value, dict) and {"parent", "jtype"} <= value.keys()


def _choose(variables: dict[str, Any], name: str | None, where: str) -> str:
    models = [key for key, value in variables.items() if _is_model(value)]
    if name is not None and name in models:
        return name
    if name is None and len(models) == 1:
        return models[0]
    asked = "" if name is None else f"variable {name!r} is no model struct; "
    held = ", ".join(variables) or "no variables"
    if models:
        raise ModelFileError(f"{where}: {asked}name one of the models: {', '.join(models)}")
    raise ModelFileError(
        f"{where}: {asked}it holds {held}; a model is a struct with the fields {', '.join(_NEEDED)}"
    )


def _model(struct: dict[str, Any], where: str) -> Model:
    missing = [field for field in _NEEDED if field not in struct]
    if missing:
        raise ModelFileError(f"{where}: the field {missing[0]!r} is missing")
    parent = np.asarray(struct["parent"], dtype=np.float64).ravel()
    n = len(parent)
    fields: dict[str, Any] = {
        k: entries(struct[k], n) for k in (*_NEEDED[1:], *_NAMES[1:]) if k in struct
    }
    d = max(
        [np.shape(x)[0] for x in (*fields["Xtree"], *fields["I"]) if np.ndim(x) == 2], default=6
    )
    fields |= {k: [_matrix(x, d) for x in fields[k]] for k in ("Xtree", "I")}
    fields |= {"parent": parent - 1, "jtype": [_joint(j) for j in fields["jtype"]]}
    if np.size(struct.get("gravity", [])):
        fields["gravity"] = np.ravel(struct["gravity"])
    if isinstance(struct.get("name"), str):
        fields["name"] = struct["name"]
    if np.any(struct.get("has_rotor", 0)):
        fields |= _rotors(struct, n, d)
    for field in ("appearance", "camera", "gc"):
        if struct.get(field):
            fields[field] = _READ[field](struct[field])
    return Model(**fields)


def _matrix(x: Any, d: int) -> Any:
    return x * np.eye(d) if np.size(x) == 1 else x


def _joint(jtype: Any) -> Any:
    jtype = jtype[0] if isinstance(jtype, list) and len(jtype) == 1 else jtype
    if not isinstance(jtype, dict):
        return jtype
    pars = {
        k: np.asarray(v).item() for k, v in (jtype.get("pars") or {}).items() if np.size(v) == 1
    }
    return {"code": jtype.get("code"), "pars": pars}


def _rotors(struct: dict[str, Any], n: int, d: int) -> dict[str, Any]:
    missing = [field for field in _ROTOR if field not in struct]
    if missing:
        raise ModelFileError(f"the field {missing[0]!r} is missing, but has_rotor is set")
    has = np.ravel(struct["has_rotor"]) != 0
    given = {k: [x if np.size(x) else None for x in entries(struct[k], n)] for k in _ROTOR[1:]}
    matrices = {
        k: [None if x is None else _matrix(x, d) for x in given[k]] for k in ("Xrotor", "I_rotor")
    }
    gears = [1.0 if x is None else np.asarray(x).item() for x in given["gr"]]
    joints = [None if j in (None, "") else _joint(j) for j in given["jtype_rotor"]]
    return {"has_rotor": has, "jtype_rotor": joints, "gr": gears, **matrices}


def _read_appearance(struct: Any) -> dict[str, Any]:
    out = {k: shift_vertices(_drawing(struct[k]), -1) for k in ("base",) if k in struct}
    body = struct.get("body", [])
    if body and isinstance(body[0], str):
        body = [body]
    return {**out, "body": [shift_vertices(_drawing(x), -1) for x in body]}


def _drawing(x: Any) -> Any:
    if isinstance(x, list):
        return [_drawing(y) for y in x]
    if isinstance(x, str):
        return x
    return [] if np.size(x) == 0 else float(np.asarray(x).item()) if np.size(x) == 1 else x


def _read_camera(struct: Any) -> dict[str, Any]:
    camera = {k: _drawing(np.ravel(v)) for k, v in struct.items()}
    return {**camera, "body": int(camera["body"]) - 1} if "body" in camera else camera


def _read_contacts(struct: Any) -> dict[str, Any]:
    body = np.ravel(struct["body"]).astype(np.int64) - 1
    return {"point": np.atleast_2d(np.asarray(struct["point"]).T), "body": body}


_READ = {"appearance": _read_appearance, "camera": _read_camera, "gc": _read_contacts}


def _check_derived(model: Model, struct: Mapping[str, Any], where: str) -> None:
    """Warn of derived fields that do not fit the tree, and of fields that are not read."""
    ours = {"NB": float(model.NB), **derived_fields(model)}
    stale = [
        k for k in ours.keys() & struct.keys() if k != "has_rotor" and not _same(ours[k], struct[k])
    ]
    if stale:
        fields = ", ".join(sorted(stale))
        warnings.warn(f"{where}: stale, recomputed from the tree: {fields}", stacklevel=3)
    unknown = struct.keys() - _KNOWN - ours.keys()
    if unknown:
        warnings.warn(f"{where}: fields not read: {', '.join(sorted(unknown))}", stacklevel=3)


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray) and a.dtype == object:
        theirs = entries(b, a.size)
        return len(theirs) == a.size and all(map(_same, a.ravel(), theirs))
    return np.array_equal(np.ravel(a), np.ravel(b))
