"""Constraints for the kinematic loops that a robot file defines."""

from __future__ import annotations

from spatial_v2.constraints.ConstraintSet import Constraint, ConstraintSet
from spatial_v2.constraints.FrameConstraint import FrameConstraint
from spatial_v2.constraints.PointConstraint import PointConstraint
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame, find_frame
from spatial_v2.model.state import check_model
from spatial_v2.spatial import transform_parts

__all__ = ["loop_constraints"]


def loop_constraints(model: Model) -> ConstraintSet:
    """Return constraints that close the kinematic loops of a robot file.

    Parameters
    ----------
    model : Model
        A model with ``loops``, which come from a URDF file with ``loop`` elements, an SDF file in
        which a link is the child of several joints, or an MJCF file with equality constraints
        ``connect`` and ``weld``.

    Returns
    -------
    ConstraintSet
        One constraint per loop, in the order of ``model.loops``: a `PointConstraint` for ball
        joints and ``connect``, a `FrameConstraint` for other joints and ``weld``. Loops that
        connect a body with itself are left out. The set is empty for a model without loops.

    Notes
    -----
    MuJoCo's constraints are stiff springs and dampers; these are exact. Joints that follow other
    joints (equality ``joint``, mimic) are in ``model.mimic`` and are not included.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2 import Loop, autoTree, xlt
    >>> tip = Loop("point", "body2", xlt([1, 0, 0]), "body0", np.eye(6), np.eye(6)[:, 3:])
    >>> loop_constraints(autoTree(3).replace(loops={"tip": tip}))
    <ConstraintSet: 1 constraint, 3 rows>
    """
    check_model(model)
    constraints: list[Constraint] = []
    for name, loop in (model.loops or {}).items():
        kind, frame1, X1, frame2, X2, rows = loop
        one = find_frame(model, frame1, f"loops[{name!r}].frame1")
        two = find_frame(model, frame2, f"loops[{name!r}].frame2")
        one, two = Frame(one.body, X1 @ one.X), Frame(two.body, X2 @ two.X)
        if one.body == two.body:
            continue
        if kind == "point":
            r1, r2 = transform_parts(one.X)[1], transform_parts(two.X)[1]
            constraints.append(PointConstraint(two.body, r2, one.body, r1))
        else:
            constraints.append(FrameConstraint(two, None, one, None, rows=rows, axes="body1"))
    return ConstraintSet(model, constraints)
