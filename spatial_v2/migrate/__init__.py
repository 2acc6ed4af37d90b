"""Translation of MATLAB scripts into Python: the command ``spatial-v2 migrate``.

The translation of a line depends on what is known of its values: scalar, row, matrix, struct, and
so on. Such a description is called a kind (see `kinds`); kinds are inferred across all files. A
line whose kinds are not known becomes a comment that gives the reason.
"""

from __future__ import annotations

from spatial_v2.migrate.kinds import MigrateError
from spatial_v2.migrate.passes import translate
from spatial_v2.migrate.program import Todo, Translation

__all__ = ["MigrateError", "Todo", "Translation", "translate"]
