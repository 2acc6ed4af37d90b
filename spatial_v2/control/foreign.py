"""Values and derivatives of functions of CasADi and JAX at many instants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.exceptions import ArrayShapeError, SpatialError

__all__ = ["Derivatives", "check_function", "differentiated"]

Sizes = tuple[int, int, int]
Batched = Callable[..., np.ndarray]
NAMES = ("q", "qd", "u")


class Derivatives(NamedTuple):
    """A function of z with k values, and its derivatives, for batches z (..., n)."""

    value: Batched
    """Function of z that returns the values, shape (..., k)."""
    jacobian: Batched
    """Function of z that returns the derivatives of the values, shape (..., k, n)."""
    hessian: Batched
    """Function of z and weights w (..., k) that returns the second derivatives of ``w . value``,
    shape (..., n, n).
    """


def differentiated(function: Any, sizes: Sizes) -> Derivatives:
    """Return the values and derivatives of a function of q, qd and u as functions of z =
    [q, qd, u].

    Parameters
    ----------
    function : casadi.Function or callable
        As in `FunctionQuantity`.
    sizes : tuple of three int
        Numbers of entries of q, qd and u.
    """
    return of_casadi(function, sizes) if is_casadi(function) else of_jax(function, sizes)


def check_function(function: Any) -> None:
    """Raise an error if the argument is neither a `casadi.Function` of q, qd and u nor callable."""
    if is_casadi(function):
        import casadi

        if not isinstance(function, casadi.Function) or (function.n_in(), function.n_out()) not in (
            (2, 1), (3, 1),
        ):  # fmt: skip
            raise SpatialError(
                "function: want a casadi.Function with inputs q, qd and u, or q and qd, and one "
                f"output; got {function}. Make one from an expression with casadi.Function"
            )
    elif not callable(function):
        raise SpatialError(
            "function: want a casadi.Function, or a Python function that JAX can differentiate; "
            f"got {type(function).__name__}"
        )


def is_casadi(function: Any) -> bool:
    """Test if an object is of a class of CasADi."""
    return type(function).__module__.partition(".")[0] == "casadi"


def of_casadi(function: Any, sizes: Sizes) -> Derivatives:
    """Return the values and derivatives of a `casadi.Function` for batches."""
    import casadi

    got = [function.numel_in(k) for k in range(function.n_in())]
    if got != list(sizes[: len(got)]):
        wanted = ", ".join(f"{name} ({n},)" for name, n in zip(NAMES, sizes, strict=True))
        raise ArrayShapeError(f"function: want inputs {wanted}, got sizes {tuple(got)}")
    kind: Any = casadi.SX if function.is_a("SXFunction") else casadi.MX
    z, ends = kind.sym("z", sum(sizes)), np.cumsum(sizes)
    parts = [z[: ends[0]], z[ends[0] : ends[1]], z[ends[1] :]]
    y = casadi.vec(casadi.densify(function(*parts[: len(got)])))
    w = kind.sym("w", y.numel())
    expressions = y, casadi.jacobian(y, z), casadi.hessian(casadi.dot(w, y), z)[0]
    inputs = [z], [z], [z, w]
    made = [casadi.Function("f", x, [e]) for x, e in zip(inputs, expressions, strict=True)]
    value, jacobian, hessian = (batched(f, f.size2_out(0)) for f in made)
    return Derivatives(lambda z: value(z)[..., 0], jacobian, hessian)


def batched(f: Any, columns: int) -> Batched:
    """Return a function that calls a `casadi.Function` for all instants at once and separates the
    results, matrices with the given number of columns that CasADi puts side by side.
    """

    def call(*x: np.ndarray) -> np.ndarray:
        lead = x[0].shape[:-1]
        y = f(*(np.ascontiguousarray(p.reshape(-1, p.shape[-1]).T) for p in x)).full()
        y = np.moveaxis(y.reshape(len(y), -1, columns), 0, 1)
        return np.asarray(y.reshape(*lead, *y.shape[1:]))

    return call


def of_jax(function: Callable[..., Any], sizes: Sizes) -> Derivatives:
    """Return the values and derivatives of a function that JAX can differentiate, for batches."""
    import jax

    a, b = sizes[0], sizes[0] + sizes[1]

    def values(z: Any) -> Any:
        return jax.numpy.ravel(function(z[:a], z[a:b], z[b:]))

    def weighted(z: Any, w: Any) -> Any:
        return w @ values(z)

    def in_batches(f: Any) -> Batched:
        run = jax.jit(jax.vmap(f))

        def call(*x: np.ndarray) -> np.ndarray:
            with jax.enable_x64(True):
                y = np.asarray(run(*(p.reshape(-1, p.shape[-1]) for p in x)))
            return y.reshape(*x[0].shape[:-1], *y.shape[1:])

        return call

    return Derivatives(*map(in_batches, (values, jax.jacfwd(values), jax.hessian(weighted))))
