"""Translation of ``load`` and ``save`` of .mat files."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.exceptions import SpatialError
from spatial_v2.files.matlab_file import read_variables
from spatial_v2.migrate.body import Body
from spatial_v2.migrate.expressions import attribute, quoted, string_value
from spatial_v2.migrate.kinds import ROW_OF_CELLS, Code, Kind, Undecided, join, kind
from spatial_v2.migrate.parse import Node, text

__all__ = ["load", "loaded", "save", "words_of"]


def words_of(args: tuple[Node, ...]) -> list[str]:
    """Return the arguments of ``load`` or ``save``, which must be literals."""
    if any(a.type not in ("string", "command_argument") for a in args):
        raise Undecided("load and save: want the names of file and variables as literals")
    return [string_value(a) if a.type == "string" else text(a).strip("'\"") for a in args]


def _file(words: list[str]) -> tuple[str, list[str]]:
    """Return the file and the names of the variables from the arguments of ``load`` or ``save``."""
    options = [w for w in words if w.startswith("-")]
    names = [w for w in words if not w.startswith("-")]
    if set(options) - {"-mat", "-v6", "-v7", "-v7.3"} or not names:
        raise Undecided(
            "load and save: want a file, and no options but -mat, -v6, -v7 and -v7.3; got "
            f"`{' '.join(words)}`"
        )
    if any("*" in n for n in names[1:]):
        raise Undecided("load and save: want full names of variables, got a pattern with *")
    path = names[0]
    if "." not in path.rsplit("/", 1)[-1]:
        path += ".mat"
    if not path.endswith(".mat"):
        raise Undecided(f"`{path}`: want a file whose name ends in .mat; others are not translated")
    return path, names[1:]


def _contents(body: Body, path: str) -> dict[str, Kind]:
    """Return the kinds of the variables of a file that the program writes, or that exists."""
    if path in body.program.saved:
        return body.program.saved[path]
    where = body.file.path.parent / path
    if not where.exists():
        if body.program.open:
            return {}
        raise Undecided(
            f"load: there is no file `{path}` in the folder of the script, so its variables are "
            "unknown"
        )
    try:
        return {n: _kind(x) for n, x in read_variables(where, classes=True).items()}
    except SpatialError as error:
        raise Undecided(f"load: {error}") from None


def _kind(x: Any) -> Kind:
    if not isinstance(x, np.ndarray):
        raise Undecided(
            f"load: want numbers, text, cells and structs in the file, got class {type(x).__name__}"
        )
    if x.dtype.names:
        if x.size != 1:
            raise Undecided(
                f"load: want single structs in the file, got an array of {x.size} structs"
            )
        one = x.ravel()[0]
        pairs = tuple(sorted((attribute(n), _kind(one[n])) for n in x.dtype.names))
        return Kind("struct", fields=pairs)
    if x.dtype == object:
        item: Kind | None = None
        for y in x.ravel():
            item = join(item, _kind(y))
        if min(x.shape) > 1:
            return Kind("grid", item=item)
        marked = ROW_OF_CELLS if x.shape[0] == 1 else ()
        return Kind("cell", item=item, length=x.size, fields=marked)
    if x.dtype.kind == "U":
        return kind("x") if x.size < 2 else Kind("lines")
    if x.dtype.kind not in "bfc":
        raise Undecided(
            "load: want floating-point, complex or logical numbers in the file, got class "
            f"{x.dtype}"
        )
    found = {"b": "b", "c": "z"}.get(x.dtype.kind, "f")
    if x.size == 0:
        return kind("e")
    if x.ndim > 2:
        return Kind("tensor", found)
    ones = [n == 1 for n in x.shape]
    form = {(True, True): "scalar", (True, False): "row", (False, True): "column"}.get(
        (ones[0], ones[1]), "matrix"
    )
    return Kind(form, found, length=x.size if form in ("row", "column") else -1)


def load(body: Body, words: list[str], line: int) -> None:
    """Translate ``load`` as a statement, which assigns the variables of the file."""
    path, names = _file(words)
    kinds = _contents(body, path)
    names = names or sorted(kinds)
    missing = [n for n in names if n not in kinds]
    if missing:
        if body.program.open:
            return
        raise Undecided(f"load: `{path}` has no variable {', '.join(missing)}")
    if body.held & set(names):
        raise Undecided(f"load: `{path}` has variables that hold MATLAB's values")
    body.need("from spatial_v2.migrate.mat_files import load_mat")
    source = f"load_mat({quoted(path)})"
    if len(names) > 1:
        held = "loaded"
        while held in body.names:
            held += "_"
        body.write(f"{held} = {source}")
        source = held
    for n in names:
        body.assigned_to(n, kinds[n], line)
        body.write(f"{body.spelled(n)} = {source}.{attribute(n)}")


def loaded(body: Body, args: tuple[Node, ...]) -> Code:
    """Translate ``load`` as a value: a struct."""
    path, names = _file(words_of(args))
    kinds = _contents(body, path)
    if set(names) - kinds.keys() or not kinds:
        return Code("...", body.not_known(f"load('{path}')", kind("n")))
    if names and set(names) != kinds.keys():
        raise Undecided(
            "load with a result: want all variables of the file, got names of some; use fields "
            "of the result"
        )
    body.need("from spatial_v2.migrate.mat_files import load_mat")
    fields = tuple(sorted((attribute(n), k) for n, k in kinds.items()))
    return Code(f"load_mat({quoted(path)})", Kind("struct", fields=fields))


def save(body: Body, words: list[str]) -> None:
    """Translate ``save``; without names of variables, all of them."""
    path, names = _file(words)
    if not names:
        names = [n for n in body.first if n in body.env]
    shown: list[tuple[str, str]] = []
    columns: list[str] = []
    kinds: dict[str, Kind] = {}
    for n in names:
        if n not in body.env or body.env[n].unsure:
            raise Undecided(f"save: `{n}` does not have a value on all paths to this line")
        k = body.env[n]
        if k.form == "nothing":
            body.not_known(n, k)
            return
        code = Code(body.spelled(n), k)
        if k.shift:
            code = Code(f"{code.text} + {k.shift}", k.now(shift=0), 15)
        columns += _columns(code.kind, n)
        shown.append((n, code.text))
        kinds[n] = k.now(shift=0, shared=False, kept=False)
    known = body.program.saved.setdefault(path, {})
    for n, k in kinds.items():
        known[n] = join(known.get(n), k)
    body.need("from spatial_v2.migrate.mat_files import save_mat")
    pairs = [f"{n}={x}" if attribute(n) == n else f'**{{"{n}": {x}}}' for n, x in shown]
    given = [f"[{', '.join(map(quoted, columns))}]"] if columns else []
    body.write(f"save_mat({', '.join([quoted(path), *given, *pairs])})")


def _columns(k: Kind, where: str) -> list[str]:
    """Return the names of the parts of a value that are columns, as `save_mat` needs them."""
    if k.form == "column":
        return [where]
    if k.form == "struct":
        return [x for name, y in k.fields for x in _columns(y, f"{where}.{name}")]
    if k.form == "cell" and k.fields == ROW_OF_CELLS and len(k.items) == k.length:
        return [x for n, y in enumerate(k.items) for x in _columns(y, f"{where}{{{n + 1}}}")]
    if k.form == "cell" and k.fields == ROW_OF_CELLS and k.item is not None:
        return _columns(k.item, f"{where}{{}}")
    if k.form in ("scalar", "row", "matrix", "tensor", "text", "empty"):
        return []
    raise Undecided(
        f"save: want numbers of known shape, text, structs or cells of one row; `{where}` is "
        f"{k.described}"
    )
