"""The solvers of identification: entropic steps, weights, semidefinite programs."""

import numpy as np
import pytest
import zoo
from helpers import near
from test_identification import guess, least_eigenvalue, motion, noisy, panda, true_base

import spatial_v2 as sv
from spatial_v2.identification.entropic import Problem, entropic, is_physical, shortened
from spatial_v2.identification.least_squares import fit
from spatial_v2.identification.linear_matrix_inequality import linear_matrix_inequality
from spatial_v2.identification.matrices import block_diagonal
from spatial_v2.identification.whitened import divergence, slopes, to_parameters

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")


def problem_of(
    R: np.ndarray, z: np.ndarray, sigma: float, prior: np.ndarray, weight: float
) -> Problem:
    """Return a problem whose other terms have prior 0, unit 1 and either sign."""
    m = R.shape[1] - prior.size
    return Problem(R, z, sigma, prior, weight, np.zeros(m), np.ones(m), np.zeros(m, bool))


def test_the_entropic_solution_is_a_minimum() -> None:
    """At the solution, the gradient of the documented function is zero, and the function increases
    in all directions.
    """
    rng = np.random.default_rng(4)
    prior = sv.randomInertialParams(rng, (2,))
    R, z = rng.normal(size=(15, 21)), rng.normal(size=15)
    problem = problem_of(R, z, 0.1, prior, 0.7)
    x = entropic(problem)

    def value(x: np.ndarray) -> float:
        D = np.sum(sv.entropicDivergence(x[:20].reshape(2, 10), prior).f)
        r = (R @ x - z) / 0.1
        return float(r @ r / 2 + 0.7 * (D + x[20] ** 2 / 2))

    g = sv.entropicDivergence(x[:20].reshape(2, 10), prior).g
    gradient = R.T @ (R @ x - z) / 0.01 + 0.7 * np.append(np.ravel(g), x[20])
    assert np.abs(gradient).max() < 1e-5 * np.abs(R.T @ z / 0.01).max()
    least = np.linalg.eigvalsh(sv.inertiaVecToPinertia(x[:20].reshape(2, 10))).min()
    for _ in range(20):
        d = rng.normal(size=21)
        assert value(x + 1e-2 * least * d / np.linalg.norm(d)) > value(x)


@pytest.mark.parametrize("sigma", [1.0, 0.1])
@pytest.mark.parametrize("seed", range(4))
def test_newton_ends_with_a_step_that_squares_the_decrement(seed: int, sigma: float) -> None:
    """At the solution the predicted decrease is below 1e-20 of the weight.

    The last step was predicted to gain less than 1e-10, and Newton's method squares this.
    """
    rng = np.random.default_rng(seed)
    prior = sv.randomInertialParams(rng, (2,))
    R, z = rng.normal(size=(15, 21)), rng.normal(size=15)
    problem = problem_of(R, z, sigma, prior, 0.7)
    x = entropic(problem)
    _, g, H = sv.entropicDivergence(x[:20].reshape(2, 10), prior)
    g, H = 0.7 * np.append(np.ravel(g), x[20]), 0.7 * block_diagonal(*H, np.eye(1))
    g, H = g + R.T @ (R @ x - z) / sigma**2, H + R.T @ R / sigma**2
    assert g @ np.linalg.solve(H, g) < 1e-20 * problem.weight


def test_whitened_coordinates_have_the_entropic_divergence_and_its_slopes() -> None:
    """Divergence, gradient and Hessian in the coordinates y are those of `entropicDivergence` of
    the parameters ``prior + T y``, for robots of any size. The Hessian at the prior is the
    identity.
    """
    rng = np.random.default_rng(6)
    prior = sv.randomInertialParams(rng, (2,)) * np.array([[1e-6], [1e3]])
    T = to_parameters(prior)
    y = 0.2 * rng.normal(size=(2, 10))
    f, g, H = sv.entropicDivergence(prior + np.einsum("nij,nj->ni", T, y), prior)
    gradient, hessian = slopes(y.ravel())
    assert divergence(y.ravel()) == pytest.approx(float(f.sum()), rel=1e-12)
    near(gradient.reshape(2, 10), np.einsum("nji,nj->ni", T, g), 1e-11)
    near(hessian, np.swapaxes(T, 1, 2) @ H @ T, 1e-11)
    assert divergence(np.zeros(20)) == 0 and divergence(-9 * y.ravel()) == np.inf
    near(slopes(np.zeros(20))[1], np.tile(np.eye(10), (2, 1, 1)), 1e-12)


@pytest.mark.parametrize("positive", [False, True])
def test_other_terms_are_near_their_prior_and_positive_if_they_have_to_be(positive: bool) -> None:
    """A term is found if the samples determine it; one that has to be positive approaches zero
    where least squares would be negative.
    """
    prior = sv.randomInertialParams(np.random.default_rng(1), (1,))
    R = np.hstack([np.zeros((2, 10)), np.eye(2)])
    for sigma in (1e-3, 1e-6):
        problem = Problem(R, np.array([3.0, -2.0]), sigma, prior, 1.0, np.array([0.5, 0.5]),
                          np.array([0.5, 0.5]), np.full(2, positive))  # fmt: skip
        x = entropic(problem)
        near(x[:10], prior[0], 1e-12)
        assert x[10] == pytest.approx(3.0, abs=10 * sigma)
        if positive:  # the barrier -log x and the line of |x + 2|^2 / (2 sigma^2) balance
            assert x[11] == pytest.approx(sigma**2 / 2, rel=0.01)
        else:
            assert x[11] == pytest.approx(-2.0, abs=10 * sigma)


@pytest.mark.parametrize(("fall", "length"), [(0.21, 1.0), (0.19, 0.5), (-1.0, 0.5)])
def test_steps_are_halved_until_the_function_falls(fall: float, length: float) -> None:
    """The longest step, of 1, 1/2, 1/4, ..., is taken whose decrease is a fifth of the prediction
    or more.
    """
    values = {1.0: 5 - 3 * fall, 0.5: 5 - 3 * 0.5 * 0.21, 0.25: 0.0}
    assert shortened(values.__getitem__, 5.0, 3.0) == (length, values[length])


def test_a_step_that_never_lowers_the_function_is_given_up() -> None:
    length, value = shortened(lambda length: 2.0 + length, 2.0, 1.0)
    assert 1e-13 < length <= 1e-12 and value > 2.0
    assert shortened(lambda length: np.inf if length > 0.3 else 1.0, 2.0, 1.0) == (0.25, 1.0)


def test_weights_by_residuals_have_mean_one() -> None:
    """The weights depend on the ratios of residuals, not on their scale."""
    sigma = np.array([0.1, 0.5, 2.0, 0.3, 0.7, 0.05, 1.0])
    model, x = noisy(sigma)
    w = sv.identify(model, *x, weights="residuals", physical=False).weights
    near(w.mean(), 1.0, 1e-12)
    left = 1 / np.sqrt(w)
    assert left.max() / left.min() == pytest.approx(40, rel=0.3)


@pytest.mark.optional
@pytest.mark.parametrize("name", ["mixed", "floating_rotors", "helical"])
def test_the_semidefinite_program_finds_consistent_parameters(name: str) -> None:
    """Without noise the base parameters are exact, with noise the bodies are consistent, for every
    kind of joint.
    """
    pytest.importorskip("cvxpy")
    pytest.importorskip("clarabel")
    model, rng = zoo.build(name), np.random.default_rng(1)
    x = motion(model, 200)
    tau, prior = sv.ID(model, *x), guess(model, rng)
    near(sv.identify(model, *x, tau, prior=prior, physical="lmi").base, true_base(model), 1e-8)
    noise = tau.std() * rng.normal(size=tau.shape)
    found = sv.identify(model, *x, tau + noise, prior=prior, physical="lmi")
    assert least_eigenvalue(found) > 0


@pytest.mark.optional
def test_the_semidefinite_solution_is_a_minimum() -> None:
    """The documented function decreases in no feasible direction; the solution is on
    the boundary.
    """
    pytest.importorskip("cvxpy")
    pytest.importorskip("clarabel")
    rng = np.random.default_rng(4)
    prior = sv.randomInertialParams(rng, (2,))
    R, z = rng.normal(size=(15, 21)), 5 * rng.normal(size=15)
    problem = problem_of(R, z, 0.1, prior, 0.7)
    x = linear_matrix_inequality(problem)
    M = block_diagonal(*np.asarray(sv.pullbackMetric(prior)), np.eye(1))
    gradient = R.T @ (R @ x - z) / 0.1**2 + 0.7 * M @ (x - problem.start())
    least = np.linalg.eigvalsh(sv.inertiaVecToPinertia(x[:20].reshape(2, 10))).min()
    assert 0 < least < 1e-4
    relative = [
        np.linalg.eigvalsh(np.linalg.solve(L, np.linalg.solve(L, P).T)).min()
        for L, P in zip(
            np.linalg.cholesky(sv.inertiaVecToPinertia(prior)),
            np.asarray(sv.inertiaVecToPinertia(x[:20].reshape(2, 10))),
            strict=True,
        )
    ]
    assert min(relative) == pytest.approx(1e-6, rel=0.5)
    scale = np.abs(R.T @ z).max() / 0.1**2
    for size in 10.0 ** rng.uniform(-3, 1, 200):
        other = np.append(size * sv.randomInertialParams(rng, (2,)), x[20])
        assert gradient @ (other - x) > -1e-6 * scale * np.linalg.norm(other - x)


def test_a_missing_solver_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the extra to install, and the value of the option that does not need it."""
    import sys

    monkeypatch.setitem(sys.modules, "clarabel", None)
    model, x = noisy(np.full(7, 2.0))
    with pytest.raises(sv.SpatialError, match=r"pip install '\.\[identify\]'"):
        sv.identify(model, *x, physical="lmi")


@pytest.mark.parametrize(("share", "free"), [(3e-6, True), (3e-7, False)])
def test_parameters_with_a_share_of_a_null_vector_are_free(share: float, free: bool) -> None:
    """A parameter counts as undetermined if it takes part by more than a millionth in a change
    without effect.
    """
    null = np.array([share, 1.0, 1.0])
    A = np.linalg.svd(null[None])[2][1:]
    found = fit(np.column_stack([A, np.ones(2)]), 1e-9)
    assert found.rank == 2 and found.free.tolist() == [free, True, True]


@pytest.mark.parametrize(("thickness", "physical"), [(4e-12, True), (4e-13, False)])
@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_thin_bodies_are_no_prior(thickness: float, physical: bool, size: float) -> None:
    """Bodies whose pseudo-inertia, scaled to ones on its diagonal, has an eigenvalue below 1e-12
    are not physically consistent, in any units.
    """
    P = np.diag([size, size, size, 1.0]) ** 2
    P[0, 1] = P[1, 0] = size**2 * (1 - thickness)
    assert is_physical(np.asarray(sv.pinertiaToVec(P))[None]) == physical


@pytest.mark.parametrize(("part", "kept"), [(3e-11, True), (3e-12, False)])
def test_columns_are_compared_with_the_largest_of_their_kind(part: float, kept: bool) -> None:
    """A column counts as zero if it is too small for its kind, in its units."""
    R = np.diag([1.0, part, 1e-30, 1.0])
    kinds, units = np.array([0, 0, 1]), np.array([1.0, 1.0, 1.0])
    assert fit(R, 1e-11, units, kinds).free.tolist() == [False, not kept, False]
    scaled = R * [1, 1e6, 1, 1]
    assert fit(scaled, 1e-11, units / [1, 1e6, 1], kinds).free.tolist() == [False, not kept, False]


def test_least_squares_of_zeros_leave_all_free() -> None:
    found = fit(np.zeros((3, 3)), 1e-9)
    assert found.rank == 0 and found.free.all() and (found.x == 0).all()


def test_a_prior_far_off_is_recovered_from_or_named() -> None:
    """With a prior that is wrong by many orders of magnitude, the result is correct or there is a
    warning.
    """
    model = panda()
    x = motion(model, 300)
    a = sv.getModelInertialParams(model).a.reshape(-1, 10).copy()
    a[:, 4:7] += 1e4
    try:
        found = sv.identify(model, *x, sv.ID(model, *x), prior=a)
    except sv.ConvergenceWarning:
        return
    near(found.base, true_base(model), 1e-6)
