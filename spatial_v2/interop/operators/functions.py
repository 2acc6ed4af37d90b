"""Functions for another tool, such as JAX, made from the table of operators."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_type_hints

from spatial_v2.interop.operators.operator import Operator
from spatial_v2.interop.operators.problem import Problem
from spatial_v2.interop.operators.table import EVERY
from spatial_v2.model import Model
from spatial_v2.model.state import check_forces

__all__ = ["function"]

DOC = """`{home}.{name}` for {tool}: its kernel, with exact {orders} derivatives.

    Parameters
    ----------
    model : Model
        The rigid-body tree. Its numbers are constants; edits of them take effect at the next call.
    *x : {array}, shapes (..., NQ), (..., NV)
        {variables}, then any further arguments of `{home}.{name}`.
    f_ext : {array}, shape (..., NB, 6), optional
        External forces, where the function has them; constants for derivatives.
    **options
        Options of the function; constants, too.

    Returns
    -------
    {array} or tuple of them
        As `{home}.{name}` returns them. A gradient with respect to q has NQ entries; see
        `spatial_v2.interop.tangent`.

    Raises
    ------
    ArrayShapeError
        If an array has a wrong shape or precision.
    SpatialError
        If higher derivatives, or derivatives with respect to external forces, are asked for.
    """


def function(
    name: str,
    tool: str,
    array: str,
    as_double: Callable[[str, Any], Any],
    compute: Callable[[Problem, str, Sequence[Any]], Sequence[Any]],
) -> Callable[..., Any]:
    """Make an operator's function for a tool.

    `as_double` converts an argument to the tool's arrays, and `compute` computes a product.
    """
    operator = EVERY[name]
    signature = inspect.signature(operator.function)
    result, variables = get_type_hints(operator.function)["return"], operator.variables
    several = hasattr(result, "_fields")

    def call(model: Model, *x: Any, **options: Any) -> Any:
        if len(x) != len(variables):
            x, options = _arranged(operator, signature, model, x, options)
        force = options.get("f_ext")
        problem = Problem(operator, model, options)
        arrays = [as_double(k, y) for k, y in zip(variables, x, strict=True)]
        if force is not None:
            if isinstance(force, (Mapping, list)):
                force = check_forces(problem.tree, force)
            force = as_double("f_ext", force)
        out = compute(problem, "value", problem.state(arrays, force))
        return result(*out) if several else out[0]

    call.__name__ = call.__qualname__ = name
    call.__doc__ = DOC.format(
        name=name, home=operator.home, tool=tool, array=array, variables=", ".join(variables),
        orders="first and second" if operator.order > 1 else "first",
    )  # fmt: skip
    return call


def _arranged(
    operator: Operator, signature: inspect.Signature, model: Model, x: Any, options: Any
) -> tuple[Any, dict[str, Any]]:
    """Split arguments, given by position or by keyword, into state and options."""
    try:
        arguments = dict(signature.bind(model, *x, **options).arguments)
    except TypeError as error:
        want = ", ".join(operator.variables)
        raise TypeError(f"{operator.name}: {error}; want the arrays {want}") from None
    del arguments["model"]
    return [arguments.pop(k) for k in operator.variables], arguments
