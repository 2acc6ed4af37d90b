"""Public names of the library, found without importing the packages that define them.

Each package lists its public names in its ``__all__`` and nowhere else. That list is read from the
text of the package; the package is imported when one of its names is first used.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType

__all__ = ["ALIASES", "PACKAGES", "Package", "homes", "installed_version"]

PACKAGES = (
    "calls.compilation", "calls.options", "configuration", "constraints", "contact", "control",
    "dynamics", "exceptions", "frames", "identification", "inertia", "io", "joints", "model",
    "models", "orientation", "packed", "poses", "regressors", "show", "simulation", "sparsity",
    "spatial", "three_d", "utility",
)  # fmt: skip
"""Packages and files whose names are all names of ``spatial_v2``, except those in `LEFT_OUT`."""

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


def _names(package: str) -> list[str]:
    """Return the names in ``__all__`` of a package, read from its source text without import."""
    base = os.path.join(os.path.dirname(__file__), *package.split("."))
    path = os.path.join(base, "__init__.py") if os.path.isdir(base) else f"{base}.py"
    try:
        text = __loader__.get_data(path).decode()  # type: ignore[name-defined]
        names = text.partition("\n__all__ = [")[2].partition("]")[0].split('"')[1::2]
    except OSError:  # only compiled files are installed, so the package has to be imported
        names = import_module(f"spatial_v2.{package}").__all__
    return [name for name in names if name not in LEFT_OUT.get(package, ())]


def installed_version() -> str:
    """Return the version of the installed package; ``0.0+unknown`` if it is not installed.

    Returns
    -------
    str
        The version. It comes from the tags of git when the package is built.

    Examples
    --------
    >>> installed_version()  # doctest: +SKIP
    '0.1.0'
    """
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("spatial-v2")
    except PackageNotFoundError:
        return "0.0+unknown"


class Package(ModuleType):
    """The package ``spatial_v2``, whose public names are imported when they are first used."""

    def __getattr__(self, name: str) -> object:
        found: object
        true = ALIASES.get(name, name)
        if name == "__all__":
            found = [*ALIASES, *homes()]
        elif name == "__version__":
            found = installed_version()
        elif name[:2] != "__" and true in homes():
            found = getattr(import_module(f"spatial_v2.{homes()[true]}"), true)
        elif name in PACKAGES:
            found = import_module(f"spatial_v2.{name}")
        else:
            from spatial_v2.renamed import find_renamed

            return find_renamed(self, name)
        setattr(self, name, found)
        return found

    def __setattr__(self, name: str, value: object) -> None:
        """Set an attribute, unless it is a package with the name of a function, such as `show`."""
        if not (isinstance(value, ModuleType) and name in homes()):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        packages = [name for name in PACKAGES if "." not in name]
        return sorted({*vars(self), "__all__", "__version__", *ALIASES, *homes(), *packages})
