"""The operators as functions for JAX."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from spatial_v2.interop.jax.primitive import bind
from spatial_v2.interop.jax.versions import as_double, need_doubles
from spatial_v2.interop.operators import OPERATORS, Operator
from spatial_v2.interop.operators.problem import Problem
from spatial_v2.model import Model

__all__ = ["function"]

DOC = """`spatial_v2.{name}` for JAX: the kernel, with exact first and second derivatives.

    Parameters
    ----------
    model : Model
        The rigid-body tree, whose numbers are constants; edits of them are seen at each call.
    *x : jax.Array, shapes (..., NQ), (..., NV)
        {variables}: as of `spatial_v2.{name}`.
    f_ext : jax.Array, shape (..., NB, 6), optional
        External forces, where the function has them; constants for derivatives.
    **options
        Options of the function; constants, too.

    Returns
    -------
    jax.Array or tuple of them
        As of the function.

    Raises
    ------
    SpatialError
        Double precision is not enabled; third derivatives.
    ArrayShapeError
        Arrays of another shape or precision.
    """


def function(name: str) -> Callable[..., Any]:
    """The operator of that name as a function of a model and arrays of JAX."""
    operator: Operator = OPERATORS[name]
    result = inspect.signature(operator.function, eval_str=True).return_annotation
    several = getattr(result, "_fields", None)

    def call(model: Model, *x: Any, f_ext: Any = None, **options: Any) -> Any:
        need_doubles()
        if "constraints" in inspect.signature(operator.function).parameters and len(x) > len(
            operator.variables
        ):
            *x, options["constraints"] = x  # type: ignore[assignment]
        problem = Problem(operator, model, {**options, "f_ext": f_ext})
        arrays = [as_double(k, y) for k, y in zip(operator.variables, x, strict=False)]
        force = None if f_ext is None else as_double("f_ext", f_ext)
        arrays = problem.state([*arrays, *x[len(arrays) :]], force)
        out = bind(problem, "value", arrays)
        return result(*out) if several else out[0]

    call.__name__ = call.__qualname__ = name
    call.__doc__ = DOC.format(name=name, variables=", ".join(operator.variables))
    return call
