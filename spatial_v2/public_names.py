"""Public names of the library, found without importing the packages that define them.

Each package lists its public names in its ``__all__`` and nowhere else. That list is read from the
text of the package; the package is imported when one of its names is first used.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from types import ModuleType

__all__ = [
    "ALIASES", "BESIDE", "PACKAGES", "Package", "all_names", "derivative_names", "homes",
    "installed_version", "own_names", "require_beside",
]  # fmt: skip

PACKAGES = (
    "calls.compilation", "calls.options", "configuration", "constraints", "contact", "control",
    "couplings", "dynamics", "exceptions", "frames", "identification", "inertia", "io", "joints",
    "mechanisms", "model", "models", "orientation", "packed", "poses", "regressors", "show",
    "simulation", "sparsity", "spatial", "tasks", "three_d", "utility",
)  # fmt: skip
"""Packages and files whose names are all names of ``spatial_v2``, except those in `LEFT_OUT`."""

BESIDE = ("derivatives", "tensor_sva")
"""Packages beside ``spatial_v2``, which it has as attributes; it has the names of the first."""

LEFT_OUT = {
    "control": [
        "Bounds",
        "CentreOfMass",
        "Collocation",
        "Command",
        "ContactForce",
        "Controls",
        "Cost",
        "FramePosition",
        "Instants",
        "Iteration",
        "JointPositions",
        "JointVelocities",
        "ModelPredictiveControl",
        "ParameterDerivatives",
        "Quantity",
        "SoftBounds",
        "Solution",
        "SolutionDerivatives",
        "SquareCost",
        "Trajectory",
        "Transcription",
        "Violation",
        "parameter_derivatives",
        "solution_derivatives",
        "solve",
        "transcribe",
    ],
    "show": ["bones"],
}
"""Names that are public in their package only."""

ALIASES = {"ABA": "FDab", "RNEA": "ID"}
"""Names from textbooks of functions that have MATLAB's names here."""

_HOMES: dict[str, str] = {}
_DERIVATIVES: list[str] = []


def homes() -> dict[str, str]:
    """Return the package in which each public name is defined.

    Returns
    -------
    dict of str to str
        Name of the function or class -> name of the package within ``spatial_v2``.

    Examples
    --------
    >>> homes()["FDab"]
    'dynamics'
    """
    if not _HOMES:
        _HOMES.update((x, package) for package in PACKAGES for x in _names(package))
    return _HOMES


def all_names() -> list[str]:
    """Return all names of ``spatial_v2``, those of ``derivatives`` last.

    Returns
    -------
    list of str
        The names, which are also ``spatial_v2.__all__``.

    Examples
    --------
    >>> {"RNEA", "ID", "ID_derivatives"} <= set(all_names())
    True
    """
    return [*own_names(), *derivative_names()]


def own_names() -> list[str]:
    """Return the names of the packages within ``spatial_v2``, without those of ``derivatives``.

    Returns
    -------
    list of str
        The names, first those from textbooks.

    Examples
    --------
    >>> {"RNEA", "ID"} <= set(own_names()), "ID_derivatives" in own_names()
    (True, False)
    """
    return [*ALIASES, *homes()]


def derivative_names() -> list[str]:
    """Return the names of the package ``derivatives``, which can be imported from here as well.

    Returns
    -------
    list of str
        The names.

    Examples
    --------
    >>> "ID_derivatives" in derivative_names()
    True
    """
    if not _DERIVATIVES:
        _DERIVATIVES.extend(_names("..derivatives"))
    return _DERIVATIVES


def _names(package: str) -> list[str]:
    """Return the names in ``__all__`` of a package, read from its source text without import."""
    base = os.path.dirname(__file__)
    if package.startswith(".."):
        base = os.path.dirname(base)
    base = os.path.join(base, *package.lstrip(".").split("."))
    path = os.path.join(base, "__init__.py") if os.path.isdir(base) else f"{base}.py"
    try:
        text = __loader__.get_data(path).decode()  # type: ignore[name-defined]
        names = text.partition("\n__all__ = [")[2].partition("]")[0].split('"')[1::2]
    except OSError:  # only compiled files are installed, so the package has to be imported
        names = _open(package).__all__
    return [name for name in names if name not in LEFT_OUT.get(package, ())]


def _elsewhere(name: str) -> str:
    """Return text on a name that is public in its package only; empty for other names."""
    for package, names in {**LEFT_OUT, "plots": _names("plots")}.items():
        if name in names:
            return f"; it is in spatial_v2.{package}: from spatial_v2.{package} import {name}"
    return ""


def _open(package: str) -> ModuleType:
    """Import a package of ``spatial_v2``, or one beside it, whose name begins with ``..``."""
    if package.startswith(".."):
        require_beside()
        return import_module(package[2:])
    return import_module(f"spatial_v2.{package}")


def require_beside() -> None:
    """Raise an error if another file hides one of the packages `BESIDE` this one.

    Their names are common ones: a file ``derivatives.py`` beside a user's script comes before the
    package.

    Raises
    ------
    ImportError
        Python finds another module with the name of a package.

    Examples
    --------
    >>> require_beside()
    """
    from importlib.util import find_spec

    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for name in BESIDE:
        module, own = sys.modules.get(name), os.path.join(root, name)
        spec = find_spec(name) if module is None else module.__spec__
        path = spec.origin if spec else None
        if not path or not os.path.isdir(own):
            continue
        if os.path.realpath(os.path.dirname(path)) != os.path.realpath(own):
            text = f"{path} hides the package {name} of spatial_v2; give this file another name"
            raise ImportError(text, name=name, path=path)


def installed_version() -> str:
    """Return the version: that of ``pyproject.toml`` in a clone, else of the installed package.

    Returns
    -------
    str
        The version; ``0.0+unknown`` if there is neither.

    Examples
    --------
    >>> installed_version()  # doctest: +SKIP
    '1.0.0'
    """
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    try:
        with open(os.path.join(root, "pyproject.toml"), "rb") as file:
            import tomllib

            project = tomllib.load(file)["project"]
            if project["name"] == "spatial-v2":
                return str(project["version"])
    except (OSError, KeyError, ValueError):
        pass
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("spatial-v2")
    except PackageNotFoundError:
        return "0.0+unknown"


class Package(ModuleType):
    """The package ``spatial_v2``, whose public names are imported when they are first used."""

    def __getattr__(self, name: str) -> object:
        value: object
        true = ALIASES.get(name, name)
        if name == "__all__":
            value = all_names()
        elif name == "__version__":
            value = installed_version()
        elif name[:2] != "__" and true in homes():
            value = getattr(_open(homes()[true]), true)
        elif name in PACKAGES:
            value = _open(name)
        elif name in BESIDE:
            value = _open(f"..{name}")
        elif name[:2] != "__" and name in derivative_names():
            value = getattr(_open("..derivatives"), name)
        else:
            from spatial_v2.suggestions import suggest
            from spatial_v2.version_1 import explain_version_1

            hint = explain_version_1(name) or _elsewhere(name)
            hint = hint or suggest(name, [*homes(), *derivative_names()])
            text = f"module {self.__name__!r} has no attribute {name!r}{hint}"
            raise AttributeError(text, name=name, obj=self)
        setattr(self, name, value)
        return value

    def __setattr__(self, name: str, value: object) -> None:
        """Set an attribute, unless it is a package with the name of a function, such as `show`."""
        if not (isinstance(value, ModuleType) and name in homes()):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        own = [name for name in vars(self) if name[:2] == "__"]
        return sorted({*own, "__all__", "__version__", *all_names()})
