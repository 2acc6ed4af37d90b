"""`showmotion`: display of a robot in motion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numpy.typing import ArrayLike

from spatial_v2.couplings.free import free_tree
from spatial_v2.model import Model
from spatial_v2.show.animation import Animation
from spatial_v2.show.motion import free, read_motion, with_contact_forces, with_forces
from spatial_v2.show.scene import make_scene

__all__ = ["showmotion"]


def showmotion(
    model: Model,
    t: ArrayLike | None = None,
    q: ArrayLike | Callable[[float], Any] | None = None,
    *,
    f_ext: ArrayLike | None = None,
    f_contact: ArrayLike | None = None,
    overlays: str | Sequence[str] = (),
) -> Animation:
    """Show a robot in motion.

    MATLAB: ``showmotion(model,t,q)`` or ``showmotion(model)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree. It is drawn by the instructions in ``model.appearance``, in MATLAB's
        drawing language, or without them as bones between joints. ``model.camera`` sets the camera.
    t : array_like, shape (N,), optional
        Instants, non-decreasing [s]. If not given, each degree of freedom moves in turn.
    q : array_like, shape (N, NQ), or callable, optional
        Configurations, one instant per row (in MATLAB per column). Or a function of time, which is
        evaluated at the instants, or if there are only two, sixty times per second between them.
    f_ext : array_like, shape (N, NB, 6), planar (N, NB, 3), optional
        External forces on the bodies at the instants, as in `ID`, in base coordinates [N m, N].
        Each is shown as a screw on its axis.
    f_contact : array_like, shape (N, n, 3), planar (N, n, 2), optional
        Forces on the n points of ``model.gc`` at the instants, as `gcontact` returns them, in base
        coordinates [N].
    overlays : str or sequence of str, optional
        Overlays that are shown initially; the page has a switch for each: ``"frames"``,
        ``"names"``, ``"axes"`` of the joints, ``"velocities"`` as screws, ``"com"`` for the centre
        of mass and its path, ``"momentum"``, ``"ellipsoids"`` and ``"boxes"`` of the inertias,
        ``"contacts"`` with `f_contact`, ``"forces"``, which are shown if `f_ext` is given.

    Returns
    -------
    Animation
        The animation; a notebook displays it, `Animation.open` shows it in a browser, and
        `Animation.save` writes a self-contained page, pictures or movies.

    Raises
    ------
    SpatialError, ArrayShapeError
        If times or configurations are invalid.
    ModelError
        If a drawing instruction or the camera is wrong.

    See Also
    --------
    show : A robot at rest.

    Notes
    -----
    Between instants each joint moves along its configuration space at constant velocity:
    ``q(t) = q0 (+) s (q1 (-) q0)``, where s runs from 0 to 1; see `configurationAddition`. The
    robot rests before the first and after the last instant.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2 import puma560, showmotion
    >>> showmotion(puma560(), [0, 2], lambda t: np.sin(t) * np.ones(6), overlays="com")
    Animation of 'puma560': 6 bodies, 0 .. 2 s
    """
    motion = free(model, read_motion(model, t, q))
    model = free_tree(model)
    motion = with_forces(model, motion, f_ext)
    motion = with_contact_forces(model, motion, f_contact)
    chosen = [overlays] if isinstance(overlays, str) else list(overlays)
    for name, forces in (("forces", f_ext), ("contacts", f_contact)):
        if forces is not None and name not in chosen:
            chosen.append(name)
    return Animation(make_scene(model, motion, chosen))
