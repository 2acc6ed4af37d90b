"""Checks of the vectors and external forces that are arguments of algorithms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from spatial_v2.arrays import Array, alike, as_array, namespace
from spatial_v2.arrays.checks import common_shape
from spatial_v2.exceptions import ArrayShapeError, ModelError, SpatialError
from spatial_v2.model.model import Model
from spatial_v2.model.rotations import check_matrices, check_quaternions

__all__ = [
    "check_forces",
    "check_frame",
    "check_model",
    "check_real",
    "check_state",
    "check_vector",
    "common_lead",
]

_MEANING = {
    "q": "NQ position variables",
    "v": "NV velocity variables",
    "m": "m rows of constraints",
}


def check_model(model: Any) -> None:
    """Raise an error for anything that is not a `Model`.

    Examples
    --------
    >>> check_model("puma560")
    Traceback (most recent call last):
    TypeError: model: want a spatial_v2.Model, got str
    """
    if not isinstance(model, Model):
        fields = model if isinstance(model, Mapping) else getattr(model, "__dict__", ())
        struct = "parent" in fields or getattr(getattr(model, "dtype", None), "names", None)
        hint = "; Model.from_matlab(struct) converts MATLAB's struct" if struct else ""
        raise TypeError(f"model: want a spatial_v2.Model, got {type(model).__name__}{hint}")


def check_real(model: Model, target: str) -> None:
    """Raise an error if a model has numbers that are not real: complex ones, symbols.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> tree = autoTree(2)
    >>> check_real(tree.replace(I=tree.I + 1j), "a URDF file")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.ModelError: I: want real numbers, which alone a URDF file can represent,
    got an array of complex128
    """
    terms = model._joint_terms()
    arrays = {name: getattr(model, name) for name in ("Xtree", "I", "gravity", "Xrotor", "I_rotor")}
    for name, x in {**arrays, **terms}.items():
        if type(x) is not np.ndarray or x.dtype != np.float64:
            raise ModelError(
                f"{name}: want real numbers, which alone {target} can represent, got an array of "
                f"{getattr(x, 'dtype', type(x).__name__)}"
            )


def check_vector(
    model: Model, name: str, x: Any, n: int, core: str, rotations: bool = True
) -> Array:
    """Check that x is an array of numbers whose last axis has n entries, and convert it.

    Parameters
    ----------
    model : Model
        The model, for error messages.
    name : str
        Name of the argument in the message.
    x : array_like, shape (..., n)
        The argument; a single number or symbol is accepted if n is one, and MATLAB's column (n, 1),
        which arrives as a memoryview.
    n : int
        Number of entries: NQ, NV, or the number of constraint rows.
    core : {"q", "v", "m"}
        Position variables, velocity variables, or constraint rows.
    rotations : bool, optional
        If True, matrices of SO3 and SE3 joints in q must be rotations.
    """
    if type(x) is not np.ndarray or x.dtype != np.float64:
        column = isinstance(x, memoryview) and x.shape == (n, 1)
        x = _as_numbers(name, np.asarray(x)[:, 0] if column else x)
    if x.ndim == 0 and n == 1:
        x = x[None]
    if x.ndim == 0 or x.shape[-1] != n:
        raise ArrayShapeError(_complaint(model, name, tuple(x.shape), n, core))
    if core == "q" and rotations and model.layout.matrices:
        check_matrices(model, x)
    return x


def _as_numbers(name: str, x: Any) -> Array:
    try:
        array = as_array(x)
    except ValueError as error:
        raise ArrayShapeError(f"{name}: want one array of numbers; {error}") from error
    if isinstance(array, np.ndarray) and array.dtype.kind not in "fcO":
        hint = f"; the name of a frame or body is given as frame={x!r}" if type(x) is str else ""
        raise ArrayShapeError(f"{name}: want numbers, got an array of dtype {array.dtype}{hint}")
    return array


def _complaint(model: Model, name: str, shape: tuple[int, ...], n: int, core: str) -> str:
    text = f"{name}: want shape (..., {n}), the {_MEANING[core]} of the model; got {shape}"
    if core == "m":
        return text
    if shape and len(shape) > 1 and shape[-2] == n:
        return text + ". Vectors are rows along the last axis: transpose (MATLAB columns)?"
    wide = [j for j in model.layout.joints if j.nq != j.nv]
    if wide and shape and shape[-1] in (model.NQ, model.NV):
        j = wide[0]
        other = "velocity" if core == "q" else "position"
        return text + (
            f". That is the number of {other} variables: a {j.code!r} joint has {j.nq} position "
            f"and {j.nv} velocity variables; q of it is the {j.position}"
        )
    return text


def check_forces(model: Model, f_ext: Any) -> Array:
    """Convert external forces to an array (..., NB, 6), or (..., NB, 3) for a planar model.

    Parameters
    ----------
    model : Model
        The model whose bodies the forces act on.
    f_ext : dict {body: force}, list or tuple of NB forces or None, or array_like (..., NB, 6)
        Forces in base coordinates. Bodies that are absent from a dict, or have None or [] in a list
        (MATLAB's cell array), have no external force.
    """
    n, d = model.NB, 3 if model.is_planar else 6
    if isinstance(f_ext, list | tuple) and any(f is None or np.size(f) == 0 for f in f_ext):
        if len(f_ext) != n:
            raise ArrayShapeError(f"f_ext: want an entry for each of {n} bodies, got {len(f_ext)}")
        f_ext = {i: f for i, f in enumerate(f_ext) if f is not None and np.size(f)}
    if isinstance(f_ext, Mapping):
        return _from_mapping(f_ext, n, d)
    f = _as_numbers("f_ext", f_ext)
    if f.ndim < 2 or tuple(f.shape[-2:]) != (n, d):
        hint = "; forces are rows, transpose it" if tuple(f.shape[-2:]) == (d, n) else ""
        raise ArrayShapeError(
            f"f_ext: want None, a dict {{body: {d}-vector}}, or shape (..., {n}, {d}), one force "
            f"[couple; force] in base coordinates for each body; got shape {tuple(f.shape)}{hint}"
        )
    return f


def _from_mapping(f_ext: Mapping[Any, Any], n: int, d: int) -> Array:
    for body in f_ext:
        if not isinstance(body, (int, np.integer)) or not 0 <= body < n:
            raise ArrayShapeError(f"f_ext: {body!r} is not a body; bodies are 0 .. {n - 1}")
    zero, *values = alike(
        np.zeros(d), *(_as_numbers(f"f_ext[{body}]", f) for body, f in f_ext.items())
    )
    forces = dict(zip(f_ext, values, strict=True))
    for body, f in forces.items():
        if f.ndim == 0 or f.shape[-1] != d:
            raise ArrayShapeError(
                f"f_ext[{body}]: want shape (..., {d}), a force [couple; force] in base "
                f"coordinates; got {tuple(f.shape)}"
            )
    lead = common_lead({f"f_ext[{body}]": tuple(f.shape[:-1]) for body, f in forces.items()})
    xp = namespace(zero)
    rows = [xp.broadcast_to(forces.get(i, zero), (*lead, d)) for i in range(n)]
    return xp.stack(rows, axis=-2)


def check_frame(frame: Any) -> None:
    """Raise an error for an invalid `frame` of external forces."""
    if not isinstance(frame, str) or frame not in ("base", "body"):
        raise SpatialError(
            "frame: want 'base' (external forces in base coordinates) or 'body' (in coordinates "
            f"of their bodies), got {frame!r}"
        )


def common_lead(leads: Mapping[str, tuple[int, ...]]) -> tuple[int, ...]:
    """Broadcast the leading axes of arguments, which are given by the names of the arguments.

    Examples
    --------
    >>> common_lead({"q": (5, 1), "qd": (4,)})
    (5, 4)
    """
    try:
        return common_shape(*leads.values())
    except ValueError:
        each = ", ".join(f"{name} {lead}" for name, lead in leads.items())
        raise ArrayShapeError(f"leading axes do not broadcast: {each}") from None


def check_state(model: Model, **vectors: Any) -> tuple[Array, ...]:
    """Check vectors given by keyword, and broadcast their leading axes.

    Vectors named q, q0 and q1 have NQ entries, all others NV.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2)
    >>> [x.shape for x in check_state(model, q=np.zeros((5, 1, 2)), qd=np.zeros((4, 2)))]
    [(5, 4, 2), (5, 4, 2)]
    """
    check_model(model)
    cores = {name: "q" if name in ("q", "q0", "q1") else "v" for name in vectors}
    sizes = {"q": model.NQ, "v": model.NV}
    checked = (
        check_vector(model, name, x, sizes[cores[name]], cores[name]) for name, x in vectors.items()
    )
    arrays = dict(zip(vectors, alike(*checked), strict=True))
    for name, x in arrays.items():
        if cores[name] == "q":
            check_quaternions(model, x)
    lead = common_lead({name: tuple(x.shape[:-1]) for name, x in arrays.items()})
    return tuple(
        x if tuple(x.shape[:-1]) == lead else namespace(x).broadcast_to(x, (*lead, x.shape[-1]))
        for x in arrays.values()
    )
