"""A model whose joints are coupled: a tree, moved by independent variables."""

from __future__ import annotations

import copy
import sys
from os import PathLike
from typing import Any, ClassVar, NoReturn

import numpy as np

from spatial_v2.couplings.linear import Linear
from spatial_v2.exceptions import ModelError
from spatial_v2.model import Model
from spatial_v2.model.layout import Layout

__all__ = ["CoupledModel", "CoupledModelError", "refuse"]


class CoupledModelError(ModelError, AttributeError):
    """A function that does not take coupled models was called with one."""


class Calls:
    """Prepared calls of a coupled model, by function, in place of the state of a tree.

    It has no fields of a tree: a function that needs them does not take coupled models.
    """

    __slots__ = ("calls", "kept")

    def __init__(self) -> None:
        self.calls: dict[Any, Any] = {}
        self.kept: dict[Any, Any] = {}

    def __getattr__(self, name: str) -> NoReturn:
        refuse("fields")


class CoupledModel(Model):
    """A rigid-body tree whose joints follow fewer independent variables y; made by `couple`.

    For functions of this library it is a `Model`: its variables, NQ, NV, names and limits are
    those of y. Fields of the tree, such as inertias, are those of ``model.tree``. Functions that do
    not take a coupled model raise a `ModelError`, which names them.

    Parameters
    ----------
    tree : Model
        The free tree.
    matrix, offset : numpy.ndarray, shapes (NV, n), (NV,)
        G and c of ``q = G y + c``, as `couple` makes them.
    follow : frozenset of int, optional
        Joints that follow others, after which no variable is called.

    Examples
    --------
    >>> from spatial_v2 import ID, couple
    >>> from spatial_v2.models import autoTree
    >>> gripper = couple(autoTree(2), mimic={1: (0, -1.0, 0.0)})
    >>> gripper.NV, gripper.tree.NV
    (1, 2)
    >>> ID(gripper, [0.3], [0.0], [1.0]).shape
    (1,)
    """

    __slots__ = ("_coupling", "_tree")

    is_linear: ClassVar[bool] = True
    """True if G is constant; if not, the methods `takes`, `position` and `pulled_back` tell how
    functions follow.
    """
    is_reference: ClassVar[bool] = False
    """True if all functions run their reference implementations."""
    _state: Calls  # type: ignore[assignment]
    _coupling: Linear
    _tree: Model

    def __new__(
        cls,
        tree: Model,
        matrix: np.ndarray,
        offset: np.ndarray,
        follow: frozenset[int] = frozenset(),
    ) -> CoupledModel:
        return object.__new__(cls)

    def __init__(
        self,
        tree: Model,
        matrix: np.ndarray,
        offset: np.ndarray,
        follow: frozenset[int] = frozenset(),
    ) -> None:
        tree = copy.copy(tree)
        tree.checked()
        object.__setattr__(self, "_tree", tree)
        object.__setattr__(self, "_coupling", Linear.of(tree, matrix, offset, follow))
        object.__setattr__(self, "_state", Calls())

    @property
    def tree(self) -> Model:
        """The free tree; assignments to it do not reach the coupled model."""
        return copy.copy(self._tree)

    @property
    def coupling(self) -> Linear:
        """The coupling: ``matrix`` G and ``offset`` c of ``q = G y + c``."""
        return self._coupling

    @property
    def layout(self) -> Layout:
        """Sizes and indices of y, as those of a chain: H couples all variables."""
        return self._coupling.space.layout

    @property
    def is_planar(self) -> bool:
        """True if the tree is planar."""
        return self._tree.is_planar

    @property
    def joint_names(self) -> tuple[str, ...]:  # type: ignore[override]
        """Names of the variables: those of their joints, or ``y0, y1, ...``."""
        return self._coupling.space.joint_names

    @property
    def limits(self) -> Any:  # type: ignore[override]
        """Limits of the variables, by those of all joints that one variable alone moves."""
        return self._coupling.space.limits

    @property
    def name(self) -> str:  # type: ignore[override]
        """Name of the tree."""
        return self._coupling.space.name

    @property
    def left_out(self) -> tuple[str, ...]:  # type: ignore[override]
        """Elements of the robot file that the tree does not have, or that are not coupled."""
        return self._tree.left_out

    @property
    def frames(self) -> Any:  # type: ignore[override]
        """Frames on bodies of the tree, by name."""
        return self._tree.frames

    @property
    def body_names(self) -> tuple[str, ...]:  # type: ignore[override]
        """Names of the tree's bodies."""
        return self._tree.body_names

    def __getattr__(self, name: str) -> Any:
        """Return a derived field of y; refuse fields of the tree."""
        if name in Layout.DERIVED:
            return getattr(self.layout, name)
        getattr(self._tree, name)  # AttributeError for what no model has
        refuse(name)

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuse: a coupled model does not change."""
        raise ModelError(
            f"{name}: a coupled model does not change; write model.replace({name}=...), or couple "
            "the changed tree again"
        )

    @property
    def start(self) -> np.ndarray:
        """Independent positions, shape (NQ,), at which the tree has a configuration."""
        return self.layout.neutral()

    def motion(self, q: Any, qd: Any) -> Any:
        """Return the velocities of the tree for those of the variables, at a position q of them."""
        return self._coupling.motion(qd)

    def forces(self, q: Any, tau: Any) -> Any:
        """Return the forces along the variables for joint forces of the tree."""
        return self._coupling.pull_back(tau, ("v",))

    def moved(self, q: Any, qd: Any, qdd: Any) -> tuple[Any, Any, Any, Any]:
        """Return the motion q, qd, qdd of the tree for that of the variables, and the matrix G."""
        c = self._coupling
        return c.configuration(q), c.motion(qd), c.motion(qdd), c.matrix

    def takes(self, name: str) -> bool:
        """Test if a function follows a coupling that is not linear."""
        raise NotImplementedError

    def position(self, q: Any) -> np.ndarray:
        """Return the full q of the tree, for a coupling that is not linear."""
        raise NotImplementedError

    def placed(self) -> CoupledModel:
        """Return the model for functions that a call calls with configurations it has checked."""
        raise NotImplementedError

    def reference(self) -> CoupledModel:
        """Return the model for a reference implementation, which calls others."""
        raise NotImplementedError

    def by_kernel(self, name: str, arrays: Any, options: dict[str, Any]) -> Any:
        """Return the results of a function by one kernel, for a coupling that is not linear."""
        raise NotImplementedError

    def prepare(self, work: Any) -> None:
        """Prepare a function that `by_kernel` computes, for later calls."""
        raise NotImplementedError

    def tensor_patterns(self, runs: Any) -> Any:
        """Return the patterns of packed tensors, for a coupling that is not linear."""
        raise NotImplementedError

    def constraint_rows(self, constraints: Any, q: Any, qd: Any, qdd: Any, gains: Any) -> Any:
        """Return rows of constraints on bodies of the tree, for a coupling that is not linear."""
        raise NotImplementedError

    def pulled_back(self, work: Any, given: dict[str, Any], options: dict[str, Any]) -> list[Any]:
        """Call a function of the tree and pull it back, for a coupling that is not linear."""
        raise NotImplementedError

    def replace(self, **fields: Any) -> Model:
        """Return a coupled model whose tree has other fields; see `Model.replace`."""
        c = self._coupling
        tree = self._tree.replace(**fields)
        return CoupledModel(tree, c.matrix.copy(), c.offset.copy(), c.follow)

    def to_matlab(self, path: str | PathLike[str], name: str = "model") -> None:
        """Write the tree's struct for MATLAB, with the field ``coupling`` (matrix and offset)."""
        if not self.is_linear:
            refuse("a constant matrix G", "to_matlab")
        field = {"matrix": self._coupling.matrix, "offset": self._coupling.offset[:, None]}
        tree = self.tree
        tree.replace(user={**tree.user, "coupling": field}).to_matlab(path, name)

    def __copy__(self) -> CoupledModel:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> CoupledModel:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        c = self._coupling
        return CoupledModel, (self._tree, c.matrix.copy(), c.offset.copy(), c.follow)

    def __repr__(self) -> str:
        names = ", ".join(self.joint_names)
        return f"CoupledModel: NQ = {self.NQ}, NV = {self.NV}, variables {names}, of\n{self._tree}"

    def _repr_html_(self) -> str:
        return self._tree._repr_html_()


def refuse(what: str, name: str = "model") -> NoReturn:
    """Raise the error of the function that is being called, which needs a field of the tree."""
    raise CoupledModelError(
        f"{_caller(name)}: takes no coupled model (it reads `{what}`, which only a tree has); "
        "give it model.tree, the tree with all joints free"
    )


def _caller(name: str) -> str:
    """Return the name of the outermost function of the library that is being called."""
    frame, inside = sys._getframe(2), False
    while frame is not None:
        package = frame.f_globals.get("__name__", "").split(".")[0]
        if package in ("spatial_v2", "derivatives", "tensor_sva"):
            code, inside = frame.f_code.co_name, True
            if code == "__init__":
                code = type(frame.f_locals["self"]).__name__
            name = name if code.startswith(("_", "<")) or code in _PASSED else code
        elif inside:
            break
        frame = frame.f_back  # type: ignore[assignment]
    return name


_PASSED = (
    "Bound", "Problem", "bind", "call", "check_answer", "reference", "refuse", "run", "run_coupled",
)  # fmt: skip
"""Functions of decorators and operators, which have no name that a user knows."""
