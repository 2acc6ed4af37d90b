"""The public functions of a model and its configuration, and arguments for each of them.

They are found by introspection and filled by the names of their arguments. A function whose
argument is not known here is an error, so that a new one comes under every law that is tested over
all of them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

import derivatives
import spatial_v2
from spatial_v2 import Model, random_configuration, xlt

VELOCITIES = ("qd", "qdd", "qd_r", "tau", "lambda_", "mu", "b", "f", "v", "p", "dq", "u")
"""Names of arguments that have NV entries."""
CONFIGURATIONS = ("q", "q0", "q1")
STATE = (*CONFIGURATIONS, *VELOCITIES, "C", "body", "Xend", "Xend_dot")
"""All arguments but external forces, which are given in base coordinates."""

OPTIONS: dict[str, tuple[Any, ...]] = {
    "factorization": (1, 2),
    "order": ("textbook",),
    "inner": ("IDFOZA",),
    "outer": ("AZA",),
    "product": ("AZA",),
    "return_info": (True,),
    "frame": ("body",),
    "retraction": ("matlab",),
    "stabilise": (False,),
    "rtol": (1e-9,),
}
"""Arguments that choose how, with values other than their defaults."""

EITHER = {"FD_SO_derivatives": ("tau", "qdd")}
"""The function wants one of the two."""


def functions_of_state(
    modules: Iterable[ModuleType] = (spatial_v2, derivatives),
) -> Iterator[tuple[str, Callable[..., Any], list[str]]]:
    """(name, function, names of its required arguments after the model), for the whole API."""
    for module in modules:
        for name in module.__all__:
            function = getattr(module, name)
            if not inspect.isroutine(function):
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


def arguments(
    model: Model, required: Iterable[str], rng: np.random.Generator, shape: tuple[int, ...] = ()
) -> dict[str, Any]:
    """A value for each argument, in order; an argument unknown here is an error."""
    return {name: _argument(name, model, rng, shape) for name in required}


def _argument(name: str, model: Model, rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
    d = len(model.gravity) * 3 - 3
    if name in CONFIGURATIONS:
        return random_configuration(model, rng, shape)
    if name in VELOCITIES:
        return rng.normal(size=(*shape, model.NV))
    if name == "f_ext":
        return rng.normal(size=(*shape, model.NB, d))
    if name == "C":
        return rng.normal(size=(*shape, model.NV, model.NV))
    if name == "body":
        return model.NB - 1
    if name == "Xend":
        return xlt([0.1, 0.2, -0.3]) if d == 6 else np.eye(d)
    if name == "Xend_dot":
        return rng.normal(size=(d, d))
    raise LookupError(f"say in public_functions.py what the argument {name!r} is")


class Function(NamedTuple):
    """A public function with a choice of its options."""

    name: str
    function: Callable[..., Any]
    parameters: list[str]
    """Names of the arguments after the model; of any number the last, with a star."""
    options: dict[str, Any]

    def __call__(self, model: Model, given: dict[str, Any], *, textbook: bool = False) -> list[Any]:
        """The parts of the result for those of the arguments that are given."""
        function = self.function.textbook if textbook else self.function  # type: ignore[attr-defined]
        plain = [x for x in self.parameters if x[0] != "*"]
        if plain != self.parameters:
            result = function(model, *(given[x.strip("*")] for x in self.parameters))
        else:
            filled = {x: given[x] for x in plain if x in given}
            result = function(model, **filled, **self.options)
        return list(result) if isinstance(result, tuple) else [result]

    @property
    def has_page(self) -> bool:
        """Whether its textbook form can be asked for."""
        return hasattr(self.function, "textbook")

    def __str__(self) -> str:
        chosen = [x for x in EITHER.get(self.name, ()) if x in self.parameters]
        chosen += [f"{name}={value}" for name, value in self.options.items()]
        return "-".join([self.name, *chosen])


def functions() -> list[Function]:
    """All of them with their defaults, and once more with each other value of each option."""
    found: list[Function] = []
    for _, function, _ in functions_of_state():
        name = function.__name__
        if any(f.function is function for f in found):
            continue
        parameters, options = [], []
        for p in list(inspect.signature(function).parameters.values())[1:]:
            if p.kind is p.VAR_KEYWORD or p.name == "packed":
                continue
            if p.name in OPTIONS:
                options.append(p.name)
            else:
                parameters.append("*" + p.name if p.kind is p.VAR_POSITIONAL else p.name)
        for other in EITHER.get(name, ("",)):
            names = [x for x in parameters if x != other]
            found.append(Function(name, function, names, {}))
            for option in options:
                found += [Function(name, function, names, {option: x}) for x in OPTIONS[option]]
    return found
