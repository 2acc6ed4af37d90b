"""Tables of the functions of MATLAB and its libraries: their translations, and the kinds of their
results.
"""

from __future__ import annotations

from spatial_v2.matlab.results import FIELDS, LIBRARY
from spatial_v2.migrate.kinds import Kind, kind

__all__ = [
    "CONJUGATED", "ELEMENTWISE", "FIELDS", "LIBRARY", "MODEL", "NOTED", "PLAIN", "PLOTS",
    "RANDOM", "REDUCTIONS", "SAME", "SKIPPED",
]  # fmt: skip

RANDOM = {name for name in LIBRARY if name.startswith("random")}
SAME = {"ID", "HandC", "CMM", "Christoffel"}
"""Functions of `spatial_v2.matlab` that differ from those of `spatial_v2` only in optional
results.
"""

_ITERATED = "the steps are SciPy's; values agree to the tolerances that are asked for"
NOTED = {
    "rv": "",
    "rotToRpy": "",
    "quatToRpy": "",
    "angleAxisToRpy": "",
    "cayleyToRpy": "",
    "mrpToRpy": "",
    "Impact_dyn": "",
    "Impact_FO_derivatives": "",
    "spatial_force_SO_derivs": "",
    "bodyFrame_dyn": "",
    "GlobalDynamics": "",
    "TX40_model": "",
    "CheetahLeg_model": "",
    "svd": "the signs of singular vectors are those of LAPACK on this machine",
    "null": "the signs of the basis are those of LAPACK on this machine",
    "orth": "the signs of the basis are those of LAPACK on this machine",
    "eig": "the signs of eigenvectors are those of LAPACK on this machine",
    "RangeBasis": "another basis of the same space; c is the condition number of this call alone",
    "OutputMatrix": "another basis of the same space",
    "UnitVectorComplementarySubspace": "another basis of the same space",
    "SwitchedControllabilityMatrix": "another basis of the same space",
    "SwitchedObservabilityMatrix": "another basis of the same space",
    "rotToQuat": "real where rounding makes MATLAB's complex",
    **dict.fromkeys(("fminsearch", "fminunc", "fmincon", "quadprog", "lsqnonlin"), _ITERATED),
    **dict.fromkeys(("ode15s", "ode23s", "ode23t", "ode23tb", "ode113", "ode78"), _ITERATED),
}
"""Function whose values may differ from MATLAB's -> the difference; "" if parity.toml states it."""

_NUMPYS = "sin cos tan exp sinh cosh tanh floor ceil sign isnan isinf"
ELEMENTWISE = {
    **{n: f"np.{n}" for n in _NUMPYS.split()},
    "asin": "asin",
    "acos": "acos",
    "log": "np.emath.log",
    "atan": "np.arctan",
    "asinh": "np.arcsinh",
    "log10": "np.emath.log10",
    "abs": "np.abs",
    "log2": "np.emath.log2",
    "sqrt": "np.emath.sqrt",
    "fix": "np.trunc",
    "real": "np.real",
    "imag": "np.imag",
    "conj": "np.conj",
    "angle": "np.angle",
    "sinc": "np.sinc",
    "expm1": "np.expm1",
    "log1p": "np.log1p",
    "isfinite": "np.isfinite",
    "deg2rad": "np.deg2rad",
    "rad2deg": "np.rad2deg",
    "cosd": "",
    "gamma": "",
}
"""Function that is applied to each entry -> its name in Python; "" for those not translated."""
REDUCTIONS = {
    "sum": "np.sum",
    "prod": "np.prod",
    "mean": "np.mean",
    "any": "np.any",
    "all": "np.all",
    "max": "np.nanmax",
    "min": "np.nanmin",
    "cumsum": "np.cumsum",
    "cumprod": "np.cumprod",
    "median": "np.median",
}
"""Function along the only axis of a vector, or the first axis of a matrix -> its name in
Python.
"""
PLAIN = {
    "inv": ("m", "np.linalg.inv({0})", "m"),
    "det": ("m", "np.linalg.det({0})", "s"),
    "trace": ("m", "np.trace({0})", "s"),
    "pinv": ("m", "np.linalg.pinv({0})", "m"),
    "expm": ("m", "expm({0})", "m"),
    "logm": ("m", "logm({0})", "m"),
    "sqrtm": ("m", "sqrtm({0})", "m"),
    "kron": ("mm", "np.kron({0}, {1})", "m"),
    "rank": ("m", "int(np.linalg.matrix_rank({0}))", "i"),
    "chol": ("m", "np.linalg.cholesky({0}).T", "m"),
    "svd": ("m", "np.linalg.svd({0}, compute_uv=False)", "c"),
    "cond": ("m", "np.linalg.cond({0})", "s"),
    "triu": ("m", "np.triu({0})", "="),
    "tril": ("m", "np.tril({0})", "="),
    "dot": ("vv", "{0:16} @ {1:17}", "s"),
    "fliplr": ("r", "{0:19}[::-1]", "="),
    "flipud": ("c", "{0:19}[::-1]", "="),
    "diff": ("v", "np.diff({0})", "="),
    "sort": ("v", "np.sort({0})", "="),
    "atan2": ("ss", "np.arctan2({0}, {1})", "s"),
    "hypot": ("ss", "np.hypot({0}, {1})", "s"),
    "strcmp": ("xx", "{0:11} == {1:11}", "b"),
    "upper": ("x", "{0:19}.upper()", "x"),
    "lower": ("x", "{0:19}.lower()", "x"),
    "strtrim": ("x", "{0:19}.strip()", "x"),
    "toc": ("", "", ""),
    "linspace": ("sss", "np.linspace({0}, {1}, int({2}))", "r"),
    "numfields": ("", "", ""),
    "polyfit": ("vvs", "np.polyfit({0}, {1}, int({2}))", "r"),
    "polyval": ("va", "np.polyval({0}, {1})", "=1"),
    "trapz": ("vv", "np.trapezoid({1}, {0})", "s"),
    "factorial": ("i", "math.factorial({0})", "i"),
    "fieldnames": ("S", "list(vars({0}))", "X"),
}
"""Other function -> letters for the kinds of its arguments, Python code (``{0}`` is the first
argument), letter for the kind of the result; "=" stands for the kind of the argument.
"""
CONJUGATED = {"chol": "np.linalg.cholesky({0}).conj().T", "dot": "np.vdot({0}, {1})"}
"""Functions of `PLAIN` with other Python code where numbers may be complex."""
PLOTS = {
    "figure", "plot", "xlabel", "ylabel", "title", "legend", "grid", "subplot", "axis",
    "semilogy", "semilogx", "loglog", "xlim", "ylim", "bar", "hist", "drawnow", "close",
    "colorbar", "plot3", "hold", "clf", "box", "print", "showmotion", "zlabel", "zlim",
    "sgtitle", "stem", "stairs", "scatter", "line", "text", "gca", "gcf",
}  # fmt: skip
SKIPPED = {
    "clc", "hold", "startup", "addpath", "more", "format", "warning", "pkg", "drawnow",
    "genpath", "set", "rng", "box", "diary", "import", "profile", "keyboard",
}  # fmt: skip
"""Commands that Python does not need."""
MODEL = {
    "NB": kind("i"),
    "NQ": kind("i"),
    "NV": kind("i"),
    "NB_rot": kind("i"),
    "parent": Kind("row", "i", shift=1),
    "jtype": Kind("cell", item=kind("x")),
    "Xtree": Kind("cell", item=kind("m")),
    "I": Kind("cell", item=kind("m")),
    "gravity": kind("c"),
    "nq": Kind("row", "i"),
    "nv": Kind("row", "i"),
    "has_rotor": Kind("column", "b"),
    "Xrotor": Kind("cell", item=kind("m")),
    "I_rotor": Kind("cell", item=kind("m")),
    "gr": Kind("cell", item=kind("s")),
    "jtype_rotor": Kind("cell", item=kind("x")),
    "rotor_param_inds": Kind("cell", item=Kind("row", "i", shift=1)),
    "qinds": Kind("cell", item=Kind("slice")),
    "vinds": Kind("cell", item=Kind("slice")),
    **dict.fromkeys(
        ("ancestors", "ancestor_vinds", "subtree_vinds", "successor_vinds"),
        Kind("cell", item=Kind("row", "i", shift=1)),
    ),
}
"""Field of `Model` that MATLAB's models have as well -> its kind."""
