"""Drives that several joints turn: differentials, belts and cables over several joints.

The rotor of such a drive turns with the speed ``A qd``, and its inertia J adds ``A^T J A`` to the
inertia matrix. It is a body without mass that turns on the base, with the armature J, and follows
the joints: so functions of coupled models include it.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from spatial_v2.couplings.coupled_model import CoupledModel
from spatial_v2.exceptions import InertiaWarning, ModelError
from spatial_v2.joints.groups import LINE
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame
from spatial_v2.models import attach

__all__ = ["Drives", "with_drives"]

Drives = Mapping[str, tuple[float, Mapping[Any, float]]]
"""For each drive, by its name: the inertia of its rotor, and its turns for each turn of a joint."""


def with_drives(model: Model, drives: Drives, linear: CoupledModel | None) -> CoupledModel:
    """Return a tree with drives, coupled linearly.

    Parameters
    ----------
    model : Model
        The tree.
    drives : dict {name: (inertia, {joint: ratio})}
        The drives; see `couple`.
    linear : CoupledModel, optional
        The tree with other joints coupled already.

    Returns
    -------
    CoupledModel
        The model, whose variables are those of `linear`, or all joints of the tree.

    Examples
    --------
    >>> from spatial_v2 import CRBA
    >>> from spatial_v2.models import autoTree
    >>> arm = autoTree(2)
    >>> wrist = with_drives(arm, {"motor": (0.1, {"joint0": 2.0, "joint1": -1.0})}, None)
    >>> (CRBA(wrist, [0.0, 0.3]) - CRBA(arm, [0.0, 0.3])).round(12)
    array([[ 0.4, -0.2],
           [-0.2,  0.1]])
    """
    inertias, A = _read(model, drives)
    n, d, names = len(inertias), model.Xtree.shape[-1], [*drives]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InertiaWarning)
        rotors = Model(
            parent=[-1] * n,
            jtype=["r" if model.is_planar else "Rz"] * n,
            Xtree=np.tile(np.eye(d), (n, 1, 1)),
            I=np.zeros((n, d, d)),
            armature=inertias,
            joint_names=names,
            body_names=names,
        )
    tree = attach(model, Frame(-1, np.eye(d)), rotors)
    if linear is None:
        return CoupledModel(tree, np.concatenate([np.eye(model.NV), A]), np.zeros(tree.NV))
    G, c = (np.asarray(x) for x in (linear.coupling.matrix, linear.coupling.offset))
    return CoupledModel(
        tree, np.concatenate([G, A @ G]), np.concatenate([c, A @ c]), linear.coupling.follow
    )


def _read(model: Model, drives: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the inertias (n,) of the rotors and their turns A (n, NV) for those of the joints."""
    if not isinstance(drives, Mapping) or not drives:
        raise ModelError(f"drives: want {{name: (inertia, {{joint: ratio}})}}, got {drives!r}")
    inertias, A = np.zeros(len(drives)), np.zeros((len(drives), model.NV))
    for k, (name, value) in enumerate(drives.items()):
        try:
            inertia, ratios = value
            inertias[k], turns = float(inertia), {x: float(r) for x, r in ratios.items()}
        except (TypeError, ValueError, AttributeError):
            raise ModelError(
                f"drives[{name!r}]: want (inertia, {{joint: ratio}}), got {value!r}"
            ) from None
        if not (np.isfinite([inertias[k], *turns.values()]).all() and inertias[k] > 0):
            raise ModelError(
                f"drives[{name!r}]: want a positive inertia and finite ratios, got {value!r}"
            )
        for joint, ratio in turns.items():
            i = model.joint(joint)
            if model.layout.joints[i].group is not LINE:
                raise ModelError(
                    f"drives[{name!r}]: joint {model.joint_names[i]!r} has {model.nv[i]} velocity "
                    "variables; only joints with one turn drives"
                )
            A[k, model.vinds[i]] = ratio
        if not A[k].any():
            raise ModelError(
                f"drives[{name!r}]: want at least one joint with a ratio, got {value!r}"
            )
    return inertias, A
