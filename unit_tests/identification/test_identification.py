"""`identify`: exact results for exact samples, consistent ones for noisy samples, and every form of
samples.
"""

import tracemalloc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import near
from numpy.testing import assert_array_equal

import spatial_v2 as sv

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
CASES = [
    (name, physical)
    for name in zoo.NAMES
    if name != "massless"
    for physical in (False, True)[: 1 if name in zoo.PLANAR else 2]
]


def panda() -> sv.Model:
    """Return the Panda with physically consistent inertias."""
    rng = np.random.default_rng(7)
    return sv.Panda_model(_bodies(rng, 7))


def _bodies(rng: np.random.Generator, n: int) -> np.ndarray:
    r, m = rng.normal(0, 0.1, (n, 6, 3)), rng.uniform(0.2, 1.0, (n, 6))
    points = np.concatenate([r, np.ones((n, 6, 1))], axis=-1)
    return np.asarray(sv.pinertiaToVec(np.einsum("nk,nki,nkj->nij", m, points, points)))


def guess(model: sv.Model, rng: np.random.Generator, size: float = 0.1) -> np.ndarray:
    """Return physically consistent parameters (NB, 10) near those of the model."""
    a = sv.getModelInertialParams(model).a.reshape(-1, 10)
    P = np.asarray(sv.inertiaVecToPinertia(a))
    A = np.linalg.cholesky(P) @ (np.eye(4) + size * rng.normal(size=P.shape))
    return np.asarray(sv.pinertiaToVec(A @ np.swapaxes(A, 1, 2)))


def motion(model: sv.Model, n: int, seed: int = 0) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    q = sv.random_configuration(model, rng, (n,))
    qd, qdd = rng.normal(size=(2, n, model.NV))
    return q, qd, qdd


def least_eigenvalue(found: sv.Identification) -> float:
    return float(np.linalg.eigvalsh(sv.inertiaVecToPinertia(found.parameters)).min())


def true_base(model: sv.Model) -> np.ndarray:
    null = sv.RPNA(model)
    a = sv.getModelInertialParams(model).a
    return np.asarray(sv.ComputeBases(model, null.N, null.M).Perp_Basis.T @ a)


@pytest.mark.parametrize(("name", "physical"), zoo.over(CASES), ids=str)
def test_without_errors_the_base_parameters_are_found(name: str, physical: bool) -> None:
    """They are exact for every joint type, with rotors, from a prior that is wrong by a tenth and
    more, and so are the forces of the identified model.
    """
    model = zoo.build(name)
    x, rng = motion(model, 300), np.random.default_rng(1)
    prior = 2 * sv.getModelInertialParams(model).a if name in zoo.PLANAR else guess(model, rng)
    start = sv.setModelInertialParams(model, np.ravel(prior))
    found = sv.identify(
        start, *x, sv.ID(model, *x), prior=None if physical else start, physical=physical
    )
    near(found.base, true_base(model), 1e-8)
    assert found.rank == len(found.base) and found.residual_rms.max() < 1e-7
    assert found.model is not None
    near(sv.ID(found.model, *x), sv.ID(model, *x), 1e-7)
    if physical:
        assert least_eigenvalue(found) > 0


@pytest.mark.parametrize("physical", [False, True])
@pytest.mark.parametrize("method", ["qr", "normal"])
def test_parameters_of_the_panda_are_identified(method: Any, physical: bool) -> None:
    """Base parameters and friction agree to 1e-8, and so do the forces of the identified model."""
    model = panda()
    x = motion(model, 1000)
    rng = np.random.default_rng(3)
    viscous, coulomb = rng.uniform(0.1, 1.0, (2, 7))
    tau = sv.ID(model, *x) + viscous * x[1] + coulomb * np.sign(x[1])
    found = sv.identify(
        model, *x, tau, friction=True, prior=guess(model, rng), method=method, physical=physical
    )
    near(found.base[:43], true_base(model), 1e-8)
    near(found.viscous, viscous, 1e-8)
    near(found.coulomb, coulomb, 1e-8)
    assert (found.armature == 0).all() and found.samples == 1000
    assert found.names[43] == "viscous0" and found.names[-1] == "coulomb6"
    assert found.model is not None
    near(sv.ID(found.model, *x), tau, 1e-7)


def noisy(sigma: np.ndarray, n: int = 150) -> tuple[sv.Model, tuple[np.ndarray, ...]]:
    model = panda()
    x = motion(model, n)
    errors = sigma * np.random.default_rng(5).normal(size=(n, 7))
    return model, (*x, sv.ID(model, *x) + errors)


def test_with_errors_the_bodies_are_physically_consistent() -> None:
    """Without the condition `physical` the bodies are inconsistent; with it they are consistent,
    and errors are smaller.
    """
    model, x = noisy(np.full(7, 2.0))
    prior = guess(model, np.random.default_rng(2))
    free, bound = (sv.identify(model, *x, prior=prior, physical=p) for p in (False, True))
    assert least_eigenvalue(free) < 0 < least_eigenvalue(bound)
    truth = true_base(model)
    errors = [float(np.linalg.norm(f.base - truth)) for f in (free, bound)]
    assert errors[1] < errors[0]
    near(bound.residual_rms, np.full(7, 2.0), 0.15)


@pytest.mark.slow
def test_deviations_are_those_of_repeated_trials() -> None:
    """The spread of many estimates agrees with their covariances, and residuals agree with the
    noise.
    """
    model, _ = noisy(np.zeros(7))
    x, rng, trials = motion(model, 150), np.random.default_rng(9), 60
    tau, truth = sv.ID(model, *x), true_base(model)
    scores = []
    for _ in range(trials):
        found = sv.identify(model, *x, tau + 0.5 * rng.normal(size=tau.shape), physical=False)
        scores.append((found.base - truth) / found.standard_deviations)
    assert abs(np.mean(np.square(scores)) - 1) < 0.1
    near(found.covariance, found.covariance.T, 1e-12)
    near(np.sqrt(found.covariance.diagonal()), found.standard_deviations, 1e-12)


def test_weights_by_variances_reduce_the_error() -> None:
    """Weights by the true variances reduce the error, and weights="residuals" finds nearly these
    weights.
    """
    sigma = np.array([0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 4.0])
    model, x = noisy(sigma, 400)
    truth = true_base(model)
    given, none, own = (
        sv.identify(model, *x, weights=w, physical=False) for w in (sigma**-2, None, "residuals")
    )
    error = [float(np.linalg.norm(f.base - truth)) for f in (given, none, own)]
    assert error[0] < error[1] and error[2] < error[1]
    ratio = own.weights * sigma**2
    assert ratio.max() / ratio.min() < 2
    near(given.weights, sigma**-2, 0)


def test_least_squares_are_those_of_numpy() -> None:
    """Base parameters and covariance agree with NumPy's least squares for the whole regressor.

    Residuals are the differences of forces.
    """
    from spatial_v2 import RegressorClassical

    model, x = noisy(np.full(7, 0.3))
    null = sv.RPNA(model)
    bases = sv.ComputeBases(model, null.N, null.M)
    A = RegressorClassical(model, *x[:3]).Y.reshape(-1, 70) @ bases.Minimal_Basis
    wanted, squares, rank, s = np.linalg.lstsq(A, x[3].ravel())
    found = sv.identify(model, *x, physical=False)
    near(found.base, wanted, 1e-10)
    variance = squares[0] / (A.shape[0] - rank)
    near(found.covariance, variance * np.linalg.inv(A.T @ A), 1e-10)
    assert found.model is None or found.model.NB == 7
    left = x[3] - (A @ wanted).reshape(-1, 7)
    near(found.residual_rms, np.sqrt(np.mean(left**2, axis=0)), 1e-10)
    size = np.linalg.svd(A / np.linalg.norm(A, axis=0), compute_uv=False)
    assert found.condition == pytest.approx(size[0] / size[-1], 1e-6)
    assert len(s) == found.rank == 43


@pytest.mark.parametrize("method", ["qr", "normal"])
def test_samples_may_be_arrays_of_any_kind(method: Any, tmp_path: Any) -> None:
    """Samples may be in memory, in pieces, in memory maps, with leading axes, or integers."""
    model, x = noisy(np.full(7, 0.1), 120)
    options: Any = {"method": method, "physical": False}
    whole = sv.identify(model, *x, **options)
    maps = []
    for k, a in enumerate(x):
        np.save(tmp_path / f"{k}.npy", a)
        maps.append(np.load(tmp_path / f"{k}.npy", mmap_mode="r"))
    pieces = (tuple(a[k : k + 7] for a in x) for k in range(0, 120, 7))
    for other in (
        sv.identify(model, *x, chunk=1, **options),
        sv.identify(model, *x, chunk=50, **options),
        sv.identify(model, *maps, **options),
        sv.identify(model, pieces, **options),
        sv.identify(model, *(a.reshape(4, 30, -1) for a in x), **options),
        sv.identify(model, *(a.tolist() for a in x), **options),
    ):
        near(other.base, whole.base, 1e-10)
        near(other.residual_rms, whole.residual_rms, 1e-6 if method == "normal" else 1e-10)
        assert other.samples == 120


@pytest.mark.slow
def test_a_million_samples_take_the_memory_of_one_batch() -> None:
    """Ten times as many samples from a generator need less than one megabyte more."""
    model = sv.autoTree(2, 1, 0.5)

    def made(batches: int) -> Iterator[tuple[np.ndarray, ...]]:
        for k in range(batches):
            q, qd, qdd = motion(model, 20_000, k)
            yield q, qd, qdd, sv.ID(model, q, qd, qdd)

    sv.identify(model, made(1))
    peaks, found = [], None
    for batches in (5, 50):
        tracemalloc.start()
        found = sv.identify(model, made(batches))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert found is not None and found.samples == 1_000_000
    near(found.base, true_base(model), 1e-8)
    assert peaks[1] < peaks[0] + 2**20
    assert peaks[1] < 2**25


def test_progress_counts_all_samples() -> None:
    model, x = noisy(np.zeros(7), 120)
    counts: list[int] = []
    sv.identify(model, *x, chunk=50, physical=False, progress=counts.append)
    assert counts == [50, 50, 20]


def test_friction_and_armature_are_identified() -> None:
    """Friction and armature are found; the armature of the first joint is not separable from Izz,
    so there is a warning.
    """
    model = sv.autoTree(3, 1, 0.9)
    x = motion(model, 300)
    viscous, armature = np.array([0.1, 0.2, 0.3]), np.array([0.0, 0.5, 0.7])
    tau = sv.ID(model, *x) + viscous * x[1] + armature * x[2]
    with pytest.warns(sv.ExcitationWarning, match="armature0"):
        found = sv.identify(model, *x, tau, friction="viscous", armature=True, physical=False)
    near(found.viscous, viscous, 1e-9)
    near(found.armature[1:], armature[1:], 1e-9)
    assert (found.coulomb == 0).all()
    assert found.rank == len(found.base) - 1
    open_ = [n for n, s in zip(found.names, found.standard_deviations, strict=True) if np.isinf(s)]
    assert len(open_) == 2 and open_[1] == "armature0" and "Izz0" in open_[0]
    assert found.residual_rms.max() < 1e-12


def test_a_motion_that_excites_little_is_warned_of() -> None:
    """If all joints but one are at rest, there is a warning, and undetermined parameters keep the
    prior.
    """
    model = panda()
    q, qd, qdd = motion(model, 300)
    q[:, 1:], qd[:, 1:], qdd[:, 1:] = 0.3, 0.0, 0.0
    with pytest.warns(sv.ExcitationWarning, match="the motion determines"):
        found = sv.identify(
            model, q, qd, qdd, sv.ID(model, q, qd, qdd), prior=model, physical=False
        )
    assert found.rank < 43 and np.isinf(found.standard_deviations).any()
    near(found.base, true_base(model), 1e-8)


@pytest.mark.parametrize("physical", [False, "entropic"])
def test_friction_of_joints_at_rest_keeps_the_prior(physical: Any) -> None:
    model = panda()
    q, qd, qdd = motion(model, 300)
    q[:, 3:], qd[:, 3:], qdd[:, 3:] = 0.3, 0.0, 0.0
    prior = model.replace(damping=[0, 0, 0, 0, 0, 0.4, 0])
    options = {"friction": True, "physical": physical, "prior": prior}
    with pytest.warns(sv.ExcitationWarning, match="viscous3"):
        found = sv.identify(model, q, qd, qdd, sv.ID(model, q, qd, qdd) + 0.2 * qd, **options)
    near(found.viscous[:3], np.full(3, 0.2), 1e-6)
    assert found.viscous[3:].tolist() == [0, 0, 0.4, 0] and not found.coulomb[3:].any()


def test_prior_decides_undetermined_parameters() -> None:
    """With exact samples and the true prior, all parameters are the true ones, also the
    undetermined ones.
    """
    model = panda()
    x = motion(model, 300)
    a = sv.getModelInertialParams(model).a.reshape(-1, 10)
    for physical in (False, True):
        found = sv.identify(model, *x, sv.ID(model, *x), physical=physical)
        near(found.parameters, a, 1e-8)
    near(sv.identify(model, *x, sv.ID(model, *x), prior=model).parameters, a, 1e-8)


def test_a_heavy_prior_wins() -> None:
    model, x = noisy(np.full(7, 0.5))
    prior = guess(model, np.random.default_rng(8))
    for physical in (False, True):
        found = sv.identify(model, *x, prior=prior, prior_weight=1e9, physical=physical)
        near(found.parameters, prior, 1e-4)


def test_offsets_are_identified_beside_friction() -> None:
    """A constant force of each joint, which would otherwise change Coulomb friction and the
    inertias, is found.
    """
    model, rng = panda(), np.random.default_rng(3)
    x = motion(model, 500)
    coulomb, offset = rng.uniform(0.1, 1.0, 7), rng.normal(size=7)
    tau = sv.ID(model, *x) + coulomb * np.sign(x[1]) + offset
    found = sv.identify(model, *x, tau, friction="coulomb", offset=True, prior=guess(model, rng))
    near(found.offset, offset, 1e-8)
    near(found.coulomb, coulomb, 1e-8)
    assert found.names[-7:] == [f"offset{j}" for j in range(7)]
    assert found.model is not None and found.residual_rms.max() < 1e-8
    near(sv.ID(found.model, *x) + found.offset, tau, 1e-8)
    without = sv.identify(model, *x, tau, friction="coulomb")
    assert (without.offset == 0).all() and without.residual_rms.min() > 1e-3


FIELDS = {"armature": "armature", "damping": "viscous", "friction": "coulomb"}


@pytest.mark.parametrize("identified", [{}, {"friction": "viscous"}, {"friction": True}], ids=str)
@pytest.mark.parametrize("name", ["mixed", "rotors", "floating"])
def test_joint_terms_of_the_model_are_known_unless_identified(
    name: str, identified: dict[str, Any]
) -> None:
    """Known friction and armature are subtracted, identified ones are found, and the identified
    model has both.
    """
    model, rng = zoo.build(name), np.random.default_rng(4)
    fields = dict(zip(FIELDS, rng.uniform(0.1, 0.5, (3, model.NV)), strict=True))
    true = model.replace(**fields)
    wanted = {"viscous": "damping", "coulomb": "friction"}
    unknown = [identified["friction"]] if identified.get("friction") == "viscous" else [*wanted]
    start = true.replace(**{wanted[x]: None for x in unknown}) if identified else true
    x = motion(model, 300)
    tau = sv.ID(true, *x)
    found = sv.identify(start, *x, tau, prior=guess(model, rng), **identified)
    for field, result in FIELDS.items():
        near(getattr(found, result), fields[field], 1e-7)
    assert found.model is not None
    near(sv.ID(found.model, *x), tau, 1e-7)


def test_negative_friction_is_not_in_the_model() -> None:
    """Least squares may find negative friction, which no model can have: the model has zero, and a
    warning says so. With physically consistent parameters friction is not negative.
    """
    model, x = noisy(np.full(7, 0.1))
    tau = x[3] - 0.5 * x[1]
    with pytest.warns(sv.InertiaWarning, match=r"negative viscous .*\[0, 1, 2, 3, 4, 5, 6\]"):
        found = sv.identify(model, *x[:3], tau, friction="viscous", physical=False)
    near(found.viscous, np.full(7, -0.5), 0.1)
    assert found.model is not None and (found.model.damping == 0).all()
    found = sv.identify(model, *x[:3], tau, friction="viscous")
    assert found.model is not None and (found.viscous > 0).all()
    assert_array_equal(found.model.damping, found.viscous)


@pytest.mark.parametrize("physical", [False, True])
@pytest.mark.parametrize("unknown", ["panda_hand", 6, ["link6", 2], []], ids=str)
def test_only_some_bodies_are_unknown(unknown: Any, physical: bool) -> None:
    """The others keep their parameters; what is found of the unknown ones is exact, and all that
    their columns of the regressor determine.
    """
    model = panda()
    names = [f"link{i}" for i in range(7)]
    model = model.replace(body_names=names, frames={"panda_hand": (6, sv.xlt([0, 0, 0.1]))})
    bodies = {"panda_hand": [6], 6: [6]}.get(unknown if np.ndim(unknown) == 0 else -1)
    bodies = [2, 6] if unknown == ["link6", 2] else bodies or []
    a = sv.getModelInertialParams(model).a.reshape(-1, 10)
    prior = a.copy()
    prior[bodies] = guess(model, np.random.default_rng(1), 0.2)[bodies]
    x = motion(model, 200)
    tau = sv.ID(model, *x) + 0.3 * x[1]
    options = {"prior": prior, "unknown": unknown, "physical": physical, "friction": "viscous"}
    found = sv.identify(model, *x, tau, **options)
    near(found.viscous, np.full(7, 0.3), 1e-8)
    near(np.delete(found.parameters, bodies, axis=0), np.delete(a, bodies, axis=0), 0)
    columns = [10 * i + k for i in bodies for k in range(10)]
    Y = sv.ComputeSampledRegressor(model, 100, rng=np.random.default_rng(0))[:, columns]
    rank = int(np.linalg.matrix_rank(Y, 1e-9 * np.linalg.norm(Y, 2))) if columns else 0
    assert found.rank - 7 == rank == len(found.names) - 7
    near(Y @ found.parameters[bodies].ravel(), Y @ a[bodies].ravel(), 1e-8)
    if bodies == [6]:
        near(found.parameters, a, 1e-8)
        assert found.names[:10] == [f"{x.replace('h', 'mc')}6" for x in sv.INERTIAL_PARAMETERS]


BAD: list[tuple[dict[str, Any], str]] = [
    ({"qd": None, "qdd": None, "tau": None}, "qd, qdd and tau are missing"),
    ({"tau": None}, "tau is missing; want arrays"),
    ({"q": np.zeros((5, 4))}, r"q: want shape \(..., 3\)"),
    ({"tau": np.zeros((3, 5))}, "transpose"),
    ({"tau": np.zeros((6, 3))}, "hold 5, 5, 5, 6 samples"),
    ({"qd": np.full((5, 3), np.nan)}, "qd: sample 0 is not finite"),
    ({"qdd": np.zeros((5, 3), complex)}, "qdd: want real numbers"),
    ({"q": np.array(["a"] * 3)}, "q: want real numbers"),
    ({x: np.zeros((0, 3)) for x in ("q", "qd", "qdd", "tau")}, "hold no samples"),
    ({"weights": [1, 2]}, r"weights: want shape \(3,\)"),
    ({"weights": [1, 2, -1]}, "positive and finite"),
    ({"weights": "auto"}, "or 'residuals'"),
    ({"friction": "dry"}, "'viscous', 'coulomb'"),
    ({"friction": 0.1}, "friction: want True, False, 'viscous'"),
    ({"friction": [0.1]}, "friction: want True, False, 'viscous'"),
    ({"armature": "no"}, "armature: want True or False, got 'no'"),
    ({"friction": "offset"}, "offset=True for constant forces"),
    ({"offset": 1.0}, "offset: want True or False, got 1.0"),
    ({"unknown": "hand"}, "unknown: no frame and no body is called 'hand'"),
    ({"unknown": [3]}, "unknown: want the number of a body, 0 to 2"),
    ({"unknown": [-1]}, "unknown: the base has no parameters"),
    ({"unknown": [0.5]}, "unknown: want a Frame"),
    ({"physical": "maybe"}, "physical: want True"),
    ({"physical": np.ones(2)}, "physical: want True"),
    ({"method": "svd"}, "method: want 'qr'"),
    ({"method": ["qr"]}, "method: want 'qr'"),
    ({"prior": np.full((3, 10), np.nan)}, "prior: want finite numbers"),
    ({"prior": np.full((3, 10), np.inf), "physical": False}, "prior: want finite numbers"),
    ({"prior_weight": np.inf}, "at least zero, got inf"),
    ({"prior_weight": np.inf, "physical": False}, "at least zero, got inf"),
    ({"q": [[np.zeros((5, 3))] * 4], "qd": None, "qdd": None}, "qd is missing"),
    ({"chunk": 0}, "chunk must be"),
    ({"tol": 2.0}, "between 0 and 1"),
    ({"prior": np.zeros((2, 10))}, "prior: want shape"),
    ({"prior": np.zeros((3, 10))}, "no distribution of positive mass has those of body 0"),
    ({"prior_weight": -1.0}, "at least zero"),
    ({"prior": np.zeros((3, 10)), "physical": False, "prior_weight": 1.0}, "without prior_weight"),
    ({"prior": sv.autoTree(2).replace(damping=1.0)}, "prior: want"),
    ({"prior_weight": 0.0}, "must be positive, or use physical=False"),
]


@pytest.mark.parametrize(("change", "message"), BAD)
def test_bad_input_is_refused(change: dict[str, Any], message: str) -> None:
    x = {name: np.zeros((5, 3)) for name in ("q", "qd", "qdd", "tau")}
    with pytest.raises(sv.SpatialError, match=message):
        sv.identify(sv.autoTree(3), **{**x, **change})


def test_wrong_batches_are_refused() -> None:
    model = sv.autoTree(2)
    good = [np.zeros((3, 2))] * 4
    late = [good, [*good[:3], np.full((3, 2), np.inf)]]
    with pytest.raises(sv.ArrayShapeError, match="tau: sample 3 is not finite"):
        sv.identify(model, iter(late))
    with pytest.raises(sv.ArrayShapeError, match="batch 1: want .* got 3 entries"):
        sv.identify(model, iter([good, good[:3]]))
    with pytest.raises(sv.ArrayShapeError, match="batch 0: want .* got an object of type float"):
        sv.identify(model, [1.0])
    with pytest.raises(sv.ArrayShapeError, match="hold no samples"):
        sv.identify(model, iter([]))
    with pytest.raises(sv.ArrayShapeError, match="iterable of batches"):
        sv.identify(sv.planar(2), 3, physical=False)
