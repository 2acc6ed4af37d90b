"""Optimal motions as functions of JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from spatial_v2.control import ShootingProblem
from spatial_v2.interop.optimal_motion import OptimalMotion

__all__ = ["optimal_motion"]


def optimal_motion(
    make: Callable[[np.ndarray], ShootingProblem], parameters: Any, **options: Any
) -> Callable[[Any], tuple[Any, ...]]:
    """Return the motion of least cost as a function of JAX, with reverse-mode derivatives.

    Parameters
    ----------
    make : callable
        Function of a NumPy array (k,) that makes the problem of parameters; see
        `parameter_derivatives`.
    parameters : array, shape (k,)
        Parameters of the first solution.
    **options : Any
        ``guess`` and ``scale`` of `OptimalMotion`, and arguments of `solve`.

    Returns
    -------
    callable
        Function of parameters (k,) that returns ``q, qd, u, cost``, for ``grad``, ``vjp``,
        ``jacrev``, ``jit`` and ``vmap``. The problem is solved in Python.

    Raises
    ------
    SpatialError
        A problem for which the solver does not converge.

    Examples
    --------
    >>> from spatial_v2.control import ControlCost, StateCost
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2)
    >>> def make(p):
    ...     goal = StateCost(model, p, 100.0, 10.0)
    ...     return ShootingProblem(
    ...         model, [0.0, 0.0], [0.0, 0.0], np.full(50, 0.02), [ControlCost(0.01)], [goal])
    >>> motion = optimal_motion(make, [1.0, 0.0])
    >>> with jax.enable_x64(True):
    ...     g = jax.grad(lambda p: (motion(p)[2] ** 2).sum())(jax.numpy.array([1.0, 0.5]))
    >>> g.shape
    (2,)
    """
    motion = OptimalMotion(make, parameters, **options)

    def called(run: Callable[..., Any], shapes: Any, *x: Any) -> Any:
        kind = jax.numpy.result_type(float)
        types = jax.tree.map(
            lambda s: jax.ShapeDtypeStruct(s, kind), shapes, is_leaf=lambda s: isinstance(s, tuple)
        )

        def numbers(*y: Any) -> Any:
            return jax.tree.map(lambda z: np.asarray(z, dtype=kind), run(*y))

        return jax.pure_callback(numbers, types, *x, vmap_method="sequential")

    @jax.custom_vjp
    def optimum(p: Any) -> tuple[Any, ...]:
        return tuple(called(lambda y: list(motion(np.asarray(y))), list(motion.shapes), p))

    def forward(p: Any) -> tuple[tuple[Any, ...], Any]:
        return optimum(p), p

    def back(p: Any, cotangents: Any) -> tuple[Any]:
        def run(y: Any, *w: Any) -> np.ndarray:
            return motion.pull_back(np.asarray(y), w)

        return (called(run, (motion.size,), p, *cotangents).astype(p.dtype),)

    optimum.defvjp(forward, back)
    function: Callable[[Any], tuple[Any, ...]] = optimum
    return function
