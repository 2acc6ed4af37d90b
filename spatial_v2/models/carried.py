"""Fields that belong to bodies, for bodies that got other numbers or became parts of others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.model.frame import Frame
from spatial_v2.models.drawings import moved_drawing, spatial_transform
from spatial_v2.spatial import Xpt

__all__ = ["Place", "carried"]

Place = Frame | None
"""Body and transform from it to the coordinates of a former body; None if that was removed."""


def carried(fields: dict[str, Any], base: Frame, places: Sequence[Place], n: int) -> dict[str, Any]:
    """Return drawings, camera, contact points and frames for bodies that are elsewhere.

    Parameters
    ----------
    fields : dict
        Fields of the former model.
    base : Frame
        The place of its base.
    places : sequence of Frame or None
        The place of each of its bodies.
    n : int
        Number of bodies of the new model.
    """
    destinations = [*places, base]  # so that -1 is the base
    new: dict[str, Any] = {}
    if fields["appearance"]:
        drawings: list[list[list[Any]]] = [[] for _ in range(n + 1)]
        old = list(fields["appearance"].get("body", []))
        ends = [*old, *[[]] * (len(places) - len(old)), fields["appearance"].get("base", [])]
        for place, drawing in zip(destinations, ends, strict=True):
            if place is not None and len(drawing):
                drawings[place.body].append(moved_drawing(drawing, spatial_transform(place.X)))
        # a nested list has its own colours
        whole = [x[0] if len(x) == 1 else x for x in drawings]
        new["appearance"] = {"base": whole[-1], "body": whole[:-1]}
    if fields["frames"] is not None:
        moved = ((name, destinations[f.body], f.X) for name, f in fields["frames"].items())
        new["frames"] = {name: Frame(p.body, X @ p.X) for name, p, X in moved if p is not None}
    if fields["gc"]:
        pairs = zip(np.asarray(fields["gc"]["body"]).tolist(), fields["gc"]["point"], strict=True)
        points = [
            (x, p) for body, p in pairs if (x := destinations[body]) is not None and x.body >= 0
        ]
        moved_points = [_point(place, p) for place, p in points]
        d = np.shape(fields["gc"]["point"])[1]
        new["gc"] = {
            "point": np.reshape(moved_points, (-1, d)),
            "body": [x.body for x, _ in points],
        }
    if fields["camera"] and "body" in fields["camera"]:
        place = destinations[fields["camera"]["body"]]
        camera = {**fields["camera"], "body": -1 if place is None else place.body}
        if place is not None and not np.array_equal(place.X, np.eye(len(place.X))):
            X = Frame(place.body, spatial_transform(place.X))
            camera["trackpoint"] = _point(X, np.asarray(camera.get("trackpoint", np.zeros(3))))
        new["camera"] = camera
    return new


def _point(place: Frame, p: Any) -> np.ndarray:
    """Return a point in coordinates of the body of a place."""
    X = np.asarray(place.X).real.astype(np.float64)
    return np.asarray(Xpt(np.linalg.inv(X), np.asarray(p, dtype=np.float64)))
