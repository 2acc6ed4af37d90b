"""Frames agree with Pinocchio in its three reference frames, on robots and on trees of all joint
types.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import zoo

from derivatives import frame_derivatives
from spatial_v2 import (
    Frame,
    FrameJacobian,
    FrameJacobianTimeDerivative,
    example_robots,
    forward_kinematics,
    frame_acceleration,
    frame_velocity,
    load_urdf,
    random_configuration,
)

pin = pytest.importorskip("pinocchio")
from pinocchio_map import (  # noqa: E402
    LINEAR_FIRST,
    placement,
    position,
    transform,
    velocity_order,
)
from test_against_pinocchio import ROBOTS, SHARED, Pair  # noqa: E402

REFERENCE = {"body": pin.LOCAL, "base": pin.WORLD, "mixed": pin.LOCAL_WORLD_ALIGNED}
axes_here_and_there = pytest.mark.parametrize(("axes", "reference"), REFERENCE.items())


class Hands(Pair):
    """A model in both libraries, with a frame on each body and one on the base."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        rng = np.random.default_rng(9)
        self.frames = [Frame(i, zoo.random_transform(rng)) for i in range(-1, self.model.NB)]
        self.numbers = [
            self.peer.addFrame(
                pin.Frame(f"hand{f.body}", f.body + 1, 0, placement(f.X), pin.FrameType.OP_FRAME)
            )
            for f in self.frames
        ]
        self.data = self.peer.createData()

    def each(self) -> Any:
        """Yield states, a frame, and the arguments for the same frame in Pinocchio, which has
        evaluated the state.
        """
        for q, qd, qdd, *_ in self.states(3):
            state = self.peer, self.data, self.position(q), qd[self.p], qdd[self.p]
            pin.forwardKinematics(*state)
            pin.computeJointJacobiansTimeVariation(*state[:4])
            pin.updateFramePlacements(*state[:2])
            pin.computeJointJacobians(*state[:3])
            pin.computeJointKinematicHessians(*state[:2])
            for frame, number in zip(self.frames, self.numbers, strict=True):
                yield q, qd, qdd, frame, (self.peer, self.data, number)


@pytest.fixture(scope="module", params=zoo.over([*SHARED, *ROBOTS]))
def pair(request: pytest.FixtureRequest) -> Hands:
    return Hands(request.param)


def close(ours: np.ndarray, theirs: np.ndarray, tol: float = 1e-11) -> None:
    """Compare relative to the largest entry; Pinocchio drops axes of length one."""
    scale = max(1.0, np.abs(theirs).max(initial=0))
    np.testing.assert_allclose(
        ours / scale, np.reshape(theirs, ours.shape) / scale, rtol=0, atol=tol
    )


def test_poses_agree_with_pinocchio(pair: Hands) -> None:
    for q, _, _, frame, (_, data, number) in pair.each():
        close(forward_kinematics(pair.model, q, frame=frame).X0, transform(data.oMf[number]))


@axes_here_and_there
def test_jacobians_and_their_rates_agree_with_pinocchio(
    pair: Hands, axes: Any, reference: Any
) -> None:
    for q, qd, _, frame, there in pair.each():
        J = FrameJacobian(pair.model, q, frame, axes)[LINEAR_FIRST][:, pair.p]
        close(J, pin.getFrameJacobian(*there, reference))
        rate = FrameJacobianTimeDerivative(pair.model, q, qd, frame, axes)
        theirs = pin.getFrameJacobianTimeVariation(*there, reference)
        close(rate[LINEAR_FIRST][:, pair.p], theirs)


@axes_here_and_there
def test_velocities_and_accelerations_agree_with_pinocchio(
    pair: Hands, axes: Any, reference: Any
) -> None:
    for q, qd, qdd, frame, there in pair.each():
        v = frame_velocity(pair.model, q, qd, frame, axes)[LINEAR_FIRST]
        close(v, pin.getFrameVelocity(*there, reference).vector)
        given = pair.model, q, qd, qdd, frame, axes
        spatial = pin.getFrameAcceleration(*there, reference)
        close(frame_acceleration(*given)[LINEAR_FIRST], spatial.vector)
        classical = pin.getFrameClassicalAcceleration(*there, reference)
        close(frame_acceleration(*given, True)[LINEAR_FIRST], classical.vector)


@axes_here_and_there
def test_kinematic_hessians_agree_with_pinocchio(pair: Hands, axes: Any, reference: Any) -> None:
    """Derivatives of Jacobians agree, except for LOCAL within a joint that is not on the base.

    There Pinocchio's derivatives are not those of its Jacobian; see the next test. Its Python
    interface returns the tensor's entries in column-major order with the shape of row-major order.
    """
    model, n = pair.model, pair.model.NV
    body = model.body_of_v
    wrong = (body[:, None] == body) & (model.parent[body] >= 0) & (axes == "body")
    for q, _, _, frame, there in pair.each():
        theirs = np.asarray(pin.getFrameKinematicHessian(*there, reference))
        ours = frame_derivatives(model, q, frame, axes).dJ_dq * ~wrong
        theirs = theirs.ravel().reshape((6, n, n), order="F")
        wrong_there = wrong[np.ix_(pair.p, pair.p)]
        close(ours[LINEAR_FIRST][:, pair.p][:, :, pair.p], theirs * ~wrong_there, 1e-10)


def test_local_hessians_are_derivatives_of_their_jacobians() -> None:
    """The derivatives agree with differences of Pinocchio's Jacobian along its own steps, for
    spherical joints, too.

    Pinocchio 4.1 returns other derivatives, as this library's documentation says.
    """
    pair, h = Hands("spherical"), 1e-5
    n, peer, data = pair.model.NV, pair.peer, pair.peer.createData()
    for q, _, _, frame, (_, analytic, number) in pair.each():

        def J(dq: np.ndarray, q: np.ndarray = q, number: int = number) -> Any:
            moved = pin.integrate(peer, pair.position(q), dq)
            return np.array(pin.computeFrameJacobian(peer, data, moved, number, pin.LOCAL))

        steps = h * np.eye(n)
        theirs = np.stack([J(dq) - J(-dq) for dq in steps], axis=-1) / (2 * h)
        ours = frame_derivatives(pair.model, q, frame).dJ_dq
        close(ours[LINEAR_FIRST][:, pair.p][:, :, pair.p], theirs, 1e-8)
        if pin.__version__.startswith("4.1.") and frame.body >= 1:
            flat = pin.getFrameKinematicHessian(peer, analytic, number, pin.LOCAL).ravel()
            assert np.abs(flat.reshape((6, n, n), order="F") - theirs).max() > 0.1


@axes_here_and_there
def test_links_found_by_name_agree_with_pinocchio(axes: Any, reference: Any) -> None:
    """Links found by name agree, including those fixed to other links and those of bodies with
    rotated axes.
    """
    for file, floating in ((example_robots()["panda"], False), (example_robots()["romeo"], True)):
        model = load_urdf(file, floating_base=floating, couplings="free")
        root = (pin.JointModelFreeFlyer(),) if floating else ()
        peer = pin.buildModelFromUrdf(str(file), *root)
        data, p = peer.createData(), velocity_order(model, peer)
        q = random_configuration(model, np.random.default_rng(2))
        there = position(model, peer, q)
        assert len(model.frames) > model.NB
        for name in model.frames:
            number = peer.getFrameId(name, pin.FrameType.BODY)
            theirs = pin.computeFrameJacobian(peer, data, there, number, reference)
            close(FrameJacobian(model, q, name, axes)[LINEAR_FIRST][:, p], theirs)
