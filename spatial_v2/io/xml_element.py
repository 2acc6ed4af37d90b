"""XML elements with their location in the file, which error messages name."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from spatial_v2.exceptions import ModelFileError

__all__ = ["XmlElement"]

_HUGE = 1e100


@dataclass(frozen=True, slots=True)
class XmlElement:
    """One element of a file, with checked access to its children and attributes.

    Attributes
    ----------
    file : str
        Name of the file.
    above : XmlElement or None
        The element that contains this one.
    """

    file: str
    above: XmlElement | None
    _node: Any

    @property
    def tag(self) -> str:
        """Name of the element, with its prefix."""
        return str(self._node.tag)

    @property
    def path(self) -> str:
        """Path of the element in the file, e.g. ``<joint name="elbow"> <limit>``."""
        attributes = dict(self._node.items())
        key = "name" if "name" in attributes else next(iter(attributes), "") * (":" in self.tag)
        label = f'<{self.tag} {key}="{attributes[key]}">' if key else f"<{self.tag}>"
        return f"{self.above.path} {label}" if self.above else label

    def error(self, problem: str) -> ModelFileError:
        """Return a `ModelFileError` that names this element and the problem."""
        return ModelFileError(f"{self.file}: {self.path}: {problem}")

    def children(self) -> Iterator[XmlElement]:
        """Return the child elements, in file order."""
        return (XmlElement(self.file, self, node) for node in self._node)

    def all(self, tag: str) -> list[XmlElement]:
        """Return the children with a tag, in file order."""
        return [XmlElement(self.file, self, node) for node in self._node.findall(tag)]

    def one(self, tag: str) -> XmlElement | None:
        """Return the child with a tag, or None; raise an error if there are several."""
        children = self.all(tag)
        if len(children) > 1:
            raise self.error(f"{len(children)} elements <{tag}>, want at most one")
        return children[0] if children else None

    def need(self, tag: str) -> XmlElement:
        """Return the child with a tag; raise an error if there is none or several."""
        child = self.one(tag)
        if child is None:
            raise self.error(f"element <{tag}> is missing")
        return child

    def text(self, attribute: str, default: str | None = None) -> str:
        """Return a non-empty attribute, or `default` if the attribute is missing."""
        text = self._node.get(attribute, default)
        if text is None:
            raise self.error(f"attribute {attribute!r} is missing")
        if not text.strip():
            raise self.error(f"attribute {attribute!r} is empty")
        return str(text)

    def attributes(self) -> list[str]:
        """Return the names of the attributes, in file order."""
        return [str(name) for name, _ in self._node.items()]

    def has(self, attribute: str) -> bool:
        """Return whether the element has an attribute."""
        return self._node.get(attribute) is not None

    def optional(self, attribute: str) -> str:
        """Return an attribute, or an empty string if it is missing."""
        return str(self._node.get(attribute, ""))

    @property
    def content(self) -> str:
        """Text between the tags, without surrounding blanks."""
        return str(self._node.text or "").strip()

    def numbers(self, *counts: int, infinite: bool = False) -> np.ndarray:
        """Return the numbers between the tags, whose count must be one of `counts`.

        With ``infinite=True`` they may be infinite.
        """
        words = self.content.split()
        if len(words) not in counts:
            wanted = " or ".join(map(str, counts))
            raise self.error(f"{self.content!r} has {len(words)} numbers, want {wanted}")
        return np.array(
            [self._finite("the content", self.content, word, infinite) for word in words]
        )

    def number(
        self, attribute: str, default: float | None = None, *, infinite: bool = False
    ) -> float:
        """Return an attribute as a number, finite unless ``infinite=True``."""
        text = self.text(attribute, None if default is None else repr(default))
        return self._finite(f"attribute {attribute}", text, text, infinite)

    def vector(self, attribute: str, default: str | None = None, n: int = 3) -> np.ndarray:
        """Return an attribute of n finite numbers separated by blanks, shape (n,)."""
        text = self.text(attribute, default)
        words = text.split()
        if len(words) != n:
            wanted = {3: "three", 4: "four"}[n]
            problem = f"attribute {attribute}={text!r} has {len(words)} numbers, want {wanted}"
            raise self.error(problem)
        return np.array(
            [self._finite(f"attribute {attribute}", text, word, False) for word in words]
        )

    def _finite(self, what: str, text: str, word: str, infinite: bool) -> float:
        try:
            value = float(word.replace("_", "?"))
        except ValueError:
            hint = "; run xacro on the file first" if "${" in text else ""
            raise self.error(f"{what}={text!r} is not a number{hint}") from None
        if math.isnan(value) or (abs(value) > _HUGE and not infinite):
            raise self.error(f"{what}={text!r} is not a finite number below 1e100")
        return value
