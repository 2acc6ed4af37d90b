"""Rotations: MATLAB's numbers, properties of the rotation group, and every kind of array."""

from fractions import Fraction
from typing import Any

import golden_io
import numpy as np
import pytest
from helpers import exact, refusals
from numpy.testing import assert_array_equal
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.three_d import (
    cross_matrix,
    inv_skew,
    rotation_to_quaternion,
    rotation_to_rotation_vector,
    rotation_vector_to_rotation,
    rq,
    rqd,
    rv,
    rx,
    ry,
    rz,
    se3toVec,
    skew,
    vecTose3,
)

DATA = golden_io.load("a_spatial")
RNG = np.random.default_rng(2008)
ANGLES = [
    0.0,
    1e-160,
    1e-12,
    1e-8,
    1e-4,
    0.3,
    0.49,
    0.51,
    1.5,
    2.8,
    *(np.pi - np.array([1e-4, 1e-8, 1e-12, 0])),
]
AXES = [*np.eye(3), *-np.eye(3), *(v / np.linalg.norm(v) for v in RNG.normal(size=(8, 3)))]
Q, V3, W, V6 = (RNG.normal(size=(2, 3, n)) for n in (4, 3, 3, 6))
E3, A3 = rq(Q), RNG.normal(size=(2, 3, 3, 3))


GOLDEN = [
    ("ang", rx, ["in_theta"], "rx_E"),
    ("ang", ry, ["in_theta"], "ry_E"),
    ("ang", rz, ["in_theta"], "rz_E"),
    ("skew", skew, ["in_v"], "S"),
    ("skew", skew, ["in_A"], "v_of_A"),
    ("skew", inv_skew, ["in_A"], "inv_skew_v"),
    ("rq_fwd", rq, ["in_q"], "E"),
    ("rq_inv", rq, ["in_E"], "q"),
    ("rq_pi", rq, ["in_E"], "q"),
    ("rqd", rqd, ["in_q", "in_w"], "qd_wB"),
    ("rqd", rqd, ["in_w", "in_q"], "qd_wA"),
    ("rv_fwd", rv, ["in_v"], "E"),
    ("rv_inv", rv, ["in_E"], "v"),
    ("se3", vecTose3, ["in_v"], "vecTose3_T"),
]


@pytest.mark.parametrize(("case", "function", "inputs", "output"), GOLDEN)
def test_functions_agree_with_matlab(
    case: str, function: Any, inputs: list[str], output: str
) -> None:
    """Every sample agrees with MATLAB's numbers."""
    for *args, wanted in golden_io.samples(DATA, case, *inputs, output):
        args = [x[0] if x.shape == (1,) else x for x in args]
        exact(function(*args), wanted, 2e-15)


def test_se3toVec_agrees_with_matlab() -> None:
    """The twist of a 4x4 matrix agrees with MATLAB's numbers."""
    for T, v in golden_io.samples(DATA, "se3", "vecTose3_T", "se3toVec_v"):
        assert_array_equal(se3toVec(T), v)


def test_half_turns_have_vectors_of_length_pi() -> None:
    """At exact half-turns, where MATLAB's rv is zero, the vector has length pi and represents the
    rotation.
    """
    for E, zero in golden_io.samples(DATA, "rq_pi", "in_E", "rv_v"):
        v = rv(E)
        assert not zero.any()
        exact(v @ v, np.pi**2)
        exact(rotation_vector_to_rotation(v), E)


def test_rotations_have_the_published_numbers() -> None:
    """The numbers are printed in section 17.3 of the description of MATLAB's functions."""
    exact(rq([0.5, -0.5, 0.1, 0.7]).T, [[0, -0.8, -0.6], [0.6, -0.48, 0.64], [-0.8, -0.36, 0.48]])
    first = [0.8595338986, -0.497991537, -0.1149169539]
    exact(rv([0.3, -0.2, 0.5])[:, 0], first, 1e-10)


@pytest.mark.parametrize("r", [rx, ry, rz])
def test_axis_rotations_form_groups(r: Any) -> None:
    """r(a) r(b) = r(a + b) and r(-a) = r(a)^T for angles a, b, and all determinants are 1."""
    a, b = RNG.normal(size=(2, 50))
    exact(r(a) @ r(b), r(a + b))
    exact(r(-a), np.swapaxes(r(a), -1, -2))
    exact(np.linalg.det(r(a)), 1.0)


@pytest.mark.parametrize(("r", "axis"), [(rx, 0), (ry, 1), (rz, 2)])
def test_three_descriptions_give_one_rotation(r: Any, axis: int) -> None:
    """A rotation by t about an axis e is the same as rx(t), rv(t e)
    and rq([cos t/2, sin t/2 e]).
    """
    for theta in np.linspace(-3, 3, 13):
        e = np.eye(3)[axis]
        exact(rv(theta * e), r(theta))
        exact(rq([np.cos(theta / 2), *(np.sin(theta / 2) * e)]), r(theta))


def test_rotations_agree_with_scipy() -> None:
    """E is the transpose of SciPy's rotation matrix, and rv the exponential of -v x."""
    for q, v in zip(Q.reshape(-1, 4), V3.reshape(-1, 3), strict=True):
        exact(rq(q), Rotation.from_quat(q, scalar_first=True).as_matrix().T)
        exact(rv(v), expm(-skew(v)))
        exact(rotation_to_rotation_vector(rv(v)), Rotation.from_rotvec(v).as_rotvec())


def test_norm_of_the_quaternion_has_no_effect() -> None:
    """A multiple k q of a quaternion gives the rotation of q."""
    for k in (-3.0, 1e-3, 1e3):
        exact(rq(k * Q), rq(Q))


@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize("axis", AXES)
def test_conversions_undo_each_other_at_every_angle(angle: float, axis: np.ndarray) -> None:
    """Conversions from a rotation matrix to a vector or a quaternion and back are exact to
    rounding.

    A rotation vector converted to a matrix and back keeps its relative precision.
    """
    v = angle * axis
    E = rotation_vector_to_rotation(v)
    exact(E @ E.T, np.eye(3), 2e-15)
    exact(rq(rq(E)), E, 2e-15)
    back = rotation_to_rotation_vector(E)
    exact(rotation_vector_to_rotation(back), E, 3e-15)
    if angle < np.pi:
        exact(back, v, 1e-15 * angle)
    else:
        exact(np.outer(back, back), np.outer(v, v), 1e-14)


def test_quaternions_of_rotations_have_positive_scalar_part() -> None:
    """Of the quaternions q and -q of a rotation, the one with real part w >= 0 is returned; for w =
    0 its dominant component is positive.
    """
    unit = Q / np.sqrt((Q * Q).sum(-1, keepdims=True))
    exact(rq(E3), unit * np.sign(unit[..., :1]))
    for axis in AXES:
        q = rq(2 * np.outer(axis, axis) - np.eye(3))
        assert q[0] == 0 or q[0] > 0
        if q[0] == 0:
            assert q[np.argmax(np.abs(q))] > 0


def test_skew_is_the_cross_product() -> None:
    """skew(a) b = a x b, and inv_skew takes the skew part."""
    exact((cross_matrix(V3) @ W[..., None])[..., 0], np.cross(V3, W))
    exact(cross_matrix(inv_skew(A3)), (A3 - np.swapaxes(A3, -1, -2)) / 2)
    assert_array_equal(se3toVec(vecTose3(V6)), V6)


def test_quaternion_rates_agree_in_both_forms() -> None:
    """Both forms agree if wB = E wA with the rotation E, and the norm is constant without the
    stabiliser.
    """
    wB = (E3 @ W[..., None])[..., 0]
    for stabilise in (True, False):
        exact(rqd(Q, wB, stabilise=stabilise), rqd(W, Q, stabilise=stabilise))
    exact((rqd(Q, wB, stabilise=False) * Q).sum(-1), 0)


def test_the_stabiliser_vanishes_at_unit_quaternions() -> None:
    """The stabiliser is 0.05 |w| (1 - |q|) q for angular velocity w, and vanishes at unit
    quaternions.
    """
    norm, speed = (np.linalg.norm(x, axis=-1, keepdims=True) for x in (Q, W))
    wanted = 0.05 * speed * (1 - norm) * Q
    exact(rqd(Q, W) - rqd(Q, W, stabilise=False), wanted)
    exact(rqd(Q / norm, W), rqd(Q / norm, W, stabilise=False))


def test_complex_steps_through_quaternions_are_rotation_rates() -> None:
    """Along the rate for angular velocity w, the rotation E changes by -w x E; along q itself it
    does not change, because rq normalises.
    """
    h = 1e-20
    Ed = rq(Q + 1j * h * rqd(Q, W, stabilise=False)).imag / h
    exact(Ed, -cross_matrix(W) @ E3)
    exact(rq(Q + 1j * h * Q).imag / h, 0)


@pytest.mark.parametrize("angle", ANGLES)
def test_complex_steps_through_rotation_vectors_are_right_jacobians(angle: float) -> None:
    """Along dv the rotation E changes by -(J dv) x E, with the right Jacobian J of the exponential;
    at v = 0 too.
    """
    h = 1e-20 if angle > 1e-100 else 1e-200
    for axis in AXES:
        v, V = angle * axis, skew(angle * axis)
        t = max(angle, 1e-3)
        J = np.eye(3) - V / 2 + V @ V / 6 - V @ V @ V / 24
        if angle > 1e-4:
            J = np.eye(3) - 2 * np.sin(t / 2) ** 2 / t**2 * V + (t - np.sin(t)) / t**3 * V @ V
        for dv in np.eye(3):
            Ed = rv(v + 1j * h * dv).imag / h
            exact(Ed, -skew(J @ dv) @ rv(v), 1e-14)


@pytest.mark.parametrize("angle", [0.0, 1e-8, 0.3, 1.5, 2.8])
def test_complex_steps_through_the_logarithm_invert_the_exponential(angle: float) -> None:
    """The logarithm undoes the exponential for complex vectors: its derivative is the inverse."""
    h = 1e-20
    for axis in AXES:
        for dv in np.eye(3):
            v = angle * axis + 1j * h * dv
            exact(rotation_to_rotation_vector(rv(v)).imag / h, dv, 1e-14 / (np.pi - angle))


def test_linear_functions_are_exact() -> None:
    """skew and vecTose3 only copy and negate: fractions stay fractions."""
    v = np.array([Fraction(k, 7) for k in range(1, 7)])
    assert_array_equal(se3toVec(vecTose3(v)), v)
    assert skew(v[:3])[0, 1] == Fraction(-3, 7)


@pytest.mark.parametrize(
    ("function", "column"),
    [(skew, V3), (rv, V3), (rq, Q), (vecTose3, V6), (lambda q: rqd(q, W[0, 0]), Q)],
)
def test_columns_are_taken_as_vectors(function: Any, column: np.ndarray) -> None:
    """Columns (..., n, 1) are accepted as vectors, and never taken for a batch of three."""
    batch = function(column[..., None])
    for index in np.ndindex(2, 3):
        exact(batch[index], function(column[index]), 1e-15)


BAD = [
    (lambda: skew([1, 2]), r"skew: v must have shape \(..., 3\), got \(2,\)"),
    (lambda: skew(np.eye(4)), r"got \(4, 4\)"),
    (
        lambda: rv(np.ones((3, 3))),
        r"rv: a 3x3 argument must be a rotation, .* by 3; .* \(3, 3, 1\)",
    ),
    (lambda: inv_skew([1, 2, 3]), r"inv_skew: A must have shape \(..., 3, 3\), got \(3,\)"),
    (lambda: rq([1, 2, 3]), r"rq: q must have shape \(..., 4\), got \(3,\); quaternions are"),
    (lambda: rotation_to_quaternion([1, 0, 0, 0]), r"rq: E must have shape \(..., 3, 3\)"),
    (lambda: rv(1.0), r"rv: v must have shape \(..., 3\), got \(\)"),
    (lambda: rv([[1, 2], [3]]), "rv: v must be one array of numbers"),
    (lambda: rx("90 degrees"), "rx: theta must be numbers, got '90 degrees'"),
    (lambda: rz(None), "rz: theta must be numbers, got None"),
    (
        lambda: rqd([1, 0], [1, 2, 3]),
        r"rqd: first argument must have shape \(..., 3\) or \(..., 4\)",
    ),
    (lambda: rqd([1, 0, 0, 0], [1, 0, 0, 0]), r"rqd: wB must have shape \(..., 3\), got \(4,\)"),
    (lambda: rqd([1, 0, 0], [1, 0, 0]), r"rqd: q must have shape \(..., 4\), got \(3,\)"),
    (lambda: vecTose3([1, 2, 3]), r"vecTose3: v must have shape \(..., 6\), got \(3,\)"),
    (lambda: se3toVec(np.eye(3)), r"se3toVec: S must have shape \(..., 4, 4\), got \(3, 3\)"),
]
test_bad_input_is_refused = refusals(ArrayShapeError, BAD)
