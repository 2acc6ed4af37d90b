"""Links from every public name in a page or a docstring to the reference of this name.

Text with the role ``code`` is not linked: tables use it for names of other libraries.
"""

from __future__ import annotations

import importlib
import inspect

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

ELSEWHERE = (nodes.title, nodes.reference, pending_xref)
PACKAGES = ("derivatives.reference", "spatial_v2", "derivatives", "tensor_sva")


def homes() -> dict[str, str]:
    """Return a dict from each public name to the dotted name under which the API pages
    document it.
    """
    found = {}
    for package in map(importlib.import_module, PACKAGES):
        for name in package.__all__:
            value = getattr(package, name)
            if inspect.isfunction(value) or inspect.isclass(value):
                home = value.__module__.rsplit(".", 1)[0]
                found[name] = f"{home or value.__module__}.{value.__name__}"
    return found | {"Model": "spatial_v2.model.Model"}


def link_names(app: Sphinx, doctree: nodes.document) -> None:
    """Make links of inline code and of names in single backquotes that are public names."""
    known = homes()
    for text in [*doctree.findall(nodes.literal), *doctree.findall(nodes.title_reference)]:
        name = text.astext().removesuffix("(...)")
        if name not in known or isinstance(text.parent, ELSEWHERE) or "code" in text["classes"]:
            continue
        link = pending_xref(
            "",
            nodes.literal("", text.astext()),
            refdomain="py",
            reftype="obj",
            reftarget=known[name],
            refexplicit=True,
            refdoc=app.env.docname,
        )
        text.replace_self(link)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", link_names)
    return {"parallel_read_safe": True}
