"""Inertial parameters: MATLAB's numbers, Pinocchio's, and properties of mass distributions."""

from typing import Any

import golden_io
import numpy as np
import pytest
import zoo
from helpers import refusals
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import eigvals

import spatial_v2 as sv
from spatial_v2.exceptions import ArrayShapeError, InertiaWarning

DATA = golden_io.load("g_orientation_inertia")
RNG = np.random.default_rng(10)


def exact(actual: Any, desired: Any, rtol: float = 1e-13) -> None:
    assert_allclose(actual, desired, rtol=0, atol=rtol * (1 + np.abs(desired).max()))


def bodies(*shape: int) -> np.ndarray:
    """Return the inertial parameters of random clouds of ten point masses."""
    m = RNG.uniform(0.1, 1, (*shape, 10))
    x = RNG.normal(size=(*shape, 10, 3)) + RNG.normal(size=(*shape, 1, 3))
    S = (m[..., None, None] * x[..., None] * x[..., None, :]).sum(-3)
    h = (m[..., None] * x).sum(-2)
    J = np.block([[S, h[..., None]], [h[..., None, :], m.sum(-1)[..., None, None]]])
    return np.asarray(sv.pinertiaToVec(J))


def test_conversions_agree_with_matlab() -> None:
    get = lambda what: golden_io.get(DATA, "iner", what)  # noqa: E731
    I, a, J = get("in_I"), get("inertiaMatToVec_a"), get("inertiaMatToPinertia_J")
    exact(sv.inertiaMatToVec(I), a, 1e-9)
    exact(sv.inertiaMatToPinertia(I), J, 1e-9)
    exact(sv.inertiaVecToMat(a), get("inertiaVecToMat_I"), 1e-9)
    exact(sv.inertiaVecToMat(get("in_a_raw")), get("inertiaVecToMat_raw_I"), 1e-9)
    exact(sv.inertiaVecToPinertia(a), get("inertiaVecToPinertia_J"), 1e-9)
    exact(sv.pinertiaToVec(J), get("pinertiaToVec_a"), 1e-9)


def test_divergences_agree_with_matlab() -> None:
    get = lambda what: golden_io.get(DATA, "iner", what)  # noqa: E731
    a, b = get("inertiaMatToVec_a"), get("in_b")
    f, g, H = sv.entropicDivergence(a, b)
    exact(f[:, None], get("entropicDivergence_f"), 1e-9)
    exact(g, get("entropicDivergence_g"), 1e-9)
    exact(H, get("entropicDivergence_H"), 1e-9)
    exact(sv.pullbackMetric(a), get("pullbackMetric_M"), 1e-9)
    P, Q = sv.inertiaVecToPinertia(a), sv.inertiaVecToPinertia(b)
    exact(sv.logdetBregmanDivergence(P, Q)[:, None], get("logdetBregman_d"), 1e-9)
    exact(sv.affineInvariantDistance(P, Q)[:, None], get("affineInvariantDistance_d"), 1e-9)


def test_parameters_are_in_the_order_of_their_names() -> None:
    """Each parameter has the position in the vector that its name has in `INERTIAL_PARAMETERS`."""
    m, c, Ic = 2.0, np.array([0.1, 0.2, 0.3]), np.diag([0.3, 0.4, 0.5])
    I = sv.mcI(m, c, Ic)
    named = dict(zip(sv.INERTIAL_PARAMETERS, sv.inertiaMatToVec(I), strict=True))
    for k, x in enumerate("xyz"):
        exact(named["h" + x], m * c[k])
        for j, y in enumerate("xyz"):
            exact(named["I" + "".join(sorted(x + y))], I[k, j])
    assert named["m"] == m and len(sv.INERTIAL_PARAMETERS) == 10


def test_conversions_undo_each_other() -> None:
    a = bodies(3, 2)
    exact(sv.inertiaMatToVec(sv.inertiaVecToMat(a)), a)
    exact(sv.pinertiaToVec(sv.inertiaVecToPinertia(a)), a)
    exact(sv.inertiaMatToPinertia(sv.inertiaVecToMat(a)), sv.inertiaVecToPinertia(a))
    exact(sv.pinocchioToInertiaVec(sv.inertiaVecToPinocchio(a)), a)
    exact(sv.urdfToInertiaVec(sv.inertiaVecToURDF(a)), a)


def test_kinetic_energy_is_that_of_point_masses() -> None:
    """``v . I v / 2`` is the kinetic energy of a body whose pseudo-inertia J has the second moments
    of its mass.
    """
    a, v = bodies(5), RNG.normal(size=(5, 6))
    J = sv.inertiaVecToPinertia(a)
    W = np.zeros((5, 4, 4))
    W[:, :3, :3] = -np.cross(np.eye(3), v[:, None, :3])
    W[:, :3, 3] = v[:, 3:]
    W[:, :3, :3] = np.array([[[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]] for w in v])
    wanted = np.trace(W @ J @ W.swapaxes(-1, -2), axis1=-2, axis2=-1)
    exact(np.einsum("ni,nij,nj->n", v, sv.inertiaVecToMat(a), v), wanted)


def test_parameters_agree_with_pinocchio_but_for_their_order() -> None:
    """Pinocchio's dynamic parameters of the same body are those of this library in
    another order.
    """
    pin = pytest.importorskip("pinocchio")
    for _ in range(10):
        body = pin.Inertia.Random()
        I = sv.mcI(body.mass, body.lever, body.inertia)
        exact(sv.inertiaVecToPinocchio(sv.inertiaMatToVec(I)), body.toDynamicParameters())
        c = sv.inertiaVecToURDF(sv.inertiaMatToVec(I))
        exact(c[:4], [body.mass, *body.lever])
        i, j = np.triu_indices(3)
        exact(c[4:], body.inertia[i, j])
        back = pin.Inertia.FromDynamicParameters(sv.inertiaVecToPinocchio(sv.inertiaMatToVec(I)))
        exact(back.inertia, body.inertia)


@pytest.mark.parametrize("name", ["floating", "mixed", "floating_rotors", "one_rotor"])
@pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
def test_inverse_dynamics_is_linear_in_the_parameters_of_models(name: str) -> None:
    """Parameters that are read and written back are unchanged; ID is linear in them, including
    those of rotors.
    """
    model = zoo.build(name)
    s = zoo.states(model, np.random.default_rng(1))
    a, a_rotor = sv.getModelInertialParams(model)
    again = sv.setModelInertialParams(model, a, a_rotor)
    exact(sv.ID(again, s.q, s.qd, s.qdd), sv.ID(model, s.q, s.qd, s.qdd))
    b = np.concatenate([np.ravel(x) for x in (bodies(model.NB),)])
    other = sv.setModelInertialParams(model, b.reshape(-1, 10), 3 * a_rotor)
    both = sv.setModelInertialParams(model, a + b, 4 * a_rotor)
    assert_array_equal(sv.getModelInertialParams(other).a, b)
    assert_array_equal(sv.getModelInertialParams(other).a_rotor, 3 * a_rotor)
    tau = [sv.ID(x, s.q, s.qd, s.qdd) for x in (model, other, both)]
    exact(tau[0] + tau[1], tau[2])
    kept = sv.setModelInertialParams(model, b)
    assert_array_equal(sv.getModelInertialParams(kept).a_rotor, a_rotor)


def test_divergence_is_positive_with_exact_derivatives() -> None:
    """The divergence is zero for equal arguments, otherwise positive; gradient and Hessian agree
    with complex steps.
    """
    a, b = bodies(4), bodies(4)
    f, g, H = sv.entropicDivergence(a, b)
    assert (f > 0).all()
    home = sv.entropicDivergence(a, a)
    exact(home.f, 0 * f, 1e-12)
    exact(home.g, 0 * g, 1e-11)
    step = 1e-20j * np.eye(10)[:, None]
    stepped = sv.entropicDivergence(a + step, b)
    exact(stepped.f.imag.T * 1e20, g, 1e-11)
    exact(np.moveaxis(stepped.g.imag, 0, -1) * 1e20, H, 1e-11)
    assert (np.linalg.eigvalsh(H) > 0).all()


def test_distance_is_an_invariant_metric() -> None:
    """The distance is symmetric, obeys the triangle inequality, and does not depend on frames.

    For small differences it is the length of the Riemannian metric.
    """
    P, Q, S = sv.inertiaVecToPinertia(bodies(3, 5))
    d = sv.affineInvariantDistance
    A = RNG.normal(size=(4, 4))
    exact(d(P, Q), d(Q, P), 1e-10)
    exact(d(A @ P @ A.T, A @ Q @ A.T), d(P, Q), 1e-9)
    assert (d(P, Q) <= d(P, S) + d(S, Q)).all()
    exact(d(P, P), np.zeros(5), 1e-9)
    for k in range(5):
        logs = np.log(eigvals(Q[k], P[k]).real)
        exact(d(P, Q)[k], np.sqrt((logs**2).sum() / 2), 1e-9)
    a, da = bodies(), 1e-5 * RNG.normal(size=10)
    near = d(*(sv.inertiaVecToPinertia(x) for x in (a, a + da)))
    assert_allclose(2 * near**2, da @ sv.pullbackMetric(a) @ da, rtol=1e-3)


def test_bregman_divergence_is_exact_for_any_size() -> None:
    for n in (1, 2, 6):
        A, B = RNG.normal(size=(2, 7, n, n))
        P, Q = (X @ X.swapaxes(-1, -2) + np.eye(n) for X in (A, B))
        logs = np.linalg.slogdet(P)[1] - np.linalg.slogdet(Q)[1]
        trace = np.trace(np.linalg.solve(Q, P), axis1=-2, axis2=-1)
        exact(sv.logdetBregmanDivergence(P, Q), trace - logs - n, 1e-12)


HOLLOW = [1, 0, 0, 0, 1, 1, 3, 0, 0, 0]
BAD: list[tuple[Any, str]] = [
    (lambda: sv.inertiaVecToMat(range(9)), r"inertiaVecToMat: a must have shape \(..., 10\), got"),
    (lambda: sv.inertiaMatToVec(np.eye(3)), r"inertiaMatToVec: I must have shape \(..., 6, 6\)"),
    (lambda: sv.pinertiaToVec(np.eye(3)), r"pinertiaToVec: J must have shape \(..., 4, 4\)"),
    (lambda: sv.pullbackMetric(HOLLOW), "the pseudo-inertia of a must be positive definite"),
    (lambda: sv.entropicDivergence(bodies(), HOLLOW), "pseudo-inertia of b must be positive def"),
    (lambda: sv.logdetBregmanDivergence(np.eye(3), np.eye(4)), "P and Q must have the same size"),
    (lambda: sv.affineInvariantDistance(np.eye(3), np.eye(4)), "P and Q must have the same size"),
    (lambda: sv.affineInvariantDistance(1j * np.eye(3), np.eye(3)), "P must be real numbers"),
    (lambda: sv.logdetBregmanDivergence(np.triu(np.ones((3, 3))), np.eye(3)), "must be symmetric"),
    (lambda: sv.pullbackMetric(np.full(10, np.nan)), "the pseudo-inertia of a must be finite"),
    (lambda: sv.affineInvariantDistance(np.full((3, 3), np.inf), np.eye(3)), "P must be finite"),
    (
        lambda: sv.setModelInertialParams(sv.autoTree(3), np.ones(29)),
        r"a must have shape \(30,\) or",
    ),
    (
        lambda: sv.setModelInertialParams(sv.autoTree(1), bodies(), [1]),
        r"a_rotor must have shape \(0,\)",
    ),
]
test_bad_input_is_refused = refusals(ArrayShapeError, BAD)


def test_parameters_of_planar_models_are_their_definition() -> None:
    """The parameters are m, hx, hy and Izz of a planar inertia; conversion back is exact, rotors
    included.
    """
    m, c, Ic = 2.0, np.array([0.3, -0.4]), 0.7
    model = sv.planar(2).replace(
        I=[sv.mcI(m, c, Ic), sv.mcI(1.0, [0, 0], 3.0)],
        has_rotor=[False, True],
        jtype_rotor=[None, "r"],
        Xrotor=[None, np.eye(3)],
        I_rotor=[None, sv.mcI(0.5, [0.1, 0.2], 0.3)],
        gr=[1.0, 4.0],
    )
    a, a_rotor = sv.getModelInertialParams(model)
    wanted = {"m": m, "hx": m * c[0], "hy": m * c[1], "Izz": Ic + m * c @ c}
    np.testing.assert_allclose(a[:10], [wanted.get(x, 0.0) for x in sv.INERTIAL_PARAMETERS], 1e-14)
    assert (a[10:].nonzero()[0] == [0, 6]).all()
    other = sv.setModelInertialParams(model, 2 * a, 3 * a_rotor)
    np.testing.assert_allclose(other.I, 2 * model.I, 1e-14)
    np.testing.assert_allclose(other.I_rotor[1], 3 * model.I_rotor[1], 1e-14)


def test_impossible_bodies_are_named() -> None:
    with pytest.warns(InertiaWarning):
        sv.setModelInertialParams(sv.autoTree(1), HOLLOW).checked()
