"""Conversion of this library's functions to CasADi functions."""

from __future__ import annotations

import inspect
from typing import Any, Literal

import numpy as np

import derivatives
import spatial_v2
from spatial_v2.constraints.ConstraintSet import constraint_set
from spatial_v2.couplings import CoupledModel
from spatial_v2.couplings.free import free_tree
from spatial_v2.exceptions import ModelError, SpatialError
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["to_casadi"]


def to_casadi(
    model: Model,
    name: str,
    *,
    kernel: bool = False,
    states: int = 1,
    symbol: Literal["SX", "MX"] = "SX",
    **options: Any,
) -> Any:
    """Convert a function of this library to a `casadi.Function` with named arguments.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    name : str
        Name of a function in `spatial_v2` or `derivatives` whose arguments are a model and vectors:
        ``"ID"``, ``"ID_derivatives"``, ``"CRBA"``, ``"CoriolisMatrix"`` ...
    kernel : bool, optional
        If True, use the compiled kernel, as a `casadi.Callback`; possible for ``"ID"``,
        ``"FDab"``, ``"KKT_FD"``, ``"Impact_dyn"`` and ``"FrameJacobian"``. First and second
        derivatives are computed by this library; of ``"ID_derivatives"`` and ``"FD_derivatives"``,
        first ones.
    states : int, optional
        Number of states in one call of a kernel: arguments are matrices with a column for each
        state. Jacobians have a block for each state.
    symbol : {"SX", "MX"}, optional
        Type of CasADi's symbols if `kernel` is False; SX is faster.
    **options : object
        Further arguments of the function, fixed for all calls: ``constraints``, ``f_ext``,
        ``frame`` ...

    Returns
    -------
    casadi.Function
        Arguments and results have the same names as in this library; results of `time_step`, whose
        names are those of arguments, end in ``_next``. Vectors are columns; entry
        [i, j, k] of a tensor with n pages is in row i, column j n + k of a matrix. Entries that
        are zero at every state are structural zeros.

    Raises
    ------
    SpatialError
        If the function is unknown or has no kernel, `states` is above 1 without a kernel, or an
        option has no meaning in CasADi: ``out``, ``packed``, ``workers``.

    Notes
    -----
    CasADi differentiates with respect to the entries of q, quaternions included: its derivatives
    are those along the degrees of freedom times the matrix T(q) of `velocity_map`. To differentiate
    along the degrees of freedom, replace q by ``configurationAddition(model, q, dq)`` and
    differentiate with respect to ``dq`` at zero; second derivatives are then the symmetric ones.

    With ``kernel=False`` CasADi can generate C code: ``f.generate("id.c")``. With ``kernel=True``
    it cannot, because a Callback runs in Python. A Callback uses the model's present numbers at
    each call. It stays in memory until the process ends, because CasADi's expressions hold no
    reference to it.

    Examples
    --------
    >>> model = spatial_v2.autoTree(3)
    >>> print(to_casadi(model, "ID_derivatives"))
    ID_derivatives:(q[3],qd[3],qdd[3])->(dtau_dq[3x3,6nz],dtau_dqd[3x3]) SXFunction
    >>> f = to_casadi(model, "ID", kernel=True)
    >>> f(q=[0.1, 0.2, 0.3], qd=[1, 1, 1], qdd=[0, 0, 0])["tau"].shape
    (3, 1)
    """
    try:
        import casadi
    except ModuleNotFoundError as error:
        raise ImportError("to_casadi needs CasADi: pip install '.[control]'") from error

    from spatial_v2.interop.casadi_kernel import Kernel, sparse
    from spatial_v2.interop.casadi_rules import RULES

    check_model(model)
    free_tree(model).checked()
    if symbol not in ("SX", "MX"):
        raise SpatialError(f"symbol: want 'SX' or 'MX', got {symbol!r}")
    if not isinstance(name, str):
        raise SpatialError(f"name: want the name of a function, such as 'ID', got {name!r}")
    for option in ("packed", "out", "workers"):
        if options.get(option):
            raise SpatialError(f"{option}: functions of CasADi do not have this option")
    whole = isinstance(states, int | np.integer)
    if not whole or states < 1 or (states > 1 and not kernel):
        raise SpatialError(
            f"states: want 1, or more with kernel=True, got {states}; without a kernel, use the "
            "method `map` of the function for more states"
        )
    if kernel:
        if name not in RULES:
            raise SpatialError(f"name: want one of {', '.join(RULES)} for a kernel, got {name!r}")
        return Kernel(name, model, RULES[name], 0, options, states)
    if isinstance(model, CoupledModel) and not model.is_linear:
        raise ModelError(
            "model: loops are closed numerically, which symbols cannot do; write "
            f"to_casadi(model, {name!r}, kernel=True), for {', '.join(RULES)}"
        )
    function = getattr(spatial_v2, name, None) or getattr(derivatives, name, None)
    sizes = _arguments(model, function, options)
    if not sizes:
        raise SpatialError(
            f"name: want the name of a function of a model and its state, such as ID, got {name!r}"
        )
    make: Any = casadi.MX if symbol == "MX" else casadi.SX
    x = [make.sym(key, size) for key, size in sizes.items()]
    reference: Any = getattr(function, "reference", function)
    with np.errstate(invalid="ignore"):  # NumPy gives warnings when symbols are compared
        terms = reference(model, **dict(zip(sizes, map(_given, sizes, x), strict=True)), **options)
    results = list(terms) if isinstance(terms, tuple) else [terms]
    outputs = getattr(terms, "_fields", RULES[name].outputs if name in RULES else (name,))
    y = [sparse(np.asarray(r), make) for r in results]
    named = [f"{key}_next" if key in sizes else key for key in outputs]
    return casadi.Function(name, x, y, list(sizes), named)


def _arguments(model: Model, function: Any, options: dict[str, Any]) -> dict[str, int]:
    """Return names and lengths of a function's vectors and numbers, without the model and what
    `options` fixes.
    """
    if not inspect.isroutine(function):
        return {}
    parameters = list(inspect.signature(function).parameters.values())
    if not parameters or parameters[0].name != "model":
        return {}
    others = parameters[1:]
    optional = {} if "qdd" in options else {"tau"}  # FD_SO_derivatives takes one of both
    names = [
        p.name
        for p in others
        if (p.default is p.empty or p.name in optional) and p.kind is p.POSITIONAL_OR_KEYWORD
    ]
    if not names or names[0] not in ("q", "q0"):
        return {}
    sizes = dict.fromkeys(("q", "q0", "q1"), model.NQ) | {
        "h": 1,
        "weight": free_tree(model).Xtree.shape[-1],
    }
    if "constraints" in options:
        sizes |= dict.fromkeys(("forces", "nu"), constraint_set(model, options["constraints"]).m)
    for x in ("body", "constraints", "frame"):
        if x in names and x not in options:
            raise TypeError(
                f"{function.__name__}: the argument {x} is missing; it is fixed for all calls: "
                f"to_casadi(model, {function.__name__!r}, {x}=...)"
            )
    return {x: sizes.get(x, model.NV) for x in names if x not in options}


def _given(name: str, symbol: Any) -> Any:
    """Return the argument that a vector of symbols stands for: a number if it is the step h."""
    if name != "h":
        return symbol
    number = np.empty((), object)
    number[()] = symbol
    return number
