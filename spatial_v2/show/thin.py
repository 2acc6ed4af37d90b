"""Thinning of long motions for pages: fewer key frames, more of them where the motion bends."""

from __future__ import annotations

import numpy as np

from spatial_v2.configuration import configurationDifference
from spatial_v2.model import Model
from spatial_v2.show.motion import Motion

__all__ = ["most_frames", "thinned"]

NUMBERS, LEAST = 10**6, 1000
"""Largest number of numbers in the poses of a page, seven for each body and key frame; number of
key frames that a page always may have.
"""
EVEN = 0.25
"""Share of the key frames that is spread evenly over the given ones."""


def most_frames(model: Model) -> int:
    """Return the largest number of given key frames that a page has."""
    return max(LEAST, NUMBERS // (7 * model.NB))


def thinned(model: Model, motion: Motion) -> tuple[Motion, str]:
    """Drop key frames of a motion that has too many for a page.

    Parameters
    ----------
    model : Model
        The robot.
    motion : Motion
        The motion.

    Returns
    -------
    motion : Motion
        The same motion, or one with some of its key frames. First and last frame are kept, and both
        frames of a jump.
    notice : str
        Number of instants that are kept, and distance of the interpolated configurations from those
        that were dropped; "" if none were.
    """
    count, most = len(motion.t), most_frames(model)
    if count <= most:
        return motion, ""
    keep = _chosen(model, motion, most)
    short = motion._replace(
        t=motion.t[keep],
        q=motion.q[keep],
        f_ext=None if motion.f_ext is None else motion.f_ext[keep],
        f_contact=None if motion.f_contact is None else motion.f_contact[keep],
    )
    gone = np.setdiff1d(np.arange(count), keep)
    off = configurationDifference(model, motion.q[gone], short.at(model, motion.t[gone]))
    return short, (
        f"the page shows {len(keep)} of {count} instants; at the others it differs from the given "
        f"configurations by at most {np.abs(np.asarray(off)).max(initial=0.0):.0e} (rad, m)"
    )


def _chosen(model: Model, motion: Motion, most: int) -> np.ndarray:
    """Return the indices of the key frames to keep, densest where dropping them changes most."""
    step = np.diff(motion.t)
    _, rate = motion.steps(model)
    bend = _bend(rate, step)
    for forces in (motion.f_ext, motion.f_contact):
        if forces is not None:
            change = np.diff(forces.reshape(len(forces), -1), axis=0)
            slope = change / np.where(step > 0, step, np.inf)[:, None]
            bend = bend + _bend(slope, step) / max(1e-300, float(np.abs(forces).max()))
    weight = np.sqrt(bend)
    weight += EVEN / (1 - EVEN) * (weight.mean() or 1.0)
    reached = np.concatenate([[0.0], np.cumsum(weight)])
    even = np.searchsorted(reached, np.linspace(0, reached[-1], most))
    jumps = np.flatnonzero(step == 0)[:most]
    return np.unique(np.concatenate([[0, len(step)], even.clip(0, len(step)), jumps, jumps + 1]))


def _bend(rate: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Return how far each of the N - 1 frames after the first is from the straight line between its
    neighbours.
    """
    turn = np.abs(np.diff(rate, axis=0)).max(axis=1, initial=0.0)
    before, after = step[:-1], step[1:]
    both = before + after
    arm = np.where(both > 0, before * after / np.where(both > 0, both, 1.0), 0.0)
    return np.append(turn * arm, 0.0)
