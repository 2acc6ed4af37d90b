"""Parentheses to insert into an expression where the parser's precedence of operators is not
MATLAB's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["parentheses"]

Node = Any
OPERATORS = {
    "binary_operator",
    "comparison_operator",
    "boolean_operator",
    "unary_operator",
    "not_operator",
    "postfix_operator",
    "range",
}
LEVELS = (
    ("||",),
    ("&&",),
    ("|",),
    ("&",),
    ("<", "<=", ">", ">=", "==", "~=", "!="),
    (":",),
    ("+", "-"),
    ("*", "/", "\\", ".*", "./", ".\\"),
)
"""Binary operators, lowest precedence first."""
PREFIX = ("+", "-", "~", "!")
POWERS = ("^", ".^", "**", ".**")
TRANSPOSES = ("'", ".'")


class Token(NamedTuple):
    """An operator or operand, from byte `start` to byte `end`; an operand has the sign ''."""

    sign: str
    start: int
    end: int


def parentheses(root: Node) -> list[tuple[int, str]]:
    """Return position and sign of each parenthesis to insert so that all expressions of a file are
    parsed with MATLAB's precedence.
    """
    found: list[tuple[int, str]] = []
    open_ = [root]
    while open_:
        node = open_.pop()
        open_ += node.children
        if node.type in OPERATORS and node.parent.type not in OPERATORS:
            tokens: list[Token] = []
            grammars: set[tuple[int, int]] = set()
            _flatten(node, tokens, grammars)
            ours = _Order(tokens).groups()
            if ours != grammars:
                whole = (tokens[0].start, tokens[-1].end)
                for start, end in sorted(ours - {whole}):
                    found += [(start, "("), (end, ")")]
    return found


def _flatten(node: Node, tokens: list[Token], groups: set[tuple[int, int]]) -> None:
    groups.add((node.start_byte, node.end_byte))
    for child in node.children:
        if child.type in ("comment", "line_continuation"):
            continue
        if child.type in OPERATORS:
            _flatten(child, tokens, groups)
        else:
            sign = "" if child.is_named else child.text.decode()
            tokens.append(Token(sign, child.start_byte, child.end_byte))


class _Order:
    """Parser of the tokens of one expression, from left to right, by MATLAB's precedence."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens, self.at = tokens, 0
        self.found: set[tuple[int, int]] = set()

    def groups(self) -> set[tuple[int, int]]:
        """Return the first and last position of the expression of each operator."""
        self.level(0)
        return self.found

    @property
    def sign(self) -> str:
        """Return the next operator without reading it."""
        return self.tokens[self.at].sign if self.at < len(self.tokens) else "end"

    def take(self) -> Token:
        """Read the next token."""
        self.at += 1
        return self.tokens[self.at - 1]

    def group(self, start: int) -> None:
        """Record an expression that begins at `start` and ends at the last token read."""
        self.found.add((start, self.tokens[self.at - 1].end))

    def level(self, n: int) -> int:
        """Read an expression of the operators of level `n` of `LEVELS`, and of higher ones; return
        the position of its beginning.
        """
        if n == len(LEVELS):
            return self.signed()
        start = self.level(n + 1)
        colon = LEVELS[n] == (":",)
        while self.sign in LEVELS[n]:
            self.take()
            self.level(n + 1)
            if not (colon and self.sign == ":"):
                self.group(start)
        return start

    def signed(self) -> int:
        """Read a power with signs before it; return the position of its beginning."""
        if self.sign not in PREFIX:
            return self.power()
        start = self.take().start
        self.signed()
        self.group(start)
        return start

    def power(self) -> int:
        """Read an operand, its powers and transposes, from left to right; return the position of
        its beginning.
        """
        start = self.take().start
        while self.sign in POWERS or self.sign in TRANSPOSES:
            if self.take().sign in POWERS:
                self.exponent()
            self.group(start)
        return start

    def exponent(self) -> None:
        """Read an exponent: an operand with signs before it."""
        if self.sign not in PREFIX:
            self.take()
            return
        start = self.take().start
        self.exponent()
        self.group(start)
