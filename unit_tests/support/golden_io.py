"""Access to the numbers of the original MATLAB library, the ``.mat`` files in ``golden``.

Variables are named ``<case>__<what>``. Their last axis counts the samples; `get` moves it to the
front.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy.io import loadmat

from spatial_v2.model import Model

FOLDER = Path(__file__).parents[1] / "golden"

Data = Mapping[str, np.ndarray]


@cache
def load(name: str) -> Data:
    """Return all variables of ``golden/<name>.mat``, with at least two axes and MATLAB's index
    order.
    """
    contents = loadmat(FOLDER / f"{name}.mat")
    return {key: value for key, value in contents.items() if not key.startswith(("__", "meta_"))}


def cases(name: str, what: str = "") -> list[str]:
    """Return the cases of a file, or those that have a variable `what`."""
    pairs = [key.split("__", 1) for key in load(name)]
    return sorted({case for case, suffix in pairs if what in ("", suffix)})


def has(data: Data, case: str, what: str) -> bool:
    """True if the case has the variable."""
    return f"{case}__{what}" in data


def raw(data: Data, case: str, what: str) -> np.ndarray:
    """Return a variable as it is stored: with the sample axis last, or without one."""
    return data[f"{case}__{what}"]


def get(data: Data, case: str, what: str) -> np.ndarray:
    """Return a variable with its sample axis first: vectors (K, n), matrices (K, a, b), scalars (K,
    1).
    """
    return np.moveaxis(raw(data, case, what), -1, 0)


def samples(data: Data, case: str, *whats: str) -> Iterator[tuple[Any, ...]]:
    """Iterate over the samples of some variables."""
    return zip(*(get(data, case, what) for what in whats), strict=True)


def model_of(data: Data, case: str) -> Model:
    """Return the model of a case, with bodies counted from 0."""

    def field(what: str) -> np.ndarray:
        return raw(data, case, f"model_{what}")

    def per_body(what: str) -> np.ndarray:
        value = field(what)
        return value[None] if value.ndim == 2 else np.moveaxis(value, -1, 0)

    def joints(what: str) -> list[Any]:
        codes = (str(code).strip() for code in field(what))
        pitches = field("pitch").ravel()
        return [
            {"code": code, "pars": {"pitch": float(h)}} if code.startswith("H") else code
            for code, h in zip(codes, pitches, strict=True)
        ]

    rotors: dict[str, Any] = {}
    if has(data, case, "model_has_rotor") and field("has_rotor").any():
        rotors = {
            "has_rotor": field("has_rotor").ravel().astype(bool),
            "jtype_rotor": joints("jtype_rotor"),
            "Xrotor": per_body("Xrotor"),
            "I_rotor": per_body("I_rotor"),
            "gr": field("gr").ravel(),
        }
    return Model(
        parent=field("parent").ravel().astype(int) - 1,
        jtype=joints("jtype"),
        Xtree=per_body("Xtree"),
        I=per_body("I"),
        gravity=field("gravity").ravel() if field("has_gravity_field").any() else None,
        name=case,
        **rotors,
    )
