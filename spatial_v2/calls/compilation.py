"""The choice whether kernels compile at once, in a second process, or not at all."""

from __future__ import annotations

import os
from typing import Any, Literal, cast, get_args
from weakref import WeakSet

from spatial_v2.exceptions import SpatialError
from spatial_v2.model.model_state import State

__all__ = ["get_compilation", "set_compilation"]

Mode = Literal["wait", "background", "never"]
_MODE: list[Mode] = []
"""The mode as the only element; empty until the mode is first set or read."""
PREPARED: WeakSet[State] = WeakSet()
"""States of models with prepared calls that use kernels."""


def set_compilation(mode: Mode) -> None:
    """Choose how functions compute while their kernel is not compiled yet.

    Parameters
    ----------
    mode : {"wait", "background", "never"}
        ``"wait"`` compiles at the first call, which takes seconds. ``"background"`` compiles in a
        second process, then loads the kernel in a thread; until that is done, reference
        implementations compute the results, and large batches wait. ``"never"`` always uses
        reference implementations, except for kernels that the wheel has, which need no compilation.
        The environment variable ``SPATIAL_V2_COMPILE`` sets the mode of new processes, by default
        ``"wait"``.

    Raises
    ------
    SpatialError
        Another mode.

    Notes
    -----
    A kernel and its reference implementation agree to rounding, not to the last bit. With
    ``"background"``, results can therefore change by rounding errors when the kernel takes over.

    Examples
    --------
    >>> from spatial_v2 import get_compilation
    >>> set_compilation("background")
    >>> get_compilation()
    'background'
    >>> set_compilation("wait")
    """
    _MODE[:] = [checked(mode, "mode")]
    for state in [*PREPARED]:
        state.calls = {}
    PREPARED.clear()


def get_compilation() -> Mode:
    """Return the mode of compilation; see `set_compilation`.

    Returns
    -------
    {"wait", "background", "never"}
        The mode.

    Examples
    --------
    >>> get_compilation()
    'wait'
    """
    if not _MODE:
        mode = os.environ.get("SPATIAL_V2_COMPILE") or "wait"  # empty is as if it were not set
        _MODE.append(checked(mode, "SPATIAL_V2_COMPILE"))
    return _MODE[0]


def checked(mode: Any, name: str) -> Mode:
    """Return a mode of compilation, or raise an error that names the argument."""
    if mode not in get_args(Mode):
        known = ", ".join(map(repr, get_args(Mode)))
        raise SpatialError(f"{name}: want one of {known}, got {mode!r}")
    return cast("Mode", mode)
