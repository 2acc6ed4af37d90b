"""The decorator that gives a reference implementation a compiled kernel.

``@accelerated("ID", "(q),(v),(v)->(v)")`` names the kernel ``ID`` of the engine and states, in the
notation of NumPy's gufuncs, the core dimensions of the function's leading arguments and of its
results. The decorated function is the reference implementation, for every kind of array, which
``f.reference(...)`` always runs. A call runs the kernel if all arrays, the model's included, are
real float64 NumPy arrays and every option of the function has its default value. Geared rotors are
bodies of an expanded tree, if the function does not handle them itself.

``@page(signature)`` is for functions that have no kernel of their own and call those that have one.
"""

import functools
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from spatial_v2.calls.bound import Bound
from spatial_v2.calls.frame import choose_frame
from spatial_v2.calls.loading import has_compiler
from spatial_v2.calls.prepare import prepare_again
from spatial_v2.calls.shown import show_options
from spatial_v2.calls.work import Work
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
    kernel: str | None, signature: str, **declared: Any
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
    **declared : Any
        The parameters of `calls.signature.Declaration`.

    Returns
    -------
    callable
        The decorator. The function it makes has the attributes of `Accelerated`.
    """

    def decorate(implementation: F) -> Any:
        work = Work(implementation, kernel, signature, **declared)
        if work.of_frame:
            work.choose = choose_frame
        work.check_declaration()
        chooses = work.choose is not None

        @functools.wraps(implementation)
        def call(model, *args, **kw):  # type: ignore[no-untyped-def]
            # read once: an assignment in another thread puts a new state in place of this one
            try:
                prepared = model._state.calls.get(work)
            except AttributeError:  # not a model, of which the checks tell
                prepared = None
            if prepared is None:
                prepared = prepare_again(work, model)
            if prepared is None:
                out = None
            elif chooses:
                prepared, some, options = prepared(args, kw)
                out = prepared and prepared.run_with(some, options)
            elif kw:
                out = prepared.run_with(args, kw)
            else:
                out = prepared.single.new(args)
                if out is None:
                    out = prepared.run(args)
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
        call.has_kernel = bool(kernel or work.composed)  # type: ignore[attr-defined]
        call.bind = bind  # type: ignore[attr-defined]
        call.accepts = work.accepts  # type: ignore[attr-defined]
        call.result_shapes = work.result_shapes  # type: ignore[attr-defined]
        call.joint_terms = work.joint_terms  # type: ignore[attr-defined]
        call.work = work  # type: ignore[attr-defined]
        for form in filter(None, (work, work.other, work.in_y)):
            form.function = call
        KERNELS.update({x.kernel: x for x in (work, work.more) if x and x.kernel})
        call.reference = reference  # type: ignore[attr-defined]
        return call

    return decorate


def page(signature: str, **declared: Any) -> Callable[[F], Accelerated[F]]:
    """Decorate a reference implementation that has no kernel of its own; see `accelerated`."""
    return accelerated(None, signature, **declared)
