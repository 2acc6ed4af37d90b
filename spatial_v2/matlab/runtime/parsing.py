"""MATLAB's ``inputParser``: arguments of a function that are required, optional or named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spatial_v2.matlab.runtime.functions import matlab
from spatial_v2.matlab.runtime.value_types import (
    Array,
    Cell,
    Handle,
    MatlabError,
    Struct,
    Text,
    items,
    objects,
    string,
    value,
)

__all__: list[str] = []


class InputParser:
    """Rules for the arguments of a function, and their values after `parse`."""

    matlab_class = "inputParser"
    matlab_classes = ("handle",)
    shape = (1, 1)

    def __init__(self) -> None:
        self._rules: dict[str, list[tuple[str, Any, Any]]] = {
            "required": [], "optional": [], "named": [],
        }  # fmt: skip
        self._fields: dict[str, Any] = {
            "FunctionName": Text(""), "KeepUnmatched": Array(_false()), "StructExpand": _true(),
            "CaseSensitive": Array(_false()), "PartialMatching": _true(), "Results": Struct(),
            "Unmatched": Struct(), "UsingDefaults": Cell(objects([])),
        }  # fmt: skip

    def _field(self, name: str) -> Any:
        if name in self._fields:
            return self._fields[name]
        if name == "Parameters":
            names = sorted(n for rules in self._rules.values() for n, _, _ in rules)
            return Cell(objects(map(value, names)))
        if name in ADDED or name == "parse":
            return lambda *args, nargout=0: METHODS[name](self, *items(args))
        raise MatlabError(f"an inputParser has no property {name!r}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._field(name)

    def _put(self, new: Any, steps: tuple[Any, ...]) -> InputParser:
        if len(steps) != 1 or steps[0] not in self._fields:
            raise MatlabError(f"an inputParser has no property {steps[0]!r}")
        self._fields[steps[0]] = new
        return self

    def _add(self, kind: str, name: Any, default: Any, test: Any) -> None:
        self._rules[kind].append((string(name), default, test))

    def _checked(self, name: str, x: Any, test: Any) -> Any:
        if isinstance(test, Handle):
            said = ""
            try:
                found = test(x, nargout=1) if not test.counts else test(x, nargout=0)
            except Exception as error:
                found, said = None, f" {error}"
            if said or (found is not None and not bool(found)):
                title = str(self._fields["FunctionName"])
                head = f"{title}: " if title else ""
                raise MatlabError(f"{head}the value of {name!r} fails its test {test.text}.{said}")
        return x

    def _parse(self, *args: Any) -> None:
        given, found, unmatched = list(args), {}, {}
        for name, _, test in self._rules["required"]:
            if not given:
                raise MatlabError(f"not enough arguments: {name!r} is required")
            found[name] = self._checked(name, given.pop(0), test)
        named = {n.lower(): (n, test) for n, _, test in self._rules["named"]}
        for name, _, test in self._rules["optional"]:
            if not given or self._is_name(given[0], test, named):
                break
            found[name] = self._checked(name, given.pop(0), test)
        if bool(self._fields["StructExpand"]):
            given = [y for x in given for y in _expanded(x)]
        while given:
            name = string(given[0])
            if len(given) < 2:
                raise MatlabError(f"no value follows the name {name!r}")
            x = given[1]
            del given[:2]
            if name.lower() in named:
                full, test = named[name.lower()]
                found[full] = self._checked(full, x, test)
            elif bool(self._fields["KeepUnmatched"]):
                unmatched[name] = x
            else:
                known = ", ".join(n for n, _ in named.values()) or "none"
                raise MatlabError(f"{name!r} is not a recognized parameter; want one of: {known}")
        rules = [r for kind in self._rules.values() for r in kind]
        defaults = [n for n, _, _ in rules if n not in found]
        results = found | {n: default for n, default, _ in rules if n not in found}
        self._fields["Results"] = Struct(objects([{n: results[n] for n in sorted(results)}]))
        self._fields["Unmatched"] = Struct(objects([unmatched]))
        self._fields["UsingDefaults"] = Cell(objects(map(value, defaults)))

    def _is_name(self, x: Any, test: Any, named: dict[str, Any]) -> bool:
        """Test if an argument begins the names and values, and is no optional argument."""
        if isinstance(x, Struct):
            return True
        if not isinstance(x, Text):
            return False
        if str(x).lower() in named:
            return True
        try:
            self._checked("", x, test)
        except MatlabError:
            return True
        return test is None


def _false() -> Any:
    return value(False).a


def _true() -> Any:
    return value(True)


def _expanded(x: Any) -> list[Any]:
    if not isinstance(x, Struct):
        return [x]
    return [y for name, field in x.a.item().items() for y in (Text(name), field)]


def _required(p: Any, name: Any, test: Any = None) -> None:
    p._add("required", name, None, test)


def _optional(p: Any, name: Any, default: Any, test: Any = None) -> None:
    p._add("optional", name, default, test)


def _parameter(p: Any, name: Any, default: Any, test: Any = None, *_: Any) -> None:
    p._add("named", name, default, test)


def _switch(p: Any, name: Any) -> None:
    p._add("named", name, value(False), None)


ADDED: dict[str, Callable[..., Any]] = {
    "addRequired": _required,
    "addOptional": _optional,
    "addParameter": _parameter,
    "addParamValue": _parameter,
    "addSwitch": _switch,
}
METHODS: dict[str, Callable[..., Any]] = {**ADDED, "parse": lambda p, *args: p._parse(*args)}
for _name, _f in METHODS.items():
    matlab(_name)(_f)


@matlab("inputParser")
def input_parser() -> Any:
    return InputParser()
