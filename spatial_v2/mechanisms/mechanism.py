"""A model whose joints follow independent variables by closed loops or a function."""

from __future__ import annotations

import copy
from typing import Any, Protocol

import numpy as np

from spatial_v2.arrays import as_array
from spatial_v2.couplings.coupled_model import Calls, CoupledModel
from spatial_v2.engine.tensors.runs import Runs
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.mechanisms.at_once import by_kernel, way_of
from spatial_v2.mechanisms.contact_rows import ContactRows
from spatial_v2.mechanisms.patterns import pulled_back_patterns
from spatial_v2.mechanisms.prepared import prepared_of
from spatial_v2.mechanisms.pull_back import Jet
from spatial_v2.mechanisms.rules import RULES
from spatial_v2.mechanisms.tree_state import State
from spatial_v2.model import Model
from spatial_v2.model.fields import JOINT_TERMS
from spatial_v2.packed.pattern import TensorPattern

__all__ = ["Coupling", "Mechanism"]

_OF_BODIES = {"I", "gravity", *JOINT_TERMS, "name", "appearance", "camera"}
"""Fields of a tree that have no effect on how its joints are coupled."""


class Coupling(Protocol):
    """A coupling whose matrix G depends on y."""

    @property
    def space(self) -> Model:
        """A chain of massless bodies whose joints have y as their variables."""

    def configuration(self, y: Any) -> np.ndarray:
        """Return the tree's q at y, or check a full q."""

    def jet(self, q: np.ndarray, yd: np.ndarray, ydd: np.ndarray) -> Jet:
        """Return the motion of the tree at a full q."""

    def on(self, tree: Model) -> Coupling:
        """Return the coupling of a changed tree."""

    def describe(self) -> str:
        """Return a description, for `repr`."""


class Mechanism(CoupledModel):
    """A tree whose joints follow independent variables nonlinearly; made by `couple`.

    As every `CoupledModel` it has the variables y, and ``model.tree`` is the free tree. A position
    argument of a function is y, or the full q of the tree, which is taken as it is if it obeys the
    coupling.

    Parameters
    ----------
    tree : Model
        The free tree.
    coupling : Closed, Formula or Joined
        The coupling of its joints with y.

    Examples
    --------
    >>> from spatial_v2 import FDab, couple
    >>> from spatial_v2.models import autoTree
    >>> def gamma(y):
    ...     return np.stack([y[0], np.sin(y[0])])
    >>> cam = couple(autoTree(2), function=gamma, independent=[0])
    >>> cam.NV, cam.tree.NV, cam.joint_names
    (1, 2, ('joint0',))
    >>> FDab(cam, [0.3], [1.0], [0.0]).shape
    (1,)
    """

    __slots__ = ()

    is_linear = False
    _coupling: Any

    def __new__(cls, tree: Model, coupling: Any) -> Mechanism:
        return object.__new__(cls)

    def __init__(self, tree: Model, coupling: Any) -> None:
        tree = copy.copy(tree)
        tree.checked()
        object.__setattr__(self, "_tree", tree)
        object.__setattr__(self, "_coupling", coupling)
        object.__setattr__(self, "_state", Calls())

    def replace(self, **fields: Any) -> Mechanism:
        """Return the mechanism of a tree with other fields; see `Model.replace`."""
        tree = self._tree.replace(**fields)
        same = fields.keys() <= _OF_BODIES
        return Mechanism(tree, self._coupling if same else self._coupling.on(tree))

    def __reduce__(self) -> tuple[Any, ...]:
        return Mechanism, (self._tree, self._coupling)

    def __repr__(self) -> str:
        names = ", ".join(self.joint_names)
        return (
            f"Mechanism: NQ = {self.NQ}, NV = {self.NV}, variables {names}; "
            f"{self._coupling.describe()}; of\n{self._tree}"
        )

    @property
    def start(self) -> np.ndarray:
        """Independent positions, shape (NQ,), at which the coupling was made."""
        guess = self._coupling.guess
        return np.array(guess if len(guess) == self.NQ else guess[self._coupling.q_of_y])

    def motion(self, q: Any, qd: Any) -> np.ndarray:
        """Return the velocities of the tree for those of the variables, at a position q of them."""
        qd = np.asarray(qd)
        return np.asarray(self.moved(q, qd, 0 * qd)[1])

    def forces(self, q: Any, tau: Any) -> np.ndarray:
        """Return the forces along the variables for joint forces of the tree."""
        rest = np.zeros(self.NV)
        G = self.moved(q, rest, rest)[3]
        return np.asarray((np.asarray(tau)[..., None, :] @ G)[..., 0, :])

    def moved(self, q: Any, qd: Any, qdd: Any) -> tuple[Any, Any, Any, Any]:
        """Return the motion q, qd, qdd of the tree for that of the variables, and the matrix G."""
        x = self._coupling.jet(self.position(np.asarray(q)), np.asarray(qd), np.asarray(qdd))
        return x.q, x.qd, x.qdd, x.G

    def takes(self, name: str) -> bool:
        """Test if there is a rule by which a function of the tree is pulled back to y."""
        return name in RULES

    def position(self, q: Any) -> np.ndarray:
        """Return the full q of the tree for y, or for a full q that obeys the coupling."""
        if not isinstance(q, np.ndarray) or q.dtype.kind not in "fc":
            raise ArrayShapeError(
                f"q: a mechanism takes NumPy arrays of real or complex numbers, got {type(q)}"
            )
        return np.asarray(self._coupling.configuration(q))

    def placed(self) -> Mechanism:
        """Return the mechanism for the functions that a call calls with configurations of the tree
        which it has found.
        """
        return self._as(_PlacedReference if self.is_reference else _Placed, self._state)

    def reference(self) -> Mechanism:
        """Return the mechanism for a call of a reference implementation, which calls others."""
        return self._as(_Reference, Calls())

    def _as(self, kind: type[Mechanism], state: Calls) -> Mechanism:
        found = object.__new__(kind)
        for name, x in (("_tree", self._tree), ("_coupling", self._coupling), ("_state", state)):
            object.__setattr__(found, name, x)
        return found

    def by_kernel(self, name: str, arrays: Any, options: dict[str, Any]) -> Any:
        """Return the results of a function by one kernel; None if there is none."""
        return by_kernel(
            self._tree, self._coupling, self._state.kept, name, arrays, options, self.position
        )

    def prepare(self, work: Any) -> None:
        """Prepare a function that `by_kernel` computes for calls that go to the kernel directly."""
        state = self._state
        way = way_of(self._tree, self._coupling, state.kept)
        if way is not None and work not in state.calls:
            state.calls[work] = prepared_of(work, self, self._tree, way)

    def tensor_patterns(self, runs: Runs) -> tuple[TensorPattern, ...]:
        """Return the sparsity patterns of an algorithm's tensors along y."""
        kept = self._state.kept
        if runs not in kept:
            kept[runs] = pulled_back_patterns(self._tree, self._coupling, runs)
        made: tuple[TensorPattern, ...] = kept[runs]
        return made

    def constraint_rows(self, constraints: Any, q: Any, qd: Any, qdd: Any, gains: Any) -> Any:
        """Return the rows of constraints on bodies of the tree, and their derivatives along y."""
        return ContactRows(self, constraints, q, qd, qdd, gains)

    def pulled_back(self, work: Any, given: dict[str, Any], options: dict[str, Any]) -> list[Any]:
        """Call a function of the tree and pull it back to y; `given` are arrays in y by name."""
        zero = np.zeros((*np.shape(given["q"])[:-1], self.NV))
        yd, ydd = (given.get(k, zero) for k in ("qd", "qdd"))
        x = self._coupling.jet(self.position(given["q"]), as_array(yd), as_array(ydd))
        reference = self.is_reference
        function = work.function.reference if reference else work.function
        of = State(function, self._coupling, self._tree, x, given, options, work.results, reference)
        return RULES[work.name](of)


class _Placed(Mechanism):
    """A mechanism inside a call, whose configurations of the tree have been checked."""

    __slots__ = ()

    def position(self, q: Any) -> np.ndarray:
        """Return a full q of the tree as it is."""
        return q if np.shape(q)[-1] == self._tree.NQ else super().position(q)


class _Reference(Mechanism):
    """A mechanism inside a call of a reference implementation."""

    __slots__ = ()

    is_reference = True


class _PlacedReference(_Placed):
    """A mechanism inside such a call, whose configurations have been checked."""

    __slots__ = ()

    is_reference = True
