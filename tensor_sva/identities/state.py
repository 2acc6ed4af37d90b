"""States of models, and derivatives of quantities of bodies by complex steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.configuration import configurationAddition, random_configuration
from spatial_v2.dynamics.GlobalDynamics import GlobalDynamics, GroundFrame
from spatial_v2.model import Model
from spatial_v2.spatial import plux
from spatial_v2.three_d import rv
from tensor_sva.body import Body, bodies
from tensor_sva.identities.draw import draw_inertia

__all__ = ["Derivative", "State", "by_q", "by_qd", "example_model"]

STEP = 1e-20
"""Size of the complex step, whose square is negligible; no subtraction loses digits."""


@dataclass(frozen=True)
class State:
    """A state of a model: all bodies, each also after a complex step of every variable."""

    model: Model
    """The rigid-body tree; spatial, without rotors."""
    bodies: list[Body]
    """The bodies; `Body.moved` has the bodies after the steps."""

    @classmethod
    def of(cls, model: Model, q: Array, qd: Array, qdd: Array) -> State:
        """Create the state with positions q (NQ,), velocities qd and accelerations qdd (NV,)."""
        steps = 1j * STEP * np.eye(model.NV)
        after = {
            "q": _after(model, configurationAddition(model, q, steps), qd, qdd),
            "qd": _after(model, q, qd + steps, qdd),
        }
        now = bodies(model, GlobalDynamics(model, q, qd, qdd), qdd)
        return cls(
            model,
            [
                replace(b, moved={name: [bs[b.index] for bs in x] for name, x in after.items()})
                for b in now
            ],
        )

    @classmethod
    def random(cls, model: Model, rng: np.random.Generator) -> State:
        """Create a random state with values of order one."""
        return cls.of(model, random_configuration(model, rng), *rng.normal(size=(2, model.NV)))

    def relation(self, i: Body, j: Body) -> str:
        """Return the relation of body j to body i, one of `RELATIONS`."""
        if i.index == j.index:
            return "j = i"
        ancestors = self.model.ancestors
        if j.index in ancestors[i.index]:
            return "j < i"
        return "j > i" if i.index in ancestors[j.index] else "unrelated"


def _after(model: Model, q: Array, qd: Array, qdd: Array) -> list[list[Body]]:
    g = GlobalDynamics(model, q, qd, qdd)
    return [bodies(model, GroundFrame(*(x[k] for x in g)), qdd) for k in range(model.NV)]


@dataclass(frozen=True)
class Derivative:
    """Derivative of a quantity of body i along joint j, a function of both and of constants."""

    variable: str
    """The variable: "q" or "qd"."""
    quantity: Callable[..., Array]
    """The quantity, a function of a body and of constants."""

    def __call__(self, i: Body, j: Body, *constants: Array) -> Array:
        steps = [self.quantity(i.moved[self.variable][k], *constants) for k in j.modes]
        return np.stack([np.imag(x) / STEP for x in steps], axis=-1)


def by_q(quantity: Callable[..., Array]) -> Derivative:
    """Return a function that differentiates a quantity of body i along joint j.

    Parameters
    ----------
    quantity : callable
        A real-analytic function of a body and of constants.

    Returns
    -------
    Derivative
        Function of bodies i, j and the constants. Its result has one more axis than the quantity,
        for the n degrees of freedom of joint j: (a, n) for a vector (a,), (a, b, n) for a matrix.

    Notes
    -----
    Complex step through `configurationAddition`, exact to rounding; right Lie derivatives.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> i, j = State.random(example_model(rng), rng).bodies[:2]
    >>> by_q(lambda i: i.IC)(i, j)[0].round(3) + 0.0
    array([[-0.973],
           [ 2.525],
           [ 0.335],
           [ 0.   ],
           [-2.233],
           [ 1.398]])
    """
    return Derivative("q", quantity)


def by_qd(quantity: Callable[..., Array]) -> Derivative:
    """Return a function that differentiates a quantity of body i with respect to qd of joint j.

    Parameters
    ----------
    quantity : callable
        A real-analytic function of a body and of constants.

    Returns
    -------
    Derivative
        Function of bodies i, j and the constants, with the shapes of `by_q`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> j, i = State.random(example_model(rng), rng).bodies[:2]
    >>> np.allclose(by_qd(lambda i: i.v)(i, j), j.S)
    True
    """
    return Derivative("qd", quantity)


def example_model(rng: np.random.Generator) -> Model:
    """Create a branched tree with floating, helical, spherical, prismatic and revolute joints.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of randomness, ``numpy.random.default_rng(seed)``.

    Returns
    -------
    Model
        Seven bodies; every relation of `RELATIONS` occurs among them.

    Examples
    --------
    >>> example_model(np.random.default_rng(0))
    Model 'example': 7 bodies, NQ = 19, NV = 16, gravity [0, 0, -9.81]
    base
    `- 0  Fb  body0
       |- 1  R  body1
       |  |- 3  S  body3
       |  |  `- 6  Rx-  body6
       |  `- 4  Px  body4
       `- 2  H  body2
          `- 5  S  body5
    """
    parent = [-1, 0, 0, 1, 1, 2, 3]
    helical = {"code": "H", "pars": {"pitch": 0.3}}
    return Model(
        name="example",
        parent=parent,
        jtype=["Fb", "R", helical, "S", "Px", "S", "Rx-"],
        Xtree=[plux(rv(rng.normal(size=3)), rng.normal(0, 0.4, 3)) for _ in parent],
        I=draw_inertia(rng, (len(parent),)),
    )
