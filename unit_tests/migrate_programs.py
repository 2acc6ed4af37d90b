"""Random small MATLAB programs that are right by their sizes."""

from __future__ import annotations

import re

import numpy as np

__all__ = ["program"]

SAME = [
    *("(<same> + <same>)", "(<same> - <same>)", "(-<same>)", "<s>*<same>", "(<same>)/4"),
    *("abs(<same>)", "(<same>).^2", "max(<same>, <s>)", "(<same> + <s>)", "atan(<same>)"),
]
"""Expressions of the form of what they are made of; ``<s>`` stands for any scalar."""
FORMS = {
    "s": [
        "(<r>)*(<c>)",
        "norm(<c>)",
        "sum(<r>)",
        "(<s> > <s>)",
        "floor(<s>)",
        "mod(1*atan(<s>), 3)",
    ],
    "r": [
        *("(<c>)'", "(<r>)*(<m>)", "sum(<m>)", "max(<m>)"),
        *("(1:3)", "(0:0.5:1)", "linspace(0,1,3)"),
    ],
    "c": ["(<r>)'", "(<m>)*(<c>)", "sum(<m>, 2)"],
    "m": [
        *("(<m>)*(<m>)", "(<c>)*(<r>)", "(<m>)'", "diag(<c>)", "eye(3)", "zeros(3)"),
        *("[<r>; <r>; <r>]", "[<c>, <c>, <c>]", "(<c> + <r>)"),
    ],
}
"""Expressions of each form: scalars, rows, columns, matrices."""


class _Writer:
    """Lines, and the names of each form that are there."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.names: dict[str, list[str]] = {"s": [], "r": [], "c": [], "m": []}
        self.count = 0
        self.depth = 0

    def pick(self, options: list[str]) -> str:
        return options[int(self.rng.integers(len(options)))]

    def number(self) -> str:
        return self.pick(["2", "0.5", "(-1.5)", "3", "1e-1", "7"])

    def leaf(self, form: str) -> str:
        if self.names[form] and self.rng.random() < 0.75:
            return self.pick(self.names[form])
        values = [self.number() for _ in range(9)]
        return {
            "s": values[0],
            "r": f"[{' '.join(values[:3])}]",
            "c": f"[{'; '.join(values[:3])}]",
            "m": f"[{' '.join(values[:3])}; {' '.join(values[3:6])}; {', '.join(values[6:])}]",
        }[form]

    def value(self, form: str, depth: int = 0) -> str:
        if depth > 2 or self.rng.random() < 0.25:
            return self.leaf(form)
        chosen = self.pick([x.replace("same", form) for x in SAME] + FORMS[form] + self.parts(form))
        return re.sub(r"<(\w)>", lambda found: self.value(found[1], depth + 1), chosen)

    def parts(self, form: str) -> list[str]:
        """Parts of what has a name, and systems of equations as far from singular as any."""
        i = self.pick(["1", "2", "3", "end", "end-1"])
        if form == "s":
            return [f"{n}({i})" for n in self.names["r"] + self.names["c"]] + [
                f"{n}({i},{self.pick(['1', '3', 'end'])})" for n in self.names["m"]
            ]
        if form == "r":
            return [f"{n}({i},:)" for n in self.names["m"]]
        if form == "m":
            return [f"{n}([3 1 2], :)" for n in self.names["m"]]
        return [
            *(f"{n}(:,{i})" for n in self.names["m"]),
            *(f"(eye(3) + {n}'*{n}/(1 + norm({n}, 1)^2)) \\ (<c>)" for n in self.names["m"]),
            *(f"{n}(end:-1:1)" for n in self.names["c"]),
        ]

    def write(self, line: str) -> None:
        self.lines.append("  " * self.depth + line)

    def assign(self, form: str) -> None:
        new = self.depth == 0 and self.rng.random() < 0.6
        if new or not self.names[form]:
            name = f"{form}{self.count}"
            self.count += 1
        else:
            name = self.pick(self.names[form])
        self.write(f"{name} = {self.value(form)};")
        if name not in self.names[form]:
            self.names[form].append(name)

    def part(self) -> None:
        form = self.pick([f for f in "rcm" if self.names[f]] or ["r"])
        if not self.names[form]:
            self.assign(form)
            return
        name = self.pick(self.names[form])
        i = self.pick(["1", "2", "3", "end"])
        if form == "m":
            at, value = [(f"{i},2", "s"), (f"{i},:", "r"), (f":,{i}", "c"), (":,:", "s")][
                int(self.rng.integers(4))
            ]
        else:
            at, value = [(i, "s"), ("1:2", "s"), (":", form)][int(self.rng.integers(3))]
        self.write(f"{name}({at}) = {self.value(value)};")

    def statement(self) -> None:
        kind = int(self.rng.integers(10))
        if kind < 5:
            self.assign(self.pick(["s", "r", "c", "m"]))
        elif kind < 7:
            self.part()
        elif kind < 9 and self.depth < 2 and all(self.names.values()):
            self.block()
        elif self.names["r"] and self.names["c"]:
            a, b = (self.pick(self.names[f]) for f in "rc")
            self.write(f"{a}k{self.count} = {b}; {a}k{self.count}(2) = 5;")
            self.count += 1

    def block(self) -> None:
        if self.rng.random() < 0.5:
            self.write(f"if {self.value('s')} > {self.value('s')}")
        else:
            self.write(f"for i{self.depth} = {self.pick(['1:3', '3:-1:1', '2:3'])}")
            vector = self.pick(self.names["r"] + self.names["c"])
            self.depth += 1
            i = f"i{self.depth - 1}"
            self.write(f"{vector}({i}) = {vector}({i})/2 + {i}*0.1;")
            self.depth -= 1
        self.depth += 1
        for _ in range(int(self.rng.integers(1, 4))):
            self.statement()
        self.depth -= 1
        self.write("end")


def program(rng: np.random.Generator, length: int = 12) -> str:
    """A program of some statements, all of whose sizes fit."""
    writer = _Writer(rng)
    for form in "srcm":
        writer.assign(form)
    for _ in range(length):
        writer.statement()
    return "\n".join(writer.lines) + "\n"
