"""load_operators: import the operators under test by name."""

from __future__ import annotations

import importlib
from typing import Any

from spatial_v2.exceptions import SpatialError
from tensor_sva.suite.vectors import OURS

__all__ = ["load_operators"]


def load_operators(name: str | None) -> tuple[Any, dict[str, Any]]:
    """Import operators, and functions that convert arrays, for `run`.

    Parameters
    ----------
    name : str or None
        ``"package.module"`` or ``"package.module:object"``; None for the operators of this library.
        The module or object may also have ``asarray`` and ``to_numpy``.

    Raises
    ------
    SpatialError
        If there is no such module or object.

    Examples
    --------
    >>> operators, ways = load_operators("tensor_sva")
    >>> ways
    {}
    """
    if not name:
        return OURS, {}
    module, _, attribute = name.partition(":")
    try:
        operators: Any = importlib.import_module(module)
        if attribute:
            operators = getattr(operators, attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise SpatialError(f"operators: {name!r} cannot be imported: {error}") from error
    ways = ("asarray", "to_numpy")
    if isinstance(operators, dict):
        return operators, {way: operators[way] for way in ways if way in operators}
    return operators, {way: getattr(operators, way) for way in ways if hasattr(operators, way)}
