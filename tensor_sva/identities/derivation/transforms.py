"""Rules of Plücker transforms and cross products, proved by SymPy for every rotation."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from tensor_sva.identities.derivation.checker import Rule
from tensor_sva.identities.derivation.terms import Atom, Factor, Op, ProofError, Term, Var

__all__ = ["TRANSFORMS", "moves"]

_v = Var("v", "M1")


def _rule(X: str) -> Callable[[str], Rule]:
    def of(body: str) -> Rule:
        x = Atom(X, body)
        cross: Factor = Op("crm", (x, _v))
        return Rule((cross, x), Term.word(x, Op("crm", (_v,))))

    return of


def _inverse_rule(X: str, Xinv: str) -> Callable[[str], Rule]:
    def of(body: str) -> Rule:
        inverse = Atom(Xinv, body)
        cross: Factor = Op("crm", (Atom(X, body), _v))
        return Rule((inverse, cross), Term.word(Op("crm", (_v,)), inverse))

    return of


TRANSFORMS: dict[str, Callable[[str], Rule]] = {
    "(X v)× X = X v×": _rule("X"),
    "(A v)× A = A v×": _rule("A"),
    "X⁻¹ (X v)× = v× X⁻¹": _inverse_rule("X", "Xinv"),
    "A⁻¹ (A v)× = v× A⁻¹": _inverse_rule("A", "Ainv"),
}
"""Rules by name; each is a function of the label of the body whose transform the rule is about."""


def moves(name: str) -> bool:
    """Return True if a rule of `TRANSFORMS` holds for all rotations, positions and vectors.

    Examples
    --------
    >>> moves("(X v)× X = X v×")
    True
    """
    return _moves("⁻¹" in name)


@cache
def _moves(inverse: bool) -> bool:
    X, Xinv, v, zero = _general()
    below = Xinv @ _crm(X @ v) - _crm(v) @ Xinv
    above = _crm(X @ v) @ X - X @ _crm(v)
    gap = below if inverse else above
    return all(x.rem(zero) == 0 for x in gap.ravel())


def _crm(v: Any) -> Any:
    from spatial_v2.spatial.crm import MOTION_CROSS

    return sum(basis.astype(int) * x for x, basis in zip(v, MOTION_CROSS[6], strict=True))


@cache
def _general() -> tuple[Any, Any, Any, Any]:
    """Return a general transform, its inverse, a motion vector, and the polynomial ``t n - 1``.

    The rotation is that of a quaternion of any length. n is the square of the length, and the
    entries of the rotation have the factor t = 1/n. Polynomials that ``t n - 1`` divides therefore
    count as zero.
    """
    import numpy as np
    from sympy import QQ, ring

    _, t, w, x, y, z, a, b, c, *v = ring("t,w,x,y,z,a,b,c,v1,v2,v3,v4,v5,v6", QQ)
    R: Any = np.array(
        [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ],
        object,
    )
    O, E = np.full((3, 3), 0 * t), R * t
    P = np.array([[0 * t, -c, b], [c, 0 * t, -a], [-b, a, 0 * t]], object)
    X, Xinv = np.block([[E, O], [P @ E, E]]), np.block([[E.T, O], [-E.T @ P, E.T]])
    zero = t * (w * w + x * x + y * y + z * z) - 1
    if not all(x.rem(zero) == 0 for x in (X @ Xinv - np.eye(6, dtype=int)).ravel()):
        raise ProofError("the inverse of a Plücker transform is wrong")
    return X, Xinv, np.array(v, object), zero
