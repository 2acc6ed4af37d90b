"""Display of results, identities and their table in notebooks."""

import importlib
import inspect
import pickle
import pydoc
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from helpers import for_each

import derivatives
import derivatives.reference
import spatial_v2
from spatial_v2 import EnergyMomentum, EnerMo, HandC, Model, mcI, planar, plux, simulate
from spatial_v2.arrays.result_html import array_html, result_html
from tensor_sva.identities import IDENTITIES, Identity, residuals, table
from tensor_sva.identities.card import sides

MODULES: list[ModuleType] = [
    spatial_v2, derivatives, derivatives.reference,
    *(importlib.import_module(f"spatial_v2.{x}") for x in ("identification", "inertia", "contact")),
]  # fmt: skip


def results() -> list[type]:
    """Return the named tuples that public functions return."""
    found: set[type] = set()
    for module in MODULES:
        for name in module.__all__:
            function = getattr(getattr(module, name), "reference", getattr(module, name))
            if inspect.isclass(function) or not callable(function):
                continue
            home = inspect.getmodule(inspect.unwrap(function))
            words = re.findall(
                r"\w+", str(getattr(function, "__annotations__", {}).get("return", ""))
            )
            classes = [getattr(home, word, None) for word in words]
            found |= {x for x in classes if inspect.isclass(x) and hasattr(x, "_fields")}
    return sorted(found, key=lambda x: (x.__module__, x.__name__))


class Balance(HTMLParser):
    """Parser that checks that every element of HTML is closed in the right place."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@for_each(results())
def test_every_public_result_shows_its_fields_and_what_they_are(cls: Any) -> None:
    values = [np.zeros((2, 2))] * len(cls._fields)
    html = cls(*values)._repr_html_()
    Balance(html)
    for name in cls._fields:
        assert f"<code>{name}</code>" in html
    summary = (cls.__doc__ or "").strip().split("\n\n")[0].split()
    assert not summary or " ".join(summary) in " ".join(unescape(html).split())


def test_fields_are_explained_where_the_source_explains_them() -> None:
    for result, words in (
        (EnerMo(planar(1), [0], [1]), "Kinetic energy [J]"),
        (mcI(np.eye(6)), "Mass [kg]"),
        (plux(np.eye(6)), "origin"),
    ):
        assert words in result._repr_html_()


def test_values_are_shown_entry_by_entry_where_they_are_few() -> None:
    html = EnerMo(planar(2), [0.3, 0.1], [1.0, 2.0])._repr_html_()
    found = EnerMo(planar(2), [0.3, 0.1], [1.0, 2.0])
    for x in (found.KE, *np.ravel(found.Itot)):
        assert f"{float(x):.5g}" in html
    assert array_html(np.arange(200.0).reshape(10, 20)) == (
        "array (10, 20), 0 .. 199, 199 of 200 not zero"
    )
    for rows, columns in ((8, 12), (9, 1), (1, 13), (9, 13)):
        whole = array_html(np.arange(float(rows * columns)).reshape(rows, columns))
        assert ("<table>" in whole) == (rows <= 8 and columns <= 12)
    assert array_html(np.array([1 + 2j])).count("1+2j") == 1
    assert array_html(np.zeros((0, 3))) == "array (0, 3)"


def test_results_within_results_are_shown() -> None:
    html = simulate(planar(1), ([0], [1]), [0, 0.1])._repr_html_()  # type: ignore[attr-defined]
    Balance(html)
    assert "EnergyReport" in html and "<code>drift</code>" in html


def test_values_cannot_break_the_page() -> None:
    html = result_html(HandC(planar(1), [0], [0])._replace(C="<script>alert(1)</script>"))
    assert "<script" not in html


@pytest.mark.parametrize("name", ["M7", "K6", "J9", "P7"])
def test_identities_show_statement_source_code_and_residual(name: str) -> None:
    """The display shows statement, residual, and the code that runs, with the line where it is."""
    identity = IDENTITIES[name]
    html = identity._repr_html_()
    Balance(html)
    plain = unescape(html)
    assert identity.latex.strip("$") in plain
    assert identity.source in plain
    code = sides(identity)
    assert code is not None
    assert code.left in plain
    lines = Path(inspect.getfile(type(identity))).parents[2].joinpath(code.file).read_text()
    assert f'"{name}"' in "".join(lines.splitlines()[code.line - 1 : code.line + 1])
    for value in residuals(name).values():
        assert f"{value:.1e}" in plain
    assert name in identity._repr_latex_()


def test_every_identity_has_its_code() -> None:
    for identity in IDENTITIES.values():
        code = sides(identity)
        assert code is not None and code.left and len(code.right) == 1 + len(identity.cases)


def test_an_identity_of_your_own_is_shown_without_code() -> None:
    own = Identity("X1", "v = v", "here", "v", np.copy, np.copy)
    assert "residual now" in own._repr_html_()


def test_table_of_identities_is_typeset() -> None:
    rows = table()
    html = rows._repr_html_()
    Balance(html)
    assert html.count("<tr>") == 1 + len(rows) == 60


def test_model_shows_its_joints() -> None:
    model: Model = planar(3)
    html = model._repr_html_()
    Balance(html)
    assert all(name in html for name in model.joint_names)


def test_help_shows_the_texts_of_fields() -> None:
    """Every public named tuple of results has the text of each field as its documentation, read
    only when it is asked for; fields are read and pickled as before.
    """
    public = [getattr(spatial_v2, x) for x in spatial_v2.__all__]
    classes = [x for x in public if isinstance(x, type) and hasattr(x, "_repr_html_")]
    classes = [x for x in classes if hasattr(x, "_fields")]
    assert len(classes) > 20
    silent = [
        (cls.__name__, x) for cls in classes for x in cls._fields if not getattr(cls, x).__doc__
    ]
    assert not silent
    page = pydoc.render_doc(EnergyMomentum, renderer=pydoc.plaintext)
    assert "Velocity of the centre of mass [m/s]" in page
    e = EnergyMomentum(*range(7))
    assert (e.KE, e.vcm, e._replace(PE=9).PE) == (0, 6, 9) and pickle.loads(pickle.dumps(e)) == e


def test_a_prompt_prints_large_arrays_by_their_shapes() -> None:
    motion = spatial_v2.simulate(planar(2), ([0, 0], [1, 0]), np.linspace(0, 1, 201))
    text = repr(motion)
    assert len(text) < 1000 and "q=<array (201, 2)>" in text
    assert text.startswith("Simulation(t=<array (201,)>") and "drift=<array (201,)>" in text
    few = spatial_v2.simulate(planar(2), ([0, 0], [1, 0]), [0, 0.5, 1])
    assert "t=array([0. , 0.5, 1. ])" in repr(few)
