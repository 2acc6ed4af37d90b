"""Mistakes that a wrong answer shows: a sign, the order of halves, units, a frame, a transpose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

__all__ = ["FACTORS", "TRANSPOSED", "diagnosis"]

FACTORS: Mapping[float, str] = {
    -1.0: "The sign is wrong, the rest is right.",
    180 / np.pi: "That is in degrees: angles are in radians.",
    np.pi / 180: "Here an angle in degrees was taken for one in radians.",
    9.8 / 9.81: "The acceleration of gravity is 9.81 m/s^2 here, not 9.8.",
    10 / 9.81: "The acceleration of gravity is 9.81 m/s^2 here, not 10.",
    1e3: "The units: a thousand times too large. Lengths are in metres, masses in kilograms.",
    1e-3: "The units: a thousand times too small. Lengths are in metres, masses in kilograms.",
}
"""Sentences by the factor between an answer and the right one."""
HALVES = "The halves are in the other order: the angular part comes first."
TRANSPOSED = "That is the transpose: exchange rows and columns."
FRAME = (
    "The lengths of the vectors are right, the directions are not. In which frame are the "
    "components?"
)


def diagnosis(
    answer: np.ndarray, right: np.ndarray, equal: Callable[[np.ndarray, np.ndarray], bool]
) -> str:
    """Say which general mistake turns the right numbers into those of an answer.

    Parameters
    ----------
    answer, right : array
        Numbers of one shape.
    equal : callable
        Tells whether an answer agrees with other numbers.

    Returns
    -------
    str
        A sentence; empty if none of the mistakes fits.

    Examples
    --------
    >>> right = np.array([0.0, 0, 2, 1, 0, 3])
    >>> diagnosis(-right, right, np.allclose)
    'The sign is wrong, the rest is right.'
    >>> diagnosis(np.roll(right, 3), right, np.allclose)
    'The halves are in the other order: the angular part comes first.'
    """
    for factor, text in FACTORS.items():
        if equal(answer, factor * right):
            return text
    for text, wrong in _rearranged(right):
        if equal(answer, wrong):
            return text
    if right.shape[-1:] in ((3,), (6,)) and right.ndim == 1:
        lengths = [np.linalg.norm(x.reshape(-1, 3), axis=1) for x in (answer, right)]
        if lengths[1].any() and equal(*lengths):
            return FRAME
    return ""


def _rearranged(right: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Yield sentences, and the right numbers in another order."""
    size = right.shape
    if size[-1:] == (6,):
        yield HALVES, np.roll(right, 3, axis=-1)
    if size[-2:-1] == (6,):
        yield HALVES, np.roll(right, 3, axis=-2)
    if size[-2:] == (6, 6):
        yield HALVES, np.roll(right, (3, 3), axis=(-2, -1))
    if right.ndim > 1 and size[-1] == size[-2]:
        yield TRANSPOSED, np.swapaxes(right, -1, -2)
