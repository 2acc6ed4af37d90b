"""Writing of a model into a .mat file, as MATLAB's model struct."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.files.matlab_values import cell, is_drawing, shift_vertices
from spatial_v2.files.part_file import PartFile
from spatial_v2.model.matlab_derived import derived_fields
from spatial_v2.model.matlab_user import written_value
from spatial_v2.model.values import plain

if TYPE_CHECKING:
    from spatial_v2.model.model import Model

__all__ = ["matlab_writer", "write_struct"]

_KEYWORDS = frozenset(
    ("break", "case", "catch", "classdef", "continue", "else", "elseif", "end", "for", "function",
     "global", "if", "otherwise", "parfor", "persistent", "return", "spmd", "switch", "try",
     "while")
)  # fmt: skip
"""Words that MATLAB's function `iskeyword` lists."""


def write_struct(model: Model, path: str | os.PathLike[str], name: str) -> None:
    """Write the struct of a model into a file; after an error there is no partial file."""
    write = matlab_writer(model, name)
    with PartFile(path) as part:
        write(part.file)
        part.finish()


def matlab_writer(model: Model, name: str = "model") -> Callable[[BinaryIO], None]:
    """Return a function that writes the struct of a model into an open file."""
    from scipy.io import savemat

    text: object = name
    word = text if isinstance(text, str) and text.isascii() and text.isidentifier() else "_"
    if word[0] == "_" or len(word) > 31 or word in _KEYWORDS:
        raise ModelError(f"name: {name!r} is not a name of a MATLAB variable")
    rotors = ("Xrotor", "I_rotor", "gr") if model.n_rotor else ()
    for field in ("Xtree", "I", "gravity", *rotors):
        kind = getattr(model, field).dtype
        if isinstance(kind, np.dtype) and kind.kind in "Oc":
            raise ModelError(f"{field}: want real numbers for a .mat file, got an array of {kind}")
    struct = matlab_struct(model)
    return lambda file: savemat(cast("Any", file), {name: struct}, do_compression=True)


def matlab_struct(model: Model) -> dict[str, Any]:
    """Return the struct of a model, as `scipy.io.savemat` takes it."""
    if model.gamma_q is not None:
        warnings.warn("gamma_q is a function and is not written to the .mat file", stacklevel=4)
    if model.has_joint_terms:
        terms = ", ".join(model._joint_terms())
        warnings.warn(f"MATLAB's struct has no {terms}: not written to the .mat file", stacklevel=4)
    struct: dict[str, Any] = {
        "NB": float(model.NB),
        "parent": model.parent[None] + 1.0,
        "jtype": cell(plain(model.jtype)),
        "Xtree": cell([*model.Xtree]),
        "I": cell([*model.I]),
        "gravity": model.gravity[None],
        **derived_fields(model),
    }
    struct |= _rotors(model)
    if model.appearance and not _has_mesh([*model.appearance.values()]):
        base, body = model.appearance.get("base", []), model.appearance.get("body", [])
        drawings = [_written(shift_vertices(x, 1)) for x in (base, *body)]
        struct["appearance"] = {"base": cell(drawings[0]), "body": cell(drawings[1:])}
    if model.camera:
        camera = dict(model.camera)
        struct["camera"] = camera | ({"body": camera["body"] + 1.0} if "body" in camera else {})
    if model.gc:
        body = np.asarray(model.gc["body"])[None] + 1.0
        struct["gc"] = {"point": np.asarray(model.gc["point"]).T, "body": body}
    own = {name: written_value(x) for name, x in model.user.items()}
    unwritten = sorted(name for name, x in own.items() if x is None or name in struct)
    if unwritten:
        warnings.warn(f"model.user: not written to the .mat file: {unwritten}", stacklevel=4)
    struct |= {name: x for name, x in own.items() if name not in unwritten}
    names = {"joint_names": cell(model.joint_names), "body_names": cell(model.body_names)}
    return {**struct, "name": model.name, **names}


def _rotors(model: Model) -> dict[str, Any]:
    """Return the rotor fields, with [] for joints without rotor data."""
    known = [
        has or bool(j) or g != 1 or I.any() or not np.array_equal(X, np.eye(len(X)))
        for has, j, X, I, g in zip(
            model.has_rotor, model.jtype_rotor, model.Xrotor, model.I_rotor, model.gr, strict=True
        )
    ]
    if not any(known):
        return {}
    fields: dict[str, Any] = {"jtype_rotor": cell([j or "" for j in plain(model.jtype_rotor)])}
    for name in ("Xrotor", "I_rotor", "gr"):
        values = zip(known, np.asarray(getattr(model, name)), strict=True)
        fields[name] = cell([x if used else [] for used, x in values])
    return fields


def _has_mesh(drawing: Any) -> bool:
    """Return whether a drawing has a mesh file, which MATLAB's showmotion does not support."""
    if isinstance(drawing, list | tuple):
        return any(map(_has_mesh, drawing))
    return isinstance(drawing, str) and drawing == "mesh"


def _written(drawing: Any) -> list[Any]:
    """Convert drawing instructions for savemat: matrices become arrays, sub-lists remain lists."""
    return [
        _written(x) if is_drawing(x) else
        x if isinstance(x, str) else np.asarray(x, dtype=np.float64)
        for x in drawing
    ]  # fmt: skip
