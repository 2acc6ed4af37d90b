"""Models of structs, imported by translations."""

from __future__ import annotations

import keyword
from types import SimpleNamespace
from typing import Any

import numpy as np

from spatial_v2.model import Model
from spatial_v2.model.matlab_fields import NEEDED, ROTOR
from spatial_v2.models import floatbase

__all__ = [
    "MODELS", "MOST_MODELS", "PARTS", "ROTORS", "as_dict", "as_model", "complete_model",
    "with_floating_base",
]  # fmt: skip


def as_dict(x: Any) -> Any:
    """Convert a struct, and the structs in it, to dicts."""
    if isinstance(x, SimpleNamespace):
        pairs = ((n[:-1] if keyword.iskeyword(n[:-1]) else n, y) for n, y in vars(x).items())
        return {name: as_dict(y) for name, y in pairs}
    return [as_dict(y) for y in x] if isinstance(x, list) else x


PARTS = (
    "NB", *NEEDED, "gravity", *ROTOR, "has_rotor", "gc", "appearance", "camera", "name",
    "joint_names", "body_names",
)  # fmt: skip
"""Fields of a struct that a `Model` has; others are the user's own."""


DRAWN = ("appearance", "camera")


ROTORS = ("has_rotor", *ROTOR)


MODELS: dict[Any, Model] = {}
"""Values of structs -> the models that were built of them, the latest last."""


MOST_MODELS = 32


def as_model(s: Any) -> Model:
    """Return the model that a struct describes, for calls; of the same values it is built once."""
    if isinstance(s, Model):
        return s
    given = {n: x for n, x in vars(s).items() if n in PARTS and n not in DRAWN}
    key = _content(given)
    found = MODELS.pop(key, None)
    if found is None:
        found = Model.from_matlab(as_dict(SimpleNamespace(**given)))
        if len(MODELS) >= MOST_MODELS:
            del MODELS[next(iter(MODELS))]
    MODELS[key] = found
    return found


def _content(x: Any) -> Any:
    """Return something that is equal for equal values, and for no others."""
    if isinstance(x, np.ndarray):
        return x.dtype.char, x.shape, x.tobytes()
    if isinstance(x, SimpleNamespace):
        x = vars(x)
    if isinstance(x, dict):
        return tuple((n, _content(y)) for n, y in x.items())
    return tuple(map(_content, x)) if isinstance(x, (list, tuple)) else x


def complete_model(s: Any) -> Model:
    """Build a model of a struct; the user's own fields are entries of ``model.user``."""
    if isinstance(s, Model):
        return s
    fields = vars(s)
    given = SimpleNamespace(**{n: x for n, x in fields.items() if n in PARTS})
    found = Model.from_matlab(as_dict(given))
    found.user = {n: x for n, x in fields.items() if n not in PARTS and not hasattr(found, n)}
    return found


def with_floating_base(s: SimpleNamespace) -> SimpleNamespace:
    """Return the struct that ``floatbase`` makes of a struct; it keeps fields of rotors and the
    user's own, and replaces the first joint, which may have any type.
    """
    kept = {n: x for n, x in vars(s).items() if n not in ROTORS}
    model = floatbase(as_model(SimpleNamespace(**kept | {"jtype": ["R", *s.jtype[1:]]})))
    found = SimpleNamespace(**vars(s))
    found.NB, found.parent = s.NB + 5, model.parent + 1.0
    found.jtype, found.Xtree, found.I = list(model.jtype), list(model.Xtree), list(model.I)
    if "gc" in kept:
        found.gc = SimpleNamespace(**{**vars(s.gc), "body": s.gc.body + 5})
    return found
