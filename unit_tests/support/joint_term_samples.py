"""Models with armature, damping and friction, the same models without these, and states of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2 import Model, random_configuration

CLOSE = {"rtol": 1e-10, "atol": 1e-9}


def with_terms(model: Model) -> Model:
    rng = np.random.default_rng(8)
    names = ("armature", "damping", "friction")
    return model.replace(**{name: rng.uniform(0.5, 2, model.NV) for name in names})


def state(model: Model, n: int = 4, shape: tuple[int, ...] = ()) -> tuple[Any, ...]:
    rng = np.random.default_rng(9)
    return random_configuration(model, rng, shape), *rng.normal(size=(n, *shape, model.NV))


def bare(model: Model) -> Model:
    return model.replace(armature=None, damping=None, friction=None)
