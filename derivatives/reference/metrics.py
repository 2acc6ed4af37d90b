"""Error metrics of derivatives: equations (40)-(43) of Singh, Russell, Wensing (2023)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from spatial_v2.arrays.checks import as_numbers
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.exceptions import ArrayShapeError

__all__ = ["METRICS", "Errors", "errors", "mae", "mre", "rmsae", "rmsre"]


@shown_in_notebooks
class Errors(NamedTuple):
    """The four error metrics of a tensor against a reference, with their equations in the paper.

    Attributes
    ----------
    mae : float
        Maximum absolute error (40).
    rmsae : float
        Root-mean-square absolute error (41).
    mre : float
        Maximum relative error (42).
    rmsre : float
        Root-mean-square relative error (43).
    """

    mae: float
    rmsae: float
    mre: float
    rmsre: float


def _difference(A: ArrayLike, A_ref: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    A, A_ref = np.asarray(as_numbers(A, "A")), np.asarray(as_numbers(A_ref, "A_ref"))
    if A.shape != A_ref.shape:
        raise ArrayShapeError(
            f"A: want the shape {A_ref.shape} of the reference A_ref, got {A.shape}"
        )
    return np.abs(A - A_ref), np.maximum(np.abs(A_ref), 1.0)


def _maximum(x: np.ndarray) -> float:
    return float(np.max(x, initial=0.0))


def _rms(x: np.ndarray) -> float:
    return float(np.sqrt(np.mean(x * x))) if x.size else 0.0


def mae(A: ArrayLike, A_ref: ArrayLike) -> float:
    """Maximum absolute error (40): ``max |A - A_ref|``.

    Parameters
    ----------
    A, A_ref : array_like
        The tensor and its reference, of one shape.

    Returns
    -------
    float
        The error.

    Examples
    --------
    >>> mae([1.0, 20.0], [1.0, 10.0])
    10.0
    """
    return _maximum(_difference(A, A_ref)[0])


def rmsae(A: ArrayLike, A_ref: ArrayLike) -> float:
    """Root-mean-square absolute error (41), over all elements of A.

    Parameters
    ----------
    A, A_ref : array_like
        The tensor and its reference, of one shape.

    Returns
    -------
    float
        The error.

    Examples
    --------
    >>> rmsae([3.0, 4.0], [0.0, 0.0]) == (25 / 2) ** 0.5
    True
    """
    return _rms(_difference(A, A_ref)[0])


def mre(A: ArrayLike, A_ref: ArrayLike) -> float:
    """Maximum relative error (42): ``max |A - A_ref| / max(|A_ref|, 1)``.

    Parameters
    ----------
    A, A_ref : array_like
        The tensor and its reference, of one shape.

    Returns
    -------
    float
        The error.

    Examples
    --------
    >>> mre([1.0, 20.0], [1.0, 10.0])
    1.0
    """
    difference, scale = _difference(A, A_ref)
    return _maximum(difference / scale)


def rmsre(A: ArrayLike, A_ref: ArrayLike) -> float:
    """Root-mean-square relative error (43), over all elements of A.

    Parameters
    ----------
    A, A_ref : array_like
        The tensor and its reference, of one shape.

    Returns
    -------
    float
        The error.

    Examples
    --------
    >>> rmsre([0.5, 20.0], [0.5, 10.0]) == 0.5**0.5
    True
    """
    difference, scale = _difference(A, A_ref)
    return _rms(difference / scale)


METRICS = {"mae": mae, "rmsae": rmsae, "mre": mre, "rmsre": rmsre}
"""The metrics by name."""


def errors(A: ArrayLike, A_ref: ArrayLike) -> Errors:
    """Compute all four error metrics of `A` against the reference `A_ref`.

    Parameters
    ----------
    A, A_ref : array_like
        Arrays of one shape. To average over the same 9 n^3 elements as the paper, join the blocks
        to its tensor of shape n x 3n x 3n.

    Returns
    -------
    Errors
        ``mae, rmsae, mre, rmsre``; all 0 for empty arrays, nan when an element is nan.

    Raises
    ------
    ArrayShapeError
        The shapes differ.

    Examples
    --------
    >>> errors([2.0, 2.0], [1.0, 1.0])
    Errors(mae=1.0, rmsae=1.0, mre=1.0, rmsre=1.0)
    """
    return Errors(*(metric(A, A_ref) for metric in METRICS.values()))
