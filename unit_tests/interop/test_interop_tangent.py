"""The function `tangent`: velocity variables for a change of the entries of q, of which there may
be more.
"""

import numpy as np
import pytest
import zoo
from numpy.testing import assert_allclose

from spatial_v2 import SpatialError, configurationAddition, configurationRates, normalizeConfVec
from spatial_v2.interop.tangent import cotangent, tangent

MODELS = ["chain", "floating", "SO3", "SE3", "mixed", "planar_tree"]


@pytest.fixture(params=MODELS)
def sample(request):  # type: ignore[no-untyped-def]
    model = zoo.build(request.param)
    rng = np.random.default_rng(2)
    s = zoo.states(model, rng, (4,))
    return model, s.q, rng.normal(size=s.q.shape), s.qd, rng


def test_tangent_is_the_left_inverse_of_the_rates(sample) -> None:  # type: ignore[no-untyped-def]
    model, q, _, v, _ = sample
    assert_allclose(tangent(model, q, configurationRates(model, q, v)), v, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ["spherical", "floating", "two_floating"])
def test_tangent_is_the_change_of_the_normalised_configuration(name: str) -> None:
    """The tangent agrees with a complex step through `normalizeConfVec` in any direction.

    This holds for quaternions of other norms and matrices that are not rotations, too.
    """
    model, rng = zoo.build(name).replace(), np.random.default_rng(2)
    model.jtype = ["Fb" if j == "SE3" else j for j in model.jtype]
    q = zoo.states(model, rng, (4,)).q
    dq = rng.normal(size=q.shape)
    moved = normalizeConfVec(model, q + 1e-20j * dq).imag / 1e-20
    rates = configurationRates(model, q, tangent(model, q, dq), stabilise=False)
    assert_allclose(rates, moved, rtol=1e-12, atol=1e-12)


def test_stretches_of_rotation_matrices_are_no_tangents() -> None:
    """A stretch of a rotation matrix, dE = S E with symmetric S, has the tangent zero."""
    model, rng = zoo.build("one_SO3"), np.random.default_rng(2)
    q = zoo.states(model, rng).q
    E, A = q.reshape(3, 3).T, rng.normal(size=(3, 3))
    assert_allclose(tangent(model, q, ((A + A.T) @ E).T.ravel()), 0, atol=1e-12)


def test_tangent_has_symmetric_derivatives(sample) -> None:  # type: ignore[no-untyped-def]
    """The derivatives of `tangent` are symmetric up to a Lie bracket, by the Maurer-Cartan
    equation.

    Therefore Hessians with respect to the entries of q are symmetric: orders of derivatives along
    velocity variables differ by the structure constants, which the derivatives of `tangent`
    compensate.
    """
    model, q, dq, _, rng = sample
    other = rng.normal(size=q.shape)
    h = 1e-20j
    first = tangent(model, q + h * other, dq).imag / 1e-20
    second = tangent(model, q + h * dq, other).imag / 1e-20
    a, b = tangent(model, q, dq), tangent(model, q, other)
    assert_allclose(first - second, bracket(model, b, a), rtol=1e-10, atol=1e-10)


def bracket(model, a, b):  # type: ignore[no-untyped-def]
    """Compute the Lie bracket of two velocities within each joint, -[a, b]."""
    from derivatives import StructureConstants

    return -np.einsum("lkj,...k,...j->...l", StructureConstants(model), a, b)


def test_cotangent_is_the_transpose(sample) -> None:  # type: ignore[no-untyped-def]
    model, q, dq, g, _ = sample
    left, right = (cotangent(model, q, g) * dq).sum(-1), (g * tangent(model, q, dq)).sum(-1)
    assert_allclose(left, right, rtol=1e-12, atol=1e-12)


def test_gradients_are_lie_derivatives_along_the_manifold(sample) -> None:  # type: ignore[no-untyped-def]
    model, q, _, g, rng = sample
    v = rng.normal(size=g.shape)
    moved = configurationAddition(model, q, 1e-20j * v).imag / 1e-20
    assert_allclose((cotangent(model, q, g) * moved).sum(-1), (g * v).sum(-1), rtol=1e-11)


@pytest.mark.parametrize("f", [tangent, cotangent])
@pytest.mark.parametrize(
    ("name", "message"),
    [("one_S", "zero"), ("one_Fb", "zero"), ("one_SO3", "no rotation"), ("one_SE3", "no rotation")],
)
def test_configurations_without_a_rotation_are_refused(f, name: str, message: str) -> None:  # type: ignore[no-untyped-def]
    """A configuration without a rotation is an error that names the state; NaN affects its own
    state only.
    """
    model = zoo.build(name)
    q = zoo.states(model, np.random.default_rng(2), (3,)).q
    x = np.ones((3, model.NQ if f is tangent else model.NV))
    lost = q.copy()
    lost[1, 0] = np.nan
    with np.errstate(all="ignore"):
        finite = np.isfinite(f(model, lost, x)).all(axis=-1)
    assert finite.tolist() == [True, False, True]
    q[1] *= 0
    q[1, -1] = name == "one_SE3"
    with pytest.raises(SpatialError, match=rf"q\[..., 0:\d+\]: .*{message}.* in state \(1,\)"):
        f(model, q, x)
