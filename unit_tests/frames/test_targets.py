"""Targets of inverse kinematics that are given as poses: by a kernel and by NumPy."""

import sys
from typing import Any

import numpy as np
import pytest

from spatial_v2 import ModelError, SpatialError, exp6, pose_to_transform
from spatial_v2.frames.inverse_kinematics import as_target


@pytest.mark.parametrize("lead", [(), (1,), (3, 2), (0,)])
def test_the_kernel_makes_the_same_transforms(lead: tuple[int, ...]) -> None:
    T = exp6(np.random.default_rng(0).normal(size=(*lead, 6)))
    X = as_target(T, 6)
    assert X.shape == (*lead, 6, 6)
    np.testing.assert_allclose(X, pose_to_transform(T), atol=1e-15)
    backwards = np.asfortranarray(T)
    assert np.array_equal(as_target(backwards, 6), X)


def _wrong() -> dict[str, np.ndarray]:
    one = np.eye(4)
    found = {name: one.copy() for name in ("skewed", "mirrored", "row", "far", "nan", "huge")}
    found["skewed"][0, 1] = 1e-6
    found["mirrored"][2, 2] = -1
    found["row"][3, 1] = 0.5
    found["far"][0, 3] = np.inf
    found["nan"][1, 1] = np.nan
    found["huge"][:3, :3] *= 2
    return found


@pytest.mark.parametrize("kind", _wrong())
def test_what_is_no_pose_is_refused(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same words with and without the kernel, alone and in a batch."""
    wrong: Any = _wrong()[kind]
    for T in (wrong, np.array([np.eye(4), wrong])):
        with pytest.raises((SpatialError, ModelError)) as fast:
            as_target(T, 6)
        with monkeypatch.context() as patch:
            patch.setattr(sys.modules[as_target.__module__], "has_kernels", lambda *names: False)
            with pytest.raises((SpatialError, ModelError)) as slow:
                as_target(T, 6)
        assert str(fast.value) == str(slow.value) and "X_target" in str(fast.value)
