"""A role that prints a number of functions: ``{count-of}`functions```.

``functions`` counts the public functions that have a page, ``matlab`` the functions of the MATLAB
library that this library has under the same names.
"""

from __future__ import annotations

from typing import Any

from api_pages import documented
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole

from spatial_v2.matlab.table import TABLE


def of_matlab(table: dict[str, dict[str, Any]] = TABLE) -> int:
    """Return the number of rows of the parity table that name a function of this library.

    The other rows are texts: what replaces MATLAB's function, or why it does not apply.
    """
    rows = (value for folder in table.values() for value in folder.values())
    return sum(not (isinstance(value, str) and ": " in value) for value in rows)


class CountOf(SphinxRole):
    """Role that prints a number of functions."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        count = {"functions": lambda: len(documented(self.env.srcdir)), "matlab": of_matlab}
        return [nodes.Text(str(count[self.text]()))], []


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_role("count-of", CountOf())
    return {"parallel_read_safe": True}
