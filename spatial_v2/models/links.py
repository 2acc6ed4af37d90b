"""Parts that several models share: parents of trees, links and their drawings, geared arms."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor
from typing import Any

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.model import Model
from spatial_v2.spatial import mcI, rotx, xlt

__all__ = ["check_numbers", "dh_transforms", "geared_arm", "tree_link_drawing",
           "tree_link_inertia", "tree_parents"]  # fmt: skip


def check_numbers(caller: str, **values: Any) -> None:
    """Raise an error for parameters of a model that are not finite real numbers.

    Examples
    --------
    >>> check_numbers("planar", n="3")
    Traceback (most recent call last):
    spatial_v2.exceptions.ModelError: planar: n: want a finite number, got '3'
    """
    for name, x in values.items():
        number = np.asarray(x, dtype=object)
        value: Any = number[()] if number.ndim == 0 else None
        if not isinstance(value, int | float | np.integer | np.floating) or not np.isfinite(value):
            raise ModelError(f"{caller}: {name}: want a finite number, got {x!r}")


def tree_parents(nb: int, bf: float) -> np.ndarray:
    """Return the parents of a tree numbered breadth first, with branching factor bf.

    Counted from 1, the parent of body i is floor((i - 2 + ceil(bf)) / bf).
    """
    parents = [floor((i - 2 + ceil(bf)) / bf) - 1 for i in range(1, nb + 1)]
    return np.array(parents, dtype=np.int64)


def dh_transforms(alpha: Sequence[float], a: Sequence[float], d: Sequence[float]) -> np.ndarray:
    """Return the link transforms of a modified Denavit-Hartenberg table with joint variables theta.

    Craig (2005), Sec. 3.4: frame i is obtained from frame i - 1 by a rotation by alpha about the x
    axis and a displacement by a along it, then a displacement by d along the new z axis.
    """
    steps = zip(alpha, a, d, strict=True)
    return np.stack([xlt([0.0, 0.0, z]) @ xlt([x, 0.0, 0.0]) @ rotx(t) for t, x, z in steps])


def geared_arm(
    name: str,
    Xtree: np.ndarray,
    gear: Sequence[float],
    jtype: Sequence[str] | None = None,
    gravity: Sequence[float] = (0.0, 0.0, -9.81),
    Xrotor: np.ndarray | None = None,
) -> Model:
    """Make a serial arm with a rotor Rz at every joint, at the joint's frame or given by `Xrotor`.

    All inertias are the identity: MATLAB uses these robots to study which parameters are
    identifiable, which does not depend on the values.
    """
    n = len(gear)
    one = np.tile(np.eye(6), (n, 1, 1))
    return Model(
        name=name,
        parent=np.arange(n) - 1,
        jtype=["Rz"] * n if jtype is None else list(jtype),
        Xtree=Xtree,
        I=one,
        gravity=list(gravity),
        has_rotor=np.ones(n, dtype=bool),
        jtype_rotor=["Rz"] * n,
        Xrotor=Xtree if Xrotor is None else Xrotor,
        I_rotor=one,
        gr=list(gear),
    )


def tree_link_inertia(m: float, length: float) -> np.ndarray:
    """Return the inertia of a thin-walled tube along x from the origin, of radius length / 20."""
    Ic = m * length**2 * np.diag([0.0025, 1.015 / 12, 1.015 / 12])
    return np.asarray(mcI(m, [length / 2, 0.0, 0.0], Ic))


def tree_link_drawing(parent: Sequence[int] | np.ndarray, i: int, taper: float) -> list[Any]:
    """Return the drawing of a link: a cylinder along x, and the joint for the first child."""
    t = taper**i
    drawing: list[Any] = ["cyl", [[0.0, 0.0, 0.0], [t, 0.0, 0.0]], 0.05 * t]
    if i == 0 or parent[i] > parent[i - 1]:
        t = taper ** max(int(parent[i]), 0)
        drawing += ["cyl", [[0.0, 0.0, -0.07 * t], [0.0, 0.0, 0.07 * t]], 0.08 * t]
    return drawing
