"""Places of labels in a picture, such that none covers another."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["Rectangle", "overlap", "place_labels"]

Rectangle = tuple[float, float, float, float]
"""Left, top, right and bottom, in pixels."""
CORNERS = ((1, -1), (-1, -1), (1, 1), (-1, 1))
"""Directions in which a label is tried: to the right and up, to the left and up, and so on."""
RINGS = 24
"""Number of distances that are tried."""


def overlap(a: Rectangle, b: Rectangle) -> bool:
    """Return whether two rectangles overlap.

    Examples
    --------
    >>> overlap((0, 0, 2, 1), (1, 0, 3, 1)), overlap((0, 0, 2, 1), (2, 0, 3, 1))
    (True, False)
    """
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def place_labels(
    points: Sequence[tuple[float, float]],
    sizes: Sequence[tuple[float, float]],
    picture: tuple[float, float],
    taken: Sequence[Rectangle] = (),
) -> list[Rectangle | None]:
    """Place a label beside each point, as near to it as others leave space.

    Parameters
    ----------
    points : sequence of (float, float)
        Points to be labelled, in pixels to the right and down.
    sizes : sequence of (float, float)
        Width and height of the labels.
    picture : (float, float)
        Width and height of the picture.
    taken : sequence of Rectangle, optional
        Rectangles that must stay free of labels.

    Returns
    -------
    list of Rectangle or None
        Rectangles of the labels; None for a label that fits nowhere.

    Examples
    --------
    >>> place_labels([(50, 50), (52, 51)], [(30, 10), (30, 10)], (100, 100))
    [(55.0, 35.0, 85.0, 45.0), (17.0, 36.0, 47.0, 46.0)]
    """
    dots = [(x - 2.0, y - 2.0, x + 2.0, y + 2.0) for x, y in points]
    full, places = [*taken, *dots], []
    for (x, y), (w, h) in zip(points, sizes, strict=True):
        place = None
        for ring in range(1, RINGS + 1):
            d = 0.5 * h * ring
            tried = (
                (x + d if right > 0 else x - d - w, y + d if down > 0 else y - d - h)
                for right, down in CORNERS
            )
            rectangles = ((left, top, left + w, top + h) for left, top in tried)
            place = next((r for r in rectangles if _fits(r, picture, full)), None)
            if place:
                full.append(place)
                break
        places.append(place)
    return places


def _fits(r: Rectangle, picture: tuple[float, float], full: Sequence[Rectangle]) -> bool:
    inside = r[0] >= 0 and r[1] >= 0 and r[2] <= picture[0] and r[3] <= picture[1]
    return inside and not any(overlap(r, other) for other in full)
