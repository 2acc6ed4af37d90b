"""The public functions of a model and its configuration, and arguments for each of them.

Functions are found by introspection, and values for their arguments by the names of the arguments.
An argument whose name is not known here is an error, so that the properties that are tested over
all functions are tested for every new function, too.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest
from helpers import near
from numpy.testing import assert_array_equal

import derivatives
import spatial_v2
from spatial_v2 import ConstraintSet, FrameConstraint, Model, ModelError, random_configuration, xlt
from spatial_v2.accelerated import has_compiler
from spatial_v2.public_names import own_names

VELOCITIES = (
    "qd", "qdd", "qd_r", "tau", "lambda_", "mu", "b", "f", "v", "p", "dq", "dqd", "dtau", "u",
    "p_q", "p_qd",
)  # fmt: skip
"""Names of arguments that have NV entries."""
CONFIGURATIONS = ("q", "q0", "q1")
ROWS = ("forces", "nu")
"""Names of arguments that have an entry for each constraint row."""
STATE = (
    *CONFIGURATIONS, *VELOCITIES, "C", "body", "Xend", "Xend_dot", "frame", "weight", *ROWS, "S",
    "constraints", "h",
)  # fmt: skip
"""Names of the arguments that describe a state, without external forces, which are given in base
coordinates.
"""

OPTIONS: dict[str, tuple[Any, ...]] = {
    "factorization": (1, 2),
    "velocity": ("body", "mixed"),
    "order": ("textbook",),
    "inner": ("IDFOZA",),
    "outer": ("AZA",),
    "product": ("AZA",),
    "return_info": (True,),
    "axes": ("base", "mixed"),
    "classical": (True,),
    "frame": ("body",),
    "retraction": ("matlab",),
    "stabilise": (False,),
    "rtol": (1e-9,),
    "damping": (0.1,),
    "baumgarte": ((0.0, 3.0),),
    "rank": ("minimum_norm",),
    "restitution": (0.5,),
    "tolerance": (1e-6,),
    "max_iterations": (100,),
    "method": ("rk4",),
    "kind": ("force",),
}
"""Options, with values other than their defaults."""

OF_SOME_MODELS = {
    "FDgq": "wants a constraint function",
    "christoffel_loops": "want joints with one degree of freedom",
    "show": "makes no numbers",
    "operational_space_inertia": "wants frames that can accelerate in every direction",
}
"""Functions that tests do not call with the models of the zoo, and the reason."""

EITHER = {"FD_SO_derivatives": ("tau", "qdd"), "forward_kinematics": ("", "frame")}
"""Pairs of arguments of which a function takes one; an empty name stands for neither."""


NOT_OF_A_STATE = {"identify", "rollout", "whole_body_problem"}
"""Functions of a model and q that take many samples at once and return one result for all, and one
that takes tasks."""


with_and_without_plan = pytest.mark.parametrize("kind", ["floating", "mixed"])
"""Decorator of tests that need two kinds of models: with prepared plans, and one whose rotation
matrices are checked in every call, so that no plan is prepared.
"""


def listed(module: ModuleType) -> list[str]:
    """Return the public names of a package, of ``spatial_v2`` without those of ``derivatives``."""
    return own_names() if module is spatial_v2 else list(module.__all__)


def functions_of_state(
    modules: Iterable[ModuleType] = (spatial_v2, derivatives),
) -> Iterator[tuple[str, Callable[..., Any], list[str]]]:
    """Yield (name, function, names of required arguments after the model), for the whole API."""
    for module in modules:
        for name in listed(module):
            function = getattr(module, name)
            if not inspect.isroutine(function) or name in (*OF_SOME_MODELS, *NOT_OF_A_STATE):
                continue
            parameters = list(inspect.signature(function).parameters.values())
            names = [p.name for p in parameters]
            if names[:1] == ["model"] and names[1:2] in (["q"], ["q0"]):
                required = [
                    p.name
                    for p in parameters[1:]
                    if p.default is p.empty or p.name in EITHER.get(name, ())[:1]
                    if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
                ]
                yield f"{module.__name__}.{name}", function, required


def suits(function: Callable[..., Any], model: Model) -> bool:
    """True if the function supports the model."""
    if function.__name__ == "CMM_from_CRBA":
        return bool(model.nv[0] == 6 and np.all(model.parent[1:] >= 0))
    try:
        accepts = getattr(function, "accepts", None)
        return not accepts or accepts(function.__name__, model) is None
    except ModelError:
        return False


def is_kernel(function: Callable[..., Any], model: Model) -> bool:
    """True if the results of the function for the model are computed by a compiled kernel alone.

    Then a state's result is the same to the last bit at any position in a batch. Reference
    implementations and composed functions use matrix products of NumPy, whose rounding depends on
    the shape of the batch and on the processor; tensors of robots with rotors are summed in another
    order if they are packed.
    """
    work = getattr(function, "work", None)
    if work is None or work.kernel is None or not has_compiler():
        return False
    return not (model.has_rotors and work.rotors == "expand" and work.runs)


def assert_same(function: Callable[..., Any], model: Model, found: Any, wanted: Any) -> None:
    """Check that two results of the function are equal: bit by bit if they come from kernels,
    otherwise up to rounding.
    """
    pairs = [x if isinstance(x, tuple) else (x,) for x in (found, wanted)]
    for x, y in zip(*pairs, strict=True):
        if is_kernel(function, model):
            assert_array_equal(x, y)
        else:
            near(x, y, 1e-12)


def results_of(parts: Iterable[Any]) -> list[np.ndarray]:
    """Return all arrays of a result, including those in lists and in the ``info`` of
    ``return_info=True``.
    """
    every = []
    for x in parts:
        every += results_of(x) if isinstance(x, list | tuple) else [np.asarray(x)]
    return every


def rounding(call: Callable[[dict[str, Any]], Iterable[Any]], given: dict[str, Any]) -> float:
    """Return 1e-12, or the largest relative change of a result if each number of the arguments
    changes by its last bit.
    """
    rng, exact, most = np.random.default_rng(1), results_of(call(given)), 1e-12
    for _ in range(4):
        moved = {
            name: np.nextafter(x, rng.choice([-np.inf, np.inf], x.shape))
            if isinstance(x, np.ndarray) and x.dtype == float
            else x
            for name, x in given.items()
        }
        for x, y in zip(results_of(call(moved)), exact, strict=True):
            most = max(most, float(np.abs(x - y).max(initial=0) / np.abs(y).max(initial=1)))
    return most


def arguments(
    model: Model, required: Iterable[str], rng: np.random.Generator, shape: tuple[int, ...] = ()
) -> dict[str, Any]:
    """Return a value for each required argument, in order; an argument unknown here is an error."""
    required = list(required)
    made = {name: _argument(name, model, rng, shape) for name in required}
    if "constraints" in made:
        rows = ConstraintSet(model, made["constraints"]).m
        made |= {x: rng.normal(size=(*shape, rows)) for x in ROWS if x in made}
    return made


def _argument(name: str, model: Model, rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
    d = 3 if model.is_planar else 6
    if name in CONFIGURATIONS:
        return random_configuration(model, rng, shape)
    if name in VELOCITIES:
        return rng.normal(size=(*shape, model.NV))
    if name == "f_ext":
        return rng.normal(size=(*shape, model.NB, d))
    if name == "C":
        return rng.normal(size=(*shape, model.NV, model.NV))
    if name in ("body", "frame"):
        return model.NB - 1
    if name == "constraints":
        T = np.array([[1.0, 0.5, 0.3, 0.2, 0.6, -0.3], [0.0, 0.2, 0.7, 0.0, 0.4, 0.1]]).T
        size = 3 if model.is_planar else 6
        T = T[:size, : len(model.ancestor_vinds[-1])]
        return [FrameConstraint(model.NB - 1, frame1=np.eye(size), rows=T)]
    if name in ROWS:
        return np.zeros(0)
    if name == "S":
        return np.eye(model.NV)
    if name == "h":
        return 0.01
    if name == "weight":
        return rng.normal(size=(*shape, d))
    if name == "Xend":
        return xlt([0.1, 0.2, -0.3]) if d == 6 else np.eye(d)
    if name == "Xend_dot":
        return rng.normal(size=(d, d))
    raise LookupError(f"describe the argument {name!r} in public_functions.py")


class Function(NamedTuple):
    """A public function together with values for some of its options."""

    name: str
    function: Callable[..., Any]
    parameters: list[str]
    """Names of the arguments after the model; an argument such as ``*args`` keeps its star."""
    options: dict[str, Any]

    def __call__(
        self, model: Model, arguments: dict[str, Any], *, reference: bool = False
    ) -> list[Any]:
        """Call the function with those given arguments that it takes; return the parts of its
        result.
        """
        function = self.function.reference if reference else self.function  # type: ignore[attr-defined]
        plain = [x for x in self.parameters if x[0] != "*"]
        if plain != self.parameters:
            result = function(model, *(arguments[x.strip("*")] for x in self.parameters))
        else:
            filled = {x: arguments[x] for x in plain if x in arguments}
            result = function(model, **filled, **self.options)
        return list(result) if isinstance(result, tuple) else [result]

    @property
    def has_page(self) -> bool:
        """True if the function has a reference implementation."""
        return hasattr(self.function, "reference")

    def __str__(self) -> str:
        chosen = [x for x in EITHER.get(self.name, ()) if x in self.parameters]
        chosen += [f"{name}={value}" for name, value in self.options.items()]
        return "-".join([self.name, *chosen])


def functions() -> list[Function]:
    """Return all functions with default options, then with each non-default value of
    each option.
    """
    listed: list[Function] = []
    for _, function, _ in functions_of_state():
        name = function.__name__
        if any(f.function is function for f in listed):
            continue
        parameters: list[str] = []
        options: dict[str, tuple[Any, ...]] = {}
        signature = inspect.signature(function).parameters
        for p in list(signature.values())[1:]:
            if p.kind is p.VAR_KEYWORD or p.name in ("packed", "out", "workers"):
                continue
            if p.name in OPTIONS and (p.name != "frame" or "f_ext" in signature):
                options[p.name] = ("nan",) if p.annotation == "Refusal" else OPTIONS[p.name]
            else:
                parameters.append("*" + p.name if p.kind is p.VAR_POSITIONAL else p.name)
        for other in EITHER.get(name, ("",)):
            names = [x for x in parameters if x != other]
            listed.append(Function(name, function, names, {}))
            for option, values in options.items():
                listed += [Function(name, function, names, {option: x}) for x in values]
    return listed
