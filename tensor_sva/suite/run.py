"""run: evaluate the identities with the operators of another implementation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays import Array
from tensor_sva.body import Body
from tensor_sva.identities.draw import draw
from tensor_sva.identities.identity import Identity, difference
from tensor_sva.identities.registry import IDENTITIES, named
from tensor_sva.identities.state import State, example_model
from tensor_sva.suite.operators import needs, operators_of, rewritten

__all__ = ["TOLERANCE", "Result", "chosen", "run"]

TOLERANCE = 1e-12
"""Largest residual of an identity that holds in double precision; typical ones are 1e-15."""


class Result(NamedTuple):
    """Result for one identity."""

    name: str
    """Name of the identity, such as ``"M7"``."""
    residuals: dict[str, float]
    """For every case, the largest difference of the sides, relative if they exceed 1."""
    missing: list[str]
    """Operators of the identity that are missing; if there are any, it is not evaluated."""
    error: str
    """Message of the error that an operator raised, else empty."""
    tolerance: float
    """Largest residual up to which the identity counts as true."""

    @property
    def residual(self) -> float:
        """The largest residual; NaN if nothing was evaluated."""
        return max(self.residuals.values(), default=float("nan"))

    @property
    def holds(self) -> bool:
        """True if the sides agree in every case."""
        return all(r <= self.tolerance for r in self.residuals.values()) and bool(self.residuals)

    @property
    def falls(self) -> bool:
        """True if the sides differ, or an operator raised an error."""
        return not self.missing and not self.holds


def run(
    operators: object,
    names: Iterable[str] | None = None,
    rng: np.random.Generator | int = 0,
    *,
    asarray: Callable[[np.ndarray], Any] = np.asarray,
    to_numpy: Callable[[Any], np.ndarray] = np.asarray,
    tolerance: float = TOLERANCE,
) -> list[Result]:
    """Evaluate the identities with the operators of another implementation.

    Parameters
    ----------
    operators : module, object or mapping
        Provides some of `OPERATORS`. They are used to compute both sides of M and P, and the right
        sides of K and J. The left sides of K and J are derivatives, by complex steps of this
        library, of quantities of a tree.
    names : iterable of str, optional
        Names of identities; all by default.
    rng : numpy.random.Generator or int, optional
        Source of the arguments, or its seed.
    asarray, to_numpy : callable, optional
        Convert a NumPy array to the kind of array that the operators expect, and back.
    tolerance : float, optional
        Largest residual of an identity that holds; choose more in single precision.

    Returns
    -------
    list of Result
        One result for each identity, in the order of the registry.

    Raises
    ------
    SpatialError
        If a name is unknown, or there is no operator.

    See Also
    --------
    test_vectors : Arguments and results as data, for programs in other languages.

    Examples
    --------
    >>> from spatial_v2 import spatial
    >>> results = run(spatial, ["P1", "P4", "M1"])
    >>> [(r.name, r.holds, r.missing) for r in results]
    [('M1', False, ['crm_t', 'crf_t', 'rotT']), ('P1', True, []), ('P4', True, [])]

    A product that forgets a sign is found, and where:

    >>> wrong = {"crm": spatial.crm, "crf": lambda v: -spatial.crf(v), "icrf": spatial.icrf}
    >>> [r.name for r in run(wrong, ["P1", "P2", "P3", "P4", "P5", "P6", "P7"]) if r.falls]
    ['P2', 'P3', 'P4', 'P5', 'P6', 'P7']
    """
    implemented, wanted, rng = operators_of(operators), chosen(names), np.random.default_rng(rng)
    joints = any(identity.about_joints for identity in wanted)
    state = State.random(example_model(rng), rng) if joints else None
    results = []
    for identity in wanted:
        missing = [name for name in needs(identity) if name not in implemented]
        residuals: dict[str, float] = {}
        error = ""
        if not missing:
            theirs = rewritten(identity, implemented)
            measure = _joints if identity.about_joints else _algebra
            try:
                residuals = measure(theirs, state, rng, asarray, to_numpy)
            except Exception as raised:
                error = f"{type(raised).__name__}: {raised}"
        results.append(Result(identity.name, residuals, missing, error, tolerance))
    return results


def chosen(names: Iterable[str] | None) -> list[Identity]:
    """Return the identities with given names, or all, in the order of the registry.

    Examples
    --------
    >>> [x.name for x in chosen(["P1", "M1"])]
    ['M1', 'P1']
    """
    wanted = {named(name).name for name in (IDENTITIES if names is None else names)}
    return [x for name, x in IDENTITIES.items() if name in wanted]


def _algebra(
    identity: Identity, _: State | None, rng: np.random.Generator, asarray: Any, to_numpy: Any
) -> dict[str, float]:
    arguments = [asarray(x) for x in draw(identity.letters.split(), rng)]
    left = to_numpy(identity.lhs(*arguments))
    return {
        case: _residual(identity, left, side, arguments, to_numpy)
        for case, side in identity.right_sides.items()
    }


def _joints(
    identity: Identity, state: State | None, rng: np.random.Generator, asarray: Any, to_numpy: Any
) -> dict[str, float]:
    assert state is not None
    constants = [x[..., 0] for x in draw(identity.letters.split()[2:], rng)]
    worst: dict[str, float] = {}
    for i in state.bodies:
        for j in state.bodies:
            relation = state.relation(i, j)
            arguments = [_Seen(i, asarray), _Seen(j, asarray), *map(asarray, constants)]
            residual = _residual(
                identity,
                identity.lhs(i, j, *constants),
                identity.right_sides[relation],
                arguments,
                to_numpy,
            )
            worst[relation] = _larger(worst.get(relation, 0.0), residual)
    return worst


def _residual(identity: Identity, left: Array, side: Any, arguments: Any, to_numpy: Any) -> float:
    right = 0 * left if side is None else to_numpy(side(*arguments))
    return difference(identity.name, left, right)


def _larger(a: float, b: float) -> float:
    return b if b != b else max(a, b)


class _Seen:
    """A body whose arrays are converted to those of another library."""

    def __init__(self, body: Body | Any, asarray: Callable[[np.ndarray], Any]) -> None:
        self.body, self.asarray = body, asarray

    def __getattr__(self, name: str) -> Any:
        x = getattr(self.body, name)
        if name == "parent":
            return _Seen(x, self.asarray)
        return self.asarray(x) if isinstance(x, np.ndarray) else x
