"""The spherical joint with ZYX angles: MATLAB's numbers, and derivatives by complex steps."""

import numpy as np
import pytest
from golden_io import get, load
from numpy.testing import assert_allclose

import derivatives as dv
from derivatives.reference.complex_step import complex_step
from spatial_v2 import SpatialError, rx, ry, rz

GOLDEN = load("e_spherical_zyx")
NAMES = ["q", "v", "m", "f"]
q, v, m, f = (get(GOLDEN, "zyx", f"in_{name}") for name in NAMES)
VALUES = {
    "sphericalZYXSubspace_S": lambda: dv.sphericalZYXSubspace(q),
    "S_ring": lambda: dv.S_ring(q, v),
    "dSm_dq": lambda: dv.dSm_dq(q, m),
    "dSTf_dq": lambda: dv.dSTf_dq(q, f),
    "s_ring_v_deriv": lambda: dv.s_ring_v_deriv(q, v),
}


@pytest.mark.parametrize("name", VALUES)
def test_subspaces_and_derivatives_agree_with_matlab(name):
    assert_allclose(VALUES[name](), get(GOLDEN, "zyx", name), atol=1e-14)


def test_subspace_gives_the_angular_velocity():
    """The last three rows of S qd are the body's angular velocity w, with w x = -dE/dt E^T for the
    rotation E.
    """

    def E(angles):
        yaw, pitch, roll = (angles[..., k] for k in range(3))
        return rx(roll) @ ry(pitch) @ rz(yaw)

    h = 1e-20
    rate = E(q + 1j * h * v).imag / h
    W = -rate @ E(q).swapaxes(-1, -2)
    w = np.stack([W[:, 2, 1], W[:, 0, 2], W[:, 1, 0]], axis=-1)
    assert_allclose((dv.sphericalZYXSubspace(q) @ v[..., None])[:, 3:, 0], w, atol=1e-14)


@pytest.mark.parametrize("k", range(4))
def test_derivatives_are_complex_steps(k):
    def step(function):
        return complex_step(function, q[k])

    S = dv.sphericalZYXSubspace
    assert_allclose(dv.S_ring(q[k], v[k]), step(S) @ v[k], atol=1e-14)
    assert_allclose(dv.dSm_dq(q[k], m[k]), step(lambda x: S(x) @ m[k]), atol=1e-14)
    by_f = step(lambda x: S(x).swapaxes(-1, -2) @ f[k])
    assert_allclose(dv.dSTf_dq(q[k], f[k]), by_f, atol=1e-14)
    by_q = step(lambda x: dv.S_ring(x, v[k]) @ v[k])
    assert_allclose(dv.s_ring_v_deriv(q[k], v[k]), by_q, atol=1e-14)


def test_wrong_sizes_are_refused():
    with pytest.raises(SpatialError, match=r"q: want shape \(\.\.\., 3\), got \(4,\)"):
        dv.sphericalZYXSubspace(np.zeros(4))
    with pytest.raises(SpatialError, match="f: want shape"):
        dv.dSTf_dq(np.zeros(3), np.zeros(3))
