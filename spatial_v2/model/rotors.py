"""Geared rotors as bodies of an expanded tree.

The rotor of joint i is a body on the parent of body i whose joint moves by ``gr_i q_i``. The tree
with all rotors as bodies has the coordinates ``q_e = G q``, with G constant, so every function of
the dynamics follows from that of the expanded tree: ``tau = G^T tau_e``, ``H = G^T H_e G``, and a
derivative of any order is contracted with G along each of its velocity axes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.model.model import Model

__all__ = ["contract", "expand", "expand_vector"]


def expand(model: Model) -> Model:
    """The tree with the rotors appended as bodies; the given bodies keep their numbers."""
    has = np.flatnonzero(model.has_rotor)
    codes = [model.jtype_rotor[i] for i in has]
    return Model(
        parent=np.concatenate([model.parent, model.parent[has]]),
        jtype=[*model.jtype, *codes],
        Xtree=np.concatenate([model.Xtree, model.Xrotor[has]]),
        I=np.concatenate([model.I, model.I_rotor[has]]),
        gravity=model.gravity,
    )


def expand_vector(model: Model, x: Array, core: str) -> Array:
    """q, a velocity-like vector (core "q", "v") or forces (core "body") for the expanded tree."""
    xp = namespace(x)
    has = np.flatnonzero(model.has_rotor)
    if core == "body":
        none = xp.zeros_like(x[..., :1, :])
        return xp.concat([x, *[none] * len(has)], axis=-2)
    inds = model.qinds if core == "q" else model.vinds
    return xp.concat([x, *[float(model.gr[i]) * x[..., inds[i]] for i in has]], axis=-1)


def contract(model: Model, out: Any, results: tuple[tuple[str, ...], ...]) -> Any:
    """Results of the expanded tree, contracted with G along each axis marked ``v``.

    Along axes marked ``b`` the entries of the given bodies are kept.
    """
    if len(results) == 1:
        return _contract(model, out, results[0])
    parts = [_contract(model, x, dims) for x, dims in zip(out, results, strict=True)]
    return type(out)(*parts) if hasattr(out, "_fields") else tuple(parts)


def _contract(model: Model, x: Array, dims: tuple[str, ...]) -> Array:
    xp = namespace(x)
    if "b" in dims:
        x = x[(..., slice(model.NB), *[slice(None)] * (len(dims) - dims.index("b") - 1))]
    for axis in [k - len(dims) for k, d in enumerate(dims) if d == "v"]:
        y = xp.moveaxis(x, axis, -1)
        x = xp.moveaxis(y @ constant(_gears(model), x), -1, axis)
    return x


def _gears(model: Model) -> np.ndarray:
    """G, shape (NV + rotors, NV)."""
    has = np.flatnonzero(model.has_rotor)
    rows = np.zeros((len(has), model.NV))
    rows[np.arange(len(has)), [model.vinds[i].start for i in has]] = model.gr[has]
    return np.concatenate([np.eye(model.NV), rows])
