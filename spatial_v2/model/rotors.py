"""Geared rotors as bodies of an expanded tree.

The rotor of joint i is a body on the parent of body i whose joint moves by ``gr_i q_i``. The tree
with all rotors as bodies has the coordinates ``q_e = G q``, with G constant, so every function of
the dynamics follows from that of the expanded tree: ``tau = G^T tau_e``, ``H = G^T H_e G``, and a
derivative of any order is contracted with G along each of its velocity axes.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from spatial_v2.arrays import Array, alike, constant, namespace
from spatial_v2.exceptions import InertiaWarning
from spatial_v2.model.joint_terms import with_more
from spatial_v2.model.model import Model

__all__ = ["contract", "driven", "expand", "expand_vector", "gear_ratio"]


def expand(model: Model) -> Model:
    """Return the tree with the rotors appended as bodies; other bodies keep their numbers."""
    return model.checked().keep("expanded", lambda: _expanded(model))


def _expanded(model: Model) -> Model:
    has = np.flatnonzero(model.has_rotor)
    X, Xr, I, Ir = alike(model.Xtree, model.Xrotor, model.I, model.I_rotor)
    xp = namespace(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InertiaWarning)
        return Model(
            parent=np.concatenate([model.parent, model.parent[has]]),
            jtype=[*model.jtype, *[model.jtype_rotor[i] for i in has]],
            Xtree=xp.concat([X, Xr[has]]),
            I=xp.concat([I, Ir[has]]),
            gravity=model.gravity,
            **with_more(model, len(has)),
        )


def expand_vector(model: Model, x: Array, core: str) -> Array:
    """Convert q, velocities or external forces (core "q", "v", "body") to the expanded tree."""
    xp = namespace(x)
    has = np.flatnonzero(model.has_rotor)
    if core == "body":
        none = xp.zeros_like(x[..., :1, :])
        return xp.concat([x, *[none] * len(has)], axis=-2)
    inds = model.qinds if core == "q" else model.vinds
    return xp.concat([x, *[gear_ratio(model, i) * x[..., inds[i]] for i in has]], axis=-1)


def contract(model: Model, out: Any, results: tuple[tuple[str, ...], ...]) -> Any:
    """Convert the results `out` of a function, computed on the expanded tree, to the model.

    `results` names the axes of each array in `out`. An axis "v" (velocity variables) or "j" (those
    after the six of a floating base) is multiplied by the matrix G of gear ratios, ``qd_e = G qd``.
    Along an axis "b" (bodies) the entries of rotors are dropped.
    """
    if len(results) == 1:
        return _contract(model, out, results[0])
    parts = [_contract(model, x, dims) for x, dims in zip(out, results, strict=True)]
    return type(out)(*parts) if hasattr(out, "_fields") else tuple(parts)


def _contract(model: Model, x: Array, dims: tuple[str, ...]) -> Array:
    xp = namespace(x)
    if "b" in dims:
        x = x[(..., slice(model.NB), *[slice(None)] * (len(dims) - dims.index("b") - 1))]
    for axis in [k - len(dims) for k, d in enumerate(dims) if d in "vj"]:
        y, first = xp.moveaxis(x, axis, -1), 6 if dims[axis] == "j" else 0
        if all(isinstance(z, np.ndarray) and z.dtype == np.float64 for z in (x, model.gr)):
            y = _add_rotors(model, y, first)
        else:
            y = y @ _gears(model, x)[first:, first:]
        x = xp.moveaxis(y, -1, axis)
    return x


def _add_rotors(model: Model, y: np.ndarray, first: int) -> np.ndarray:
    """Multiply the last axis by the matrix of gear ratios, each product and sum rounded, so that
    the result of a state does not depend on its batch.
    """
    n = model.NV - first
    out = y[..., :n].copy()
    out[..., np.array(driven(model)) - first] += model.gr[model.has_rotor] * y[..., n:]
    return out


def driven(model: Model) -> list[int]:
    """Return the velocity variable that drives each rotor."""
    return [model.vinds[i].start for i in np.flatnonzero(model.has_rotor)]


def gear_ratio(model: Model, i: Any) -> Any:
    """Return the gear ratio of the rotor of joint i, as a number of the type in `gr`."""
    g = model.gr[int(i)]
    return g.item() if isinstance(g, np.generic) else g


def _gears(model: Model, like: Array) -> Array:
    """Return the matrix G (NV + rotors, NV) from velocities of the model to the expanded tree."""
    one = np.eye(model.NV)
    moved = driven(model)
    if isinstance(model.gr, np.ndarray):
        rows = model.gr[model.has_rotor][:, None] * one[moved]
        return constant(np.concatenate([one, rows]), like)
    rows = [model.gr[model.body_of_v[k]] * constant(one[k], like) for k in moved]
    return namespace(like).stack([*alike(like, *one)[1:], *rows])
