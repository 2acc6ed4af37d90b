"""Operators on small models, with states and weights, for the tests with every tool."""

from typing import Any

import mechanisms
import numpy as np
import zoo

from spatial_v2 import Model, PointConstraint, autoTree, couple, random_configuration
from spatial_v2.couplings.free import free_tree
from spatial_v2.interop.operators import EVERY, Operator

MODELS = ["chain", "one_S", "one_Fb", "one_SO3"]
"""Names of zoo models: with revolute joints, with quaternions, with a floating base, and with a
rotation matrix in q.
"""
COUPLED = {
    "hand": lambda: couple(autoTree(3), mimic={1: (0, -1.0, 0.2)}),
    "base": lambda: couple(
        autoTree(4).replace(jtype=["Fb", "R", "R", "R"]), mimic={3: (2, 0.7, 0.1)}
    ),
    **{name: mechanisms.ZOO[name] for name in ("five_bar", "geared_walker", "functions_of_two")},
}
"""Models whose joints follow others linearly, by loops, or by functions."""


def positions(model: Model, rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Return positions of a model of the zoo or of `COUPLED`."""
    if free_tree(model) is model:
        return zoo.states(model, rng, shape).q
    if model.is_linear:
        return random_configuration(model, rng, shape)
    q = mechanisms.state(model, rng, int(np.prod(shape)))[0]
    return q.reshape(*shape, model.NQ)


class Case:
    """An operator on a model of the zoo or of `COUPLED`, with states, directions of tangents, and
    weights of results.
    """

    def __init__(self, name: str, model: str, shape: tuple[int, ...] = (3,)) -> None:
        self.op: Operator = EVERY[name]
        self.model: Model = COUPLED[model]() if model in COUPLED else zoo.build(model)
        self.options: dict[str, Any] = {}
        self.rows, n, tree = 0, self.model.NV, free_tree(self.model)
        if "constraints" in self.op.function.__annotations__:
            d = 2 if tree.is_planar else 3
            r, rows = [0.2] * d, np.eye(d)[: min(2, n)]
            tip = PointConstraint(tree.NB - 1, r, directions=rows)
            self.options, self.rows = {"constraints": [tip], "damping": 0.1}, len(rows)
            if name.startswith("Impact"):
                del self.options["damping"]
        if self.op.function.__annotations__.get("axes"):
            self.options = {"frame": tree.NB - 1, "axes": "mixed"}
        rng = np.random.default_rng(list((name + model).encode()))
        q = positions(self.model, rng, shape)
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
