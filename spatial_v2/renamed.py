"""Earlier names of functions and of fields of results, which work for one more release.

Names that break the rules of the page "Names of functions, fields and options" are replaced. Using
an earlier name gives a DeprecationWarning that states the present one. MATLAB's names never change.
"""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["NAMES", "find_renamed", "renamed_field", "renamed_names", "with_reference"]

NAMES = {
    "ConstraintSecondDerivatives": "ConstraintSODerivatives",
    "KKT_FD_derivative": "KKT_FD_directional_derivative",
    "ModFrameDerivatives": "ModFrameSecondDerivatives",
    "constraint_second_derivatives": "constraint_SO_derivatives",
    "modFrame_derivatives": "modFrame_second_derivatives",
}
"""Present name of each function and class that had another one."""

T = TypeVar("T", bound=type)


def _warn(old: str, new: str, stacklevel: int) -> None:
    text = f"{old} is now {new}; the earlier name will be removed in the next release"
    warnings.warn(text, DeprecationWarning, stacklevel=stacklevel + 1)


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
        text = f"module {package.__name__!r} has no attribute {name!r}"
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
