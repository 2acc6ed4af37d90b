"""The card of an identity about two bodies says for which bodies it holds."""

import sys
from pathlib import Path

import pytest
from helpers import for_each

from tensor_sva.identities import IDENTITIES

sys.path.append(str(Path(__file__).parents[2] / "docs" / "_ext"))
pytest.importorskip("sphinx", reason="needs the extra docs")


@for_each(IDENTITIES)
def test_card_says_where_the_identity_holds(name: str) -> None:
    """Either the formula has cases, or a sentence says that the derivative is zero for other
    bodies.
    """
    from identity_cards import card

    identity = IDENTITIES[name]
    text = "\n".join(card(identity))
    said = "else the derivative is zero" in text
    assert said == (identity.about_joints and r"\begin{cases}" not in identity.latex)
    if said:
        others = {k: x for k, x in identity.right_sides.items() if k not in ("j < i", "j = i")}
        assert set(others.values()) == {None}
