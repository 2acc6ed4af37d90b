"""`show`: display of a robot at rest."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.typing import ArrayLike

from spatial_v2.couplings.free import free_tree
from spatial_v2.model import Model
from spatial_v2.show.animation import Animation
from spatial_v2.show.motion import free, read_still
from spatial_v2.show.scene import make_scene

__all__ = ["show"]


def show(
    model: Model, q: ArrayLike | None = None, *, overlays: str | Sequence[str] = ()
) -> Animation:
    """Show a robot at rest.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q : array_like, shape (NQ,), optional
        Configuration [rad or m]; the neutral one if not given.
    overlays : str or sequence of str, optional
        Overlays; see `showmotion`.

    Returns
    -------
    Animation
        The animation; a notebook displays it, and it can be opened in a browser and saved.

    Raises
    ------
    ArrayShapeError
        If q is not one configuration.
    ModelError
        If a drawing instruction or the camera is wrong.

    See Also
    --------
    showmotion : A robot in motion.

    Examples
    --------
    >>> from spatial_v2 import puma560, show
    >>> show(puma560(), [0, 1, -1, 0, 0, 0]).image(size=(160, 120))[0, 0].round(3)
    array([238, 241, 244], dtype=uint8)
    """
    still = free(model, read_still(model, q))
    return Animation(make_scene(free_tree(model), still, overlays))
