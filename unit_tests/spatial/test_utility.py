"""Random and symbolic quantities, and the helpers that differentiate by complex steps."""

import importlib
import sys
from typing import Any

import numpy as np
import pytest
import sympy
import zoo
from derivative_checks import draw
from helpers import near
from scipy.linalg import expm
from scipy.stats import kstest

import derivatives as dv
import spatial_v2 as sv
from derivatives.reference import (
    complex_step,
    complex_step_q,
    complexStepForce,
    complexStepHessian,
    perturbIndex_q,
    perturbIndex_v,
)
from spatial_v2 import utility
from spatial_v2.exceptions import SpatialError

GENERATORS = {f: getattr(utility, f) for f in utility.__all__ if f.startswith("random")}
SIZED = {"randomSymmetric": (4,), "randomPositiveDefinite": (4,)}
over_generators = pytest.mark.parametrize("name", GENERATORS)
T = np.matrix_transpose


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(13)


def test_all_generators_of_matlab_exist() -> None:
    assert len(GENERATORS) == 11


@over_generators
def test_generators_are_reproducible(name: str) -> None:
    """The same seed gives the same numbers, another seed others; `shape` gives several samples."""
    make, size = GENERATORS[name], SIZED.get(name, ())
    one, again, other = (make(np.random.default_rng(k), *size) for k in (1, 1, 2))
    assert np.array_equal(one, again) and not np.array_equal(one, other)
    many = make(np.random.default_rng(1), *size, shape=(2, 3))
    assert many.shape == (2, 3, *one.shape) and np.unique(many[..., 0, 1 % one.ndim]).size > 1
    assert make(np.random.default_rng(1), *size, shape=5).shape == (5, *one.shape)
    assert make(np.random.default_rng(1), *size, shape=(0,)).shape == (0, *one.shape)
    for wrong in (1, None, np.random):
        with pytest.raises(TypeError, match=r"rng: want a numpy.random.Generator"):
            make(wrong, *size)


@pytest.mark.parametrize("make", [sv.randomSkew, sv.randomSymmetric, sv.randomPositiveDefinite])
@pytest.mark.parametrize("n", [0, -1, 2.5, "3", None])
def test_wrong_sizes_are_refused(make: Any, n: Any, rng: np.random.Generator) -> None:
    with pytest.raises(SpatialError, match="n must be a positive whole number"):
        make(rng, n)


def test_random_matrices_are_of_the_named_kind(rng: np.random.Generator) -> None:
    """Random matrices are skew, symmetric, positive definite, or transforms, as their functions'
    names say.
    """
    for n in (1, 3, 6):
        A = sv.randomSkew(rng, n, 20)
        near(A, -T(A), 0)
        S = sv.randomSymmetric(rng, n, 20)
        near(S, T(S), 0)
        assert np.abs(A).max(initial=0) <= 1 and np.abs(S).max() <= 1
        P = sv.randomPositiveDefinite(rng, n, 20)
        near(P, T(P), 1e-14)
        assert (np.linalg.eigvalsh(P) > 0).all()
    same = np.random.default_rng(3), np.random.default_rng(3)
    near(sv.randomPositiveDefinite(same[0], 4), expm(sv.randomSymmetric(same[1], 4)), 1e-13)
    X, M = sv.randomAdSE3(rng, 20), sv.randomSE3(rng, 20)
    twist = utility.random_se3(rng, 20)
    near(T(M[:, :3, :3]) @ M[:, :3, :3], np.broadcast_to(np.eye(3), (20, 3, 3)), 1e-14)
    near(np.linalg.det(M), np.ones(20), 1e-14)
    near(X @ sv.crm(np.eye(6)[0]) @ np.linalg.inv(X), sv.crm(X @ np.eye(6)[:1].T), 1e-13)
    assert not twist[:, 3].any()
    near(twist[:, :3, :3], -T(twist[:, :3, :3]), 0)


def test_random_bodies_are_physically_consistent(rng: np.random.Generator) -> None:
    """Pseudo-inertias are positive definite; `randomInertia` is the inertia of
    `randomInertialParams`.
    """
    for J in (
        sv.inertiaVecToPinertia(sv.randomInertialParams(rng, 50)),
        sv.randomPinertia(rng, 50),
    ):
        assert (np.linalg.eigvalsh(J) > 0).all()
    same = np.random.default_rng(3), np.random.default_rng(3)
    near(sv.randomInertia(same[0], 9), sv.inertiaVecToMat(sv.randomInertialParams(same[1], 9)), 0)
    for I in sv.randomInertia(rng, 5):
        near(sv.mcI(*sv.mcI(I)), I, 1e-13)


def test_random_rotations_are_uniform(rng: np.random.Generator) -> None:
    """By the Haar measure the angle t has the density (1 - cos t) / pi; in MATLAB it is uniform."""
    angles = np.linalg.norm(sv.rotToAngleAxis(sv.randomRotation(rng, 2000)), axis=-1)
    assert kstest(angles, lambda t: (t - np.sin(t)) / np.pi).pvalue > 1e-3
    q = sv.randomQuat(rng, 2000)
    near((q * q).sum(-1), np.ones(2000), 1e-14)
    assert (
        kstest(q[:, 0], lambda w: 0.5 + (np.arcsin(w) + w * np.sqrt(1 - w * w)) / np.pi)[1] > 1e-3
    )


@pytest.mark.parametrize("angle", [0.0, 1e-8, 0.5, 3.0, 6.0])
def test_the_right_jacobian_is_the_derivative_of_the_exponential(
    angle: float, rng: np.random.Generator
) -> None:
    """The right Jacobian agrees with complex steps of the exponential, for rotations and for
    motions.
    """
    for axis in rng.normal(size=(5, 3)):
        w = angle * axis / np.linalg.norm(axis)
        J = sv.rightJacobianOfExp(sv.skew(w))
        for dw in np.eye(3):
            R = sv.rv(-(w + 1e-20j * dw))
            near(R.real.T @ R.imag * 1e20, sv.skew(J @ dw), 1e-13)
        t = np.concatenate([w, rng.normal(size=3)])
        J6 = sv.rightJacobianOfExp(sv.crm(t))
        near(J6[:3, :3], J, 1e-13)
        dt = rng.normal(size=6)
        X = np.block([[sv.crm(t), sv.crm(dt)], [np.zeros((6, 6)), sv.crm(t)]])
        derivative = expm(X)[:6, 6:]
        near(expm(-sv.crm(t)) @ derivative, sv.crm(J6 @ dt), 1e-10)
    batch = sv.skew(rng.normal(size=(2, 3, 3, 1)))
    near(sv.rightJacobianOfExp(batch)[1, 2], sv.rightJacobianOfExp(batch[1, 2]), 1e-15)
    with pytest.raises(SpatialError, match="rightJacobianOfExp: ad must have shape"):
        sv.rightJacobianOfExp(np.ones((2, 3)))


def test_symbols_are_real_and_named_by_place() -> None:
    """Symbols are real, and their names contain the component and the body."""
    assert [str(s) for s in sv.symbolicCartesian("p", "foot")] == ["px_foot", "py_foot", "pz_foot"]
    assert [str(s) for s in sv.symbolicVelocity(3)] == [
        "wx_3",
        "wy_3",
        "wz_3",
        "vx_3",
        "vy_3",
        "vz_3",
    ]
    assert [str(s) for s in sv.symbolicForce()] == ["nx", "ny", "nz", "fx", "fy", "fz"]
    assert all(s.is_real for s in sv.symbolicInertialParams(1))
    v, I = sv.symbolicVelocity(1), sv.symbolicInertia(1)
    energy = sympy.expand((v @ I @ v) / 2)
    momentum = I @ v
    for k in range(6):
        assert sympy.expand(energy.diff(v[k]) - momentum[k]) == 0
    assert sv.crm(v)[2, 0] == -v[1]


def test_symbols_are_returned_by_name() -> None:
    """`symbolicStruct` returns each symbol of vectors and inertias by its name, as MATLAB's second
    outputs do.
    """
    f = sv.symbolicForce("hand")
    assert list(vars(sv.symbolicStruct(f))) == [f"{x}{a}_hand" for x in "nf" for a in "xyz"]
    assert sv.symbolicStruct(f).fz_hand == f[5]
    of_matrix, of_vector = (
        sv.symbolicStruct(x(2)) for x in (sv.symbolicInertia, sv.symbolicInertialParams)
    )
    assert vars(of_matrix) == vars(of_vector) and len(vars(of_vector)) == 10
    assert vars(sv.symbolicStruct([1.0, 2])) == {}


def test_symbols_need_sympy(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("spatial_v2.utility.symbols")
    monkeypatch.setitem(sys.modules, "sympy", None)
    with pytest.raises(ImportError, match="symbols need SymPy"):
        module.symbols(["m"], None)


def test_hessians_of_several_results_are_second_derivatives() -> None:
    """Second derivatives of inverse dynamics agree with complex steps of both first derivatives."""
    model, s = draw("branched")
    found = complexStepHessian(
        lambda qd: dv.ID_derivatives(model, s.q, qd, s.qdd)[:2],  # type: ignore[index]
        s.qd,
    )
    d2 = dv.ID_SO_derivatives(model, s.q, s.qd, s.qdd)
    near(found[0], d2.d2tau_cross, 1e-12)
    near(found[1], d2.d2tau_dqd, 1e-12)


@pytest.mark.parametrize("name", ["branched", "mixed"])
def test_blocks_of_force_derivatives_are_those_of_the_library(name: str) -> None:
    """A block of second derivatives of forces agrees with `complexStepForce` along two joints of
    any kind.
    """
    model, s = draw(name)
    d2 = dv.spatial_force_SO_derivatives(model, s.q, s.qd, s.qdd)
    j, k = model.NB - 1, model.NB - 2
    block = (slice(None), slice(None), model.vinds[j], model.vinds[k])

    def first(q: Any, qd: Any) -> Any:
        return dv.spatial_force_derivatives(model, q, qd, s.qdd)

    found = complexStepForce(model, lambda q: first(q, s.qd).dfC_dq, s.q, j, k)
    wanted = complex_step_q(model, lambda q: first(q, s.qd).dfC_dq, s.q)
    near(found, wanted[block], 1e-13)
    near(found, d2.d2fc_dq[block], 1e-9)
    found = complexStepForce(model, lambda v: first(s.q, v).dfC_dv, s.qd, j, k, "v")
    near(found, complex_step(lambda v: first(s.q, v).dfC_dv, s.qd)[block], 1e-13)
    for wrong in ({"j": -1, "k": 0}, {"j": 0, "k": model.NB}):
        with pytest.raises(SpatialError, match=r"must be a joint from 0 to"):
            complexStepForce(model, lambda q: q, s.q, **wrong)
    with pytest.raises(SpatialError, match="variable must be 'q' or 'v'"):
        complexStepForce(model, lambda q: q, s.q, 0, 0, "a")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["branched", "mixed"])
@pytest.mark.slow
def test_perturbed_quantities_are_slopes(name: str) -> None:
    """Derivatives of one body's quantities of `GlobalDynamics` along one joint agree with
    differences.

    Forces are tested separately.
    """
    model, s = draw(name)
    at_q = lambda q: sv.GlobalDynamics(model, q, s.qd, s.qdd)  # noqa: E731
    at_v = lambda v: sv.GlobalDynamics(model, s.q, v, s.qdd)  # noqa: E731
    h = 1e-6
    for i in range(model.NB):
        j = max(model.parent[i], 0)
        by_q, by_v = perturbIndex_q(model, at_q, s.q, j, i), perturbIndex_v(model, at_v, s.qd, j, i)
        for n, k in enumerate(range(model.NV)[model.vinds[j]]):
            step = h * np.eye(model.NV)[k]
            plus, minus = (at_q(sv.configurationAddition(model, s.q, x)) for x in (step, -step))
            more, less = at_v(s.qd + step), at_v(s.qd - step)
            for field in plus._fields:
                last = model.vinds[i] if field in ("S", "Sd", "psid", "psidd") else None
                pick = lambda g: getattr(g, field)[..., last] if last else getattr(g, field)[i]  # noqa: B023, E731
                near(getattr(by_q, field)[..., n], (pick(plus) - pick(minus)) / (2 * h), 1e-6)
                near(getattr(by_v, field)[..., n], (pick(more) - pick(less)) / (2 * h), 1e-6)
        forces = perturbIndex_q(model, lambda q: at_q(q).fC, s.q, j, i)
        near(forces, by_q.fC, 0)
    with pytest.raises(SpatialError, match="perturbIndex_q: i must be a joint from 0 to"):
        perturbIndex_q(model, at_q, s.q, 0, model.NB)
    with pytest.raises(SpatialError, match="perturbIndex_v: j must be a joint from 0 to"):
        perturbIndex_v(model, at_v, s.qd, -1, 0)


def test_long_chains_are_accepted() -> None:
    """The number of a body may exceed the six rows of a spatial vector."""
    model = zoo.build("chain")
    big = type(model)(
        parent=range(-1, 7),
        jtype=["Rz"] * 8,
        Xtree=np.stack([model.Xtree[1]] * 8),
        I=np.stack([model.I[0]] * 8),
    )
    d = perturbIndex_q(big, lambda q: sv.GlobalDynamics(big, q, q, q), np.ones(8), 0, 7)
    assert d.v.shape == (6, 1)
    assert sv.ID(big, np.ones(8), np.ones(8), np.ones(8)).shape == (8,)


def test_a_number_is_no_matrix_of_an_exponential() -> None:
    with pytest.raises(sv.ArrayShapeError, match=r"rightJacobianOfExp: ad .*1, 1\)"):
        sv.rightJacobianOfExp(np.array(1.0))


@pytest.mark.parametrize("shape", [(), (2,), (2, 4)])
def test_skew_matrices_are_those_of_their_uniform_numbers(shape: tuple[int, ...]) -> None:
    A = sv.randomSkew(np.random.default_rng(0), 3, shape)
    assert A.shape == (*shape, 3, 3)
    np.testing.assert_array_equal(A, -np.swapaxes(A, -1, -2))
    above = A[..., [0, 0, 1], [1, 2, 2]]
    assert (above != 0).all() and (np.abs(above) < 1).all()
