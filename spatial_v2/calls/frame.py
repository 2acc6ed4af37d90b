"""Functions of a frame, whose kernels run on the path from the base to the frame.

``@accelerated("FrameJacobian", "(q)->(6,v)", subject="frame")`` is for a function whose arrays are
followed by a frame, by axes and perhaps by `classical`. For each combination of these that occurs
in calls, a prepared call is cached with the model.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from spatial_v2.calls.arguments import is_plain
from spatial_v2.calls.plan import Prepared
from spatial_v2.calls.prepared import kernel_plan, kernel_tree
from spatial_v2.calls.signature import Function
from spatial_v2.couplings.free import free_tree
from spatial_v2.engine.status import Status
from spatial_v2.engine.tree import Tree, View, fixed, lift_transforms, raise_vectors
from spatial_v2.exceptions import SpatialError
from spatial_v2.joints.table import REVOLUTE
from spatial_v2.model import Model
from spatial_v2.model.frame import AXES, Axes, Frame, check_axes, find_frame
from spatial_v2.model.model_state import keep_in

__all__ = ["FramePlan", "frame_view", "validate_frame"]

MANY = 64
"""Maximum number of frames of a model for which trees and plans are cached."""


def validate_frame(model: Model, options: dict[str, Any]) -> None:
    """Check the options of a function of a frame; in `options`, the frame becomes a `Frame`."""
    if "frame" in options:
        options["frame"] = find_frame(model, options["frame"])
    check_axes(options.get("axes", "body"))
    classical = options.get("classical", False)
    if classical not in (True, False):
        raise SpatialError(f"classical: want True or False, got {classical!r}")


def frame_view(model: Model, frame: Frame, axes: Axes = "body", classical: bool = False) -> View:
    """Return the kernels' argument for a frame: the chain of bodies to it, and its axes."""
    return View(_chain(model, frame), AXES[axes], bool(classical))


def _chain(model: Model, frame: Frame) -> Tree:
    """Return the bodies from the base to a frame as a tree, with the frame as the last body.

    The joint of the frame is fixed: a revolute joint with sign zero and without velocity variables,
    which refers to any position variable of the chain.
    """

    def make() -> Tree:
        tree = kernel_tree(model)
        bodies = model.layout.ancestors[frame.body] if frame.body >= 0 else np.zeros(0, np.int64)
        n = len(bodies)
        q = tree.joint[bodies[-1], 2] if n else 0
        X = lift_transforms(frame.X[None]) if model.is_planar else frame.X[None]
        none = np.empty(0)
        return Tree(
            parent=fixed(np.arange(-1, n)),
            joint=fixed(np.concatenate([tree.joint[bodies], [[REVOLUTE, 0, q, 0, 0, -1]]])),
            par=fixed(np.concatenate([tree.par[bodies], [[0.0, 0.0]]])),
            Xtree=np.concatenate([tree.Xtree[bodies], X]),
            I=np.zeros((n + 1, 6, 6)),
            gravity=tree.gravity.copy(),
            armature=none,
            damping=none,
            friction=none,
            stiffness=none,
            rest=none,
        )

    kept: dict[Any, Tree] = model.checked().keep("chains", dict)
    return keep_in(kept, (frame.body, frame.X.tobytes()), make, MANY)


class FramePlan:
    """Prepared calls of a function of a frame for the present model, one for each frame and axes.

    Parameters
    ----------
    of : Function
        The function, with a kernel.
    model : Model
        The model, already checked, or a coupled model.
    """

    def __init__(self, of: Function, model: Model) -> None:
        self._of, self._model, self._count = of, model, len(of.cores)
        self._tree = free_tree(model)
        self._raised = model.is_planar and "6" in of.cores
        self._plans: dict[Any, Prepared | None] = {}

    @classmethod
    def make(cls, of: Function, model: Model) -> FramePlan | None:
        """Return a plan for a function and a model; None without a compiled kernel."""
        return cls(of, model) if (kernel := of.load()) and kernel.has_entry else None

    @property
    def state(self) -> FramePlan:
        """This object: what computes new results of one state, as in `Prepared`."""
        return self

    def load(self) -> None:
        """Compile the functions for single states, which are the same for all frames."""
        plan = self._plan(0, "body")
        if plan:
            plan.load()

    def new(self, args: tuple[Any, ...]) -> Any:
        if args and getattr(args[0], "ndim", 1) > 1:
            return None
        plan, _ = self._chosen(args, {})
        return plan and plan.state.new(self._arrays(args))

    def called(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        plan, options = self._chosen(args, options)
        return plan and plan.called(self._arrays(args), options)

    def results(self, args: tuple[Any, ...], packed: bool = False) -> Any:
        plan, _ = self._chosen(args, {})
        return plan and plan.results(self._arrays(args), packed)

    def fill(self, outs: tuple[Any, ...], args: tuple[Any, ...], packed: bool = False) -> Status:
        plan, _ = self._chosen(args, {})
        return plan.fill(outs, self._arrays(args), packed) if plan else Status.REFUSED

    def of_options(self, options: dict[str, Any]) -> Prepared | None:
        """Return the plan for calls with these options, which take arrays alone; None if there is
        none, or if arrays are converted before.
        """
        plan, others = self._chosen((), options)
        return None if others or self._raised else plan

    def _arrays(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arrays of a call, planar vectors as spatial ones; () if a shape is wrong."""
        arrays = args[: self._count]
        if not self._raised:
            return arrays
        pairs = list(zip(arrays, self._of.cores, strict=False))
        fit = all(core != "6" or (is_plain(x) and x.shape[-1:] == (3,)) for x, core in pairs)
        return tuple([raise_vectors(x) if core == "6" else x for x, core in pairs if fit])

    def _chosen(
        self, args: tuple[Any, ...], options: dict[str, Any]
    ) -> tuple[Prepared | None, dict[str, Any]]:
        """Return the plan for the frame, axes and `classical` of a call, and the other options."""
        positional = args[self._count :]
        others = dict(zip(self._of.options, positional, strict=False)) | options
        if len(others) < len(positional) + len(options) or "frame" not in others:
            return None, others
        frame, axes, classical = others.pop("frame"), others.pop("axes", "body"), False
        if "classical" in self._of.options:
            classical = others.pop("classical", False)
        return self._plan(frame, axes, classical), others

    def _plan(self, frame: Any, axes: Any, classical: Any = False) -> Prepared | None:
        """Return the plan for a frame; None if there is no plan or no such frame."""
        if not (isinstance(axes, str) and axes in AXES and isinstance(classical, bool)):
            return None
        label = frame if type(frame) in (int, str) else None
        plan = self._plans.get((label, axes, classical))
        if plan is not None:
            return plan
        try:
            frame = find_frame(self._tree, frame)
        except SpatialError:
            return None
        if not is_plain(frame.X):
            return None
        key = label if label is not None else (frame.body, frame.X.tobytes())

        def make() -> Prepared | None:
            view = frame_view(self._tree, frame, cast("Axes", axes), classical)
            return kernel_plan(self._of, self._model, view)

        return keep_in(self._plans, (key, axes, classical), make, MANY)
