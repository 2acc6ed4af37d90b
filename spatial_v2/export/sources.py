"""Source text of the library in C and C++: templates, filled in for the exported functions."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from string import Template
from typing import NamedTuple

from spatial_v2.engine.tensors.runs import ID_SO, Run, Runs
from spatial_v2.export.functions import FAMILIES, FORMS, OPTIONAL, Exported
from spatial_v2.export.levels import tag

__all__ = ["Level", "loaded", "sources"]

_TEMPLATES = Path(__file__).with_name("templates")
_PLAIN = {
    "sv2_internal.h": "src",
    "sv2_kernels.h": "src",
    "sv2_call.h": "src",
    "sv2_constraints.h": "src",
    "sv2_status.c": "src",
    "sv2_file.c": "src",
    "sv2_model.c": "src",
    "sv2_names.c": "src",
    "sv2_setters.c": "src",
    "sv2_frames.c": "src",
    "sv2_constraints.c": "src",
    "sv2_held.c": "src",
    "sv2_patterns.c": "src",
    "sv2_sums.c": "src",
    "sv2_call.c": "src",
    "sv2_run.c": "src",
    "sv2_compute.c": "src",
    "sv2_memory.c": "src",
    "sv2_coupling.c": "src",
    "sv2_bodies.c": "src",
    "sv2_sort.c": "src",
    "sv2_matrix.c": "src",
    "sv2_shared.c": "src",
    "sv2_solved.c": "src",
    "sv2_spread.c": "src",
    "spatial_v2_eigen.hpp": "include",
    "CMakeLists.txt": "",
    "spatial_v2-config.cmake": "lib/cmake/spatial_v2",
}
_TREES = {"ignore": "SV2_PLAIN", "expand": "SV2_EXPANDED", "own": "SV2_GEARED"}
_COUPLED = {"pulled back": "SV2_PULLED_BACK", "in y": "SV2_IN_Y", "refuses": "SV2_NOT_COUPLED"}
_KINDS = ("h", "c", "hpp")
"""Kinds of files to which functions contribute: header, source, and header for C++."""
_LENGTHS = {"q": "NQ", "v": "NV", "b": "NB", "m": "m", "z": "NV + m"}


class Level(NamedTuple):
    """A level of processors, for which there are kernels.

    Attributes
    ----------
    name : str
        Its name.
    width : int
        The SIMD width of its kernels for batches.
    test : str
        The C expression that tells if a processor has it.
    """

    name: str
    width: int
    test: str


def sources(
    functions: Sequence[Exported], forms: Sequence[str], levels: Sequence[Level], version: str
) -> dict[str, str]:
    """Return the text files of the library.

    Parameters
    ----------
    functions : sequence of Exported
        The functions.
    forms : sequence of str
        Members of `FORMS`.
    levels : sequence of Level
        The levels of processors, the best one first.
    version : str
        The version of the library, for the header.

    Returns
    -------
    dict of str to str
        Path -> text.
    """
    wanted = [ID_SO if f.sums else f.runs for f in functions]
    families = [runs for runs in FAMILIES if any(x is runs for x in wanted)]
    made = [_code(f, forms, families, [tag(x.name) for x in levels]) for f in functions]
    h, c, hpp = ("".join(code[kind] for code in made) for kind in _KINDS)
    head = {"version": version, "level": ", ".join(x.name for x in levels)}
    head["families"] = _families(families)
    summed = families.index(ID_SO) if any(f.sums for f in functions) else -1
    head["families"] += f"\nconst int sv2_sums_family = {summed};"
    head["names"] = "".join(f'"{f.name}", ' for f in functions)
    files = {
        "include/spatial_v2.h": _fill("spatial_v2.h.in", {**head, "functions": h}),
        "include/spatial_v2.hpp": _fill("spatial_v2.hpp.in", {"functions": hpp}),
        "src/functions.c": _fill("functions.c.in", {**head, "functions": c}),
        "src/levels.c": _fill("levels.c.in", _levels(levels, "batch" in forms)),
        "lib/pkgconfig/spatial_v2.pc": _fill("spatial_v2.pc.in", head),
        "lib/cmake/spatial_v2/spatial_v2-config-version.cmake": _fill(
            "spatial_v2-config-version.cmake.in", {"version": version.partition("+")[0]}
        ),
    }
    files["LICENSE"] = _license()
    for name, folder in _PLAIN.items():
        files[f"{folder}/{name}".lstrip("/")] = (_TEMPLATES / name).read_text("utf-8")
    return files


def loaded(functions: Sequence[Exported], forms: Sequence[str], levels: Sequence[Level]) -> str:
    """Return `src/levels.c` of a library that loads its kernels from the libraries of a wheel."""
    wanted = [
        f"{name}_{x}" for f in functions for name in f.kernels() for x in f.forms(name, forms)
    ]
    rows = [
        f"KERNEL({k}, {name}, {tag(level.name)})"
        for k, level in enumerate(levels)
        for name in ("drive", "drive_spread", *wanted)
    ]
    names = ", ".join(f'"{x.name}"' for x in levels)
    values = {"names": names, "kernels": "\n".join(rows)}
    return _fill("loaded.c.in", _levels(levels, True) | values)


def _license() -> str:
    """Return the license, which installed packages keep with their metadata."""
    try:
        text = distribution("spatial-v2").read_text("licenses/LICENSE")
    except PackageNotFoundError:
        text = None
    return text or (_TEMPLATES.parents[2] / "LICENSE").read_text("utf-8")


def _levels(levels: Sequence[Level], batches: bool) -> dict[str, str]:
    """Return the replacements for the levels of processors."""
    names = ["sv2_kernel_drive", "sv2_kernel_drive_spread"]
    drives = [f"{name}_{tag(x.name)}" for x in levels for name in names]
    rows = []
    for x in levels:
        both = [f"{name}_{tag(x.name)}" if batches else "NULL" for name in names]
        rows.append(f'    {{"{x.name}", {x.width}, {", ".join(both)}}},')
    return {
        "declared": f"extern SV2_HIDDEN sv2_kernel {', '.join(drives)};\n" * batches,
        "rows": "\n".join(rows),
        "tests": "\n".join(f"    HAS({k}, {x.test});" for k, x in enumerate(levels)),
        "count": str(len(levels)),
    }


def _code(
    f: Exported, forms: Sequence[str], families: list[Runs], tags: Sequence[str]
) -> dict[str, str]:
    """Return the text of a function in each kind of file."""
    made = dict.fromkeys(_KINDS, "")

    def add(template: str, kinds: Sequence[str], values: dict[str, str]) -> None:
        for kind in kinds:
            made[kind] += _fill(f"{template}.{kind}.in", values)

    values = _values(f, families) | _kernels(f, forms, tags)
    subject = f"{f.subject}_" if f.subject else ""
    add("record", ("h", "c"), values)
    for form in forms:
        for packed in (False, True) if f.runs else (False,):
            chosen = values | _of_form(f, form == "batch", packed)
            if not packed:
                add(subject + "workspace", ("h", "c"), chosen)
            add(subject + "call", ("h", "c"), chosen)
            add(subject + "function", ("hpp",), chosen)
    if f.runs:
        add("pattern", ("h", "c"), values)
    return made


def _fill(name: str, values: dict[str, str]) -> str:
    return Template((_TEMPLATES / name).read_text("utf-8")).substitute(values)


def _shape(name: str, letters: str) -> str:
    return f"{name} ({', '.join(_LENGTHS.get(x, x) for x in letters)})"


def _kernels(f: Exported, forms: Sequence[str], tags: Sequence[str]) -> dict[str, str]:
    """Return the replacements for the kernels, of each form for all levels of processors."""
    names = {
        (kernel, form): [f"sv2_kernel_{kernel}_{form}_{tag}" for tag in tags]
        for kernel in f.kernels()
        for form in f.forms(kernel, forms)
    }
    keys = "state", "batched", "state_in_y", "batched_in_y"
    wanted = [(kernel, form) for kernel in (f.name, f.in_y.name) for form in FORMS]
    lists = [f"{{{', '.join(names.get(x, ['NULL']))}}}" for x in wanted]
    kernels = ", ".join(x for listed in names.values() for x in listed)
    return {"kernels": kernels, **dict(zip(keys, lists, strict=True))}


def _values(f: Exported, families: list[Runs]) -> dict[str, str]:
    """Return the strings that replace the names in the templates of a function."""
    force = ["f_ext"] * f.force
    names = [*f.names, *force]
    parameters = [f"const double *{x}" for x in names] + [f"double *{x}" for x in f.results]
    arguments = [_shape(x, core) for x, core in zip(f.names, f.cores, strict=True)]
    arguments += [f"{x} (NB, 6) or null" for x in force]
    outs = [_shape(x, shape) for x, shape in zip(f.results, f.shapes, strict=True)]
    spans = [f"In {x}" for x in f.names] + [f"Out {x}" for x in f.results]
    return {
        "name": f.name,
        "summary": f.summary,
        "shapes": f"{', '.join(arguments)} -> {', '.join(outs)}",
        "parameters": ", ".join(parameters),
        "spans": ", ".join([*spans, *(f"In {x} = {{}}" for x in force)]),
        "parts": ", ".join([*spans, *(f"In {x}" for x in force)]),
        "spanned": ", ".join([*f.names, *f.results, *force]),
        "data": ", ".join(f"{x}.data()" for x in [*names, *f.results]),
        "arguments": "".join(f.cores),
        "letters": ", ".join(f'"{x}"' for x in [*f.shapes, *f.told]),
        "force": str(int(f.force)),
        "frame": str(int(f.frame)),
        "tree": _TREES[f.rotors],
        "terms": str(int(f.joint_terms)),
        "count": str(len(f.results) + bool(f.told)),
        "told": str(int(bool(f.told))),
        "sums": str(int(f.sums)),
        "optional": str(int(f.name in OPTIONAL)),
        "coupled": _COUPLED[f.coupled],
        "family": str(families.index(f.runs) if f.runs else -1),
        "given": ", ".join(f.names),
        "results": ", ".join(f.results),
        "f_ext": "f_ext" if f.force else "NULL",
        **_of_frame(f),
    }


def _of_frame(f: Exported) -> dict[str, str]:
    """Return the replacements for what a function takes beside a frame."""
    axes, classical = f.axes_given, f.classical
    return {
        "options": "int axes, " * axes + "int classical, " * classical,
        "chosen": ("axes" if axes else "SV2_BODY") + (", classical" if classical else ", 0"),
        "takes": ", sv2_axes axes = SV2_BODY" * axes + ", bool classical = false" * classical,
        "keeps": ", axes_(axes)" * axes + ", classical_(classical)" * classical,
        "kept": "axes_, " * axes + "classical_, " * classical,
        "fields": "    sv2_axes axes_;\n" * axes + "    bool classical_;\n" * classical,
    }


def _of_form(f: Exported, batch: bool, packed: bool) -> dict[str, str]:
    """Return the replacements for one state or a batch, with dense or packed results."""
    name = f.name + "_packed" * packed + "_batch" * batch
    return {
        "class_name": name,
        "call": f"sv2_{name}",
        "workspace": f"sv2_{f.name}{'_batch' * batch}_workspace",
        "batch": str(int(batch)),
        "form": "SV2_PACKED" if packed else "SV2_DENSE",
        "states": "size_t states, " * batch,
        "given_states": "states, " * batch,
        "count_of_states": "states" if batch else "1",
        "sizes": ", ".join(_sizes(f, "states * " * batch, packed)),
        "size_count": str(len(f.names) + len(f.results) + f.force),
        "members": _fill("pattern.hpp.in", {"name": f.name}) if packed else "",
    }


def _sizes(f: Exported, states: str, packed: bool) -> list[str]:
    """Return what C++ compares: sizes of arguments and results, those they should have, names."""
    lengths = {x: _product(core) for x, core in zip(f.names, f.cores, strict=True)}
    for k, (x, shape) in enumerate(zip(f.results, f.shapes, strict=True)):
        lengths[x] = f"nonzeros({k})" if packed else _product(shape)
        if f.name in OPTIONAL and not states:
            lengths[x] = f"{x}.size() ? std::size_t({lengths[x]}) : 0"
    rows = [f'{{{x}.size(), {states}{n}, "{x}"}}' for x, n in lengths.items()]
    if f.force:
        rows.append(f'{{f_ext.size(), f_ext.size() ? {states}b_ * 6 : 0, "f_ext"}}')
    return rows


def _product(letters: str) -> str:
    return " * ".join(f"{x}_" if x in _LENGTHS else x for x in letters) or "1"


def _families(families: list[Runs]) -> str:
    """Return C++ tables of the order of the values of packed tensors."""
    lines, names = [], []
    for k, runs in enumerate(families):
        for kind, listed in (("general", runs.general), ("own", runs.own)):
            rows = ",\n    ".join(map(_range, listed))
            lines.append(f"static const struct sv2_range {kind}_{k}[] = {{\n    {rows}}};")
        counts = f"{runs.tensors}, {len(runs.general)}, {len(runs.own)}"
        lines.append(f"static const struct sv2_runs runs_{k} = {{{counts}, general_{k}, own_{k}}};")
        names.append(f"&runs_{k}")
    lines.append(f"const struct sv2_runs *const sv2_families[] = {{{', '.join(names) or 'NULL'}}};")
    return "\n".join([*lines, f"const int sv2_family_count = {len(families)};"])


def _range(run: Run) -> str:
    return f"{{{run.tensor}, \"{run.order}\", '{run.part[0]}'}}"
