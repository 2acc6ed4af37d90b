"""Functions that make common constraints: welds, loop joints, contacts."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_numbers
from spatial_v2.constraints.ends import Body
from spatial_v2.constraints.FrameConstraint import FrameConstraint
from spatial_v2.constraints.PointConstraint import PointConstraint
from spatial_v2.exceptions import ModelError

__all__ = ["ball_loop", "hinge_loop", "point_contact", "surface_contact", "weld"]


def weld(body2: Body, frame2: Any = None, body1: Body = -1, frame1: Any = None) -> FrameConstraint:
    """Weld two bodies, or a body to the base: all six directions are constrained.

    Parameters
    ----------
    body2 : int, str or Frame
        The second body.
    frame2 : array_like, shape (6, 6), optional
        Transform from body 2 to the frame that coincides with frame 1; the identity by default.
    body1 : int, str or Frame, optional
        The first body; the base by default.
    frame1 : array_like, shape (6, 6), optional
        Transform from body 1 to frame 1. If body 1 is the base, only the position error needs it,
        and ``weld(...).placed(model, q)`` computes it from a configuration.

    Returns
    -------
    FrameConstraint
        A constraint with six rows; three for a planar model.

    Examples
    --------
    >>> from spatial_v2 import ConstraintSet, autoTree
    >>> ConstraintSet(autoTree(7), [weld(6)])
    <ConstraintSet: 1 constraint, 6 rows>
    """
    return FrameConstraint(body2, frame2, body1, frame1)


def hinge_loop(
    body2: Body, frame2: Any = None, body1: Body = -1, frame1: Any = None
) -> FrameConstraint:
    """Close a loop by a hinge about the common z axis of two frames.

    In a planar model `ball_loop` does the same.

    Parameters
    ----------
    body2 : int, str or Frame
        The second body.
    frame2 : array_like, shape (6, 6), optional
        Transform from body 2 to frame 2; the identity by default.
    body1 : int, str or Frame, optional
        The first body; the base by default.
    frame1 : array_like, shape (6, 6), optional
        Transform from body 1 to frame 1; see `weld`.

    Returns
    -------
    FrameConstraint
        A constraint with five rows: all but rotation about z.

    Examples
    --------
    >>> from spatial_v2 import ConstraintSet, autoTree
    >>> ConstraintSet(autoTree(7), [hinge_loop(6, body1=2)])
    <ConstraintSet: 1 constraint, 5 rows>
    """
    return FrameConstraint(body2, frame2, body1, frame1, rows=[0, 1, 3, 4, 5])


def ball_loop(body2: Body, point2: Any, body1: Body, point1: Any) -> PointConstraint:
    """Close a loop by a ball joint; for a planar model, by a hinge.

    Parameters
    ----------
    body2 : int, str or Frame
        The second body.
    point2 : array_like, shape (3,)
        The centre of the joint on body 2 [m]. Shape (2,) for a planar model.
    body1 : int, str or Frame
        The first body.
    point1 : array_like, shape (3,)
        The centre of the joint on body 1 [m].

    Returns
    -------
    PointConstraint
        A constraint with three rows; two for a planar model.

    Examples
    --------
    >>> from spatial_v2 import ConstraintSet, autoTree
    >>> ConstraintSet(autoTree(7), [ball_loop(6, [1, 0, 0], 2, [0, 1, 0])])
    <ConstraintSet: 1 constraint, 3 rows>
    """
    return PointConstraint(body2, point2, body1, point1)


def point_contact(
    body: Body, point: Any = None, *, ground: Any = None, normal: Any = None
) -> PointConstraint:
    """Make a contact of a point with the ground, which sticks or slides without friction.

    Parameters
    ----------
    body : int, str or Frame
        The body or frame: a number, the name of a frame or a body, or a `Frame`.
    point : array_like, shape (3,), optional
        The point in coordinates of this body or frame [m]; its origin by default. Shape (2,) for a
        planar model.
    ground : array_like, shape (3,), optional
        The point on the ground in base coordinates [m]. Only the position error needs it, and
        ``point_contact(...).placed(model, q)`` computes it from a configuration.
    normal : array_like, shape (3,), optional
        The normal of the ground, if the contact slides: the constraint has one row, along it.

    Returns
    -------
    PointConstraint
        A constraint with three rows (two for a planar model), or with one row if it slides.

    Examples
    --------
    >>> from spatial_v2 import ConstraintSet, autoTree
    >>> ConstraintSet(autoTree(7), [point_contact(6), point_contact(5, normal=[0, 0, 1])])
    <ConstraintSet: 2 constraints, 4 rows>
    """
    if normal is None:
        return PointConstraint(body, point, point1=ground)
    n = as_numbers(normal, "normal")
    size = np.sqrt((n * n).sum()) if n.ndim == 1 else 0.0
    if not size > 0:
        raise ModelError(f"normal: want a vector other than zero, got {normal!r}")
    return PointConstraint(body, point, point1=ground, directions=[n / size])


def surface_contact(
    body: Body, frame: Any = None, *, ground: Any = None, sticks: bool = True
) -> FrameConstraint:
    """Make a contact of a flat face of a body, such as a sole, with the ground.

    The face is the x-y plane of a frame.

    Parameters
    ----------
    body : int, str or Frame
        The body. For a planar model the face is the x axis of the frame.
    frame : array_like, shape (6, 6), optional
        Transform from the body to the frame of the face; the identity by default.
    ground : array_like, shape (6, 6), optional
        Transform from the base to the frame on the ground. Only the position error needs it, and
        ``surface_contact(...).placed(model, q)`` computes it from a configuration.
    sticks : bool, optional
        If True the contact sticks; otherwise it slides, and rotates about z, without friction. In a
        planar model ``FrameConstraint(body, frame, rows=[0, 2])`` slides.

    Returns
    -------
    FrameConstraint
        A constraint in the axes of the face, with six rows, or with three if it slides.

    Examples
    --------
    >>> from spatial_v2 import ConstraintSet, autoTree
    >>> ConstraintSet(autoTree(7), [surface_contact(6), surface_contact(5, sticks=False)])
    <ConstraintSet: 2 constraints, 9 rows>
    """
    if not isinstance(sticks, (bool, np.bool)):
        raise ModelError(f"sticks: want True or False, got {sticks!r}")
    return FrameConstraint(body, frame, frame1=ground, rows=None if sticks else [0, 1, 5])
