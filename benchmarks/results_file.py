"""Reading and writing of files of results: JSON in ``benchmarks/results``.

A file is written completely or not at all.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.machine import machine
from benchmarks.stamp import engine_stamp

__all__ = ["FOLDER", "Row", "is_current", "read", "rows", "write"]

FOLDER = Path(__file__).parent / "results"

Row = dict[str, Any]


def write(name: str, rows: Iterable[Row], options: dict[str, Any], folder: Path = FOLDER) -> Path:
    """Write rows to ``name.json``, with the stamp of the engine, the machine and the options."""
    head = {"study": name, "engine": engine_stamp(), "machine": machine(), "options": options}
    lines = [json.dumps(rounded(row), ensure_ascii=False, allow_nan=False) for row in rows]
    text = json.dumps(head, indent=1, ensure_ascii=False, default=str)
    body = ",\n".join("  " + line for line in lines)
    folder.mkdir(parents=True, exist_ok=True)
    path, part = folder / f"{name}.json", folder / f".{name}.{os.getpid()}.part"
    part.write_text(f'{text[:-2]},\n "rows": [\n{body}\n ]\n}}\n', encoding="utf-8")
    part.replace(path)
    return path


def rounded(row: Row) -> Row:
    """Round every number to four digits; numbers that are not finite become None."""
    return {
        key: (float(f"{x:.4g}") if math.isfinite(x) else None) if isinstance(x, float) else x
        for key, x in row.items()
    }


def read(name: str, folder: Path = FOLDER) -> dict[str, Any]:
    """Return the content of ``name.json``."""
    result: dict[str, Any] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return result


def rows(name: str, folder: Path = FOLDER) -> list[Row]:
    """Return the rows of ``name.json``."""
    result: list[Row] = read(name, folder)["rows"]
    return result


def is_current(name: str, folder: Path = FOLDER) -> bool:
    """True if ``name.json`` belongs to the present engine and was measured in full rounds."""
    if not (folder / f"{name}.json").exists():
        return False
    content = read(name, folder)
    return content["engine"] == engine_stamp() and not content["options"].get("fast")
