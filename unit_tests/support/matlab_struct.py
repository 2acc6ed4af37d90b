"""A model struct in the form in which `scipy.io.loadmat` returns it, for tests of
reading models.
"""

from typing import Any

import numpy as np


def struct(**changes: Any) -> dict[str, Any]:
    """Return a valid struct of two bodies with some fields replaced; a field given as ``...`` is
    removed.
    """
    two = np.empty((1, 2), dtype=object)
    two[0, :] = [np.eye(6), np.eye(6)]
    codes = np.array([["Rx", "Ry"]], dtype=object)
    fields = {"NB": 2, "parent": [[0, 1]], "jtype": codes, "Xtree": two, "I": two.copy(), **changes}
    return {k: v for k, v in fields.items() if v is not ...}
