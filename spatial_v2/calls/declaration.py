"""The declaration of a public function: the options of its decorator."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from spatial_v2.engine.tensors.runs import Runs
from spatial_v2.model import Model

Rotors = Literal["expand", "own", "ignore"]
Composed = Callable[..., bool | None]
ValidateConstraints = Callable[[Model, dict[str, Any]], int]
"""Function that checks and converts options, and returns the number of constraint rows."""

Singular = Callable[..., np.ndarray]
"""Function of a model, and of configurations (B, NQ) or of none, that returns joints (B,) whose
pivot of the inertia matrix is lost, or -1; see `dynamics.singular_joints`.
"""

Chosen = tuple[Any, tuple[Any, ...], dict[str, Any]]
"""A `calls.prepared.Prepared` or None, the arguments it takes, and the options that are left."""


@dataclass(eq=False, kw_only=True)
class Declaration:
    """Declaration of a function by the decorator `accelerated`, beside kernel and signature.

    Parameters
    ----------
    subject : {"tree", "frame"}
        Subject of the kernel: the model's tree, or, if a frame and axes follow the arrays, the
        path from the base to the frame, which rotors and joint terms do not concern; see
        `calls.frame`.
    rotors : {"expand", "own", "ignore"}
        Treatment of geared rotors: the tree is expanded, so that a rotor is a body of its own
        (``"expand"``), the function handles rotors itself, and its kernel gets a tree with rotors
        (``"own"``), or rotors have no effect on the function (``"ignore"``).
    joint_terms : bool
        True if the function includes `armature`, `damping` and `friction`, or does not depend on
        them. Otherwise a model with these fields raises an error.
    accepts : callable, optional
        ``accepts(name, model)`` raises an error for models that the function does not support.
    runs : Runs, optional
        For a kernel that writes the values of tensors: their order. The function then has an option
        ``packed``.
    info : tuple of str, str, type, optional
        For a function with the option `return_info`: the kernel for it, core dimensions of the
        additional results, and their named tuple.
    composed : callable, optional
        In place of a kernel: ``composed(model, arrays, results, batched)`` fills the results
        (B, ...) of a batch by other accelerated functions; `batched` is True if states are computed
        in SIMD batches. Options of the function that are parameters of `composed` are passed to it;
        calls with any other option use the reference implementation.
    uses : tuple of str
        The kernels of a composed function.
    make_prepared : callable, optional
        For a composed function: ``make_prepared(of, model)`` returns a `Prepared`, or None.
    choose : callable, optional
        For options that a kernel's record depends on, such as constraints: ``choose(of, model,
        kept, args, options)`` returns a `Chosen` for the arguments and options of a call; `kept` is
        a dict for its prepared calls.
    validate_constraints : callable, optional
        For constrained dynamics: ``validate_constraints(model, options)`` checks the options,
        converts them in place to the form that `composed` expects, and returns the number of
        constraint rows ``m``.
    review : callable, optional
        For a composed function: ``review(model, arrays, **options)`` gets the arguments (..., n) of
        a batch for which `composed` has returned False, and reports the states that failed.
    singular : callable, optional
        For a function that divides by the pivots of the inertia matrix: ``singular(model, q)``
        returns the joints whose pivots are lost at configurations (B, NQ), or -1, and
        ``singular(model)`` the one that has no inertia at any; see `dynamics.singular_joints`.
    either : tuple of str, str, callable, optional
        Name of an argument, name of an alternative argument that a call may give by keyword
        instead, and `composed` for such calls. The reference implementation gets None for the
        argument that is not given.
    coupled : callable, optional
        For a function that is not pulled back from a tree to independent variables: the function of
        a coupled model; see `calls.coupled`.
    coupled_kernel : str, optional
        For a function that solves for accelerations: its kernel for coupled models, which takes
        their independent variables.
    """

    subject: Literal["tree", "frame"] = "tree"
    rotors: Rotors = "expand"
    joint_terms: bool = False
    accepts: Callable[[str, Model], None] | None = None
    runs: Runs | None = None
    info: tuple[str, str, type[Any]] | None = None
    composed: Composed | None = None
    uses: tuple[str | None, ...] = ()
    make_prepared: Callable[..., Any] | None = None
    choose: Callable[..., Chosen] | None = None
    validate_constraints: ValidateConstraints | None = None
    review: Callable[..., None] | None = None
    singular: Singular | None = None
    either: tuple[str, str, Composed] | None = None
    coupled: Callable[..., Any] | None = None
    coupled_kernel: str | None = None
