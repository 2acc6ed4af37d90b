"""Both sides of an identity in the page agree with the library; a side made wrong on purpose
differs.
"""

import ast
from typing import Any

import numpy as np
import pytest
from hands_on_pages import Figure, near

from spatial_v2 import Model
from tensor_sva.identities import IDENTITIES, State, example_model
from tensor_sva.identities.letters import RELATIONS

terms = pytest.importorskip("identity_terms", reason="needs the extra docs")

pytestmark = pytest.mark.optional


@pytest.fixture(scope="module")
def page(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("identities")
    return Figure(browser, folder, "identity", terms.all_terms())


@pytest.fixture(scope="module")
def model() -> Model:
    """Return the model of the page.

    The values of the letters are drawn before it.
    """
    return terms.drawn()[1]


def sides(page: Figure, name: str, model: Model) -> tuple[Any, Any]:
    """Return both sides as the library computes them for the arguments of the page."""
    identity, found = IDENTITIES[name], page.get("sides()")
    constants = [np.array(x) for x in found["plain"].values()]
    if not identity.about_joints:
        right = identity.right_sides[found["kind"]]
        assert right is not None
        return identity.lhs(*constants), right(*constants)
    state = State.of(model, *(np.array(found[x]) for x in ("q", "qd", "qdd")))
    i, j = (state.bodies[found[x]] for x in "ij")
    left, right = identity.lhs(i, j, *constants), identity.right_sides[state.relation(i, j)]
    return left, 0 * left if right is None else right(i, j, *constants)


@pytest.mark.parametrize("name", IDENTITIES)
def test_sides_in_the_page_are_those_of_the_library(page: Figure, model: Model, name: str) -> None:
    """Both sides agree with the library to 1e-12 in every case, and the page says that they
    coincide.

    It marks no entry. If one side is made wrong, it says that they differ, and marks entries.
    """
    page.open(f"?{name}")
    assert page.get("name") == name
    if IDENTITIES[name].about_joints:
        page.slide("state", 2.1)
        pairs = [(3, 0), (0, 0), (0, 5), (4, 2)]
        told = ["ancestor", "same", "descendant", "different"]
    else:
        page.slide(",", 2.1) if len(IDENTITIES[name].arguments) == 1 else None
        pairs, told = [(0, 0)], [""]
    for (i, j), word in zip(pairs, told, strict=True):
        if word:
            page.slide("body i", i)
            page.slide("body j", j)
            assert page.tab.get_by_text(word).count() == 1
        found = page.get("sides()")
        left, right = sides(page, name, model)
        near(found["left"], left)
        near(found["right"], right)
        assert page.tab.get_by_text("Both sides coincide").count() == 1
        assert page.tab.locator("td.differs").count() == 0
    page.tick("break it", True)
    if word:
        page.slide("body i", 3)
        page.slide("body j", 1)
    assert page.tab.get_by_text("The sides differ").count() == 1
    assert page.tab.locator("td.differs").count() > 0
    assert page.errors == []


def test_every_relation_is_tried(model: Model) -> None:
    state = State.random(model, np.random.default_rng(0))
    pairs = [(3, 0), (0, 0), (0, 5), (4, 2)]
    found = [state.relation(state.bodies[i], state.bodies[j]) for i, j in pairs]
    assert found == list(RELATIONS)


@pytest.mark.parametrize(
    ("code", "tree"),
    [
        ("-crm(v) @ U", ["matmul", ["neg", ["crm", "v"]], "U"]),
        ("2 * i.B @ j.psid", ["matmul", ["mul", 2.0, [".", "i", "B"]], [".", "j", "psid"]]),
        ("by_q(lambda i: i.S.T)", ["along", "q", ["T", [".", "i", "S"]]]),
    ],
)
def test_code_becomes_a_tree(code: str, tree: Any) -> None:
    assert terms.tree(ast.parse(code, mode="eval").body) == tree


def test_code_without_a_tree_is_told() -> None:
    with pytest.raises(ValueError, match=r"no expression tree for 'x\[0\]'"):
        terms.tree(ast.parse("x[0]", mode="eval").body)


def test_example_model_is_that_of_the_registry(model: Model) -> None:
    assert model.jtype == example_model(np.random.default_rng(0)).jtype
