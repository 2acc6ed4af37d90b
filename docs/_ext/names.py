"""Every public name in the text of a page, written as code, becomes a link to its reference."""

from __future__ import annotations

import importlib
import inspect

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

ELSEWHERE = (nodes.title, nodes.reference, pending_xref)
PACKAGES = ("spatial_v2", "derivatives", "tensor_sva")


def homes() -> dict[str, str]:
    """Public name -> dotted name where the API pages document it."""
    found = {}
    for package in map(importlib.import_module, PACKAGES):
        for name in package.__all__:
            value = getattr(package, name)
            if inspect.isfunction(value) or inspect.isclass(value):
                home = value.__module__.rsplit(".", 1)[0]
                found[name] = f"{home or value.__module__}.{value.__name__}"
    return found | {"Model": "spatial_v2.model.Model"}


def link_names(app: Sphinx, doctree: nodes.document) -> None:
    """Wrap literals that are public names, outside headings, links and the reference itself."""
    page = app.env.docname
    if page.startswith("api/"):
        return
    known = homes()
    for literal in list(doctree.findall(nodes.literal)):
        target = known.get(literal.astext().removesuffix("(...)"))
        if target is None or isinstance(
            literal.parent, nodes.title | nodes.reference | pending_xref
        ):
            continue
        link = pending_xref(
            "", refdomain="py", reftype="obj", reftarget=target, refexplicit=True, refdoc=page
        )
        literal.replace_self(link)
        link += literal


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", link_names)
    return {"parallel_read_safe": True}
