"""Source text of the library in C and C++: templates, filled in for the exported functions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from string import Template

from spatial_v2.engine.tensors.runs import Run, Runs
from spatial_v2.export.functions import FAMILIES, FORMS, Exported

__all__ = ["sources"]

_TEMPLATES = Path(__file__).with_name("templates")
_PLAIN = {
    "sv2_internal.h": "src",
    "sv2_model.c": "src",
    "sv2_patterns.c": "src",
    "sv2_call.c": "src",
    "sv2_rotors.c": "src",
    "CMakeLists.txt": "",
    "spatial_v2-config.cmake": "lib/cmake/spatial_v2",
}
_TREES = {"ignore": "SV2_PLAIN", "expand": "SV2_EXPANDED", "own": "SV2_GEARED"}
_LENGTHS = {"q": "NQ", "v": "NV", "b": "NB"}


def sources(
    functions: Sequence[Exported], forms: Sequence[str], level: str, version: str, lanes: int
) -> dict[str, str]:
    """Return the text files of the library.

    Parameters
    ----------
    functions : sequence of Exported
        The functions.
    forms : sequence of str
        Members of `FORMS`.
    level, version : str
        Names of processor and library, for the header.
    lanes : int
        The SIMD width of the kernels for batches.

    Returns
    -------
    dict of str to str
        Path -> text.
    """
    families = [runs for runs in FAMILIES if any(f.runs is runs for f in functions)]
    values = [_values(f, forms, families) for f in functions]
    batch = "batch" in forms
    names = {"header": "function.h.in", "source": "function.c.in", "class": "function.hpp.in"}
    made = {kind: [_fill(name, v) for v in values] for kind, name in names.items()}
    if batch:
        for kind, name in (("header", "function_batch.h.in"), ("source", "function_batch.c.in")):
            more = [_fill(name, v) for v in values]
            made[kind] = [x + y for x, y in zip(made[kind], more, strict=True)]
        made["class"] += [_fill("function.hpp.in", v | _of_batch(v)) for v in values]
    head = {"version": version, "level": level, "lanes": str(lanes)}
    head["drive"] = "sv2_kernel_drive" if batch else "NULL"
    head["families"] = _families(families)
    files = {
        "include/spatial_v2.h": _fill(
            "spatial_v2.h.in", {**head, "functions": "".join(made["header"])}
        ),
        "include/spatial_v2.hpp": _fill("spatial_v2.hpp.in", {"functions": "".join(made["class"])}),
        "src/functions.c": _fill("functions.c.in", {**head, "functions": "".join(made["source"])}),
    }
    for name, folder in _PLAIN.items():
        files[f"{folder}/{name}".lstrip("/")] = (_TEMPLATES / name).read_text("utf-8")
    return files


def _fill(name: str, values: dict[str, str]) -> str:
    return Template((_TEMPLATES / name).read_text("utf-8")).substitute(values)


def _shape(name: str, letters: str) -> str:
    return f"{name} ({', '.join(_LENGTHS.get(x, x) for x in letters)})"


def _values(f: Exported, forms: Sequence[str], families: list[Runs]) -> dict[str, str]:
    """Return the strings that replace the names in the templates of a function."""
    force = ["f_ext"] * f.force
    given = [*f.names, *force]
    parameters = [f"const double *{x}" for x in given] + [f"double *{x}" for x in f.results]
    kernels = {form: f"sv2_kernel_{f.name}_{form}" for form in FORMS}
    arguments = [_shape(x, core) for x, core in zip(f.names, f.cores, strict=True)]
    arguments += [f"{x} (NB, 6) or null" for x in force]
    outs = [_shape(x, shape) for x, shape in zip(f.results, f.shapes, strict=True)]
    lengths = [(x, core) for x, core in zip(f.names, f.cores, strict=True)]
    lengths += [(x, shape) for x, shape in zip(f.results, f.shapes, strict=True)]
    checks = [_check(x, shape) for x, shape in lengths]
    checks += [f"        if (f_ext.size()) {_check('f_ext', 'b6').strip()}"] * f.force
    spans = [f"In {x}" for x in f.names] + [f"Out {x}" for x in f.results]
    return {
        "name": f.name,
        "class_name": f.name,
        "workspace": f"sv2_{f.name}_workspace",
        "call": f"sv2_{f.name}",
        "states": "",
        "given_states": "",
        "summary": f.summary,
        "shapes": f"{', '.join(arguments)} -> {', '.join(outs)}",
        "parameters": ", ".join(parameters),
        "spans": ", ".join([*spans, *(f"In {x} = {{}}" for x in force)]),
        "data": ", ".join(f"{x}.data()" for x in [*given, *f.results]),
        "checks": "\n".join(checks),
        "kernels": ", ".join(kernels[form] for form in FORMS if form in forms),
        "pair": ", ".join(kernels[form] if form in forms else "NULL" for form in FORMS),
        "arguments": "".join(f.cores),
        "letters": ", ".join(f'"{x}"' for x in f.shapes),
        "force": str(int(f.force)),
        "frame": str(int(f.frame)),
        "tree": _TREES[f.rotors],
        "terms": str(int(f.joint_terms)),
        "count": str(len(f.results)),
        "family": str(families.index(f.runs) if f.runs else -1),
        "given": ", ".join(f.names),
        "results": ", ".join(f.results),
        "f_ext": "f_ext" if f.force else "NULL",
    }


def _check(name: str, letters: str) -> str:
    length = " * ".join(f"{x}_" if x in _LENGTHS else x for x in letters)
    return f'        detail::check({name}.size(), {length}, "{name}");'


def _of_batch(values: dict[str, str]) -> dict[str, str]:
    """Return the replacements in a template for the class of a function of many states."""
    checks = values["checks"].replace(".size(), ", ".size(), states * ")
    return {
        "class_name": f"{values['name']}_batch",
        "workspace": f"sv2_{values['name']}_batch_workspace",
        "call": f"sv2_{values['name']}_batch",
        "states": "std::size_t states, ",
        "given_states": "states, ",
        "checks": checks,
    }


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
