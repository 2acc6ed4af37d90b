"""Keys by which compiled programs refer to operators, equal in every process."""

from __future__ import annotations

import itertools
import pickle
import uuid
from collections.abc import Container
from hashlib import blake2b
from typing import Any

from spatial_v2.interop.operators.problem import Problem

__all__ = ["FOREIGN", "new_key"]

FOREIGN = (
    "this is a compiled program of another process, whose model does not exist in this one: call "
    "the function without compiling it, or compile it again in this process"
)
"""Error message for an unknown key."""


def new_key(problem: Problem, taken: Container[int], *more: Any) -> int:
    """Return a key for an operator on a model that is equal in every process.

    It is a digest of the operator, the model and its options, and of how many equal ones came
    before.

    Parameters
    ----------
    problem : Problem
        The operator with its model and options.
    taken : container of int
        Keys that are in use.
    *more : object
        Further objects that distinguish the key.

    Returns
    -------
    int
        The key, positive and below 2**62.

    Examples
    --------
    >>> from spatial_v2 import autoTree
    >>> from spatial_v2.interop.operators import OPERATORS
    >>> one, two = (Problem(OPERATORS["ID"], autoTree(2), {}) for _ in range(2))
    >>> new_key(one, ()) == new_key(two, ()), new_key(one, ()) == new_key(two, {new_key(one, ())})
    (True, False)
    """
    coupling = None if problem.model is problem.tree else problem.model
    try:
        options = pickle.dumps((coupling, sorted(problem.options.items())))
    except (TypeError, AttributeError, pickle.PicklingError):
        options = uuid.uuid4().bytes  # the key is valid in this process only
    parts = problem.operator.name, problem.has_force, problem.tree.checked().digest
    content = blake2b(repr((*parts, *more)).encode() + options, digest_size=16).digest()
    digests = (blake2b(content + b"%d" % k, digest_size=8).digest() for k in itertools.count())
    keys = (int.from_bytes(digest, "little") >> 2 for digest in digests)
    return next(key for key in keys if key and key not in taken)
