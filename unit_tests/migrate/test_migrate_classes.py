"""Classes, packages, blocks ``arguments`` and files that are run."""

from pathlib import Path

import pytest
from octave_library import OCTAVE
from test_migrate_runtime import run

from spatial_v2.migrate import translate
from spatial_v2.migrate.check import side_by_side

pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")
OBJECTS = Path(__file__).parents[1] / "support" / "migrate_scripts" / "classes" / "objects.m"


@pytest.mark.skipif(OCTAVE is None, reason="GNU Octave is not installed")
def test_objects_of_value_and_handle_classes_agree_with_octave(tmp_path: Path) -> None:
    found = translate(OBJECTS)
    assert not any(each.todos for each in found)
    for each in found:
        (tmp_path / f"{each.path.stem}.py").write_text(each.python)
    outcome = side_by_side(OBJECTS, tmp_path / "objects.py", found[0], [OBJECTS.parent])
    assert outcome.agrees and outcome.compared > 25, outcome.message


def test_objects_of_a_value_class_belong_to_one_variable_each(tmp_path: Path) -> None:
    thing = "classdef Thing\n properties\n  x = [1 2 3]\n end\nend"
    found = run(
        tmp_path, "a = Thing();\nb = a;\nb.x(2) = 9;\ny = a.x(2);\nz = b.x(2);", Thing=thing
    )
    assert (float(found["y"]), float(found["z"])) == (2, 9)


def test_objects_of_a_handle_class_are_shared(tmp_path: Path) -> None:
    thing = (
        "classdef Thing < handle\n properties\n  x = 1\n  other\n end\n methods\n"
        "  function up(obj)\n   obj.x = obj.x + 1;\n  end\n end\nend"
    )
    text = "a = Thing();\nb = a;\nb.up();\nc = {b};\nc{1}.x = c{1}.x*10;\na.other = Thing();\n"
    text += "a.other.x = 5;\ny = a.x;\nz = b.other.x;\nsame = a == b;"
    found = run(tmp_path, text, Thing=thing)
    assert (float(found["y"]), float(found["z"]), bool(found["same"])) == (20, 5, True)


def test_public_properties_are_listed(tmp_path: Path) -> None:
    thing = (
        "classdef Thing\n properties\n  x = 1\n end\n properties (Access = private)\n  y = 2\n"
        " end\n properties (Constant, SetAccess = private)\n  G = 3\n end\nend"
    )
    text = "a = Thing();\nn = properties(a);\np = isprop(a, 'y');\ng = Thing.G + a.G;"
    found = run(tmp_path, text, Thing=thing)
    assert [str(x) for x in found["n"].a.ravel()] == ["x", "G"]
    assert not bool(found["p"]) and float(found["g"]) == 6


def test_an_unknown_property_is_an_error(tmp_path: Path) -> None:
    thing = "classdef Thing\n properties\n  x = 1\n end\nend"
    text = "a = Thing();\ntry\n a.y = 3;\n m = '';\ncatch e\n m = e.message;\nend"
    assert "no property 'y'" in str(run(tmp_path, text, Thing=thing)["m"])


def test_what_has_no_counterpart_in_a_class_is_reported(tmp_path: Path) -> None:
    text = "classdef a < unknown_base\n enumeration\n  A, B\n end\nend\n"
    (tmp_path / "a.m").write_text(text)
    whys = [t.why for t in translate(tmp_path / "a.m")[0].todos]
    assert any("enumeration" in w for w in whys) and any("unknown_base" in w for w in whys)


def test_classes_that_use_each_other_are_imported(tmp_path: Path) -> None:
    one = (
        "classdef One\n methods\n  function y = f(obj)\n   t = Two(); y = t.g();\n  end\n end\nend"
    )
    two = one.replace("One", "Two").replace("f(obj)", "g(obj)")
    two = two.replace("t = Two(); y = t.g();", "y = isa(One(), 'One') + 1;")
    assert float(run(tmp_path, "o = One();\ny = o.f();", One=one, Two=two)["y"]) == 2


def test_functions_of_a_package_go_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "+Model").mkdir()
    (tmp_path / "+Model" / "mass.m").write_text("function m = mass(k)\nm = 2*k;\nend\n")
    found = run(tmp_path, "c = num2cell(1);\nm = Model.mass(3);\nh = @Model.mass;\nn = h(4);")
    assert (float(found["m"]), float(found["n"])) == (6, 8)


def test_a_block_of_arguments_gives_defaults(tmp_path: Path) -> None:
    body = (
        "function y = f(a, b, opts)\narguments\n a (1,1) double\n b double = 3\n"
        " opts.gain (1,1) double = 2\n opts.name string = 'x'\nend\ny = a + b*opts.gain;\nend"
    )
    found = run(tmp_path, "x = f(1);\ny = f(1, 4);\nz = f(1, 4, 'gain', 10);", f=body)
    assert [float(found[n]) for n in "xyz"] == [7, 9, 41]


@pytest.mark.parametrize("how", ["run params.m", "run('params')", "run params", "params"])
def test_scripts_that_are_run_share_their_variables(how: str, tmp_path: Path) -> None:
    found = run(tmp_path, f"{how}\nc = num2cell(1);\ny = 2*k;", params="k = 21;")
    assert float(found["y"]) == 42


PLAIN = OBJECTS.parents[1] / "plain_classes" / "plain_objects.m"


@pytest.mark.skipif(OCTAVE is None, reason="GNU Octave is not installed")
def test_classes_whose_lines_are_decided_need_no_runtime(tmp_path: Path) -> None:
    """Objects are compared by what they give: shared handles, values of their own, properties that
    methods edit in place.
    """
    found = translate(PLAIN)
    for each in found:
        (tmp_path / f"{each.path.stem}.py").write_text(each.python)
        assert not each.todos and not each.by_runtime, each.python
    outcome = side_by_side(PLAIN, tmp_path / "plain_objects.py", found[0], [PLAIN.parent])
    assert outcome.agrees and outcome.compared > 40, outcome.message


@pytest.mark.parametrize(
    "line",
    [
        "obj.(n) = 1;", "y = ml(obj);", "obj.c{2} = 1;", "y = [obj obj];", "y = class(obj);",
        "obj.z = 1;", "q(3).x = obj;", "y = obj == obj;", "persistent n; n = obj;",
    ],
)  # fmt: skip
def test_a_line_that_is_not_decided_lets_the_runtime_write_the_class(
    line: str, tmp_path: Path
) -> None:
    (tmp_path / "a.m").write_text("t = Thing();\nt.f('x');\ny = t.x;\n")
    (tmp_path / "Thing.m").write_text(
        "classdef Thing < handle\n properties\n  x = 1\n  c = {}\n end\n methods\n"
        f"  function f(obj, n)\n   {line}\n  end\n end\nend\n"
    )
    found = {each.path.stem: each.python for each in translate(tmp_path / "a.m")}
    assert "ml.HandleInstance" in found["Thing"] and "ml." in found["a"]


def test_objects_of_one_of_two_classes_are_the_runtimes(tmp_path: Path) -> None:
    """A method of a base returns an object of the base, as far as is known."""
    (tmp_path / "a.m").write_text("t = Lower(2);\nfor k = 1:2, t = t.up(3); end\ny = t.x;\n")
    (tmp_path / "Upper.m").write_text(
        "classdef Upper\n properties\n  x = 1\n end\n methods\n"
        "  function obj = up(obj, d)\n   obj.x = obj.x + d;\n  end\n end\nend\n"
    )
    (tmp_path / "Lower.m").write_text(
        "classdef Lower < Upper\n methods\n  function obj = Lower(x)\n   obj.x = x;\n  end\n"
        "  function obj = up(obj, d)\n   obj = up@Upper(obj, 2*d);\n   obj.x(2) = 1;\n  end\n"
        " end\nend\n"
    )
    assert "ml.Instance" in {e.path.stem: e.python for e in translate(tmp_path / "a.m")}["Upper"]
