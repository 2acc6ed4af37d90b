"""Rooms are opened when they are asked for, and show from outside what they hold."""

import ast
import importlib
import inspect
import subprocess
import sys

import pytest

import spatial_v2
from spatial_v2.rooms import ALIASES, HOMES, ROOMS

WHOLE = sorted(set(ROOMS) - {"calls.options", "model", "packed", "show"})
"""Rooms all of whose names are public; of the others some."""


@pytest.mark.parametrize("room", ROOMS)
def test_the_table_says_what_the_rooms_hold(room):
    found, names = importlib.import_module(f"spatial_v2.{room}"), ROOMS[room].split()
    assert set(names) == set(found.__all__) if room in WHOLE else set(names) <= set(found.__all__)
    assert all(getattr(spatial_v2, name) is getattr(found, name) for name in names)
    assert names == sorted(set(names)) == [name for name in HOMES if HOMES[name] == room]


def test_type_checkers_see_the_same_names():
    tree = ast.parse(inspect.getsource(spatial_v2))
    (branch,) = (x for x in tree.body if isinstance(x, ast.If))
    seen = {}
    exec(compile(ast.Module(branch.body, []), "TYPE_CHECKING", "exec"), seen)
    assert sorted(seen["__all__"]) == sorted(spatial_v2.__all__)
    for name in seen["__all__"]:
        assert seen[name] is getattr(spatial_v2, name), name


def test_names_are_listed_and_aliases_are_the_same():
    listed = dir(spatial_v2)
    assert {*spatial_v2.__all__, "dynamics", "__version__"} <= set(listed) == {*listed}
    for short, name in ALIASES.items():
        assert getattr(spatial_v2, short) is getattr(spatial_v2, name)
    with pytest.raises(AttributeError, match="module 'spatial_v2' has no attribute 'nothing'"):
        _ = spatial_v2.nothing


def run(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_importing_opens_no_room():
    code = "import spatial_v2, sys; print(*(x for x in sys.modules if x[:10] == 'spatial_v2'))"
    assert run(code) == ["spatial_v2.rooms", "spatial_v2"]
    assert run("import spatial_v2, sys; print('numpy' in sys.modules)") == ["False"]


def test_a_page_opens_neither_compiler_nor_scipy():
    heavy = "{'numba', 'scipy', 'matplotlib', 'rich'}"
    assert run(f"from spatial_v2 import *; import sys; print(*{heavy} & set(sys.modules))") == []


@pytest.mark.parametrize("room", ["show", "dynamics"])
def test_functions_are_not_hidden_by_rooms(room):
    code = f"import spatial_v2.{room}; import spatial_v2; print(spatial_v2.show.__name__)"
    assert run(code) == ["show"]


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
def test_every_room_can_be_opened_first():
    opened = run(
        "import os, importlib, numpy\n"
        "from spatial_v2.rooms import ROOMS\n"
        "for room in ROOMS:\n"
        "    if not os.fork():\n"
        "        importlib.import_module('spatial_v2.' + room)\n"
        "        print(room, flush=True)\n"
        "        os._exit(0)\n"
        "    os.wait()\n"
    )
    assert opened == list(ROOMS)
