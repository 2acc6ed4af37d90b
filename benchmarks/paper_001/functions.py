"""The functions that paper 001 differentiates, with derivatives with respect to all arguments at
once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from derivatives import FD_derivatives, H_derivatives, ID_derivatives, KKT_FO_derivatives
from spatial_v2 import CRBA, ID, KKT_FD, ConstraintSet, FDab, Model

__all__ = ["Differentiable", "complex_steps", "differences", "functions"]

STEP = 1e-20
EPSILON = 2.0**-53


class Differentiable(NamedTuple):
    """A function of z = [q, qd, x], of [q, qd] or of q, for joints with one degree of freedom each;
    x is tau or qdd.
    """

    value: Callable[[np.ndarray], np.ndarray]
    """Function from z (..., n) to results (..., k)."""
    reference: Callable[[np.ndarray], np.ndarray]
    """The same function, by reference implementations, for any kind of number."""
    exact: Callable[[np.ndarray], np.ndarray]
    """Function from z (..., n) to analytic derivatives (..., k, n)."""
    size: int
    """Number n of variables."""


def functions(model: Model, held: ConstraintSet | None = None) -> dict[str, Differentiable]:
    """Return functions by the paper's names: CRBA, RNEA, NEFF (without accelerations), ABA, and
    FDCONT (the KKT equations) if there are constraints.
    """
    n = model.NV

    def of(call: Any, *more: Any) -> Callable[[np.ndarray], np.ndarray]:
        def value(z: np.ndarray) -> np.ndarray:
            found = call(model, *np.split(z, z.shape[-1] // n, axis=-1), *more)
            parts = found if isinstance(found, tuple) else (found,)
            flat = [x.reshape(*z.shape[:-1], -1) for x in parts]
            return flat[0] if len(flat) == 1 else np.concatenate(flat, axis=-1)

        return value

    def fd(z: np.ndarray) -> np.ndarray:
        q, qd, tau = np.split(z, 3, axis=-1)
        return np.concatenate(FD_derivatives(model, q, qd, tau=tau), axis=-1)

    def bias(call: Any) -> Any:
        return lambda model, q, qd: call(model, q, qd, 0 * qd)

    def neff(z: np.ndarray) -> np.ndarray:
        q, qd = np.split(z, 2, axis=-1)
        return np.concatenate(ID_derivatives(model, q, qd, 0 * qd)[:2], axis=-1)

    def crba(z: np.ndarray) -> np.ndarray:
        return H_derivatives(model, z).reshape(*z.shape[:-1], n * n, n)

    def rnea(z: np.ndarray) -> np.ndarray:
        d = ID_derivatives(model, *np.split(z, 3, axis=-1))
        H = CRBA(model, z[..., :n])
        return np.concatenate([*d[:2], H], axis=-1)

    found = {
        "CRBA": Differentiable(of(CRBA), of(CRBA.reference), crba, n),
        "RNEA": Differentiable(of(ID), of(ID.reference), rnea, 3 * n),
        "NEFF": Differentiable(of(bias(ID)), of(bias(ID.reference)), neff, 2 * n),
        "ABA": Differentiable(of(FDab), of(FDab.reference), fd, 3 * n),
    }
    if held is not None:

        def kkt(z: np.ndarray) -> np.ndarray:
            q, qd, tau = np.split(z, 3, axis=-1)
            d = KKT_FO_derivatives(model, q, qd, tau, held)
            return np.concatenate([np.concatenate(d[:3], -1), np.concatenate(d[3:], -1)], axis=-2)

        page: Any = KKT_FD.reference
        found["FDCONT"] = Differentiable(of(KKT_FD, held), of(page, held), kkt, 3 * n)
    return found


def complex_steps(f: Differentiable, z: np.ndarray) -> np.ndarray:
    """Compute derivatives (..., k, n), exact to rounding, by complex steps of the reference
    implementation.
    """
    steps = z[..., None, :] + 1j * STEP * np.eye(f.size)
    return np.swapaxes(f.reference(steps).imag, -1, -2) / STEP


def differences(f: Differentiable, z: np.ndarray, *, central: bool) -> np.ndarray:
    """Compute derivatives (..., k, n) by differences, with steps for the paper's precision.

    The steps are 2^-26 for forward and 2^-17 for central differences: the square root and the
    cube root of the paper's rounding error 2^-53, rounded up to powers of two.
    """
    h = 2.0 ** (-17 if central else -26)
    ahead = f.value(z[..., None, :] + h * np.eye(f.size))
    if central:
        back, width = f.value(z[..., None, :] - h * np.eye(f.size)), 2 * h
    else:
        back, width = f.value(z)[..., None, :], h
    return np.swapaxes(ahead - back, -1, -2) / width
