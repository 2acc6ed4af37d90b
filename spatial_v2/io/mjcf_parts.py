"""A model as MJCF can hold it: a spatial tree without rotors, joints that follow others, loops."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple, cast

import numpy as np

from spatial_v2.constraints import ConstraintSet, loop_constraints
from spatial_v2.couplings import CoupledModel
from spatial_v2.couplings.coupled_model import refuse
from spatial_v2.exceptions import InertiaWarning, ModelError
from spatial_v2.files.wording import unused
from spatial_v2.io.robot_data import Frame
from spatial_v2.mechanisms.closed import Closed
from spatial_v2.mechanisms.curves import Curve, Curves, as_curves
from spatial_v2.mechanisms.joined import Joined
from spatial_v2.model import Model
from spatial_v2.model.rotors import expand, expand_vector
from spatial_v2.model.state import check_real
from spatial_v2.models.drawings import spatial_transform
from spatial_v2.spatial import mcI
from spatial_v2.spatial.mcI import inertia_parts

__all__ = ["MjcfParts", "mjcf_parts"]

_SPATIAL = {"r": "Rz", "px": "Px", "py": "Py"}
"""Joints of planar models, as joints in space."""


class MjcfParts(NamedTuple):
    """The parts of a model that a file describes."""

    tree: Model
    curves: dict[str, Curve]
    """Joints that follow another one, by name."""
    loops: dict[str, Any]
    """Constraints resolved for the tree, by name."""
    independent: tuple[str, ...]
    """Independent joints of the loops."""
    start: np.ndarray | None
    """A configuration of the tree in which the loops are closed."""


def mjcf_parts(model: Model) -> MjcfParts:
    """Take a model apart; see `MjcfParts`."""
    tree, rows, start = model, None, None
    curves: dict[str, Curve] = {}
    independent: tuple[str, ...] = ()
    if isinstance(model, CoupledModel):
        tree, c = model.tree, cast("Any", model.coupling)
        if model.is_linear:
            curves = _lines(c.followers(tree))
        elif isinstance(c, Closed) or (isinstance(c, Joined) and isinstance(c.outer, Closed)):
            if isinstance(c, Joined):
                curves, c = as_curves(tree, c.mimic), cast("Any", c.outer)
            rows = c.constraints
            independent, start = model.joint_names, np.asarray(model.position(model.start))
        elif isinstance(getattr(c, "function", None), Curves):
            curves = c.function.by_name(tree)
        else:
            refuse("joints that follow one other, or loops", "to_mjcf")
    else:
        curves, rows = _lines(tree.mimic or {}), loop_constraints(tree)
    check_real(tree, "an MJCF file")
    loops = _named(tree, rows) if rows else {}
    for name, curve in curves.items():
        if curve.leader not in ("", *tree.joint_names):
            raise ModelError(
                f"mimic[{name!r}]: it follows {curve.leader!r}, which is no joint of the model; "
                "write model.replace(mimic=None)"
            )
    if tree.has_rotors:
        start = None if start is None else np.asarray(expand_vector(tree, start, "q"))
        tree, more = _with_rotors(tree)
        curves = curves | more
    return MjcfParts(_in_space(tree), curves, loops, independent, start)


def _lines(mimic: Any) -> dict[str, Curve]:
    return {name: Curve(x[0] or "", (float(x[2]), float(x[1]))) for name, x in mimic.items()}


def _named(tree: Model, rows: ConstraintSet) -> dict[str, Any]:
    """Return constraints by the names of the loops of a file, or numbered."""
    names = [name for name, loop in (tree.loops or {}).items()
             if loop_constraints(tree.replace(loops={name: loop})).m]  # fmt: skip
    if len(names) != len(rows.relations):
        names = [f"loop{k}" for k in range(len(rows.relations))]
    return dict(zip(names, rows.relations, strict=True))


def _with_rotors(model: Model) -> tuple[Model, dict[str, Curve]]:
    """Return the tree with rotors as bodies, and the joints of these, which follow."""
    has = np.flatnonzero(model.has_rotor)
    joints, bodies = set(model.joint_names), set(model.body_names)
    names = [unused(f"{model.joint_names[i]}_rotor", joints) for i in has]
    tree = expand(model).replace(
        joint_names=[*model.joint_names, *names],
        body_names=[*model.body_names, *(unused(f"{x}_body", bodies) for x in names)],
        name=model.name,
        limits=model.limits,
        frames=model.frames,
    )
    ratios = [float(model.gr[i]) for i in has]
    return tree, {
        name: Curve(model.joint_names[i], (0.0, ratio))
        for name, i, ratio in zip(names, has, ratios, strict=True)
    }


def _in_space(model: Model) -> Model:
    """Return a planar model as one in space, with the same variables; other models unchanged."""
    if not model.is_planar:
        return model
    frames = {n: Frame(i, spatial_transform(X)) for n, (i, X) in (model.frames or {}).items()}
    joints = [row.code.rstrip("-") for row in model.layout.joints]
    signs = ["-" if row.sign < 0 else "" for row in model.layout.joints]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InertiaWarning)
        return Model(
            parent=model.parent,
            jtype=[_SPATIAL[code] + sign for code, sign in zip(joints, signs, strict=True)],
            Xtree=[spatial_transform(X) for X in model.Xtree],
            I=[_solid(x) for x in model.I],
            gravity=[*model.gravity, 0.0],
            name=model.name,
            joint_names=model.joint_names,
            body_names=model.body_names,
            limits=model.limits,
            frames=frames or None,
            **model._joint_terms(),
        )


def _solid(I: np.ndarray) -> np.ndarray:
    """Return an inertia in space that a planar one is part of."""
    if not I[2, 2]:
        return np.diag([I[0, 0], I[0, 0], I[0, 0], 0, 0, 0])
    m, c, moment = (np.asarray(x) for x in inertia_parts(I))
    return np.asarray(mcI(m, [*c, 0.0], moment * np.eye(3)))
