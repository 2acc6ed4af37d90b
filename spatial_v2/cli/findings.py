"""Findings of a check of a robot: errors, warnings and notes about its model."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import numpy as np

from spatial_v2.cli.coupled import dependents
from spatial_v2.configuration import neutral
from spatial_v2.couplings.free import free_configuration, free_tree
from spatial_v2.dynamics.singular_joints import singular_joints
from spatial_v2.files.wording import listed
from spatial_v2.model import Model
from spatial_v2.spatial import mcI, transform_parts

__all__ = ["Finding", "findings"]

_FAR = 5.0
"""Size of a body in lengths of the robot from which its inertia is taken for one in other units."""


class Finding(NamedTuple):
    """One remark on a robot."""

    level: Literal["error", "warning", "note"]
    text: str


def findings(model: Model) -> Iterator[Finding]:
    """Check a robot: inertias, limits, meshes, and what the file has beyond the model.

    Parameters
    ----------
    model : Model
        The robot.

    Yields
    ------
    Finding
        An error if forward dynamics fails, a warning if results are likely to be wrong, or a note.

    Examples
    --------
    >>> from spatial_v2 import autoTree
    >>> list(findings(autoTree(3)))
    [Finding(level='note', text='no joint has limits')]
    """
    tree = free_tree(model)
    if (joint := int(singular_joints(model)[0])) >= 0:
        text = f"joint {model.joint_names[joint]} moves no mass, so its acceleration is undefined"
        yield Finding("error", f"{text}; give the bodies on it inertias, or the joint an armature")
    yield from _inertias(tree)
    yield from _limits(tree, free_configuration(model, neutral(model)))
    missing = [path for path in _meshes(tree.appearance) if not os.path.isfile(path)]
    if missing:
        yield Finding("warning", f"meshes that are not found: {_some(missing)}")
    if follow := dependents(model):
        yield Finding("note", f"joints that follow others: {_some([*follow])}")
    if model.left_out:
        yield Finding("note", f"not in the model: {listed(model.left_out)}")


def _inertias(model: Model) -> Iterator[Finding]:
    names = model.body_names
    masses = model.I[:, -1, -1]
    if (light := np.flatnonzero(masses == 0)).size:
        yield Finding("note", f"bodies without mass: {_some([names[i] for i in light])}")
    length = _length(model)
    for i in np.flatnonzero(masses > 0):
        m, c, Ic = mcI(model.I[i])
        radius = float(np.sqrt(np.max(np.abs(Ic)) / m))
        for what, size in (("centre of mass", np.linalg.norm(c)), ("radius of gyration", radius)):
            if length and size > _FAR * length:
                text = f"body {names[i]}: {what} {size:.3g} m, in a robot of {length:.3g} m"
                yield Finding("warning", f"{text}; are its units kg and m?")


def _length(model: Model) -> float:
    """Return the longest sum of distances between joints, from the base to a body."""
    if model.is_planar:
        far = np.linalg.norm(model.Xtree[:, 1:, 0], axis=-1)
    else:
        far = np.linalg.norm(transform_parts(np.asarray(model.Xtree)).r, axis=-1)
    reach = np.zeros(model.NB)
    for i, p in enumerate(model.parent.tolist()):
        reach[i] = far[i] + (reach[p] if p >= 0 else 0.0)
    return float(reach.max(initial=0.0))


def _limits(model: Model, q: np.ndarray) -> Iterator[Finding]:
    names = [x for i, x in enumerate(model.joint_names) if model.nv[i] == 1]
    limits = {name: x for name, x in (model.limits or {}).items() if name in names}
    if not limits:
        yield Finding("note", "no joint has limits")
        return
    for what, bad in (
        (
            "a lower limit that is not below the upper",
            [x for x, y in limits.items() if y[0] >= y[1]],
        ),
        ("a velocity limit of zero", [x for x, y in limits.items() if y[2] == 0]),
        ("an effort limit of zero", [x for x, y in limits.items() if y[3] == 0]),
    ):
        if bad:
            yield Finding("warning", f"joints with {what}: {_some(bad)}")
    outside = (q < model.lower) | (q > model.upper)
    bad = [x for x in limits if outside[model.q_of(x)].any()]
    if bad:
        yield Finding("note", f"joints whose limits leave out zero: {_some(bad)}")
    free = [x for x in names if x not in limits or not np.isfinite(limits[x][:2]).all()]
    if free:
        yield Finding("note", f"joints without limits of position: {_some(free)}")


def _meshes(drawing: Any) -> set[str]:
    """Return the paths of all meshes in drawing instructions."""
    if isinstance(drawing, dict):
        return set().union(*map(_meshes, drawing.values()))
    if not isinstance(drawing, (list, tuple)):
        return set()
    if len(drawing) > 1 and isinstance(drawing[0], str) and drawing[0] == "mesh":
        return {str(drawing[1])}
    return set().union(*map(_meshes, drawing))


def _some(names: list[str]) -> str:
    """Return a few names, and the number of the others."""
    rest = f" and {len(names) - 6} more" if len(names) > 6 else ""
    return ", ".join(map(str, sorted(names)[:6])) + rest
