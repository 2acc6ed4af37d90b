"""Directives that print tables of times from the files in ``benchmarks/results``."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from results import read
from sphinx.application import Sphinx
from tables import Markdown

Row = dict[str, Any]


class Robots(Markdown):
    """Table of times for each robot: Pinocchio in C++ and from Python, and this library, for one
    call and for one state of a batch. The page shows the robot that its list of names selects.
    """

    columns = ("C++", "Pinocchio, Python", "one call", "batch")

    def markdown(self) -> str:
        content = read(self.env, "robots")
        text = []
        for robot, group in groupby(content["rows"], lambda row: row["robot"]):
            rows = list(group)
            text += [":::{container} choice", ""]
            text += [f"**{robot}, {rows[0]['NV']} degrees of freedom**", ""]
            text += ["| function | C++ | from Python | one call | of a batch | ratio |"]
            text += ["|---|--:|--:|--:|--:|--:|"]
            for row in rows:
                times = [best(row, column) for column in self.columns]
                ratio = digits(times[3] / times[0]) if times[0] and times[3] else ""
                cells = (f"`{row['function']}`", *(us(x) for x in times), ratio)
                text.append("| " + " | ".join(cells) + " |")
            text += ["", ":::", ""]
        return "\n".join([*text, measured(content)])


class Contacts(Markdown):
    """Table of times of functions with contacts: Pinocchio from Python, and this library, for one
    call and for one state of a batch.
    """

    def markdown(self) -> str:
        content = read(self.env, "contacts")
        text = ["| function | from Python | derivatives alone | one call | of a batch | ratio |"]
        text += ["|---|--:|--:|--:|--:|--:|"]
        for row in content["rows"]:
            columns = ("Pinocchio", "derivatives alone", "one call", "batch")
            times = [best(row, column) for column in columns]
            ratio = digits(times[3] / times[0]) if times[0] and times[3] else ""
            cells = (f"`{row['function']}`", *(us(x) for x in times), ratio)
            text.append("| " + " | ".join(cells) + " |")
        return "\n".join([*text, "", measured(content)])


class Exported(Markdown):
    """Table of times of the exported library and of Pinocchio in one C++ program, for each robot;
    ratios below one are in bold, there this library is faster.
    """

    def markdown(self) -> str:
        content = read(self.env, "c_library")
        text = ["| robot, degrees of freedom | function | C++ | one state | ratio |"]
        text[0] += " of a batch | ratio |"
        text += ["|---|---|--:|--:|--:|--:|--:|"]
        for row in content["rows"]:
            cells = [f"{row['robot']}, {row['NV']}", f"`{row['function']}`", us(row["C++"])]
            for form in ("one state", "batch"):
                ratio = row[form] / row["C++"]
                cells += [us(row[form]), f"**{digits(ratio)}**" if ratio < 1 else digits(ratio)]
            text.append("| " + " | ".join(cells) + " |")
        loads = [row["load"] for row in content["rows"]]
        note = f"Programs that ran at the same time: {min(loads):.1f} to {max(loads):.1f} (load)."
        return "\n".join([*text, "", f"{measured(content)} {note}"])


class Peers(Markdown):
    """Times for one state with each library [us], with a table for each robot."""

    def markdown(self) -> str:
        content = read(self.env, "peers")
        text = []
        for robot, group in groupby(content["rows"], lambda row: row["robot"]):
            rows = list(group)
            functions = list(dict.fromkeys(row["function"] for row in rows))
            text += ["", f"**{robot}, {rows[0]['NV']} degrees of freedom**", ""]
            text += [f"| | {' | '.join(f'`{name}`' for name in functions)} |"]
            text += ["|---" + "|--:" * len(functions) + "|"]
            for library in dict.fromkeys(row["library"] for row in rows):
                times = {row["function"]: row["us"] for row in rows if row["library"] == library}
                text.append(f"| {library} | {' | '.join(us(times.get(f)) for f in functions)} |")
        return "\n".join([*text, "", measured(content)])


class Operators(Markdown):
    """Times for a batch with the operators of JAX and PyTorch divided by those of the kernels
    alone, and errors of derivatives.
    """

    def markdown(self) -> str:
        content = read(self.env, "interop")
        text = ["| robot | function | kernel | JAX | PyTorch | kernel, gradient | JAX | PyTorch |"]
        text[0] += " first derivatives | second |"
        text += ["|---|---" + "|--:" * 8 + "|"]
        for row in content["rows"]:
            cells = [f"{row['robot']}, {row['NV']} degrees of freedom", f"`{row['function']}`"]
            for kernel in ("kernel", "kernel, gradient"):
                end = kernel.removeprefix("kernel")
                cells += [us(row[kernel])]
                cells += [digits(row[tool + end] / row[kernel]) for tool in ("JAX", "PyTorch")]
            cells += [f"{row[error]:.0e}" for error in ("first", "second")]
            text.append("| " + " | ".join(cells) + " |")
        return "\n".join([*text, "", measured(content)])


class Compiling(Markdown):
    """Table of the times that JAX takes to compile [s]."""

    def markdown(self) -> str:
        content = read(self.env, "interop_compile")
        columns = ("ID", "gradient", "Hessian")
        text = ["| robot | form | ID | its gradient | its Hessian |", "|---|---|--:|--:|--:|"]
        for row in content["rows"]:
            cells = [f"{row['robot']}, {row['NV']} degrees of freedom", row["form"]]
            cells += ["" if row[c] is None else digits(row[c]) for c in columns]
            text.append("| " + " | ".join(cells) + " |")
        return "\n".join([*text, "", measured(content)])


class Code(Markdown):
    """Table of generated code for robots: its size, how it was compiled, and its time beside this
    library's.
    """

    def markdown(self) -> str:
        content = read(self.env, "code_robots")
        text = ["| robot | function | code | lines | KB | gcc | s | µs | µs here |"]
        text += ["|---|---|---|--:|--:|---|--:|--:|--:|"]
        for row in content["rows"]:
            cells = [
                row["robot"],
                f"`{row['method']}_derivatives`",
                row["code"],
                f"{row['lines']:,}",
            ]
            cells += [f"{row['KB']:,.0f}", row.get("level", ""), us(row.get("seconds to compile"))]
            text.append(f"| {' | '.join([*cells, us(row['us']), us(row['here'])])} |")
        return "\n".join([*text, "", measured(content)])


class Control(Markdown):
    """Table of methods of optimal control: iterations, cost, times, and their ratios to Crocoddyl's
    fastest solver, for each problem.
    """

    def markdown(self) -> str:
        content = read(self.env, "control")
        text = ["| problem | method | iterations | cost | time [ms] | an iteration [ms] | ratio |"]
        text += ["|---|---|--:|--:|--:|--:|--:|"]
        totals = [row for row in content["rows"] if "iteration" not in row]
        for problem, group in groupby(totals, lambda row: row["problem"]):
            rows = list(group)
            peers = [row["seconds"] for row in rows if "Crocoddyl" in row["method"]]
            for row in rows:
                times = (1e3 * row["seconds"], row["ms an iteration"])
                ratio = digits(row["seconds"] / min(peers)) if peers else ""
                cells = [problem, row["method"], str(row["iterations"]), f"{row['cost']:.4g}"]
                text.append("| " + " | ".join([*cells, *map(us, times), ratio]) + " |")
        return "\n".join([*text, "", measured(content)])


def best(row: Row, column: str) -> float | None:
    """Return the time in a column of a row, or None if it was not measured.

    If the call was also timed with preallocated results, as the C++ code is, return that time.
    """
    better = {
        "batch": ("batch, zeros kept", "batch, out="),
        "one call": ("prepared, zeros kept", "prepared"),
    }.get(column, ())
    return next((row[form] for form in (*better, column) if row.get(form)), None)


def us(value: float | None) -> str:
    """Format a time in microseconds; an empty string if it was not measured."""
    return "" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def digits(value: float) -> str:
    return f"{value:.2g}"


def measured(content: dict[str, Any]) -> str:
    """Return a sentence with the machine and the date of a measurement."""
    machine = content["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    parts = [machine["processor"], f"Python {machine['python']}", versions, machine["compiler"]]
    return f"Measured {machine['date']} on: {'; '.join(filter(None, parts))}."


def setup(app: Sphinx) -> dict[str, bool]:
    for directive in (
        Robots, Contacts, Exported, Peers, Operators, Compiling, Code, Control,
    ):  # fmt: skip
        app.add_directive(f"times-of-{directive.__name__.lower()}", directive)
    return {"parallel_read_safe": True}
