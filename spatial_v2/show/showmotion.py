"""A robot in motion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numpy.typing import ArrayLike

from spatial_v2.model import Model
from spatial_v2.show.animation import Animation
from spatial_v2.show.motion import read_motion, with_contact_forces, with_forces
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
        The rigid-body tree. It is drawn by ``model.appearance``, in MATLAB's drawing language, or,
        without one, as bones between its joints; and seen by ``model.camera``.
    t : array_like, shape (N,), optional
        Instants, non-decreasing [s]. If not given each freedom moves in turn.
    q : array_like, shape (N, NQ), or callable, optional
        Configurations, an instant a row; MATLAB has an instant a column. Or a function of time,
        which is asked at the instants or, if they are two, sixty times a second between them.
    f_ext : array_like, shape (N, NB, 6), planar (N, NB, 3), optional
        External forces on the bodies at the instants, as of `ID`, in base coordinates [N m, N]:
        shown as screws, each on its axis.
    f_contact : array_like, shape (N, n, 3), planar (N, n, 2), optional
        Forces on the n points of ``model.gc`` at the instants, as `gcontact` gives them, in base
        coordinates [N].
    overlays : str or sequence of str, optional
        Overlays that are shown at first; the page can switch each of them: ``"frames"``,
        ``"names"``, ``"axes"`` of the joints, ``"velocities"`` as screws, ``"com"`` for the centre
        of mass and its path, ``"momentum"``, ``"ellipsoids"`` and ``"boxes"`` of the inertias,
        ``"contacts"`` with `f_contact`, ``"forces"``, which come with `f_ext`.

    Returns
    -------
    Animation
        A notebook shows it; `Animation.open` shows it in a browser, `Animation.save` writes a page
        that needs nothing else, or pictures.

    Raises
    ------
    SpatialError, ArrayShapeError
        Times or configurations that make no motion.
    ModelError
        A wrong drawing instruction or camera.

    See Also
    --------
    show : A robot at rest.

    Notes
    -----
    Between instants each joint moves along its configuration space at constant velocity:
    ``q(t) = q0 (+) s (q1 (-) q0)``; see `configurationAddition`. Before the first and after
    the last instant the robot rests.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2 import puma560, showmotion
    >>> showmotion(puma560(), [0, 2], lambda t: np.sin(t) * np.ones(6), overlays="com")
    Animation of 'puma560': 6 bodies, 0 .. 2 s
    """
    motion = with_forces(model, read_motion(model, t, q), f_ext)
    motion = with_contact_forces(model, motion, f_contact)
    chosen = [overlays] if isinstance(overlays, str) else list(overlays)
    for name, given in (("forces", f_ext), ("contacts", f_contact)):
        if given is not None and name not in chosen:
            chosen.append(name)
    return Animation(make_scene(model, motion, chosen))
