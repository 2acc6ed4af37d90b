"""Functions bound to a frame: results equal those of calls, for every function of a frame."""

from typing import Any

import numpy as np
import pytest
import zoo
from derivative_checks import draw
from helpers import parts
from numpy.testing import assert_array_equal
from public_functions import functions_of_state
from test_frame_kernels import KERNELS, given_to
from test_frames import frames, some_frame, whole_zoo

from spatial_v2 import Frame, FrameJacobian, autoTree, xlt

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")


def equal(found: Any, wanted: Any) -> None:
    for x, y in zip(parts(found), parts(wanted), strict=True):
        assert_array_equal(x, y)


def test_all_functions_of_a_frame_are_listed() -> None:
    found = {
        f.__name__ for _, f, _ in functions_of_state() if hasattr(f, "work") and f.work.of_frame
    }
    assert found == KERNELS.keys()


@pytest.mark.parametrize("function", KERNELS)
@whole_zoo
def test_a_bound_frame_gives_the_same_results(name: str, function: str) -> None:
    """For frames and numbers of bodies, single states and batches, lists, given arrays, and other
    options in the call.
    """
    run = KERNELS[function]
    for shape in ((), (3,), (2, 3)):
        model, s = draw(name, shape)
        given = given_to(function, model, s)
        for frame in (*frames(model), 0):
            bound, wanted = run.bind(model, frame=frame), run(model, *given, frame)
            equal(bound(*given), wanted)
            equal(bound(*(x.tolist() for x in given)), wanted)
            equal(bound(*given, axes="base"), run(model, *given, frame, "base"))
            equal(bound(*given, frame=-1), run(model, *given, -1))
            out = tuple(np.full_like(x, np.nan) for x in parts(wanted))
            result = bound(*given, out=out if len(out) > 1 else out[0])
            equal(result, wanted)
            assert all(x is y for x, y in zip(parts(result), out, strict=True))
        mixed = run.bind(model, frame=frame, axes="mixed")
        equal(mixed(*given), run(model, *given, frame, "mixed"))


@pytest.mark.parametrize(
    "frame", [1, "tool", Frame(1, xlt([0.3, 0.0, 0.0]))], ids=["1", "tool", "X"]
)
def test_edits_of_the_model_reach_a_bound_frame(frame: Any) -> None:
    """Of a transform, a joint type, and a named frame."""
    model = autoTree(3).replace(frames={"tool": (2, xlt([0.5, 0.0, 0.0]))})
    q, bound = np.array([0.1, 0.2, 0.3]), FrameJacobian.bind(model, frame=frame)
    before = bound(q)
    model.Xtree = {1: xlt([2.0, 0.0, 0.0])}
    equal(bound(q), FrameJacobian(model, q, frame))
    assert not np.array_equal(bound(q), before)
    model.jtype = {0: "Rx"}
    equal(bound(q), FrameJacobian(model, q, frame))
    if frame == "tool":
        model.frames = {"tool": Frame(0, np.eye(6))}
        equal(bound(q), FrameJacobian(model, q, 0))


def test_a_bound_frame_is_a_copy() -> None:
    model = zoo.build("floating")
    frame = some_frame(model)
    bound, s = FrameJacobian.bind(model, frame=frame), draw("floating")[1]
    before = bound(s.q)
    frame.X[:] = np.eye(6)
    equal(bound(s.q), before)


def test_a_frame_by_position_conflicts_with_a_bound_one() -> None:
    bound = FrameJacobian.bind(autoTree(3), frame=1)
    for q in (np.zeros(3), np.zeros((2, 3))):
        with pytest.raises(TypeError, match="'frame' was fixed by bind"):
            bound(q, 2)
        with pytest.raises(TypeError, match="'frame' was fixed by bind"):
            bound(q, 2, out=np.zeros((*q.shape[:-1], 6, 3)))
