"""The decorator that gives a reference implementation a compiled kernel.

``@accelerated("ID", "(q),(v),(v)->(v)")`` names the kernel ``ID`` of
``spatial_v2.engine.algorithms.ID`` and states, in the notation of NumPy's gufuncs, the core
dimensions of the function's leading arguments and of its results. The decorated function is the
reference implementation. At a call the decorator

1. checks the model, where it has changed since it was checked last, and every array against its
   core dimension;
2. replaces a model with geared rotors by the expanded tree, where a rotor is a body of its own;
3. runs the kernel if all arrays, the model's included, are real float64 NumPy arrays and every
   option of the function has its default value, and the reference implementation otherwise;
4. sums each result along its velocity axes back onto the joints that drive the rotors;
5. writes results into the arrays ``out=``, and uses as many threads as ``workers=`` says.

If the model's own arrays are of another kind (JAX, PyTorch), the other arguments are converted to
it.

``f.reference(...)`` always runs the reference implementation. Without numba every call does.
``@page(signature)`` is for functions that have no kernel of their own and call those that have one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Generic, Literal, TypeVar

from spatial_v2.calls.bound import Bound
from spatial_v2.calls.frame import choose_frame
from spatial_v2.calls.loading import has_compiler
from spatial_v2.calls.prepared import prepare_again
from spatial_v2.calls.shown import show_options
from spatial_v2.calls.signature import (
    Chosen,
    Composed,
    Function,
    Rotors,
    Singular,
    ValidateConstraints,
)
from spatial_v2.calls.work import Info, Work
from spatial_v2.engine.tensors.runs import Runs
from spatial_v2.model import Model

__all__ = ["KERNELS", "Accelerated", "accelerated", "has_compiler", "page"]

F = TypeVar("F", bound=Callable[..., Any])

KERNELS: dict[str, Work] = {}
"""The functions that run a kernel, by its name; a function is here when its package is imported."""


class Accelerated(Generic[F]):
    """A function with a reference implementation and a compiled kernel, both with one signature."""

    __call__: F
    reference: F
    """The reference implementation, for any kind of array."""
    signature: str
    """Core dimensions of arguments and results, as given to the decorator."""
    has_kernel: bool
    """True if there is compiled code for the whole function, not only for parts of it."""
    joint_terms: bool
    """True if it accepts models with armature, damping or friction."""
    work: Work
    """The steps of a call, for code that runs the kernel directly."""
    accepts: Callable[[str, Model], None] | None
    """Raises an error for models that the function does not support, given its name."""
    result_shapes: Callable[..., list[tuple[int, ...]]]
    """Shapes of the results for one state, given the model and the options."""

    def bind(self, model: Model, **options: Any) -> Bound:
        """Bind the model and options in advance, for control loops.

        The model is checked and the kernel loaded now, not at the first call. Later assignments to
        the model take effect.

        Parameters
        ----------
        model : Model
            The model, by reference.
        **options : Any
            Options of all calls, such as ``constraints=`` for constrained dynamics; a call may
            override them by keyword. They are checked now, and after an assignment to the model.

        Returns
        -------
        Bound
            A callable without the argument `model`. For one state in float64 arrays it calls the
            kernel directly.

        Examples
        --------
        >>> import numpy as np
        >>> from spatial_v2 import ID, autoTree
        >>> torques = ID.bind(autoTree(3))
        >>> tau = np.empty(3)
        >>> torques(np.zeros(3), np.zeros(3), np.ones(3), out=tau) is tau
        True

        With constraints:

        >>> from spatial_v2 import KKT_FD, PointConstraint
        >>> contact = PointConstraint(2, directions=[[1, 0, 0]])
        >>> held = KKT_FD.bind(autoTree(3), constraints=[contact])
        >>> qdd, force = np.empty(3), np.empty(1)
        >>> held(np.ones(3), np.zeros(3), np.ones(3), out=(qdd, force)) is not None
        True
        """
        raise NotImplementedError


def accelerated(
    kernel: str | None,
    signature: str,
    *,
    subject: Literal["tree", "frame"] = "tree",
    rotors: Rotors = "expand",
    runs: Runs | None = None,
    info: Info | None = None,
    composed: Composed | None = None,
    uses: tuple[str, ...] = (),
    make_plan: Callable[[Function, Model], Any] | None = None,
    choose: Callable[..., Chosen] | None = None,
    validate_constraints: ValidateConstraints | None = None,
    review: Callable[..., None] | None = None,
    accepts: Callable[[str, Model], None] | None = None,
    joint_terms: bool = False,
    singular: Singular | None = None,
    either: tuple[str, str, Composed] | None = None,
    coupled: Callable[..., Any] | None = None,
    coupled_kernel: str | None = None,
) -> Callable[[F], Accelerated[F]]:
    """Decorate a reference implementation with its kernel; see the module's docstring.

    Parameters
    ----------
    kernel : str or None
        Name of the kernel's module and function in `spatial_v2.engine.algorithms`.
    signature : str
        Core dimensions of the array arguments after `model` (``q``: NQ, ``v``: NV) and of
        its results. Results may also have ``b``: NB (bodies that are not rotors); ``6`` and ``3``,
        which are 3 and 2 for planar models; ``j``: NV - 6, the velocity variables after those of a
        floating base; ``p`` and ``r``: ten inertial parameters of each link, and of each rotor;
        ``m``: constraint rows.
    subject : {"tree", "frame"}
        Subject of the kernel: the model's tree, or, if a frame and axes follow the arrays, the
        path from the base to the frame, which rotors and joint terms do not concern; see
        `calls.frame`.
    rotors : {"expand", "own", "ignore"}
        Treatment of geared rotors: the tree is expanded as in step 2 (``"expand"``), the function
        handles rotors itself, and its kernel gets a tree with rotors (``"own"``), or rotors have no
        effect on the function (``"ignore"``).
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
    uses : tuple of str, optional
        The kernels of a composed function.
    make_plan : callable, optional
        For a composed function: ``make_plan(of, model)`` returns a `calls.plan.Prepared`,
        which computes single states fast, or None if the model has none.
    choose : callable, optional
        For constrained dynamics: chooses a prepared call by the options of a call; see
        `calls.signature.Function`.
    validate_constraints : callable, optional
        For constrained dynamics: ``validate_constraints(model, options)`` checks the options,
        converts them in place to the form that `composed` expects, and returns the number of
        constraint rows ``m``.
    review : callable, optional
        For a composed function: ``review(model, arrays, **options)`` gets the arguments (..., n) of
        a batch for which `composed` has returned False, and reports the states that failed.
    accepts : callable, optional
        ``accepts(name, model)`` raises an error for models that the function does not support.
    joint_terms : bool, optional
        True if the function includes `armature`, `damping` and `friction`, or does not depend on
        them. Otherwise a model with these fields raises an error.
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
        For a function that solves for accelerations: its kernel for coupled models.

    Returns
    -------
    callable
        The decorator. The function it makes has the attributes of `Accelerated`.
    """

    def decorate(implementation: F) -> Any:
        of_frame = subject == "frame"
        work = Work(implementation, kernel, signature, "ignore" if of_frame else rotors, runs, info)
        work.composed, work.validate_constraints, work.accepts = (
            composed,
            validate_constraints,
            accepts,
        )
        work.make_plan, work.review, work.joint_terms = make_plan, review, joint_terms
        work.choose = choose_frame if of_frame else choose
        work.singular, work.coupled = singular, coupled
        work.uses = uses or work.uses
        if coupled_kernel:
            work.in_y = Work(implementation, coupled_kernel, signature, rotors)
            work.in_y.solves_for_y = True
        if of_frame:
            work.of_frame, work.joint_terms = True, True
        chooses = work.choose is not None
        work.check_declaration()
        if either:
            work.offer(*either)

        @functools.wraps(implementation)
        def call(model, *args, **kw):  # type: ignore[no-untyped-def]
            try:
                plan = model._state.calls.get(work)
            except AttributeError:  # not a model, of which the checks tell
                plan = None
            if plan is None:
                plan = prepare_again(work, model)
            if plan is None:
                out = None
            elif chooses:
                plan, some, options = plan(args, kw)
                out = plan and plan.called(some, options)
            elif kw:
                out = plan.called(args, kw)
            else:
                out = plan.state.new(args)
                if out is None:
                    out = plan.results(args)
            if out is not None:
                return out
            return work.run(model, *args, **kw)

        @functools.wraps(implementation)
        def reference(model, *args, **kw):  # type: ignore[no-untyped-def]
            return work.reference(model, *args, **kw)

        def bind(model: Model, **options: Any) -> Bound:
            return Bound(work, model, options)

        show_options(implementation, call, reference)
        bind.__doc__ = Accelerated.bind.__doc__
        call.signature = signature  # type: ignore[attr-defined]
        call.has_kernel = bool(kernel or composed)  # type: ignore[attr-defined]
        call.bind = bind  # type: ignore[attr-defined]
        call.accepts = accepts  # type: ignore[attr-defined]
        call.result_shapes = work.result_shapes  # type: ignore[attr-defined]
        call.joint_terms = work.joint_terms  # type: ignore[attr-defined]
        call.work = work  # type: ignore[attr-defined]
        for form in filter(None, (work, work.other, work.in_y)):
            form.function = call
        KERNELS.update({x.kernel: x for x in (work, work.more) if x and x.kernel})
        call.reference = reference  # type: ignore[attr-defined]
        return call

    return decorate


def page(
    signature: str,
    *,
    rotors: Rotors = "expand",
    joint_terms: bool = False,
    singular: Singular | None = None,
) -> Callable[[F], Accelerated[F]]:
    """Decorate a reference implementation that has no kernel of its own; see `accelerated`."""
    return accelerated(None, signature, rotors=rotors, joint_terms=joint_terms, singular=singular)
