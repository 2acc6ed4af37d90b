"""Drawings by matplotlib; those without a counterpart are left out."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from spatial_v2.matlab.runtime.functions import matlab
from spatial_v2.matlab.runtime.value_types import Array, Cell, Text, empty, string, value

__all__: list[str] = []

PROPERTIES = {"linewidth": "linewidth", "color": "color", "linestyle": "linestyle",
              "marker": "marker", "markersize": "markersize", "displayname": "label"}  # fmt: skip
_QUIET = """
addpath addpoints animatedline annotation area axes axis bar bar3 beep box camlight caxis
cd cla clc clear clearAllMemoizedCaches clearvars clf close colorbar colormap comet
commandwindow contour contourf daspect datacursormode dbstop delete diary drawnow errorbar
exportgraphics fflush figure fill fill3 findobj format gca gcf genpath get
getframe copyobj graphics_toolkit grid hggroup hgtransform hist histogram hold image imagesc imshow
input
ishold isvalid keyboard legend light lighting line linkaxes linspecer loglog
makehgtransform matlab2tikz maxfig mesh mkdir mlock more movegui movie newplot nexttile open pan
patch pause pbaspect pkg plot plot3 plotyy polarplot print profile pwd quiver quiver3
rectangle refreshdata rmpath rotate3d saveas savefig scatter scatter3 semilogx semilogy
set set_param sgtitle shading showmotion spy stairs startup stem stem3 subplot suptitle
surf surface text tiledlayout title uicontrol view waitbar writeVideo xlabel xlim
xticklabels xticks ylabel ylim yticklabels yticks yyaxis zlabel zlim zoom
clim colororder groot VideoWriter xline yline imwrite frame2im rgb2ind material subtitle
"""
QUIET = frozenset(_QUIET.split())
"""Functions that only draw, or that Python does not need."""


def _quiet(name: str) -> None:
    @matlab(name)
    def call(*args: Any, nargout: int = 0) -> Any:
        drawer = DRAWN.get(name)
        if drawer is not None:
            drawer(args)
        return empty() if nargout <= 1 else tuple(empty() for _ in range(nargout))


def _pyplot() -> Any:
    import matplotlib.pyplot as plt

    return plt


def _curves(name: str) -> Any:
    def draw(args: tuple[Any, ...]) -> None:
        plt = _pyplot()
        given: list[Any] = []
        options: dict[str, Any] = {}
        rest = list(args)
        while rest:
            x = rest.pop(0)
            if isinstance(x, Text) and string(x).lower() in PROPERTIES and rest:
                v = rest.pop(0)
                options[PROPERTIES[string(x).lower()]] = (
                    string(v)
                    if isinstance(v, Text)
                    else (v.a.item() if v.a.size == 1 else tuple(v.a.ravel()))
                )
            elif isinstance(x, Text):
                given.append(string(x))
            elif isinstance(x, Array) and x.a.dtype != object:
                a = np.real(x.a)
                given.append(a.ravel() if 1 in a.shape else a)
        try:
            if name == "plot3":
                plt.gcf().add_subplot(projection="3d").plot(*given, **options)
            else:
                getattr(plt, {"stairs": "step"}.get(name, name))(*given, **options)
        except (ValueError, TypeError, AttributeError):
            pass

    return draw


def _labels(name: str) -> Any:
    def draw(args: tuple[Any, ...]) -> None:
        if args and isinstance(args[0], (Text, Cell)):
            first = args[0]
            text = (
                "\n".join(map(string, first.a.ravel()))
                if isinstance(first, Cell)
                else string(first)
            )
            getattr(_pyplot(), name)(text.replace("$", ""))

    return draw


def _figure(args: tuple[Any, ...]) -> None:
    plt = _pyplot()
    if args and type(args[0]) is Array and args[0].a.size == 1:
        plt.figure(int(float(args[0])))
    else:
        plt.figure()


def _subplot(args: tuple[Any, ...]) -> None:
    if len(args) >= 3 and all(a.a.size == 1 for a in args[:3]):
        _pyplot().subplot(*(int(float(a)) for a in args[:3]))


def _legend(args: tuple[Any, ...]) -> None:
    names = [
        string(a)
        for x in args
        for a in (x.a.ravel() if isinstance(x, Cell) else [x])
        if isinstance(a, Text)
    ]
    names = [n for n in names if n not in ("Location", "best", "show", "Orientation")]
    if names:
        _pyplot().legend(names)


def _showmotion(args: tuple[Any, ...]) -> None:
    import spatial_v2.matlab as namespace
    from spatial_v2.matlab.runtime.library import plain

    namespace.showmotion(*map(plain, args)).open()


DRAWN: dict[str, Any] = {
    **{n: _curves(n) for n in ("plot", "plot3", "loglog", "semilogx", "semilogy", "stairs")},
    **{n: _labels(n) for n in ("xlabel", "ylabel", "title")},
    "figure": _figure, "subplot": _subplot, "legend": _legend, "showmotion": _showmotion,
    "close": lambda args: _pyplot().close("all"),
}  # fmt: skip

for _name in QUIET:
    _quiet(_name)


COLOURS = np.array([
    [0, 0.447, 0.741], [0.85, 0.325, 0.098], [0.929, 0.694, 0.125], [0.494, 0.184, 0.556],
    [0.466, 0.674, 0.188], [0.301, 0.745, 0.933], [0.635, 0.078, 0.184],
])  # fmt: skip
"""Colours of lines, in their order."""


@matlab()
def lines(count: Any = None) -> Any:
    n = 256 if count is None else int(float(count))
    return Array(COLOURS[np.arange(n) % len(COLOURS)])


@matlab()
def hist(x: Any, bins: Any = None, nargout: int = 1) -> Any:
    a = np.asarray(x.a, float)
    given = np.array([10.0]) if bins is None else np.asarray(bins.a, float).ravel()
    low, high = np.min(a), np.max(a)
    if given.size == 1:
        width = (high - low) / given[0]
        given = low + width * (np.arange(given[0]) + 0.5)
    edges = (given[1:] + given[:-1]) / 2
    columns = a.reshape(-1, 1) if 1 in a.shape else a
    found = np.array(
        [np.bincount(np.searchsorted(edges, y), minlength=given.size) for y in columns.T], float
    )
    row = 1 in a.shape
    return Array(found if row else found.T), Array(given[None, :] if row else given[:, None])


@matlab()
def pwd() -> Any:
    return os.getcwd()


@matlab("input")
def asked(prompt: Any, kind: Any = None) -> Any:
    said = input(string(prompt))
    if kind is not None:
        return said
    return value(np.array(float(said)))


@matlab("exist")
def exist(name: Any, kind: Any = None) -> Any:
    from pathlib import Path

    from spatial_v2.matlab.runtime.functions import FUNCTIONS
    from spatial_v2.matlab.table import ROWS

    text = string(name)
    if text in ROWS:
        return 2.0
    if text in FUNCTIONS:
        return 5.0
    path = Path(text)
    return 7.0 if path.is_dir() else 2.0 if path.exists() else 0.0


@matlab("isfile", "is_file")
def isfile(name: Any) -> Any:
    from pathlib import Path

    return Path(string(name)).is_file()


@matlab("isfolder", "isdir")
def isfolder(name: Any) -> Any:
    from pathlib import Path

    return Path(string(name)).is_dir()


@matlab("fullfile")
def fullfile(*parts: Any) -> Any:
    return os.path.join(*(string(p) for p in parts if string(p)))


@matlab("mfilename")
def mfilename(*_: Any) -> Any:
    return ""


@matlab("version")
def version(*_: Any) -> Any:
    return "9.0"
