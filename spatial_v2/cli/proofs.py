"""Output of the proofs of identities of `tensor_sva` in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tensor_sva.identities import Derived
    from tensor_sva.suite import Verdict

__all__ = ["print_proofs"]


def print_proofs(verdicts: list[Verdict], steps: bool) -> None:
    """Print a table of proofs; if `steps`, also the lines of all derivations, with lemmas."""
    from rich.text import Text

    from spatial_v2.cli.tables import console, new_table
    from tensor_sva.identities import IDENTITIES

    out = console()
    for name, proof in _with_lemmas(verdicts) if steps else ():
        for case, lines in proof.cases.items():
            out.print(f"\n{name}, {case}", soft_wrap=True)
            for n, line in enumerate(lines):
                reason = f"  [{line.reason}]" if line.reason else ""
                out.print(f"  {'=' if n else ' '} {line.text}{reason}", soft_wrap=True)
    table = new_table({"": "left", "proof": "left"})
    table.add_column("statement", overflow="fold")
    for x in verdicts:
        said = Text(_proof(x), "" if x.holds else "bold red")
        table.add_row(x.name, said, IDENTITIES[x.name].latex)
    out.print(table)
    out.print(f"{sum(x.holds for x in verdicts)} of {len(verdicts)} identities are proved")


def _with_lemmas(verdicts: list[Verdict]) -> Iterator[tuple[str, Derived]]:
    """Return the derivations of identities and of the lemmas that they use."""
    from tensor_sva.identities import LEMMAS, Derived, prove

    waiting = {x.name: x.proof for x in verdicts if isinstance(x.proof, Derived)}
    shown: set[str] = set()
    while waiting:
        name, proof = next(iter(waiting.items()))
        del waiting[name]
        shown.add(name)
        yield name, proof
        for rule in proof.rules:
            if rule in LEMMAS and rule not in shown:
                lemma = prove(rule)
                assert isinstance(lemma, Derived)
                waiting[rule] = lemma


def _proof(x: Verdict) -> str:
    from tensor_sva.identities import Derived

    if x.missing or x.error:
        return x.error or f"needs {', '.join(x.missing)}"
    if not x.holds or x.proof is None:
        return "NOT PROVED"
    if isinstance(x.proof, Derived):
        return f"derivation: {len(x.proof.cases)} cases, {x.proof.steps} lines"
    return f"expansion: {x.proof.entries} entries, {x.proof.terms} terms"
