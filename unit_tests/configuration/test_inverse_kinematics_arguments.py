"""Arguments of inverse kinematics: they are checked and not changed, and words stand
for weights.
"""

from typing import Any

import numpy as np
import pytest
import zoo
from test_inverse_kinematics import pose

from spatial_v2 import (
    ArrayShapeError,
    ModelError,
    SpatialError,
    autoTree,
    inverse_kinematics,
    planar,
    plnr,
    plux,
    puma560,
    random_configuration,
)
from spatial_v2.exceptions import ConvergenceWarning

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")


def test_arguments_are_left_alone() -> None:
    model, q = puma560(), np.full(6, 0.3)
    target = pose(model, q + 0.1, 5)
    kept = q.copy(), target.copy()
    inverse_kinematics(model, 5, target, q)
    np.testing.assert_array_equal(q, kept[0])
    np.testing.assert_array_equal(target, kept[1])


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"frame": "hand"}, ModelError, "frame: no frame and no body is called 'hand'"),
        ({"X_target": np.eye(5)}, ArrayShapeError, r"X_target must have shape \(..., 6, 6\)"),
        ({"X_target": 2 * np.eye(6)}, ModelError, r"X_target\[0\] is not a Pluecker transform"),
        ({"X_target": np.eye(6) * np.nan}, ModelError, r"X_target\[0\] .* not finite"),
        ({"X_target": np.eye(6) + 0j}, ArrayShapeError, "X_target must be real"),
        ({"q0": np.zeros(2)}, ArrayShapeError, r"q0: want shape \(..., 3\)"),
        ({"q0": np.zeros(3) + 0j}, ArrayShapeError, "q0 must be real"),
        ({"q0": [0, np.nan, 0]}, SpatialError, "q0: want finite numbers"),
        ({"q0": np.zeros((2, 3)), "X_target": np.tile(np.eye(6), (3, 1, 1))}, ArrayShapeError,
         "leading axes do not broadcast: X_target"),
        ({"rows": "rotation"}, SpatialError, "rows: want 'pose', 'position', 'orientation' or 6"),
        ({"rows": np.ones(5)}, ArrayShapeError, r"rows: want 6 weights, got shape \(5,\)"),
        ({"rows": -np.ones(6)}, SpatialError, "rows: want weights of at least zero"),
        ({"rows": np.zeros(6)}, SpatialError, "rows: .* not all zero"),
        ({"error": "log"}, SpatialError, "error: want 'pose' or 'log6', got 'log'"),
        ({"limits": "none"}, SpatialError, "limits: want 'model', None or a pair"),
        ({"limits": ([0, 0], [1, 1])}, ArrayShapeError, r"limits: lower must have shape \(3,\)"),
        ({"limits": ([0, 2, 0], [1, 1, 1])}, SpatialError, r"limits: .* 2.0 and 1.0 for q\[1\]"),
        ({"limits": ([np.inf] * 3, [np.inf] * 3)}, SpatialError, r"limits: .* inf and inf for q"),
        ({"limits": ([[0, 0], [1]], [1, 1])}, ArrayShapeError, "limits: lower must be one array"),
        ({"limits": np.array(1.0)}, SpatialError, "limits: want 'model', None or a pair"),
        ({"error": ["pose"]}, SpatialError, "error: want 'pose' or 'log6'"),
        ({"damping": True}, SpatialError, "damping: want a positive number, got True"),
        ({"damping": 0}, SpatialError, "damping: want a positive number, got 0"),
        ({"tolerance": -1e-9}, SpatialError, "tolerance: want a positive number"),
        ({"tolerance": np.nan}, SpatialError, "tolerance: want a positive number"),
        ({"max_iterations": 1.5}, SpatialError, "max_iterations: want a whole number"),
        ({"restarts": -1}, SpatialError, "restarts: want a whole number"),
        ({"rng": 3}, SpatialError, "rng: want a numpy.random.Generator"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_refused(change: dict[str, Any], error: Any, message: str) -> None:
    given: dict[str, Any] = {"frame": 2, "X_target": np.eye(6), "q0": np.zeros(3), **change}
    with pytest.raises(error, match=message):
        inverse_kinematics(autoTree(3), **given)


def test_joints_of_several_degrees_of_freedom_have_no_bounds() -> None:
    model = autoTree(2).replace(jtype=["S", "Rx"])
    with pytest.raises(SpatialError, match="joints with several degrees of freedom have no bounds"):
        inverse_kinematics(
            model, 1, np.eye(6), [1, 0, 0, 0, 0], limits=(np.full(5, -1.0), np.full(5, 1.0))
        )


def test_restarts_leave_other_joints_alone() -> None:
    """Joints that do not carry the frame keep their positions, whatever happens to the others."""
    model, rng = zoo.build("forest"), np.random.default_rng(3)
    q0 = random_configuration(model, rng, 10)
    target = pose(model, random_configuration(model, rng, 10), 3)
    with pytest.warns(ConvergenceWarning):
        found = inverse_kinematics(model, 3, target, q0, restarts=4, max_iterations=3, rng=rng)
    carry = np.isin(np.arange(model.NB), [2, 3])
    for i, qs in enumerate(model.qinds):
        same = (found.q[:, qs] == q0[:, qs]).all(axis=1)
        assert not same.all() if carry[i] else same.all()


def test_restarts_end_with_the_last_state() -> None:
    """Any number of restarts is allowed; there are no more than needed."""
    model, q, rng = autoTree(3), np.array([0.1, 0.2, 0.3]), np.random.default_rng(0)
    found = inverse_kinematics(model, 2, pose(model, q, 2), q + 0.1, restarts=10**9, rng=rng)
    assert found.converged
    assert rng.random() == np.random.default_rng(0).random()


def test_numbers_of_numpy_are_options() -> None:
    """Scalars and arrays of NumPy count as the numbers and the pair that they hold."""
    model, q = autoTree(3), np.array([0.1, 0.2, 0.3])
    target, limits = pose(model, q, 2), np.array([[-2.0] * 3, [2.0] * 3])
    named = {"damping": np.int64(1), "tolerance": np.array(1e-9), "max_iterations": np.int32(50)}
    found = inverse_kinematics(model, 2, target, q + 0.1, limits=limits, **named)  # type: ignore[arg-type]
    given: Any = {"damping": 1, "tolerance": 1e-9, "max_iterations": 50}
    same = inverse_kinematics(model, 2, target, q + 0.1, limits=(limits[0], limits[1]), **given)
    assert found.converged
    np.testing.assert_array_equal(found.q, same.q)


@pytest.mark.filterwarnings("ignore::spatial_v2.ConvergenceWarning")
@pytest.mark.parametrize("plane", [False, True])
def test_words_for_rows_are_weights(plane: bool) -> None:
    """Words for `rows` give the result of weights one and zero, angular rows first, for a target
    out of reach.
    """
    model = planar(2) if plane else autoTree(3)
    n = 1 if plane else 3
    d = 3 if plane else 6
    target = plnr(0.7, [3.0, 2.0]) if plane else plux(np.eye(3), [3.0, 2.0, 1.0])
    q0 = 0.1 * np.arange(1, model.NQ + 1)
    for word, (angular, linear) in {
        "pose": (1.0, 1.0), "position": (0.0, 1.0), "orientation": (1.0, 0.0),
    }.items():  # fmt: skip
        weights = np.repeat([angular, linear], [n, d - n])
        named, given = (
            inverse_kinematics(model, model.NB - 1, target, q0, rows=x, max_iterations=5)
            for x in (word, weights)
        )
        np.testing.assert_array_equal(named.q, given.q)
