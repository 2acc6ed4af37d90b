"""The type of the translation of a scope, for the modules that translate parts of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spatial_v2.migrate.statements import Body
else:
    Body = Any

__all__ = ["Body"]
