"""Models as data for the figures that the reader moves."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.dynamics import get_gravity
from spatial_v2.joints.table import JointTypeLike, joint_type
from spatial_v2.model import Model
from spatial_v2.spatial import plux

__all__ = ["PLANE", "model_as_data"]

PLANE = (2, 3, 4)
"""Indices of those components of a spatial vector that a planar vector has."""


def model_as_data(model: Model) -> dict[str, Any]:
    """Return a model in the form that ``dynamics.js`` reads; planar models become spatial ones.

    Examples
    --------
    >>> from spatial_v2 import planar
    >>> model_as_data(planar(2))["parent"]
    [-1, 0]
    """
    rotors = [
        {
            "joint": joint_as_data(model.jtype_rotor[i]),
            "X": spatial_transform(model.Xrotor[i]).tolist(),
            "I": np.asarray(model.I_rotor[i]).tolist(),
            "gear": float(model.gr[i]),
        }
        if len(model.has_rotor) and model.has_rotor[i]
        else None
        for i in range(model.NB)
    ]
    gravity = get_gravity(model)
    return {
        "parent": model.parent.tolist(),
        "joints": [joint_as_data(x) for x in model.jtype],
        "Xtree": [spatial_transform(X).tolist() for X in model.Xtree],
        "I": [spatial_inertia(I).tolist() for I in model.I],
        "gravity": ([*gravity[1:], 0.0] if model.is_planar else gravity[3:].tolist()),
        "rotors": rotors,
    }


def joint_as_data(jtype: JointTypeLike) -> dict[str, Any]:
    """Return the entries of a joint type in the joint table that ``dynamics.js`` needs."""
    row = joint_type(jtype)
    fields = ("kind", "axis", "sign", "pitch", "nq", "nv")
    return {name: getattr(row, name) for name in fields}


def spatial_transform(X: np.ndarray) -> np.ndarray:
    """Return a planar transform as the spatial transform of the x-y plane; spatial ones
    unchanged.
    """
    if len(X) == 6:
        return np.asarray(X)
    E = np.eye(3)
    E[:2, :2] = X[1:, 1:]
    y, x = E[:2, :2].T @ X[1:, 0]
    return np.asarray(plux(E, [x, -y, 0.0]))


def spatial_inertia(I: np.ndarray) -> np.ndarray:
    """Return a planar inertia as a spatial one, zero for motions out of the plane; spatial ones
    unchanged.
    """
    if len(I) == 6:
        return np.asarray(I)
    out = np.zeros((6, 6))
    out[np.ix_(PLANE, PLANE)] = I
    return out
