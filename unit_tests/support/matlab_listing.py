"""List of the functions of a MATLAB library: ``python matlab_listing.py FOLDER...``.

It prints the name of every .m file below the folders and the results that its first line declares.
The files `matlab_functions.txt` and `matlab_outputs.toml` were made from its output.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

SIGNATURE = re.compile(r"^\s*function\s*(?:(?P<many>\[[^\]]*\])\s*=|(?P<one>\w+)\s*=)?\s*[\w.]+")


def outputs(text: str) -> list[str]:
    """Return the results that the first function of a file declares; a script has none."""
    code = re.sub(r"\.\.\.[^\n]*\n", " ", text)
    for line in code.splitlines():
        if re.match(r"\s*(%|#|$)", line):
            continue
        found = SIGNATURE.match(line)
        if not found:
            return []
        return re.findall(r"\w+", found["many"] or found["one"] or "")
    return []


def listing(folders: Iterable[str | Path]) -> dict[str, list[str]]:
    """Return a dict from the name of each .m file below the folders to the names of the results
    that it declares; files in folders called ``private`` are left out.
    """
    files = [file for folder in folders for file in Path(folder).rglob("*.m")]
    return {
        file.stem: outputs(file.read_text(encoding="utf-8", errors="replace"))
        for file in sorted(files)
        if not {"private", ".git"} & set(file.parts)
    }


if __name__ == "__main__":
    for name, results in listing(sys.argv[1:]).items():
        print(name, *results)
