"""Common constraints by name: welds, loop joints, contacts."""

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
    """Weld two bodies, or a body and the base: all six directions are held.

    Parameters
    ----------
    body2 : int, str or Frame
        The second body.
    frame2 : array_like, shape (6, 6), optional
        Transform from it to the frame that meets the other.
    body1 : int, str or Frame, optional
        The first body; the base by default.
    frame1 : array_like, shape (6, 6), optional
        Transform from it to its frame. On the base the position error wants it, and
        ``weld(...).placed(model, q)`` takes it from a configuration.

    Returns
    -------
    FrameConstraint
        Of six rows, of a planar model three.

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
    """A loop closed by a hinge, about the z axes of two frames that meet.

    Parameters
    ----------
    body2 : int, str or Frame
        The second body.
    frame2 : array_like, shape (6, 6), optional
        Transform from it to the frame that meets the other.
    body1 : int, str or Frame, optional
        The first body; the base by default.
    frame1 : array_like, shape (6, 6), optional
        Transform from it to its frame; on the base the position error wants it, as of `weld`.

    Returns
    -------
    FrameConstraint
        Of five rows: all but the turn about z.

    Examples
    --------
    >>> from spatial_v2 import ConstraintSet, autoTree
    >>> ConstraintSet(autoTree(7), [hinge_loop(6, body1=2)])
    <ConstraintSet: 1 constraint, 5 rows>
    """
    return FrameConstraint(body2, frame2, body1, frame1, rows=[0, 1, 3, 4, 5])


def ball_loop(body2: Body, point2: Any, body1: Body, point1: Any) -> PointConstraint:
    """A loop closed by a ball joint; of a planar model by a hinge.

    Parameters
    ----------
    body2 : int, str or Frame
        The second body.
    point2 : array_like, shape (3,)
        Its point [m]. Of a planar model (2,).
    body1 : int, str or Frame
        The first body.
    point1 : array_like, shape (3,)
        Its point, which meets the other.

    Returns
    -------
    PointConstraint
        Of three rows, of a planar model two.

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
    """A point of a body that sticks to the ground, or slides on it without friction.

    Parameters
    ----------
    body : int, str or Frame
        The body.
    point : array_like, shape (3,), optional
        Its point [m]; the origin by default. Of a planar model (2,).
    ground : array_like, shape (3,), optional
        Its place on the ground in base coordinates [m]; needed for the position error and
        ``point_contact(...).placed(model, q)`` takes it from a configuration.
    normal : array_like, shape (3,), optional
        The normal of the ground for a contact that slides; one row in its direction.

    Returns
    -------
    PointConstraint
        Of three rows, or one; of a planar model two, or one.

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
    """A face of a body flat on the ground: the x-y plane of a frame, a foot.

    Parameters
    ----------
    body : int, str or Frame
        The body. A foot of a planar model has its x axis on the ground.
    frame : array_like, shape (6, 6), optional
        Transform to the frame of the face; the identity by default.
    ground : array_like, shape (6, 6), optional
        Its place on the ground, a transform from the base; needed for the position error and
        ``surface_contact(...).placed(model, q)`` takes it from a configuration.
    sticks : bool, optional
        If True it sticks; otherwise it slides and turns about z without friction, three rows.

    Returns
    -------
    FrameConstraint
        With the axes of the face; of six rows, or three.

    Examples
    --------
    >>> from spatial_v2 import ConstraintSet, autoTree
    >>> ConstraintSet(autoTree(7), [surface_contact(6), surface_contact(5, sticks=False)])
    <ConstraintSet: 2 constraints, 9 rows>
    """
    return FrameConstraint(body, frame, frame1=ground, rows=None if sticks else [0, 1, 5])
