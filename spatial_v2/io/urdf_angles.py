"""Conversion of rotations to the roll, pitch and yaw angles of robot files."""

from __future__ import annotations

import numpy as np

__all__ = ["roll_pitch_yaw"]


def roll_pitch_yaw(R: np.ndarray) -> np.ndarray:
    """Compute [roll, pitch, yaw] with ``R = Rz(yaw) Ry(pitch) Rx(roll)``, accurate at any pitch.

    Examples
    --------
    >>> roll_pitch_yaw(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]])) / np.pi
    array([0. , 0. , 0.5])
    """
    yaw = np.arctan2(R[1, 0], R[0, 0])
    c, s = np.cos(yaw), np.sin(yaw)
    pitch = np.arctan2(-R[2, 0], c * R[0, 0] + s * R[1, 0])
    roll = np.arctan2(s * R[0, 2] - c * R[1, 2], c * R[1, 1] - s * R[0, 1])
    return np.array([roll, pitch, yaw]) + 0.0
