"""Motions to be shown, and functions that read the data in their HTML pages."""

import base64
import json
import re
from typing import Any

import numpy as np

import spatial_v2 as sv


def motion_of(model: sv.Model, n: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """Return a motion with large steps, in which revolute joints turn several times."""
    rng = np.random.default_rng(3)
    t = np.cumsum(rng.uniform(0.2, 1.0, n))
    q = sv.random_configuration(model, rng, (n,))
    steps = np.array([4.0 if k == 1 else 0.4 for k in model.nv for _ in range(k)])
    for k in range(1, n):
        q[k] = sv.configurationAddition(model, q[k - 1], steps * rng.uniform(-1, 1, model.NV))
    return t, q


def embedded(page: str) -> dict[str, Any]:
    """Read the scene from a page."""
    match = re.search(r'<script type="application/json" id="scene">(.*?)</script>', page, re.S)
    assert match
    scene: dict[str, Any] = json.loads(match[1])
    return scene


def world_poses(scene: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Compute orientations R (N, NB, 3, 3) and positions p (N, NB, 3) from the tree and the local
    poses in a page.
    """
    n = len(scene["bodies"])
    numbers = np.frombuffer(base64.b64decode(scene["poses"]), "<f4").astype(float)
    local = numbers.reshape(-1, n, 7)
    turn, p = np.swapaxes(np.asarray(sv.rq(local[..., :4])), -1, -2), local[..., 4:].copy()
    for i, body in enumerate(scene["bodies"]):
        if body["parent"] >= 0:
            j = body["parent"]
            p[:, i] = p[:, j] + (turn[:, j] @ p[:, i, :, None])[..., 0]
            turn[:, i] = turn[:, j] @ turn[:, i]
    return turn, p


def assert_poses(model: sv.Model, q: np.ndarray, R: np.ndarray, p: np.ndarray) -> None:
    wanted = sv.forward_kinematics(model, q)
    n = wanted.R.shape[-1]
    np.testing.assert_allclose(R[..., :n, :n], wanted.R, atol=1e-5)
    np.testing.assert_allclose(p[..., :n], wanted.p, atol=1e-5)


def contact_bodies(model: sv.Model) -> list[int]:
    """Return the body of each contact point."""
    assert model.gc
    return list(model.gc["body"])
