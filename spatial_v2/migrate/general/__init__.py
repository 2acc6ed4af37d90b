"""Translation of whatever MATLAB can say, by calls of `spatial_v2.matlab.runtime`.

MATLAB's tree becomes Python's ``ast``, each expression with the class of its value as far as the
runtime needs it: a plain number of Python's, a text, or a value of the runtime.
"""

from __future__ import annotations

from spatial_v2.migrate.general.border import RUNTIME, RuntimeLines
from spatial_v2.migrate.general.files import HEAD, coded, translate_by_runtime

__all__ = ["HEAD", "RUNTIME", "RuntimeLines", "coded", "translate_by_runtime"]
