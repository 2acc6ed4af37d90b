"""Files of a folder of repositories that use MATLAB's library and are none of its own."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from benchmarks.migrate.corpus import Case
from spatial_v2.matlab.table import ROWS

__all__ = ["users"]

LONGEST = 60_000
"""Longer files, in characters, are data."""
OWN = re.compile("Free Software Foundation|Roy Featherstone")
"""Files of the library, which repositories have copies of."""
CALL = re.compile(rf"\b({'|'.join(ROWS)})\s*\(")


def users(folder: Path, library: tuple[Path, ...]) -> list[Case]:
    """Return the files of each repository in a folder that call a function of the library.

    Files that occur several times count once, and files with a name of the library's never.
    """
    names = {path.stem for root in library for path in root.rglob("*.m")} | set(ROWS)
    seen: set[bytes] = set()
    found = []
    for repository in sorted(p for p in folder.iterdir() if p.is_dir()):
        for path in sorted(repository.rglob("*.m")):
            raw = path.read_bytes().replace(b"\r", b"")
            text = raw.decode(errors="replace")
            code = "\n".join(line.split("%")[0] for line in text.split("\n"))
            own = path.stem in names or "casadi" in str(path.parent).lower() or OWN.search(text)
            digest = hashlib.sha256(raw).digest()
            if own or len(text) > LONGEST or digest in seen or not CALL.search(code):
                continue
            seen.add(digest)
            found.append(Case(repository, path, library))
    return found
