"""Chapter 14: tensors and their algebra."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.configuration import configurationAddition, configurationDifference, neutral
from spatial_v2.course.exercise import Exercise
from spatial_v2.models import autoTree
from spatial_v2.spatial import mcI

__all__ = ["EXERCISES"]

RNG = np.random.default_rng(13)
TENSOR, MATRIX = RNG.normal(size=(5, 6, 3)), RNG.normal(size=(6, 4))
SUBSPACES = RNG.normal(size=(6, 2)), RNG.normal(size=(6, 3)), RNG.normal(size=(6, 4))
INERTIA = mcI(2.0, RNG.normal(size=3), np.diag([0.2, 0.3, 0.4]))


def between(first: float, second: float) -> float:
    """Compute the angle [rad] between rotations about x and y in the two orders."""
    model = autoTree(1).replace(jtype=["S"])

    def after(a: np.ndarray, b: np.ndarray) -> Any:
        return configurationAddition(model, configurationAddition(model, neutral(model), a), b)

    x, y = first * np.eye(3)[0], second * np.eye(3)[1]
    d = np.asarray(configurationDifference(model, after(x, y), after(y, x)))
    return float(np.sqrt(d @ d))


def of_block(Sj: Any, Sk: Any, IC: Any, Si: Any) -> Any:
    """Compute the derivative of a block of the mass matrix, given motion subspaces and a composite
    inertia.
    """
    from tensor_sva import Tm, crf_t, mT

    return mT(Sj.T, Tm(crf_t(Sk), IC @ Si))


def as_motion(Sj: Any, Sk: Any, IC: Any, Si: Any) -> Any:
    """Compute the derivative of the block, mistakenly with the cross product of motions."""
    from tensor_sva import Tm, crm_t, mT

    return mT(Sj.T, Tm(crm_t(Sk), IC @ Si))


def axes_alone(Sj: Any, Sk: Any, IC: Any, Si: Any) -> Any:
    """Compute the derivative of the block, mistakenly as if the inertia were constant."""
    from tensor_sva import Tm, crm_t, mT

    return mT(Sj.T @ IC, Tm(crm_t(Sk), Si))


EXERCISES = (
    Exercise(
        "14.1",
        lambda: (3, 6, 4),
        hints=(
            "What do rows, columns and pages of the product belong to, and which two does each "
            "transpose exchange?",
            "U x~ V has 6 rows, a column for each column of V, a page for each of U; R "
            "exchanges columns and pages, T rows and columns.",
        ),
        mistakes={
            "That is U x~ V itself.": lambda: (6, 4, 3),
            "R is first, then T.": lambda: (4, 3, 6),
        },
    ),
    Exercise(
        "14.2",
        lambda: lambda A, B: np.einsum("ilk,lj->ijk", A, B),
        to_write=("Tm",),
        hints=(
            "Every page is multiplied by the same matrix from the right.",
            "Entry [i, j, k] is the sum over l of A[i, l, k] B[l, j].",
        ),
        mistakes={
            "NumPy's @ takes the last two axes for rows and columns, not the first two.": lambda: (
                lambda A, B: np.einsum("ilk,lj->ikj", A, B)
            ),
        },
        view=lambda f: f(TENSOR, MATRIX),
    ),
    Exercise(
        "14.3",
        lambda: "b",
        hints=(
            "Where are the columns of U on either side, in the pages or in the columns?",
            "Entry [:, j, k] of U x~* F is u_k x* f_j; that of F x-~* U is f_k x-* u_j, with "
            "u_j x* f_k.",
        ),
    ),
    Exercise(
        "14.4",
        lambda: between(0.5, 0.5),
        hints=(
            "Make the two orientations, then the rotation from one to the other.",
            "The angle is the length of configurationDifference(model, q_xy, q_yx); q_xy comes "
            "from two calls of configurationAddition.",
        ),
        mistakes={
            "That is the bracket, right for small angles; here it is a little less.": lambda: 0.25,
            "That is for quarters of a turn.": lambda: between(np.pi / 2, np.pi / 2),
        },
    ),
    Exercise(
        "14.5",
        lambda: of_block,
        hints=(
            "Joint k carries IC and Si, whose product is a matrix of forces; Sj stays.",
            "d(Sj^T F) = Sj^T (Sk x~* F) with F = IC Si.",
        ),
        mistakes={
            "IC Si is a matrix of forces: take crf_t, not crm_t.": lambda: as_motion,
            "The inertia is carried along, too, not the axes of i alone.": lambda: axes_alone,
        },
        view=lambda f: f(SUBSPACES[0], SUBSPACES[1], INERTIA, SUBSPACES[2]),
    ),
)
