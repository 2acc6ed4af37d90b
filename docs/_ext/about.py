"""A role that says what the pages are about: ``{about}`version```, ``{about}`source```.

The address of the source is a setting of the build: ``source_address`` in ``conf.py``.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole


class About(SphinxRole):
    """Role that prints the version, or a link to the source."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        if self.text == "version":
            return [nodes.Text(self.config.version)], []
        address = self.config.source_address
        if not address:
            return [nodes.Text("The source is the folder from which these pages were built.")], []
        link = nodes.reference("", address, refuri=address)
        return [nodes.Text("Source: "), link, nodes.Text(".")], []


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_config_value("source_address", "", "env", str)
    app.add_role("about", About())
    return {"parallel_read_safe": True}
