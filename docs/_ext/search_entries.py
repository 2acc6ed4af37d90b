"""A complete search index after a build that writes only pages that have changed.

The search finds a page by its ``index`` entries. Sphinx collects these entries while it writes a
page and keeps them in its environment, but it saves the environment before it writes: in the next
build, entries of unchanged pages are missing. The domain ``index`` has the entries of all pages.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sphinx.application import Sphinx
from sphinx.util.index_entries import split_index_msg


def entries_of(rows: Iterable[tuple[str, str, str, str, Any]]) -> list[tuple[str, str, str]]:
    """Return the entries of a page, as the search index has them."""
    found = set()
    for kind, value, place, main, _ in rows:
        try:
            parts = split_index_msg(kind, value)
        except ValueError:
            continue
        kept = parts[:1] if kind in ("see", "seealso") else parts
        found |= {(part, place or "", main) for part in kept}
    return sorted(found)


def complete(app: Sphinx) -> list[Any]:
    """Add the entries of pages that were not written to the search index; return no
    further pages.
    """
    indexer = getattr(app.builder, "indexer", None)
    if indexer is not None:
        for name, rows in app.env.domains.index_domain.entries.items():
            indexer._index_entries.setdefault(name, entries_of(rows))
    return []


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-collect-pages", complete)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
