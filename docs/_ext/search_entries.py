"""A complete search index after pages were built again.

The search finds a page by its ``index`` entries. Sphinx collects these entries from the pages that
it writes, keeps them in the environment, and saves the environment before it writes: in the next
build, pages that have not changed have none. The domain ``index`` has the entries of all pages.
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
    """Give the search index the entries of pages that were not written; no page is added."""
    indexer = getattr(app.builder, "indexer", None)
    if indexer is not None:
        for name, rows in app.env.domains.index_domain.entries.items():
            indexer._index_entries.setdefault(name, entries_of(rows))
    return []


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-collect-pages", complete)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
