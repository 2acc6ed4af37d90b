"""MATLAB scripts into Python, as a person would write it: the command ``spatial-v2 migrate``.

What a line does is found by the kinds of its values (`kinds`), which are followed through all
files; a line that they do not decide is left as a comment with the reason.
"""

from __future__ import annotations

from spatial_v2.migrate.files import translate
from spatial_v2.migrate.kinds import MigrateError
from spatial_v2.migrate.program import Todo, Translation

__all__ = ["MigrateError", "Todo", "Translation", "translate"]
