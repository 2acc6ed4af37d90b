"""Spatial and planar vector algebra on every shape and kind of array, and on bad input."""

from typing import Any

import numpy as np
import pytest
from helpers import exact, refusals
from numpy.testing import assert_array_equal
from spatial_samples import (
    E3,
    F2,
    F3,
    G6,
    P2,
    P3,
    R2,
    R3,
    RBI6,
    THETA,
    V3,
    V6,
    X3,
    X6,
)

from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.spatial import (
    AdjointToSE3,
    Fpt,
    SE3toAdjoint,
    Vpt,
    Xpt,
    XtoV,
    crf,
    crm,
    crmExtract,
    factorFunctions,
    icrf,
    mcI,
    plnr,
    pluho,
    plux,
    xlt,
)
from spatial_v2.three_d import skew


@pytest.mark.parametrize(
    ("function", "vector"),
    [
        (xlt, R3),
        (crm, V6),
        (crm, V3),
        (crf, V6),
        (icrf, G6),
        (lambda r: plux(E3[0, 0], r), R3),
        (lambda r: plnr(0.3, r), R2),
        (lambda c: mcI(2.0, c, np.eye(3)), P3),
        (lambda v: factorFunctions(RBI6[0, 0], v), V6),
    ],
)
def test_columns_are_taken_as_vectors(function: Any, vector: np.ndarray) -> None:
    """Columns (..., n, 1) are taken as vectors."""
    columns = function(vector[..., None])
    for index in np.ndindex(2, 3):
        exact(columns[index], function(vector[index]), 1e-14)


@pytest.mark.parametrize(
    ("function", "first", "second"),
    [(Xpt, X6, P3), (Xpt, X3, P2), (Vpt, V6, P3), (Vpt, V3, P2), (Fpt, F3, P3), (Fpt, F2, P2)],
)
def test_columns_come_back_as_columns(function: Any, first: Any, second: Any) -> None:
    """Points and forces given as columns return columns."""
    given = first[..., None] if function is Fpt else first
    exact(function(given, second[..., None])[..., 0], function(first, second))


def test_batches_of_planar_inertias_are_recognised() -> None:
    """A batch of planar bodies may have a 3x3 array of inertias, with 3x3 masses or centres of
    mass.
    """
    I = np.arange(1.0, 10.0).reshape(3, 3)
    assert mcI(2.0, np.ones((3, 3, 2)), I).shape == (3, 3, 3, 3)
    assert mcI(np.ones((3, 3)), [1, 0], I)[1, 2, 0, 0] == 7


def test_planar_transforms_are_differentiated_both_ways() -> None:
    """A planar transform of a complex angle is converted back to this angle, so that both
    directions have derivatives.
    """
    theta, r = THETA + 1e-20j, R2 * (1 + 2e-20j)
    back = plnr(plnr(theta, r))
    exact(np.exp(1j * back.theta.real), np.exp(1j * THETA))
    exact(back.theta.imag, 1e-20 * np.ones_like(THETA), 1e-34)
    exact(back.r.imag * 1e20, 2 * R2)


def test_numbers_and_lists_are_accepted() -> None:
    """Lists and integers are accepted as arrays are."""
    assert_array_equal(xlt([1, 2, 3])[3:, :3], -skew([1, 2, 3]))
    assert plnr(0, [1, 2]).dtype == np.float64
    assert mcI(1, [0, 0, 0], np.eye(3, dtype=int)).dtype == np.float64


BAD = [
    (lambda: xlt([1, 2]), r"xlt: r must have shape \(..., 3\), got \(2,\); .* points \[x, y, z\]"),
    (lambda: plux(np.eye(4), [1, 2, 3]), r"plux: E must have shape \(..., 3, 3\) or \(..., 2, 2\)"),
    (lambda: plux(np.eye(3), [1, 2]), r"plux: r must have shape \(..., 3\), got \(2,\)"),
    (lambda: plux(np.eye(2), [1, 2, 3]), r"plux: r must have shape \(..., 2\), got \(3,\)"),
    (lambda: plux(np.eye(4)), r"plux: X must have shape \(..., 6, 6\) or \(..., 3, 3\)"),
    (lambda: plnr(0.1, [1, 2, 3]), r"r must have shape \(..., 2\), got \(3,\)"),
    (lambda: plnr(np.eye(6)), r"plnr: X must have shape \(..., 3, 3\), got \(6, 6\)"),
    (lambda: pluho(np.eye(3)), r"pluho: argument must have shape \(..., 6, 6\) or \(..., 4, 4\)"),
    (lambda: crm([1, 2, 3, 4]), r"crm: v must have shape \(..., 6\) or \(..., 3\), got \(4,\)"),
    (lambda: crm(np.eye(6)), r"crm: a 6x6 argument .* zeros on its diagonal; .* \(6, 6, 1\)"),
    (lambda: crf(np.eye(4)), r"crf: v must have shape .* got \(4, 4\)"),
    (lambda: icrf("f"), "icrf: f must be numbers, got 'f'"),
    (lambda: crmExtract([1, 2, 3]), r"crmExtract: M must have shape \(..., 6, 6\), got \(3,\)"),
    (lambda: mcI(1, [1], 1), r"mcI: c must have shape \(..., 3\) or \(..., 2\), got \(1,\)"),
    (lambda: mcI(1, [1, 2, 3], 1.0), r"mcI: I must have shape \(..., 3, 3\), got \(\)"),
    (lambda: mcI(1, [1, 2, 3]), "mcI: I must be numbers, got None"),
    (lambda: mcI(2.0, [0.1, 0.2], np.eye(3)), r"mcI: I of a planar body is a number, .* \(3, 3\)"),
    (
        lambda: Xpt(np.eye(6), np.ones((3, 5))),
        r"Xpt: p .* got \(3, 5\); .* rows along .* transpose",
    ),
    (
        lambda: Xpt(np.eye(3), np.ones((2, 5))),
        r"Xpt: p .* got \(2, 5\); .* rows along .* transpose",
    ),
    (
        lambda: Vpt(np.ones((6, 4)), np.ones((4, 3))),
        r"Vpt: v .* got \(6, 4\); .* rows .* transpose",
    ),
    (lambda: Vpt(np.ones(6), np.ones((3, 2))), r"Vpt: p .* got \(3, 2\); .* rows .* transpose"),
    (
        lambda: Fpt(np.ones((3, 4)), np.ones((3, 4))),
        r"Fpt: fp .* got \(3, 4\); .* rows .* transpose",
    ),
    (lambda: mcI([1, 2, 3]), r"mcI: rbi must have shape \(..., 6, 6\) or \(..., 3, 3\)"),
    (lambda: XtoV(np.eye(4)), r"XtoV: X must have shape"),
    (lambda: Xpt(np.eye(6), [1, 2]), r"Xpt: p must have shape \(..., 3\), got \(2,\)"),
    (lambda: Vpt([1, 2, 3], [1, 2, 3]), r"Vpt: p must have shape \(..., 2\), got \(3,\)"),
    (lambda: Fpt([1, 2, 3], [1, 2]), r"Fpt: p must have shape \(..., 3\), got \(2,\)"),
    (lambda: AdjointToSE3(np.eye(4)), r"must have shape \(..., 6, 6\), got \(4, 4\)"),
    (lambda: SE3toAdjoint(np.eye(6)), r"must have shape \(..., 4, 4\), got \(6, 6\)"),
    (lambda: factorFunctions(np.eye(6), np.ones(3)), r"factorFunctions: v .* \(..., 6\), got"),
]
test_bad_input_is_refused = refusals(ArrayShapeError, BAD)


@pytest.mark.parametrize("number", [0, 4, "3"])
def test_an_unknown_factorisation_is_refused(number: Any) -> None:
    """A factorisation that does not exist is an error; MATLAB uses variant 3."""
    with pytest.raises(SpatialError, match="number must be 1, 2 or 3, got"):
        factorFunctions(np.eye(6), np.ones(6), number)
