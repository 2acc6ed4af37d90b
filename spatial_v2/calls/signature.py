"""Public functions as their decorator reads them: arguments, options, shapes of results."""

import functools
import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.calls.declaration import Declaration
from spatial_v2.calls.loading import has_compiler, load_kernel, needs_compiler
from spatial_v2.couplings.free import free_tree
from spatial_v2.engine.constrained import KERNELS as CONSTRAINED
from spatial_v2.engine.kernel import Kernel
from spatial_v2.model import Model
from spatial_v2.model.state import common_lead


def count_rotors(model: Model) -> int:
    """Count the joints of a model that drive a rotor."""
    return int(np.count_nonzero(model.has_rotor))


class Function(Declaration):
    """A public function: its reference `implementation`, kernel, arguments and results.

    `function` is the decorated one, as users call it. `names` and `cores` are those of the array
    arguments, `results` the core dimensions of the results. `options` may be given by position,
    after the arrays; `defaults` has the values of all options. If it is `of_frame`, a frame and
    axes follow the arrays, and the kernel runs on the path to that frame. It `uses` these kernels,
    if it takes no constraints. If it `solves_for_y`, the kernel takes coupled models alone, with
    their variables.
    """

    def __init__(
        self,
        implementation: Callable[..., Any],
        kernel: str | None,
        signature: str,
        **declared: Any,
    ) -> None:
        super().__init__(**declared)
        arguments, results = (re.findall(r"\(([^)]*)\)", side) for side in signature.split("->"))
        parameters = inspect.signature(implementation).parameters
        self.implementation = self.function = implementation
        self.name, self.signature, self.kernel = implementation.__name__, signature, kernel
        self.uses = self.uses or (kernel,)
        self.cores = tuple(arguments)
        self.results = tuple(tuple(dims.split(",")) if dims else () for dims in results)
        self.names = tuple(parameters)[1 : 1 + len(arguments)]
        options = list(parameters.values())[1 + len(arguments) :]
        self.options = [p.name for p in options if p.kind is p.POSITIONAL_OR_KEYWORD]
        self.defaults = {p.name: p.default for p in options if p.kind is not p.VAR_KEYWORD}
        self.takes_force = "f_ext" in parameters
        self.takes_frame = self.takes_force and "frame" in parameters
        self.solves_for_y = False
        self.of_frame = self.subject == "frame"
        if self.of_frame:
            self.rotors, self.joint_terms = "ignore", True

    def check_declaration(self) -> None:
        """Raise an error for a decorator that does not fit the parameters of its function."""
        faults = []
        if len(self.names) < len(self.cores):
            faults.append(f"has fewer than {len(self.cores)} arguments after the model")
        if self.of_frame and self.options[:2] != ["frame", "axes"]:
            faults.append("wants the parameters frame and axes after its arrays")
        if self.runs and "packed" not in self.defaults:
            faults.append("has runs of tensors, and wants the parameter packed")
        if self.runs and self.runs.tensors != len(self.results):
            faults.append(
                f"has runs of {self.runs.tensors} tensors for {len(self.results)} results"
            )
        if faults:
            raise TypeError(f"{self.name}, {self.signature}: {'; '.join(faults)}")

    @property
    def needs_compiler(self) -> bool:
        """True if a kernel has to be compiled, as it is not in the library of the wheel."""
        kernels = CONSTRAINED if self.validate_constraints else self.uses
        return any(map(needs_compiler, kernels))

    def load(self) -> Kernel | None:
        """Return the kernel; None if there is none, or it cannot be compiled."""
        runs = not needs_compiler(self.kernel) or has_compiler()
        return load_kernel(self.kernel) if self.kernel and runs else None

    def is_default(self, name: str, value: Any) -> bool:
        """Test if an option has its default value."""
        default = self.defaults.get(name, inspect.Parameter.empty)
        return value is default or (isinstance(value, int | str) and bool(value == default))

    @functools.cached_property
    def choices(self) -> frozenset[str]:
        """Names of the options that the function `composed` has, too, or all if it takes any."""
        taken = inspect.signature(self.composed).parameters if self.composed else {}
        every = any(p.kind is p.VAR_KEYWORD for p in taken.values())
        names = frozenset(self.defaults) - {"f_ext", "frame"}
        return names if every else names & frozenset(taken)

    @functools.cached_property
    def known(self) -> frozenset[str]:
        """Names of the options that kernels support; others need the reference implementation."""
        own = self.options if self.of_frame else ("frame",) if self.takes_frame else ()
        return self.choices | {"m", *own}

    def sizes(self, model: Model, planar: bool = False, m: int = 0) -> list[tuple[int, ...]]:
        """Return the shapes of the results for a model; see `shapes`."""
        tree = free_tree(model)
        rotors = count_rotors(tree) if any("r" in dims for dims in self.results) else 0
        return self.shapes(model.layout.NQ, model.layout.NV, tree.NB, planar, rotors, m)

    def result_shapes(self, model: Model, **options: Any) -> list[tuple[int, ...]]:
        """Return the shapes of the results for one state."""
        m = self.validate_constraints(model, options) if self.validate_constraints else 0
        return [shape[1:] for shape in self.sizes(model, model.is_planar, m)]

    @functools.cache  # noqa: B019
    def shapes(
        self, NQ: int, NV: int, NB: int, planar: bool = False, rotors: int = 0, m: int = 0
    ) -> list[tuple[int, ...]]:
        """Return the shapes of the results of one state, with a batch axis of length one.

        Results of kernels are spatial for planar models too; the reference implementation's are
        planar.
        """
        size = {"q": NQ, "v": NV, "b": NB, "6": 3 if planar else 6, "3": 2 if planar else 3}
        size |= {"j": NV - 6, "p": 10 * NB, "r": 10 * rotors, "m": m}
        return [(1, *(size[d] for d in dims)) for dims in self.results]

    def lead(self, arrays: Sequence[Array], force: Array | None) -> tuple[int, ...]:
        """Return the common leading axes of all arguments."""
        leads = [tuple(x.shape[:-1]) for x in arrays]
        if force is not None:
            leads.append(tuple(force.shape[:-2]))
        if all(lead == leads[0] for lead in leads):
            return leads[0]
        return common_lead(dict(zip([*self.names, "f_ext"], leads, strict=False)))

    def returned(self, parts: Sequence[Any]) -> Any:
        """Return a single result as it is, and two or more as a named tuple."""
        return parts[0] if len(parts) == 1 else self.named(*parts)

    @functools.cached_property
    def finish(self) -> Callable[[tuple[Any, ...]], Any]:
        """The method `returned` for a tuple of results, in its fastest form."""
        kind: Any = self.named
        several = len(self.results) > 1 and isinstance(kind, type)
        return functools.partial(tuple.__new__, kind) if several else self.returned

    @functools.cached_property
    def named(self) -> Callable[..., Any]:
        """The named tuple of the return annotation, or a function that returns a plain tuple."""
        annotation = inspect.signature(self.implementation, eval_str=True).return_annotation
        return annotation if hasattr(annotation, "_fields") else lambda *xs: xs
