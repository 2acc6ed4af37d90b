"""Joints of a coupled model that follow others, in words."""

from __future__ import annotations

import numpy as np

from spatial_v2.couplings import CoupledModel
from spatial_v2.model import Model

__all__ = ["dependents"]


def dependents(model: Model) -> dict[str, str]:
    """Return what moves the dependent joints of a coupled model, by their names; else nothing.

    Examples
    --------
    >>> from spatial_v2 import couple
    >>> from spatial_v2.models import autoTree
    >>> dependents(couple(autoTree(3), mimic={1: (0, -1, 0), 2: (0, 2, 0.5)}))
    {'joint1': '-joint0', 'joint2': '2 joint0 + 0.5'}
    """
    if not isinstance(model, CoupledModel):
        return {}
    tree, own = model.tree, {*model.joint_names}
    rest = [(i, name) for i, name in enumerate(tree.joint_names) if name not in own]
    if model.is_linear:
        return {name: _sum(model, tree.vinds[i].start) for i, name in rest}
    follow = getattr(model.coupling, "mimic", {})
    words = "closed loops" if tree.loops else "a function"
    return {
        name: _terms([(factor, leader)], c) if leader else words
        for _, name in rest
        for leader, factor, c in [follow.get(name, ("", 0.0, 0.0))]
    }


def _sum(model: CoupledModel, v: int) -> str:
    """Return an entry of ``G y + c`` as text."""
    row, c = model.coupling.matrix[v], float(model.coupling.offset[v])
    names = [model.joint_names[k] for k in model.layout.body_of_v]
    return _terms([(row[k], names[k]) for k in np.flatnonzero(row)], c)


def _terms(terms: list[tuple[float, str]], c: float) -> str:
    parts = [f"{x:g} {name}" for x, name in terms] + [f"{c:g}"] * bool(c or not terms)
    text = " + ".join(parts).replace("+ -", "- ")
    return text.replace("-1 ", "-").replace("- 1 ", "- ").replace("+ 1 ", "+ ").removeprefix("1 ")
