"""The public functions of model and q, found by introspection, and arguments for each of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import derivatives
import spatial_v2
from spatial_v2 import Model, random_configuration

VELOCITIES = (
    "qd", "qdd", "qd_r", "tau", "lambda_", "mu", "b", "f", "v", "p", "dq",
)  # fmt: skip
"""Names of arguments that have NV entries."""


def functions_of_state() -> Iterator[tuple[str, Callable[..., Any], list[str]]]:
    """(name, function, names of its required arguments after the model), for the whole API."""
    for module in (spatial_v2, derivatives):
        for name in module.__all__:
            function = getattr(module, name)
            if not inspect.isfunction(function):
                continue
            parameters = list(inspect.signature(function).parameters.values())
            names = [p.name for p in parameters]
            if names[:2] == ["model", "q"]:
                required = [
                    p.name for p in parameters[1:] if p.default is p.empty or p.name == "tau"
                ]
                yield f"{module.__name__}.{name}", function, required


def arguments(
    model: Model, required: list[str], rng: np.random.Generator, shape: tuple[int, ...] = ()
) -> dict[str, Any]:
    """A value for each argument, in order; an argument unknown here is an error."""
    known: dict[str, Any] = {"q": random_configuration(model, rng, shape)}
    for name in required:
        if name in VELOCITIES:
            known[name] = rng.normal(size=(*shape, model.NV))
        elif name == "C":
            known[name] = rng.normal(size=(*shape, model.NV, model.NV))
        elif name == "body":
            known[name] = model.NB - 1
        elif name not in known:
            raise LookupError(f"say in public_functions.py what the argument {name!r} is")
    return {name: known[name] for name in required}
