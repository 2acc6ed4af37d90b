"""Lines of a translation, with the comments and empty lines of the MATLAB file."""

from __future__ import annotations

from spatial_v2.migrate.parse import Node, text

__all__ = ["CommentedLines"]


class CommentedLines:
    """Lines as they are written, at both levels of a translation."""

    out: list[str]
    depth: int
    last_row: int
    """Row where the last statement or comment ended; -1 before the first."""

    def write(self, line: str) -> None:
        """Write a line with the present indentation."""
        self.out.append("    " * self.depth + line if line else "")

    def blank(self, node: Node) -> None:
        """Copy an empty line before a statement or comment."""
        if node.start_point[0] > self.last_row + 1 > 0 and self.out and self.out[-1]:
            self.write("")

    def comment(self, node: Node) -> None:
        """Copy a comment, at the end of a line if it is there in MATLAB."""
        shown = [x.strip() for x in text(node).split("\n")]
        trailing = node.start_point[0] == self.last_row and self.out and len(shown) == 1
        if trailing and self.out[-1].strip():
            self.out[-1] += f"  # {shown[0].lstrip('%#').strip()}"
            return
        self.blank(node)
        for x in shown:
            if x in ("%{", "%}", "#{", "#}"):
                continue
            mark = "# %%" if x.startswith("%%") else "#"
            self.write(f"{mark} {(x[2:] if mark == '# %%' else x.lstrip('%#')).strip()}".rstrip())
        self.last_row = node.end_point[0]

    def header(self, node: Node, block: list[Node]) -> None:
        """Copy comments between the head of a block and the block."""
        self.last_row = node.start_point[0]
        for c in node.children:
            if c.type == "comment" and (not block or c.start_byte < block[0].start_byte):
                inner = c.start_point[0] != self.last_row
                self.depth += inner
                self.comment(c)
                self.depth -= inner
        if block and block[0].start_point[0] > self.last_row:
            self.last_row = block[0].start_point[0] - 1
