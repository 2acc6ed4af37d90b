"""Operators on small models, with states and weights, for the tests with every tool."""

from typing import Any

import numpy as np
import zoo

from spatial_v2 import Model, PointConstraint
from spatial_v2.interop.operators import EVERY, Operator

MODELS = ["chain", "one_S", "one_Fb", "one_SO3"]
"""Names of zoo models: with revolute joints, with quaternions, with a floating base, and with a
rotation matrix in q.
"""


class Case:
    """An operator on a model of the zoo, with states, directions of tangents, and weights of
    results.
    """

    def __init__(self, name: str, model: str, shape: tuple[int, ...] = (3,)) -> None:
        self.op: Operator = EVERY[name]
        self.model: Model = zoo.build(model)
        self.options: dict[str, Any] = {}
        self.rows, n = 0, self.model.NV
        if "constraints" in self.op.function.__annotations__:
            d = 2 if self.model.is_planar else 3
            r, rows = [0.2] * d, np.eye(d)[: min(2, n)]
            tip = PointConstraint(self.model.NB - 1, r, directions=rows)
            self.options, self.rows = {"constraints": [tip], "damping": 0.1}, len(rows)
            if name.startswith("Impact"):
                del self.options["damping"]
        if self.op.function.__annotations__.get("axes"):
            self.options = {"frame": self.model.NB - 1, "axes": "mixed"}
        rng = np.random.default_rng(list((name + model).encode()))
        q = zoo.states(self.model, rng, shape).q
        self.x = [q, *(rng.normal(size=(*shape, n)) for _ in self.op.variables[1:])]
        self.u, self.v = ([rng.normal(size=(*shape, n)) for _ in self.x] for _ in range(2))
        cores = [self.op.size(self.model, r, self.rows) for r in range(len(self.op.results))]
        self.w = [rng.normal(size=(*shape, *core)) for core in cores]

    def __call__(self, product: Any, *args: Any) -> Any:
        return product(self.op, self.model, self.x, *args, **self.options)


def dot(xs: Any, ys: Any, lead: int) -> Any:
    """Compute the inner product of two tuples of arrays for each state, with `lead`
    leading axes.
    """
    pairs = zip(xs, ys, strict=True)
    return sum((x * y).reshape(*x.shape[:lead], -1).sum(-1) for x, y in pairs)
