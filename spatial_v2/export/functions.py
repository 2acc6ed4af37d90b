"""Description of a function for its export: arguments, results, kernels."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, Literal, NamedTuple

from spatial_v2.accelerated import KERNELS
from spatial_v2.calls.coupled import answer
from spatial_v2.calls.declaration import Rotors
from spatial_v2.calls.loading import compiled_function, has_compiler, load_function
from spatial_v2.calls.signature import Function
from spatial_v2.engine.tensors.runs import CHRISTOFFEL, ID_SO, MASS, Runs
from spatial_v2.exceptions import SpatialError
from spatial_v2.export.constrained import CONSTRAINED
from spatial_v2.public_names import all_names

__all__ = [
    "DEFAULT",
    "DYNAMICS",
    "FAMILIES",
    "FORMS",
    "OPTIONAL",
    "Exported",
    "exportable",
    "exported",
]

DYNAMICS = (
    "ID", "FDab", "HandC", "CoriolisMatrix", "ID_derivatives", "FD_derivatives",
    "ID_SO_derivatives", "modID_derivatives",
)  # fmt: skip
"""The functions that are exported for MATLAB by default."""

DEFAULT = (
    *DYNAMICS, "forward_kinematics", "frame_motion", "FrameJacobian",
    "FrameJacobianTimeDerivative", "frame_velocity", "frame_acceleration",
)  # fmt: skip
"""The functions that are exported by default."""

FORMS = ("state", "batch")
"""Forms of exported functions: for one state, and for a batch."""

FAMILIES: tuple[Runs, ...] = (ID_SO, MASS, CHRISTOFFEL)
"""Orders in which the values of packed tensors are stored."""

WHOLE = {"FD_SO_derivatives": "FD_SO_derivatives_whole"}
"""Composed functions, and their kernels for one state, which take a tree with a table of sums."""

_LETTERS = frozenset("qvb63")
_UNDER = "forward_kinematics", "frame_motion"
"""Kernels under `spatial_v2.forward_kinematics`: of all bodies, and of one frame."""

OPTIONAL = _UNDER
"""Functions whose kernels compute, for one state, only the results that are wanted, and write all
entries of them.
"""


class InY(NamedTuple):
    """The kernel of a function for coupled models, which takes their independent variables.

    Attributes
    ----------
    name : str
        Its name; empty if there is none.
    kernel : callable
        The kernel.
    """

    name: str = ""
    kernel: Any = None


class Exported(NamedTuple):
    """A function to be exported.

    Attributes
    ----------
    name : str
        Its name.
    summary : str
        The first line of its docstring.
    names, cores : tuple of str
        Names of its arguments, and letters of their lengths.
    results, shapes : tuple of str
        Names of its results, and letters of the lengths of their axes.
    force, frame : bool
        True if it takes external forces, and if these may be in coordinates of bodies.
    rotors : {"expand", "own", "ignore"}
        The tree of its kernel for a robot with rotors: one in which rotors are bodies with joints,
        with contracted results; one in which they move with the joints of others; or none.
    joint_terms : bool
        True if it supports joint terms.
    subject : {"", "frame", "constraints"}
        The object that it takes in place of the model, if any.
    axes_given, classical : bool
        True if it takes axes and the kind of acceleration with a frame.
    runs : Runs or None
        The order of the values of its tensors.
    kernel : callable
        Its kernel.
    told : str
        Letter of the length of a last result, which becomes a status; see `ConstrainedKernel`.
    sums : bool
        True if the kernel of a tree takes a table of sums with it: it computes one state at a time,
        of robots without rotors.
    coupled : {"pulled back", "in y", "refuses"}
        Treatment of coupled models: results of the tree are multiplied by G, the function has a
        kernel for them, or it does not take them.
    in_y : InY
        Kernel for coupled models.
    """

    name: str
    summary: str
    names: tuple[str, ...]
    cores: tuple[str, ...]
    results: tuple[str, ...]
    shapes: tuple[str, ...]
    force: bool
    frame: bool
    rotors: Rotors
    joint_terms: bool
    subject: Literal["", "frame", "constraints"]
    axes_given: bool
    classical: bool
    runs: Runs | None
    kernel: Any
    told: str = ""
    sums: bool = False
    coupled: Literal["pulled back", "in y", "refuses"] = "refuses"
    in_y: InY = InY()

    def kernels(self) -> list[str]:
        """Return the names of its kernels."""
        return [name for name in (self.name, self.in_y.name) if name]

    def forms(self, kernel: str, forms: Sequence[str]) -> Sequence[str]:
        """Return which of some forms one of its kernels has."""
        return ("state",) if self.sums and kernel == self.name else forms

    def axes(self) -> tuple[list[int], list[int]]:
        """Return the numbers of axes of arguments and results, without the batch axis."""
        ins = [1] * len(self.cores) + [2] * (self.force + self.frame)
        return ins, [1 if self.runs else len(shape) for shape in [*self.shapes, *self.told]]


def exported(functions: Sequence[Any]) -> list[Exported]:
    """Describe functions for their export.

    Parameters
    ----------
    functions : sequence of callable
        Public functions with a kernel, such as `ID`.

    Returns
    -------
    list of Exported
        Their descriptions in the given order, without repetitions.

    Raises
    ------
    SpatialError
        A function that cannot be exported, or no compiler.

    Examples
    --------
    >>> from spatial_v2 import HandC
    >>> exported([HandC])[0].results
    ('H', 'C')
    """
    if isinstance(functions, str) or not isinstance(functions, Iterable):
        raise SpatialError(f"functions: want a list of functions, such as [ID], got {functions!r}")
    if not has_compiler():
        raise SpatialError("export: compiling the kernels needs numba: pip install numba")
    return [_look(f) for f in dict.fromkeys(functions)]


@functools.cache
def exportable() -> dict[str, Any]:
    """Return all functions that can be exported.

    Returns
    -------
    dict of str to callable
        Names, sorted, that the command ``spatial-v2 export`` takes -> functions that `exported`
        takes.

    Examples
    --------
    >>> "ID" in exportable(), "FDcrb" in exportable()
    (True, False)
    """
    import spatial_v2

    public = [getattr(spatial_v2, name) for name in all_names()]
    named = dict[str, Any]()
    inner = KERNELS["frame_motion"].function, load_function("constraint_rows")
    for function in [*filter(callable, public), *inner]:
        with suppress(SpatialError):
            named |= {f.name: function for f in exported([function])}
    return dict(sorted(named.items()))


def _look(function: Any) -> Exported:
    name = getattr(function, "__name__", repr(function))
    if name in CONSTRAINED:
        return _look_constrained(name, function)
    of = KERNELS.get(name) if name in _UNDER else getattr(function, "work", None)
    if not isinstance(of, Function):
        raise SpatialError(f"export: want a function with a kernel, such as ID, got {name}")
    sums = name in WHOLE
    kernel, letters = (
        compiled_function(WHOLE.get(name, of.kernel)),
        {d for dims in of.results for d in dims} | set(of.cores),
    )
    if kernel is None or (of.composed and not sums) or not letters <= _LETTERS:
        raise SpatialError(
            f"export: {name} cannot be exported: "
            "it does not consist of one kernel on a tree, frame or constraints"
        )
    names = list(inspect.signature(kernel.py_func).parameters)
    first = 1 + len(of.cores) + of.takes_force + of.takes_frame
    fields = getattr(of.named, "_fields", None) if len(of.results) > 1 else None
    return Exported(
        name,
        (of.implementation.__doc__ or "").strip().partition("\n")[0],
        of.names,
        of.cores,
        tuple(fields or names[first:]),
        tuple("".join(dims) for dims in of.results),
        of.takes_force,
        of.takes_frame,
        "ignore" if sums else of.rotors,
        of.joint_terms,
        "frame" if of.of_frame else "",
        "axes" in of.options and name != "frame_motion",
        "classical" in of.options,
        of.runs,
        kernel,
        sums=sums,
        coupled=_coupled(name, of),
        in_y=InY(of.coupled_kernel, compiled_function(of.coupled_kernel))
        if of.coupled_kernel
        else InY(),
    )


def _coupled(name: str, of: Function) -> Literal["pulled back", "in y", "refuses"]:
    if of.coupled_kernel:
        return "in y"
    return "pulled back" if name in _UNDER or answer(of) == "pulled back" else "refuses"


def _look_constrained(name: str, function: Any) -> Exported:
    of, kernel = CONSTRAINED[name], compiled_function(name)
    if kernel is None:
        raise SpatialError(f"export: {name} cannot be exported: kernels run in Python")
    return Exported(
        name,
        of.summary or (function.__doc__ or "").strip().partition("\n")[0],
        tuple(of.arguments),
        tuple(of.arguments.values()),
        tuple(of.results),
        tuple(of.results.values()),
        of.force,
        of.force,
        "ignore",
        True,
        "constraints",
        False,
        False,
        None,
        kernel,
        of.told,
    )
