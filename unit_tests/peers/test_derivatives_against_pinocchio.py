"""First derivatives agree with Pinocchio's, second ones with central differences of Pinocchio's
first ones.

The models are all robots of example-robot-data, with fixed and floating base, and trees of every
joint type that Pinocchio has. Its derivatives along q are along the joints' degrees of freedom, as
in this library.
"""

from typing import Any

import numpy as np
import pytest
import zoo

from derivatives import FD_derivatives, FD_SO_derivatives, ID_derivatives, ID_SO_derivatives
from spatial_v2 import CRBA, ID, Model, random_configuration

pin = pytest.importorskip("pinocchio")
from pinocchio_map import pinocchio_model, position, velocity_order  # noqa: E402
from test_against_pinocchio import ROBOTS, SHARED, Pair  # noqa: E402
from test_urdf_robots import CASES, both  # noqa: E402

STEP = 3e-5
WEIGHTS = {1: 8 / 12, -1: -8 / 12, 2: -1 / 12, -2: 1 / 12}
"""Weights of central differences of fourth order; their error is of order h^4, plus rounding errors
divided by h.
"""


class Peer:
    """A robot in both libraries, a state, and Pinocchio's derivatives in this library's order of
    variables.
    """

    def __init__(self, model: Model, peer: Any) -> None:
        self.model, self.peer, self.data = model, peer, peer.createData()
        self.p = velocity_order(model, peer)
        self.back = np.argsort(self.p)
        rng = np.random.default_rng(4)
        self.q = random_configuration(model, rng)
        self.qd, self.qdd = rng.standard_normal((2, model.NV))
        self.tau = ID(model, self.q, self.qd, self.qdd)
        self.at = position(model, peer, self.q)

    def ours(self, A: np.ndarray) -> np.ndarray:
        """Return a matrix A of Pinocchio with rows and columns in this library's order of
        variables.
        """
        return np.array(A)[np.ix_(self.back, self.back)]

    def first(self, function: Any, q: np.ndarray, qd: np.ndarray, third: np.ndarray) -> np.ndarray:
        """Return the derivatives of a function of Pinocchio with respect to q, qd and its third
        argument (3, NV, NV).

        Rows and columns are in this library's order of variables.
        """
        out = function(self.peer, self.data, q, qd[self.p], third[self.p])
        q_, v_, last = (self.ours(A) for A in out)
        return np.stack([q_, v_, np.triu(last) + np.triu(last, 1).T])

    def second(self, function: Any, third: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return central differences of the three first derivatives along q, and with respect to
        qd, on the last axis.
        """
        along_q, by_v = [], []
        for unit in STEP * np.eye(self.model.NV):
            steps = [(w / STEP, k * unit) for k, w in WEIGHTS.items()]
            along_q.append(
                sum(
                    w
                    * self.first(
                        function, pin.integrate(self.peer, self.at, x[self.p]), self.qd, third
                    )
                    for w, x in steps
                )
            )
            by_v.append(
                sum(w * self.first(function, self.at, self.qd + x, third) for w, x in steps)
            )
        return np.stack(along_q, axis=-1), np.stack(by_v, axis=-1)


def depth_first(peer: Any) -> bool:
    """True if the bodies are numbered depth first, as Pinocchio's derivatives need it."""
    return all(np.ptp(tree) == len(tree) - 1 for tree in map(list, peer.subtrees))


TREES = [name for name in [*SHARED, *ROBOTS] if depth_first(Pair(name).peer)]


URDF = [pytest.param(case.values, id=case.id, marks=case.marks) for case in CASES]


@pytest.fixture(scope="module", params=[*URDF, *zoo.over(TREES)])
def peer(request: pytest.FixtureRequest) -> Peer:
    if isinstance(request.param, str):
        model = ROBOTS[request.param]() if request.param in ROBOTS else zoo.build(request.param)
        return Peer(model, pinocchio_model(model))
    file, floating = request.param
    return Peer(*both(file, floating))


def tolerance(peer: Peer) -> float:
    """Return the tolerance of first derivatives, which grows with the condition number of H."""
    condition = np.linalg.cond(CRBA(peer.model, peer.q))
    if not np.isfinite(condition):
        pytest.skip("H is singular: a leaf has no inertia about its joint")
    return float(max(1e-11, 1e-16 * condition))


def close(ours: np.ndarray, theirs: np.ndarray, tol: float, noise: float = 0.0) -> None:
    """Compare relative to the largest entry; `noise` is the rounding error of differences."""
    error = np.max(np.abs(ours - theirs))
    assert error <= tol * max(1.0, np.max(np.abs(theirs))) + noise, error


def test_first_derivatives_of_inverse_dynamics_agree_with_pinocchio(peer: Peer) -> None:
    theirs = peer.first(pin.computeRNEADerivatives, peer.at, peer.qd, peer.qdd)
    ours = ID_derivatives(peer.model, peer.q, peer.qd, peer.qdd)
    for x, y in zip([*ours, CRBA(peer.model, peer.q)], theirs, strict=True):
        close(x, y, 1e-11)


def test_first_derivatives_of_forward_dynamics_agree_with_pinocchio(peer: Peer) -> None:
    tol = tolerance(peer)
    theirs = peer.first(pin.computeABADerivatives, peer.at, peer.qd, peer.tau)
    ours = FD_derivatives(peer.model, peer.q, peer.qd, peer.tau)
    for x, y in zip(ours, theirs, strict=True):
        close(x, y, tol)


def test_second_derivatives_of_inverse_dynamics_agree_with_pinocchio(peer: Peer) -> None:
    """Entry [i, j, k] is the derivative along k of the derivative along j."""
    first = peer.first(pin.computeRNEADerivatives, peer.at, peer.qd, peer.qdd)
    along_q, by_v = peer.second(pin.computeRNEADerivatives, peer.qdd)
    s = ID_SO_derivatives(peer.model, peer.q, peer.qd, peer.qdd)
    noise = 3e-14 / STEP * np.abs(first).max(axis=(1, 2))
    close(s.d2tau_dq, along_q[0], 1e-10, noise[0])
    close(s.d2tau_cross, by_v[0], 1e-10, noise[0])
    close(s.d2tau_cross.swapaxes(-1, -2), along_q[1], 1e-10, noise[1])
    close(s.d2tau_dqd, by_v[1], 1e-10, noise[1])
    close(s.dM_dq, along_q[2], 1e-10, noise[2])


def test_second_derivatives_of_forward_dynamics_agree_with_pinocchio(peer: Peer) -> None:
    if peer.model.NV > 80:
        pytest.skip("takes ten seconds with more than 80 degrees of freedom")
    tol = tolerance(peer)
    first = peer.first(pin.computeABADerivatives, peer.at, peer.qd, peer.tau)
    along_q, by_v = peer.second(pin.computeABADerivatives, peer.tau)
    s = FD_SO_derivatives(peer.model, peer.q, peer.qd, peer.tau)
    noise = tol / STEP * np.abs(first).max(axis=(1, 2))
    close(s.d2qdd_dq, along_q[0], 1e-7, noise[0])
    close(s.d2qdd_cross, by_v[0], 1e-7, noise[0])
    close(s.d2qdd_cross.swapaxes(-1, -2), along_q[1], 1e-7, noise[1])
    close(s.d2qdd_dqd, by_v[1], 1e-7, noise[1])
    close(s.dMinv_dq, along_q[2], 1e-7, noise[2])


@pytest.mark.parametrize(
    "name",
    zoo.over(
        ["chain", "prismatic", "negative", "helical", "spherical", "floating", "floating_puma"]
    ),
)
def test_external_forces_agree_with_pinocchio(name: str) -> None:
    """Results agree for forces in body coordinates, in which Pinocchio's external forces are given
    and constant.
    """
    pair = Pair(name)
    back = np.argsort(pair.p)
    for q, qd, qdd, tau, f_ext in pair.states():
        forces = pin.StdVec_Force([pin.Force.Zero(), *(pin.Force(f[3:], f[:3]) for f in f_ext)])
        for function, derivatives, third, tol in (
            (pin.computeRNEADerivatives, ID_derivatives, qdd, 1e-11),
            (pin.computeABADerivatives, FD_derivatives, tau, 1e-9),
        ):
            state = pair.position(q), qd[pair.p], third[pair.p]
            theirs = function(pair.peer, pair.data, *state, forces)
            ours = derivatives(pair.model, q, qd, third, f_ext, frame="body")
            for x, y in zip(ours[:2], theirs[:2], strict=True):
                close(x, np.array(y)[np.ix_(back, back)], tol)
