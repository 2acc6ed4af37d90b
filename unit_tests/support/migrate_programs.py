"""Random small MATLAB programs that are valid: the sizes of all operands match."""

import re

import numpy as np

__all__ = ["program"]

SAME = [
    *("(<same> + <same>)", "(<same> - <same>)", "(-<same>)", "<s>*<same>", "(<same>)/4"),
    *("abs(<same>)", "(<same>).^2", "max(<same>, <s>)", "(<same> + <s>)", "atan(<same>)"),
]
"""Expressions that have the same form as their operand: scalar, row, column or matrix.

``<s>`` stands for an expression of a scalar, ``<same>`` for one of the operand's form.
"""
FORMS = {
    "s": [
        "(<r>)*(<c>)",
        "norm(<c>)",
        "sum(<r>)",
        "(<s> > <s>)",
        "floor(<s>)",
        "mod(1*atan(<s>), 3)",
        *("numel(<r>)", "size(<m>, 1)", "length(<c>)", "prod(<r>)", "max(<c>)", "min(<r>)"),
        *("round(<s>)", "fix(<s>)", "rem(7, 1 + abs(<s>))", "asin(sin(<s>))", "acos(0.85 + <t>)"),
        *("(<s> > <s> & <s> < <s>)", "(<s> == <s> | <s>)", "(<s>)^2^0.5", "-<s>^2", "2^-<t>"),
        *(
            "any(<r> > <s>)",
            "all(<c> < <s>)",
            "numel(find(<r> > <s>))",
            "isempty(<r>)",
            "trace(<m>)",
        ),
        *("double(<s> >= <s>)", "sign(<s>)", "dot(<r>, <r>)", "mean(<c>)", "sum(<r> .* (<r>))"),
    ],
    "r": [
        *("(<c>)'", "(<r>)*(<m>)", "sum(<m>)", "max(<m>)"),
        *("(1:3)", "(0:0.5:1)", "linspace(0,1,3)", "cross(<r>, <r>)", "cumsum(<r>)", "sort(<r>)"),
        *("fliplr(<r>)", "[<s>, <s>, <s>]", "(<r> > <s> & <r> < <s>)"),
        *("diag(<m>)'", "any(<m>)", "(<r>).^2'.'", "mod(<r>, 2)", "floor(<r>)"),
    ],
    "c": [
        *("(<r>)'", "(<m>)*(<c>)", "sum(<m>, 2)", "max(<m>, [], 2)", "[<s>; <s>; <s>]"),
        *("flipud(<c>)", "diag(<m>)", "cross(<c>, <c>)", "(<c> ~= <s>)", "repmat(<s>, 3, 1)"),
    ],
    "t": ["0.05", "0.1", "rem(abs(<s>), 0.1)"],
    "m": [
        *("(<m>)*(<m>)", "(<c>)*(<r>)", "(<m>)'", "diag(<c>)", "eye(3)", "zeros(3)"),
        *("[<r>; <r>; <r>]", "[<c>, <c>, <c>]", "(<c> + <r>)", "cumsum(<m>)", "triu(<m>)"),
        *("reshape([<r>, <r>, <r>], 3, 3)", "(<m> > <s>)"),
        *("repmat(<r>, 3, 1)", "repmat(<c>, 1, 3)", "ones(3)*<s>"),
    ],
}
"""Expressions by their form: scalars, rows, columns, matrices, text."""


class _Writer:
    """Writer of a program; it keeps the lines so far and the names of the variables of
    each form.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.names: dict[str, list[str]] = {"s": [], "r": [], "c": [], "m": []}
        self.places: list[tuple[str, str]] = []
        self.functions: list[tuple[str, str, str]] = []
        self.tail: list[str] = []
        """Function definitions, which follow at the end of the program."""
        self.count = 0
        self.depth = 0

    def pick(self, options: list[str]) -> str:
        return options[int(self.rng.integers(len(options)))]

    def number(self) -> str:
        return self.pick(["2", "0.5", "(-1.5)", "3", "1e-1", "7"])

    def leaf(self, form: str) -> str:
        if self.names.get(form) and self.rng.random() < 0.75:
            return self.pick(self.names[form])
        values = [self.number() for _ in range(9)]
        if form == "t":
            return "0.05"
        return {
            "s": values[0],
            "r": f"[{' '.join(values[:3])}]",
            "c": f"[{'; '.join(values[:3])}]",
            "m": f"[{' '.join(values[:3])}; {' '.join(values[3:6])}; {', '.join(values[6:])}]",
        }[form]

    def value(self, form: str, depth: int = 0) -> str:
        if depth > 2 or self.rng.random() < 0.25:
            return self.leaf(form)
        same = [] if form == "t" else [x.replace("same", form) for x in SAME]
        chosen = self.pick(same + FORMS[form] + self.parts(form))
        return re.sub(r"<(\w)>", lambda found: self.value(found[1], depth + 1), chosen)

    def parts(self, form: str) -> list[str]:
        """Return expressions of a form: parts of variables, and solutions of regular linear
        systems.
        """
        i = self.pick(["1", "2", "3", "end", "end-1"])
        if form == "t":
            return []
        if form == "s":
            return (
                self.held("s")
                + [f"{n}({i})" for n in self.names["r"] + self.names["c"]]
                + [f"{n}({i},{self.pick(['1', '3', 'end'])})" for n in self.names["m"]]
            )
        if form == "r":
            rows = [f"{n}({i},:)" for n in self.names["m"]]
            rows += [f"[{n}(1:end-1), {n}(end)]" for n in self.names["r"]]
            return rows + self.held("r") + [f"{n}([end 1 2])" for n in self.names["r"]]
        if form == "m":
            return [f"{n}([3 1 2], :)" for n in self.names["m"]]
        return [
            *self.held("c"),
            *(f"{n}(:,{i})" for n in self.names["m"]),
            *(f"(eye(3) + {n}'*{n}/(1 + norm({n}, 1)^2)) \\ (<c>)" for n in self.names["m"]),
            *(f"{n}(end:-1:1)" for n in self.names["c"]),
        ]

    def held(self, form: str) -> list[str]:
        """Return expressions of a form that are fields of structs, entries of cells, or calls of
        functions.
        """
        return [place for f, place in self.places if f == form] + [
            f"{name}(<{given}>)" for f, given, name in self.functions if f == form
        ]

    def hold(self) -> None:
        """Write the assignment of a struct, a cell, or an anonymous function."""
        kind, n = int(self.rng.integers(4)), self.count
        self.count += 1
        form, other = (self.pick(["s", "r", "c"]) for _ in range(2))
        if kind == 0:
            self.write(f"t{n}.a = {self.value(form)};")
            self.write(f"t{n}.in.b = {self.value(other)};")
            self.places += [(form, f"t{n}.a"), (other, f"t{n}.in.b")]
        elif kind == 1:
            self.write(f"q{n} = {{{self.value(form)}, {self.value(form)}}};")
            self.write(f"q{n}{{end+1}} = {self.value(form)};")
            self.places += [(form, f"q{n}{{{i}}}") for i in ("1", "3", "end")]
        elif kind == 2:
            self.write(f"for j = 1:3, q{n}{{j}} = {self.value(form)}; end")
            self.places.append((form, f"q{n}{{2}}"))
        else:
            inner = {"s": "(x + 1)*2", "r": "[x x x]", "c": "x*[1; 2; 3]"}[form]
            self.write(f"g{n} = @(x) {inner};")
            self.functions.append((form, "s", f"g{n}"))

    def grow(self) -> None:
        """Write assignments that let arrays grow, use logical subscripts, or build text."""
        kind, n = int(self.rng.integers(18)), self.count
        self.count += 1
        if kind >= 8:
            self.more(kind, n)
            return
        r, c = self.pick(self.names["r"]), self.pick(self.names["c"])
        if kind == 0:
            self.write(f"y{n} = []; for j = 1:4, y{n}(end+1) = j*{self.value('s')}; end")
        elif kind == 1:
            self.write(
                f"y{n} = {self.pick([r, c])}; y{n}(y{n} > {self.value('s')}) = {self.number()};"
            )
        elif kind == 2:
            self.write(f"y{n} = {r}({r} > {self.number()});")
        elif kind == 3:
            self.write(f"y{n} = [sprintf('%d-%5.2f|', {n}, {self.number()}), 'ab'];")
            self.write(f"z{n} = strcmp(y{n}, 'ab');")
        elif kind == 4:
            self.write(f"k{n} = 0; y{n} = 0;")
            self.write(f"while k{n} < 4 && y{n} < 3")
            self.write(f"  k{n} = k{n} + 1; if k{n} == 2, continue; end")
            self.write(f"  y{n} = y{n} + {self.value('s')}; v{n}(k{n}) = y{n};")
            self.write("end")
        elif kind == 5:
            self.write(f"y{n} = {self.pick(['[1 2]', '[1; 2]', '1:2', '2*[1 2]'])};")
            self.write(f"if {self.value('s')} > 0, y{n}({self.pick('23456')}) = 0.5; end")
            self.write(f"y{n}({self.pick(['1', '3', '5', '3:4'])}) = {self.value('s')};")
        elif kind == 6:
            self.write(f"for j = {self.pick(['1:3', '[3 1]'])}")
            self.write(f"  y{n}(j) = {self.value('s')}; z{n}{{j}} = {self.value('r')};")
            self.write(f"end; y{n}({self.pick('246')}) = 7; z{n}{{{self.pick('246')}}} = 7;")
        else:
            self.write(f"switch floor({self.value('s')})")
            for case in ("0", "{1, 2}"):
                self.write(f"  case {case}")
                self.write(f"    y{n} = {self.value('c')};")
            self.write("  otherwise")
            self.write(f"    y{n} = {self.value('c')};")
            self.write("end")

    def more(self, kind: int, n: int) -> None:
        """Write statements of a given kind, beyond those of `grow`.

        They have matrices that grow, cells of rows and columns, text, functions of any number of
        arguments, global variables, divisions by 0, and files.
        """
        s, r, c, m = (self.value(form) for form in "srcm")
        if kind == 8:
            self.write(f"y{n} = {m}; y{n}({self.pick('24')}, {self.pick('25')}) = {s};")
            self.write(f"y{n}(end, 2) = {s}; z{n} = size(y{n}, 1) + sum(sum(y{n}));")
        elif kind == 9:
            self.write(f"for j = {self.pick(['1:3', '3:-1:1', '[2 1]'])}")
            self.write(f"  y{n}(j, :) = {r}; z{n}(:, j) = {c};")
            self.write(f"end; y{n}({self.pick('25')}, 1) = {s};")
        elif kind == 10:
            self.write(f"q{n} = {{{s}, {r}; {c}, {s}}}; q{n}{{2, 2}} = {s};")
            self.write(f"y{n} = cell(2, 3); y{n}{{2, {self.pick('123')}}} = q{n}{{2, 2}};")
            self.write(f"z{n} = numel(q{n}) + size(y{n}, 2);")
        elif kind == 11:
            form = self.pick(["%g, ", "%5.2f|%g\\n", "x%dy", "%8.3e"])
            x = self.pick([s, r, m])
            x = f"floor(abs({x}))" if "%d" in form else x  # MATLAB and Octave differ for fractions
            self.write(f"y{n} = sprintf('{form}', {x}, floor({s}));")
            self.write(f"z{n} = [num2str({self.pick([s, r])}), '-', num2str({s}, 4)];")
        elif kind == 12:
            inner = "y = numel(varargin); for k = 1:nargin - 1, y = y + sum(varargin{k}(:)); end"
            self.tail += [f"function y = h{n}(a, varargin)", inner, "y = y*a;", "end"]
            self.write(f"y{n} = h{n}({s}); z{n} = h{n}({s}, {r}, {m}) + h{n}(2, {c});")
            self.write(f"v{n} = {{{s}, {c}}}; w{n} = h{n}(v{n}{{:}});")
        elif kind == 13:
            self.tail += [f"function [a, varargout] = h{n}(x)", "a = x;"]
            self.tail += ["varargout{1} = x + 1; varargout{2} = 2*x;", "end"]
            self.write(f"[y{n}, z{n}, v{n}] = h{n}({s}); w{n} = h{n}({r});")
        elif kind == 14:
            self.tail += [
                f"function h{n}(x)",
                f"global G{n}",
                f"G{n} = G{n} + x; G{n}(2) = 3;",
                "end",
            ]
            self.write(f"global G{n}; G{n} = {self.pick([r, c])}; h{n}({s}); y{n} = G{n}; h{n}(1);")
        elif kind == 15:
            top = self.pick(["1", "-2", "0", s, "numel(" + r + ")"])
            self.write(f"y{n} = {top}/0; u{n} = 0; z{n} = 3/u{n} + {s}/u{n}; v{n} = 2\\u{n};")
            self.write(f"for j = 1:u{n}:3, y{n} = 5; end; for j = 2:0:1, y{n} = 6; end")
        elif kind == 16:
            self.write(f"y{n} = {r}; z{n} = {c}; t{n}.a = {s}; v{n} = {m} > {s};")
            self.write(f"save('h{n}.mat', 'y{n}', 'z{n}', 't{n}', 'v{n}'); y{n} = 0; z{n} = 0;")
            self.write(f"load h{n}.mat")
            self.write(f"w{n} = y{n}*z{n}; t{n}.b = {m}; x{n} = t{n}.b(v{n});")
        else:
            self.write(f"y{n} = {r}; y{n} = y{n}(y{n} > {s}); y{n}({self.pick('1357')}) = {s};")
            self.write(f"z{n} = blkdiag({s}, {m}); v{n} = [{r}; vertcat({r}, {m})];")
            self.write(f"k{n} = numel(y{n}) + 1; y{n}(k{n}) = y{n}(1);")

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
        kind = int(self.rng.integers(13))
        if kind >= 10:
            if self.depth == 0:
                self.hold() if kind < 12 else self.grow()
            return
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
    """Return a random program in which the sizes of all operands match."""
    writer = _Writer(rng)
    for form in "srcm":
        writer.assign(form)
    for _ in range(length):
        writer.statement()
    return "\n".join([*writer.lines, *writer.tail]) + "\n"
