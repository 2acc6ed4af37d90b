"""Numbers that decide about models and configurations: just beside them the decision is another."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

import spatial_v2 as sv
from spatial_v2.io.impossible import is_impossible
from spatial_v2.model.checks import check_transforms

UNITS = pytest.mark.parametrize("length", [1e-6, 1.0, 1e3])


def refused(really: bool, error: type[Exception]) -> Any:
    return pytest.raises(error) if really else nullcontext()


def body(I: Any, X: Any = None, jtype: Any = "Rz") -> sv.Model:
    return sv.Model(parent=[-1], jtype=[jtype], Xtree=[np.eye(6) if X is None else X], I=[I])


@pytest.mark.parametrize(("share", "wrong"), [(5e-9, True), (5e-10, False)])
def test_transforms_with_rounded_numbers(share: float, wrong: bool) -> None:
    """Rotations may differ from orthonormal ones by 1e-9."""
    E = sv.rx(0.3) @ np.diag([1.0, 1.0, 1.0 + share / 2])
    with refused(wrong, sv.ModelError):
        body(sv.mcI(1, [0, 0, 0], np.eye(3)), np.kron(np.eye(2), E))


@UNITS
@pytest.mark.parametrize(("share", "wrong"), [(3e-9, True), (3e-10, False)])
def test_translations_with_rounded_numbers(share: float, wrong: bool, length: float) -> None:
    """The block of a translation may differ from a skew one by 1e-9 of its size, for robots of any
    size.
    """
    X = sv.xlt([length, 0, 0])
    X[3, 0] = share * length / 2
    with refused(wrong, sv.ModelError):
        body(sv.mcI(1, [0, 0, 0], np.eye(3)), X)


@UNITS
@pytest.mark.parametrize(("rest", "wrong"), [(3e-13, True), (3e-14, False)])
def test_rounding_errors_of_a_translation_that_is_zero(
    rest: float, wrong: bool, length: float
) -> None:
    """They are compared with a ten thousandth of the largest translation of the robot."""
    X = [sv.xlt([length, 0, 0]), np.eye(6)]
    X[1][3, 0] = rest * length / 2
    I = [sv.mcI(1, [0, 0, 0], np.eye(3))] * 2
    with refused(wrong, sv.ModelError):
        sv.Model(parent=[-1, 0], jtype=["Rx", "Rx"], Xtree=X, I=I)


def test_a_translation_that_is_nothing_but_rounding_errors() -> None:
    """A product that gives the identity up to rounding errors is a transform."""
    noise = 1e-16 * np.random.default_rng(0).normal(size=(3, 3))
    X = np.eye(6)
    X[3:, :3] = noise
    check_transforms("X", X[None])


@UNITS
@pytest.mark.parametrize(("share", "wrong"), [(5e-9, True), (5e-10, False)])
def test_inertias_with_rounded_numbers(share: float, wrong: bool, length: float) -> None:
    """Inertias may differ from symmetric ones by 1e-9 of their size, for robots of any size."""
    I = sv.mcI(1, [0, 0, 0], length**2 * np.eye(3))
    I[0, 1] = share * length**2 * 1.5
    with refused(wrong, sv.ModelError):
        body(I)


@UNITS
@pytest.mark.parametrize(("share", "impossible"), [(1e-5, True), (1e-6, False)])
def test_impossible_inertias_of_robots_of_any_size(
    share: float, impossible: bool, length: float
) -> None:
    """A second moment of mass may be negative by a millionth."""
    S = length**2 * np.diag([1.0, 1.0, -share])
    I = sv.mcI(2.0, [0, 0, 0], 2.0 * (np.trace(S) * np.eye(3) - S))
    with pytest.warns(sv.InertiaWarning) if impossible else nullcontext():
        body(I)
    moments = np.diag([1.0, 1.0, 2.0 + 2 * share])[None]
    assert is_impossible(length**2 * moments)[0] == impossible


def in_dynamics(E: np.ndarray) -> Any:
    return sv.ID(body(sv.mcI(1, [0, 0, 0], np.eye(3)), jtype="SO3"), E.ravel(), *np.zeros((2, 3)))


@pytest.mark.parametrize(
    ("function", "limit"), [(in_dynamics, 1e-3), (sv.rotToQuat, 1e-3), (sv.rv, 1e-6)]
)
@pytest.mark.parametrize(("share", "wrong"), [(5.0, True), (0.5, False)])
def test_rotations_that_are_not_orthonormal(
    function: Callable[[Any], Any], limit: float, share: float, wrong: bool
) -> None:
    with refused(wrong, sv.SpatialError):
        function(np.diag([1.0, 1.0, np.sqrt(1 + share * limit)]))


@pytest.mark.parametrize(
    ("mend", "off", "wrong"),
    [(False, 5e-9, True), (False, 5e-10, False), (True, 5e-2, True), (True, 5e-3, False)],
)
def test_last_rows_of_transforms(mend: bool, off: float, wrong: bool) -> None:
    model = body(sv.mcI(1, [0, 0, 0], np.eye(3)), jtype="SE3")
    T = np.eye(4)
    T[3, 0] = off
    q, z = T.ravel(order="F"), np.zeros(6)
    with refused(wrong, sv.SpatialError):
        sv.normalizeConfVec(model, q) if mend else sv.ID(model, q, z, z)


@pytest.mark.parametrize(("size", "wrong"), [(5e-4, True), (5e-3, False)])
def test_matrices_that_are_far_from_a_rotation(size: float, wrong: bool) -> None:
    model = body(sv.mcI(1, [0, 0, 0], np.eye(3)), jtype="SO3")
    with refused(wrong, sv.SpatialError):
        sv.normalizeConfVec(model, 7.0 * np.diag([1.0, 1.0, size]).ravel())


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e12])
@pytest.mark.parametrize(("share", "wrong"), [(5e-9, True), (5e-10, False)])
def test_matrices_that_are_not_symmetric(share: float, wrong: bool, size: float) -> None:
    P = size * np.eye(4)
    P[0, 1] = share * size
    with refused(wrong, sv.ArrayShapeError):
        sv.logdetBregmanDivergence(P, size * np.eye(4))
