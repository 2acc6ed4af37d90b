"""Models with armature, damping, friction and springs, the same models without these, and states of
them.
"""

from typing import Any

import numpy as np

from spatial_v2 import Model, random_configuration
from spatial_v2.model.fields import JOINT_TERMS

CLOSE = {"rtol": 1e-10, "atol": 1e-9}


def with_terms(model: Model) -> Model:
    rng = np.random.default_rng(8)
    names = ("armature", "damping", "friction")
    terms = {name: rng.uniform(0.5, 2, model.NV) for name in names}
    return model.replace(**terms, **springs(model, rng))


def springs(model: Model, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Return random springs of the joints that have one degree of freedom."""
    has = np.repeat(np.equal(model.nv, 1), model.nv)
    k, rest = rng.uniform(0.5, 2, model.NV), rng.normal(size=model.NV)
    return {"stiffness": has * k, "rest": has * rest}


def state(model: Model, n: int = 4, shape: tuple[int, ...] = ()) -> tuple[Any, ...]:
    rng = np.random.default_rng(9)
    return random_configuration(model, rng, shape), *rng.normal(size=(n, *shape, model.NV))


def bare(model: Model) -> Model:
    return model.replace(**dict.fromkeys(JOINT_TERMS))
