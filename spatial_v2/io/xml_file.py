"""Safe reading of XML files. Import this module when needed, as the parser is slow to import."""

from __future__ import annotations

import codecs
import os
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import TreeBuilder
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler

from defusedxml import DefusedXmlException
from defusedxml.sax import parseString

from spatial_v2.exceptions import ModelFileError
from spatial_v2.files.path_name import path_name
from spatial_v2.io.xml_element import XmlElement

__all__ = ["read_xml"]


_DEPTH = 200
"""Largest depth of nested elements, limited because elements are read recursively."""


class _Tree(ContentHandler):
    """Handler that builds the elements; a prefix is part of the name, declared or not."""

    def __init__(self) -> None:
        super().__init__()
        self.builder, self.depth = TreeBuilder(), 0

    def startElement(self, name: str, attrs: Any) -> None:
        self.depth += 1
        if self.depth > _DEPTH:
            raise ValueError(
                f"<{name}> is nested in more than {_DEPTH} elements, the most that is read; "
                "remove some levels of nesting"
            )
        self.builder.start(name, dict(attrs))

    def characters(self, content: str) -> None:
        self.builder.data(content)

    def endElement(self, name: str) -> None:
        self.depth -= 1
        self.builder.end(name)


def read_xml(path: str | os.PathLike[str], data: bytes | None = None) -> XmlElement:
    """Read an XML file and return its root element, without expanding entities or using a network.

    If `data` is given, it is parsed instead of the file, and `path` is only the name in messages.

    Blank lines may precede the XML declaration, and prefixes need no declaration, as in other
    programs that read robot files.

    Raises
    ------
    ModelFileError
        If the file does not exist, is malformed or truncated, or has entity definitions or external
        references.
    """
    file = path_name(path)
    try:
        data = Path(file).read_bytes() if data is None else data
    except (OSError, ValueError) as e:
        raise ModelFileError(f"{file}: cannot be read: {getattr(e, 'strerror', None) or e}") from e
    text = data.removeprefix(codecs.BOM_UTF8).lstrip()
    tree = _Tree()
    try:
        parseString(text, tree)
        root = tree.builder.close()
    except DefusedXmlException as e:
        raise ModelFileError(
            f"{file}: refused for safety: entities are neither expanded nor fetched: {e}"
        ) from e
    except SAXParseException as e:
        line = (e.getLineNumber() or 1) + data[: len(data) - len(text)].count(b"\n")
        where = f"line {line}, column {e.getColumnNumber()}"
        raise ModelFileError(
            f"{file}: not well-formed XML (truncated?): {e.getMessage()}: {where}"
        ) from e
    except (ValueError, LookupError) as e:
        raise ModelFileError(f"{file}: not well-formed XML: {e}") from e
    return XmlElement(file, None, root)
