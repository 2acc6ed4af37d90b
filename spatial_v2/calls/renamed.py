"""Earlier names of attributes, which stay for one release and say their new name."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

__all__ = ["with_reference"]


def with_reference(function: Any, reference: Callable[..., Any]) -> Any:
    """Give a function the attribute `reference`, and the earlier name of it.

    Parameters
    ----------
    function : callable
        A function that may run a compiled kernel.
    reference : callable
        Its reference implementation, whatever the arrays.

    Returns
    -------
    callable
        The function.
    """

    @functools.wraps(reference)
    def textbook(*args: Any, **kw: Any) -> Any:
        name = function.__name__
        warnings.warn(f"{name}.textbook is now {name}.reference", DeprecationWarning, stacklevel=2)
        return reference(*args, **kw)

    function.reference, function.textbook = reference, textbook
    return function
