"""Translation of plots to calls of matplotlib's pyplot."""

from __future__ import annotations

import re

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.expressions import quoted, string_value, value, whole
from spatial_v2.migrate.kinds import Code, Kind, Undecided
from spatial_v2.migrate.parse import Args, text

__all__ = ["draw", "drawn"]

OPTIONS = {
    **{n: n for n in ("linewidth", "color", "marker", "markersize", "linestyle", "fontsize")},
    **{n: n for n in ("markerfacecolor", "markeredgecolor", "fontweight", "linewidths")},
    "displayname": "label",
    "facecolor": "color",
    "interpreter": "",
}
"""Option in lower case -> argument of matplotlib; "" for options that it does not need."""
PLACES = {
    "north": "upper center", "south": "lower center", "east": "center right",
    "west": "center left", "northeast": "upper right", "northwest": "upper left",
    "southeast": "lower right", "southwest": "lower left", "best": "best",
}  # fmt: skip
"""Place of a legend -> its name in matplotlib."""
LINES = {
    **{n: f"plt.{n}" for n in ("plot", "semilogx", "semilogy", "loglog", "bar", "scatter")},
    "stem": "plt.stem",
    "stairs": "plt.step",
    "line": "plt.plot",
    "plot3": 'plt.subplot(projection="3d").plot',
}
WORDS = {
    **{n: f"plt.{n}" for n in ("xlabel", "ylabel", "title")},
    "sgtitle": "plt.suptitle",
    "zlabel": "plt.gca().set_zlabel",
}
SPEC = r"(-\.|--|[-:.+o*x^v<>sdphrgbcmykw])+"
"""Pattern of a line specification such as ``r--``."""


def draw(body: Body, name: str, args: Args) -> None:
    """Translate a statement that draws."""
    code = drawn(body, name, args)
    if code is not None and code.text:
        body.write(code.text)


def drawn(body: Body, name: str, args: Args) -> Code | None:
    """Translate a call that draws; None while the kind of an argument is not known yet."""
    if name in ("hold", "drawnow", "box"):
        return Code("", Kind("handle"))
    if name == "close":
        return Code('plt.close("all")', Kind("handle"))
    made = _call(body, name, args)
    return None if made is None else Code(made, Kind("handle"))


def _call(body: Body, name: str, args: Args) -> str | None:
    plain, pairs = _options(body, args)
    codes = [value(body, a) for a in plain]
    if any(c.kind.form == "nothing" for c in codes):
        return None
    forms = [c.kind.form for c in codes]
    if name in LINES:
        given = _lines(body, name, codes, plain)
        if name == "bar" and len(given) == 1:
            if not codes[0].kind.is_vector:
                raise Undecided(
                    f"bar: want a vector, got {codes[0].kind.described}; groups of bars are not "
                    "translated"
                )
            given.insert(0, f"np.arange(1, len({given[0]}) + 1)")
        if name == "stairs":
            given.append('where="post"')
        return f"{LINES[name]}({', '.join(given + pairs)})"
    if name in WORDS and forms in (["text"], ["lines"]):
        return f"{WORDS[name]}({', '.join([codes[0].text, *pairs])})"
    if name == "text" and len(codes) == 3 and forms == ["scalar", "scalar", "text"]:
        return f"plt.text({', '.join([*(c.text for c in codes), *pairs])})"
    if name == "legend":
        return _legend(codes, forms, pairs)
    if pairs:
        raise Undecided(f"{name}: want no options; set them in Python")
    if name == "subplot" and len(codes) in (1, 3) and set(forms) == {"scalar"}:
        return f"plt.subplot({', '.join(whole(body, a) for a in plain)})"
    if name in ("figure", "clf") and forms in ([], ["scalar"]):
        number = f"{whole(body, plain[0])}" if plain else ""
        return f"plt.{name}({number if name == 'figure' else ''})"
    if name in ("xlim", "ylim", "axis") and len(forms) == 1 and forms[0] in ("row", "text"):
        return f"plt.{name}({codes[0].text})"
    if name == "grid" and forms in ([], ["text"]):
        return f"plt.grid({codes == [] or codes[0].text != quoted('off')})"
    if name == "hist" and forms in (["row"], ["column"]):
        return f"plt.hist({codes[0].text})"
    if name in ("gca", "gcf"):
        return f"plt.{name}()"
    raise Undecided(f"{name}: these arguments are not translated; call matplotlib for them")


def _options(body: Body, args: Args) -> tuple[Args, list[str]]:
    """Separate the options, pairs of names and values, from the other arguments."""
    first = len(args)
    for n in range(len(args) - 1, -1, -1):
        if args[n].type == "string" and string_value(args[n]).lower() in (*OPTIONS, "location"):
            first = n
    pairs = []
    for name, given in zip(args[first::2], args[first + 1 :: 2], strict=False):
        word = string_value(name).lower() if name.type == "string" else ""
        if word == "location" and given.type == "string":
            place = PLACES.get(string_value(given).lower())
            pairs += [f"loc={quoted(place)}"] if place else []
        elif word not in OPTIONS:
            raise Undecided(
                f"the option {text(name)} of a drawing is not translated; set it in Python"
            )
        elif OPTIONS[word]:
            pairs.append(f"{OPTIONS[word]}={value(body, given).text}")
    if (len(args) - first) % 2:
        raise Undecided(f"the option {text(args[-1])} of a drawing has no value")
    return args[:first], pairs


def _lines(body: Body, name: str, codes: list[Code], nodes: Args) -> list[str]:
    """Return the arguments of a plot: groups of arrays, each with a line specification or none."""
    texts: list[str] = []
    group: list[Code] = []
    for c, node in zip(codes, nodes, strict=True):
        if c.kind.form == "text":
            if node.type == "string" and not re.fullmatch(SPEC, string_value(node)):
                raise Undecided(
                    f"{name}: want a line specification such as 'r--', got {text(node)}"
                )
            texts += [*_group(name, group), c.text]
            group = []
        elif not c.kind.is_array or c.kind.numbers == "z":
            raise Undecided(f"{name}: want real numbers, got {c.kind.described}")
        else:
            group.append(c)
    return texts + _group(name, group)


def _group(name: str, group: list[Code]) -> list[str]:
    """Return the texts of the arrays of one group; a matrix is transposed if its rows, not its
    columns, have the length of x.
    """
    count = 3 if name == "plot3" else 2
    if len(group) > count:
        return _group(name, group[:count]) + _group(name, group[count:])
    if len(group) != 2 or group[1].kind.form != "matrix" or group[0].kind.form == "matrix":
        if any(c.kind.form in ("tensor", "array") for c in group):
            raise Undecided(
                f"{name}: want vectors or matrices, got an array of three axes or of unknown shape"
            )
        return [c.text for c in group]
    x, y = group
    if not re.fullmatch(r"[\w.]+", y.text) or not x.kind.is_vector:
        raise Undecided(
            f"{name}: want a vector, and a matrix that is a variable, got `{y.text}`; assign it "
            "to a variable first"
        )
    turned = y.text.removesuffix(".T") if y.text.endswith(".T") else f"{y.text}.T"
    return [x.text, f"{y.text} if len({y.text}) == len({x.text}) else {turned}"]


def _legend(codes: list[Code], forms: list[str], pairs: list[str]) -> str:
    if len(codes) == 1 and forms == ["cell"] and codes[0].kind.item == Kind("text"):
        return f"plt.legend({', '.join([codes[0].text, *pairs])})"
    if set(forms) - {"text"}:
        raise Undecided("legend: want texts, or a cell of texts")
    words = [c.text for c in codes if c.text not in (quoted("show"), quoted("on"))]
    given = [f"[{', '.join(words)}]"] if words else []
    return f"plt.legend({', '.join(given + pairs)})"
