"""Configurations: the group properties of q (+) dq, MATLAB's numbers, every kind of array."""

from typing import Any

import golden_io
import numpy as np
import pytest
import zoo
from numpy.testing import assert_allclose, assert_array_equal

import spatial_v2 as sv

DATA = golden_io.load("g_orientation_inertia")
EPS = 1e-30
models = pytest.mark.parametrize("name", zoo.MODELS)


def moved(name: str, size: float, shape: tuple[int, ...] = (4,)) -> tuple[sv.Model, Any, Any]:
    """Return a model, configurations, and displacements with rotations of at most `size`."""
    model, rng = zoo.build(name), np.random.default_rng(11)
    q = sv.random_configuration(model, rng, shape)
    dq = size * rng.uniform(-1, 1, (*shape, model.NV)) / np.sqrt(3)
    return model, q, dq


def same_poses(model: sv.Model, q: np.ndarray, p: np.ndarray, atol: float = 1e-13) -> None:
    assert_allclose(
        sv.forward_kinematics(model, q).X0, sv.forward_kinematics(model, p).X0, atol=atol
    )


@models
def test_neutral_is_the_identity(name: str) -> None:
    model = zoo.build(name)
    for i, q in enumerate(sv.confVecToCell(model, sv.neutral(model))[0]):
        assert_array_equal(sv.jcalc(model.jtype[i], q)[0], np.eye(len(model.I[0])))


@models
@pytest.mark.parametrize("size", [1e-8, 0.1, 1.0, 3.1])
def test_difference_inverts_addition(name: str, size: float) -> None:
    """(q (+) dq) (-) q = dq for rotations below pi."""
    model, q, dq = moved(name, size)
    back = sv.configurationDifference(model, q, sv.configurationAddition(model, q, dq))
    assert_allclose(back, dq, atol=2e-14)


@models
def test_addition_inverts_difference(name: str) -> None:
    """q0 (+) (q1 (-) q0) = q1 as poses, from and to near-singular configurations too."""
    model, q, _ = moved(name, 1.0, (28,))
    p = zoo.near_singular(model)
    for q0, q1 in ((q, q[::-1]), (q, p), (p, q), (p, p[::-1]), (p, p)):
        dq = sv.configurationDifference(model, q0, q1)
        same_poses(model, sv.configurationAddition(model, q0, dq), q1, 1e-12)


@models
def test_addition_along_a_direction_is_a_one_parameter_group(name: str) -> None:
    """q (+) 0 = q exactly, and (q (+) s dq) (+) t dq = q (+) (s + t) dq for numbers s, t of any
    sign.
    """
    model, q, dq = moved(name, 2.0)
    assert_array_equal(sv.configurationAddition(model, q, 0 * dq), q)
    assert_array_equal(
        sv.configurationDifference(model, sv.neutral(model), sv.neutral(model)), 0 * dq[0]
    )
    two = sv.configurationAddition(model, sv.configurationAddition(model, q, 0.3 * dq), 0.7 * dq)
    assert_allclose(two, sv.configurationAddition(model, q, dq), atol=1e-13)
    back = sv.configurationAddition(model, sv.configurationAddition(model, q, dq), -dq)
    assert_allclose(back, q, atol=1e-13)


@models
def test_retractions_agree_to_first_order(name: str) -> None:
    """The exponential and MATLAB's retraction differ only for joints Fb, and only in second order
    of dq.
    """
    model, q, dq = moved(name, 1.0)
    exact = sv.configurationAddition(model, q, dq)
    matlab = sv.configurationAddition(model, q, dq, "matlab")
    if "Fb" not in model.jtype:
        assert_array_equal(exact, matlab)
        return
    assert np.abs(exact - matlab).max() > 1e-3
    tangents = [
        sv.configurationAddition(model, q, 1j * EPS * dq, rule).imag / EPS
        for rule in ("exp", "matlab")
    ]
    assert_allclose(tangents[0], tangents[1], atol=1e-14)


@models
def test_rates_are_the_tangent(name: str) -> None:
    """The rates dq/dt are the derivatives of q (+) t qd with respect to t at 0, also near singular
    configurations.
    """
    model, _, _ = moved(name, 1.0)
    q = zoo.near_singular(model)
    qd = np.random.default_rng(2).normal(size=(len(q), model.NV))
    tangent = sv.configurationAddition(model, q, 1j * EPS * qd).imag / EPS
    for stabilise in (True, False):
        assert_allclose(sv.configurationRates(model, q, qd, stabilise), tangent, atol=1e-13)


@models
def test_difference_is_complex_safe(name: str) -> None:
    """The derivative of (q (+) t dq) (-) q along t is dq, at t = 0 itself too."""
    model, q, dq = moved(name, 1.0)
    for t in (0.0, 0.5):
        moving = sv.configurationAddition(model, q, (t + 1j * EPS) * dq)
        assert_allclose(sv.configurationDifference(model, q, moving).imag / EPS, dq, atol=1e-13)


@models
def test_normalised_configurations_are_on_the_manifold(name: str) -> None:
    """Normalisation changes no valid configuration; near these, it gives unit quaternions and E E^T
    = 1.
    """
    model, q, _ = moved(name, 1.0)
    assert_allclose(sv.normalizeConfVec(model, q), q, atol=1e-15)
    rng = np.random.default_rng(4)
    off = sv.normalizeConfVec(model, q + 1e-3 * rng.normal(size=q.shape))
    assert_allclose(sv.normalizeConfVec(model, off), off, atol=1e-14)
    assert_allclose(off, q, atol=2e-2)
    parts = sv.confVecToCell(model, off)[0]
    for joint, part in zip(model.layout.joints, parts, strict=True):
        if joint.code in ("S", "Fb"):
            assert_allclose(np.sum(part[..., :4] ** 2, axis=-1), 1, atol=1e-15)
        elif joint.nq > 7:
            n = 3 if joint.nq == 9 else 4
            E = part.reshape(-1, n, n)[:, :3, :3]
            assert_allclose(E @ E.transpose(0, 2, 1), [np.eye(3)] * len(E), atol=1e-14)


def test_random_configurations_are_reproducible_and_on_the_manifold() -> None:
    """Random configurations are determined by the generator, valid, and without a preferred
    direction.
    """
    model = zoo.build("mixed")
    q = sv.random_configuration(model, np.random.default_rng(8), (4000,))
    for n in (4000, np.int64(4000)):
        assert_array_equal(q, sv.random_configuration(model, np.random.default_rng(8), n))
    assert q.shape == (4000, model.NQ)
    assert_allclose(sv.normalizeConfVec(model, q), q, atol=1e-14)
    kin = sv.forward_kinematics(model, q)
    assert np.abs(kin.R.mean(axis=0)).max() < 0.05
    with pytest.raises(TypeError, match=r"rng: want a numpy.random.Generator.*got 3"):
        sv.random_configuration(model, 3)  # type: ignore[arg-type]


def test_random_angles_cover_the_circle() -> None:
    """Angles and lengths are uniform in [-pi, pi]: mean 0, standard deviation pi / sqrt(3)."""
    q = sv.random_configuration(zoo.build("prismatic"), np.random.default_rng(9), (4000,))
    assert_allclose(q.mean(axis=0), 0, atol=0.1)
    assert_allclose(q.std(axis=0), np.pi / np.sqrt(3), rtol=0.03)
    assert_allclose([q.min(), q.max()], [-np.pi, np.pi], atol=0.01)


@models
def test_vectors_are_split_by_joints(name: str) -> None:
    """The parts have the sizes of the joints' variables, and joined they are the vectors."""
    model = zoo.build(name)
    s = zoo.states(model, np.random.default_rng(10), (3,))
    q, qd, qdd = sv.confVecToCell(model, s.q, s.qd, s.qdd)
    assert [part.shape for part in q] == [(3, n) for n in model.nq]
    assert [part.shape for part in qd] == [(3, n) for n in model.nv]
    for parts, whole in ((q, s.q), (qd, s.qd), (qdd, s.qdd)):
        assert_array_equal(np.concatenate(parts, axis=-1), whole)


def golden(case: str, what: str) -> np.ndarray:
    return golden_io.get(DATA, case, what)


def test_addition_agrees_with_matlab() -> None:
    """``retraction="matlab"`` gives MATLAB's results; MATLAB's tangent is that of both
    retractions.
    """
    model = golden_io.model_of(DATA, "conf")
    q, dq = golden("conf", "in_q"), golden("conf", "in_dq")
    ours = sv.configurationAddition(model, q, dq, "matlab")
    assert_allclose(ours, golden("conf", "configurationAddition_q"), atol=1e-13)
    tangent = sv.configurationAddition(model, q, 1j * EPS * dq).imag / EPS
    assert_allclose(tangent, golden("conf", "configurationAddition_dir_deriv"), atol=1e-13)


def test_rates_and_normalisation_agree_with_matlab() -> None:
    model = golden_io.model_of(DATA, "conf2")
    q, off, qd = (golden("conf2", what) for what in ("in_q", "in_q_unnormalized", "in_qd"))
    for at, what in (
        (q, "configurationRates_q_dot"),
        (off, "configurationRates_unnormalized_q_dot"),
    ):
        assert_allclose(sv.configurationRates(model, at, qd), golden("conf2", what), atol=1e-14)
    assert_allclose(
        sv.normalizeConfVec(model, off), golden("conf2", "normalizeConfVec_q"), atol=1e-15
    )


def test_an_unknown_retraction_is_refused() -> None:
    with pytest.raises(sv.SpatialError, match="retraction: want 'exp' or 'matlab', got 'Exp'"):
        sv.configurationAddition(zoo.build("one_R"), [0.0], [0.0], "Exp")  # type: ignore[arg-type]
