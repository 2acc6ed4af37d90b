"""Table of operators: functions offered to other tools, with their derivatives."""

from __future__ import annotations

from spatial_v2.interop.operators.derived import DERIVED
from spatial_v2.interop.operators.forward import CONSTRAINED, FORWARD
from spatial_v2.interop.operators.impact import IMPACT
from spatial_v2.interop.operators.inverse import INVERSE
from spatial_v2.interop.operators.mass import EQUATION, MASS
from spatial_v2.interop.operators.operator import Operator

__all__ = ["EVERY", "OPERATORS"]

OPERATORS: dict[str, Operator] = {
    row.name: row for row in (INVERSE, FORWARD, EQUATION, MASS, CONSTRAINED, IMPACT)
}
"""Operators by the names of their functions."""

EVERY: dict[str, Operator] = OPERATORS | DERIVED
"""All operators: those above, and their derivatives as operators themselves."""
