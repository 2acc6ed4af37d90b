"""Typed vectors: their sums, products and transforms agree with the plain functions, or
are errors.
"""

import operator
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from spatial_v2 import ID, crf, crm, mcI, plux, rv
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.models import autoTree
from spatial_v2.typed import Force, Inertia, Motion, Transform

RNG = np.random.default_rng(3)
X = plux(rv(RNG.normal(size=3)), RNG.normal(size=3))
I = mcI(2.0, RNG.normal(size=3), np.diag([1.0, 2.0, 2.5]))
BATCHES: list[tuple[int, ...]] = [(), (4,), (2, 3), (0,)]


@pytest.mark.parametrize("batch", BATCHES)
def test_operations_are_those_of_plain_vectors(batch: tuple[int, ...]) -> None:
    v, m, f, g = RNG.normal(size=(4, *batch, 6))
    V, M, F, G = Motion(v, "a"), Motion(m, "a"), Force(f, "a"), Force(g, "a")
    assert_allclose((V + M).value, v + m)
    assert_allclose((F - G).value, f - g)
    assert_allclose((-V * 2 + 0.5 * M).value, 0.5 * m - 2 * v)
    assert_allclose(V.cross(M).value, (crm(v) @ m[..., None])[..., 0])
    assert_allclose(V.cross(F).value, (crf(v) @ f[..., None])[..., 0])
    assert_allclose(V.dot(F), (v * f).sum(axis=-1))
    assert_allclose(F.dot(V), (v * f).sum(axis=-1))
    assert_allclose((V / 2).value, v / 2)
    assert_allclose(sum([V, M, V]).value, 2 * v + m)
    weights = RNG.normal(size=batch)
    assert_allclose((V * weights).value, v * weights[..., None])
    assert_allclose((F / (2 + weights**2)).value, f / (2 + weights**2)[..., None])
    assert_allclose((Inertia(I, "a") @ V).value, v @ I)


@pytest.mark.parametrize("batch", BATCHES)
def test_transforms_preserve_power_and_the_equation_of_motion(batch: tuple[int, ...]) -> None:
    """Power and the equation of motion are the same in both frames; a transform and its inverse
    cancel.
    """
    there = Transform(X, "b", "a")
    v, a = Motion(RNG.normal(size=(*batch, 6)), "a"), Motion(RNG.normal(size=(*batch, 6)), "a", 2)
    inertia = Inertia(I, "a")

    def force(inertia: Inertia, v: Motion, a: Motion) -> Force:
        return inertia @ a + v.cross(inertia @ v)

    f = force(inertia, v, a)
    moved = force(there @ inertia, there @ v, there @ a)
    assert moved.frame == "b" and moved.units == ("N m", "N")
    assert_allclose((there @ f).value, moved.value, atol=1e-12)
    assert_allclose((there @ v).dot(there @ f), v.dot(f), atol=1e-12)
    back = there.inv() @ (there @ v)
    assert back.frame == "a"
    assert_allclose(back.value, v.value, atol=1e-13)
    assert_allclose((there.inv() @ there).X, np.eye(6), atol=1e-14)


@pytest.mark.parametrize("batch", BATCHES)
def test_transposed_transforms_act_on_forces(batch: tuple[int, ...]) -> None:
    """Power is the same on both sides; products are transposed in reverse order; transposing twice
    is the identity.
    """
    A, B = Transform(X, "b", "a"), Transform(X @ X, "c", "b")
    v, f = Motion(RNG.normal(size=(*batch, 6)), "a"), Force(RNG.normal(size=(*batch, 6)), "b")
    back = A.T @ f
    assert (back.frame, back.rate) == ("a", 2)
    assert_allclose(back.dot(v), f.dot(A @ v), atol=1e-12)
    assert_allclose(back.value, (A.inv() @ f).value, atol=1e-12)
    g = Force(f.value, "c")
    assert_allclose(((A.T @ B.T) @ g).value, (A.T @ (B.T @ g)).value, atol=1e-12)
    assert A.T.T is A


@pytest.mark.parametrize(
    ("thing", "numbers"),
    [(Motion(X[0], "a"), X[0]), (Force(X[:2], "a"), X[:2]), (Inertia(I, "a"), I),
     (Transform(X, "b", "a"), X), (Transform(X, "b", "a").T, X.T)],
    ids=lambda x: type(x).__name__,
)  # fmt: skip
def test_plain_numbers_are_converted_explicitly(thing: Any, numbers: np.ndarray) -> None:
    """NumPy gets the numbers by `asarray` only: operators do not convert typed vectors."""
    plain = np.asarray(thing)
    assert plain.dtype == float
    assert np.array_equal(plain, numbers)
    assert np.shares_memory(np.asarray(thing), np.asarray(thing))
    assert not np.shares_memory(np.array(thing), np.asarray(thing))
    for operation in (operator.add, operator.sub, operator.matmul, operator.truediv):
        with pytest.raises((TypeError, SpatialError)):
            operation(np.ones(6), thing)
    for kind in (Motion, Force, Inertia):
        with pytest.raises((SpatialError, ArrayShapeError)):
            kind(thing, "elsewhere")


def test_one_body_moves_as_inverse_dynamics_says() -> None:
    model = autoTree(1)
    q, qd, qdd = 0.3, 0.7, -1.1
    X_J = Transform(model.layout.joints[0].X_J(np.array([q])) @ model.Xtree[0], "body", "base")
    S = Motion([0, 0, 1, 0, 0, 0], "body", 0)
    v = Motion((qd * S).value, "body")
    a = Motion((qdd * S).value, "body", 2) + X_J @ Motion([0, 0, 0, *(-model.gravity)], "base", 2)
    inertia = Inertia(model.I[0], "body")
    f = inertia @ a + v.cross(inertia @ v)
    assert_allclose(S.dot(f), ID(model, [q], [qd], [qdd])[0])


VALUE = np.arange(6.0)
THINGS: dict[str, Any] = {
    "motion": Motion(VALUE, "a"),
    "motion elsewhere": Motion(VALUE, "b"),
    "acceleration": Motion(VALUE, "a", 2),
    "force": Force(VALUE, "a"),
    "momentum": Force(VALUE, "a", 1),
    "force elsewhere": Force(VALUE, "b"),
    "inertia": Inertia(I, "a"),
    "inertia elsewhere": Inertia(I, "b"),
    "transform": Transform(X, "b", "a"),
    "transpose": Transform(X, "a", "b").T,
    "array": VALUE,
}
ALLOWED: dict[Callable[..., Any], set[tuple[str, str]]] = {
    operator.add: {("inertia", "inertia"), ("inertia elsewhere", "inertia elsewhere")}
    | {(x, x) for x in ("motion", "motion elsewhere", "acceleration")}
    | {(x, x) for x in ("force", "momentum", "force elsewhere")},
    operator.matmul: {("inertia", x) for x in ("motion", "acceleration")}
    | {("inertia elsewhere", "motion elsewhere")}
    | {("transform", x) for x in ("motion", "acceleration", "force", "momentum", "inertia")}
    | {("transpose", x) for x in ("force", "momentum")},
}


@pytest.mark.parametrize("operation", ALLOWED)
@pytest.mark.parametrize(("left", "right"), list(product(THINGS, THINGS)))
def test_meaningless_operations_are_refused(
    operation: Callable[..., Any], left: str, right: str
) -> None:
    """Of all pairs of quantities, only the operations that mathematics defines are allowed."""
    if left == right == "array":
        return
    a, b = THINGS[left], THINGS[right]
    if (left, right) in ALLOWED[operation]:
        operation(a, b)
    else:
        with pytest.raises((SpatialError, TypeError)):
            operation(a, b)


@pytest.mark.parametrize(
    ("make", "error", "said"),
    [
        (lambda: Motion(np.zeros(3), "a"), ArrayShapeError, r"want shape \(\.\.\., 6\)"),
        (lambda: Inertia(np.zeros(6), "a"), ArrayShapeError, "Inertia.of takes mass"),
        (lambda: Transform(np.eye(3), "a", "b"), ArrayShapeError, r"want shape \(\.\.\., 6, 6\)"),
        (lambda: THINGS["motion"] * THINGS["force"], SpatialError, "there is `cross`, and `dot`"),
        (lambda: THINGS["motion"].dot(THINGS["motion"]), SpatialError, "wants a Force"),
        (lambda: THINGS["force"].dot(THINGS["force"]), SpatialError, "wants a Motion"),
        (lambda: THINGS["motion"] / THINGS["motion"], SpatialError, "quotient: want a number"),
        (lambda: THINGS["motion"] * THINGS["inertia"], SpatialError, "product: want a number"),
        (lambda: sum([THINGS["motion"], THINGS["force"]]), SpatialError, "have no sum"),
        (lambda: sum([THINGS["motion"], THINGS["motion elsewhere"]]), SpatialError, "frames"),
        (lambda: 1 + THINGS["motion"], TypeError, "unsupported operand"),
        (lambda: Motion(THINGS["motion"], "b"), SpatialError, "a Transform converts quantit"),
        (lambda: THINGS["transpose"] @ THINGS["motion"], SpatialError, "want a Force or another"),
        (lambda: THINGS["motion"].cross(THINGS["inertia"]), SpatialError, "want a Motion or a F"),
        (lambda: THINGS["motion"].dot(THINGS["force elsewhere"]), SpatialError, "'a' and 'b'"),
    ],
)
def test_errors_name_the_fault(make: Callable[[], Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        make()


def test_rates_have_the_right_units() -> None:
    assert Motion(VALUE, "a", 0).units == ("rad", "m")
    assert Motion(VALUE, "a", 3).units == ("rad/s^3", "m/s^3")
    assert Force(VALUE, "a", 1).units == ("N m s", "N s")
    assert "N m s" in repr(Inertia(I, "a") @ Motion(VALUE, "a"))


def test_equal_quantities_have_the_same_kind_frame_units_and_numbers() -> None:
    v = [1.0, 2, 3, 4, 5, 6]
    pairs = [
        (Motion(v, "base"), Motion([v, v], "base"), Motion(v, "arm"), Motion(v, "base", 2)),
        (Force(v, "base"), Force([*v[:5], 7], "base"), Motion(v, "base")),
        (Inertia(np.eye(6), "base"), Inertia(2 * np.eye(6), "base"), Inertia(np.eye(6), "arm")),
        (plane("base", "arm"), plane("arm", "base"), plane("base", "arm").T),
    ]
    for first, *others in pairs:
        again = type(first).__new__(type(first))
        vars(again).update(vars(first))
        assert first == again
        assert not any(first == x or x == first for x in others)
        with pytest.raises(TypeError, match="unhashable"):
            hash(first)


def plane(to: str, frame: str) -> Transform:
    """Return the identity as a transform between two frames."""
    return Transform(np.eye(6), to, frame)


def test_quantities_keep_their_numbers_when_the_given_array_changes() -> None:
    for make in (
        lambda x: Motion(x[0], "a"),
        lambda x: Force(x[0], "a"),
        lambda x: Inertia(x, "a"),
        lambda x: Transform(x, "b", "a"),
        lambda x: 1.0 * Motion(x[0], "a"),
    ):
        given = np.eye(6)
        quantity = make(given)
        before = np.array(quantity)
        given[:] = 7
        assert_array_equal(np.asarray(quantity), before)


def test_names_of_frames_are_text_and_rates_are_whole_numbers() -> None:
    x = np.eye(6)
    for wrong in (None, 3, ["a"], np.ones(6)):
        for make in (
            lambda f: Motion(x[0], f),
            lambda f: Force(x[0], f),
            lambda f: Inertia(x, f),
            lambda f: Transform(x, f, "a"),
            lambda f: Transform(x, "a", f),
        ):
            with pytest.raises(
                SpatialError, match=r"^\w+: \w+: want the name of a frame, a string"
            ):
                make(wrong)
    for rate in (-1, 1.5, "x", None):
        for kind in (Motion, Force):
            with pytest.raises(SpatialError, match=r"^\w+: rate: want a whole number from 0, got "):
                kind(x[0], "a", rate)
