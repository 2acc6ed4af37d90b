"""Functions of a frame, whose kernels run on the path from the base to the frame.

``@accelerated("FrameJacobian", "(q)->(6,v)", subject="frame")`` is for a function whose arrays are
followed by a frame, by axes and perhaps by `classical`. For each combination of these that occurs
in calls, a prepared call is cached with the model.
"""

from typing import Any, cast

import numpy as np

from spatial_v2.calls.arguments import is_plain
from spatial_v2.calls.declaration import Chosen
from spatial_v2.calls.prepare import kernel_tree, prepare_kernel
from spatial_v2.calls.prepared import Prepared
from spatial_v2.calls.signature import Function
from spatial_v2.couplings.free import free_tree
from spatial_v2.engine.tree import Tree, View, fixed, lift_transforms, raise_vectors
from spatial_v2.exceptions import SpatialError
from spatial_v2.joints.table import REVOLUTE
from spatial_v2.model import Model
from spatial_v2.model.frame import AXES, Axes, Frame, check_axes, find_frame
from spatial_v2.model.model_state import keep_in


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
    return keep_in(kept, (frame.body, frame.X.tobytes()), make)


def choose_frame(
    of: Function,
    model: Model,
    kept: dict[Any, Prepared | None],
    args: tuple[Any, ...],
    options: dict[str, Any],
) -> Chosen:
    """Return the prepared call for the frame, axes and `classical` of a call, its arrays, and its
    other options; see `Function.choose`.

    Planar vectors become spatial ones. Without arrays it is the call for all arrays, and None if
    they have to be converted.
    """
    count = len(of.cores)
    arrays, positional = args[:count], args[count:]
    raised = "6" in of.cores and model.is_planar
    others = dict(zip(of.options, positional, strict=False)) | options
    if len(others) < len(positional) + len(options) or "frame" not in others:
        return None, args, options
    frame, axes, classical = others.pop("frame"), others.pop("axes", "body"), False
    if "classical" in of.options:
        classical = others.pop("classical", False)
    if raised:
        pairs = list(zip(arrays, of.cores, strict=False))
        fit = all(core != "6" or (is_plain(x) and x.shape[-1:] == (3,)) for x, core in pairs)
        if not arrays or not fit:
            return None, args, options
        arrays = tuple([raise_vectors(x) if core == "6" else x for x, core in pairs])
    if not (isinstance(axes, str) and axes in AXES and isinstance(classical, bool)):
        return None, args, options
    label = frame if type(frame) in (int, str) else None
    prepared = kept.get((label, axes, classical))
    if prepared is None:
        prepared = _prepare_frame(of, model, kept, frame, (label, axes, classical))
    return prepared, arrays, others


def _prepare_frame(
    of: Function,
    model: Model,
    kept: dict[Any, Prepared | None],
    frame: Any,
    key: tuple[Any, str, bool],
) -> Prepared | None:
    """Prepare the function for a frame; return None if that is impossible, or no such frame."""
    tree, (label, axes, classical) = free_tree(model), key
    try:
        frame = find_frame(tree, frame)
    except SpatialError:
        return None
    if not is_plain(frame.X):
        return None
    label = (frame.body, frame.X.tobytes()) if label is None else label

    def make() -> Prepared | None:
        view = frame_view(tree, frame, cast("Axes", axes), classical)
        return prepare_kernel(of, model, view)

    return keep_in(kept, (label, axes, classical), make)
