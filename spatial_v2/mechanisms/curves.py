"""Joints that follow others by polynomials, as a function of the independent joints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.joints.groups import LINE
from spatial_v2.model import Model

__all__ = ["Curve", "Curves", "as_curves", "curves_of", "has_curves"]


class Curve(NamedTuple):
    """A joint's position, a polynomial of that of another joint."""

    leader: str
    """Name of the joint that is followed; empty if there is none, and the joint stays."""
    coefficients: tuple[float, ...]
    """Coefficients, that of the constant first."""


class Curves(NamedTuple):
    """The function ``q = gamma(y)`` of a tree whose joints follow others by polynomials."""

    NQ: int
    """Number of position variables of the tree."""
    own: tuple[int, ...]
    """Entries of q that are those of y."""
    follow: tuple[tuple[int, int, tuple[float, ...]], ...]
    """Entries of joints that follow, of those that they follow, and coefficients; a joint that is
    followed comes before those that follow it.
    """

    def by_name(self, model: Model) -> dict[str, Curve]:
        """Return the joints of a tree that follow others, with leaders and coefficients."""
        place = {x.start: name for x, name in zip(model.qinds, model.joint_names, strict=True)}
        return {
            place[i]: Curve("" if i == leader else place[leader], coefficients)
            for i, leader, coefficients in self.follow
        }

    def __call__(self, y: Any) -> np.ndarray:
        """Return the tree's q at y, an array of any kind of numbers."""
        q = np.zeros(self.NQ, dtype=y.dtype)
        q[list(self.own)] = y
        for i, leader, coefficients in self.follow:
            x = 0 * y[0]
            for c in reversed(coefficients):
                x = x * q[leader] + c
            q[i] = x
        return q


def has_curves(mimic: Mapping[Any, Any]) -> bool:
    """Test if some joints of an argument `mimic` follow by polynomials."""
    return any(isinstance(x, tuple | list) and len(x) == 2 for x in mimic.values())


def as_curves(model: Model, mimic: Mapping[Any, Any]) -> dict[str, Curve]:
    """Return joints that follow others, by their names.

    Raises
    ------
    ModelError
        A value of another form, or a joint that is not there or named twice.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> as_curves(autoTree(3), {1: (0, [0.1, 0, 2]), 2: ("joint0", -1.0, 0.3)})
    {'joint1': Curve(leader='joint0', coefficients=(0.1, 0.0, 2.0)), \
'joint2': Curve(leader='joint0', coefficients=(0.3, -1.0))}
    """
    curves: dict[str, Curve] = {}
    for joint, value in mimic.items():
        try:
            leader, *numbers = value
            (coefficients,) = numbers if len(numbers) == 1 else (numbers[::-1],)
            found = tuple(float(c) for c in coefficients)
            known = len(numbers) < 3 and len(found) > 0 and bool(np.isfinite(found).all())
        except (TypeError, ValueError):
            known = False
        if not known:
            raise ModelError(
                f"mimic[{joint!r}]: want (joint, multiplier, offset), or (joint, coefficients) of "
                f"a polynomial, that of the constant first; got {value!r}"
            )
        name = model.joint_names[model.joint(joint)]
        if name in curves:
            raise ModelError(f"mimic[{joint!r}]: the joint follows two others; write matrix=G")
        leads = "" if leader in (None, "") else model.joint_names[model.joint(leader)]
        curves[name] = Curve(leads, found)
    return curves


def curves_of(model: Model, curves: Mapping[str, Curve]) -> tuple[Curves, list[int]]:
    """Return the function of joints that follow others, and the independent joints.

    Raises
    ------
    ModelError
        A joint with several variables follows or is followed, or joints follow in a circle.
    """
    place = {name: i for i, name in enumerate(model.joint_names)}
    free = [i for i, name in enumerate(model.joint_names) if name not in curves]
    if not free:
        raise ModelError("mimic: every joint follows or is held, so that none moves")
    own = [k for i in free for k in range(model.qinds[i].start, model.qinds[i].stop)]
    follow: list[tuple[int, int, tuple[float, ...]]] = []
    done = {model.joint_names[i] for i in free}
    waiting = dict(curves)
    while waiting:
        ready = [name for name, x in waiting.items() if not x.leader or x.leader in done]
        if not ready:
            raise ModelError(f"joints follow each other in a circle: {sorted(waiting)}")
        for name in ready:
            curve = waiting.pop(name)
            for joint in (name, curve.leader or name):
                if model.layout.joints[place[joint]].group is not LINE:
                    raise ModelError(
                        f"joint {joint!r}: only joints with one variable follow others"
                    )
            i, k = (model.qinds[place[joint]].start for joint in (name, curve.leader or name))
            follow.append((i, k, curve.coefficients if curve.leader else curve.coefficients[:1]))
            done.add(name)
    return Curves(model.NQ, tuple(own), tuple(follow)), free
