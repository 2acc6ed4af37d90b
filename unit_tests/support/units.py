"""Other units of length, mass and time: models, arguments and results in them.

``rescaled(model, length=1e3, mass=1e3, time=1e3)`` is the model in mm, g and ms: each number is
multiplied by as many of the small units as the large one has. The same numbers, read in m, kg and
s, are a robot that is a thousand times as large.

A dimension is written as powers of L, M and T and axes of an array, which differ in the dimension
of their entries: ``"M L2 T-2 f"`` are joint forces, ``"T-1 v"`` joint velocities. `AXES` has the
axes; E stands for the energy ``M L2 T-2``.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from spatial_v2 import Frame, Model
from spatial_v2.joints.table import FLOATING, PRISMATIC, TRANSFORM, JointType, joint_type

__all__ = ["AXES", "Units", "rescaled"]

_TERMS = {
    "armature": "M L2 f2", "damping": "M L2 T-1 f2", "friction": "E f", "stiffness": "E f2",
    "rest": "v",
}  # fmt: skip


def rescaled(model: Model, length: float = 1.0, mass: float = 1.0, time: float = 1.0) -> Model:
    """Return the model with all its numbers in other units; drawings keep theirs."""
    return Units(length, mass, time).model(model)


class Units(NamedTuple):
    """Factors of the numbers of a length, a mass and a time."""

    length: float = 1.0
    mass: float = 1.0
    time: float = 1.0

    def factor(self, powers: str) -> float:
        """Return the factor of numbers with a dimension, such as ``"M L2 T-2"``."""
        factor = 1.0
        for power in powers.replace("E", "M L2 T-2").split():
            factor *= self._bases[power[0]] ** int(power[1:] or 1)
        return factor

    @property
    def _bases(self) -> dict[str, float]:
        return {"L": self.length, "M": self.mass, "T": self.time}

    def scaled(self, model: Model, x: Any, dimension: str) -> Any:
        """Return an array in these units; its last axes are those that the dimension names."""
        x = np.asarray(x)
        words = dimension.split()
        axes = [word for word in words if word in AXES]
        factors = np.array(self.factor(" ".join(word for word in words if word not in AXES)))
        for axis, size in zip(axes, x.shape[x.ndim - len(axes) :], strict=True):
            own = AXES[axis](self, model)
            assert size % len(own) == 0, f"axis {axis!r} has {len(own)} entries, got {size}"
            factors = np.multiply.outer(factors, np.tile(own, size // len(own)))
        return x * factors

    def model(self, model: Model) -> Model:
        """Return the model with all its numbers in these units; drawings keep theirs."""
        changed: dict[str, Any] = {
            "jtype": [self._joint(x) for x in model.jtype],
            "Xtree": self.scaled(model, model.Xtree, "m m*"),
            "I": self.scaled(model, model.I, "M L2 w w"),
            "gravity": self.factor("L T-2") * model.gravity,
            "limits": self._limits(model),
            "mimic": self._mimic(model),
            "frames": {k: self.frame(model, x) for k, x in (model.frames or {}).items()} or None,
            "loops": {k: self._loop(model, x) for k, x in (model.loops or {}).items()} or None,
            "gc": self._points(model),
        }
        for name, dimension in _TERMS.items():
            if getattr(model, name) is not None:
                changed[name] = self.scaled(model, getattr(model, name), dimension)
        return model.replace(**changed, **(self._rotors(model) if model.has_rotors else {}))

    def frame(self, model: Model, frame: Any) -> Frame:
        """Return a frame in these units."""
        body, X = frame
        return Frame(body, self.scaled(model, X, "m m*"))

    def one(self, joint: JointType) -> float:
        """Return the factor of the displacement of a joint with one degree of freedom."""
        return self.length if joint.kind == PRISMATIC else 1.0

    def _joint(self, jtype: Any) -> Any:
        if isinstance(jtype, str):
            return jtype
        return {"code": jtype["code"], "pars": {"pitch": jtype["pars"]["pitch"] * self.length}}

    def _rotors(self, model: Model) -> dict[str, Any]:
        has, changed = model.has_rotor, {"jtype_rotor": [], "Xrotor": [], "I_rotor": [], "gr": []}
        for i, joint in enumerate(model.layout.joints):
            if not has[i]:
                for name, values in changed.items():
                    values.append(getattr(model, name)[i])
                continue
            rotor = joint_type(model.jtype_rotor[i])
            changed["jtype_rotor"].append(self._joint(model.jtype_rotor[i]))
            changed["Xrotor"].append(self.scaled(model, model.Xrotor[i], "m m*"))
            changed["I_rotor"].append(self.scaled(model, model.I_rotor[i], "M L2 w w"))
            changed["gr"].append(model.gr[i] * self.one(rotor) / self.one(joint))
        return changed

    def _limits(self, model: Model) -> Any:
        if not model.limits:
            return model.limits
        changed = {}
        for name, limits in model.limits.items():
            u = self.one(model.layout.joints[model.joint_names.index(name)])
            factors = u, u, u / self.time, self.factor("E") / u
            changed[name] = type(limits)(*np.multiply(limits, factors).tolist())
        return changed

    def _mimic(self, model: Model) -> Any:
        if not model.mimic:
            return model.mimic
        changed = {}
        for name, mimic in model.mimic.items():
            u, of = (
                self.one(model.layout.joints[model.joint_names.index(x)])
                for x in (name, mimic.joint)
            )
            changed[name] = mimic._replace(
                multiplier=mimic.multiplier * u / of, offset=mimic.offset * u
            )
        return changed

    def _loop(self, model: Model, loop: Any) -> Any:
        X1, X2 = (self.scaled(model, x, "m m*") for x in (loop.X1, loop.X2))
        return loop._replace(X1=X1, X2=X2, rows=self.scaled(model, loop.rows, "w ."))

    def _points(self, model: Model) -> Any:
        gc = model.gc
        return gc and {**gc, "point": np.asarray(gc["point"]) * self.length}


def _velocities(units: Units, model: Model) -> np.ndarray:
    """Return the factors of displacements of the joints (NV,): those of qd, without time."""
    twist = [1.0] * 3 + [units.length] * 3
    joints = model.layout.joints
    return np.concatenate([twist[: x.nv] if x.nv > 1 else [units.one(x)] for x in joints])


def _positions(units: Units, model: Model) -> np.ndarray:
    """Return the factors of the position variables (NQ,)."""
    factors = []
    for joint in model.layout.joints:
        own = np.ones(joint.nq) * (units.one(joint) if joint.nq == 1 else 1)
        if joint.kind == FLOATING:
            own[4:] = units.length
        elif joint.kind == TRANSFORM:
            own[12:15] = units.length
        factors.append(own)
    return np.concatenate(factors)


def _motion(units: Units, model: Model) -> np.ndarray:
    """Return the factors of the components of a motion vector: angular 1, linear L."""
    return np.array(
        [1.0] + [units.length] * 2 if model.is_planar else [1.0] * 3 + [units.length] * 3
    )


def _parameters(units: Units, model: Model) -> np.ndarray:
    """Return the factors of the ten parameters of a body, without mass."""
    return np.array([1.0] + [units.length] * 3 + [units.length**2] * 6)


def _state(units: Units, model: Model) -> np.ndarray:
    """Return the factors of displacements and velocities (2 NV,)."""
    v = _velocities(units, model)
    return np.concatenate([v, v / units.time])


def _step(units: Units, model: Model) -> np.ndarray:
    """Return the factors of a state, joint forces and a time (3 NV + 1,)."""
    force = units.factor("E") / _velocities(units, model)
    return np.concatenate([_state(units, model), force, [units.time]])


AXES: dict[str, Callable[[Units, Model], np.ndarray]] = {
    ".": lambda units, model: np.ones(1),
    "q": _positions,
    "v": _velocities,
    "f": lambda units, model: 1 / _velocities(units, model),
    "f2": lambda units, model: 1 / _velocities(units, model) ** 2,
    "m": _motion,
    "m*": lambda units, model: 1 / _motion(units, model),
    "w": lambda units, model: 1 / _motion(units, model),
    "p": _parameters,
    "p*": lambda units, model: 1 / _parameters(units, model),
    "j": lambda units, model: 1 / _velocities(units, model)[6:],
    "s": _state,
    "s*": lambda units, model: 1 / _state(units, model),
    "z*": lambda units, model: 1 / _step(units, model),
}
"""Factors of the entries along an axis: of any numbers alike, positions, velocities of joints,
joint forces (per energy), joint forces per velocity of the same joint, motion vectors, what
multiplies them, force vectors (per energy), ten parameters of each body (per mass), what multiplies
them, joint forces without those of the base, states, what multiplies them, what multiplies the
arguments of a step in time.
"""
