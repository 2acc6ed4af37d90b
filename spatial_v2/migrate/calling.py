"""Conditions on the number of arguments, judged by all calls of a function."""

from __future__ import annotations

from typing import Any

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.entrywise import operands
from spatial_v2.migrate.expressions import literal
from spatial_v2.migrate.logic import COMPARED
from spatial_v2.migrate.parse import named, text

__all__ = ["fulfilled"]


def fulfilled(body: Body, test: Any) -> bool | None:
    """Test if all calls fulfil a condition that compares ``nargin`` with a literal: True for all,
    False for none; None for other conditions, or if nothing is known.
    """
    while test.type == "parenthesis":
        test = named(test)[0]
    parts = named(test)
    callable_ = body.program.functions.get(body.name)
    if test.type != "comparison_operator" or text(parts[0]) != "nargin" or callable_ is None:
        return None
    known, count = body.program.sites.get(callable_.key), literal(parts[1])
    if known is None or count is None or "varargin" in body.inputs or "nargin" in body.env:
        return None
    compare = COMPARED[operands(test)[1]]
    found = {compare(n, count) for n in range(body.fewest, len(known) + 1)}
    return found.pop() if len(found) == 1 else None
