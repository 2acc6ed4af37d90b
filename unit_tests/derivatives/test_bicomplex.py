"""Bicomplex arrays: axioms of the ring, analytic identities, second derivatives at h = 1e-20."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from derivatives.reference import bicomplex_namespace as bxp
from derivatives.reference.bicomplex import Bicomplex
from spatial_v2.arrays import constant, namespace
from spatial_v2.arrays.entire import cosc, sinc, sincc

H = 1e-20


def parts(z):
    return np.stack([z.real, z.im1, z.im2, z.im12])


def close(a, b, tol=1e-13):
    a, b = parts(bxp.asarray(a)), parts(bxp.asarray(b))
    np.testing.assert_allclose(a, b, rtol=tol, atol=tol * max(1.0, np.max(np.abs(b))))


def draw(rng, *shape):
    a, b, c, d = rng.uniform(-1, 1, (4, *shape))
    return Bicomplex(a + 1j * b, c + 1j * d)


def step(x, h=H):
    return Bicomplex(x + 1j * h, h)


numbers = st.tuples(*[st.floats(-2, 2)] * 4).map(
    lambda p: Bicomplex(complex(p[0], p[1]), complex(p[2], p[3]))
)


@given(numbers, numbers, numbers)
def test_commutative_ring_with_one(x, y, z):
    close(x + y, y + x)
    close(x * y, y * x)
    close((x + y) + z, x + (y + z))
    close((x * y) * z, x * (y * z), 1e-12)
    close(x * (y + z), x * y + x * z, 1e-12)
    close(x * 1.0, x)
    close(x + 0.0, x)
    close(x - x, 0.0)
    close(x - y, -(y - x))


def test_units_square_to_minus_one_and_commute():
    i1, i2 = Bicomplex(1j), Bicomplex(0.0, 1.0)
    close(i1 * i1, -1.0)
    close(i2 * i2, -1.0)
    close(i1 * i2, Bicomplex(0.0, 1j))
    close(i1 * i2, i2 * i1)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3)])
def test_division_inverts_multiplication(shape):
    rng = np.random.default_rng(1)
    x, y = draw(rng, *shape), draw(rng, *shape) + 4.0
    close(x / y * y, x)
    close((1.0 / y) * y, np.ones(shape))
    close((2.0 + 1j) / y, (2.0 + 1j) * y**-1)
    close(x / (2.0 + 1j), x * (1.0 / (2.0 + 1j)))


def test_powers_are_repeated_products():
    x = draw(np.random.default_rng(2), 4) + 3.0
    close(x**0, np.ones(4))
    close(x**1, x)
    close(x**5, x * x * x * x * x)
    close(x**-2, 1.0 / (x * x))


def test_elementary_identities_for_large_imaginary_parts():
    x = draw(np.random.default_rng(3), 5)
    y = draw(np.random.default_rng(4), 5)
    one = np.ones(5)
    close(bxp.sin(x) * bxp.sin(x) + bxp.cos(x) * bxp.cos(x), one)
    close(bxp.cosh(x) * bxp.cosh(x) - bxp.sinh(x) * bxp.sinh(x), one)
    close(bxp.sin(x + y), bxp.sin(x) * bxp.cos(y) + bxp.cos(x) * bxp.sin(y))
    close(bxp.exp(x + y), bxp.exp(x) * bxp.exp(y))
    close(bxp.exp(x), bxp.cosh(x) + bxp.sinh(x))
    close(bxp.tan(x) * bxp.cos(x), bxp.sin(x))
    close(bxp.sqrt(x + 3.0) * bxp.sqrt(x + 3.0), x + 3.0)
    close(bxp.sqrt(Bicomplex(0.0)), 0.0)


def test_an_embedded_complex_number_behaves_as_in_numpy():
    c = np.array([0.3 + 0.4j, -1.2 + 0.1j, 2.0 - 3.0j])
    for name in ("sin", "cos", "tan", "sinh", "cosh", "exp", "sqrt"):
        close(getattr(bxp, name)(Bicomplex(c)), Bicomplex(getattr(np, name)(c)))


SECOND = {
    "sin": lambda x: -np.sin(x),
    "cos": lambda x: -np.cos(x),
    "tan": lambda x: 2 * np.tan(x) / np.cos(x) ** 2,
    "exp": np.exp,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "sqrt": lambda x: -0.25 * x**-1.5,
}


@pytest.mark.parametrize("name", SECOND)
def test_second_derivative_to_machine_precision(name):
    x = np.array([0.1, 0.7, 1.3])
    z = getattr(bxp, name)(step(x))
    np.testing.assert_allclose(z.im12 / H**2, SECOND[name](x), rtol=1e-14)
    np.testing.assert_array_equal(z.im1, z.im2)
    np.testing.assert_allclose(z.real, getattr(np, name)(x), rtol=1e-15)


def test_second_derivative_of_a_quotient_is_exact_at_tiny_and_at_negative_arguments():
    for x in (np.array([1e-3, 0.5, 7.0]), np.array([-0.4, -3.0])):
        z = step(x)
        np.testing.assert_allclose((1.0 / z).im12 / H**2, 2 / x**3, rtol=1e-14)
        np.testing.assert_allclose((z / (1 + z)).im12 / H**2, -2 / (1 + x) ** 3, rtol=1e-14)


def test_second_derivative_of_lantoine_example_is_the_published_one():
    """d2/dx2 of exp(x) / sqrt(sin(x)^3 + cos(x)^3) at 0.5 is the number in Lantoine et
    al. (2012).
    """
    x = step(np.array(0.5))
    f = bxp.exp(x) / bxp.sqrt(bxp.sin(x) ** 3 + bxp.cos(x) ** 3)
    g = np.sin(0.5) ** 3 + np.cos(0.5) ** 3
    g1 = 3 * np.sin(0.5) * np.cos(0.5) * (np.sin(0.5) - np.cos(0.5))
    s, c = np.sin(0.5), np.cos(0.5)
    g2 = 3 * ((c * c - s * s) * (s - c) + s * c * (c + s))
    second = np.exp(0.5) * (g**-0.5 - g1 * g**-1.5 - 0.5 * g2 * g**-1.5 + 0.75 * g1**2 * g**-2.5)
    assert abs(f.im12 / H**2 - second) < 1e-13


def test_two_directions_give_the_mixed_derivative():
    x, y = Bicomplex(0.3 + 1j * H), Bicomplex(0.8, H)
    z = bxp.sin(x * y) / (x + y)
    s, c, w = np.sin(0.24), np.cos(0.24), 1.1
    expected = (c - 0.24 * s) / w - (0.8 * c + 0.3 * c) / w**2 + 2 * s / w**3
    assert abs(z.im12 / H**2 - expected) < 1e-14


def test_tricomplex_numbers_give_third_derivatives():
    x = Bicomplex(Bicomplex(0.4 + 1j * H, H), H)
    assert x.order == 3
    assert abs(bxp.sin(x).part(1, 2, 3) / H**3 + np.cos(0.4)) < 1e-14
    assert abs((1.0 / x).part(1, 2, 3) / H**3 + 6 / 0.4**4) < 1e-10
    assert abs(bxp.sqrt(x).part(1, 2, 3) / H**3 - 0.375 * 0.4**-2.5) < 1e-12
    y = x * Bicomplex(2.0, 0.5) - Bicomplex(2.0, 0.5) * x
    assert np.all(y.part(1, 2) == 0) and np.all(y.real == 0)


@pytest.mark.parametrize("f", [sinc, cosc, sincc])
def test_entire_functions_have_no_branch_at_the_identity(f):
    theta = np.array([0.0, 1e-4, 0.3, 0.4999, 0.5001, 2.0])
    z, h = f(step(theta) ** 2).im12 / H**2, 1e-4
    fd = (f((theta + h) ** 2) - 2 * f(theta**2) + f((theta - h) ** 2)) / h**2
    np.testing.assert_allclose(z, fd, atol=1e-7)


def test_linear_solve_inverts_the_matrix_product():
    rng = np.random.default_rng(5)
    A, b = draw(rng, 4, 3, 3) * 0.3 + np.eye(3), draw(rng, 4, 3, 2)
    close(A @ bxp.linalg.solve(A, b), b)
    close(A @ bxp.linalg.inv(A), np.broadcast_to(np.eye(3), (4, 3, 3)))
    close(np.eye(3) @ A, A)
    M = rng.normal(size=(3, 3))
    close(M @ A @ M, Bicomplex(M @ A.z1 @ M, M @ A.z2 @ M))
    close(bxp.linalg.solve(M, b), Bicomplex(np.linalg.solve(M, b.z1), np.linalg.solve(M, b.z2)))


def test_solve_has_exact_second_derivatives():
    """Second derivatives of x = A^-1 b along A' agree with 2 A^-1 A' A^-1 A' A^-1 b."""
    rng = np.random.default_rng(6)
    A, dA, b = np.eye(4) * 3 + rng.normal(size=(4, 4)), rng.normal(size=(4, 4)), np.ones((4, 1))
    x = bxp.linalg.solve(Bicomplex(A + 1j * H * dA, H * dA), b)
    V = np.linalg.inv(A)
    np.testing.assert_allclose(x.im12 / H**2, 2 * V @ dA @ V @ dA @ V @ b, rtol=1e-11)


def test_numpy_operands_defer_to_bicomplex_numbers():
    z = draw(np.random.default_rng(7), 3)
    a = np.array([1.0, 2.0, 3.0])
    for left, right in ((a + z, z + a), (a * z, z * a), (a - z, -(z - a)), (a / z, (z / a) ** -1)):
        assert isinstance(left, Bicomplex)
        close(left, right)
    assert isinstance(np.float64(2.0) * z, Bicomplex)
    close(np.ones((1, 3)) @ z, z @ np.ones((3, 1)))


@pytest.mark.parametrize("shapes", [((), (3,)), ((3,), (2, 3)), ((2, 1), (1, 3)), ((1,), (0,))])
def test_every_part_of_a_result_has_its_shape(shapes):
    """The four parts of sums, products and quotients are broadcast, as those of real operands."""
    rng = np.random.default_rng(11)
    wanted = np.broadcast_shapes(*shapes)
    for one, two in (shapes, shapes[::-1]):
        z = draw(rng, *one)
        for w in (draw(rng, *two), rng.uniform(1, 2, two), 1j * rng.uniform(1, 2, two)):
            for x in (z + w, w + z, z - w, w - z, z * w, w * z, z / w, w / z):
                assert x.shape == wanted
                assert {np.shape(x.part(*units)) for units in ((), (1,), (2,), (1, 2))} == {wanted}


def test_comparisons_look_at_the_real_part():
    z = Bicomplex([1.0 + 9j, -2.0 - 9j], [7.0, 7.0])
    assert (z > 0).tolist() == [True, False]
    assert (z <= -2).tolist() == [False, True]
    assert (z == 1).tolist() == [True, False]
    assert (bxp.abs(z).real == [1.0, 2.0]).all() and (bxp.abs(z).im2 == [7.0, -7.0]).all()


def test_array_namespace_is_found_and_converts_constants():
    z = draw(np.random.default_rng(8), 2, 3)
    assert namespace(np.eye(3), z) is bxp
    assert isinstance(constant(np.eye(3), z), Bicomplex)


def test_rearranging_functions_act_as_on_numpy_arrays():
    z = draw(np.random.default_rng(9), 2, 3)
    cases = [
        (lambda xp, x: xp.reshape(x, (3, 2))),
        (lambda xp, x: xp.permute_dims(x, (1, 0))),
        (lambda xp, x: xp.matrix_transpose(x)),
        (lambda xp, x: xp.broadcast_to(x, (4, 2, 3))),
        (lambda xp, x: xp.sum(x, axis=-1)),
        (lambda xp, x: xp.expand_dims(x, axis=0)),
        (lambda xp, x: xp.squeeze(x[:, None], axis=1)),
        (lambda xp, x: xp.moveaxis(x, 0, -1)),
        (lambda xp, x: xp.flip(x, axis=1)),
        (lambda xp, x: xp.take(x, np.array([2, 0]), axis=1)),
        (lambda xp, x: xp.stack([x, 2 * x], axis=1)),
        (lambda xp, x: xp.concat([x, 2 * x], axis=-1)),
        (lambda xp, x: xp.zeros_like(x)),
        (lambda xp, x: x[..., 1:]),
        (lambda xp, x: x[None, 0, ::2]),
        (lambda xp, x: x.reshape((6,))),
        (lambda xp, x: x.mT),
        (lambda xp, x: xp.where(np.array([True, False, True]), x, 0 * x)),
    ]
    for f in cases:
        close(f(bxp, z), Bicomplex(f(namespace(), z.z1), f(namespace(), z.z2)))


def test_stack_converts_constants():
    z = draw(np.random.default_rng(10), 3)
    w = bxp.stack([z, np.ones(3), bxp.zeros(3)])
    close(w[1], np.ones(3))
    close(w[0], z)


def test_conversion_to_real_is_refused():
    with pytest.raises(TypeError, match="not silently made real"):
        float(Bicomplex(1.0))
    with pytest.raises(TypeError):
        np.sin(Bicomplex(1.0))


@pytest.mark.parametrize("size", [1.0, 1e-8, 1e-20])
def test_logarithm_and_inverse_tangent_are_inverse_functions(size):
    """Logarithm and inverse tangent undo exponential and tangent, in all digits even of
    tiny parts.
    """
    rng = np.random.default_rng(4)
    x = draw(rng, 50)
    x = Bicomplex(x.z1.real + 1j * size * x.z1.imag, size * x.z2) * 0.4
    for there, back in ((bxp.exp, bxp.log), (bxp.tan, bxp.atan)):
        found, wanted = parts(back(there(x))), parts(x)
        scale = np.array([1, size, size, size])[:, None]
        np.testing.assert_allclose(found / scale, wanted / scale, rtol=0, atol=1e-13)


def test_comparisons_are_those_of_the_real_parts() -> None:
    """Each comparison gives that of the real parts, whatever the other parts are."""
    x, y = np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])
    first, other = Bicomplex(x + 1j, 5 * x), Bicomplex(y - 2j, 7 * y)
    for name in ("less", "less_equal", "equal"):
        wanted = getattr(np, name)(x, y)
        for a, b in ((first, other), (first, y), (x, other)):
            np.testing.assert_array_equal(getattr(bxp, name)(a, b), wanted)
