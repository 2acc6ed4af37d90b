"""Kernels of functions of a frame agree with the reference implementations, for single states and
batches.
"""

from typing import Any

import numpy as np
import pytest
import zoo
from derivative_checks import draw
from helpers import all_near, near, parts
from test_frames import all_axes, frames, some_frame, whole_zoo

import spatial_v2 as sv
from derivatives import frame_derivatives, frame_SO_derivatives, modFrame_second_derivatives
from spatial_v2.calls.work import Work

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")


KERNELS: dict[str, Any] = {
    "FrameJacobian": sv.FrameJacobian,
    "frame_derivatives": frame_derivatives,
    "frame_SO_derivatives": frame_SO_derivatives,
    "modFrame_second_derivatives": modFrame_second_derivatives,
    "frame_velocity": sv.frame_velocity,
    "frame_acceleration": sv.frame_acceleration,
    "FrameJacobianTimeDerivative": sv.FrameJacobianTimeDerivative,
}
VELOCITIES = {"frame_velocity": 1, "frame_acceleration": 2, "FrameJacobianTimeDerivative": 1}
"""Number of arguments, velocities and accelerations, that functions take after q."""


def given_to(function: str, model: sv.Model, s: zoo.State) -> tuple[np.ndarray, ...]:
    """Return the arguments of a function that come before the frame."""
    if function != "modFrame_second_derivatives":
        return (s.q, s.qd, s.qdd)[: 1 + VELOCITIES.get(function, 0)]
    rng = np.random.default_rng(2)
    return s.q, s.tau, rng.normal(size=(*s.q.shape[:-1], 3 if model.is_planar else 6))


@all_axes
@pytest.mark.parametrize("function", KERNELS)
@whole_zoo
def test_kernels_are_the_reference_implementation(name: str, function: str, axes: Any) -> None:
    """Kernel and reference implementation agree for one state, for a batch that is no multiple of
    the SIMD width, and at half turns.
    """
    run = KERNELS[function]
    for shape in ((), (19,)):
        model, s = draw(name, shape)
        given = given_to(function, model, s)
        for frame in frames(model):
            page = parts(run.reference(model, *given, frame, axes))
            all_near(parts(run(model, *given, frame, axes)), page, 1e-13)
    model = zoo.build(name)
    q = zoo.near_singular(model)
    if function != "modFrame_second_derivatives":
        given = q, *given_to(function, model, draw(name)[1])[1:]
        page = parts(run.reference(model, *given, some_frame(model), axes))
        all_near(parts(run(model, *given, some_frame(model), axes)), page, 1e-13)


def refuse(work: Work, *_: Any, **__: Any) -> None:
    raise AssertionError(f"the reference implementation of {work.name} was called")


@all_axes
@whole_zoo
def test_classical_accelerations_have_a_kernel(
    name: str, axes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The option `classical`, positional or by keyword, has kernels for both kinds of
    acceleration.
    """
    run = sv.frame_acceleration.work.run_reference
    for shape in ((), (19,)):
        model, s = draw(name, shape)
        for frame in frames(model):
            given = s.q, s.qd, s.qdd, frame, axes
            spatial, classical = (
                run(model, *given[:3], frame=frame, axes=axes, classical=kind)[0]
                for kind in (False, True)
            )
            monkeypatch.setattr(Work, "run_reference", refuse)
            for kind in (True, 1, np.True_):
                near(sv.frame_acceleration(model, *given, kind), classical, 1e-13)
                near(sv.frame_acceleration(model, *given, classical=kind), classical, 1e-13)
            near(sv.frame_acceleration(model, *given), spatial, 1e-13)
            near(sv.frame_acceleration(model, *given, classical=False), spatial, 1e-13)
            bound = sv.frame_acceleration.bind(model, frame=frame, axes=axes, classical=True)
            near(bound(*given[:3]), classical, 1e-13)
            out = np.full_like(classical, np.nan)
            assert sv.frame_acceleration(model, *given, True, out=out) is out
            near(out, classical, 1e-13)


@pytest.mark.parametrize("function", KERNELS)
@pytest.mark.parametrize("name", ["mixed", "planar_tree"])
def test_states_of_a_batch_do_not_mix(name: str, function: str) -> None:
    """States of a batch of any size have the results that they have alone.

    NaN affects its own state only, and there only the columns of joints that move the frame.
    """
    model, s = draw(name, (19,))
    run, frame = KERNELS[function], some_frame(model, 3)
    given = given_to(function, model, s)
    every = parts(run(model, *given, frame))
    for n in range(1, 19):
        all_near(parts(run(model, *(x[:n] for x in given), frame)), [x[:n] for x in every], 1e-13)
    q = s.q.copy()
    q[4] = np.nan
    with np.errstate(all="ignore"):
        spoilt = parts(run(model, q, *given[1:], frame))
    for x, y in zip(spoilt, every, strict=True):
        np.testing.assert_array_equal(np.delete(x, 4, axis=0), np.delete(y, 4, axis=0))
        assert np.isnan(x[4]).any()
    beside = np.setdiff1d(np.arange(model.NQ), np.concatenate(
        [np.arange(model.NQ)[model.qinds[i]] for i in model.ancestors[3]]))  # fmt: skip
    q = s.q.copy()
    q[:, beside] = np.nan
    for x, y in zip(parts(run(model, q, *given[1:], frame)), every, strict=True):
        np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("function", KERNELS)
@pytest.mark.parametrize("name", ["mixed", "planar_tree"])
def test_frame_and_axes_may_be_bound(name: str, function: str) -> None:
    """Frame and axes may be bound, both or one of them; the frame may be given in any form, also at
    the call.
    """
    model, s = draw(name)
    run, frame = KERNELS[function], some_frame(model)
    model.frames = {"tool": frame}
    given = given_to(function, model, s)
    wanted = parts(run.reference(model, *given, frame, "mixed"))
    plain = run.bind(model)
    for found in (
        run(model, *given, axes="mixed", frame="tool"),
        plain(*given, "tool", "mixed"),
        plain(*given, frame, axes="mixed"),
        run.bind(model, axes="mixed")(*given, frame),
        run.bind(model, frame="tool")(*given, axes="mixed"),
        run.bind(model, frame=frame, axes="mixed")(*map(list, given)),
    ):
        all_near(parts(found), wanted, 1e-13)
    out = tuple(np.full_like(x, np.nan) for x in wanted)
    bound = run.bind(model, frame="tool", axes="mixed")
    bound(*given, out=out if len(out) > 1 else out[0])
    all_near(out, wanted, 1e-13)
    model.frames = {"tool": some_frame(model, 1)}
    all_near(parts(bound(*given)), parts(run.reference(model, *given, "tool", "mixed")), 1e-13)


@pytest.mark.parametrize("function", KERNELS)
def test_many_frames_give_right_results(function: str) -> None:
    model, s = draw("branched")
    run, given = KERNELS[function], given_to(function, model, s)
    for k in range(130):
        frame = sv.Frame(3, sv.xlt([0.01 * k, 0.2, 0.3]))
        if k in (0, 63, 64, 65, 129):
            all_near(parts(run(model, *given, frame)), parts(run.reference(model, *given, frame)),
                     1e-13)  # fmt: skip
        else:
            run(model, *given, frame)
