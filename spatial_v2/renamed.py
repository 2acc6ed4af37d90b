"""Earlier names of functions and of fields of results, which work for one more release.

MATLAB's version 1 had other names, too; for these, errors say what to write.

Names that break the rules of the page "Names of functions, fields and options" are replaced. Using
an earlier name gives a DeprecationWarning that states the present one. Names of MATLAB's version 2
never change.
"""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = [
    "NAMES",
    "VERSION_1",
    "explain_version_1",
    "find_renamed",
    "renamed_field",
    "renamed_names",
    "with_reference",
]

NAMES = {
    "ConstraintSecondDerivatives": "ConstraintSODerivatives",
    "KKT_FD_derivative": "KKT_FD_directional_derivative",
    "ModFrameDerivatives": "ModFrameSecondDerivatives",
    "constraint_second_derivatives": "constraint_SO_derivatives",
    "modFrame_derivatives": "modFrame_second_derivatives",
}
"""Present name of each function and class that had another one."""

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

T = TypeVar("T", bound=type)


def _warn(old: str, new: str, stacklevel: int) -> None:
    text = f"{old} is now {new}; the earlier name will be removed in the next release"
    warnings.warn(text, DeprecationWarning, stacklevel=stacklevel + 1)


def explain_version_1(name: str) -> str:
    """Return text that says what a name of MATLAB's version 1 is now; empty for other names.

    Examples
    --------
    >>> explain_version_1("Xtrans"), explain_version_1("xlt")
    ('; Xtrans of version 1 is now xlt', '')
    """
    return f"; {name} of version 1 is now {VERSION_1[name]}" if name in VERSION_1 else ""


def find_renamed(package: Any, name: str) -> Any:
    """Find a function of a package by its earlier name, for the ``__getattr__`` of the package.

    Parameters
    ----------
    package : module
        The package.
    name : str
        An attribute that it does not have.

    Returns
    -------
    object
        The function, after a DeprecationWarning.

    Raises
    ------
    AttributeError
        The package has no function that had this name.
    """
    new = NAMES.get(name)
    if new not in package.__all__:
        text = f"module {package.__name__!r} has no attribute {name!r}{explain_version_1(name)}"
        raise AttributeError(text, name=name, obj=package)
    _warn(name, str(new), 3)
    return getattr(package, str(new))


def renamed_names(package: str) -> Callable[[str], Any]:
    """Make the function ``__getattr__`` of a package, which finds functions by earlier names.

    Parameters
    ----------
    package : str
        Name of the package.

    Returns
    -------
    callable
        The function ``__getattr__``.
    """

    def __getattr__(name: str) -> Any:
        return find_renamed(sys.modules[package], name)

    return __getattr__


def renamed_field(
    old: str, new: str, value: Callable[[Any], Any] | None = None
) -> Callable[[T], T]:
    """Let a field of a named tuple be read by its earlier name.

    Parameters
    ----------
    old, new : str
        The earlier name of the field, and the present name or an equivalent expression.
    value : callable, optional
        Computes the earlier value from the named tuple; by default it is the present field.

    Returns
    -------
    callable
        Decorator of the named tuple.
    """

    def decorate(record: T) -> T:
        def read(self: Any) -> Any:
            _warn(f"{record.__name__}.{old}", new, 2)
            return value(self) if value else getattr(self, new)

        read.__doc__ = f"Earlier name of {new}."
        setattr(record, old, property(read))
        return record

    return decorate


def with_reference(function: Any, reference: Callable[..., Any]) -> Any:
    """Give a function the attribute `reference`, and the same under its earlier name `textbook`.

    Parameters
    ----------
    function : callable
        A function that may run a compiled kernel.
    reference : callable
        The reference implementation of the function, for any kind of array.

    Returns
    -------
    callable
        The function.
    """

    @functools.wraps(reference)
    def textbook(*args: Any, **kw: Any) -> Any:
        name = function.__name__
        _warn(f"{name}.textbook", f"{name}.reference", 2)
        return reference(*args, **kw)

    function.reference, function.textbook = reference, textbook
    return function
