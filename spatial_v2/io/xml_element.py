"""XML elements that know where they stand, so that every complaint names the place."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from defusedxml import DefusedXmlException, ElementTree

from spatial_v2.exceptions import ModelFileError

__all__ = ["XmlElement", "read_xml"]

_HUGE = 1e100


@dataclass(frozen=True)
class XmlElement:
    """One element of a file, with checked access to its children and attributes.

    Attributes
    ----------
    file : str
        The file it was read from.
    path : str
        Where it stands, e.g. ``<joint name="elbow"> <limit>``.
    """

    file: str
    path: str
    _element: Any

    @property
    def tag(self) -> str:
        """Name of the element."""
        return str(self._element.tag)

    def error(self, problem: str) -> ModelFileError:
        """A `ModelFileError` about this element, to be raised."""
        return ModelFileError(f"{self.file}: {self.path}: {problem}")

    def has_namespace(self, word: str) -> bool:
        """Whether an element below belongs to an XML namespace with this word in its address."""
        tags = (e.tag for e in self._element.iter() if isinstance(e.tag, str))
        return any(t.startswith("{") and word in t.partition("}")[0] for t in tags)

    def all(self, tag: str) -> Iterator[XmlElement]:
        """The children of that tag, in file order."""
        for child in self._element.iterfind(tag):
            name = child.get("name")
            label = f"<{tag}>" if name is None else f'<{tag} name="{name}">'
            yield XmlElement(self.file, f"{self.path} {label}", child)

    def one(self, tag: str) -> XmlElement | None:
        """The only child of that tag, or None; more than one is an error."""
        found = list(self.all(tag))
        if len(found) > 1:
            raise self.error(f"{len(found)} elements <{tag}>, expected at most one")
        return found[0] if found else None

    def need(self, tag: str) -> XmlElement:
        """The only child of that tag; none is an error."""
        found = self.one(tag)
        if found is None:
            raise self.error(f"element <{tag}> is missing")
        return found

    def text(self, attribute: str, default: str | None = None) -> str:
        """A non-empty attribute; `default` stands in when the file does not give it."""
        text = self._element.get(attribute, default)
        if text is None:
            raise self.error(f"attribute {attribute!r} is missing")
        if not text.strip():
            raise self.error(f"attribute {attribute!r} is empty")
        return str(text)

    def number(
        self, attribute: str, default: float | None = None, *, infinite: bool = False
    ) -> float:
        """A finite number (or, where allowed, an infinite one)."""
        text = self.text(attribute, None if default is None else repr(default))
        return self._parse(attribute, text, text, infinite)

    def vector(self, attribute: str, default: str | None = None) -> np.ndarray:
        """Three finite numbers separated by blanks: shape (3,)."""
        text = self.text(attribute, default)
        words = text.split()
        if len(words) != 3:
            raise self.error(
                f"attribute {attribute}={text!r} has {len(words)} numbers, expected three"
            )
        return np.array([self._parse(attribute, text, word, False) for word in words])

    def _parse(self, attribute: str, text: str, word: str, infinite: bool) -> float:
        try:
            value = float(word.replace("_", "?"))
        except ValueError:
            hint = "; run xacro on the file first" if "${" in text else ""
            raise self.error(f"attribute {attribute}={text!r} is not a number{hint}") from None
        if math.isnan(value) or (abs(value) > _HUGE and not infinite):
            raise self.error(f"attribute {attribute}={text!r} is not a finite number below 1e100")
        return value


def read_xml(path: str | os.PathLike[str]) -> XmlElement:
    """The root element of an XML file, read without expanding entities or fetching anything.

    Raises
    ------
    ModelFileError
        No such file, malformed or truncated XML, entity definitions, external references.
    """
    file = os.fspath(path)
    try:
        root = ElementTree.parse(file).getroot()
    except OSError as e:
        raise ModelFileError(f"{file}: cannot be read: {e.strerror or e}") from e
    except DefusedXmlException as e:
        raise ModelFileError(
            f"{file}: refused for safety, entities are not expanded nor fetched: {e}"
        ) from e
    except (ElementTree.ParseError, ValueError, LookupError) as e:
        raise ModelFileError(f"{file}: not well-formed XML (truncated?): {e}") from e
    name = root.get("name")
    label = f"<{root.tag}>" if name is None else f'<{root.tag} name="{name}">'
    return XmlElement(file, label, root)
