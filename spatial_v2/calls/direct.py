"""Choice of how Python reaches a kernel: by the extension in C, or by `Plain` where it is missing.

``SPATIAL_V2_DIRECT=0`` in the environment turns the extension off. Results are the same.
"""

from __future__ import annotations

import functools
import os
from typing import Any

import numpy as np

from spatial_v2.calls.plain import Plain
from spatial_v2.engine.extension import HAS_EXTENSION, Gears, Single
from spatial_v2.engine.kernel import Kernel, KernelCall
from spatial_v2.engine.tree import Tree, View
from spatial_v2.joints.table import FLOATING, SPHERICAL
from spatial_v2.model import Model

__all__ = ["has_extension", "runner"]


@functools.cache
def has_extension() -> bool:
    """Test if the extension in C is there and in use."""
    return HAS_EXTENSION and os.environ.get("SPATIAL_V2_DIRECT", "1") != "0"


def runner(
    kernel: Kernel,
    model: Model,
    of: Tree | View,
    rotors: np.ndarray,
    takes: KernelCall,
) -> Any:
    """Prepare a kernel for the present model: `engine.extension.Single` or `Plain`.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    model : Model
        The model, already checked.
    of : Tree or View
        The tree on which the kernel runs, or a frame's view of one.
    rotors : int array
        Bodies whose rotors are bodies of the tree, but not of the arguments and results.
    takes : KernelCall
        Its arguments and results.

    Returns
    -------
    Single, Plain or None
        None if neither can run the kernel.
    """
    if not (has_extension() and Single.takes_all(takes)):
        return None if len(rotors) else Plain(kernel, model, of, takes)
    joints, ratio = model.layout.joint, np.ascontiguousarray(model.gr[rotors], dtype=float)
    gears = Gears(joints[rotors, 2], joints[rotors, 3], ratio)
    turning = np.isin(joints[:, 0], (SPHERICAL, FLOATING))
    bodies = len((of.tree if isinstance(of, View) else of).parent)
    return Single(kernel, of, bodies, joints[turning, 2].tolist(), gears, takes)
