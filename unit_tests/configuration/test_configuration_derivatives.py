"""Derivatives of addition and difference of configurations: complex steps, and their properties."""

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import zoo
from helpers import all_near, near, parts

import spatial_v2 as sv
from derivatives import StructureConstants, symmetrize
from derivatives.reference import bicomplex_step, complex_step, complex_step_q

models = pytest.mark.parametrize("name", zoo.MODELS)
sizes = pytest.mark.parametrize("size", [0.0, 1e-9, 1e-4, 1.0, 1.9999, 2.0001, 3.14159, 7.0])
to_half_turns = pytest.mark.parametrize("size", [0.0, 1e-9, 1e-4, 1.0, 1.9999, 2.0001, 3.14159])


def moved(name: str, size: float, shape: tuple[int, ...] = (2,)) -> tuple[sv.Model, Any, Any]:
    """Return a model, configurations, and displacements with rotations by exactly `size`."""
    model, rng = zoo.build(name), np.random.default_rng(21)
    q, dq = sv.random_configuration(model, rng, shape), rng.normal(size=(*shape, model.NV))
    for v in model.vinds:
        turn = dq[..., v][..., :3]
        turn *= size / np.linalg.norm(turn, axis=-1, keepdims=True)
    return model, q, dq


def zeros(like: np.ndarray) -> np.ndarray:
    return np.zeros_like(like)


@models
@sizes
def test_first_derivatives_of_addition_are_complex_steps(name: str, size: float) -> None:
    """The derivatives agree with complex steps of the displacement between the result and its
    neighbours.
    """
    model, q, dq = moved(name, size)
    new = sv.configurationAddition(model, q, dq)

    def by_q(a: Any) -> Any:
        there = sv.configurationAddition(model, sv.configurationAddition(model, q, a), dq)
        return sv.configurationDifference(model, new, there)

    def by_dq(b: Any) -> Any:
        return sv.configurationDifference(model, new, sv.configurationAddition(model, q, dq + b))

    d = sv.configurationAddition_derivatives(model, q, dq)
    near(d.dnew_dq, complex_step(by_q, zeros(dq)))
    near(d.dnew_ddq, complex_step(by_dq, zeros(dq)))


@models
@sizes
def test_second_derivatives_of_addition_are_those_of_the_first(name: str, size: float) -> None:
    """The second derivatives agree with complex steps of the first with respect to dq.

    The first derivatives do not depend on q.
    """
    model, q, dq = moved(name, size)
    d = sv.configurationAddition_SO_derivatives(model, q, dq)
    for k, tensor in enumerate(d):

        def first(x: Any, k: int = k) -> Any:
            return sv.configurationAddition_derivatives(model, q, x)[k]

        def along(x: Any, k: int = k) -> Any:
            return sv.configurationAddition_derivatives(model, x, dq)[k]

        near(tensor, complex_step(first, dq))
        assert not complex_step_q(model, along, q).any()


@models
@sizes
def test_symmetric_parts_are_the_hessian_of_the_displacement(name: str, size: float) -> None:
    """The symmetric parts are the Hessian of configurationDifference(q (+) dq, (q (+) a) (+) (dq +
    b)) along a and b, by bicomplex steps.
    """
    model, q, dq = moved(name, size)
    new, n = sv.configurationAddition(model, q, dq), model.NV

    def displaced(x: Any) -> Any:
        there = sv.configurationAddition(model, q, x[..., :n])
        there = sv.configurationAddition(model, there, dq + x[..., n:])
        return sv.configurationDifference(model, new, there)

    H = bicomplex_step(displaced, np.zeros((2, 2 * n)))
    d = sv.configurationAddition_SO_derivatives(model, q, dq)
    near(H[..., :n, :n], 0 * d.d2new_cross)
    near(2 * H[..., :n, n:], d.d2new_cross)
    near(2 * H[..., n:, n:], d.d2new_ddq + np.swapaxes(d.d2new_ddq, -1, -2))


@models
def test_orders_of_second_derivatives_differ_by_brackets(name: str) -> None:
    """Second derivatives in exchanged order differ by Lie brackets.

    With X and J the derivatives of q (+) dq with respect to q and dq, and [., .] the Lie brackets
    of the joints, ``dJ_j/ddq_k - dJ_k/ddq_j = [J_j, J_k]`` and ``dX_j/ddq_k = [X_j, J_k]``.
    """
    model, q, dq = moved(name, 1.3)
    X, J = sv.configurationAddition_derivatives(model, q, dq)
    cross, twice = sv.configurationAddition_SO_derivatives(model, q, dq)
    c = StructureConstants(model)
    near(twice - np.swapaxes(twice, -1, -2), np.einsum("iab,zaj,zbk->zijk", c, J, J))
    near(cross, np.einsum("iab,zaj,zbk->zijk", c, X, J))


@models
@to_half_turns
def test_derivatives_of_the_difference_are_complex_steps(name: str, size: float) -> None:
    """First derivatives along both configurations, and second ones, agree with complex steps."""
    model, q0, dq = moved(name, size)
    q1 = sv.configurationAddition(model, q0, dq)
    first, second = (
        f(model, q0, q1)
        for f in (sv.configurationDifference_derivatives, sv.configurationDifference_SO_derivatives)
    )
    tolerance = 1e-11 if size > 3 else 1e-12
    for k in range(2):

        def dq_of(x: Any, k: int = k) -> Any:
            return sv.configurationDifference(model, *((x, q1), (q0, x))[k])

        def first_of(x: Any, k: int = k) -> Any:
            return sv.configurationDifference_derivatives(model, *((x, q1), (q0, x))[k])[k]

        near(first[k], complex_step_q(model, dq_of, (q0, q1)[k]), tolerance)
        near(second[k], complex_step_q(model, first_of, (q0, q1)[k]), tolerance)

    def across(x: Any) -> Any:
        return sv.configurationDifference_derivatives(model, q0, x).ddq_dq0

    def other_way(x: Any) -> Any:
        return sv.configurationDifference_derivatives(model, x, q1).ddq_dq1

    near(second.d2dq_cross, complex_step_q(model, across, q1), tolerance)
    swapped = complex_step_q(model, other_way, q0)
    near(second.d2dq_cross, np.swapaxes(swapped, -1, -2), tolerance)


@models
def test_hessian_in_an_increment_is_symmetric(name: str) -> None:
    """`symmetrize` makes the second derivatives of the difference along one configuration
    symmetric.

    The result is the mean of both orders.
    """
    model, q0, dq = moved(name, 1.3)
    q1 = sv.configurationAddition(model, q0, dq)
    first = sv.configurationDifference_derivatives(model, q0, q1)
    second = sv.configurationDifference_SO_derivatives(model, q0, q1)
    for d1, d2 in ((first[0], second[0]), (first[1], second[1])):
        H = np.asarray(symmetrize(d2, d1, model))
        near(H, np.swapaxes(H, -1, -2))
        near(H, (d2 + np.swapaxes(d2, -1, -2)) / 2)


@models
@to_half_turns
def test_difference_inverts_addition_to_second_order(name: str, size: float) -> None:
    """The difference of q (+) dq and q is dq: by the chain rule its first derivative is the
    identity, its second one zero.
    """
    model, q, dq = moved(name, size)
    q1 = sv.configurationAddition(model, q, dq)
    X, J = sv.configurationAddition_derivatives(model, q, dq)
    back0, back1 = sv.configurationDifference_derivatives(model, q, q1)
    one = np.broadcast_to(np.eye(model.NV), J.shape)
    near(back1 @ J, one)
    near(back0 + back1 @ X, 0 * one)
    _, twice = sv.configurationAddition_SO_derivatives(model, q, dq)
    _, second, _ = sv.configurationDifference_SO_derivatives(model, q, q1)
    bent = np.einsum("zilm,zlj,zmk->zijk", second, J, J)
    near(bent + np.einsum("zil,zljk->zijk", back1, twice), 0 * bent)


@models
def test_a_step_of_zero_is_the_identity(name: str) -> None:
    model, q, dq = moved(name, 0.0)
    one = np.broadcast_to(np.eye(model.NV), (2, model.NV, model.NV))
    for d in sv.configurationAddition_derivatives(model, q, 0 * dq):
        np.testing.assert_array_equal(d, one)
    np.testing.assert_array_equal(sv.configurationTransport(model, q, 0 * dq, dq), dq)


@models
def test_transport_along_two_parts_of_a_step_is_transport_along_the_step(name: str) -> None:
    """Transport along s dq and then along t dq is transport along (s + t) dq, for numbers s, t.

    Transport back along -dq restores a vector, and the power of a force is kept.
    """
    model, q, dq = moved(name, 2.0)
    v, f = np.random.default_rng(3).normal(size=(2, *dq.shape))
    for kind, x in (("motion", v), ("force", f)):
        whole = sv.configurationTransport(model, q, dq, x, kind)
        part = sv.configurationTransport(model, q, 0.3 * dq, x, kind)
        there = sv.configurationAddition(model, q, 0.3 * dq)
        near(sv.configurationTransport(model, there, 0.7 * dq, part, kind), whole)
        near(sv.configurationTransport(model, there, -dq, whole, kind), x)
    power = np.sum(
        sv.configurationTransport(model, q, dq, v)
        * sv.configurationTransport(model, q, dq, f, "force"),
        axis=-1,
    )
    near(power, np.sum(v * f, axis=-1))


@models
def test_transported_is_the_displacement_of_a_neighbour(name: str) -> None:
    """With X the matrix of the transport, (q (+) v) (+) dq equals (q (+) dq) (+) X v for any v, not
    only to first order.
    """
    model, q, dq = moved(name, 2.0)
    v = np.random.default_rng(4).uniform(-1, 1, dq.shape) / 2
    there = sv.configurationAddition(model, sv.configurationAddition(model, q, v), dq)
    new = sv.configurationAddition(model, q, dq)
    near(sv.configurationDifference(model, new, there), sv.configurationTransport(model, q, dq, v))


@models
def test_contractions_are_those_of_the_tensors(name: str) -> None:
    model, q, dq = moved(name, 1.7)
    q1, p = sv.configurationAddition(model, q, dq), np.random.default_rng(5).normal(size=dq.shape)
    for contracted, tensors in (
        (
            sv.modConfigurationAddition_second_derivatives(model, q, dq, p),
            sv.configurationAddition_SO_derivatives(model, q, dq),
        ),
        (
            sv.modConfigurationDifference_second_derivatives(model, q, q1, p),
            sv.configurationDifference_SO_derivatives(model, q, q1),
        ),
    ):
        all_near(contracted, [np.einsum("zi,zijk->zjk", p, T) for T in tensors])


FUNCTIONS: list[tuple[Callable[..., Any], str]] = [
    (sv.configurationAddition_derivatives, "qv"),
    (sv.configurationAddition_SO_derivatives, "qv"),
    (sv.configurationDifference_derivatives, "qq"),
    (sv.configurationDifference_SO_derivatives, "qq"),
    (sv.configurationTransport, "qvv"),
    (sv.modConfigurationAddition_second_derivatives, "qvv"),
    (sv.modConfigurationDifference_second_derivatives, "qqv"),
]
functions = pytest.mark.parametrize(
    ("function", "core"), FUNCTIONS, ids=[f.__name__ for f, _ in FUNCTIONS]
)


def draw(model: sv.Model, core: str, shape: tuple[int, ...]) -> list[np.ndarray]:
    rng = np.random.default_rng(6)
    states = [zoo.states(model, rng, shape) for _ in core]
    return [s.q if c == "q" else s.qd for c, s in zip(core, states, strict=True)]


@functions
@pytest.mark.parametrize("name", ["mixed", "SE3"])
def test_derivatives_at_the_identity_have_all_digits(function: Any, core: str, name: str) -> None:
    """The derivatives agree with those of 50-digit numbers, also at zero, where quotients would be
    0/0.
    """
    model = zoo.build(name)
    args = draw(model, core, ())
    with mpmath.workdps(50):
        many = [np.array([mpmath.mpf(float(y)) for y in x], dtype=object) for x in args]
        found = [x.astype(float) for x in parts(function(model, *many))]
    all_near(found, parts(function(model, *args)), 1e-14)


def test_derivatives_of_mpmath_numbers_have_fifty_digits() -> None:
    """Second derivatives of mpmath numbers agree with central differences with a step of 1e-15."""
    model = sv.Model(parent=[-1], jtype=["Fb"], Xtree=[np.eye(6)], I=[np.eye(6)])
    with mpmath.workdps(50):
        q = np.array([mpmath.mpf(x) for x in sv.neutral(model)], dtype=object)
        dq = np.array([mpmath.mpf(k + 1) / 3 for k in range(6)], dtype=object)
        exact = sv.configurationAddition_SO_derivatives(model, q, dq).d2new_ddq
        h = mpmath.mpf(10) ** -15
        for k in range(6):
            e = np.array([h if j == k else mpmath.mpf(0) for j in range(6)], dtype=object)
            plus, minus = (
                sv.configurationAddition_derivatives(model, q, dq + s * e).dnew_ddq for s in (1, -1)
            )
            assert max(abs((plus - minus) / (2 * h) - exact[..., k]).ravel()) < 1e-29


def test_an_unknown_kind_of_joint_is_refused() -> None:
    with pytest.raises(sv.SpatialError, match="kind: want 'motion' or 'force', got 'torque'"):
        sv.configurationTransport(zoo.build("one_R"), [0.0], [0.0], [0.0], "torque")  # type: ignore[arg-type]


@pytest.mark.parametrize("turns", [1, 2, 5])
@pytest.mark.parametrize("name", ["one_S", "one_Fb", "one_SO3", "one_SE3"])
def test_displacements_by_full_turns_are_no_exception(name: str, turns: int) -> None:
    """Derivatives of the addition, and the transport, at full turns are those of neighbouring
    displacements, without warnings.
    """
    model, rng = zoo.build(name), np.random.default_rng(2)
    q, v = sv.random_configuration(model, rng), rng.normal(size=model.NV)
    axis = rng.normal(size=3)
    dq = rng.normal(size=model.NV)
    dq[:3] = 2 * np.pi * turns * axis / np.linalg.norm(axis)
    beside = dq + 1e-8

    def results(x: np.ndarray) -> list[np.ndarray]:
        first = sv.configurationAddition_derivatives(model, q, x)
        second = sv.configurationAddition_SO_derivatives(model, q, x)
        return [*first, *second, sv.configurationTransport(model, q, x, v)]

    for x, y in zip(results(dq), results(beside), strict=True):
        near(x, y, 1e-6)
