"""Names of version 1 of MATLAB's library, which errors explain to people who still use them."""

from __future__ import annotations

__all__ = ["VERSION_1", "explain_version_1"]

_PLANAR = ("ID", "FDab", "FDcrb", "HandC", "HD", "crf", "crm", "jcalc")
VERSION_1 = {
    **{f"Xrot{axis}": f"rot{axis}" for axis in "xyz"},
    "Xtrans": "xlt",
    "Xpln": "plnr",
    "rbmi": "mcI",
    **{f"{name}p": f"{name}, which takes planar models and vectors too" for name in _PLANAR},
    "IDf": "IDfb, whose floating base has a quaternion",
    "FDf": "FDfb, whose floating base has a quaternion",
    "fbKin": "fbkin, whose floating base has a quaternion",
    "drawmodel": "showmotion",
    "pitch": "jtype: 'Rz' for pitch 0, 'Pz' for inf, else {'code': 'H', 'pars': {'pitch': h}}",
    "grav_accn": "the field gravity of the model: model.gravity = [0, 0, -9.81]; f_ext, which had "
    "link coordinates, has base coordinates",
}
"""Present names, or text, for functions, fields and arguments of version 1 of MATLAB's library."""


def explain_version_1(name: str) -> str:
    """Return text that says what a name of MATLAB's version 1 is now; empty for other names.

    Examples
    --------
    >>> explain_version_1("Xtrans"), explain_version_1("xlt")
    ('; Xtrans of version 1 is now xlt', '')
    """
    return f"; {name} of version 1 is now {VERSION_1[name]}" if name in VERSION_1 else ""
