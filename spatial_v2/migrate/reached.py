"""The files of a program: scripts, and the files of the functions that they call."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path

from spatial_v2.joints.table import JOINT_TYPES
from spatial_v2.matlab.table import ROWS
from spatial_v2.migrate.clearing import clearing
from spatial_v2.migrate.general.scope import root, targets
from spatial_v2.migrate.kinds import MigrateError
from spatial_v2.migrate.names import LIBRARY, SKIPPED
from spatial_v2.migrate.parse import Node, Script, function_of, named, ran, read, text, walk

__all__ = ["called_files", "named_files", "reached"]

OURS = {*LIBRARY, *SKIPPED, "postProcessModel"}
"""Functions that are translated whatever the folders have."""
OF_MODELS = re.compile(r"^\s*function\b[^(\n]*\(\s*model\b", re.M)
"""Head of a function whose first argument is a model."""
NAMES = ("identifier", "command_name", "property_name")
"""Types of nodes that may be names of functions."""


def reached(
    scripts: list[Path], folders: list[Path], *, strict: bool = False
) -> tuple[list[Script], dict[str, str]]:
    """Read scripts and the functions that they call, in turn, from their folders and others.

    Return them, and those that cannot be read with the reason.
    """
    where = named_files(scripts[0].parent, folders)
    open_ = [read(s) for s in scripts]
    own = of_other_joints(open_, where)
    files = {f.path.resolve(): f for f in open_}
    unread: dict[str, str] = {}
    while open_:
        here = open_.pop()
        for name in called_files(here, where, scripts[0].parent, own):
            path = where[name].resolve()
            if path not in files and name not in unread:
                try:
                    files[path] = read(where[name])
                except MigrateError as error:
                    if strict:
                        raise
                    unread[name] = str(error)
                    continue
                open_.append(files[path])
    return list(files.values()), unread


def named_files(here: Path, folders: list[Path]) -> dict[str, Path]:
    """Return the files of folders, and those beside a script, by the names of their functions."""
    where: dict[str, Path] = {}
    for folder in [*folders, here]:
        if not folder.is_dir():
            raise MigrateError(
                f"{folder}: no such folder; want the folders that hold the functions of the script"
            )
        found = sorted((folder.rglob if folder in folders else folder.glob)("*.m"))
        if folder not in folders:
            found += sorted(folder.glob("+*/*.m"))
        toolboxes = {p.parent.parent for p in found if p.parent.name == "+casadi"}
        where |= {
            p.stem: p
            for p in found
            if not any(t in p.parents for t in toolboxes) and not p.parent.name.startswith("@")
        }
    return where


def of_other_joints(scripts: list[Script], where: dict[str, Path]) -> set[str]:
    """Return the functions of models that the folders have in place of the library's, if scripts
    set types of joints that only ``jcalc`` of the folders has.
    """
    codes = set[str]()
    for n in (n for f in scripts for top in f.nodes() for n in walk(top) if n.type == "assignment"):
        if re.search(r"\bjtype\b", text(n.child_by_field_name("left"))):
            every = walk(n.child_by_field_name("right"))
            codes |= {text(x).strip("\"'") for x in every if x.type == "string"}
    codes -= JOINT_TYPES.keys()
    if not codes or "jcalc" not in where:
        return set()
    literals = set(re.findall(r"'(\w+)'", where["jcalc"].read_text(errors="replace")))
    if not codes <= literals:
        return set()
    taking = {
        n
        for n in ROWS.keys() & where.keys()
        if OF_MODELS.search(where[n].read_text(errors="replace"))
    }
    return taking | {"jcalc"}


def called_files(
    script: Script, where: dict[str, Path], beside: Path, own: Collection[str] = ()
) -> list[str]:
    """Return the names of the files that a file uses; the library's functions are its own, but
    for files beside the script, and for those in `own`.
    """
    more = script.nodes()[len(script.body) :]
    names = called_in(script.body, ()).union(*(called_in([n], ()) for n in more))
    ours = {n for n, row in ROWS.items() if row.python or n in OURS}
    known = {n for n in ours if n not in where or (n not in own and where[n].parent != beside)}
    return sorted(names & where.keys() - known - script.functions.keys())


def called_in(nodes: Iterable[Node], variables: Iterable[str]) -> set[str]:
    """Return the names that are read in statements, but for those of variables: of the given ones,
    and of those that a statement before has assigned.
    """
    there, found = set(variables), set[str]()
    open_: list[Node | set[str]] = list(reversed(list(nodes)))
    while open_:
        n = open_.pop()
        if isinstance(n, set):
            there |= n
        elif n.type == "function_definition":
            inner = function_of(n)
            found |= called_in([*inner.arguments, *inner.body], inner.inputs)
        elif n.type == "lambda":
            own = [text(x) for c in n.named_children if c.type == "arguments" for x in named(c)]
            found |= called_in([n.child_by_field_name("expression")], there.union(own))
        elif n.type == "handle_operator":
            found |= {text(x) for x in walk(n) if x.type == "identifier"}
        elif n.type == "assignment":
            open_ += [n.child_by_field_name("left"), {root(t) for t in targets(n)}]
            open_.append(n.child_by_field_name("right"))
        elif n.type == "iterator":
            open_ += [{text(named(n)[0])}, named(n)[1]]
        else:
            found.update(ran(n))
            if clearing(n) is not None:
                there.clear()
            elif n.type in NAMES and text(n) not in there and not _is_field(n, there):
                found.add(text(n))
            open_ += reversed(n.children)
    return found


def _is_field(node: Node, variables: set[str]) -> bool:
    """Test if a name is a field of a variable."""
    up = node.parent
    while up is not None and up.type == "function_call" and up.child_by_field_name("name") == node:
        node, up = up, up.parent
    if up is None or up.type != "field_expression" or up.child_by_field_name("object") == node:
        return False
    return root(up) in variables
