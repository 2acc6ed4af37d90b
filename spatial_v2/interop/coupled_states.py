"""Conversion of states of a coupled model, where the other library's model has all joints free."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from spatial_v2.couplings import CoupledModel
from spatial_v2.exceptions import ModelError
from spatial_v2.interop.states import StateMap

__all__ = ["CoupledStateMap"]


class CoupledStateMap(StateMap):
    """Conversion of states and forces of a coupled model; its peer has all joints of the tree.

    Methods to the other library give the motion of all joints. Those from it return the independent
    variables of a motion, which is taken to obey the coupling; forces along the variables; and
    their inertia matrix. ``B`` is the matrix of their velocities, with NV columns.

    Parameters
    ----------
    model : CoupledModel
        The model; its variables are joints of the tree.
    states : StateMap
        The conversion of states of the tree.

    Examples
    --------
    >>> from spatial_v2 import couple
    >>> from spatial_v2.interop.states import Part
    >>> from spatial_v2.models import autoTree
    >>> tree = autoTree(2)
    >>> peer = StateMap(tree, [Part("line", i, i, i, i) for i in (0, 1)], 2)
    >>> states = CoupledStateMap(couple(tree, mimic={1: (0, -1, 0.5)}), peer)
    >>> states.q_to([0.2])
    array([0.2, 0.3])
    """

    model: CoupledModel

    def __init__(self, model: CoupledModel, states: StateMap) -> None:
        super().__init__(model, states.parts, states.nq)
        self.states, tree = states, model.tree
        if missing := [name for name in model.joint_names if name not in tree.joint_names]:
            raise ModelError(f"model: variable {missing[0]!r} is no joint's; give model.tree")
        joints = [tree.joint(name) for name in model.joint_names]
        self._q = np.concatenate([np.arange(tree.NQ)[tree.qinds[i]] for i in joints])
        self._v = np.concatenate([np.arange(tree.NV)[tree.vinds[i]] for i in joints])

    def q_to(self, q: Any) -> np.ndarray:
        """Convert q (..., NQ) to the other library's positions of all joints."""
        return self.states.q_to(self._tree(q)[0])

    def q_from(self, q: Any) -> np.ndarray:
        """Return the independent positions (..., NQ) of the other library's configuration."""
        return self.states.q_from(q)[..., self._q]

    def B(self, q: Any) -> np.ndarray:
        """Compute the matrix from velocities (..., NV) at q to those of the other library."""
        q_tree, _, _, G = self._tree(q)
        return np.asarray(self.states.B(q_tree) @ G)

    def v_to(self, q: Any, v: Any) -> np.ndarray:
        """Convert velocities v (..., NV) at q to the other library's velocities of all joints."""
        q_tree, speed, _, _ = self._tree(q, v)
        return self.states.v_to(q_tree, speed)

    def v_from(self, q: Any, v: Any) -> np.ndarray:
        """Return the independent velocities of the other library's at this library's q."""
        return self.states.v_from(self._tree(q)[0], v)[..., self._v]

    def a_to(self, q: Any, v: Any, a: Any) -> np.ndarray:
        """Convert accelerations a at (q, v) to the other library's accelerations of all joints."""
        return self.states.a_to(*self._tree(q, v, a)[:3])

    def a_from(self, q: Any, v: Any, a: Any) -> np.ndarray:
        """Return the independent accelerations of the other library's at this library's q, v."""
        q_tree, speed, _, _ = self._tree(q, v)
        return self.states.a_from(q_tree, speed, a)[..., self._v]

    def tau_to(self, q: Any, tau: Any) -> np.ndarray:
        """Convert forces along the variables to those of the independent joints alone."""
        tau = self._velocity("tau", tau)
        force = np.zeros((*tau.shape[:-1], self.model.tree.NV))
        force[..., self._v] = tau
        return self.states.tau_to(self._tree(q)[0], force)

    def tau_from(self, q: Any, tau: Any) -> np.ndarray:
        """Return the forces along the variables of the other library's joint forces at q."""
        q_tree, _, _, G = self._tree(q)
        return np.asarray((self.states.tau_from(q_tree, tau)[..., None, :] @ G)[..., 0, :])

    def H_from(self, q: Any, H: Any) -> np.ndarray:
        """Return the inertia matrix of the variables for the other library's at q."""
        q_tree, _, _, G = self._tree(q)
        return np.asarray(np.matrix_transpose(G) @ self.states.H_from(q_tree, H) @ G)

    def H_to(self, q: Any, H: Any) -> NoReturn:
        """Refuse: the inertia matrix of the variables does not determine that of all joints."""
        raise ModelError("H_to: takes no coupled model; give the states of model.tree")

    def diagonal_to(self, name: str, x: Any) -> NoReturn:
        """Refuse: the diagonal matrix of the variables is not that of all joints."""
        raise ModelError("diagonal_to: takes no coupled model; give the states of model.tree")

    def diagonal_from(self, name: str, x: Any) -> NoReturn:
        """Refuse: the matrix of the variables is not diagonal."""
        raise ModelError("diagonal_from: takes no coupled model; give the states of model.tree")

    def _tree(self, q: Any, v: Any = None, a: Any = None) -> tuple[Any, Any, Any, Any]:
        """Return q, qd, qdd of the tree, zero where they are not given, and the matrix G."""
        q = self._position(q)
        rest = np.zeros((*q.shape[:-1], self.model.NV))
        motion = [rest if x is None else self._velocity(n, x) for n, x in (("v", v), ("a", a))]
        return self.model.moved(q, *motion)
