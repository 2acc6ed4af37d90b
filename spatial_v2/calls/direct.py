"""Access to the fast path, in which compiled code reads Python objects, or to `Plain` instead.

``SPATIAL_V2_DIRECT=0`` in the environment turns the fast path off; it is also off if the folder
`engine/direct` is missing. Then `Plain` runs the kernel of every function, with the same results.
"""

from __future__ import annotations

import functools
import os
from typing import Any

import numpy as np

from spatial_v2.calls.plain import Plain
from spatial_v2.engine.kernel import Kernel, KernelCall
from spatial_v2.engine.tree import Tree, View
from spatial_v2.model import Model

__all__ = ["fast_path", "runner"]

_WANTED = os.environ.get("SPATIAL_V2_DIRECT", "1") != "0"


@functools.cache
def fast_path() -> Any:
    """Return the module of the fast path; None if off, missing or unsuitable for this Python."""
    if not _WANTED:
        return None
    try:
        from spatial_v2.engine.direct.single import LAID_OUT
    except ModuleNotFoundError:
        return None
    from spatial_v2.engine.direct import single

    return single if LAID_OUT else None


def runner(
    kernel: Kernel,
    model: Model,
    tree: Tree | View,
    rotors: np.ndarray,
    takes: KernelCall,
) -> Any:
    """Prepare a kernel for the present model: `engine.direct.single.Single` or `Plain`.

    Parameters
    ----------
    kernel : Kernel
        The kernel; without `Kernel.function`, it runs without the fast path.
    model : Model
        The model, already checked.
    tree : Tree or View
        The tree on which the kernel runs; or the view of a frame, which the fast path does not
        support.
    rotors : int array
        Bodies whose rotors are bodies of the tree, but not of the arguments and results.
    takes : KernelCall
        Its arguments and results.

    Returns
    -------
    Single, Plain or None
        None if neither can run the kernel.
    """
    fast = fast_path() if kernel.function else None
    if fast is None or isinstance(tree, View):
        return None if len(rotors) else Plain(kernel, model, tree, takes)
    if sum(map(len, takes[:3])) > fast.MOST:
        return None
    first_q, first_v = model.layout.joint[rotors, 2], model.layout.joint[rotors, 3]
    gears = fast.Gears(first_q, first_v, np.ascontiguousarray(model.gr[rotors]))
    return fast.Single(kernel.function, tree, gears, takes)
