"""Frames and bodies by their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.model.records import Frame

__all__ = ["frame_called"]


def frame_called(
    called: str, frames: Mapping[str, Any] | None, body_names: Sequence[str], d: int, name: str
) -> Frame:
    """Return the frame of a name, which is looked up in `frames` first, then among the bodies.

    Error messages call the argument `name`; d is 6, or 3 for planar models.

    Examples
    --------
    >>> frame_called("arm", None, ["trunk", "arm"], 6, "frame").body
    1
    """
    frames = frames or {}
    if called in frames:
        return Frame(*frames[called])
    if called in body_names:
        return Frame(list(body_names).index(called), np.eye(d))
    known = list(dict.fromkeys([*frames, *body_names]))
    lower = {x.lower(): x for x in reversed(known)}
    import difflib

    near = difflib.get_close_matches(called.lower(), lower, n=3, cutoff=0.5)
    containing = [x for x in lower if len(called) > 1 and called.lower() in x]
    close = [lower[x] for x in dict.fromkeys([*containing, *near])][:5]
    hint = "did you mean" if close else "there are"
    more = "" if close or len(known) <= 5 else ", ..."
    names = ", ".join(map(repr, close or known[:5]))
    raise ModelError(f"{name}: no frame and no body is called {called!r}; {hint} {names}{more}")
